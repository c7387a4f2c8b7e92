// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the fast path must not accept: each mistake beside a correct call that differs from it as little as possible.
// Through the whole layer.

#include "stateless/check/fast_path_test.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "gtest/gtest.h"
#include "testing/shaders.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

// Each test creates its own device.
class FastPath : public FastPathTest {
 protected:
  void SetUp() override {}
  void TryBuffer(std::string_view id, const void* next, VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                 VkStructureType type = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO) {
    const VkBufferCreateInfo info = {.sType = type, .pNext = next, .size = 64, .usage = usage};
    TryCreate(id, vk.DestroyBuffer, [&](VkBuffer* buffer) { return vk.CreateBuffer(device, &info, nullptr, buffer); });
  }
  // A command buffer that is being recorded, on a device with extensions whose structures barriers may have.
  VkCommandBuffer BeginBarriers() {
    Create(
        OptionsWith({VK_KHR_MAINTENANCE_8_EXTENSION_NAME, VK_EXT_EXTERNAL_MEMORY_ACQUIRE_UNMODIFIED_EXTENSION_NAME}));
    const VkCommandBuffer commands = MakeCommandBuffer();
    Begin(commands);
    return commands;
  }

  VkExternalMemoryBufferCreateInfo external_ =
      Of<VkExternalMemoryBufferCreateInfo>(VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
  // Vulkan 1.1 does not have it.
  VkBufferOpaqueCaptureAddressCreateInfo address_ = {VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO,
                                                     &external_, 0};
};

TEST_F(FastPath, Chains) {
  Create(OptionsWith({}));
  TryBuffer("", &external_);
  TryBuffer("", &address_);
  TryBuffer("VUID-VkBufferCreateInfo-sType-sType", &external_, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
            VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  VkExternalMemoryBufferCreateInfo link = external_;
  link.pNext = &external_;
  TryBuffer("VUID-VkBufferCreateInfo-sType-unique", &link);
  const auto other = Of<VkExternalMemoryImageCreateInfo>(VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
  link.pNext = &other;
  TryBuffer("VUID-VkBufferCreateInfo-pNext-pNext", &link);
  link = Of<VkExternalMemoryBufferCreateInfo>(VkExternalMemoryHandleTypeFlags{1} << 30);
  TryBuffer("VUID-VkExternalMemoryBufferCreateInfo-handleTypes-parameter", &link);
}
TEST_F(FastPath, LinkOfALaterVersion) {
  Create(OptionsWith({}, nullptr, VK_API_VERSION_1_1));
  TryBuffer("VUID-VkBufferCreateInfo-pNext-pNext", &address_);
  TryBuffer("", &external_);
}

// A rule that applies unless a certain structure is in the chain. Another structure is no excuse.
TEST_F(FastPath, RuleUnlessThereIsALink) {
  Create(OptionsWith({}));
  TryBuffer("VUID-VkBufferCreateInfo-None-09500", &external_, 0);
  const auto usage =
      Typed(VkBufferUsageFlags2CreateInfo{.pNext = &external_, .usage = VK_BUFFER_USAGE_2_TRANSFER_DST_BIT});
  TryBuffer("", &usage, 0);
}

TEST_F(FastPath, RuleOfALink) {
  Create(OptionsWith({}));
  // For a buffer and that image.
  const auto try_memory = [&](std::string_view id, VkImage image) {
    const auto dedicated = Of<VkMemoryDedicatedAllocateInfo>(image, MakeBuffer(64).handle);
    const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &dedicated, 64, 0};
    TryCreate(id, vk.FreeMemory, [&](VkDeviceMemory* to) { return vk.AllocateMemory(device, &info, nullptr, to); });
  };
  try_memory("VUID-VkMemoryDedicatedAllocateInfo-image-01432", MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4));
  try_memory("", VK_NULL_HANDLE);
}

// Flags that a structure in the chain replaces.
TEST_F(FastPath, ReplacedFlags) {
  Create(OptionsWith({VK_KHR_MAINTENANCE_5_EXTENSION_NAME, VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                      VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME}));
  const VkShaderModule shader = MakeShader(test::ComputeShader({}));
  const auto stage =
      Typed(VkPipelineShaderStageCreateInfo{.stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = shader, .pName = "main"});
  auto info = Typed(VkComputePipelineCreateInfo{.stage = stage, .layout = MakePipelineLayout({})});
  const auto try_pipeline = [&](std::string_view id, VkPipelineCreateFlags flags, const void* next) {
    info.flags = flags;
    info.pNext = next;
    TryCreate(id, vk.DestroyPipeline, [&](VkPipeline* pipeline) {
      return vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, pipeline);
    });
  };
  constexpr VkPipelineCreateFlags kForbidden = VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR;
  constexpr char kId[] = "VUID-VkComputePipelineCreateInfo-flags-03365";
  VkPipelineCreationFeedback written = {};
  const auto feedback = Of<VkPipelineCreationFeedbackCreateInfo>(&written);
  auto replaced = Of<VkPipelineCreateFlags2CreateInfo>(VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT);
  try_pipeline("", kForbidden, &replaced);
  replaced.pNext = &feedback;
  try_pipeline("", kForbidden, &replaced);
  try_pipeline(kId, kForbidden, &feedback);
  replaced = Of<VkPipelineCreateFlags2CreateInfo>(VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR);
  try_pipeline(kId, 0, &replaced);
}

