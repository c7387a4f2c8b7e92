// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Image views.

#include <algorithm>
#include <bit>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/resources/creation_check.h"
#include "core/resources/resource_facts.h"
#include "core/resources/resource_ids.h"
#include "core/resources/resource_rules.h"
#include "core/resources/view_facts.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using vk::FeatureId;
using vk::Vuid;

using V = const ViewFacts&;

bool HaveOtherComponents(const vk::FormatInfo& a, const vk::FormatInfo& b) {
  return !std::ranges::equal(a.components, b.components, {}, &vk::FormatComponent::bits, &vk::FormatComponent::bits);
}
uint32_t Align4(uint32_t value) { return (value + 3) & ~3U; }
template <class T>
const T* Limits(V v) {
  return v.device.physical_device->Find<T>();
}

constexpr VkImageUsageFlags kMap = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT;
constexpr VkImageUsageFlags kRate = VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
constexpr VkImageUsageFlags kDecode = VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                                      VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR;
constexpr VkImageUsageFlags kEncode = VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR |
                                      VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR;
constexpr VkImageUsageFlags kMaps =
    VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR;
constexpr VkImageUsageFlags kNotOfViews = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
constexpr VkImageCreateFlags kUnfitForMaps = VK_IMAGE_CREATE_PROTECTED_BIT | VK_IMAGE_CREATE_SPARSE_BINDING_BIT |
                                             VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT | VK_IMAGE_CREATE_SPARSE_ALIASED_BIT;
constexpr VkImageCreateFlags kSliceViews =
    VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
constexpr VkImageViewType kRow = VK_IMAGE_VIEW_TYPE_1D_ARRAY;
constexpr VkImageViewType kPages = VK_IMAGE_VIEW_TYPE_2D_ARRAY;

