// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/bound_shaders.h"

#include "gpuav/pipelines/pipeline_layouts.h"
#include "gpuav/pipelines/pipelines.h"
#include "gpuav/pipelines/shader_objects.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

constexpr VkShaderStageFlagBits kGraphicsStages[] = {VK_SHADER_STAGE_VERTEX_BIT,
                                                     VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                                     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                                     VK_SHADER_STAGE_GEOMETRY_BIT,
                                                     VK_SHADER_STAGE_FRAGMENT_BIT,
                                                     VK_SHADER_STAGE_TASK_BIT_EXT,
                                                     VK_SHADER_STAGE_MESH_BIT_EXT};

BoundShaders OfPipeline(VkPipeline handle) {
  const auto* pipeline = state::DeviceState::Get<state::Pipeline>(handle);
  const PipelineData* data = pipeline != nullptr ? pipeline->Sub<PipelineData>() : nullptr;
  if (data == nullptr || !pipeline->layout) return {};
  const bool is_instrumented = !data->shaders().empty();
  if (!is_instrumented && data->host() == nullptr) return {};
  const auto* layout = pipeline->layout->Sub<LayoutData>();
  if (layout == nullptr || !layout->has_reserved_set()) return {};
  return {.layout = layout->layout(),
          .is_instrumented = is_instrumented,
          .host = data->host(),
          .graphics = pipeline->graphics.get(),
          .has_robust_vertex_inputs = data->has_robust_vertex_inputs()};
}

VkPipelineLayout LayoutOf(VkShaderEXT handle) {
  if (handle == VK_NULL_HANDLE) return VK_NULL_HANDLE;
  const auto* shader = state::DeviceState::Get<state::Shader>(handle);
  const auto* data = shader != nullptr ? shader->Sub<ShaderObjectData>() : nullptr;
  return data != nullptr ? data->layout() : VK_NULL_HANDLE;
}

// All shaders that are bound have the same set layouts, so that any of their pipeline layouts will do.
VkPipelineLayout LayoutOfShaders(const state::DrawState& draw, VkPipelineBindPoint point) {
  if (point == VK_PIPELINE_BIND_POINT_COMPUTE) return LayoutOf(draw.shader(VK_SHADER_STAGE_COMPUTE_BIT));
  if (point != VK_PIPELINE_BIND_POINT_GRAPHICS || !draw.has_graphics_shaders()) return VK_NULL_HANDLE;
  for (const VkShaderStageFlagBits stage : kGraphicsStages) {
    const VkPipelineLayout layout = LayoutOf(draw.shader(stage));
    if (layout != VK_NULL_HANDLE) return layout;
  }
  return VK_NULL_HANDLE;
}

}  // namespace

BoundShaders FindBoundShaders(const Context& context, const state::CommandBuffer& buffer, VkPipelineBindPoint point) {
  const VkPipeline pipeline = buffer.At(point).pipeline;
  if (pipeline != VK_NULL_HANDLE) return OfPipeline(pipeline);
  return {.layout = LayoutOfShaders(buffer.draw, point),
          .has_robust_vertex_inputs = context.device().HasFeature(vk::FeatureId::kRobustBufferAccess)};
}

}  // namespace assay::gpuav
