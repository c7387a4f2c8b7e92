// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/hooks/hooks.h"

#include <new>
#include <string>
#include <vector>

#include "dispatch/chain/command_traits.h"
#include "dispatch/handles/slot.h"
#include "dispatch/hooks/run_hooks.h"
#include "gtest/gtest.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;
using Log = std::vector<std::string>;

struct Everything {
  void PreCallValidate(const vk::CmdDraw&, messages::Report&) const { log.push_back("validate draw"); }
  void PreCallRecord(const vk::CmdDraw&) { log.push_back("pre draw"); }
  void PostCallRecord(const vk::CmdDraw&) { log.push_back("post draw"); }
  void PostCallRecord(const vk::CreateBuffer&, VkResult result) {
    log.push_back("post buffer " + std::to_string(result));
  }
  Log& log;
};

static_assert(HasPreCallValidate<Everything, vk::CmdDraw>);
static_assert(HasPreCallRecord<Everything, vk::CmdDraw>);
static_assert(HasPostCallRecord<Everything, vk::CmdDraw>);
static_assert(HasPostCallRecordWithResult<Everything, vk::CreateBuffer>);
static_assert(!HasPreCallRecord<Everything, vk::CreateBuffer>);
static_assert(!HasPreCallValidate<Everything, vk::CmdDrawIndexed>);

struct ValidatorWithoutHooks {};

template <class C>
concept Action = (C::kTasks & vk::kTaskAction) != 0;

// One function template for several commands.
struct ActionCommandValidator {
  template <Action C>
  void PreCallRecord(const C&) {
    log.push_back(std::string(C::kName));
  }
  Log& log;
};

// Appends its name in each hook.
struct NamedValidator {
  void PreCallValidate(const vk::CreateBuffer&, messages::Report&) { log.push_back("validate " + name); }
  void PreCallRecord(const vk::CreateBuffer&) { log.push_back("pre " + name); }
  void PostCallRecord(const vk::CreateBuffer&, VkResult) { log.push_back("post " + name); }
  void CallSkipped(const vk::CreateBuffer&) { log.push_back("skipped " + name); }
  void PreCallRecord(const vk::DestroyBuffer&) { log.push_back("pre " + name); }
  void PostCallRecord(const vk::DestroyBuffer&) { log.push_back("post " + name); }
  std::string name;
  Log& log;
};

