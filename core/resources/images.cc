// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Images.

#include <algorithm>
#include <bit>
#include <utility>

#include "absl/strings/match.h"
#include "absl/types/span.h"
#include "core/resources/creation_check.h"
#include "core/resources/image_support.h"
#include "core/resources/resource_facts.h"
#include "core/resources/resource_ids.h"
#include "core/resources/resource_rules.h"

namespace assay::core {
namespace {

using vk::FeatureId;

struct ImageFacts {
  static constexpr std::string_view kOwner = "VkImageCreateInfo";

  const dispatch::Device& device;
  const VkImageCreateInfo& info;
  // Of the format and the tiling; nothing if they are not known.
  std::optional<VkFormatFeatureFlags2> features;
  // Null for external formats.
  const vk::FormatInfo* format = vk::GetFormatInfo(info.format);
  const VkExternalMemoryImageCreateInfo* external = Next<VkExternalMemoryImageCreateInfo>();
  const VkExternalMemoryImageCreateInfoNV* external_nv = Next<VkExternalMemoryImageCreateInfoNV>();
  const VkImageStencilUsageCreateInfo* stencil = Next<VkImageStencilUsageCreateInfo>();
  const VkImageFormatListCreateInfo* views = Next<VkImageFormatListCreateInfo>();
  const VkImageDrmFormatModifierListCreateInfoEXT* modifiers = Next<VkImageDrmFormatModifierListCreateInfoEXT>();
  const VkImageDrmFormatModifierExplicitCreateInfoEXT* modifier = Next<VkImageDrmFormatModifierExplicitCreateInfoEXT>();
  const VkImageCompressionControlEXT* compression = Next<VkImageCompressionControlEXT>();
  const VkImageAlignmentControlCreateInfoMESA* alignment = Next<VkImageAlignmentControlCreateInfoMESA>();
  const VkImportMetalTextureInfoEXT* metal = Next<VkImportMetalTextureInfoEXT>();
  uint64_t android = ExternalFormatIn<VkExternalFormatANDROID>(info.pNext);
  uint64_t qnx = ExternalFormatIn<VkExternalFormatQNX>(info.pNext);

