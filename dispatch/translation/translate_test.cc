// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Every command of the registry: the driver receives its own handles alone, in any structures, arrays, unions and pNext
// chains.

#include "dispatch/translation/translate.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "dispatch/dispatch.h"
#include "dispatch/testing/collect_handles.h"
#include "dispatch/testing/fabricated_calls_fixture.h"
#include "dispatch/testing/fabricated_parameters.h"
#include "gtest/gtest.h"
#include "testing/call_by_id.h"
#include "testing/fixture.h"
#include "vk/command_info.h"
#include "vk/commands.h"

namespace assay::dispatch {
namespace {

using vk::CommandId;

// In the order of the ids.
#define ASSAY_REACHES_HANDLE(Command) vk::Command::kReachesHandle,
constexpr bool kReachesHandle[] = {ASSAY_VK_COMMANDS(ASSAY_REACHES_HANDLE)};
#undef ASSAY_REACHES_HANDLE

// Commands whose parameters cannot be fabricated, and why.
bool CannotBeMadeUp(CommandId id) {
  switch (id) {
    // They create and destroy the instance and device of the test.
    case CommandId::kCreateInstance:
    case CommandId::kDestroyInstance:
    case CommandId::kCreateDevice:
    case CommandId::kDestroyDevice:
    case CommandId::kFreeCommandBuffers:
      return true;
    // The level of the command buffer decides whether its handles are translated; see ignored_members_test.cc.
    case CommandId::kBeginCommandBuffer:
      return true;
    default:
      return false;
  }
}

class TranslateTest : public FabricatedCallsFixture {
 protected:
  void SetUp() override {
    FabricatedCallsFixture::SetUp();
    driver().SetObserver([this](CommandId id, const void* parameters) {
      if (id != current_) return;
      ++reached_driver_;
      at_driver_ = CollectHandles(vk::GetCommandInfo(id), parameters);
    });
  }

  // With all chains, and with the chains of deeper structures alone; with structures of an unknown type in them, and
  // without, where a chain is empty if no structure in it reaches a handle.
  void Try(CommandId id) {
    using UnknownStructures = FabricatedCall::UnknownStructures;
    for (int depth = 0; depth <= FabricatedCall::kMaxDepth; ++depth) {
      Try(id, depth, UnknownStructures::kAround);
      Try(id, depth, UnknownStructures::kNone);
    }
  }

  void Try(CommandId id, int first_chain_depth, FabricatedCall::UnknownStructures unknown) {
    const bool is_first = first_chain_depth == 0 && unknown == FabricatedCall::UnknownStructures::kAround;
    const vk::CommandInfo& info = vk::GetCommandInfo(id);
    SCOPED_TRACE(testing::Message() << info.name << ", chains from depth " << first_chain_depth
                                    << (unknown == FabricatedCall::UnknownStructures::kNone ? ", all known" : ""));
    FabricatedCall fabricated([this](const vk::HandleInfo& type) { return MakeHandle(type); }, first_chain_depth,
                              unknown);
    test::ParameterMemory call(id);
    fabricated.Fill(info, call.data());
    std::vector<uint64_t> expected = CollectHandles(info, call.data());
    for (uint64_t& handle : expected) {
      ASSERT_TRUE(HandleTable::LooksWrapped(handle)) << "made up " << std::hex << handle;
      handle = HandleTable::Get().ToDriver(handle);
    }
    // Outputs are returned without any handle among the inputs.
    if (expected.empty() && is_first) without_input_.insert(info.name);
    current_ = id;
    reached_driver_ = 0;
    at_driver_.clear();
    driver().FailNext(id, VK_ERROR_UNKNOWN);
    const PFN_vkVoidFunction function = info.dispatch >= vk::DispatchLevel::kDevice
                                            ? test::LoaderUnderTest().DeviceFunction(device, info.name.data())
                                            : test::LoaderUnderTest().InstanceFunction(instance, info.name.data());
    ASSERT_NE(function, nullptr);
    test::CallById(id, call.data(), function);
    EXPECT_EQ(reached_driver_, 1);
    EXPECT_EQ(at_driver_, expected);
    EXPECT_TRUE(fabricated.IsUntouched()) << "A structure of the application was written to.";
    if (!is_first) return;
    ++tried_;
    handles_ += expected.size();
  }

  CommandId current_ = CommandId::kCreateInstance;
  int reached_driver_ = 0;
  std::vector<uint64_t> at_driver_;
  int tried_ = 0;
  size_t handles_ = 0;
  std::set<std::string_view> without_input_;
};

TEST_F(TranslateTest, GivesTheDriverItsOwnHandlesInEveryCommand) {
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const auto id = static_cast<CommandId>(i);
    if (kReachesHandle[i] && !CannotBeMadeUp(id)) Try(id);
  }
  Try(CommandId::kGetPipelineKeyKHR);
  // Without the registry's description of handles the test would check nothing.
  EXPECT_GT(tried_, 350);
  EXPECT_GT(handles_, 900u);
  EXPECT_LT(without_input_.size(), 80u) << ::testing::PrintToString(without_input_);
}

}  // namespace
}  // namespace assay::dispatch