constexpr CreationRule<ViewFacts> kRules[] = {
    // The type of the view.
    {"image-06728", "viewType", "image.flags", [](V v) { return v.Is3d() && v.Is2d() && !v.Has(kSliceViews); }},
    {"image-06723", "viewType", "image.flags",
     [](V v) { return v.Is3d() && v.Is(kPages) && !v.Has(VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT); }},
    {"VkImageViewSlicedCreateInfoEXT-viewType-07909", "viewType", "VkImageViewSlicedCreateInfoEXT",
     [](V v) { return v.slices != nullptr && !v.Is(VK_IMAGE_VIEW_TYPE_3D); }},
    {"pNext-06950", "viewType", "image.imageType and sample weights",
     [](V v) { return v.Weighs(kRow) && v.of.imageType != VK_IMAGE_TYPE_1D; }},
    {"pNext-06953", "viewType", "image.imageType and sample weights",
     [](V v) { return v.Weighs(kPages) && v.of.imageType != VK_IMAGE_TYPE_2D; }},
    {"VkImageViewSlicedCreateInfoEXT-image-07869", "viewType", "image.imageType and slices",
     [](V v) { return v.slices != nullptr && !v.Is3d(); }},
    {"subResourceRange-01021", "viewType", "image.imageType", [](V v) { return v.TypeOfImage() != v.of.imageType; }},
    {"image-04972", "viewType", "image.samples",
     [](V v) { return v.of.samples != VK_SAMPLE_COUNT_1_BIT && !v.IsFlat(); }},
    {"image-01003", "viewType", "image.flags",
     [](V v) { return v.IsCube() && !v.Has(VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT); }},
    {"image-02086", "viewType", "image.usage", [](V v) { return v.Uses(kRate) && !v.IsFlat(); }},
    {"image-04817", "viewType", "image.usage", [](V v) { return v.Uses(kDecode) && !v.IsFlat(); }},
    {"image-04818", "viewType", "image.usage", [](V v) { return v.Uses(kEncode) && !v.IsFlat(); }},
    {"image-10261", "viewType", "image.usage", [](V v) { return v.Uses(kMaps) && !v.IsFlat(); }},

    // Mip levels.
    {"subresourceRange-01478", "subresourceRange.baseMipLevel", "image.mipLevels",
     [](V v) { return v.range().baseMipLevel >= v.of.mipLevels; }},
    {"subresourceRange-01718", "subresourceRange.levelCount", "subresourceRange.baseMipLevel and image.mipLevels",
     [](V v) {
       return v.range().baseMipLevel < v.of.mipLevels && v.Levels() > v.of.mipLevels - v.range().baseMipLevel;
     }},
    {"image-04970", "subresourceRange.levelCount", "viewType and image.imageType",
     [](V v) { return v.Is3d() && v.IsFlat() && v.Levels() > 1; }},
    {"image-02571", "subresourceRange.levelCount", "image.usage", [](V v) { return v.Uses(kMap) && v.Levels() > 1; }},
    {"image-07072", "subresourceRange.levelCount", "format and image.format",
     [](V v) { return v.HasTexelsOfBlocks() && v.Levels() > 1; }},
    {"VkImageViewSlicedCreateInfoEXT-None-07870", "subresourceRange.levelCount", "slices",
     [](V v) { return v.slices != nullptr && v.Levels() > 1; }},

    // Layers.
    {"image-02724", "subresourceRange.baseArrayLayer", "subresourceRange.baseMipLevel and image.extent.depth",
     [](V v) { return v.BeginsBehindLayers() && v.HasSlices(); }},
    {"image-06724", "subresourceRange.baseArrayLayer", "image.arrayLayers",
     [](V v) { return v.BeginsBehindLayers() && !v.HasSlices(); }},
    {"subresourceRange-02725", "subresourceRange.layerCount", "subresourceRange.baseArrayLayer and image.extent.depth",
     [](V v) { return v.EndsBehindLayers() && v.HasSlices(); }},
    {"subresourceRange-06725", "subresourceRange.layerCount", "subresourceRange.baseArrayLayer and image.arrayLayers",
     [](V v) { return v.EndsBehindLayers() && !v.HasSlices(); }},
    {"imageViewType-04973", "subresourceRange.layerCount", "viewType",
     [](V v) { return !v.IsLayered() && !v.HasAllLayers() && v.Layers() > 1; }},
    {"imageViewType-04974", "subresourceRange.layerCount", "viewType and image.arrayLayers",
     [](V v) { return !v.IsLayered() && v.HasAllLayers() && v.Layers() > 1; }},
    {"viewType-02962", "subresourceRange.layerCount", "viewType and image.arrayLayers",
     [](V v) { return v.Is(VK_IMAGE_VIEW_TYPE_CUBE) && v.HasAllLayers() && v.Layers() != 0 && v.Layers() != 6; }},
    {"viewType-02963", "subresourceRange.layerCount", "viewType and image.arrayLayers",
     [](V v) { return v.Is(VK_IMAGE_VIEW_TYPE_CUBE_ARRAY) && v.HasAllLayers() && v.Layers() % 6 != 0; }},
    {"image-09487", "subresourceRange.layerCount", "format and image.format",
     [](V v) {
       const auto* const limits = Limits<VkPhysicalDeviceMaintenance6Properties>(v);
       return v.HasTexelsOfBlocks() && v.Layers() > 1 &&
              (limits == nullptr || limits->blockTexelViewCompatibleMultipleLayers != VK_TRUE);
     }},
    {"image-03569", "subresourceRange.layerCount",
     "VkPhysicalDeviceFragmentDensityMap2PropertiesEXT.maxSubsampledArrayLayers",
     [](V v) {
       const auto* const limits = Limits<VkPhysicalDeviceFragmentDensityMap2PropertiesEXT>(v);
       return v.Has(VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT) && v.Uses(VK_IMAGE_USAGE_SAMPLED_BIT) && limits != nullptr &&
              v.Layers() > limits->maxSubsampledArrayLayers;
     }},
    {"usage-04551", "subresourceRange.layerCount",
     "VkPhysicalDeviceFragmentShadingRatePropertiesKHR.layeredShadingRateAttachments",
     [](V v) {
       const auto* const limits = Limits<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>(v);
       return v.device.HasFeature(FeatureId::kAttachmentFragmentShadingRate) && (v.Usage() & kRate) != 0 &&
              v.Layers() > 1 && limits != nullptr && limits->layeredShadingRateAttachments == VK_FALSE;
     }},
    {"pNext-06954", "subresourceRange.layerCount", "VkImageViewSampleWeightCreateInfoQCOM.numPhases",
     [](V v) { return v.Weighs(kPages) && v.Layers() < v.weights->numPhases; }},

    // Aspects.
    {"subresourceRange-09594", "subresourceRange.aspectMask", "image.format",
     [](V v) { return v.image_format != nullptr && (v.range().aspectMask & ~v.image_format->aspects) != 0; }},
    {"subresourceRange-07818", "subresourceRange.aspectMask", "itself",
     [](V v) { return std::popcount(v.range().aspectMask & kPlaneAspects) > 1; }},

    // The format.
    {"image-02399", "format", "an image of an external format",
     [](V v) { return v.IsAndroid() && v.info.format != VK_FORMAT_UNDEFINED; }},
    {"image-08957", "format", "an image of an external format",
     [](V v) { return v.IsQnx() && v.info.format != VK_FORMAT_UNDEFINED; }},
    {"image-01586", "format", "image.format and subresourceRange.aspectMask",
     [](V v) { return v.IsMutable() && v.PlaneFormat() != nullptr && !AreCompatible(*v.format, *v.PlaneFormat()); }},
    {"image-01762", "format", "image.format and image.flags",
     [](V v) {
       const bool is_whole = HasPlanes(v.image_format) && v.range().aspectMask == VK_IMAGE_ASPECT_COLOR_BIT;
       return v.image_format != nullptr && v.format != v.image_format && (!v.IsMutable() || is_whole);
     }},
    {"image-01583", "format", "image.format",
     [](V v) {
       return v.Has(VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT) && v.IsMutable() && v.image_format != nullptr &&
              !AreCompatible(*v.format, *v.image_format) &&
              (v.format->compressed || v.format->block_size != v.image_format->block_size);
     }},
    {"image-01761", "format", "image.format",
     [](V v) {
       return v.IsMutable() && !v.Has(VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT) && v.image_format != nullptr &&
              !HasPlanes(v.image_format) && !AreCompatible(*v.format, *v.image_format);
     }},
    {"pNext-01585", "format", "pViewFormats of the image",
     [](V v) { return !v.image.view_formats.empty() && std::ranges::count(v.image.view_formats, v.info.format) == 0; }},
    {"imageViewFormatReinterpretation-04466", "format", "image.format and no feature imageViewFormatReinterpretation",
     [](V v) {
       return Lacks(v.device, FeatureId::kImageViewFormatReinterpretation) && v.format != nullptr &&
              v.image_format != nullptr && !HasPlanes(v.image_format) &&
              HaveOtherComponents(*v.format, *v.image_format);
     }},
    {"image-02087", "format", "image.usage",
     [](V v) {
       return v.device.HasFeature(FeatureId::kShadingRateImage) && v.Uses(kRate) && v.info.format != VK_FORMAT_R8_UINT;
     }},
    {"invocationMask-04993", "format", "image.usage",
     [](V v) {
       return v.device.HasFeature(FeatureId::kInvocationMask) && v.Uses(VK_IMAGE_USAGE_INVOCATION_MASK_BIT_HUAWEI) &&
              v.info.format != VK_FORMAT_R8_UINT;
     }},
    {"pNext-06658", "format", "the format of the conversion",
     [](V v) { return v.conversion && v.conversion->format != v.info.format; }},
    {"format-06415", "format", "no VkSamplerYcbcrConversionInfo",
     [](V v) {
       return RequiresConversion(v.format) && v.range().aspectMask == VK_IMAGE_ASPECT_COLOR_BIT &&
              (v.Usage() & VK_IMAGE_USAGE_SAMPLED_BIT) != 0 && !v.is_converting;
     }},
    {"VkImageViewASTCDecodeModeEXT-format-04084", "format", "VkImageViewASTCDecodeModeEXT",
     [](V v) {
       return v.format != nullptr && !absl::StrContains(v.format->name, "_ASTC_") &&
              vk::FindInChain<VkImageViewASTCDecodeModeEXT>(v.info.pNext) != nullptr;
     }},
    {"image-02400", "pNext", "the external format of the image",
     [](V v) { return v.IsAndroid() && v.HasOtherExternalFormat(); }},
    {"image-08958", "pNext", "the external format of the image",
     [](V v) { return v.IsQnx() && v.HasOtherExternalFormat(); }},

    // Components.
    {"image-02401", "components", "an image of an external format",
     [](V v) { return v.IsAndroid() && !HasIdentity(v.info.components); }},
    {"image-08959", "components", "an image of an external format",
     [](V v) { return v.IsQnx() && !HasIdentity(v.info.components); }},
    {"pNext-01970", "components", "VkSamplerYcbcrConversionInfo",
     [](V v) { return v.is_converting && !HasIdentity(v.info.components); }},
    {"pNext-06946", "components", "sample weights",
     [](V v) {
       const VkComponentMapping& c = v.info.components;
       return v.weights != nullptr && (c.r != 0 || c.g != 0 || c.b != 0 || c.a != 0);
     }},
    {"imageViewFormatSwizzle-04465", "components", "no feature imageViewFormatSwizzle",
     [](V v) { return Lacks(v.device, FeatureId::kImageViewFormatSwizzle) && !HasIdentity(v.info.components); }},

    // What the image is used for.
    {"image-04441", "image", "image.usage", [](V v) { return (v.image.usage & ~kNotOfViews) == 0; }},
    {"pNext-06945", "image", "image.usage and sample weights",
     [](V v) { return v.weights != nullptr && !v.Uses(VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM); }},
    {"flags-04116", "image", "image.flags and image.usage and flags",
     [](V v) {
       return (v.info.flags & VK_IMAGE_VIEW_CREATE_FRAGMENT_DENSITY_MAP_DYNAMIC_BIT_EXT) == 0 && v.Uses(kMap) &&
              v.Has(kUnfitForMaps);
     }},
    {"pNext-02662", "VkImageViewUsageCreateInfo.usage", "image.usage",
     [](V v) { return !v.image.stencil_usage && v.OwnUsageExceeds(v.of.usage); }},
    {"pNext-02663", "VkImageViewUsageCreateInfo.usage", "stencilUsage of the image",
     [](V v) {
       return v.image.stencil_usage && (v.range().aspectMask & VK_IMAGE_ASPECT_STENCIL_BIT) != 0 &&
              v.OwnUsageExceeds(*v.image.stencil_usage);
     }},
    {"pNext-02664", "VkImageViewUsageCreateInfo.usage", "image.usage",
     [](V v) {
       return v.image.stencil_usage && (v.range().aspectMask & ~VK_IMAGE_ASPECT_STENCIL_BIT) != 0 &&
              v.OwnUsageExceeds(v.of.usage);
     }},
    {"image-08335", "image", "image.flags and VIDEO_DECODE_SRC",
     [](V v) {
       return v.Has(VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR) &&
              (v.Usage() & VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR) != 0;
     }},
    {"image-08338", "image", "image.flags and VIDEO_ENCODE_DST",
     [](V v) {
       return v.Has(VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR) &&
              (v.Usage() & VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR) != 0;
     }},

    // Chained structures.
    {"pNext-06787", "VkExportMetalObjectCreateInfoEXT.exportObjectType", "an image view",
     [](V v) { return ExportsOther(v.info.pNext, VK_EXPORT_METAL_OBJECT_TYPE_METAL_TEXTURE_BIT_EXT); }},
    {"VkImageViewMinLodCreateInfoEXT-minLod-06455", "VkImageViewMinLodCreateInfoEXT.minLod", "no feature minLod",
     [](V v) { return v.min_lod != nullptr && v.min_lod->minLod != 0 && !v.device.HasFeature(FeatureId::kMinLod); }},
    {"VkImageViewMinLodCreateInfoEXT-minLod-06456", "VkImageViewMinLodCreateInfoEXT.minLod",
     "subresourceRange.baseMipLevel and subresourceRange.levelCount",
     [](V v) {
       return v.min_lod != nullptr && v.Levels() != 0 &&
              v.min_lod->minLod > static_cast<float>(v.range().baseMipLevel + v.Levels() - 1);
     }},
    {"VkImageViewSlicedCreateInfoEXT-sliceOffset-07867", "VkImageViewSlicedCreateInfoEXT.sliceOffset",
     "image.extent.depth and subresourceRange.baseMipLevel",
     [](V v) { return v.slices != nullptr && v.slices->sliceOffset >= v.Depth(); }},
    {"VkImageViewSlicedCreateInfoEXT-sliceCount-07868", "VkImageViewSlicedCreateInfoEXT.sliceCount",
     "VkImageViewSlicedCreateInfoEXT.sliceOffset and image.extent.depth",
     [](V v) {
       return v.slices != nullptr && v.slices->sliceCount != VK_REMAINING_3D_SLICES_EXT &&
              v.slices->sliceOffset < v.Depth() &&
              (v.slices->sliceCount == 0 || v.slices->sliceCount > v.Depth() - v.slices->sliceOffset);
     }},
    {"VkImageViewSampleWeightCreateInfoQCOM-filterSize-06958", "VkImageViewSampleWeightCreateInfoQCOM.filterSize.width",
     "VkPhysicalDeviceImageProcessingPropertiesQCOM.maxWeightFilterDimension.width",
     [](V v) {
       const auto* const limits = Limits<VkPhysicalDeviceImageProcessingPropertiesQCOM>(v);
       return v.weights != nullptr && limits != nullptr &&
              v.weights->filterSize.width > limits->maxWeightFilterDimension.width;
     }},
    {"VkImageViewSampleWeightCreateInfoQCOM-filterSize-06959",
     "VkImageViewSampleWeightCreateInfoQCOM.filterSize.height",
     "VkPhysicalDeviceImageProcessingPropertiesQCOM.maxWeightFilterDimension.height",
     [](V v) {
       const auto* const limits = Limits<VkPhysicalDeviceImageProcessingPropertiesQCOM>(v);
       return v.weights != nullptr && limits != nullptr &&
              v.weights->filterSize.height > limits->maxWeightFilterDimension.height;
     }},
    {"VkImageViewSampleWeightCreateInfoQCOM-filterCenter-06960", "VkImageViewSampleWeightCreateInfoQCOM.filterCenter.x",
     "VkImageViewSampleWeightCreateInfoQCOM.filterSize.width",
     [](V v) {
       return v.weights != nullptr && v.weights->filterCenter.x >= static_cast<int64_t>(v.weights->filterSize.width);
     }},
    {"VkImageViewSampleWeightCreateInfoQCOM-filterCenter-06961", "VkImageViewSampleWeightCreateInfoQCOM.filterCenter.y",
     "VkImageViewSampleWeightCreateInfoQCOM.filterSize.height",
     [](V v) {
       return v.weights != nullptr && v.weights->filterCenter.y >= static_cast<int64_t>(v.weights->filterSize.height);
     }},
    // Two to the power of an even number.
    {"VkImageViewSampleWeightCreateInfoQCOM-numPhases-06962", "VkImageViewSampleWeightCreateInfoQCOM.numPhases",
     "a power of two squared",
     [](V v) {
       return v.weights != nullptr &&
              (!std::has_single_bit(v.weights->numPhases) || std::countr_zero(v.weights->numPhases) % 2 != 0);
     }},
    {"pNext-06952", "VkImageViewSampleWeightCreateInfoQCOM.filterSize",
     "image.extent.width and VkImageViewSampleWeightCreateInfoQCOM.numPhases",
     [](V v) {
       return v.Weighs(kRow) && uint64_t{v.weights->numPhases} *
                                        std::max(Align4(v.weights->filterSize.width), v.weights->filterSize.height) >
                                    v.of.extent.width;
     }},
    {"pNext-06955", "VkImageViewSampleWeightCreateInfoQCOM.filterSize.width", "image.extent.width",
     [](V v) { return v.Weighs(kPages) && v.of.extent.width < v.weights->filterSize.width; }},
    {"pNext-06956", "VkImageViewSampleWeightCreateInfoQCOM.filterSize.height", "image.extent.height",
     [](V v) { return v.Weighs(kPages) && v.of.extent.height < v.weights->filterSize.height; }},
};

