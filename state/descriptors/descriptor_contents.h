// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_DESCRIPTORS_DESCRIPTOR_CONTENTS_H_
#define ASSAY_STATE_DESCRIPTORS_DESCRIPTOR_CONTENTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "state/descriptors/descriptor_set_layout.h"
#include "state/descriptors/zeroed_memory.h"
#include "state/objects/object.h"
#include "vk/vulkan.h"

namespace assay::state {

// A descriptor as the last write left it. One that was never written is zero.
struct Descriptor {
  enum class Kind : uint8_t {
    kUnwritten,
    kBuffer,
    kTexelBuffer,
    kImage,
    kAccelerationStructure,
    // Its bytes are part of the set.
    kInlineUniformBlock,
    kSampler,
    // Of a type that is not tracked.
    kOther,
  };
  Kind kind = Kind::kUnwritten;
  // The type of the write, and so the current type of a mutable descriptor.
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
  // Of a kImage.
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  // The VkBuffer, VkBufferView, VkImageView, VkSampler or acceleration structure of the write. It is a handle, since
  // the object may be destroyed before the set. VK_NULL_HANDLE is a null descriptor.
  uint64_t resource = 0;
  union {
    // Bytes, of a kBuffer; range may be VK_WHOLE_SIZE.
    VkDeviceSize offset = 0;
    // Of a kImage: the VkSampler of a combined image sampler, ignored where the layout has an immutable one.
    uint64_t sampler;
  };
  VkDeviceSize range = 0;
};

// The descriptors of a set, or those that were pushed to a set number of a command buffer.
//
// Threads may update descriptors of bindings with VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT while others update or
// use other descriptors of the set. So a set with such bindings has a lock, which updates take. Read and Copy, alone,
// take it to read. Other bindings are not updated while they are read, and need no lock.
class DescriptorContents {
 public:
  explicit DescriptorContents(Ref<DescriptorSetLayout> layout, uint32_t variable_count = 0)
      : layout_(std::move(layout)),
        descriptors_(layout_->DescriptorCount(variable_count)),
        updates_(layout_->has_update_after_bind() ? std::make_unique<absl::Mutex>() : nullptr) {}

  const DescriptorSetLayout& layout() const { return *layout_; }
  absl::Span<const Descriptor> descriptors() const { return descriptors_; }
  // The first descriptor of a binding of the layout; null if it is not tracked.
  const Descriptor* Find(const DescriptorSetLayout::Binding& binding) const {
    return binding.first < descriptors_.size() ? &descriptors_[binding.first] : nullptr;
  }
  // An element of a binding of the layout; null if the set has no such element or it is not tracked.
  const Descriptor* Find(const DescriptorSetLayout::Binding& binding, uint32_t element) const {
    const size_t index = size_t{binding.first} + element;
    return element < binding.count && index < descriptors_.size() ? &descriptors_[index] : nullptr;
  }

  // A copy of that element as it is now, of a binding that another thread may be updating; an unwritten one if there is
  // none.
  Descriptor Read(const DescriptorSetLayout::Binding& binding, uint32_t element) const {
    absl::MutexLockMaybe lock(updates_.get());
    const Descriptor* const found = Find(binding, element);
    return found != nullptr ? *found : Descriptor();
  }

  // Like vkUpdateDescriptorSets. Elements outside of the layout are ignored.
  void Write(const VkWriteDescriptorSet& write);
  void Copy(const VkCopyDescriptorSet& copy, const DescriptorContents& source);
  // Like vkUpdateDescriptorSetWithTemplate.
  void Write(absl::Span<const VkDescriptorUpdateTemplateEntry> entries, const void* data);

 private:
  // `count` descriptors from an array element of a binding on. An update that is larger than the binding continues in
  // the next bindings.
  absl::Span<Descriptor> From(uint32_t binding, uint32_t element, uint32_t count);
  void WriteInlineUniformBlock(uint32_t binding);
  // The values that a copy reads, as many as there are.
  std::vector<Descriptor> SourceOf(const VkCopyDescriptorSet& copy) const;

  Ref<DescriptorSetLayout> layout_;
  // Of the large set of a bindless program, most are never written: they take no memory. Never grows, since only fresh
  // memory is zero.
  std::vector<Descriptor, ZeroedMemory<Descriptor>> descriptors_;
  // Null for a set without such bindings.
  std::unique_ptr<absl::Mutex> updates_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_DESCRIPTORS_DESCRIPTOR_CONTENTS_H_
