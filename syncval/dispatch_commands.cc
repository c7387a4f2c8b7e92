// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the commands that run compute shaders access: the descriptors that the shader statically uses, as it uses them.

#include "syncval/check.h"
#include "syncval/sync_validator.h"

namespace assay::syncval {
namespace {

using state::DescriptorUse;
using state::DeviceState;

struct ShaderAccesses {
  vk::SyncAccessIndex read;
  vk::SyncAccessIndex write;
};

// kSyncNone where a kind of descriptor has no such access, or none to memory that is tracked.
ShaderAccesses ComputeAccesses(DescriptorUse::Kind kind) {
  switch (kind) {
    case DescriptorUse::Kind::kUniformBuffer:
      return {vk::kSyncComputeShaderUniformRead, vk::kSyncNone};
    case DescriptorUse::Kind::kSampledImage:
    case DescriptorUse::Kind::kUniformTexelBuffer:
      return {vk::kSyncComputeShaderShaderSampledRead, vk::kSyncNone};
    case DescriptorUse::Kind::kStorageBuffer:
    case DescriptorUse::Kind::kStorageImage:
    case DescriptorUse::Kind::kStorageTexelBuffer:
      return {vk::kSyncComputeShaderShaderStorageRead, vk::kSyncComputeShaderShaderStorageWrite};
    default:
      return {vk::kSyncNone, vk::kSyncNone};
  }
}

// Adds what one descriptor leads to, as one access.
void AddDescriptor(AccessCollector& collector, const state::Descriptor& descriptor, VkDeviceSize dynamic_offset,
                   vk::SyncAccessIndex access, Origin origin) {
  switch (descriptor.kind) {
    case state::Descriptor::Kind::kBuffer:
      collector.AddBuffer(DeviceState::Get<state::Buffer>(descriptor.resource), descriptor.offset + dynamic_offset,
                          descriptor.range, access, origin);
      return;
    case state::Descriptor::Kind::kTexelBuffer:
      if (const auto* view = DeviceState::Get<state::BufferView>(descriptor.resource)) {
        collector.AddBuffer(view->buffer.get(), view->offset, view->range, access, origin);
      }
      return;
    case state::Descriptor::Kind::kImage:
      if (const auto* view = DeviceState::Get<state::ImageView>(descriptor.resource))
        collector.AddView(*view, access, origin);
      return;
    default:
      return;
  }
}

bool IsDynamic(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

// Whether it is known while recording which memory a descriptor of the binding leads to. Which element of an array is
// used is known only when the shader runs, and so is whether one that need not be valid is used at all; what is updated
// after being bound, at submission.
bool IsKnown(const state::DescriptorSetLayout::Binding& binding) {
  constexpr VkDescriptorBindingFlags kUnknown =
      VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
  if (binding.count != 1 || (binding.flags & kUnknown) != 0) return false;
  return !IsDynamic(binding.type) || binding.first_dynamic < state::BoundSet::kInlineDynamicOffsets;
}

// What is bound to a set number; null when nothing is that is tracked.
const state::DescriptorContents* ContentsOf(const state::BindPointState& bindings, uint32_t set_number) {
  if (set_number >= bindings.sets.size()) return nullptr;
  const state::BoundSet& bound = bindings.sets[set_number];
  if (bound.pushed != nullptr) return bound.pushed.get();
  const auto* set = DeviceState::Get<state::DescriptorSet>(bound.set);
  return set != nullptr ? &set->contents : nullptr;
}

void CollectUse(AccessCollector& collector, const state::BindPointState& bindings, const DescriptorUse& use) {
  if (use.kind == DescriptorUse::Kind::kSampler) return;
  const state::DescriptorContents* contents = ContentsOf(bindings, use.set);
  const auto* binding = contents != nullptr ? contents->layout().Find(use.binding) : nullptr;
  const ShaderAccesses accesses = ComputeAccesses(use.kind);
  if (binding == nullptr || !IsKnown(*binding) || accesses.read == vk::kSyncNone) return collector.AddUnknown();
  const state::Descriptor* found = contents->Find(*binding);
  if (found == nullptr) return collector.AddUnknown();
  const state::Descriptor& descriptor = *found;
  const VkDeviceSize offset =
      IsDynamic(binding->type) ? bindings.sets[use.set].dynamic_offsets[binding->first_dynamic] : 0;
  const Origin origin{nullptr, use.set << 24 | use.binding};
  // What is both read and written is two accesses: a barrier before must make an earlier write visible to the read as
  // well.
  if (use.is_written && accesses.write != vk::kSyncNone)
    AddDescriptor(collector, descriptor, offset, accesses.write, origin);
  if (use.is_read) AddDescriptor(collector, descriptor, offset, accesses.read, origin);
}

void CollectShader(AccessCollector& collector, const state::BindPointState& bindings) {
  const auto* pipeline = DeviceState::Get<state::Pipeline>(bindings.pipeline);
  // Shader objects, or nothing.
  if (pipeline == nullptr) return collector.AddUnknown();
  for (const state::PipelineStage& stage : pipeline->stages) {
    if (!stage.interface.found || stage.uses_addresses) collector.AddUnknown();
    for (const DescriptorUse& use : stage.interface.descriptors) CollectUse(collector, bindings, use);
  }
}

bool OnlyReads(absl::Span<const RecordedAccess> accesses) {
  for (const RecordedAccess& access : accesses) {
    if (vk::SyncStageAccesses()[access.access].is_write) return false;
  }
  return true;
}

template <class C>
void CheckDispatch(const C& call, messages::Report& report) {
  if (call.groupCountX == 0 || call.groupCountY == 0 || call.groupCountZ == 0) return;
  SyncRecording* const recording = RecordingOf(call.commandBuffer);
  if (recording == nullptr) return;
  const state::BindPointState& bindings = recording->buffer().At(VK_PIPELINE_BIND_POINT_COMPUTE);
  SyncRecording::ReadOnlyUse& remembered = recording->RememberedUse(bindings);
  if (remembered == recording->UseOf(bindings)) return;
  const Tag tag = recording->Begin(C::kId);
  AccessCollector collector(*recording);
  CollectShader(collector, bindings);
  const CheckResult result = CheckLast(*recording, tag, report);
  if (result == CheckResult::kSkipped) return;
  if (collector.has_unknown()) {
    recording->NoteUnknownAccess(tag);
  } else if (result == CheckResult::kInOrder && OnlyReads(recording->AccessesOf(tag))) {
    remembered = recording->UseOf(bindings);
  }
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdDispatch& call, messages::Report& report) {
  CheckDispatch(call, report);
}
void SyncValidator::PreCallValidate(const vk::CmdDispatchBase& call, messages::Report& report) {
  CheckDispatch(call, report);
}
void SyncValidator::PreCallValidate(const vk::CmdDispatchIndirect& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) {
    CollectShader(c, DeviceState::Get(call.commandBuffer)->At(VK_PIPELINE_BIND_POINT_COMPUTE));
    c.AddBuffer(DeviceState::Get<state::Buffer>(call.buffer), call.offset, sizeof(VkDispatchIndirectCommand),
                vk::kSyncDrawIndirectIndirectCommandRead, {"buffer", kNoIndex});
  });
}

}  // namespace assay::syncval
