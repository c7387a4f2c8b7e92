// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the fast path must not accept: each mistake beside a correct call that differs from it as little as possible.
// Through the whole layer.

#include "stateless/check/fast_path_test.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "testing/shaders.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

class ChainFastPath : public FastPathTest {
 protected:
  VkResult CreateBuffer(const void* next, VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                        VkStructureType type = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO) {
    const VkBufferCreateInfo info = {.sType = type, .pNext = next, .size = 64, .usage = usage};
    VkBuffer buffer = VK_NULL_HANDLE;
    const VkResult result = vk.CreateBuffer(device, &info, nullptr, &buffer);
    vk.DestroyBuffer(device, buffer, nullptr);
    return result;
  }
  void PushConstants(VkShaderStageFlags stages) {
    const VkPipelineLayout layout = MakePipelineLayout({}, 4);
    const uint32_t value = 0;
    Record([&](VkCommandBuffer commands) { vk.CmdPushConstants(commands, layout, stages, 0, 4, &value); });
  }

  VkExternalMemoryBufferCreateInfo external_ = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, nullptr,
                                                VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  // Vulkan 1.1 does not have it.
  VkBufferOpaqueCaptureAddressCreateInfo address_ = {VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO,
                                                     &external_, 0};
};
class NegativeFastPath : public ChainFastPath {};
class PositiveFastPath : public ChainFastPath {};

TEST_F(PositiveFastPath, Chains) {
  EXPECT_EQ(CreateBuffer(&external_), VK_SUCCESS);
  EXPECT_EQ(CreateBuffer(&address_), VK_SUCCESS);
}
TEST_F(NegativeFastPath, TypeOfAStructureWithAChain) {
  ExpectMistake("VUID-VkBufferCreateInfo-sType-sType", [&] {
    return CreateBuffer(&external_, VK_BUFFER_USAGE_TRANSFER_DST_BIT, VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  });
}
TEST_F(NegativeFastPath, LinkTwice) {
  VkExternalMemoryBufferCreateInfo again = external_;
  again.pNext = &external_;
  ExpectMistake("VUID-VkBufferCreateInfo-sType-unique", [&] { return CreateBuffer(&again); });
}
TEST_F(NegativeFastPath, LinkOfAnotherStructure) {
  const VkExternalMemoryImageCreateInfo image = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, nullptr,
                                                 VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  external_.pNext = &image;
  ExpectMistake("VUID-VkBufferCreateInfo-pNext-pNext", [&] { return CreateBuffer(&external_); });
}
TEST_F(NegativeFastPath, ValueInALink) {
  external_.handleTypes = VkExternalMemoryHandleTypeFlags{1} << 30;
  ExpectMistake("VUID-VkExternalMemoryBufferCreateInfo-handleTypes-parameter",
                [&] { return CreateBuffer(&external_); });
}

class NegativeFastPathOfOldVersion : public ChainFastPath {
 protected:
  test::DeviceOptions Options() override { return OptionsWith({}, nullptr, VK_API_VERSION_1_1); }
};
TEST_F(NegativeFastPathOfOldVersion, LinkOfALaterVersion) {
  ExpectMistake("VUID-VkBufferCreateInfo-pNext-pNext", [&] { return CreateBuffer(&address_); });
  EXPECT_EQ(CreateBuffer(&external_), VK_SUCCESS);
}

// A rule that applies unless a certain structure is in the chain. Another structure is no excuse.
TEST_F(NegativeFastPath, RuleUnlessThereIsALink) {
  ExpectMistake("VUID-VkBufferCreateInfo-None-09500", [&] { return CreateBuffer(&external_, 0); });
}
TEST_F(PositiveFastPath, RuleUnlessThereIsALink) {
  const VkBufferUsageFlags2CreateInfo usage = {VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO, &external_,
                                               VK_BUFFER_USAGE_2_TRANSFER_DST_BIT};
  EXPECT_EQ(CreateBuffer(&usage, 0), VK_SUCCESS);
}

class MemoryFastPath : public ChainFastPath {
 protected:
  // For a buffer and that image.
  VkResult AllocateDedicatedMemory(VkImage image) {
    const VkMemoryDedicatedAllocateInfo dedicated = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, nullptr, image,
                                                     MakeBuffer(64)};
    const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &dedicated, 64, 0};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    const VkResult result = vk.AllocateMemory(device, &info, nullptr, &memory);
    vk.FreeMemory(device, memory, nullptr);
    return result;
  }
};
class NegativeMemoryFastPath : public MemoryFastPath {};
class PositiveMemoryFastPath : public MemoryFastPath {};