class HooksTest : public ::testing::Test {
 protected:
  // Runs the hooks around a call of a driver that returns result, as Run() does. The call is dispatched on the object
  // in slot_.
  template <class C>
  bool RunAll(const C& call, VkResult result = VK_SUCCESS) {
    const CommandHooks& hooks = table_[C::kId];
    if (!RunPreCall(hooks, call, &slot_, reporter_)) return false;
    RunPostCallRecord(hooks, call, &slot_, &result);
    return true;
  }
  void SkipReportedCalls() {
    VkDebugUtilsMessengerCreateInfoEXT sink = {VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    sink.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    sink.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    sink.pfnUserCallback = [](auto...) -> VkBool32 { return VK_TRUE; };
    reporter_.AddCreateInfoSinks(&sink);
  }

  Slot slot_;
  HookTable table_;
  HookBuilder builder_;
  messages::Reporter reporter_;
  Log log_;
};

TEST_F(HooksTest, FindsOverloads) {
  Everything everything{log_};
  builder_.Attach(everything);
  builder_.Build(table_);
  const CommandHooks& draw = table_[CommandId::kCmdDraw];
  EXPECT_EQ(draw.validate().size(), 1);
  EXPECT_EQ(draw.pre_record().size(), 1);
  EXPECT_EQ(draw.post_record().size(), 1);
  const CommandHooks& buffer = table_[CommandId::kCreateBuffer];
  EXPECT_EQ(buffer.validate().size(), 0);
  EXPECT_EQ(buffer.pre_record().size(), 0);
  EXPECT_EQ(buffer.post_record().size(), 1);
  EXPECT_TRUE(RunAll(vk::CmdDraw{}));
  EXPECT_TRUE(RunAll(vk::CreateBuffer{}, VK_ERROR_OUT_OF_HOST_MEMORY));
  EXPECT_EQ(log_, (Log{"validate draw", "pre draw", "post draw", "post buffer -1"}));
}

TEST_F(HooksTest, AreEmptyWhereAValidatorHasNone) {
  ValidatorWithoutHooks nothing;
  builder_.Attach(nothing);
  builder_.Build(table_);
  for (size_t i = 0; i < vk::kCommandCount; ++i) EXPECT_TRUE(table_[static_cast<CommandId>(i)].empty());
}

TEST_F(HooksTest, AttachesATemplateToEachMatchingCommand) {
  ActionCommandValidator actions{log_};
  builder_.Attach(actions);
  builder_.Build(table_);
  EXPECT_TRUE(table_[CommandId::kCreateBuffer].empty());
  RunAll(vk::CmdDraw{});
  RunAll(vk::CmdDispatch{});
  EXPECT_EQ(log_, (Log{"vkCmdDraw", "vkCmdDispatch"}));
}

TEST_F(HooksTest, RunsValidatorsInOrderOfAttachment) {
  NamedValidator first{"a", log_}, second{"b", log_};
  builder_.Attach(first);
  builder_.Attach(second);
  builder_.Build(table_);
  RunAll(vk::CreateBuffer{});
  EXPECT_EQ(log_, (Log{"validate a", "validate b", "pre a", "pre b", "post a", "post b"}));
}

TEST_F(HooksTest, RecordsStateFirstButDestroysItLast) {
  NamedValidator first{"a", log_}, state{"state", log_}, second{"b", log_};
  builder_.Attach(first);
  builder_.Attach(state, RecordOrder::kFirstButDestroysLast);
  builder_.Attach(second);
  builder_.Build(table_);
  RunAll(vk::CreateBuffer{});
  EXPECT_EQ(log_, (Log{"validate a", "validate state", "validate b", "pre state", "pre a", "pre b", "post state",
                       "post a", "post b"}));
  log_.clear();
  RunAll(vk::DestroyBuffer{});
  EXPECT_EQ(log_, (Log{"pre a", "pre b", "pre state", "post a", "post b", "post state"}));
}

struct ReportingValidator {
  void PreCallValidate(const vk::CreateBuffer&, messages::Report& report) {
    report.Deliver({.id = "ASSAY-test", .text = "No."});
  }
};

TEST_F(HooksTest, RecordsNothingOfACallThatIsSkipped) {
  SkipReportedCalls();
  ReportingValidator reporting;
  NamedValidator other{"a", log_};
  builder_.Attach(reporting);
  builder_.Attach(other);
  builder_.Build(table_);
  EXPECT_FALSE(RunAll(vk::CreateBuffer{}));
  // A validator that is not asked any more has nothing to take back.
  EXPECT_EQ(log_, Log{});
}

TEST_F(HooksTest, TellsTheValidatorsBeforeThatACallIsSkipped) {
  SkipReportedCalls();
  ReportingValidator reporting;
  NamedValidator before{"a", log_}, after{"b", log_};
  builder_.Attach(before);
  builder_.Attach(reporting);
  builder_.Attach(after);
  builder_.Build(table_);
  EXPECT_FALSE(RunAll(vk::CreateBuffer{}));
  EXPECT_EQ(log_, (Log{"validate a", "skipped a"}));
}

// Throws in both hooks before the call.
struct ThrowingValidator {
  void PreCallValidate(const vk::CreateBuffer&, messages::Report&) { throw std::bad_alloc(); }
  void PreCallRecord(const vk::CreateBuffer&) { throw std::bad_alloc(); }
};

TEST_F(HooksTest, EndsTheHooksThatThrowAlone) {
  NamedValidator before{"a", log_}, after{"b", log_};
  ThrowingValidator throwing, too;
  builder_.Attach(before);
  builder_.Attach(throwing);
  builder_.Attach(too);
  builder_.Attach(after);
  builder_.Build(table_);
  EXPECT_TRUE(RunAll(vk::CreateBuffer{}));
  EXPECT_EQ(log_, (Log{"validate a", "validate b", "pre a", "pre b", "post a", "post b"}));
}

TEST_F(HooksTest, SkipsACallThatIsReportedAfterAHookThrew) {
  SkipReportedCalls();
  NamedValidator before{"a", log_};
  ThrowingValidator throwing;
  ReportingValidator reporting;
  builder_.Attach(before);
  builder_.Attach(throwing);
  builder_.Attach(reporting);
  builder_.Build(table_);
  EXPECT_FALSE(RunAll(vk::CreateBuffer{}));
  EXPECT_EQ(log_, (Log{"validate a", "skipped a"}));
}

// Reports what it recorded.
struct RecordingValidator {
  void PreCallValidate(const vk::CreateBuffer&, messages::Report& report) {
    report.OnSkip([](void* log) { static_cast<Log*>(log)->push_back("undo"); }, &log);
  }
  void PreCallRecord(const vk::CreateBuffer&) { log.push_back("record"); }
  void PreCallReport(const vk::CreateBuffer&, messages::Report& report) {
    log.push_back("report");
    report.Deliver({.id = "ASSAY-test", .text = "No."});
  }
  void PostCallRecord(const vk::CreateBuffer&, VkResult result) { log.push_back("post " + std::to_string(result)); }
  Log& log;
};

TEST_F(HooksTest, ConcludesACallThatIsSkippedAfterItWasRecorded) {
  RecordingValidator recording{log_};
  NamedValidator other{"a", log_};
  builder_.Attach(recording);
  builder_.Attach(other);
  builder_.Build(table_);
  EXPECT_TRUE(RunAll(vk::CreateBuffer{}));
  EXPECT_EQ(log_, (Log{"validate a", "record", "pre a", "report", "post 0", "post a"}));
  log_.clear();
  SkipReportedCalls();
  EXPECT_FALSE(RunAll(vk::CreateBuffer{}));
  EXPECT_EQ(log_, (Log{"validate a", "record", "pre a", "report", "post -1000011001", "post a"}));
}

TEST_F(HooksTest, UndoesWhatAValidatorRecordedWhileItChecked) {
  RecordingValidator recording{log_};
  ReportingValidator reporting;
  NamedValidator other{"a", log_};
  builder_.Attach(recording);
  builder_.Attach(other);
  builder_.Attach(reporting);
  builder_.Build(table_);
  SkipReportedCalls();
  EXPECT_FALSE(RunAll(vk::CreateBuffer{}));
  EXPECT_EQ(log_, (Log{"validate a", "undo", "skipped a"}));
}

// Has the hooks of vkBeginCommandBuffer and vkCmdDraw with the slot and without it, and those of vkEndCommandBuffer
// without it.
struct SlotValidator {
  void PreCallValidate(const vk::BeginCommandBuffer&, messages::Report&) { Add("validate", nullptr); }
  void PreCallValidate(const vk::BeginCommandBuffer&, Slot& slot, messages::Report&) { Add("validate", &slot); }
  void PreCallRecord(const vk::BeginCommandBuffer&) { Add("pre", nullptr); }
  void PreCallRecord(const vk::BeginCommandBuffer&, Slot& slot) { Add("pre", &slot); }
  void PreCallReport(const vk::BeginCommandBuffer&, messages::Report&) { Add("report", nullptr); }
  void PreCallReport(const vk::BeginCommandBuffer&, Slot& slot, messages::Report&) { Add("report", &slot); }
  void PostCallRecord(const vk::BeginCommandBuffer&, VkResult) { Add("post", nullptr); }
  void PostCallRecord(const vk::BeginCommandBuffer&, Slot& slot, VkResult result) {
    Add("post " + std::to_string(result), &slot);
  }
  void CallSkipped(const vk::BeginCommandBuffer&) { Add("skipped", nullptr); }
  void CallSkipped(const vk::BeginCommandBuffer&, Slot& slot) { Add("skipped", &slot); }
  void PostCallRecord(const vk::CmdDraw&) { Add("post draw", nullptr); }
  void PostCallRecord(const vk::CmdDraw&, Slot& slot) { Add("post draw", &slot); }
  void PostCallRecord(const vk::EndCommandBuffer&, VkResult) { Add("post end", nullptr); }