// A usage of the view that needs one of some features of its format.
enum class FeaturesWhen : uint8_t { kAlways, kWithShadingRates, kIndependentOfProfiles };
struct UsageRule {
  vk::VuidIndex id;
  VkImageUsageFlags usage;
  VkFormatFeatureFlags2 features;
  FeaturesWhen when = FeaturesWhen::kAlways;
};
constexpr VkFormatFeatureFlags2 kColorFeatures =
    VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV;
constexpr VkFormatFeatureFlags2 kDepthFeatures = VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
constexpr UsageRule kUsageRules[] = {
    {Vuid("VUID-VkImageViewCreateInfo-usage-02274"), VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT},
    {Vuid("VUID-VkImageViewCreateInfo-usage-02275"), VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT},
    {Vuid("VUID-VkImageViewCreateInfo-usage-08931"), VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, kColorFeatures},
    {Vuid("VUID-VkImageViewCreateInfo-usage-02277"), VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, kDepthFeatures},
    {Vuid("VUID-VkImageViewCreateInfo-usage-08932"), VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
     kColorFeatures | kDepthFeatures},
    {Vuid("VUID-VkImageViewCreateInfo-usage-04550"), kRate,
     VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, FeaturesWhen::kWithShadingRates},
    {Vuid("VUID-VkImageViewCreateInfo-usage-10259"), VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR,
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR},
    {Vuid("VUID-VkImageViewCreateInfo-usage-10260"), VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR,
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR},
    {Vuid("VUID-VkImageViewCreateInfo-image-08333"), VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR,
     VK_FORMAT_FEATURE_2_VIDEO_DECODE_OUTPUT_BIT_KHR, FeaturesWhen::kIndependentOfProfiles},
    {Vuid("VUID-VkImageViewCreateInfo-image-08334"), VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR,
     VK_FORMAT_FEATURE_2_VIDEO_DECODE_DPB_BIT_KHR, FeaturesWhen::kIndependentOfProfiles},
    {Vuid("VUID-VkImageViewCreateInfo-image-08336"), VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR,
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_INPUT_BIT_KHR, FeaturesWhen::kIndependentOfProfiles},
};

