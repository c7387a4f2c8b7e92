// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_CASES_ACTION_CALLS_H_
#define ASSAY_CORE_DRAW_CASES_ACTION_CALLS_H_

#include <array>
#include <functional>
#include <iterator>
#include <string_view>
#include <vector>

#include "core/draw/action_rules.h"
#include "testing/functions.h"
#include "vk/command_id.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Test-only: correct calls of action commands.
namespace assay::core {

// Of generated commands, by index in kGeneratedLike.
inline constexpr VkShaderStageFlags kGeneratedStages[] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_VERTEX_BIT,
                                                          VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_COMPUTE_BIT,
                                                          VK_SHADER_STAGE_RAYGEN_BIT_KHR};

// More parameters of generated commands.
struct GeneratedCall {
  // Instead of those of ActionNumbers.
  VkIndirectCommandsLayoutEXT sequence = VK_NULL_HANDLE;
  VkIndirectCommandsLayoutNV sequence_nv = VK_NULL_HANDLE;
  VkIndirectExecutionSetEXT set = VK_NULL_HANDLE;
  // Instead of those of the sequence.
  VkShaderStageFlags stages = 0;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkBool32 is_preprocessed = VK_FALSE;
};

// Parameters of the calls, where they have them.
struct ActionNumbers {
  uint32_t first_index = 0;
  uint32_t first_instance = 0;
  // Of generated commands, by index in kGeneratedLike. Each sequence is one action.
  std::array<VkIndirectCommandsLayoutEXT, std::size(kGeneratedLike)> sequences = {};
  std::array<VkIndirectCommandsLayoutNV, std::size(kGeneratedLike)> sequences_nv = {};
  // What generated commands name as theirs.
  VkPipeline generated = VK_NULL_HANDLE;
  GeneratedCall call;
  // Of dispatches of execution graphs; 0 for where all indirect commands have theirs.
  VkDeviceAddress scratch = 0;
  VkDeviceSize scratch_size = 64;
  VkDeviceAddress read = 0;
  // The four tables of shaders; null for one with ray generation alone.
  const VkStridedDeviceAddressRegionKHR* tables = nullptr;
  VkExtent3D rays = {1, 1, 1};
  // Where indirect traces have theirs; 0 for where all indirect commands have them.
  VkDeviceAddress arguments = 0;
};

struct ActionCall {
  vk::CommandId command;
  std::string_view name;
  DrawRecording::BindPoint point;
  // Of generated commands: a command whose rules it has, as far as there are such rules for it.
  std::string_view like;
  // Whether a graphics pipeline for the command has a mesh shader.
  bool draws_meshes;
  // Records the command. The buffer has parameters of indirect commands, all zero, and the table of shaders.
  std::function<void(const test::Functions& vk, VkCommandBuffer commands, VkBuffer buffer, VkDeviceAddress address,
                     const ActionNumbers& numbers)>
      run;

  bool Has(std::string_view rule) const {
    const auto has = [&](std::string_view command) { return vk::FindVuidOf(command, rule) != vk::kNoVuid; };
    return has(name) && (like.empty() || has(like));
  }
};

// One for each action command.
const std::vector<ActionCall>& ActionCalls();

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_CASES_ACTION_CALLS_H_
