// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RESOURCES_VIEW_FACTS_H_
#define ASSAY_CORE_RESOURCES_VIEW_FACTS_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "core/resources/resource_facts.h"
#include "core/resources/resource_rules.h"
#include "dispatch/dispatch.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/format_info.h"

// Private to the package.
namespace assay::core {

// An image view that is to be created, and its image.
struct ViewFacts {
  static constexpr std::string_view kOwner = "VkImageViewCreateInfo";

  const dispatch::Device& device;
  const VkImageViewCreateInfo& info;
  const state::Image& image;
  const VkImageCreateInfo& of = image.create_info;
  // Null for external formats.
  const vk::FormatInfo* format = vk::GetFormatInfo(info.format);
  const vk::FormatInfo* image_format = vk::GetFormatInfo(of.format);
  const VkImageViewUsageCreateInfo* own_usage = vk::FindInChain<VkImageViewUsageCreateInfo>(info.pNext);
  const VkImageViewSampleWeightCreateInfoQCOM* weights =
      vk::FindInChain<VkImageViewSampleWeightCreateInfoQCOM>(info.pNext);
  const VkImageViewSlicedCreateInfoEXT* slices = vk::FindInChain<VkImageViewSlicedCreateInfoEXT>(info.pNext);
  const VkImageViewMinLodCreateInfoEXT* min_lod = vk::FindInChain<VkImageViewMinLodCreateInfoEXT>(info.pNext);
  // Has a conversion other than VK_NULL_HANDLE.
  bool is_converting = false;
  // If it is known.
  std::optional<Conversion> conversion = {};
  // Of the image; 0 if it has none, or if it is not known.
  uint64_t external_format = 0;

  // Of the image.
  bool Has(VkImageCreateFlags flags) const { return (of.flags & flags) != 0; }
  bool Uses(VkImageUsageFlags usages) const { return (of.usage & usages) != 0; }
  bool Is3d() const { return of.imageType == VK_IMAGE_TYPE_3D; }
  bool HasExternalFormat(vk::ExtensionId extension) const {
    return of.format == VK_FORMAT_UNDEFINED && device.IsEnabled(extension);
  }
  bool IsAndroid() const { return HasExternalFormat(vk::ExtensionId::kAndroidExternalMemoryAndroidHardwareBuffer); }
  bool IsQnx() const { return HasExternalFormat(vk::ExtensionId::kQnxExternalMemoryScreenBuffer); }
  bool HasOtherExternalFormat() const {
    return external_format != 0 && (!is_converting || (conversion && conversion->external_format != external_format));
  }

  bool Is(VkImageViewType type) const { return info.viewType == type; }
  bool Is2d() const { return Is(VK_IMAGE_VIEW_TYPE_2D); }
  bool IsFlat() const { return Is2d() || Is(VK_IMAGE_VIEW_TYPE_2D_ARRAY); }
  bool IsCube() const { return Is(VK_IMAGE_VIEW_TYPE_CUBE) || Is(VK_IMAGE_VIEW_TYPE_CUBE_ARRAY); }
  bool IsLayered() const { return !Is(VK_IMAGE_VIEW_TYPE_1D) && !Is2d() && !Is(VK_IMAGE_VIEW_TYPE_3D); }
  // "View type compatibility", for other types than those of a 3D image's slices.
  VkImageType TypeOfImage() const {
    if (Is(VK_IMAGE_VIEW_TYPE_1D) || Is(VK_IMAGE_VIEW_TYPE_1D_ARRAY)) return VK_IMAGE_TYPE_1D;
    return Is(VK_IMAGE_VIEW_TYPE_3D) || (IsFlat() && Is3d()) ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
  }
  // Whether the format of a block-texel-compatible image's view is not compressed.
  bool HasTexelsOfBlocks() const {
    return Has(VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT) && format != nullptr && !format->compressed;
  }
  bool IsMutable() const { return Has(VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) && format != nullptr; }
  // The format of a plane that the view is of; null for all others.
  const vk::FormatInfo* PlaneFormat() const {
    const VkImageAspectFlags aspects = info.subresourceRange.aspectMask & kPlaneAspects;
    const uint32_t plane = aspects == VK_IMAGE_ASPECT_PLANE_0_BIT ? 0 : aspects == VK_IMAGE_ASPECT_PLANE_1_BIT ? 1 : 2;
    if (!std::has_single_bit(aspects) || !HasPlanes(image_format) || plane >= image_format->planes.size())
      return nullptr;
    return vk::GetFormatInfo(image_format->planes[plane].compatible);
  }

  const VkImageSubresourceRange& range() const { return info.subresourceRange; }
  uint32_t Depth() const {
    return range().baseMipLevel < 32 ? std::max(of.extent.depth >> range().baseMipLevel, 1U) : 1;
  }
  // Where layers are slices.
  bool HasSlices() const { return Is3d() && IsFlat() && Has(VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT); }
  // Of an image with VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT alone, no rule says how many there are.
  bool CountsLayers() const {
    return HasSlices() || !(Is3d() && IsFlat() && Has(VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT));
  }
  uint32_t AllLayers() const { return HasSlices() ? Depth() : of.arrayLayers; }
  bool BeginsBehindLayers() const { return CountsLayers() && range().baseArrayLayer >= AllLayers(); }
  bool EndsBehindLayers() const {
    return CountsLayers() && !BeginsBehindLayers() && range().layerCount != VK_REMAINING_ARRAY_LAYERS &&
           range().layerCount > AllLayers() - range().baseArrayLayer;
  }
  // 0 if there are none, which another rule forbids.
  uint32_t Levels() const {
    if (range().levelCount != VK_REMAINING_MIP_LEVELS) return range().levelCount;
    return range().baseMipLevel < of.mipLevels ? of.mipLevels - range().baseMipLevel : 0;
  }
  bool HasAllLayers() const { return range().layerCount == VK_REMAINING_ARRAY_LAYERS; }
  uint32_t Layers() const {
    if (!HasAllLayers()) return range().layerCount;
    return range().baseArrayLayer < AllLayers() && CountsLayers() ? AllLayers() - range().baseArrayLayer : 0;
  }

  // "Image view usage": of both aspects, what both have.
  VkImageUsageFlags Usage() const {
    if (own_usage != nullptr) return own_usage->usage;
    if (!image.stencil_usage) return of.usage;
    const VkImageAspectFlags aspects = range().aspectMask & kDepthStencil;
    if (aspects == VK_IMAGE_ASPECT_STENCIL_BIT) return *image.stencil_usage;
    return aspects == VK_IMAGE_ASPECT_DEPTH_BIT ? of.usage : of.usage & *image.stencil_usage;
  }
  bool OwnUsageExceeds(VkImageUsageFlags usages) const {
    return own_usage != nullptr && (own_usage->usage & ~usages) != 0;
  }
  bool Weighs(VkImageViewType type) const { return weights != nullptr && Is(type); }
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RESOURCES_VIEW_FACTS_H_
