// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BARRIERS_BARRIERS_H_
#define ASSAY_CORE_BARRIERS_BARRIERS_H_

#include <cstdint>
#include <string_view>

#include "core/masks/check.h"
#include "core/masks/masks.h"

// Buffer and image memory barriers of both generations in one form, and the rules that both have about the resource:
// its range, its layouts and whose it is. The rules of masks are in masks.h.
namespace assay::core {

// The structure's name, for ids.
template <class Structure>
struct NameOf;
template <>
struct NameOf<VkBufferMemoryBarrier> {
  static constexpr std::string_view kName = "VkBufferMemoryBarrier";
};
template <>
struct NameOf<VkBufferMemoryBarrier2> {
  static constexpr std::string_view kName = "VkBufferMemoryBarrier2";
};
template <>
struct NameOf<VkImageMemoryBarrier> {
  static constexpr std::string_view kName = "VkImageMemoryBarrier";
};
template <>
struct NameOf<VkImageMemoryBarrier2> {
  static constexpr std::string_view kName = "VkImageMemoryBarrier2";
};
template <>
struct NameOf<VkMemoryBarrier2> {
  static constexpr std::string_view kName = "VkMemoryBarrier2";
};

// The ids of what buffers and images have in common.
struct QueueFamilyIds {
  vk::VuidIndex src_foreign, dst_foreign, src_external, dst_external, src_family, dst_family;
  // Of the first generation only.
  vk::VuidIndex none_ignored = vk::kNoVuid, src_concurrent = vk::kNoVuid, dst_concurrent = vk::kNoVuid;
};
struct BufferIds {
  QueueFamilyIds queue_families;
  vk::VuidIndex offset, zero_size, size, memory;
};
struct ImageIds {
  std::string_view structure;
  QueueFamilyIds queue_families;
  vk::VuidIndex first_level, levels, first_layer, layers;
  vk::VuidIndex aspects_of_format, single_plane, not_disjoint, disjoint, either_aspect, both_aspects;
  vk::VuidIndex stencil_layout, depth_layout, new_layout, memory;
};
// For each of the structures.
template <class Structure>
const BufferIds& BufferIdsOf();
template <class Structure>
const ImageIds& ImageIdsOf();

struct QueueFamilies {
  uint32_t src;
  uint32_t dst;

  bool differ() const { return src != dst; }
  // The barrier gives the resource away or takes it over, for a command buffer of that family.
  bool ReleaseFrom(uint32_t family) const { return differ() && src == family; }
  bool AcquireBy(uint32_t family) const { return differ() && dst == family; }
};

template <class Barrier>
QueueFamilies FamiliesOf(const Barrier& barrier) {
  return {barrier.srcQueueFamilyIndex, barrier.dstQueueFamilyIndex};
}

// What a buffer barrier says besides its masks.
struct BufferPart {
  VkBuffer buffer;
  VkDeviceSize offset;
  VkDeviceSize size;
  QueueFamilies families;
};
struct ImagePart {
  VkImage image;
  VkImageLayout old_layout;
  VkImageLayout new_layout;
  VkImageSubresourceRange range;
  QueueFamilies families;

  // A layout transition or a queue family ownership transfer.
  bool changes_image() const { return old_layout != new_layout || families.differ(); }
};
template <class Barrier>
BufferPart BufferPartOf(const Barrier& b) {
  return {b.buffer, b.offset, b.size, FamiliesOf(b)};
}
template <class Barrier>
ImagePart ImagePartOf(const Barrier& b) {
  return {b.image, b.oldLayout, b.newLayout, b.subresourceRange, FamiliesOf(b)};
}

// where is the barrier.
void CheckBuffer(const Check& check, const BufferIds& ids, const BufferPart& part, const messages::Location& where);
void CheckImage(const Check& check, const ImageIds& ids, const ImagePart& part, const messages::Location& where);

// The families of a transfer of a resource that one family at a time owns: one has to be the command buffer's.
void CheckTransfer(const Check& check, vk::VuidIndex vuid, QueueFamilies families, VkSharingMode sharing_mode,
                   uint32_t family, const messages::Location& where);
// With the host among the stages there is no transfer.
void CheckHostTransfer(const Check& check, vk::VuidIndex vuid, QueueFamilies families,
                       VkPipelineStageFlags2 src_and_dst, const messages::Location& where);
// How a resource is shared; VK_SHARING_MODE_CONCURRENT, of which nothing is asked, when it is not known.
VkSharingMode SharingModeOf(VkBuffer buffer);
VkSharingMode SharingModeOf(VkImage image);

// "VK_QUEUE_FAMILY_IGNORED", "queue family 3".
std::string FamilyText(uint32_t family);

}  // namespace assay::core

#endif  // ASSAY_CORE_BARRIERS_BARRIERS_H_
