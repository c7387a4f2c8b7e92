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
      if (const auto* view = DeviceState::Get<state::ImageView>(descriptor.resource)) collector.AddView(*view, access, origin);
      return;
    default:
      return;
  }
}

VkDeviceSize DynamicOffset(const state::BoundSet& bound, const state::DescriptorSetLayout::Binding& binding) {
  const bool dynamic = binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
                       binding.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  if (!dynamic || binding.first_dynamic >= state::BoundSet::kInlineDynamicOffsets) return 0;
  return bound.dynamic_offsets[binding.first_dynamic];
}

void CollectUse(AccessCollector& collector, const state::BindPointState& bindings, const DescriptorUse& use) {
  if (use.set >= bindings.sets.size()) return;
  const state::BoundSet& bound = bindings.sets[use.set];
  const state::DescriptorContents* contents = bound.pushed.get();
  if (contents == nullptr) {
    const auto* set = DeviceState::Get<state::DescriptorSet>(bound.set);
    if (set == nullptr) return;
    contents = &set->contents;
  }
  const auto* binding = contents->layout().Find(use.binding);
  // Which element of an array is used is known only when the shader runs; what is updated after being bound, only at submission.
  if (binding == nullptr || binding->count != 1 || (binding->flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) != 0) return;
  const state::Descriptor& descriptor = contents->descriptors()[binding->first];
  const VkDeviceSize offset = DynamicOffset(bound, *binding);
  const ShaderAccesses accesses = ComputeAccesses(use.kind);
  const Origin origin{nullptr, use.set << 24 | use.binding};
  // What is both read and written is two accesses: a barrier before must make an earlier write visible to the read as well.
  if (use.is_written && accesses.write != vk::kSyncNone) AddDescriptor(collector, descriptor, offset, accesses.write, origin);
  if (use.is_read && accesses.read != vk::kSyncNone) AddDescriptor(collector, descriptor, offset, accesses.read, origin);
}

void CollectShader(AccessCollector& collector, VkCommandBuffer handle) {
  const state::BindPointState& bindings = DeviceState::Get(handle)->At(VK_PIPELINE_BIND_POINT_COMPUTE);
  const auto* pipeline = DeviceState::Get<state::Pipeline>(bindings.pipeline);
  if (pipeline == nullptr) return;
  for (const state::PipelineStage& stage : pipeline->stages) {
    for (const DescriptorUse& use : stage.interface.descriptors) CollectUse(collector, bindings, use);
  }
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdDispatch& call, messages::Report& report) {
  if (call.groupCountX == 0 || call.groupCountY == 0 || call.groupCountZ == 0) return;
  CheckCommand(call, report, [&](AccessCollector& c) { CollectShader(c, call.commandBuffer); });
}
void SyncValidator::PreCallValidate(const vk::CmdDispatchBase& call, messages::Report& report) {
  if (call.groupCountX == 0 || call.groupCountY == 0 || call.groupCountZ == 0) return;
  CheckCommand(call, report, [&](AccessCollector& c) { CollectShader(c, call.commandBuffer); });
}
void SyncValidator::PreCallValidate(const vk::CmdDispatchIndirect& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) {
    CollectShader(c, call.commandBuffer);
    c.AddBuffer(DeviceState::Get<state::Buffer>(call.buffer), call.offset, sizeof(VkDispatchIndirectCommand),
                vk::kSyncDrawIndirectIndirectCommandRead, {"buffer", kNoIndex});
  });
}

}  // namespace assay::syncval
