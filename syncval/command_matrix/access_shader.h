// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMAND_MATRIX_ACCESS_SHADER_H_
#define ASSAY_SYNCVAL_COMMAND_MATRIX_ACCESS_SHADER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vk/vulkan.h"

// Shaders of any stage that make one access through one descriptor.
namespace assay::syncval::command_matrix {

// A shader stage, and the pipeline stage of its accesses.
struct ShaderStage {
  std::string_view name;
  VkShaderStageFlagBits stage;
  VkPipelineStageFlags2 pipeline_stage;
};
const std::vector<ShaderStage>& ShaderStages();

// An access of a shader through the descriptor at set 0, binding 0.
struct DescriptorAccess {
  std::string_view name;
  VkDescriptorType type;
  VkAccessFlags2 access;
  // The declaration of %target, and instructions that access it.
  std::string_view declaration;
  std::string_view instructions;
  // "OpCapability ..." and "OpExtension ..."; the latter is last.
  std::string_view capabilities;
  // The shader stages that can make it.
  VkShaderStageFlags stages = VK_SHADER_STAGE_ALL;
};
// The accesses to a buffer, and those to an image or an attachment.
const std::vector<DescriptorAccess>& BufferDescriptorAccesses();
const std::vector<DescriptorAccess>& ImageDescriptorAccesses();

std::vector<uint32_t> AccessShader(VkShaderStageFlagBits stage, const DescriptorAccess& access);
// The smallest shader of the stage, for stages that a pipeline must have besides.
std::vector<uint32_t> EmptyShader(VkShaderStageFlagBits stage);
// A fragment shader with the execution mode EarlyFragmentTests and nothing else.
std::vector<uint32_t> EarlyTestsShader();

}  // namespace assay::syncval::command_matrix

#endif  // ASSAY_SYNCVAL_COMMAND_MATRIX_ACCESS_SHADER_H_