// An array of structures that are compared as words: the second of two has a chain, or a mistake.
TEST_F(FastPath, GlobalBarriers) {
  const VkCommandBuffer commands = BeginBarriers();
  const auto accesses = Of<VkMemoryBarrierAccessFlags3KHR>();
  const auto try_second = [&](std::string_view id, const VkMemoryBarrier2& second) {
    const VkMemoryBarrier2 barriers[] = {Of<VkMemoryBarrier2>(), second};
    const auto info = Typed(VkDependencyInfo{.memoryBarrierCount = 2, .pMemoryBarriers = barriers});
    Expect(id, [&] { vk.CmdPipelineBarrier2(commands, &info); });
  };
  try_second("", Of<VkMemoryBarrier2>());
  try_second("", {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, &accesses});
  try_second("VUID-VkMemoryBarrier2-sType-sType", {VK_STRUCTURE_TYPE_MEMORY_BARRIER});
  try_second("VUID-VkMemoryBarrier2-srcAccessMask-parameter",
             Typed(VkMemoryBarrier2{.pNext = &accesses, .srcAccessMask = VkAccessFlags2{1} << 63}));
  const VkMemoryBarrier sync1[] = {Of<VkMemoryBarrier>(), {VK_STRUCTURE_TYPE_MEMORY_BARRIER, &external_}};
  Expect("VUID-VkMemoryBarrier-pNext-pNext", [&] {
    vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 2, sync1, 0,
                          nullptr, 0, nullptr);
  });
}

// What a command's list begins with: handles and counts that are not 0, and arrays of which only some have elements.
TEST_F(FastPath, CommandsThatBeginWithArrays) {
  const VkCommandBuffer commands = BeginBarriers();
  const VkBufferMemoryBarrier first = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                       .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .buffer = MakeBuffer(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                                       .size = 64};
  const auto unmodified = Of<VkExternalMemoryAcquireUnmodifiedEXT>();
  const auto try_second = [&](std::string_view id, const VkBufferMemoryBarrier& second, uint32_t images = 0) {
    const VkBufferMemoryBarrier barriers[] = {first, second};
    Expect(id, [&] {
      vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 2,
                            barriers, images, nullptr);
    });
  };
  try_second("", first);
  VkBufferMemoryBarrier second = first;
  second.pNext = &unmodified;
  try_second("", second);
  second.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  try_second("VUID-VkBufferMemoryBarrier-sType-sType", second);
  second = first;
  second.buffer = VK_NULL_HANDLE;
  try_second("VUID-VkBufferMemoryBarrier-buffer-parameter", second);
  try_second("VUID-vkCmdPipelineBarrier-pImageMemoryBarriers-parameter", first, 1);
}
TEST_F(FastPath, Copies) {
  const VkCommandBuffer commands = BeginBarriers();
  const VkBuffer from = MakeBuffer(64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  const VkBuffer to = MakeBuffer(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkBufferCopy regions[] = {{0, 0, 16}, {16, 16, 16}, {32, 32, 0}};
  const auto try_copy = [&](std::string_view id, VkBuffer target, uint32_t count, const VkBufferCopy* copied) {
    Expect(id, [&] { vk.CmdCopyBuffer(commands, from, target, count, copied); });
  };
  try_copy("", to, 2, regions);
  try_copy("VUID-VkBufferCopy-size-01988", to, 3, regions);
  try_copy("VUID-vkCmdCopyBuffer-regionCount-arraylength", to, 0, regions);
  try_copy("VUID-vkCmdCopyBuffer-pRegions-parameter", to, 2, nullptr);
  try_copy("VUID-vkCmdCopyBuffer-dstBuffer-parameter", VK_NULL_HANDLE, 2, regions);
}

// An array of flags.
TEST_F(FastPath, WaitStages) {
  Create(OptionsWith({}));
  const VkSemaphore semaphores[] = {MakeSemaphore(), MakeSemaphore()};
  VkPipelineStageFlags stages[] = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                   VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT};
  const VkSubmitInfo infos[] = {
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .signalSemaphoreCount = 2, .pSignalSemaphores = semaphores},
      {VK_STRUCTURE_TYPE_SUBMIT_INFO, nullptr, 2, semaphores, stages}};
  Expect("", [&] { return vk.QueueSubmit(Queue(), 2, infos, VK_NULL_HANDLE); });
  vk.QueueWaitIdle(Queue());
  stages[1] = VkPipelineStageFlags{1} << 30;
  Expect("VUID-VkSubmitInfo-pWaitDstStageMask-parameter",
         [&] { return vk.QueueSubmit(Queue(), 1, &infos[1], VK_NULL_HANDLE); });
}

// Names of several bits.
TEST_F(FastPath, PushConstants) {
  Create(OptionsWith({}));
  const VkPipelineLayout layout = MakePipelineLayout({}, 4);
  const uint32_t value = 0;
  Record([&](VkCommandBuffer commands) {
    for (auto [name, bit] : {std::pair(VK_SHADER_STAGE_ALL, 31), {VK_SHADER_STAGE_ALL_GRAPHICS, 30}}) {
      Expect("", [&] { vk.CmdPushConstants(commands, layout, name, 0, 4, &value); });
      const VkShaderStageFlags unknown = name | VkShaderStageFlags{1} << bit;
      Expect("VUID-vkCmdPushConstants-stageFlags-parameter",
             [&] { vk.CmdPushConstants(commands, layout, unknown, 0, 4, &value); });
    }
  });
}

}  // namespace
}  // namespace assay::stateless
