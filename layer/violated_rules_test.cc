// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative tests of implicit rules through the whole layer: of parameters, handles and recorded commands. One rule
// is violated by a call that is correct otherwise. Among the messages there is one under the rule's id, and the call
// does not reach the driver. The positive twin is minimal_calls_test.
//
// The test cases of stateless, object_lifetimes and core allow no other message. They run the check alone.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "layer/minimal_calls_fixture.h"
#include "stateless/test_cases/implicit_rule_test_cases.h"
#include "stateless/test_cases/violate_rule.h"
#include "vk/command_info.h"
#include "vk/struct_info.h"
#include "vk/vuid.h"
#include "vk/walk/load_store.h"

namespace assay::layer {
namespace {

// All commands, but for those that need neither device nor instance, those that make and destroy them, and some that
// the layer implements itself.
bool IsCallable(const vk::CommandInfo& command) {
  constexpr vk::CommandId kNot[] = {vk::CommandId::kCreateInstance,
                                    vk::CommandId::kCreateDevice,
                                    vk::CommandId::kDestroyInstance,
                                    vk::CommandId::kDestroyDevice,
                                    vk::CommandId::kEnumerateDeviceLayerProperties,
                                    vk::CommandId::kGetDeviceProcAddr,
                                    vk::CommandId::kGetInstanceProcAddr};
  return command.dispatch != vk::DispatchLevel::kGlobal && std::ranges::count(kNot, command.id) == 0;
}

// Parameters are wild here. The validator of parameters asks first, and the others do not see a call that is skipped.
class ViolatedParameterRules : public MinimalCallsFixture {
 protected:
  ViolatedParameterRules() : MinimalCallsFixture(true) {}
};

TEST_F(ViolatedParameterRules, AreReported) {
  const stateless::ImplicitRuleTestCases cases(stateless::Programs::All());
  size_t tried = 0;
  stateless::ImplicitRuleTestCases::ForEachRule(
      [&](const vk::StructInfo& owner, const vk::CommandInfo* command, const vk::ImplicitRuleInfo& rule) {
        const std::optional<stateless::Route> route = cases.RouteOf(owner, command, rule);
        if (!route.has_value() || !IsCallable(*route->command)) return;
        const auto call = PrepareAnywhere(*route);
        // ViolateRule() makes new parameters where an array must not be empty.
        const auto dispatched_on = vk::Load<void*>(call->parameters());
        if (!ViolateRule(*call, rule)) return;
        vk::Store(call->parameters(), dispatched_on);
        ExpectReport(*call, vk::GetVuid(rule.vuid).id);
        ++tried;
      });
  EXPECT_GE(tried, 2950u);
}

class ViolatedRecordingRules : public MinimalCallsFixture {
 protected:
  ViolatedRecordingRules() : MinimalCallsFixture(true) {}

  // Queues of this family do nothing that can be recorded.
  static constexpr uint32_t kUselessFamily = 3;

  void SetUp() override {
    driver().config().queue_families.push_back({VK_QUEUE_SPARSE_BINDING_BIT, 1, 0, {1, 1, 1}});
    MinimalCallsFixture::SetUp();
  }

  VkCommandBuffer SetCommandBuffer(VkCommandBuffer command_buffer) {
    SetHandle(VK_OBJECT_TYPE_COMMAND_BUFFER, command_buffer);
    return command_buffer;
  }

  // Makes a command buffer in which the command may not be recorded, because of this rule.
  void SetCommandBufferAgainst(const vk::CommandInfo& command, std::string_view rule) {
    if (rule == "commandBuffer-recording") {
      SetCommandBuffer(MakeCommandBuffer());
    } else if (rule == "commandBuffer-cmdpool") {
      Begin(SetCommandBuffer(MakeCommandBuffer(kUselessFamily)));
    } else if (rule == "bufferlevel") {
      Begin(SetCommandBuffer(MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY)));
    } else {
      Begin(SetCommandBuffer(MakeCommandBuffer()));
      if (rule == "renderpass" && command.render_pass != vk::CommandScope::kInside)
        Call(vk::CommandId::kCmdBeginRendering);
      if (rule == "videocoding" && command.video_coding != vk::CommandScope::kInside)
        Call(vk::CommandId::kCmdBeginVideoCodingKHR);
    }
  }
};

TEST_F(ViolatedRecordingRules, AreReported) {
  size_t tried = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    if (command.dispatch != vk::DispatchLevel::kCommandBuffer) continue;
    for (std::string_view rule :
         {"commandBuffer-recording", "commandBuffer-cmdpool", "bufferlevel", "renderpass", "videocoding"}) {
      const std::string id = absl::StrCat("VUID-", command.name, "-", rule);
      vk::VuidIndex found{};
      if (!vk::FindVuid(id, &found)) continue;
      SetCommandBufferAgainst(command, rule);
      ExpectReport(*caller_.Prepare(command), id);
      ++tried;
    }
  }
  EXPECT_GE(tried, 760u);
}

class ViolatedHandleRules : public MinimalCallsFixture {
 protected:
  ViolatedHandleRules() : MinimalCallsFixture(true) {}
};

TEST_F(ViolatedHandleRules, AreReported) {
  constexpr uint64_t kNoHandle = 0xdeadbeef00;
  size_t tried = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    if (!IsCallable(command)) continue;
    for (const vk::MemberInfo& member : command.parameters->members) {
      const std::string id = absl::StrCat("VUID-", command.name, "-", member.name, "-parameter");
      vk::VuidIndex found{};
      const bool is_handle = member.kind == vk::MemberKind::kHandle && member.indirection == vk::Indirection::kInline;
      if (!is_handle || !vk::FindVuid(id, &found)) continue;
      if (command.dispatch == vk::DispatchLevel::kCommandBuffer) SetCommandBufferFor(command);
      const auto call = caller_.Prepare(command);
      vk::Store(call->parameters(), member.offset, kNoHandle);
      ExpectReport(*call, id);
      ++tried;
    }
  }
  EXPECT_GE(tried, 840u);
}

}  // namespace
}  // namespace assay::layer
