// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gtest/gtest.h"
#include "stateless/manual/manual_rules_test.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

TEST(NegativeManualResourceRules, Image) {
  using Info = VkImageCreateInfo;
  static const VkImageFormatListCreateInfo list = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                                   .viewFormatCount = 2};
  constexpr VkImageUsageFlags kTransient = VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
  const Info correct = {.imageType = VK_IMAGE_TYPE_2D,
                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                        .extent = {64, 32, 1},
                        .mipLevels = 7,
                        .arrayLayers = 1,
                        .samples = VK_SAMPLE_COUNT_1_BIT,
                        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
  TryAll<Info>(
      correct,
      {{"imageType-00956", [](Info& i) { i.imageType = VK_IMAGE_TYPE_1D; }},
       {"flags-08865", [](Info& i) { i.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT; }},
       {"mipLevels-00958", [](Info& i) { i.mipLevels = 8; }},
       {"flags-02052", [](Info& i) { i.flags = VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV, i.extent.height = 1; }},
       {"flags-02053",
        [](Info& i) { i.flags = VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV, i.imageType = VK_IMAGE_TYPE_3D; }},
       {"usage-00963", [](Info& i) { i.usage |= kTransient | VK_IMAGE_USAGE_STORAGE_BIT; }},
       {"usage-00966", [](Info& i) { i.usage = kTransient; }},
       {"None-01891", [](Info& i) { i.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_PROTECTED_BIT; }},
       {"None-01925", [](Info& i) { i.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT, i.usage |= kTransient; }},
       {"flags-01572", [](Info& i) { i.flags = VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT; }},
       {"flags-01533", [](Info& i) { i.flags = VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT; }},
       {"format-01577", [](Info& i) { i.flags = VK_IMAGE_CREATE_DISJOINT_BIT; }},
       {"format-04712", [](Info& i) { i.format = VK_FORMAT_G8_B8R8_2PLANE_422_UNORM, i.extent.width = 65; }},
       {"format-04713", [](Info& i) { i.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, i.extent.height = 33; }},
       {"flags-04738", [](Info& i) { i.pNext = &list; }}});
}

TEST(NegativeManualResourceRules, BuffersAndCopies) {
  TryAll<VkBufferCreateInfo>({.flags = VK_BUFFER_CREATE_PROTECTED_BIT},
                             {{"None-01888", [](auto& i) { i.flags |= VK_BUFFER_CREATE_SPARSE_BINDING_BIT; }}});
  TryAll<VkBufferImageCopy>("VkBufferImageCopy", {.bufferRowLength = 8, .imageExtent = {8, 8, 1}},
                            {{"bufferRowLength-09101", [](auto& r) { r.bufferRowLength = 7; }},
                             {"bufferImageHeight-09102", [](auto& r) { r.bufferImageHeight = 7; }}});
  TryAll<VkBufferImageCopy2>({.bufferImageHeight = 8, .imageExtent = {8, 8, 1}},
                             {{"bufferRowLength-09101", [](auto& r) { r.bufferRowLength = 7; }},
                              {"bufferImageHeight-09102", [](auto& r) { r.bufferImageHeight = 7; }}});
  TryAll<VkMemoryToImageCopy>({.imageExtent = {8, 8, 1}},
                              {{"memoryRowLength-09101", [](auto& r) { r.memoryRowLength = 7; }},
                               {"memoryImageHeight-09102", [](auto& r) { r.memoryImageHeight = 7; }}});
  TryAll<VkImageToMemoryCopy>({.imageExtent = {8, 8, 1}},
                              {{"memoryRowLength-09101", [](auto& r) { r.memoryRowLength = 7; }},
                               {"memoryImageHeight-09102", [](auto& r) { r.memoryImageHeight = 7; }}});
  TryAll<VkMemoryDedicatedAllocateInfo>(
      {.image = reinterpret_cast<VkImage>(uint64_t{1})},
      {{"image-01432", [](auto& i) { i.buffer = reinterpret_cast<VkBuffer>(uint64_t{1}); }}});
}

TEST(NegativeManualResourceRules, Sampler) {
  using Info = VkSamplerCreateInfo;
  static const VkSamplerReductionModeCreateInfo reduction = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO, .reductionMode = VK_SAMPLER_REDUCTION_MODE_MIN};
  constexpr auto kClamp = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  Info correct = {.addressModeU = kClamp, .addressModeV = kClamp, .addressModeW = kClamp};
  TryAll<Info>(correct,
               {{"mipLodBias-01069", [](Info& i) { i.mipLodBias = -5; }},
                {"anisotropyEnable-01071", [](Info& i) { i.anisotropyEnable = VK_TRUE, i.maxAnisotropy = 17; }},
                {"maxLod-01973", [](Info& i) { i.minLod = 1; }},
                {"addressModeU-01079", [](Info& i) { i.addressModeW = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE; },
                 vk::FeatureId::kSamplerMirrorClampToEdge},
                {"magFilter-01081",
                 [](Info& i) { i.magFilter = VK_FILTER_CUBIC_EXT, i.anisotropyEnable = VK_TRUE, i.maxAnisotropy = 1; }},
                {"compareEnable-01423", [](Info& i) {
                   i.pNext = &reduction;
                   i.compareEnable = VK_TRUE;
                 }}});
  correct.unnormalizedCoordinates = VK_TRUE;
  TryAll<Info>(correct,
               {{"unnormalizedCoordinates-01072", [](Info& i) { i.minFilter = VK_FILTER_LINEAR; }},
                {"unnormalizedCoordinates-01074", [](Info& i) { i.maxLod = 1; }},
                {"unnormalizedCoordinates-01075", [](Info& i) { i.addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT; }}});
  correct.unnormalizedCoordinates = VK_FALSE;
  correct.flags = VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT;
  TryAll<Info>(correct, {{"flags-02574", [](Info& i) { i.minFilter = VK_FILTER_LINEAR; }},
                         {"flags-02576", [](Info& i) { i.maxLod = 1; }},
                         {"flags-02577", [](Info& i) { i.addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT; }}});
}

}  // namespace
}  // namespace assay::stateless
