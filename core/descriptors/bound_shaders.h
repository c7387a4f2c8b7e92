// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DESCRIPTORS_BOUND_SHADERS_H_
#define ASSAY_CORE_DESCRIPTORS_BOUND_SHADERS_H_

#include <cstdint>

#include "core/draw/action_rules.h"
#include "core/interfaces/resource_accesses.h"
#include "core/recording/draw_recording.h"
#include "core/recording/recording_scope.h"
#include "state/state.h"
#include "vk/dynamic_state_rules.h"
#include "vk/vulkan.h"

// The shaders that an action command runs, with the descriptors that are bound for them.
namespace assay::core {

// Equal where nothing else is bound for the command.
inline UsedDescriptors UsedAt(DrawRecording::BindPoint point, const state::CommandBuffer& buffer,
                              const RecordingScope& scope) {
  const state::BindPointState& bound = buffer.At(PointOf(point));
  // The key of draws changes with each shader object that is bound.
  const uint64_t shaders =
      scope.draw.HasPipeline(point) ? reinterpret_cast<uint64_t>(bound.pipeline) : buffer.draw.key();
  UsedDescriptors used = {shaders, bound.sets_key, bound.layouts_key};
  if (point == DrawRecording::kGraphics) {
    used.rendering = buffer.rendering.version();
    used.feedback_loops = buffer.draw.dynamic().feedback_loop_aspects;
  }
  return used;
}

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

// What is bound for an action command.
struct BoundShaders {
  DrawRecording::BindPoint point;
  const state::CommandBuffer& buffer;
  const DrawRecording& draw;
  const state::BindPointState& bound;

  // Null with shader objects.
  const state::Pipeline* pipeline() const {
    return draw.HasPipeline(point) ? state::DeviceState::Get<state::Pipeline>(bound.pipeline) : nullptr;
  }
  // Whether rasterization is discarded, or may be, so that no fragment shader runs.
  bool MayDiscard() const { return draw.ValueOf(IndexOf(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE)) != VK_FALSE; }

  // Calls visit(resources, pipeline, shader) for the pipeline or each shader object that has resources; the other is
  // null.
  template <class F>
  void ForEach(const F& visit) const {
    const auto resources_of = [](const auto* object) {
      return object != nullptr ? static_cast<const ResourceAccesses*>(object->core_resources.get()) : nullptr;
    };
    const state::Shader* const no_shader = nullptr;
    if (draw.HasPipeline(point)) {
      const state::Pipeline* const of = pipeline();
      if (const ResourceAccesses* resources = resources_of(of)) visit(*resources, of, no_shader);
      return;
    }
    const state::Pipeline* const no_pipeline = nullptr;
    const VkShaderStageFlags stages =
        point == DrawRecording::kCompute ? VkShaderStageFlags{VK_SHADER_STAGE_COMPUTE_BIT} : vk::kAnyGraphicsStage;
    for (VkShaderStageFlags rest = stages & draw.called_stages(); rest != 0; rest &= rest - 1) {
      const auto stage = static_cast<VkShaderStageFlagBits>(rest & ~(rest - 1));
      const auto* const shader = state::DeviceState::Get<state::Shader>(buffer.draw.shader(stage));
      if (const ResourceAccesses* resources = resources_of(shader)) visit(*resources, no_pipeline, shader);
    }
  }
};

}  // namespace assay::core

#endif  // ASSAY_CORE_DESCRIPTORS_BOUND_SHADERS_H_
