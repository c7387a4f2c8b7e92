// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/bound_shaders.h"

#include "gpuav/pipelines/pipeline_layouts.h"
#include "gpuav/pipelines/shader_objects.h"
#include "gpuav/shaders/shader_way.h"
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
constexpr VkShaderStageFlagBits kComputeStages[] = {VK_SHADER_STAGE_COMPUTE_BIT};

BoundShaders OfPipeline(VkPipeline handle) {
  const auto* pipeline = state::DeviceState::Get<state::Pipeline>(handle);
  const PipelineData* data = pipeline != nullptr ? pipeline->Sub<PipelineData>() : nullptr;
  if (data == nullptr || !pipeline->layout) return {};
  const bool is_instrumented = !data->shaders().empty();
  if (!is_instrumented && data->host() == nullptr && !data->may_be_in_sets()) return {};
  const auto* layout = pipeline->layout->Sub<LayoutData>();
  if (layout == nullptr) return {};
  const bool has_descriptor_buffers = (pipeline->flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
  const bool has_set = layout->has_reserved_set() && !has_descriptor_buffers;
  if (!has_set && layout->address().stages == 0) return {};
  const bool has_fixed_set = has_set && data->may_be_in_sets();
  return {.layout = has_fixed_set ? layout->fixed() : layout->layout(),
          .address = has_set ? PushedAddress() : layout->address(),
          .has_descriptor_buffers = has_descriptor_buffers,
          .has_fixed_set = has_fixed_set,
          .may_be_in_sets = data->may_be_in_sets(),
          .is_instrumented = is_instrumented,
          .host = data->host(),
          .graphics = pipeline->graphics.get(),
          .has_robust_vertex_inputs = data->has_robust_vertex_inputs(),
          .pipeline = handle,
          .two = data->two()};
}

// Null if the shader is not instrumented.
const ShaderObjectData* DataOf(VkShaderEXT handle) {
  if (handle == VK_NULL_HANDLE) return nullptr;
  const auto* shader = state::DeviceState::Get<state::Shader>(handle);
  const auto* data = shader != nullptr ? shader->Sub<ShaderObjectData>() : nullptr;
  return data != nullptr && data->layout() != VK_NULL_HANDLE ? data : nullptr;
}

// All shaders that are bound have the same set layouts and push constant ranges, so that any of them will do.
const ShaderObjectData* FindShader(const state::DrawState& draw, VkPipelineBindPoint point) {
  if (point == VK_PIPELINE_BIND_POINT_GRAPHICS && !draw.has_graphics_shaders()) return nullptr;
  for (const VkShaderStageFlagBits stage : StagesOf(point)) {
    if (const ShaderObjectData* const data = DataOf(draw.shader(stage))) return data;
  }
  return nullptr;
}

}  // namespace

absl::Span<const VkShaderStageFlagBits> StagesOf(VkPipelineBindPoint point) {
  if (point == VK_PIPELINE_BIND_POINT_GRAPHICS) return kGraphicsStages;
  if (point == VK_PIPELINE_BIND_POINT_COMPUTE) return kComputeStages;
  return {};
}

BoundShaders FindBoundShaders(const Context& context, const state::CommandBuffer& buffer, VkPipelineBindPoint point) {
  const VkPipeline pipeline = buffer.At(point).pipeline;
  if (pipeline != VK_NULL_HANDLE) return OfPipeline(pipeline);
  const ShaderObjectData* const shader = FindShader(buffer.draw, point);
  if (shader == nullptr) return {};
  return {.layout = shader->layout(),
          .address = shader->address(),
          .has_descriptor_buffers = shader->way() == ShaderWay::kDescriptorBuffers,
          .has_robust_vertex_inputs = context.device().HasFeature(vk::FeatureId::kRobustBufferAccess)};
}

}  // namespace assay::gpuav