TEST_F(NegativeMemoryFastPath, RuleOfALink) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4);
  ExpectMistake("VUID-VkMemoryDedicatedAllocateInfo-image-01432", [&] { return AllocateDedicatedMemory(image); });
}
TEST_F(PositiveMemoryFastPath, RuleOfALink) { EXPECT_EQ(AllocateDedicatedMemory(VK_NULL_HANDLE), VK_SUCCESS); }

// Flags that a structure in the chain replaces.
class ReplacedFlags : public ChainFastPath {
 protected:
  test::DeviceOptions Options() override {
    return OptionsWith({VK_KHR_MAINTENANCE_5_EXTENSION_NAME, VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                        VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME});
  }
  VkResult CreatePipeline(VkPipelineCreateFlags flags, const void* next) {
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .pNext = next,
                                              .flags = flags,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = MakeShader(test::ComputeShader({})),
                                                        .pName = "main"},
                                              .layout = MakePipelineLayout({})};
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
    return result;
  }

  static constexpr VkPipelineCreateFlags kForbidden = VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR;
  static constexpr char kId[] = "VUID-VkComputePipelineCreateInfo-flags-03365";
  VkPipelineCreateFlags2CreateInfo flags_ = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, nullptr,
                                             VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT};
  VkPipelineCreationFeedback written_ = {};
  VkPipelineCreationFeedbackCreateInfo feedback_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
                                                    .pPipelineCreationFeedback = &written_};
};
class NegativeReplacedFlags : public ReplacedFlags {};
class PositiveReplacedFlags : public ReplacedFlags {};

TEST_F(NegativeReplacedFlags, InTheLink) {
  flags_.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR;
  ExpectMistake(kId, [&] { return CreatePipeline(0, &flags_); });
}
TEST_F(NegativeReplacedFlags, BesideAnotherLink) {
  ExpectMistake(kId, [&] { return CreatePipeline(kForbidden, &feedback_); });
}
TEST_F(PositiveReplacedFlags, AreIgnored) {
  EXPECT_EQ(CreatePipeline(kForbidden, &flags_), VK_SUCCESS);
  flags_.pNext = &feedback_;
  EXPECT_EQ(CreatePipeline(kForbidden, &flags_), VK_SUCCESS);
}

// An array of structures that are compared as words: the second of two has a chain, or a mistake.
class GlobalBarriers : public ChainFastPath {
 protected:
  test::DeviceOptions Options() override {
    return OptionsWith({VK_KHR_MAINTENANCE_8_EXTENSION_NAME, VK_EXT_EXTERNAL_MEMORY_ACQUIRE_UNMODIFIED_EXTENSION_NAME});
  }
  void SetUp() override {
    FastPathTest::SetUp();
    commands_ = MakeCommandBuffer();
    Begin(commands_);
  }
  void Record() {
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 2, .pMemoryBarriers = barriers_};
    vk.CmdPipelineBarrier2(commands_, &info);
  }

  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkMemoryBarrier2 barriers_[2] = {{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2},
                                   {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2}};
  VkMemoryBarrierAccessFlags3KHR accesses_ = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_ACCESS_FLAGS_3_KHR};
};
class NegativeGlobalBarriers : public GlobalBarriers {};
class PositiveGlobalBarriers : public GlobalBarriers {};

TEST_F(PositiveGlobalBarriers, WithAChainAndWithout) {
  Record();
  barriers_[1].pNext = &accesses_;
  Record();
}
TEST_F(NegativeGlobalBarriers, WithoutAChain) {
  barriers_[1].sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  Record();
  ExpectAlone("VUID-VkMemoryBarrier2-sType-sType");
}
TEST_F(NegativeGlobalBarriers, WithAChain) {
  barriers_[1].pNext = &accesses_;
  barriers_[1].srcAccessMask = VkAccessFlags2{1} << 63;
  Record();
  ExpectAlone("VUID-VkMemoryBarrier2-srcAccessMask-parameter");
}
TEST_F(NegativeGlobalBarriers, LinkOfAnotherStructure) {
  const VkMemoryBarrier barriers[] = {{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER},
                                      {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .pNext = &external_}};
  vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 2, barriers, 0,
                        nullptr, 0, nullptr);
  ExpectAlone("VUID-VkMemoryBarrier-pNext-pNext");
}

