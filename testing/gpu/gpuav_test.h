// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_GPU_GPUAV_TEST_H_
#define ASSAY_TESTING_GPU_GPUAV_TEST_H_

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>

#include "gtest/gtest.h"
#include "testing/gpu/shaders/write_at_comp.h"
#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"

// GPU-assisted validation as an application meets it: what is reported when, for each way of making pipelines, of
// recording, of submitting and of waiting. What shaders may do wrong is in the corpus (run_corpus_with_layer.cc).
namespace assay::test {

// Accesses past the end of a storage buffer in a dispatch.
inline constexpr char kStorageBounds[] = "VUID-vkCmdDispatch-storageBuffers-06936";
// The same of shader objects.
inline constexpr char kObjectStorageBounds[] = "VUID-vkCmdDispatch-None-08613";

// A device under the layer with GPU-assisted validation, and what the shader write_at.comp needs: binding 0 is a
// uniform buffer with an index, binding 1 a storage buffer of 16 elements, of which it writes the one with that index.
class GpuavTest : public ::testing::Test {
 protected:
  void SetUp() override { Create({}); }
  void TearDown() override {
    device_.Destroy();
    log_.ExpectNothing();
  }

  void Create(DeviceOptions options) {
    options.settings.emplace_back("gpuav_enable", true);
    options.settings.emplace_back("fold_messages", false);
    options.settings.emplace_back("validate_sync", false);
    features13_.pNext = &features12_;
    features12_.bufferDeviceAddress = has_addresses_ ? VK_TRUE : VK_FALSE;
    features12_.timelineSemaphore = VK_TRUE;
    features12_.runtimeDescriptorArray = VK_TRUE;
    features12_.descriptorBindingPartiallyBound = VK_TRUE;
    features12_.descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE;
    features12_.descriptorIndexing = VK_TRUE;
    features12_.shaderStorageBufferArrayNonUniformIndexing = VK_TRUE;
    features13_.synchronization2 = VK_TRUE;
    features13_.dynamicRendering = VK_TRUE;
    features2_.pNext = &features13_;
    features2_.features.robustBufferAccess = is_robust_ ? VK_TRUE : VK_FALSE;
    features2_.features.vertexPipelineStoresAndAtomics = VK_TRUE;
    features2_.features.fragmentStoresAndAtomics = VK_TRUE;
    options.core_features = false;
    options.features = &features2_;
    device_.Create(options);
    // The loader says which layers there are.
    for (const Message& message : log_.Take()) EXPECT_EQ(message.id, "Loader Message") << message.text;
    MakeSets();
  }

  void MakeSets() {
    set_layout_ =
        device_.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
    layout_ = device_.MakePipelineLayout({set_layout_});
    set_ = device_.MakeSet(set_layout_);
    where_ = device_.MakeBuffer(16);
    data_ = device_.MakeBuffer(64);
    device_.SetName(VK_OBJECT_TYPE_BUFFER, data_.handle, "data");
    device_.WriteBuffer(set_, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, where_);
    device_.WriteBuffer(set_, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_);
    SetIndex(0);
  }

  void SetIndex(uint32_t index) { std::memcpy(Map(where_), &index, sizeof(index)); }
  // It stays mapped.
  void* Map(const Buffer& buffer) {
    void*& mapped = mapped_[buffer.memory];
    if (mapped == nullptr) {
      EXPECT_EQ(device_.vk.MapMemory(device_.device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &mapped), VK_SUCCESS);
    }
    return mapped;
  }

  VkPipeline MakePipeline() { return device_.MakeComputePipeline(layout_, device_.MakeShader(k_write_at_comp)); }
  void Dispatch(VkCommandBuffer command_buffer, VkPipeline pipeline) {
    device_.vk.CmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    device_.vk.CmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
    device_.vk.CmdDispatch(command_buffer, 1, 1, 1);
  }
  VkCommandBuffer RecordDispatch(VkPipeline pipeline) {
    return device_.Record([&](VkCommandBuffer command_buffer) { Dispatch(command_buffer, pipeline); });
  }
  // draws records draws into a color attachment of 16 by 16 pixels.
  VkCommandBuffer RecordRendering(const std::function<void(VkCommandBuffer)>& draws) {
    const Image image = device_.MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
    const VkImageView view = device_.MakeView(image);
    return device_.Record([&](VkCommandBuffer command_buffer) {
      const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                            .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                            .newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .image = image,
                                            .subresourceRange = image.Range()};
      device_.vk.CmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                    VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr, 1,
                                    &barrier);
      const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                    .imageView = view,
                                                    .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                    .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                    .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
      const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                         .renderArea = {{0, 0}, {16, 16}},
                                         .layerCount = 1,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &attachment};
      device_.vk.CmdBeginRendering(command_buffer, &rendering);
      draws(command_buffer);
      device_.vk.CmdEndRendering(command_buffer);
    });
  }
  void SubmitAndWait(VkCommandBuffer command_buffer) {
    EXPECT_EQ(device_.Submit(device_.Queue(), {command_buffer}), VK_SUCCESS);
    EXPECT_EQ(device_.vk.QueueWaitIdle(device_.Queue()), VK_SUCCESS);
  }

  bool is_robust_ = false;
  bool has_addresses_ = true;
  SystemLoader loader_;
  MessageLog log_;
  VkPhysicalDeviceVulkan12Features features12_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan13Features features13_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceFeatures2 features2_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  TestDevice device_{loader_, log_};
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  Buffer where_;
  Buffer data_;
  std::map<VkDeviceMemory, void*> mapped_;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_GPU_GPUAV_TEST_H_
