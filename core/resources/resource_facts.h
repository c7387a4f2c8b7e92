// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RESOURCES_RESOURCE_FACTS_H_
#define ASSAY_CORE_RESOURCES_RESOURCE_FACTS_H_

#include <algorithm>
#include <cstdint>
#include <span>

#include "absl/strings/match.h"
#include "dispatch/dispatch.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/format_info.h"
#include "vk/vulkan.h"
#include "vk/walk/video_structs.h"

// Facts that rows of several kinds of objects ask about.
namespace assay::core {

inline constexpr VkImageAspectFlags kPlaneAspects =
    VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT;
inline constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

// Whether the format has aspects of depth or stencil. False for an external format, which has no FormatInfo.
inline bool HasDepthOrStencil(const vk::FormatInfo* format) {
  return format != nullptr && (format->aspects & kDepthStencil) != 0;
}
inline bool HasPlanes(const vk::FormatInfo* format) { return format != nullptr && !format->planes.empty(); }
// The _422 and _420 formats.
inline bool IsSubsampled(const vk::FormatInfo* format) {
  return format != nullptr && (absl::StrContains(format->name, "_422") || absl::StrContains(format->name, "_420"));
}
// Whether it is among "Formats Requiring Sampler Y'CBCR Conversion".
inline bool RequiresConversion(const vk::FormatInfo* format) { return HasPlanes(format) || IsSubsampled(format); }
// Whether images of the one have views of the other, if they are to be mutable.
inline bool AreCompatible(const vk::FormatInfo& a, const vk::FormatInfo& b) { return a.class_name == b.class_name; }

inline bool HasIdentity(const VkComponentMapping& components) {
  const auto is = [](VkComponentSwizzle swizzle, VkComponentSwizzle own) {
    return swizzle == VK_COMPONENT_SWIZZLE_IDENTITY || swizzle == own;
  };
  return is(components.r, VK_COMPONENT_SWIZZLE_R) && is(components.g, VK_COMPONENT_SWIZZLE_G) &&
         is(components.b, VK_COMPONENT_SWIZZLE_B) && is(components.a, VK_COMPONENT_SWIZZLE_A);
}

// A feature of VK_KHR_portability_subset that the device does not have.
inline bool Lacks(const dispatch::Device& device, vk::FeatureId portability_feature) {
  return device.IsEnabled(vk::ExtensionId::kKhrPortabilitySubset) && !device.HasFeature(portability_feature);
}

// Of VkExternalFormatANDROID or VkExternalFormatQNX in a chain; 0 without.
template <class T>
uint64_t ExternalFormatIn(const void* chain) {
  const T* const external = vk::FindInChain<T>(chain);
  return external != nullptr ? external->externalFormat : 0;
}
inline uint64_t ExternalFormatIn(const void* chain) {
  return ExternalFormatIn<VkExternalFormatANDROID>(chain) | ExternalFormatIn<VkExternalFormatQNX>(chain);
}

// VkExportMetalObjectCreateInfoEXT exports something else.
inline bool ExportsOther(const void* chain, VkFlags allowed) {
  const auto* const metal = vk::FindInChain<VkExportMetalObjectCreateInfoEXT>(chain);
  return metal != nullptr && (metal->exportObjectType & allowed) == 0;
}

// Of create infos that several queue families may share.
template <class T>
std::span<const uint32_t> SharingFamilies(const T& info) {
  if (info.sharingMode != VK_SHARING_MODE_CONCURRENT || info.pQueueFamilyIndices == nullptr) return {};
  return {info.pQueueFamilyIndices, info.queueFamilyIndexCount};
}
template <class T>
bool LacksFamilies(const T& info) {
  return info.sharingMode == VK_SHARING_MODE_CONCURRENT && info.queueFamilyIndexCount != 0 &&
         info.pQueueFamilyIndices == nullptr;
}
template <class T>
bool HasWrongFamily(const dispatch::PhysicalDevice& device, const T& info) {
  const std::span<const uint32_t> families = SharingFamilies(info);
  return std::ranges::any_of(families, [&](uint32_t family) {
    return family >= device.queue_families.size() || std::ranges::count(families, family) > 1;
  });
}
template <class T>
bool HasWrongFamily(const dispatch::Device& device, const T& info) {
  return HasWrongFamily(*device.physical_device, info);
}

// Video profiles.
using vk::kDecodes;
using vk::kEncodes;
inline bool HasProfileBeside(const void* chain, VkVideoCodecOperationFlagsKHR others) {
  const auto* const list = vk::FindInChain<VkVideoProfileListInfoKHR>(chain);
  return list != nullptr &&
         std::any_of(list->pProfiles, list->pProfiles + list->profileCount,
                     [&](const auto& profile) { return (profile.videoCodecOperation & ~others) != 0; });
}
inline bool EncodesAv1(const void* chain) {
  return HasProfileBeside(chain, ~VkVideoCodecOperationFlagsKHR{VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR});
}

}  // namespace assay::core

#endif  // ASSAY_CORE_RESOURCES_RESOURCE_FACTS_H_
