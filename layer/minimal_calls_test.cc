// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The positive twin of all checks of parameters and handles. A minimal correct call of every command goes through the
// whole layer to the driver, and no validator reports anything.
//
// The rules of validate_core need more than live objects, such as memory behind a copied buffer or a bound pipeline.
// Its messages about such calls are true. So the test with validate_core checks its rules of recording alone: the
// state, the level and the queue family of a command buffer, and the scopes, are right for each command.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "layer/minimal_calls_fixture.h"
#include "testing/fixture.h"
#include "vk/command_info.h"

namespace assay::layer {
namespace {

struct Exception {
  vk::CommandId id;
  std::string_view reason;
};
constexpr std::string_view kCalledByFixture = "The fixture calls it, which fails on any message.";
constexpr std::string_view kGlobal = "Answered where there is no instance yet, and so no validator.";
constexpr std::string_view kBinary = "Pipeline binaries are not returned in a parameter, but in a structure.";
constexpr Exception kExceptions[] = {
    {vk::CommandId::kCreateDevice, kCalledByFixture},
    {vk::CommandId::kCreateInstance, kCalledByFixture},
    {vk::CommandId::kDestroyDevice, kCalledByFixture},
    {vk::CommandId::kDestroyInstance, kCalledByFixture},
    {vk::CommandId::kDestroyPipelineBinaryKHR, kBinary},
    {vk::CommandId::kEnumerateInstanceExtensionProperties, kGlobal},
    {vk::CommandId::kEnumerateInstanceLayerProperties, kGlobal},
    {vk::CommandId::kEnumerateInstanceVersion, kGlobal},
    {vk::CommandId::kGetPipelineBinaryDataKHR, kBinary},
    {vk::CommandId::kGetPipelineIndirectMemoryRequirementsNV, "The pipeline needs a flag that other pipelines do not."},
};

// Commands that the layer implements itself.
constexpr vk::CommandId kImplementedByLayer[] = {vk::CommandId::kEnumerateDeviceLayerProperties,
                                                 vk::CommandId::kGetInstanceProcAddr,
                                                 vk::CommandId::kGetDeviceProcAddr};

// Commands that need a timeline semaphore.
constexpr vk::CommandId kNeedTimelineSemaphore[] = {vk::CommandId::kGetSemaphoreCounterValue,
                                                    vk::CommandId::kSignalSemaphore, vk::CommandId::kWaitSemaphores};

// Whether the message is of an implicit rule of recorded commands.
bool IsRecordingRule(std::string_view id) {
  constexpr std::string_view kEnds[] = {"-renderpass", "-videocoding", "-recording",
                                        "-cmdpool",    "-bufferlevel", "-suspended"};
  return std::ranges::any_of(kEnds, [id](std::string_view end) { return id.ends_with(end); });
}

// The parameter is whether validate_core is on.
class MinimalCalls : public MinimalCallsFixture, public testing::WithParamInterface<bool> {
 protected:
  MinimalCalls() : MinimalCallsFixture(GetParam()) {}

  // The messages that should not have been reported, and the misuses that the driver found.
  std::string TakeUnexpectedMessages() {
    std::string wrong;
    for (const test::Message& message : messages.Take()) {
      if (!validates_core() || IsRecordingRule(message.id)) wrong += message.id + ": " + message.text + "\n";
    }
    for (const std::string& misuse : driver().TakeMisuses()) wrong += misuse + "\n";
    return wrong;
  }

  // Calls the command and returns what was wrong, in words.
  std::string CallAndCheck(const vk::CommandInfo& command) {
    if (command.dispatch == vk::DispatchLevel::kCommandBuffer) SetCommandBufferFor(command);
    const bool needs_timeline = std::ranges::count(kNeedTimelineSemaphore, command.id) != 0;
    SetHandle(VK_OBJECT_TYPE_SEMAPHORE, needs_timeline ? MakeTimeline() : MakeSemaphore());
    const auto call = caller_.Prepare(command);
    bool reached = false;
    driver().SetObserver([&](vk::CommandId id, const void*) { reached = reached || id == command.id; });
    caller_.Run(*call);
    driver().SetObserver({});
    const bool by_layer = std::ranges::count(kImplementedByLayer, command.id) != 0;
    return TakeUnexpectedMessages() + (reached == by_layer ? "did not reach the driver, or should not have" : "");
  }
};

TEST_P(MinimalCalls, AreSilent) {
  size_t tried = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    if (std::ranges::count(kExceptions, command.id, &Exception::id) != 0) continue;
    EXPECT_EQ(CallAndCheck(command), "") << command.name;
    ++tried;
  }
  EXPECT_EQ(tried, vk::kCommandCount - std::size(kExceptions));
  EXPECT_GE(tried * 100, vk::kCommandCount * 95);
}

// The same calls with one mistake.
TEST_P(MinimalCalls, WithAMistakeAreReported) {
  const auto buffer = caller_.Prepare(vk::GetCommandInfo(vk::CommandId::kCreateBuffer));
  VkBufferCreateInfo info = *static_cast<vk::CreateBuffer*>(buffer->parameters())->pCreateInfo;
  info.size = 0;
  static_cast<vk::CreateBuffer*>(buffer->parameters())->pCreateInfo = &info;
  caller_.Run(*buffer);
  ExpectMessage("VUID-VkBufferCreateInfo-size-00912");

  const auto fence = caller_.Prepare(vk::GetCommandInfo(vk::CommandId::kGetFenceStatus));
  vk.DestroyFence(device, static_cast<vk::GetFenceStatus*>(fence->parameters())->fence, nullptr);
  driver().CheckHandles(false);
  caller_.Run(*fence);
  ExpectMessage("VUID-vkGetFenceStatus-fence-parameter");
}

INSTANTIATE_TEST_SUITE_P(Core, MinimalCalls, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "On" : "Off"; });

}  // namespace
}  // namespace assay::layer
