// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_DESCRIPTORS_DESCRIPTORS_H_
#define ASSAY_STATE_DESCRIPTORS_DESCRIPTORS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "state/objects/object.h"
#include "vk/vulkan.h"

// Descriptor set layouts, pools and sets.
namespace assay::state {

class DescriptorSetLayout : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT;
  struct Binding {
    uint32_t binding;
    VkDescriptorType type;
    // Descriptors; bytes for an inline uniform block. A set may have fewer in a last binding of variable size.
    uint32_t count;
    VkShaderStageFlags stages;
    VkDescriptorBindingFlags flags;
    // Index of the binding's first descriptor among those of the set; see DescriptorContents::Find.
    uint32_t first;
    // Index of the binding's first dynamic offset among those of the set.
    uint32_t first_dynamic;
    // Of samplers, alone or combined with images: what is written does not count.
    bool has_immutable_samplers;
    // Bytes from where the set begins in a descriptor buffer, of a layout that is made for those.
    std::optional<VkDeviceSize> buffer_offset;

    // Whether the descriptors may change until the command buffer is submitted, or longer.
    bool is_update_after_bind() const { return (flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) != 0; }
    // Whether descriptors that are not used when the shader runs need not be valid.
    bool is_partially_bound() const { return (flags & VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT) != 0; }
  };

  DescriptorSetLayout(uint64_t handle, const VkDescriptorSetLayoutCreateInfo& info);

  // Null when the layout has no such binding.
  const Binding* Find(uint32_t binding) const;
  const std::vector<Binding>& bindings() const { return bindings_; }
  // Descriptors of a set of this layout, of which variable_count (0 for the largest) are in a last binding of variable
  // size. No more than kMaxDescriptors, however many bad input asks for: those beyond are not tracked.
  size_t DescriptorCount(uint32_t variable_count = 0) const;
  uint32_t dynamic_count() const { return dynamic_count_; }
  static constexpr uint32_t kMaxDescriptors = 1u << 20;
  bool is_push() const { return is_push_; }

  // offset_of(number) gives Binding::buffer_offset.
  template <class F>
  void SetBufferOffsets(F&& offset_of) {
    for (Binding& binding : bindings_) {
      if (binding.count != 0) binding.buffer_offset = offset_of(binding.binding);
    }
  }

 private:
  // Sorted by number.
  std::vector<Binding> bindings_;
  uint32_t descriptor_count_ = 0;
  uint32_t dynamic_count_ = 0;
  bool is_push_ = false;
};

// What was written to one descriptor.
struct Descriptor {
  enum class Kind : uint8_t {
    kUnwritten,
    kBuffer,
    kTexelBuffer,
    kImage,
    kAccelerationStructure,
    // Its bytes are the set's own.
    kInlineUniformBlock,
    // No memory: a sampler.
    kOther,
  };
  Kind kind = Kind::kUnwritten;
  // That of the write: what a mutable descriptor is.
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
  // Of a kImage.
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  // The VkBuffer, VkBufferView, VkImageView, VkAccelerationStructureKHR or VkAccelerationStructureNV that the
  // application gave; by handle, since it may be destroyed before the set. VK_NULL_HANDLE is a null descriptor.
  uint64_t resource = 0;
  // Bytes, of a kBuffer; range may be VK_WHOLE_SIZE.
  VkDeviceSize offset = 0;
  VkDeviceSize range = 0;
};

// The contents of a set, or of what was pushed to a set number of a command buffer.
class DescriptorContents {
 public:
  explicit DescriptorContents(Ref<DescriptorSetLayout> layout, uint32_t variable_count = 0)
      : layout_(std::move(layout)), descriptors_(layout_->DescriptorCount(variable_count)) {}

  const DescriptorSetLayout& layout() const { return *layout_; }
  absl::Span<const Descriptor> descriptors() const { return descriptors_; }
  // The first descriptor of a binding of the layout; null when it is not tracked.
  const Descriptor* Find(const DescriptorSetLayout::Binding& binding) const {
    return binding.first < descriptors_.size() ? &descriptors_[binding.first] : nullptr;
  }
  // An element of a binding of the layout; null when the set has no such element or it is not tracked.
  const Descriptor* Find(const DescriptorSetLayout::Binding& binding, uint32_t element) const {
    const size_t index = size_t{binding.first} + element;
    return element < binding.count && index < descriptors_.size() ? &descriptors_[index] : nullptr;
  }

  // As vkUpdateDescriptorSets; what lies outside of the layout is left out.
  void Write(const VkWriteDescriptorSet& write);
  void Copy(const VkCopyDescriptorSet& copy, const DescriptorContents& source);
  // As vkUpdateDescriptorSetWithTemplate.
  void Write(absl::Span<const VkDescriptorUpdateTemplateEntry> entries, const void* data);

 private:
  // The descriptors from an array element of a binding on: consecutive updates run over into the next bindings.
  absl::Span<Descriptor> From(uint32_t binding, uint32_t element, uint32_t count);
  void WriteInlineUniformBlock(uint32_t binding);

  Ref<DescriptorSetLayout> layout_;
  std::vector<Descriptor> descriptors_;
};

class DescriptorPool : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_POOL;
  explicit DescriptorPool(uint64_t handle, const VkDescriptorPoolCreateInfo& info)
      : Object(kType, handle), flags(info.flags), max_sets(info.maxSets) {}

  const VkDescriptorPoolCreateFlags flags;
  const uint32_t max_sets;
};

class DescriptorSet : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_SET;
  DescriptorSet(uint64_t handle, Ref<DescriptorSetLayout> layout, uint32_t variable_count)
      : Object(kType, handle), contents(std::move(layout), variable_count) {}

  DescriptorContents contents;
};

class PipelineLayout : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE_LAYOUT;
  PipelineLayout(uint64_t handle, std::vector<Ref<DescriptorSetLayout>> sets)
      : Object(kType, handle), set_layouts(std::move(sets)) {}

  // By set number; empty references for unused numbers.
  const std::vector<Ref<DescriptorSetLayout>> set_layouts;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_DESCRIPTORS_DESCRIPTORS_H_
