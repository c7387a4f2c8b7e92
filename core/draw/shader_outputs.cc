// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/shader_outputs.h"

#include <algorithm>

#include "core/descriptors/bound_shaders.h"
#include "core/interfaces/resource_accesses.h"

namespace assay::core {

ShaderOutputs OutputsOf(const Action& action) {
  ShaderOutputs outputs;
  const PipelineStates* const states = action.draw().pipeline(action.form.point);
  for (const VkShaderStageFlagBits stage :
       {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_MESH_BIT_EXT}) {
    const bool has_stage =
        states != nullptr ? (states->stages & stage) != 0 : action.buffer.draw.shader(stage) != VK_NULL_HANDLE;
    if (has_stage) outputs.last_stage = stage;
  }
  VkShaderStageFlags makers = outputs.last_stage;
  if (outputs.last_stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)
    makers |= VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
  const BoundShaders shaders{action.form.point, action.buffer, action.draw(),
                             action.buffer.At(PointOf(action.form.point))};
  shaders.ForEach([&](const ResourceAccesses& resources, const state::Pipeline*, const state::Shader*) {
    for (const ResourceAccesses::Stage& stage : resources.stages) {
      outputs.writes_shading_rate |= stage.shader->writes_shading_rate;
      if ((makers & stage.shader->stage) != 0) outputs.primitive = std::max(outputs.primitive, stage.shader->primitive);
    }
  });
  return outputs;
}

}  // namespace assay::core
