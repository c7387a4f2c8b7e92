// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_CASES_SHADER_TEXTS_H_
#define ASSAY_CORE_DRAW_CASES_SHADER_TEXTS_H_

#include <string>
#include <vector>

#include "core/shader_stages/stage_text_test.h"
#include "vk/vulkan.h"

// Test-only: the shaders of DrawTest, as SPIR-V text.
namespace assay::core {

// What is added to the shaders of some stages, as SPIR-V: each a part of the module. There are %void, %uint and %zero.
struct ShaderAddition {
  // Every pipeline has one of these.
  VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_MESH_BIT_EXT | VK_SHADER_STAGE_COMPUTE_BIT |
                              VK_SHADER_STAGE_RAYGEN_BIT_KHR;
  // Capabilities() with their extensions, and what else stands before the memory model.
  std::string capabilities;
  std::string extensions;
  // For the entry point, besides those of `globals`.
  std::string variables;
  std::string decorations;
  // Execution modes instead of those that the stage has here.
  std::string modes;
  std::string declarations;
  // Behind the declarations.
  std::vector<StageVariable> globals;
  std::string body;
};

// A shader main() of the stage that does nothing else. `is_nv`: a mesh shader of VK_NV_mesh_shader.
std::string ShaderTextOf(VkShaderStageFlagBits stage, const ShaderAddition& with, bool is_nv = false);

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_CASES_SHADER_TEXTS_H_
