// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A call of any command that a callback skips: it does not reach the driver, what was recorded while it was checked is
// undone, no handle changes, and its parameters are as they were.

#include <cstddef>
#include <cstdint>
#include <string>

#include "dispatch/dispatch.h"
#include "dispatch/hooks/hooks.h"
#include "dispatch/testing/dump_handles.h"
#include "dispatch/testing/fabricated_calls_fixture.h"
#include "dispatch/testing/fabricated_parameters.h"
#include "dispatch/testing/layer_without_validators.h"
#include "gtest/gtest.h"
#include "testing/call_by_id.h"
#include "testing/dump/dump.h"
#include "testing/fixture.h"
#include "vk/command_info.h"
#include "vk/commands.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;
using vk::DispatchLevel;

// Records while it checks, and reports every call of a device while it is on.
struct ReportingValidator {
  void Attach(HookBuilder& builder) {
    for (size_t i = 0; i < vk::kCommandCount; ++i) {
      const auto id = static_cast<CommandId>(i);
      if (!vk::IsDeviceLevel(vk::GetCommandInfo(id).dispatch)) continue;
      builder.AttachValidate(id, this, [](void* validator, const void*, Slot*, messages::Report& report) {
        auto& self = *static_cast<ReportingValidator*>(validator);
        if (!self.is_on) return;
        ++self.recorded;
        ++self.checked;
        report.OnSkip([](void* recorded) { --*static_cast<int*>(recorded); }, &self.recorded);
        report.Deliver({.id = "ASSAY-test", .text = "No."});
      });
    }
  }
  bool is_on = false;
  int checked = 0;
  int recorded = 0;
};

// These destroy the device, or are answered without hooks.
bool IsLeftOut(CommandId id) {
  return id == CommandId::kDestroyDevice || id == CommandId::kGetDeviceProcAddr ||
         !vk::IsDeviceLevel(vk::GetCommandInfo(id).dispatch);
}

class SkippedCallsTest : public FabricatedCallsFixture {
 protected:
  void SetUp() override {
    SetTestValidators([this](Device&, HookBuilder& builder) { validator_.Attach(builder); });
    FabricatedCallsFixture::SetUp();
  }
  void TearDown() override {
    SetTestValidators({});
    FabricatedCallsFixture::TearDown();
  }

  test::Dump DumpOfHandles() {
    const Slot* owner = DispatchableTable::Get().Find(device);
    test::Dump dump;
    DumpHandles(*owner->instance, owner->device, dump);
    return dump;
  }

  ReportingValidator validator_;
};

TEST_F(SkippedCallsTest, ChangeNothing) {
  int reached_driver = 0;
  driver().SetObserver([&](CommandId, const void*) { ++reached_driver; });
  messages.set_callback_result(VK_TRUE);
  int tried = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const auto id = static_cast<CommandId>(i);
    if (IsLeftOut(id)) continue;
    const vk::CommandInfo& info = vk::GetCommandInfo(id);
    SCOPED_TRACE(info.name);
    FabricatedCall fabricated([this](const vk::HandleInfo& type) { return MakeHandle(type); });
    test::ParameterMemory call(id);
    fabricated.Fill(info, call.data());
    const PFN_vkVoidFunction function = test::LoaderUnderTest().DeviceFunction(device, std::string(info.name).c_str());
    ASSERT_NE(function, nullptr);
    const test::Dump before = DumpOfHandles();
    validator_.is_on = true;
    validator_.checked = reached_driver = 0;
    test::CallById(id, call.data(), function);
    validator_.is_on = false;
    EXPECT_EQ(validator_.checked, 1);
    EXPECT_EQ(validator_.recorded, 0);
    EXPECT_EQ(reached_driver, 0);
    EXPECT_EQ(test::Dump::Difference(before, DumpOfHandles()), "");
    EXPECT_TRUE(fabricated.IsUntouched());
    ExpectMessage("ASSAY-test");
    ++tried;
  }
  messages.set_callback_result(VK_FALSE);
  driver().SetObserver({});
  EXPECT_GT(tried, 450);
}

}  // namespace
}  // namespace assay::dispatch
