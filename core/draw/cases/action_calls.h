// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_CASES_ACTION_CALLS_H_
#define ASSAY_CORE_DRAW_CASES_ACTION_CALLS_H_

#include <vector>

#include "core/draw/action_rules.h"
#include "testing/functions.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// Test-only: correct calls of action commands.
namespace assay::core {

// Parameters of the calls, where they have them.
struct ActionNumbers {
  uint32_t first_index = 0;
  uint32_t first_instance = 0;
};

struct ActionCall {
  vk::CommandId command;
  std::string_view name;
  DrawRecording::BindPoint point;
  // Whether a graphics pipeline for the command has a mesh shader.
  bool draws_meshes;
  // Records the command. The buffer has parameters of indirect commands, all zero, and the table of shaders.
  void (*run)(const test::Functions& vk, VkCommandBuffer commands, VkBuffer buffer, VkDeviceAddress address,
              const ActionNumbers& numbers);
};

// One for each action command.
const std::vector<ActionCall>& ActionCalls();

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_CASES_ACTION_CALLS_H_
