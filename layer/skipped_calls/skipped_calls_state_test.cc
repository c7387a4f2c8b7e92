// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A call of any command that a callback skips leaves no trace: what the validators know is as before. Each call is
// checked by all validators but synchronization validation, and reported then. See skipped_submissions_test.cc for
// calls that are skipped after they were recorded.

#include <algorithm>
#include <cstddef>
#include <string>

#include "gtest/gtest.h"
#include "layer/minimal_calls_fixture.h"
#include "layer/skipped_calls/every_validator.h"
#include "messages/messages.h"
#include "testing/dump/dump.h"
#include "testing/fixture.h"
#include "vk/command_info.h"
#include "vk/commands.h"

namespace assay::layer {
namespace {

using vk::CommandId;

constexpr char kReported[] = "ASSAY-test";

// Commands of no instance; those that make and destroy instances and devices, which have tests of their own; and those
// that the layer answers without its validators.
constexpr CommandId kNotCalled[] = {CommandId::kCreateDevice,      CommandId::kDestroyDevice,
                                    CommandId::kDestroyInstance,   CommandId::kEnumerateDeviceLayerProperties,
                                    CommandId::kGetDeviceProcAddr, CommandId::kGetInstanceProcAddr};

// Commands that are not called for real: the command buffer would execute itself.
constexpr CommandId kOnlySkipped[] = {CommandId::kCmdExecuteCommands};

// Commands that need a timeline semaphore.
constexpr CommandId kNeedTimelineSemaphore[] = {CommandId::kGetSemaphoreCounterValue, CommandId::kSignalSemaphore,
                                                CommandId::kWaitSemaphores};

template <size_t kSize>
bool IsIn(const CommandId (&ids)[kSize], CommandId id) {
  return std::ranges::count(ids, id) != 0;
}

class SkippedCallsState : public MinimalCallsFixture {
 protected:
  SkippedCallsState() : MinimalCallsFixture(true) {}

  test::DeviceOptions Options() override {
    test::DeviceOptions options = MinimalCallsFixture::Options();
    options.settings.emplace_back("gpuav_enable", true);
    options.settings.emplace_back("gpuav_markers", true);
    return options;
  }
  void SetUp() override {
    MinimalCallsFixture::SetUp();
    command_buffer_ = MakeCommandBuffer();
    SetHandle(VK_OBJECT_TYPE_COMMAND_BUFFER, command_buffer_);
    binary_ = MakeSemaphore();
    timeline_ = MakeTimeline();
    const test::Buffer from = MakeBuffer(64), to = MakeBuffer(64);
    work_ = Record([&](VkCommandBuffer commands) {
      const VkBufferCopy region = {0, 0, 64};
      vk.CmdCopyBuffer(commands, from, to, 1, &region);
    });
  }
  void TearDown() override {
    SetLastCheck({});
    vk.DeviceWaitIdle(device);
    messages.Take();
    MinimalCallsFixture::TearDown();
  }

  // Makes the call, which is reported and skipped. Returns what differs then, in words.
  template <class F>
  std::string SkipAndCompare(CommandId id, const F& call) {
    // So that there is something to know of a queue.
    vk.QueueWaitIdle(Queue());
    Submit(Queue(), {work_});
    messages.Take();
    const test::Dump before = DumpOf(instance, device);
    bool reached = false;
    driver().SetObserver([&](CommandId reaching, const void*) { reached |= reaching == id; });
    // The callback skips the call because of this message alone.
    SetLastCheck([this](messages::Report& report) {
      SkipCalls skip(*this);
      report.Deliver({.id = kReported, .text = "No."});
    });
    call();
    SetLastCheck({});
    driver().SetObserver({});
    messages.ExpectAmong(kReported);
    return test::Dump::Difference(before, DumpOf(instance, device)) + (reached ? " reached the driver" : "");
  }

  std::string SkipAndCompare(const stateless::MinimalCall& call) {
    return SkipAndCompare(call.command().id, [&] { caller_.Run(call); });
  }

