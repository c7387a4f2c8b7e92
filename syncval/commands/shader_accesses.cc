// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/commands/shader_accesses.h"

#include <algorithm>
#include <optional>

#include "syncval/accesses/shader_stage_accesses.h"

namespace assay::syncval {
namespace {

using state::Descriptor;
using state::DeviceState;
using state::ReflectedDescriptor;
using Element = ReflectedDescriptor::Element;
using LayoutBinding = state::DescriptorSetLayout::Binding;

bool IsInputRead(vk::SyncAccessIndex access) {
  return access == vk::kSyncFragmentShaderInputAttachmentRead || access == vk::kSyncSubpassShaderInputAttachmentRead;
}

bool IsDynamic(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

// Whether the shader certainly reads the first descriptor of a binding in a descriptor buffer.
bool ReadsFirstDescriptor(const ReflectedDescriptor& reflected, const LayoutBinding& binding) {
  if (!binding.buffer_offset.has_value() || binding.is_partially_bound()) return false;
  // The buffer holds the block itself, and the shader may read any part of that.
  if (binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) return false;
  if (binding.type == VK_DESCRIPTOR_TYPE_SAMPLER && binding.has_immutable_samplers) return false;
  return reflected.array_size == 1 || binding.count == 1 ||
         (!reflected.elements.empty() && reflected.elements.front().index == 0);
}

// An index that the shader computes is tried with no more elements than this, and counts for no more where accesses
// count that may not happen.
constexpr uint32_t kMaxTriedElements = 64;
constexpr uint32_t kMaxUncertainElements = 4096;

// The descriptor set bound to a set number; null when no tracked one is.
const state::DescriptorContents* ContentsOf(const state::BindPointState& bindings, uint32_t set_number) {
  if (set_number >= bindings.sets.size()) return nullptr;
  const state::BoundSet& bound = bindings.sets[set_number];
  if (bound.pushed != nullptr) return bound.pushed.get();
  const auto* set = DeviceState::Get<state::DescriptorSet>(bound.set);
  return set != nullptr ? &set->contents : nullptr;
}

// Collects the accesses of one stage.
class StageCollector {
 public:
  StageCollector(AccessCollector& collector, const state::BindPointState& bindings, VkShaderStageFlagBits stage,
                 const InputAttachments* inputs)
      : collector_(collector), bindings_(bindings), stage_(stage), inputs_(inputs) {}

  void Collect(const ReflectedDescriptor& reflected) {
    if (const state::DescriptorBufferOffset* in_buffer = bindings_.FindDescriptorBufferOffset(reflected.set))
        [[unlikely]]
      AddDescriptor(reflected, *in_buffer);
    if (reflected.kind == ReflectedDescriptor::Kind::kSampler) return;
    if (reflected.set != last_set_) {
      last_set_ = reflected.set;
      last_contents_ = ContentsOf(bindings_, last_set_);
    }
    const state::DescriptorContents* const contents = last_contents_;
    const LayoutBinding* binding = contents != nullptr ? contents->layout().Find(reflected.binding) : nullptr;
    const ShaderAccesses accesses = AccessesOfShader(stage_, reflected.kind);
    if (binding == nullptr || accesses.read == vk::kSyncNone) return collector_.AddUnknown();
    if (reflected.kind == ReflectedDescriptor::Kind::kInputAttachment && IsInheritedRendering())
      return AddInheritedInputs(reflected, *contents, *binding);
    // The descriptor may be another at submission, and another thread may be updating it.
    if (binding->is_update_after_bind()) return AddLate(reflected, *binding, accesses);
    // The shader need not use a descriptor of a partially bound binding, which only its run shows.
    if (binding->is_partially_bound() && !collector_.takes_uncertain_accesses()) return collector_.AddUnknown();
    // An array of one has only one element to access.
    if (reflected.array_size == 1 || binding->count == 1) {
      const Element all = {0, reflected.is_read, reflected.is_written, reflected.is_atomic};
      CollectElement(reflected, *contents, *binding, all, accesses);
      return;
    }
    for (const Element& element : reflected.elements) CollectElement(reflected, *contents, *binding, element, accesses);
    if (reflected.unknown_element) CollectUnknownElement(reflected, *contents, *binding, accesses);
  }

 private:
  void AddLate(const ReflectedDescriptor& reflected, const LayoutBinding& binding, const ShaderAccesses& accesses) {
    collector_.AddUnknown();
    // As for other bindings, what the shader need not access counts only where uncertain accesses do. Input attachments
    // cannot be updated after they are bound.
    if (binding.is_partially_bound() && !collector_.takes_uncertain_accesses()) return;
    if (reflected.kind == ReflectedDescriptor::Kind::kInputAttachment) return;
    if (reflected.array_size == 1 || binding.count == 1) {
      AddLateElement(reflected, {0, reflected.is_read, reflected.is_written, reflected.is_atomic}, accesses);
      return;
    }
    for (const Element& element : reflected.elements) AddLateElement(reflected, element, accesses);
    if (!reflected.unknown_element) return;
    Element element = *reflected.unknown_element;
    const bool takes_all = collector_.takes_uncertain_accesses() && binding.count <= kMaxUncertainElements;
    if (!takes_all && binding.count > kMaxTriedElements) return;
    element.index = takes_all ? LateAccess::kEveryElement : LateAccess::kAnyElement;
    AddLateElement(reflected, element, accesses);
  }
  void AddLateElement(const ReflectedDescriptor& reflected, const Element& element, const ShaderAccesses& accesses) {
    LateAccess access = {.set = reinterpret_cast<uint64_t>(bindings_.sets[reflected.set].set),
                         .binding = reflected.binding,
                         .element = element.index,
                         .index = reflected.set << 24 | reflected.binding,
                         .ordering = RuleOf(element)};
    if (reflected.block_size != 0) access.block_size = reflected.block_size;
    const auto add = [&](vk::SyncAccessIndex index) {
      access.access = index;
      if (index != vk::kSyncNone) collector_.AddLate(access);
    };
    if (element.is_written) add(accesses.write);
    if (element.is_read) add(accesses.read);
  }

  // The resource of a descriptor in a buffer is unknown, but the descriptor itself is read. Its size depends on the
  // driver; it has at least one byte.
  void AddDescriptor(const ReflectedDescriptor& reflected, const state::DescriptorBufferOffset& in_buffer) {
    const auto* layout = DeviceState::Get<state::PipelineLayout>(in_buffer.layout);
    if (layout == nullptr || reflected.set >= layout->set_layouts.size() || !layout->set_layouts[reflected.set]) return;
    const LayoutBinding* binding = layout->set_layouts[reflected.set]->Find(reflected.binding);
    const vk::SyncAccessIndex access = DescriptorBufferReadOf(stage_);
    if (binding == nullptr || !ReadsFirstDescriptor(reflected, *binding) || access == vk::kSyncNone) return;
    collector_.AddBuffer(DeviceState::Get<state::Buffer>(in_buffer.buffer), in_buffer.offset + *binding->buffer_offset,
                         1, access, {nullptr, reflected.set << 24 | reflected.binding, Role::kDescriptor});
  }

  // The bytes of a descriptor that is a buffer. Its members begin with the descriptor's offset.
  struct BufferPart {
    VkDeviceSize dynamic_offset = 0;
    // Of the block that the shader declares; VK_WHOLE_SIZE if it has no fixed size.
    VkDeviceSize block_size = VK_WHOLE_SIZE;
  };
  BufferPart BufferPartOf(const ReflectedDescriptor& reflected, const LayoutBinding& binding, uint32_t element) const {
    BufferPart part;
    if (reflected.block_size != 0) part.block_size = reflected.block_size;
    if (IsDynamic(binding.type))
      part.dynamic_offset = bindings_.sets[reflected.set].DynamicOffset(binding.first_dynamic + element);
    return part;
  }

  void CollectElement(const ReflectedDescriptor& reflected, const state::DescriptorContents& contents,
                      const LayoutBinding& binding, const Element& element, const ShaderAccesses& accesses) {
    const Descriptor* descriptor = contents.Find(binding, element.index);
    if (descriptor == nullptr) return collector_.AddUnknown();
    const BufferPart part = BufferPartOf(reflected, binding, element.index);
    const Origin origin{nullptr, reflected.set << 24 | reflected.binding, Role::kDescriptor, RuleOf(element)};
    // A descriptor that is read and written has two accesses: a barrier must make an earlier write visible to the read
    // too.
    if (element.is_written && accesses.write != vk::kSyncNone) Add(*descriptor, part, accesses.write, origin);
    if (element.is_read) Add(*descriptor, part, accesses.read, origin);
  }

  static OrderingRule RuleOf(const Element& element) {
    return element.is_atomic ? OrderingRule::kAtomic : OrderingRule::kNone;
  }

  // The shader computes the index: it accesses some element. That is a hazard for certain if it would be one whatever
  // the index. Then one element stands for all. Of a partially bound binding, the shader accesses only what was
  // written.
  //
  // The element that was in order the last time mostly still is, so that one question is enough.
  void CollectUnknownElement(const ReflectedDescriptor& reflected, const state::DescriptorContents& contents,
                             const LayoutBinding& binding, const ShaderAccesses& accesses) {
    Element element = *reflected.unknown_element;
    if (collector_.takes_uncertain_accesses() && binding.count <= kMaxUncertainElements) {
      for (element.index = 0; element.index < binding.count; ++element.index)
        CollectElement(reflected, contents, binding, element, accesses);
      return;
    }
    collector_.AddUnknown();
    if (binding.count > kMaxTriedElements) return;
    uint32_t& in_order = collector_.elements_in_order().Of(bindings_.sets[reflected.set].key, reflected.binding);
    element.index = in_order;
    if (IsInOrder(reflected, contents, binding, element, accesses)) return;
    std::optional<uint32_t> any;
    for (element.index = 0; element.index < binding.count; ++element.index) {
      if (IsInOrder(reflected, contents, binding, element, accesses)) {
        in_order = element.index;
        return;
      }
      if (!any && MayBeAccessed(contents, binding, element.index)) any = element.index;
    }
    if (!any) return;
    element.index = *any;
    CollectElement(reflected, contents, binding, element, accesses);
  }

  static bool MayBeAccessed(const state::DescriptorContents& contents, const LayoutBinding& binding, uint32_t element) {
    const Descriptor* descriptor = contents.Find(binding, element);
    if (descriptor == nullptr) return false;
    return !binding.is_partially_bound() || descriptor->kind != Descriptor::Kind::kUnwritten;
  }

  // Whether the shader may access the element, and that would be no hazard.
  bool IsInOrder(const ReflectedDescriptor& reflected, const state::DescriptorContents& contents,
                 const LayoutBinding& binding, const Element& element, const ShaderAccesses& accesses) {
    if (!MayBeAccessed(contents, binding, element.index)) return false;
    const Descriptor& descriptor = *contents.Find(binding, element.index);
    const BufferPart part = BufferPartOf(reflected, binding, element.index);
    const auto conflicts = [&](vk::SyncAccessIndex access) {
      return access != vk::kSyncNone && IsHazard(descriptor, part, access, RuleOf(element));
    };
    return !(element.is_written && conflicts(accesses.write)) && !(element.is_read && conflicts(accesses.read));
  }
  bool IsHazard(const Descriptor& descriptor, const BufferPart& part, vk::SyncAccessIndex access, OrderingRule rule) {
    switch (descriptor.kind) {
      case Descriptor::Kind::kBuffer:
        return collector_.IsHazard(DeviceState::Get<state::Buffer>(descriptor.resource),
                                   descriptor.offset + part.dynamic_offset, std::min(descriptor.range, part.block_size),
                                   access, rule);
      case Descriptor::Kind::kTexelBuffer: {
        const auto* view = DeviceState::Get<state::BufferView>(descriptor.resource);
        return view != nullptr && collector_.IsHazard(view->buffer.get(), view->offset, view->range, access, rule);
      }
      case Descriptor::Kind::kImage: {
        const auto* view = DeviceState::Get<state::ImageView>(descriptor.resource);
        return view != nullptr && !IsInputRead(access) && collector_.IsHazard(*view, access, rule);
      }
      default:
        return false;
    }
  }

  // Adds the resource of one descriptor, as one access.
  void Add(const Descriptor& descriptor, const BufferPart& part, vk::SyncAccessIndex access, const Origin& origin) {
    switch (descriptor.kind) {
      case Descriptor::Kind::kBuffer:
        collector_.AddBuffer(DeviceState::Get<state::Buffer>(descriptor.resource),
                             descriptor.offset + part.dynamic_offset, std::min(descriptor.range, part.block_size),
                             access, origin);
        return;
      case Descriptor::Kind::kTexelBuffer:
        if (const auto* view = DeviceState::Get<state::BufferView>(descriptor.resource)) {
          collector_.AddBuffer(view->buffer.get(), view->offset, view->range, access, origin);
        }
        return;
      case Descriptor::Kind::kImage:
        if (const auto* view = DeviceState::Get<state::ImageView>(descriptor.resource)) AddView(*view, access, origin);
        return;
      case Descriptor::Kind::kAccelerationStructure:
        AddAccelerationStructure(descriptor, access, origin);
        return;
      default:
        return;
    }
  }

  // Whether a secondary command buffer draws in dynamic rendering of its primary, which alone knows the attachments.
  bool IsInheritedRendering() const {
    return inputs_ != nullptr && inputs_->rendering.is_inherited() &&
           inputs_->rendering.kind() == state::RenderPassInstance::Kind::kDynamic;
  }

  void AddInheritedInputs(const ReflectedDescriptor& reflected, const state::DescriptorContents& contents,
                          const LayoutBinding& binding) {
    if (reflected.unknown_element) collector_.AddUnknown();
    const auto add = [&](uint32_t element) {
      const Descriptor* descriptor = contents.Find(binding, element);
      const auto* view = descriptor != nullptr && descriptor->kind == Descriptor::Kind::kImage
                             ? DeviceState::Get<state::ImageView>(descriptor->resource)
                             : nullptr;
      if (view == nullptr) return collector_.AddUnknown();
      std::optional<uint32_t> index = reflected.input_attachment_index;
      if (index) *index += element;
      collector_.AddInherited(InputReadsOf(inputs_->rendering.dynamic(), index, view->subresource_range.aspectMask));
    };
    if (reflected.array_size == 1) return add(0);
    for (const Element& element : reflected.elements) add(element.index);
  }

  void AddView(const state::ImageView& view, vk::SyncAccessIndex access, Origin origin) {
    if (!IsInputRead(access)) return collector_.AddView(view, access, origin);
    if (inputs_ == nullptr) return collector_.AddUnknown();
    const state::RenderPassInstance& rendering = inputs_->rendering;
    state::AddressRanges ranges;
    view.AppendAttachment(view.subresource_range.aspectMask, rendering.render_area(), rendering.layer_count(),
                          rendering.view_mask(), ranges);
    origin.ordering = RuleForInput(view, ranges);
    collector_.AddRanges(*view.image, ranges, access, origin);
  }

  // A fragment reads only at its own location, after what loaded the attachment. No order but that of a barrier puts
  // its shader after another fragment's output ("Rasterization Order"). Fragments of two draws certainly meet where one
  // of the draws covers the render area.
  OrderingRule RuleForInput(const state::ImageView& view, absl::Span<const state::ByteRange> ranges) const {
    const Attachments& attachments = inputs_->attachments;
    if (!inputs_->are_in_rasterization_order &&
        attachments.IsDrawn(*view.image, ranges, inputs_->covers_render_area, inputs_->version)) {
      return OrderingRule::kNone;
    }
    const bool is_dynamic =
        !inputs_->rendering.is_inherited() && inputs_->rendering.kind() == state::RenderPassInstance::Kind::kDynamic;
    return is_dynamic ? attachments.RuleForInput(view.image.get()) : OrderingRule::kRaster;
  }

  void AddAccelerationStructure(const Descriptor& descriptor, vk::SyncAccessIndex access, const Origin& origin) {
    // The size of a structure of VK_NV_ray_tracing is unknown.
    if (descriptor.type != VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR) return collector_.AddUnknown();
    // What the structure refers to is read too.
    collector_.AddUnknown();
    if (const auto* structure = DeviceState::Get<state::AccelerationStructure>(descriptor.resource))
      collector_.AddBuffer(structure->buffer.get(), structure->offset, structure->size, access, origin);
  }

  AccessCollector& collector_;
  const state::BindPointState& bindings_;
  const VkShaderStageFlagBits stage_;
  const InputAttachments* const inputs_;
  // The set number of the last descriptor, and its ContentsOf.
  uint32_t last_set_ = ~uint32_t{0};
  const state::DescriptorContents* last_contents_ = nullptr;
};

}  // namespace

void CollectStage(AccessCollector& collector, const state::BindPointState& bindings, const state::PipelineStage& stage,
                  const InputAttachments* inputs) {
  if (!stage.interface->found || stage.accesses_device_addresses) collector.AddUnknown();
  StageCollector of_stage(collector, bindings, stage.stage, inputs);
  for (const ReflectedDescriptor& reflected : stage.interface->descriptors) of_stage.Collect(reflected);
}

}  // namespace assay::syncval