  template <class T>
  const T* Next() const {
    return vk::FindInChain<T>(info.pNext);
  }
  bool Has(VkImageCreateFlags flags) const { return (info.flags & flags) != 0; }
  bool Uses(VkImageUsageFlags usages) const { return (info.usage & usages) != 0; }
  bool Is2d() const { return info.imageType == VK_IMAGE_TYPE_2D; }
  bool IsLinear() const { return info.tiling == VK_IMAGE_TILING_LINEAR; }
  bool IsOptimal() const { return info.tiling == VK_IMAGE_TILING_OPTIMAL; }
  bool HasModifiers() const { return info.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT; }
  bool Lacks(VkFormatFeatureFlags2 feature) const { return features && (*features & feature) == 0; }
  bool HasMemoryOf(VkExternalMemoryHandleTypeFlags type) const {
    return external != nullptr && (external->handleTypes & type) != 0;
  }
  bool HasAllLevels() const {
    const uint32_t most = std::max({info.extent.width, info.extent.height, info.extent.depth});
    return info.mipLevels == static_cast<uint32_t>(std::bit_width(most));
  }
  absl::Span<const VkFormat> ViewFormats() const {
    return views != nullptr && views->pViewFormats != nullptr
               ? absl::MakeSpan(views->pViewFormats, views->viewFormatCount)
               : absl::Span<const VkFormat>();
  }
  bool HasViewFormatBeside(bool (*is_right)(const ImageFacts&, const vk::FormatInfo&)) const {
    return format != nullptr && std::ranges::any_of(ViewFormats(), [&](VkFormat each) {
             const vk::FormatInfo* const view = vk::GetFormatInfo(each);
             return view != nullptr && !is_right(*this, *view);
           });
  }
  // Of a depth/stencil format whose stencil aspect has a usage of its own.
  bool StencilHas(VkImageUsageFlags usages) const {
    return HasDepthOrStencil(format) && stencil != nullptr && (stencil->stencilUsage & usages) != 0;
  }
  bool StencilLacks(VkImageUsageFlags usages) const {
    return HasDepthOrStencil(format) && stencil != nullptr && (stencil->stencilUsage & usages) == 0;
  }
  bool IsPvrtc1() const { return format != nullptr && absl::StrContains(format->name, "_PVRTC1_"); }
  // Whether rates are given for another number of planes.
  bool HasRatesBeside(size_t planes) const {
    return compression != nullptr && (compression->flags & VK_IMAGE_COMPRESSION_FIXED_RATE_EXPLICIT_EXT) != 0 &&
           compression->compressionControlPlaneCount != planes;
  }
  bool HasLayoutWith(VkDeviceSize VkSubresourceLayout::* member) const {
    const auto is_set = [&](const VkSubresourceLayout& layout) { return layout.*member != 0; };
    return modifier != nullptr && modifier->pPlaneLayouts != nullptr &&
           std::any_of(modifier->pPlaneLayouts, modifier->pPlaneLayouts + modifier->drmFormatModifierPlaneCount,
                       is_set);
  }
  // Whether a fragment density map is larger than a framebuffer of that size needs.
  bool ExceedsMap(uint32_t size, uint32_t framebuffer, uint32_t VkExtent2D::* side) const {
    const auto* const limits = device.physical_device->Find<VkPhysicalDeviceFragmentDensityMapPropertiesEXT>();
    const uint32_t texel = limits != nullptr ? limits->minFragmentDensityTexelSize.*side : 0;
    return Uses(VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT) && texel != 0 &&
           !device.HasFeature(FeatureId::kFragmentDensityMapOffset) &&
           size > framebuffer / texel + (framebuffer % texel != 0 ? 1 : 0);
  }
  bool NeedsProfile(VkImageUsageFlags usages) const {
    return Uses(usages) && !Has(VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR);
  }
  bool IsSparse() const {
    return Has(VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT |
               VK_IMAGE_CREATE_SPARSE_ALIASED_BIT);
  }
  const VkPhysicalDeviceLimits& limits() const { return device.physical_device->limits; }
};
using I = const ImageFacts&;

bool FitsPlane(I i, const vk::FormatInfo& view) {
  return i.format == &view || std::ranges::any_of(i.format->planes, [&](const vk::FormatPlane& plane) {
           return AreCompatible(*vk::GetFormatInfo(plane.compatible), view);
         });
}
bool FitsImage(I i, const vk::FormatInfo& view) {
  return AreCompatible(view, *i.format) || (i.Has(VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT) &&
                                            !view.compressed && view.block_size == i.format->block_size);
}

constexpr VkImageUsageFlags kInput = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
constexpr VkImageUsageFlags kDepth = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
constexpr VkImageUsageFlags kTransient = VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
constexpr VkImageUsageFlags kDecodeUsages = VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR |
                                            VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                                            VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR;
constexpr VkImageUsageFlags kEncodeUsages = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR |
                                            VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR |
                                            VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR;
constexpr VkImageUsageFlags kMaps =
    VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR;
constexpr auto kAndroid = VK_EXTERNAL_MEMORY_HANDLE_TYPE_ANDROID_HARDWARE_BUFFER_BIT_ANDROID;
constexpr auto kQnx = VK_EXTERNAL_MEMORY_HANDLE_TYPE_SCREEN_BUFFER_BIT_QNX;
constexpr VkSampleCountFlagBits kOne = VK_SAMPLE_COUNT_1_BIT;

constexpr char kMapLimits[] =
    "VkPhysicalDeviceLimits.maxFramebufferWidth and VkPhysicalDeviceLimits.maxFramebufferHeight and "
    "VkPhysicalDeviceFragmentDensityMapPropertiesEXT.minFragmentDensityTexelSize";

constexpr CreationRule<ImageFacts> kRules[] = {
    // The type and the extent.
    {"flags-02557", "imageType", "usage",
     [](I i) { return i.Uses(VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT) && !i.Is2d(); }},
    {"pNext-02393", "imageType", "VkExternalMemoryImageCreateInfo.handleTypes",
     [](I i) { return i.HasMemoryOf(kAndroid) && !i.Is2d(); }},
    {"pNext-08951", "imageType", "VkExternalMemoryImageCreateInfo.handleTypes",
     [](I i) { return i.HasMemoryOf(kQnx) && !i.Is2d(); }},
    {"format-06412", "imageType", "format", [](I i) { return RequiresConversion(i.format) && !i.Is2d(); }},
    {"Format-02536", "extent.width", "VkPhysicalDeviceLimits.maxFramebufferWidth",
     [](I i) { return i.StencilHas(kInput) && i.info.extent.width > i.limits().maxFramebufferWidth; }},
    {"format-02537", "extent.height", "VkPhysicalDeviceLimits.maxFramebufferHeight",
     [](I i) { return i.StencilHas(kInput) && i.info.extent.height > i.limits().maxFramebufferHeight; }},
    {"fragmentDensityMapOffset-06514", "extent.width", kMapLimits,
     [](I i) { return i.ExceedsMap(i.info.extent.width, i.limits().maxFramebufferWidth, &VkExtent2D::width); }},
    {"fragmentDensityMapOffset-06515", "extent.height", kMapLimits,
     [](I i) { return i.ExceedsMap(i.info.extent.height, i.limits().maxFramebufferHeight, &VkExtent2D::height); }},
    {"format-09583", "extent.width", "format",
     [](I i) { return i.IsPvrtc1() && !std::has_single_bit(i.info.extent.width); }},
    {"format-09584", "extent.height", "format",
     [](I i) { return i.IsPvrtc1() && !std::has_single_bit(i.info.extent.height); }},

    // Levels, layers, samples.
    {"format-06410", "mipLevels", "format", [](I i) { return RequiresConversion(i.format) && i.info.mipLevels > 1; }},
    {"pNext-02394", "mipLevels", "extent and VkExternalMemoryImageCreateInfo.handleTypes",
     [](I i) { return i.HasMemoryOf(kAndroid) && i.info.mipLevels > 1 && !i.HasAllLevels(); }},
    {"pNext-08952", "mipLevels", "extent and VkExternalMemoryImageCreateInfo.handleTypes",
     [](I i) { return i.HasMemoryOf(kQnx) && i.info.mipLevels > 1 && !i.HasAllLevels(); }},
    {"multisampleArrayImage-04460", "arrayLayers", "samples and no feature multisampleArrayImage",
     [](I i) {
       return Lacks(i.device, FeatureId::kMultisampleArrayImage) && i.info.samples != kOne && i.info.arrayLayers > 1;
     }},
    {"format-06411", "samples", "format", [](I i) { return RequiresConversion(i.format) && i.info.samples != kOne; }},
    {"format-02538", "samples",
     "VkImageStencilUsageCreateInfo.stencilUsage and no feature shaderStorageImageMultisample",
     [](I i) {
       return !i.device.HasFeature(FeatureId::kShaderStorageImageMultisample) && i.info.samples != kOne &&
              i.StencilHas(VK_IMAGE_USAGE_STORAGE_BIT);
     }},
    {"samples-02257", "samples", "imageType and flags and mipLevels and tiling",
     [](I i) {
       return i.info.samples != kOne &&
              (!i.Is2d() || i.Has(VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) || i.info.mipLevels != 1 || i.IsLinear());
     }},

    // The format and its views.
    {"pNext-01974", "format", "VkExternalFormatANDROID.externalFormat",
     [](I i) { return i.android != 0 && i.info.format != VK_FORMAT_UNDEFINED; }},
    {"pNext-01975", "format", "no external format",
     [](I i) { return i.android == 0 && i.qnx == 0 && i.info.format == VK_FORMAT_UNDEFINED; }},
    {"VkImageFormatListCreateInfo-viewFormatCount-09540", "VkImageFormatListCreateInfo.pViewFormats",
     "VK_FORMAT_UNDEFINED", [](I i) { return std::ranges::count(i.ViewFormats(), VK_FORMAT_UNDEFINED) != 0; }},
    {"pNext-06722", "VkImageFormatListCreateInfo.pViewFormats", "format and flags",
     [](I i) { return !HasPlanes(i.format) && i.HasViewFormatBeside(FitsImage); }},
    {"pNext-10062", "VkImageFormatListCreateInfo.pViewFormats", "format and flags",
     [](I i) {
       return HasPlanes(i.format) && i.Has(VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) && i.HasViewFormatBeside(FitsPlane);
     }},

    // Flags.
    {"flags-02051", "flags", "format",
     [](I i) {
       return i.Has(VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV) &&
              (i.Has(VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) || HasDepthOrStencil(i.format));
     }},
    {"flags-02259", "flags", "mipLevels and arrayLayers and imageType and tiling",
     [](I i) {
       return i.Has(VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT) &&
              (i.info.mipLevels != 1 || i.info.arrayLayers != 1 || !i.Is2d() || i.IsLinear());
     }},
    {"imageCreateFormatFeatures-02260", "flags", "format and tiling",
     [](I i) {
       return HasPlanes(i.format) && i.Has(VK_IMAGE_CREATE_DISJOINT_BIT) && i.Lacks(VK_FORMAT_FEATURE_2_DISJOINT_BIT);
     }},
    {"imageView2DOn3DImage-04459", "flags", "no feature imageView2DOn3DImage",
     [](I i) {
       return Lacks(i.device, FeatureId::kImageView2DOn3DImage) && i.Has(VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT);
     }},
    {"pNext-02396", "flags", "VkExternalFormatANDROID.externalFormat",
     [](I i) { return i.android != 0 && i.Has(VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT); }},
    {"pNext-08953", "flags", "VkExternalFormatQNX.externalFormat",
     [](I i) { return i.qnx != 0 && i.Has(VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT); }},
    {"tiling-02353", "flags", "tiling and no pViewFormats",
     [](I i) {
       return i.HasModifiers() && i.Has(VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) &&
              (i.views == nullptr || i.views->viewFormatCount == 0);
     }},
    {"VkDedicatedAllocationImageCreateInfoNV-dedicatedAllocation-00994", "flags",
     "VkDedicatedAllocationImageCreateInfoNV.dedicatedAllocation",
     [](I i) {
       const auto* const dedicated = i.Next<VkDedicatedAllocationImageCreateInfoNV>();
       return dedicated != nullptr && dedicated->dedicatedAllocation == VK_TRUE && i.IsSparse();
     }},

    // Usages.
    {"imageCreateFormatFeatures-09048", "usage", "format and tiling",
     [](I i) {
       return i.Uses(VK_IMAGE_USAGE_HOST_TRANSFER_BIT) && i.Lacks(VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT);
     }},
    {"pNext-02397", "usage", "VkExternalFormatANDROID.externalFormat",
     [](I i) {
       return i.android != 0 && i.Uses(~(kInput | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT));
     }},
    {"pNext-09457", "usage", "no feature externalFormatResolve",
     [](I i) {
       return i.android != 0 && i.Uses(kInput | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT) &&
              !i.device.HasFeature(FeatureId::kExternalFormatResolve);
     }},
    {"pNext-08954", "usage", "VkExternalFormatQNX.externalFormat",
     [](I i) { return i.qnx != 0 && i.Uses(~VkImageUsageFlags{VK_IMAGE_USAGE_SAMPLED_BIT}); }},
    {"VkImageStencilUsageCreateInfo-stencilUsage-02539", "VkImageStencilUsageCreateInfo.stencilUsage",
     "VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT",
     [](I i) {
       return i.stencil != nullptr && (i.stencil->stencilUsage & kTransient) != 0 &&
              (i.stencil->stencilUsage & ~(kTransient | kDepth | kInput)) != 0;
     }},
    {"format-02795", "VkImageStencilUsageCreateInfo.stencilUsage", "usage",
     [](I i) { return i.Uses(kDepth) && i.StencilLacks(kDepth); }},
    {"format-02796", "VkImageStencilUsageCreateInfo.stencilUsage", "usage",
     [](I i) { return !i.Uses(kDepth) && i.StencilHas(kDepth); }},
    {"format-02797", "VkImageStencilUsageCreateInfo.stencilUsage", "usage",
     [](I i) { return i.Uses(kTransient) && i.StencilLacks(kTransient); }},
    {"format-02798", "VkImageStencilUsageCreateInfo.stencilUsage", "usage",
     [](I i) { return !i.Uses(kTransient) && i.StencilHas(kTransient); }},
    {"usage-04815", "usage", "no video profile that decodes",
     [](I i) { return i.NeedsProfile(kDecodeUsages) && !HasProfileBeside(i.info.pNext, kEncodes); }},
    {"usage-04816", "usage", "no video profile that encodes",
     [](I i) { return i.NeedsProfile(kEncodeUsages) && !HasProfileBeside(i.info.pNext, kDecodes); }},
    {"usage-10254", "usage", "no single video profile that encodes",
     [](I i) {
       const auto* const profiles = i.Next<VkVideoProfileListInfoKHR>();
       return i.Uses(kMaps) &&
              (profiles == nullptr || profiles->profileCount != 1 || !HasProfileBeside(i.info.pNext, kDecodes));
     }},

    // Tiling and modifiers.
    {"pNext-02398", "tiling", "VkExternalFormatANDROID.externalFormat",
     [](I i) { return i.android != 0 && !i.IsOptimal(); }},
    {"pNext-08955", "tiling", "VkExternalFormatQNX.externalFormat", [](I i) { return i.qnx != 0 && !i.IsOptimal(); }},
    {"pNext-09653", "tiling", "VkImageAlignmentControlCreateInfoMESA",
     [](I i) { return i.alignment != nullptr && !i.IsOptimal(); }},
    {"pNext-02262", "tiling", "DRM format modifiers",
     [](I i) { return (i.modifiers != nullptr || i.modifier != nullptr) && !i.HasModifiers(); }},
    {"tiling-02261", "tiling", "none or two of the structures with DRM format modifiers",
     [](I i) { return i.HasModifiers() && (i.modifiers != nullptr) == (i.modifier != nullptr); }},
    {"VkImageDrmFormatModifierExplicitCreateInfoEXT-size-02267", "pNext", "a size in pPlaneLayouts",
     [](I i) { return i.HasLayoutWith(&VkSubresourceLayout::size); }},
    {"VkImageDrmFormatModifierExplicitCreateInfoEXT-arrayPitch-02268", "pNext",
     "arrayLayers and an arrayPitch in pPlaneLayouts",
     [](I i) { return i.info.arrayLayers == 1 && i.HasLayoutWith(&VkSubresourceLayout::arrayPitch); }},
    {"VkImageDrmFormatModifierExplicitCreateInfoEXT-depthPitch-02269", "pNext",
     "extent.depth and a depthPitch in pPlaneLayouts",
     [](I i) { return i.info.extent.depth == 1 && i.HasLayoutWith(&VkSubresourceLayout::depthPitch); }},

    // Other members and chained structures.
    {"sharingMode-00941", "pQueueFamilyIndices", "sharingMode and queueFamilyIndexCount",
     [](I i) { return LacksFamilies(i.info); }},
    {"sharingMode-01420", "pQueueFamilyIndices", "itself, or the device's families",
     [](I i) { return HasWrongFamily(i.device, i.info); }},
    {"pNext-01443", "initialLayout", "external memory",
     [](I i) {
       return i.info.initialLayout != VK_IMAGE_LAYOUT_UNDEFINED &&
              ((i.external != nullptr && i.external->handleTypes != 0) ||
               (i.external_nv != nullptr && i.external_nv->handleTypes != 0));
     }},
    {"pNext-00988", "VkExternalMemoryImageCreateInfoNV.handleTypes", "VkExternalMemoryImageCreateInfo",
     [](I i) { return i.external != nullptr && i.external_nv != nullptr; }},
    {"pNext-09654", "VkImageAlignmentControlCreateInfoMESA.maximumRequestedAlignment",
     "VkExternalMemoryImageCreateInfo", [](I i) { return i.alignment != nullptr && i.external != nullptr; }},
    {"VkImageAlignmentControlCreateInfoMESA-maximumRequestedAlignment-09656",
     "VkImageAlignmentControlCreateInfoMESA.maximumRequestedAlignment",
     "VkPhysicalDeviceImageAlignmentControlPropertiesMESA.supportedImageAlignmentMask",
     [](I i) {
       const auto* const limits = i.device.physical_device->Find<VkPhysicalDeviceImageAlignmentControlPropertiesMESA>();
       return i.alignment != nullptr && limits != nullptr && i.alignment->maximumRequestedAlignment != 0 &&
              (i.alignment->maximumRequestedAlignment & limits->supportedImageAlignmentMask) == 0;
     }},
    {"pNext-06743", "VkImageCompressionControlEXT.compressionControlPlaneCount", "format",
     [](I i) { return HasPlanes(i.format) && i.HasRatesBeside(i.format->planes.size()); }},
    {"pNext-06744", "VkImageCompressionControlEXT.compressionControlPlaneCount", "format",
     [](I i) { return !HasPlanes(i.format) && i.HasRatesBeside(1); }},
    {"pNext-06746", "VkImageCompressionControlEXT.flags", "VkImageDrmFormatModifierExplicitCreateInfoEXT",
     [](I i) { return i.compression != nullptr && i.modifier != nullptr; }},
    {"pNext-06783", "VkExportMetalObjectCreateInfoEXT.exportObjectType", "an image",
     [](I i) {
       return ExportsOther(i.info.pNext, VK_EXPORT_METAL_OBJECT_TYPE_METAL_TEXTURE_BIT_EXT |
                                             VK_EXPORT_METAL_OBJECT_TYPE_METAL_IOSURFACE_BIT_EXT);
     }},
    {"pNext-06784", "VkImportMetalTextureInfoEXT.plane", "an image",
     [](I i) { return i.metal != nullptr && (i.metal->plane & ~kPlaneAspects) != 0; }},
    {"pNext-06785", "VkImportMetalTextureInfoEXT.plane", "format",
     [](I i) { return i.metal != nullptr && !HasPlanes(i.format) && i.metal->plane != VK_IMAGE_ASPECT_PLANE_0_BIT; }},
    {"pNext-06786", "VkImportMetalTextureInfoEXT.plane", "format",
     [](I i) {
       return i.metal != nullptr && HasPlanes(i.format) && i.format->planes.size() == 2 &&
              i.metal->plane == VK_IMAGE_ASPECT_PLANE_2_BIT;
     }},
    {"pNext-10250", "pNext", "no feature videoEncodeAV1",
     [](I i) { return EncodesAv1(i.info.pNext) && !i.device.HasFeature(FeatureId::kVideoEncodeAV1); }},
};

}  // namespace

void AddImageIds(std::vector<vk::VuidIndex>& ids) { AddIds(kRules, ids); }

void ResourceRules::PreCallValidate(const vk::CreateImage& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const VkImageCreateInfo& info = *call.pCreateInfo;
  const vk::FormatInfo* const format = vk::GetFormatInfo(info.format);
  const ImageFacts facts = {
      .device = device_,
      .info = info,
      .features = format != nullptr ? features_.Of(*format, info.tiling) : std::nullopt,
  };
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pCreateInfo");
  CreationCheck check(device_, messages::Object(call.device), "VkImageCreateInfo", &info, where, report);
  check.Run(kRules, facts);
  if (format != nullptr && !check.has_reported()) CheckImageSupport(device_, info, std::move(check));
}

void ResourceRules::PostCallRecord(const vk::CreateImage& call, VkResult result) {
  const uint64_t external = result == VK_SUCCESS ? ExternalFormatIn(call.pCreateInfo->pNext) : 0;
  if (external != 0) external_formats_.Set(*call.pImage, external);
}

}  // namespace assay::core