  // Brings the command buffer to the state and the scope that the command needs.
  void PrepareCommandBuffer(const vk::CommandInfo& command) {
    vk.ResetCommandBuffer(command_buffer_, 0);
    if (command.id == CommandId::kBeginCommandBuffer) return;
    Begin(command_buffer_);
    if (command.render_pass == vk::CommandScope::kInside) Call(CommandId::kCmdBeginRendering);
    if (command.video_coding == vk::CommandScope::kInside) Call(CommandId::kCmdBeginVideoCodingKHR);
  }

  VkCommandBuffer command_buffer_ = VK_NULL_HANDLE;
  VkSemaphore binary_ = VK_NULL_HANDLE;
  VkSemaphore timeline_ = VK_NULL_HANDLE;
  // Copies a buffer.
  VkCommandBuffer work_ = VK_NULL_HANDLE;
};

TEST_F(SkippedCallsState, IsAsBefore) {
  size_t tried = 0;
  size_t changing = 0;
  size_t changing_gpuav = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<CommandId>(i));
    if (command.dispatch == vk::DispatchLevel::kGlobal || IsIn(kNotCalled, command.id)) continue;
    SCOPED_TRACE(command.name);
    if (command.dispatch == vk::DispatchLevel::kCommandBuffer) PrepareCommandBuffer(command);
    SetHandle(VK_OBJECT_TYPE_SEMAPHORE, IsIn(kNeedTimelineSemaphore, command.id) ? timeline_ : binary_);
    const auto call = caller_.Prepare(command);
    EXPECT_EQ(SkipAndCompare(*call), "");
    ++tried;
    if (IsIn(kOnlySkipped, command.id)) continue;
    // Once more, where there is something of the kind already, or the object is destroyed.
    const test::Dump before = DumpOfSync(device);
    const test::Dump gpuav_before = DumpOfGpuav(device);
    caller_.Run(*call);
    if (!test::Dump::Difference(before, DumpOfSync(device)).empty()) ++changing;
    if (!test::Dump::Difference(gpuav_before, DumpOfGpuav(device)).empty()) ++changing_gpuav;
    EXPECT_EQ(SkipAndCompare(*call), "") << "the second time";
  }
  EXPECT_GE(tried, 600u);
  // Of the calls that are not skipped, those of which synchronization validation records something. The transfer
  // commands alone are 16.
  EXPECT_GE(changing, 16u);
  // The same of GPU-assisted validation: its markers alone are at each of these.
  EXPECT_GE(changing_gpuav, 16u);
}

TEST_F(SkippedCallsState, OfTheDevice) {
  EXPECT_EQ(SkipAndCompare(CommandId::kDestroyDevice, [&] { vk.DestroyDevice(device, nullptr); }), "");
  const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  EXPECT_EQ(SkipAndCompare(CommandId::kCreateDevice,
                           [&] {
                             VkDevice made = VK_NULL_HANDLE;
                             EXPECT_EQ(test::LoaderUnderTest().CreateDevice(vk, physical_device, info, &made),
                                       VK_ERROR_VALIDATION_FAILED_EXT);
                             EXPECT_EQ(made, VK_NULL_HANDLE);
                           }),
            "");
}

TEST_F(SkippedCallsState, OfTheInstance) {
  EXPECT_EQ(SkipAndCompare(CommandId::kDestroyInstance, [&] { vk.DestroyInstance(instance, nullptr); }), "");
  VkDebugUtilsMessengerCreateInfoEXT messenger = messages.CreateInfo();
  const char* const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pNext = &messenger,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = &extension};
  EXPECT_EQ(SkipAndCompare(CommandId::kCreateInstance,
                           [&] {
                             VkInstance made = VK_NULL_HANDLE;
                             EXPECT_EQ(test::LoaderUnderTest().CreateInstance(info, &made),
                                       VK_ERROR_VALIDATION_FAILED_EXT);
                             EXPECT_EQ(made, VK_NULL_HANDLE);
                           }),
            "");
}

}  // namespace
}  // namespace assay::layer
