// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_DESCRIPTORS_DESCRIPTOR_SET_LAYOUT_H_
#define ASSAY_STATE_DESCRIPTORS_DESCRIPTOR_SET_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "state/descriptors/sampler.h"
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
    // These, by array element, see SetImmutableSamplers. The references of those that are not known are empty.
    std::vector<Ref<Sampler>> immutable_samplers;
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
  // Whether both layouts are defined identically: with the same flags and bindings, apart from reserved ones, which
  // have no descriptors. Which samplers are immutable ones does not count here: it is not told whether other samplers
  // are other definitions.
  bool IsDefinedAs(const DescriptorSetLayout& other) const {
    return this == &other || definition_ == other.definition_;
  }

  // `info` is that of the layout.
  void SetImmutableSamplers(const VkDescriptorSetLayoutCreateInfo& info,
                            absl::FunctionRef<Ref<Sampler>(VkSampler)> sampler_of);
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
  // A hash of what defines the layout.
  size_t definition_ = 0;
};

// Whether two arrays are of layouts that are defined identically. A layout that is not known counts as such.
bool AreDefinedAlike(absl::Span<const Ref<DescriptorSetLayout>> a, absl::Span<const Ref<DescriptorSetLayout>> b);
// Whether both have the same ranges, in whatever order: they are compatible for push constants.
bool AreAlike(absl::Span<const VkPushConstantRange> a, absl::Span<const VkPushConstantRange> b);

class PipelineLayout : public Object, public WithSubState {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE_LAYOUT;
  PipelineLayout(uint64_t handle, std::vector<Ref<DescriptorSetLayout>> sets, std::vector<VkPushConstantRange> ranges)
      : Object(kType, handle), set_layouts(std::move(sets)), push_constants(std::move(ranges)) {}

  // By set number; the references of unused numbers are empty.
  const std::vector<Ref<DescriptorSetLayout>> set_layouts;
  const std::vector<VkPushConstantRange> push_constants;
};

class DescriptorUpdateTemplate : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE;
  // `of` is the layout of a template that pushes descriptors; empty for others.
  DescriptorUpdateTemplate(uint64_t handle, const VkDescriptorUpdateTemplateCreateInfo& info, Ref<PipelineLayout> of)
      : Object(kType, handle),
        type(info.templateType),
        bind_point(info.pipelineBindPoint),
        set(info.set),
        layout(std::move(of)) {}

  const VkDescriptorUpdateTemplateType type;
  // Meaningful only for a template that pushes descriptors, as the members after it.
  const VkPipelineBindPoint bind_point;
  const uint32_t set;
  const Ref<PipelineLayout> layout;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_DESCRIPTORS_DESCRIPTOR_SET_LAYOUT_H_
