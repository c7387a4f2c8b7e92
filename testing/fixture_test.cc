// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The fixture without a layer. A driver that checks handles accepts everything that the fixture can make.

#include "testing/fixture.h"

#include "gtest/gtest.h"
#include "testing/shaders.h"

namespace assay::test {
namespace {

class FixtureTest : public ValidationTest {};

TEST_F(FixtureTest, RecordsAndSubmits) {
  Buffer source = MakeBuffer(1024);
  Buffer destination = MakeBuffer(1024, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  VkBufferCopy region = {0, 0, 1024};
  VkCommandBuffer commands = Record(
      [&](VkCommandBuffer command_buffer) { vk.CmdCopyBuffer(command_buffer, source, destination, 1, &region); });
  VkFence fence = MakeFence();
  VkSemaphore timeline = MakeTimeline(3);
  SubmitOptions options;
  options.signals = {{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                      .semaphore = timeline,
                      .value = 5,
                      .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT}};
  options.fence = fence;
  EXPECT_EQ(Submit(Queue(), {commands}, options), VK_SUCCESS);
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
  uint64_t value = 0;
  vk.GetSemaphoreCounterValue(device, timeline, &value);
  EXPECT_EQ(value, 5u);
}

TEST_F(FixtureTest, MakesPipelines) {
  VkDescriptorSetLayout set_layout = MakeSetLayout({{0}, {1}, {2, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE}});
  VkPipelineLayout layout = MakePipelineLayout({set_layout}, 16);
  VkDescriptorSet set = MakeSet(set_layout);
  Buffer buffer = MakeBuffer(64);
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 64, 64);
  WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer);
  WriteImage(set, 2, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, MakeView(image), VK_IMAGE_LAYOUT_GENERAL);
  StorageAccesses accesses = {.reads = {0}, .writes = {0, 1}};
  EXPECT_NE(MakeComputePipeline(layout, MakeShader(ComputeShader(accesses))), VK_NULL_HANDLE);
  EXPECT_NE(MakeGraphicsPipeline(layout, {.depth_format = VK_FORMAT_D32_SFLOAT, .vertex_bindings = 2}), VK_NULL_HANDLE);
}

TEST_F(FixtureTest, MakesSwapchains) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  EXPECT_EQ(SwapchainImages(swapchain).size(), 3u);
}

TEST_F(FixtureTest, KnowsWhatItsImagesConsistOf) {
  Image image = MakeImage(VK_FORMAT_D24_UNORM_S8_UINT, 64, 64, 0, 3, 2);
  EXPECT_EQ(image.Range().aspectMask, VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT});
  EXPECT_EQ(image.Range().levelCount, 3u);
  EXPECT_EQ(image.Layers(1).mipLevel, 1u);
}

TEST_F(FixtureTest, DestroysOnce) {
  Buffer buffer = MakeBuffer(64);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_BUFFER), 1u);
  DestroyNow(buffer);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_BUFFER), 0u);
  MakeBuffer(64);
  Destroy();
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_BUFFER), 0u);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_DEVICE_MEMORY), 0u);
}

TEST_F(FixtureTest, LeavesNothingBehind) {
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_DEVICE_MEMORY), 0u);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_DEVICE), 1u);
}

}  // namespace
}  // namespace assay::test
