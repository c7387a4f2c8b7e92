// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_RULES_DYNAMIC_STATE_RULE_INFO_H_
#define ASSAY_VK_RULES_DYNAMIC_STATE_RULE_INFO_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vk/command_id.h"
#include "vk/commands.h"
#include "vk/extension_id.h"
#include "vk/feature_id.h"
#include "vk/vulkan.h"

// The dynamic state that draws and traces need, as registry/draws/draw_rules.py reads it: which state must have been
// set before, by which pipeline or shader objects it is needed, and at which values of other states. The tables,
// kDynamicStateRules and such, are in vk/dynamic_state_rules.h. A dynamic state is an index into kDynamicStates there.
namespace assay::vk {

inline constexpr uint8_t kNoDynamicState = 0xff;
inline constexpr VkShaderStageFlags kAnyGraphicsStage =
    VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;

// A command that sets a state. Some states have two of them.
struct DynamicStateSetter {
  static constexpr uint16_t kNoValue = 0xffff;

  CommandId command;
  uint8_t state;
  // Bytes from the beginning of the command's parameters to the value, if it is one number of 4 bytes.
  uint16_t value_offset;
};

enum class DynamicStateTest : uint8_t {
  kEquals,
  kDiffers,
  // The value is a VkPrimitiveTopology of lines.
  kIsLine,
};

// The current value of a state, compared with a number. The value of a state that is an array has a bit for each
// element.
struct DynamicStateTerm {
  uint8_t state = kNoDynamicState;
  DynamicStateTest test = DynamicStateTest::kEquals;
  uint32_t number = 0;
};

// Whether the chain of the pipeline's create info has a VkPipelineDiscardRectangleStateCreateInfoEXT.
enum class DiscardRectangles : uint8_t { kEither, kPresent, kAbsent };

struct DynamicStateRule {
  // What follows the owner in the ids: "None-07840". A command without that id does not have the rule.
  std::string_view name;
  // The command that sets the state, by which messages name it.
  CommandId setter;
  // One of these must have been set. Equal if there is one.
  std::array<uint8_t, 2> needed;
  // The rule applies to pipelines that have both as dynamic states; kNoDynamicState if it is not about pipelines.
  std::array<uint8_t, 2> pipeline;
  // A dynamic state that the pipeline must not have.
  uint8_t without;
  // A stage that the pipeline must have; 0 if none.
  VkShaderStageFlags pipeline_stage;
  // The rule applies if one of these stages has a shader object; 0 if it is not about shader objects.
  VkShaderStageFlags shader_stages;
  // One of these is enabled.
  std::array<FeatureId, 3> features;
  uint8_t feature_count;
  std::optional<ExtensionId> extension;
  // All of these hold.
  std::array<DynamicStateTerm, 3> terms;
  uint8_t term_count;
  // Whether the render pass instance has color attachments.
  bool with_colors;
  DiscardRectangles discard_rectangles;
};

}  // namespace assay::vk

#endif  // ASSAY_VK_RULES_DYNAMIC_STATE_RULE_INFO_H_
