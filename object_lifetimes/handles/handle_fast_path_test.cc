// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the fast path of handles must not accept: each mistake beside a correct call that differs from it as little as
// possible.

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::object_lifetimes {
namespace {

// An array that the implementation ignores.
template <class T>
const T* Garbage() {
  return reinterpret_cast<const T*>(uint64_t{8});
}

class HandleFastPathTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {
        .settings = {
            {"stateless_param", false}, {"validate_core", false}, {"validate_sync", false}, {"thread_safety", false}}};
  }

  // The call has one mistake.
  template <class F>
  void ExpectMistake(std::string_view id, const F& call) {
    SkipCalls skip(*this);
    EXPECT_EQ(call(), VK_ERROR_VALIDATION_FAILED_EXT);
    ExpectMessage(id);
    ExpectNothing();
  }

  VkResult Submit1(std::vector<VkCommandBuffer> commands) {
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = static_cast<uint32_t>(commands.size()),
                               .pCommandBuffers = commands.data()};
    const VkResult result = vk.QueueSubmit(Queue(), 1, &info, VK_NULL_HANDLE);
    vk.QueueWaitIdle(Queue());
    return result;
  }
  VkCommandBuffer Allocate(VkDevice owner, VkCommandPool pool) {
    const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                              VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    EXPECT_EQ(vk.AllocateCommandBuffers(owner, &info, &commands), VK_SUCCESS);
    return commands;
  }
  VkResult AllocateMemory(const void* next) {
    const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, next, 64, 0};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    const VkResult result = vk.AllocateMemory(device, &info, nullptr, &memory);
    vk.FreeMemory(device, memory, nullptr);
    return result;
  }
  // A pipeline of nothing but libraries.
  VkResult LinkPipeline(const std::vector<VkPipeline>& libraries) {
    const VkPipelineLibraryCreateInfoKHR linked = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr,
                                                   static_cast<uint32_t>(libraries.size()), libraries.data()};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &linked};
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
    return result;
  }
  VkResult CreateSetLayout(VkDescriptorType type, const VkSampler* samplers) {
    const VkDescriptorSetLayoutBinding binding = {0, type, 1, VK_SHADER_STAGE_ALL, samplers};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    const VkResult result = vk.CreateDescriptorSetLayout(device, &info, nullptr, &layout);
    vk.DestroyDescriptorSetLayout(device, layout, nullptr);
    return result;
  }
  VkRenderPass MakeEmptyPass() {
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
    return MakeRenderPass(
        {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .subpassCount = 1, .pSubpasses = &subpass});
  }
  VkResult CreateFramebuffer(VkRenderPass pass, VkFramebufferCreateFlags flags, const VkImageView* views) {
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .flags = flags,
                                          .renderPass = pass,
                                          .attachmentCount = 1,
                                          .pAttachments = views,
                                          .width = 4,
                                          .height = 4,
                                          .layers = 1};
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    const VkResult result = vk.CreateFramebuffer(device, &info, nullptr, &framebuffer);
    vk.DestroyFramebuffer(device, framebuffer, nullptr);
    return result;
  }
};
class NegativeHandleFastPath : public HandleFastPathTest {};
class PositiveHandleFastPath : public HandleFastPathTest {};

// Dispatchable handles in an array.
TEST_F(NegativeHandleFastPath, FreedCommandBuffer) {
  const VkCommandPool pool = MakeCommandPool();
  const VkCommandBuffer freed = Allocate(device, pool);
  const VkCommandBuffer recorded = Record([](VkCommandBuffer) {});
  vk.FreeCommandBuffers(device, pool, 1, &freed);
  ExpectMistake("VUID-VkSubmitInfo-pCommandBuffers-parameter", [&] { return Submit1({recorded, freed}); });
}
TEST_F(NegativeHandleFastPath, CommandBufferOfAnotherDevice) {
  const VkDevice first = device;
  const VkCommandBuffer recorded = Record([](VkCommandBuffer) {});
  CreateDevice(Options());
  const VkDevice second = std::exchange(device, first);
  const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  VkCommandPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateCommandPool(second, &info, nullptr, &pool), VK_SUCCESS);
  const VkCommandBuffer foreign = Allocate(second, pool);
  ExpectMistake("VUID-VkSubmitInfo-commonparent", [&] { return Submit1({recorded, foreign}); });
  vk.DestroyCommandPool(second, pool, nullptr);
  vk.DestroyDevice(second, nullptr);
}
TEST_F(PositiveHandleFastPath, CommandBuffers) {
  const VkCommandBuffer first = Record([](VkCommandBuffer) {}), second = Record([](VkCommandBuffer) {});
  EXPECT_EQ(Submit1({first, second}), VK_SUCCESS);
}

