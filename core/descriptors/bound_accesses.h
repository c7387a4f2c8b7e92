// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DESCRIPTORS_BOUND_ACCESSES_H_
#define ASSAY_CORE_DESCRIPTORS_BOUND_ACCESSES_H_

#include "core/interfaces/resource_accesses.h"
#include "core/recording/draw_recording.h"
#include "state/state.h"
#include "vk/dynamic_state_rules.h"
#include "vk/vulkan.h"

// The accesses of the shaders that are bound, with the descriptors that they access. Private to the package.
namespace assay::core {

// The descriptors that are bound to a set number; null where they are not known.
inline const state::DescriptorContents* ContentsOf(const state::BindPointState& bound, uint32_t set_number) {
  if (set_number >= bound.sets.size() || bound.FindDescriptorBufferOffset(set_number) != nullptr) return nullptr;
  const state::BoundSet& set = bound.sets[set_number];
  if (set.pushed != nullptr) return set.pushed.get();
  const auto* const state = state::DeviceState::Get<state::DescriptorSet>(set.set);
  return state != nullptr ? &state->contents : nullptr;
}

// The descriptor as it is bound and stays; null where it may be another later.
inline const state::Descriptor* FixedDescriptor(const state::BindPointState& bound, const ResourceVariable& resource) {
  const state::DescriptorContents* const contents = ContentsOf(bound, resource.set);
  const auto* const binding = contents != nullptr ? contents->layout().Find(resource.binding) : nullptr;
  return binding != nullptr && !binding->is_update_after_bind() ? contents->Find(*binding, 0) : nullptr;
}

// Calls visit(accesses, pipeline) for the pipeline, or for each shader object with a null pipeline.
template <class F>
void ForEachBound(DrawRecording::BindPoint point, const state::BindPointState& bound,
                  const state::CommandBuffer& buffer, const DrawRecording& draw, const F& visit) {
  const auto accesses_of = [](const auto* object) {
    return object != nullptr ? static_cast<const ResourceAccesses*>(object->core_resources.get()) : nullptr;
  };
  if (draw.HasPipeline(point)) {
    const auto* const pipeline = state::DeviceState::Get<state::Pipeline>(bound.pipeline);
    if (const ResourceAccesses* accesses = accesses_of(pipeline)) visit(*accesses, pipeline);
    return;
  }
  const VkShaderStageFlags stages =
      point == DrawRecording::kCompute ? VkShaderStageFlags{VK_SHADER_STAGE_COMPUTE_BIT} : vk::kAnyGraphicsStage;
  for (VkShaderStageFlags rest = stages & draw.called_stages(); rest != 0; rest &= rest - 1) {
    const auto stage = static_cast<VkShaderStageFlagBits>(rest & ~(rest - 1));
    const auto* const shader = state::DeviceState::Get<state::Shader>(buffer.draw.shader(stage));
    if (const ResourceAccesses* accesses = accesses_of(shader)) visit(*accesses, nullptr);
  }
}

}  // namespace assay::core

#endif  // ASSAY_CORE_DESCRIPTORS_BOUND_ACCESSES_H_
