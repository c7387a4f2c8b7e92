// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_DESCRIPTORS_DESCRIPTOR_SET_LAYOUT_H_
#define ASSAY_STATE_DESCRIPTORS_DESCRIPTOR_SET_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "state/objects/object.h"
#include "vk/vulkan.h"

namespace assay::state {

class DescriptorSetLayout : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT;
  struct Binding {
    uint32_t binding;
    VkDescriptorType type;
    // Number of descriptors; bytes of an inline uniform block. A set may have fewer in a last binding of variable size.
    uint32_t count;
    VkShaderStageFlags stages;
    VkDescriptorBindingFlags flags;
    // Index of the binding's first descriptor among those of the set; see DescriptorContents::Find.
    uint32_t first;
    // Index of the binding's first dynamic offset among those of the set.
    uint32_t first_dynamic;
    // Of samplers, alone or combined with images: samplers in writes are ignored.
    bool has_immutable_samplers;
    // Bytes from the start of the set in a descriptor buffer, for a layout that is created for descriptor buffers.
    std::optional<VkDeviceSize> buffer_offset;

    // Whether the descriptors may change until the command buffer is submitted, or longer.
    bool is_update_after_bind() const { return (flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) != 0; }
    // Whether descriptors need to be valid only if the shader accesses them when it runs.
    bool is_partially_bound() const { return (flags & VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT) != 0; }
  };

  DescriptorSetLayout(uint64_t handle, const VkDescriptorSetLayoutCreateInfo& info);

  // Null if the layout has no such binding.
  const Binding* Find(uint32_t binding) const {
    // Bindings are mostly numbered from 0 without gaps.
    if (binding < bindings_.size() && bindings_[binding].binding == binding) return &bindings_[binding];
    return Search(binding);
  }
  const std::vector<Binding>& bindings() const { return bindings_; }
  // Number of descriptors in a set of this layout. A last binding of variable size has variable_count of them (0 for
  // the largest number). The result is at most kMaxDescriptors, also for invalid layouts: descriptors beyond are not
  // tracked.
  size_t DescriptorCount(uint32_t variable_count = 0) const;
  uint32_t dynamic_count() const { return dynamic_count_; }
  static constexpr uint32_t kMaxDescriptors = 1u << 20;
  bool is_push() const { return is_push_; }
  VkDescriptorSetLayoutCreateFlags create_flags() const { return create_flags_; }
  // Whether a binding is_update_after_bind().
  bool has_update_after_bind() const { return has_update_after_bind_; }

  // offset_of(number) gives Binding::buffer_offset.
  template <class F>
  void SetBufferOffsets(F&& offset_of) {
    for (Binding& binding : bindings_) {
      if (binding.count != 0) binding.buffer_offset = offset_of(binding.binding);
    }
  }

 private:
  const Binding* Search(uint32_t binding) const;

  // Sorted by number.
  std::vector<Binding> bindings_;
  uint32_t descriptor_count_ = 0;
  uint32_t dynamic_count_ = 0;
  bool is_push_ = false;
  bool has_update_after_bind_ = false;
  VkDescriptorSetLayoutCreateFlags create_flags_ = 0;
};

class PipelineLayout : public Object, public WithSubState {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE_LAYOUT;
  PipelineLayout(uint64_t handle, std::vector<Ref<DescriptorSetLayout>> sets)
      : Object(kType, handle), set_layouts(std::move(sets)) {}

  // By set number; the references of unused numbers are empty.
  const std::vector<Ref<DescriptorSetLayout>> set_layouts;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_DESCRIPTORS_DESCRIPTOR_SET_LAYOUT_H_
