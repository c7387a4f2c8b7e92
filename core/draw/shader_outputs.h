// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_SHADER_OUTPUTS_H_
#define ASSAY_CORE_DRAW_SHADER_OUTPUTS_H_

#include "core/draw/draw_rules.h"
#include "core/interfaces/shader_interface.h"
#include "vk/vulkan.h"

// What the bound shaders before rasterization make. Private to the package.
namespace assay::core {

struct ShaderOutputs {
  VkShaderStageFlagBits last_stage = VK_SHADER_STAGE_VERTEX_BIT;
  // Of that stage. kOther also for a vertex shader, and for shaders that are not known.
  OutputPrimitive primitive = OutputPrimitive::kOther;
  // Whether one of the shaders writes PrimitiveShadingRateKHR.
  bool writes_shading_rate = false;
};
// Of a draw.
ShaderOutputs OutputsOf(const Action& action);

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_SHADER_OUTPUTS_H_
