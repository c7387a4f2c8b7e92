// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BARRIERS_BARRIERS_H_
#define ASSAY_CORE_BARRIERS_BARRIERS_H_

#include <cstdint>
#include <string>

#include "core/barriers/barrier_ids.h"
#include "core/masks/check.h"
#include "core/masks/masks.h"
#include "state/state.h"

// Buffer and image memory barriers of sync1 and synchronization2 in one form, and their rules about the resource: its
// range, its layouts and its queue families. The rules of masks are in core/masks/masks.h.
namespace assay::core {

struct QueueFamilies {
  uint32_t src;
  uint32_t dst;

  bool differ() const { return src != dst; }
  // Whether the barrier, in a command buffer of the family, releases or acquires the resource.
  bool ReleaseFrom(uint32_t family) const { return differ() && src == family; }
  bool AcquireBy(uint32_t family) const { return differ() && dst == family; }
};

template <class Barrier>
QueueFamilies FamiliesOf(const Barrier& barrier) {
  return {barrier.srcQueueFamilyIndex, barrier.dstQueueFamilyIndex};
}

// The members of a buffer memory barrier besides its masks.
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

// Whether the range is one of the buffer's.
inline bool IsInBuffer(const BufferPart& part, const state::Buffer& buffer) {
  if (part.offset >= buffer.size) return false;
  return part.size == VK_WHOLE_SIZE || (part.size != 0 && part.size <= buffer.size - part.offset);
}
// Whether CheckBuffer certainly reports nothing, and the barrier is no queue family ownership transfer. Nearly all
// barriers are such.
inline bool IsPlain(const BufferPart& part) {
  const auto* const buffer = state::DeviceState::Get<state::Buffer>(part.buffer);
  return buffer != nullptr && part.families.src == VK_QUEUE_FAMILY_IGNORED &&
         part.families.dst == VK_QUEUE_FAMILY_IGNORED && IsInBuffer(part, *buffer) && static_cast<bool>(buffer->memory);
}

// The same for CheckImage and its barrier. A wrong image is not plain, nor is one in a layout of an extension.
bool IsPlain(const SyncLimits& limits, const ImagePart& part);

// where leads to the barrier.
void CheckBuffer(const Check& check, const BufferIds& ids, const BufferPart& part, const messages::Location& where);
void CheckImage(const Check& check, const ImageIds& ids, const ImagePart& part, const messages::Location& where);

// In a queue family ownership transfer of a resource with VK_SHARING_MODE_EXCLUSIVE, one of the two families must be
// family, the command buffer's.
void CheckTransfer(const Check& check, vk::VuidIndex vuid, QueueFamilies families, VkSharingMode sharing_mode,
                   uint32_t family, const messages::Location& where);
// With VK_PIPELINE_STAGE_HOST_BIT in one of the masks, the two families must be equal.
void CheckHostTransfer(const Check& check, vk::VuidIndex vuid, QueueFamilies families,
                       VkPipelineStageFlags2 src_and_dst, const messages::Location& where);
// The sharing mode of a resource. VK_SHARING_MODE_CONCURRENT, which has no rules here, if the resource is unknown.
VkSharingMode SharingModeOf(VkBuffer buffer);
VkSharingMode SharingModeOf(VkImage image);

// "VK_QUEUE_FAMILY_IGNORED", "queue family 3".
std::string FamilyText(uint32_t family);

}  // namespace assay::core

#endif  // ASSAY_CORE_BARRIERS_BARRIERS_H_
