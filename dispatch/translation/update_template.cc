// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/update_template.h"

#include <algorithm>
#include <cstring>

#include "dispatch/translation/ignored_members.h"

namespace assay::dispatch {
namespace {

// Bytes of one descriptor's data.
size_t ElementSize(VkDescriptorType type) {
  switch (PayloadOf(type)) {
    case DescriptorPayload::kImage:
      return sizeof(VkDescriptorImageInfo);
    case DescriptorPayload::kBuffer:
      return sizeof(VkDescriptorBufferInfo);
    case DescriptorPayload::kTexelBuffer:
      return sizeof(VkBufferView);
    case DescriptorPayload::kNone:
      break;
  }
  return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 1 : sizeof(uint64_t);
}

size_t EndOf(const VkDescriptorUpdateTemplateEntry& entry) {
  if (entry.descriptorCount == 0) return 0;
  // An inline uniform block's descriptorCount is in bytes, which lie together.
  if (entry.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) return entry.offset + entry.descriptorCount;
  return entry.offset + (entry.descriptorCount - 1) * entry.stride + ElementSize(entry.descriptorType);
}

template <class H>
void Translate(char* where) {
  H handle;
  std::memcpy(&handle, where, sizeof(handle));
  const uint64_t driver_handle = HandleTable::Get().ToDriver(reinterpret_cast<uint64_t>(handle));
  std::memcpy(where, &driver_handle, sizeof(driver_handle));
}

}  // namespace

const void* UpdateTemplate::TranslateToDriver(const void* data, ScratchArena& arena) const {
  size_t size = 0;
  for (const VkDescriptorUpdateTemplateEntry& entry : entries_) size = std::max(size, EndOf(entry));
  const char* const source = static_cast<const char*>(data);
  char* const copy = static_cast<char*>(arena.Allocate(size));
  for (const VkDescriptorUpdateTemplateEntry& entry : entries_) {
    if (entry.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      if (entry.descriptorCount != 0) std::memcpy(copy + entry.offset, source + entry.offset, entry.descriptorCount);
      continue;
    }
    const size_t element_size = ElementSize(entry.descriptorType);
    for (uint32_t i = 0; i < entry.descriptorCount; ++i) {
      const size_t at = entry.offset + i * entry.stride;
      char* const element = copy + at;
      std::memcpy(element, source + at, element_size);
      switch (PayloadOf(entry.descriptorType)) {
        case DescriptorPayload::kImage:
          Translate<VkSampler>(element + offsetof(VkDescriptorImageInfo, sampler));
          Translate<VkImageView>(element + offsetof(VkDescriptorImageInfo, imageView));
          break;
        case DescriptorPayload::kBuffer:
          Translate<VkBuffer>(element + offsetof(VkDescriptorBufferInfo, buffer));
          break;
        default:
          // A texel buffer view or an acceleration structure: the handle itself.
          Translate<uint64_t*>(element);
          break;
      }
    }
  }
  return copy;
}

}  // namespace assay::dispatch