TEST_F(NegativeHandleFastPath, HandleInALink) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4);
  DestroyNow(image);
  VkMemoryDedicatedAllocateInfo dedicated = {.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = image};
  ExpectMistake("VUID-VkMemoryDedicatedAllocateInfo-image-parameter", [&] { return AllocateMemory(&dedicated); });
  // Behind another.
  const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, .pNext = &dedicated};
  ExpectMistake("VUID-VkMemoryDedicatedAllocateInfo-image-parameter", [&] { return AllocateMemory(&flags); });
}
TEST_F(PositiveHandleFastPath, HandleInALink) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4);
  VkMemoryDedicatedAllocateInfo dedicated = {.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = image};
  EXPECT_EQ(AllocateMemory(&dedicated), VK_SUCCESS);
  const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, .pNext = &dedicated};
  EXPECT_EQ(AllocateMemory(&flags), VK_SUCCESS);
}
// A structure that may be in no chain. All the same, it leads to the handle.
TEST_F(NegativeHandleFastPath, HandleInAWrongLink) {
  const test::Buffer buffer = MakeBuffer(64);
  DestroyNow(buffer);
  const VkBindBufferMemoryInfo wrong = {.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, .buffer = buffer};
  ExpectMistake("VUID-VkBindBufferMemoryInfo-buffer-parameter", [&] { return AllocateMemory(&wrong); });
}

TEST_F(NegativeHandleFastPath, HandlesBehindALink) {
  const VkPipelineLayout layout = MakePipelineLayout({});
  const VkPipeline live = MakeGraphicsPipeline(layout), gone = MakeGraphicsPipeline(layout);
  DestroyNow(gone);
  ExpectMistake("VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-parameter", [&] { return LinkPipeline({live, gone}); });
}
TEST_F(PositiveHandleFastPath, HandlesBehindALink) {
  const VkPipelineLayout layout = MakePipelineLayout({});
  EXPECT_EQ(LinkPipeline({MakeGraphicsPipeline(layout), MakeGraphicsPipeline(layout)}), VK_SUCCESS);
}

TEST_F(NegativeHandleFastPath, ImmutableSamplers) {
  const VkSampler sampler = MakeSampler();
  DestroyNow(sampler);
  ExpectMistake("VUID-VkDescriptorSetLayoutBinding-descriptorType-00282",
                [&] { return CreateSetLayout(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &sampler); });
}
TEST_F(PositiveHandleFastPath, ImmutableSamplers) {
  const VkSampler sampler = MakeSampler();
  EXPECT_EQ(CreateSetLayout(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &sampler), VK_SUCCESS);
  DestroyNow(sampler);
  // Ignored.
  EXPECT_EQ(CreateSetLayout(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &sampler), VK_SUCCESS);
  EXPECT_EQ(CreateSetLayout(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, Garbage<VkSampler>()), VK_SUCCESS);
}

TEST_F(NegativeHandleFastPath, FramebufferAttachments) {
  const VkRenderPass pass = MakeEmptyPass();
  const VkImageView view = MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4));
  DestroyNow(view);
  ExpectMistake("VUID-VkFramebufferCreateInfo-flags-02778", [&] { return CreateFramebuffer(pass, 0, &view); });
}
// Its other handle counts.
TEST_F(NegativeHandleFastPath, PassOfAnImagelessFramebuffer) {
  const VkRenderPass pass = MakeEmptyPass();
  DestroyNow(pass);
  ExpectMistake("VUID-VkFramebufferCreateInfo-renderPass-parameter",
                [&] { return CreateFramebuffer(pass, VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT, Garbage<VkImageView>()); });
}
TEST_F(PositiveHandleFastPath, FramebufferAttachments) {
  const VkRenderPass pass = MakeEmptyPass();
  const VkImageView view = MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4));
  EXPECT_EQ(CreateFramebuffer(pass, 0, &view), VK_SUCCESS);
  EXPECT_EQ(CreateFramebuffer(pass, VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT, Garbage<VkImageView>()), VK_SUCCESS);
}

}  // namespace
}  // namespace assay::object_lifetimes