// What a command's list begins with: handles and counts that are not 0, and arrays of which only some have elements.
TEST_F(GlobalBarriers, OfCommandsThatBeginWithArrays) {
  const VkBuffer buffer = MakeBuffer(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  VkBufferMemoryBarrier second = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                  .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .buffer = buffer,
                                  .size = 64};
  const VkBufferMemoryBarrier first = second;
  const VkExternalMemoryAcquireUnmodifiedEXT unmodified = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_ACQUIRE_UNMODIFIED_EXT};
  const auto record = [&](uint32_t images = 0, const VkImageMemoryBarrier* pointer = nullptr) {
    const VkBufferMemoryBarrier barriers[] = {first, second};
    vk.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 2,
                          barriers, images, pointer);
  };
  record();
  second.pNext = &unmodified;
  record();
  ExpectNothing();
  SkipCalls skip(*this);
  second.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  record();
  ExpectMessage("VUID-VkBufferMemoryBarrier-sType-sType");
  second = first;
  second.buffer = VK_NULL_HANDLE;
  record();
  ExpectMessage("VUID-VkBufferMemoryBarrier-buffer-parameter");
  second = first;
  record(1);
  ExpectMessage("VUID-vkCmdPipelineBarrier-pImageMemoryBarriers-parameter");
  ExpectNothing();
}
TEST_F(GlobalBarriers, OfCopies) {
  const VkBuffer from = MakeBuffer(64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  const VkBuffer to = MakeBuffer(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkBufferCopy regions[] = {{0, 0, 16}, {16, 16, 16}, {32, 32, 0}};
  vk.CmdCopyBuffer(commands_, from, to, 2, regions);
  ExpectNothing();
  SkipCalls skip(*this);
  vk.CmdCopyBuffer(commands_, from, to, 3, regions);
  ExpectMessage("VUID-VkBufferCopy-size-01988");
  vk.CmdCopyBuffer(commands_, from, to, 0, regions);
  ExpectMessage("VUID-vkCmdCopyBuffer-regionCount-arraylength");
  vk.CmdCopyBuffer(commands_, from, to, 2, nullptr);
  ExpectMessage("VUID-vkCmdCopyBuffer-pRegions-parameter");
  vk.CmdCopyBuffer(commands_, from, VK_NULL_HANDLE, 2, regions);
  ExpectMessage("VUID-vkCmdCopyBuffer-dstBuffer-parameter");
  ExpectNothing();
}

// An array of flags.
TEST_F(NegativeFastPath, WaitStages) {
  const VkSemaphore semaphores[] = {MakeSemaphore(), MakeSemaphore()};
  const VkPipelineStageFlags stages[] = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VkPipelineStageFlags{1} << 30};
  const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                             .waitSemaphoreCount = 2,
                             .pWaitSemaphores = semaphores,
                             .pWaitDstStageMask = stages};
  ExpectMistake("VUID-VkSubmitInfo-pWaitDstStageMask-parameter",
                [&] { return vk.QueueSubmit(Queue(), 1, &info, VK_NULL_HANDLE); });
}
TEST_F(PositiveFastPath, WaitStages) {
  const VkSemaphore semaphores[] = {MakeSemaphore(), MakeSemaphore()};
  const VkPipelineStageFlags stages[] = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                         VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT};
  const VkSubmitInfo infos[] = {
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .signalSemaphoreCount = 2, .pSignalSemaphores = semaphores},
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
       .waitSemaphoreCount = 2,
       .pWaitSemaphores = semaphores,
       .pWaitDstStageMask = stages}};
  EXPECT_EQ(vk.QueueSubmit(Queue(), 2, infos, VK_NULL_HANDLE), VK_SUCCESS);
  vk.QueueWaitIdle(Queue());
}

// Names of several bits.
TEST_F(NegativeFastPath, BitBesideAName) {
  for (const VkShaderStageFlags stages : {VK_SHADER_STAGE_ALL | VkShaderStageFlags{1} << 31,
                                          VK_SHADER_STAGE_ALL_GRAPHICS | VkShaderStageFlags{1} << 30}) {
    SkipCalls skip(*this);
    PushConstants(stages);
    ExpectMessage("VUID-vkCmdPushConstants-stageFlags-parameter");
  }
}
TEST_F(PositiveFastPath, Names) {
  for (const VkShaderStageFlagBits stages : {VK_SHADER_STAGE_ALL, VK_SHADER_STAGE_ALL_GRAPHICS}) PushConstants(stages);
}

}  // namespace
}  // namespace assay::stateless
