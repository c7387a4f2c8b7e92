// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Formats. Each supports everything that is possible for its kind, in every tiling.

#include <string_view>

#include "testing/mock_driver/behaviours/implemented_commands.h"
#include "testing/mock_driver/behaviours/write_array.h"
#include "testing/mock_driver/generic.h"
#include "testing/mock_driver/mock_driver.h"
#include "vk/format_info.h"

namespace assay::test {
namespace {

MockConfig& Config() { return MockDriver::Get().config(); }

constexpr VkFormatFeatureFlags2 kImageFeatures =
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT |
    VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT |
    VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT;
constexpr VkFormatFeatureFlags2 kVideoFeatures =
    VK_FORMAT_FEATURE_2_VIDEO_DECODE_OUTPUT_BIT_KHR | VK_FORMAT_FEATURE_2_VIDEO_DECODE_DPB_BIT_KHR |
    VK_FORMAT_FEATURE_2_VIDEO_ENCODE_INPUT_BIT_KHR | VK_FORMAT_FEATURE_2_VIDEO_ENCODE_DPB_BIT_KHR |
    VK_FORMAT_FEATURE_2_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR |
    VK_FORMAT_FEATURE_2_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR;
constexpr VkFormatFeatureFlags2 kColorFeatures =
    kImageFeatures | VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT |
    VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT |
    VK_FORMAT_FEATURE_2_BLIT_DST_BIT | VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT |
    VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT |
    VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR | VK_FORMAT_FEATURE_2_FRAGMENT_DENSITY_MAP_BIT_EXT |
    kVideoFeatures;
constexpr VkFormatFeatureFlags2 kDepthFeatures = kImageFeatures | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT |
                                                 VK_FORMAT_FEATURE_2_BLIT_DST_BIT |
                                                 VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
constexpr VkFormatFeatureFlags2 kPlanarFeatures =
    kImageFeatures | kVideoFeatures | VK_FORMAT_FEATURE_2_MIDPOINT_CHROMA_SAMPLES_BIT |
    VK_FORMAT_FEATURE_2_COSITED_CHROMA_SAMPLES_BIT |
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT |
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER_BIT |
    VK_FORMAT_FEATURE_2_DISJOINT_BIT;
constexpr VkFormatFeatureFlags2 kBufferFeatures =
    VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT | VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT |
    VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_ATOMIC_BIT | VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT |
    VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT | VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT |
    VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_VERTEX_BUFFER_BIT_KHR;

// Every type of memory goes with every other.
constexpr VkExternalMemoryProperties kExternalMemory = {
    VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT, 0x7fffffff, 0x7fffffff};

VkFormatProperties3 PropertiesOf(VkFormat format) {
  constexpr VkStructureType kType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3;
  auto set = Config().formats.find(format);
  if (set != Config().formats.end()) return set->second;
  const vk::FormatInfo* info = vk::GetFormatInfo(format);
  if (info == nullptr) return {.sType = kType};
  if (!info->planes.empty()) return {kType, nullptr, kPlanarFeatures, kPlanarFeatures, 0};
  if ((info->aspects & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)) != 0) {
    return {kType, nullptr, kDepthFeatures, kDepthFeatures, 0};
  }
  if (info->compressed) return {kType, nullptr, kImageFeatures, kImageFeatures, 0};
  const bool has_chroma = info->name.find("_422_") != std::string_view::npos;
  const VkFormatFeatureFlags2 features = has_chroma ? kColorFeatures | kPlanarFeatures : kColorFeatures;
  return {kType, nullptr, features, features, kBufferFeatures};
}

VkFormatProperties Narrow(const VkFormatProperties3& properties) {
  auto narrow = [](VkFormatFeatureFlags2 features) { return static_cast<VkFormatFeatureFlags>(features & 0x7fffffff); };
  return {narrow(properties.linearTilingFeatures), narrow(properties.optimalTilingFeatures),
          narrow(properties.bufferFeatures)};
}

VkImageFormatProperties ImagePropertiesOf(VkImageType type) {
  constexpr VkSampleCountFlags kSamples = 0x1f;
  switch (type) {
    case VK_IMAGE_TYPE_1D:
      return {{16384, 1, 1}, 15, 2048, VK_SAMPLE_COUNT_1_BIT, 1ull << 40};
    case VK_IMAGE_TYPE_3D:
      return {{2048, 2048, 2048}, 12, 1, VK_SAMPLE_COUNT_1_BIT, 1ull << 40};
    default:
      return {{16384, 16384, 1}, 15, 2048, kSamples, 1ull << 40};
  }
}

VkResult FillImageProperties(VkFormat format, VkImageType type, VkImageFormatProperties& properties) {
  VkFormatProperties3 features = PropertiesOf(format);
  bool supported = (features.linearTilingFeatures | features.optimalTilingFeatures) != 0;
  properties = supported ? ImagePropertiesOf(type) : VkImageFormatProperties{};
  return supported ? VK_SUCCESS : VK_ERROR_FORMAT_NOT_SUPPORTED;
}

}  // namespace

void Execute(const vk::GetPhysicalDeviceFormatProperties& call) {
  *call.pFormatProperties = Narrow(PropertiesOf(call.format));
}

void Execute(const vk::GetPhysicalDeviceFormatProperties2& call) {
  ClearOutputChain(call.pFormatProperties);
  VkFormatProperties3 properties = PropertiesOf(call.format);
  call.pFormatProperties->formatProperties = Narrow(properties);
  auto* next = static_cast<VkBaseOutStructure*>(call.pFormatProperties->pNext);
  for (; next != nullptr; next = next->pNext) {
    if (next->sType != VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3) continue;
    auto* wide = reinterpret_cast<VkFormatProperties3*>(next);
    properties.pNext = wide->pNext;
    *wide = properties;
  }
}

VkResult Execute(const vk::GetPhysicalDeviceImageFormatProperties& call) {
  return FillImageProperties(call.format, call.type, *call.pImageFormatProperties);
}

VkResult Execute(const vk::GetPhysicalDeviceImageFormatProperties2& call) {
  ClearOutputChain(call.pImageFormatProperties);
  const VkResult result = FillImageProperties(call.pImageFormatInfo->format, call.pImageFormatInfo->type,
                                              call.pImageFormatProperties->imageFormatProperties);
  auto* next = reinterpret_cast<VkBaseOutStructure*>(call.pImageFormatProperties);
  for (; next != nullptr; next = next->pNext) {
    if (next->sType == VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES)
      reinterpret_cast<VkExternalImageFormatProperties*>(next)->externalMemoryProperties = kExternalMemory;
    if (Config().adjust_properties) Config().adjust_properties(next);
  }
  return result;
}

void Execute(const vk::GetPhysicalDeviceExternalBufferProperties& call) {
  call.pExternalBufferProperties->externalMemoryProperties = kExternalMemory;
  if (Config().adjust_properties)
    Config().adjust_properties(reinterpret_cast<VkBaseOutStructure*>(call.pExternalBufferProperties));
}

void Execute(const vk::GetPhysicalDeviceSparseImageFormatProperties& call) {
  WriteArray(call.pPropertyCount, call.pProperties, 1, [](VkSparseImageFormatProperties& properties, uint32_t) {
    properties = {VK_IMAGE_ASPECT_COLOR_BIT, {128, 128, 1}, 0};
  });
}

}  // namespace assay::test