bool Applies(const UsageRule& rule, V v) {
  if (rule.when == FeaturesWhen::kWithShadingRates)
    return v.device.HasFeature(FeatureId::kAttachmentFragmentShadingRate);
  return rule.when == FeaturesWhen::kAlways || v.Has(VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR);
}

}  // namespace

void AddImageViewIds(std::vector<vk::VuidIndex>& ids) { AddIds(kRules, ids); }

void ResourceRules::PreCallValidate(const vk::CreateImageView& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const VkImageViewCreateInfo& info = *call.pCreateInfo;
  const auto* const image = state::DeviceState::Get<state::Image>(info.image);
  if (image == nullptr) return;
  ViewFacts facts = {.device = device_, .info = info, .image = *image};
  if (const auto* const conversion = vk::FindInChain<VkSamplerYcbcrConversionInfo>(info.pNext)) {
    facts.is_converting = conversion->conversion != VK_NULL_HANDLE;
    facts.conversion = Find(conversion);
  }
  if (facts.image_format == nullptr) facts.external_format = external_formats_.Find(info.image).value_or(0);
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pCreateInfo");
  CreationCheck check(device_, messages::Object(info.image), "VkImageViewCreateInfo", &info, where, report);
  check.Name("image", "VkImageCreateInfo", &image->create_info);
  check.Run(kRules, facts);
  if (facts.format == nullptr || check.has_reported()) return;
  const std::optional<VkFormatFeatureFlags2> features = features_.Of(*facts.format, image->create_info.tiling);
  if (!features) return;
  if (*features == 0)
    return check.Report(Vuid("VUID-VkImageViewCreateInfo-None-02273"), "format", "image.tiling: no features");
  const VkImageUsageFlags usage = facts.Usage();
  for (const UsageRule& rule : kUsageRules) {
    // Older drivers, which do not say everything, have none but the first of several features.
    const VkFormatFeatureFlags2 first = rule.features & (~rule.features + 1);
    if ((usage & rule.usage) == 0 || (*features & rule.features) != 0 || !features_.Know(first)) continue;
    if (!Applies(rule, facts)) continue;
    check.Report(
        rule.id, "format",
        absl::StrCat("image.tiling and the usage ", vk::FlagsToString(vk::EnumId::kImageUsageFlagBits, rule.usage)));
  }
}

}  // namespace assay::core