  void Add(std::string name, const Slot* slot) {
    log.push_back(name + (slot == nullptr ? " without slot" : slot == expected ? "" : " with another slot"));
  }
  const Slot* expected;
  Log& log;
};

static_assert(HasPreCallValidate<SlotValidator, vk::BeginCommandBuffer>);
static_assert(HasPostCallRecordWithResult<SlotValidator, vk::BeginCommandBuffer>);
static_assert(!HasPreCallRecord<SlotValidator, vk::CmdDraw>);

TEST_F(HooksTest, PreferOverloadsWithTheSlot) {
  SlotValidator validator{&slot_, log_};
  builder_.Attach(validator);
  builder_.Build(table_);
  EXPECT_EQ(table_[CommandId::kBeginCommandBuffer].validate().size(), 1);
  EXPECT_TRUE(RunAll(vk::BeginCommandBuffer{}));
  EXPECT_EQ(log_, (Log{"validate", "pre", "report", "post 0"}));
  log_.clear();
  RunAll(vk::CmdDraw{});
  RunAll(vk::EndCommandBuffer{});
  EXPECT_EQ(log_, (Log{"post draw", "post end without slot"}));
}

// Throws in the hooks around the call.
struct ThrowingBeginValidator {
  void PreCallValidate(const vk::BeginCommandBuffer&, messages::Report&) { throw std::bad_alloc(); }
  void PreCallRecord(const vk::BeginCommandBuffer&) { throw std::bad_alloc(); }
  void PostCallRecord(const vk::BeginCommandBuffer&, VkResult) { throw std::bad_alloc(); }
};

TEST_F(HooksTest, HandTheSlotOnAfterAHookThrew) {
  ThrowingBeginValidator throwing;
  SlotValidator validator{&slot_, log_};
  builder_.Attach(throwing);
  builder_.Attach(validator);
  builder_.Build(table_);
  EXPECT_TRUE(RunAll(vk::BeginCommandBuffer{}));
  EXPECT_EQ(log_, (Log{"validate", "pre", "report", "post 0"}));
}

struct ReportingBeginValidator {
  void PreCallValidate(const vk::BeginCommandBuffer&, messages::Report& report) {
    if (in_validate) report.Deliver({.id = "ASSAY-test", .text = "No."});
  }
  void PreCallReport(const vk::BeginCommandBuffer&, messages::Report& report) {
    if (!in_validate) report.Deliver({.id = "ASSAY-test", .text = "No."});
  }
  bool in_validate = true;
};

TEST_F(HooksTest, HandTheSlotToTheHooksOfASkippedCall) {
  SkipReportedCalls();
  SlotValidator validator{&slot_, log_};
  ReportingBeginValidator reporting;
  builder_.Attach(validator);
  builder_.Attach(reporting);
  builder_.Build(table_);
  EXPECT_FALSE(RunAll(vk::BeginCommandBuffer{}));
  EXPECT_EQ(log_, (Log{"validate", "skipped"}));
  log_.clear();
  reporting.in_validate = false;
  EXPECT_FALSE(RunAll(vk::BeginCommandBuffer{}));
  EXPECT_EQ(log_, (Log{"validate", "pre", "report", "post -1000011001"}));
  log_.clear();
  RunAfterUnwinding(table_[CommandId::kBeginCommandBuffer], vk::BeginCommandBuffer{}, &slot_);
  EXPECT_EQ(log_, Log{"post -13"});
}

TEST_F(HooksTest, ReturnsAnErrorForASkippedCall) {
  EXPECT_EQ(ResultWhenSkipped<vk::CreateBuffer>(), VK_ERROR_VALIDATION_FAILED_EXT);
  EXPECT_EQ(ResultWhenSkipped<vk::GetBufferDeviceAddress>(), 0u);
  EXPECT_EQ(ResultWhenSkipped<vk::GetDeviceProcAddr>(), nullptr);
}

}  // namespace
}  // namespace assay::dispatch
