// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which dynamic state must have been set.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "core/draw/shader_outputs.h"
#include "vk/command_info.h"

namespace assay::core {
namespace {

bool IsLine(uint32_t topology) {
  return topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST || topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP ||
         topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
         topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY;
}

// False if the value is not known.
bool Holds(const vk::DynamicStateTerm& term, const DrawRecording& draw) {
  const std::optional<uint32_t> value = draw.ValueOf(term.state);
  if (!value) return false;
  switch (term.test) {
    case vk::DynamicStateTest::kEquals:
      return *value == term.number;
    case vk::DynamicStateTest::kDiffers:
      return *value != term.number;
    case vk::DynamicStateTest::kIsLine:
      return IsLine(*value);
  }
  return false;
}

bool HasColorAttachments(const state::RenderPassInstance& rendering) {
  for (uint32_t i = 0; i < rendering.color_count(); ++i) {
    if (rendering.ColorAttachment(i) != nullptr) return true;
  }
  return false;
}

bool AppliesTo(const vk::DynamicStateRule& rule, const PipelineStates& pipeline) {
  if (!pipeline.dynamic.Has(rule.pipeline[0]) || !pipeline.dynamic.Has(rule.pipeline[1])) return false;
  if (pipeline.dynamic.Has(rule.without)) return false;
  if (rule.pipeline_stage != 0 && (pipeline.stages & rule.pipeline_stage) == 0) return false;
  return rule.discard_rectangles == vk::DiscardRectangles::kEither ||
         pipeline.has_discard_rectangles == (rule.discard_rectangles == vk::DiscardRectangles::kPresent);
}

// Whether the value of the state certainly matters to draws with a pipeline. Many programs make all pipelines with the
// same dynamic states and set those that matter.
bool CertainlyMatters(uint8_t state, const PipelineStates& pipeline, const DrawRecording& draw) {
  if (state == IndexOf(VK_DYNAMIC_STATE_BLEND_CONSTANTS)) return pipeline.uses_blend_constants;
  if (state != IndexOf(VK_DYNAMIC_STATE_LINE_WIDTH)) return true;
  constexpr VkShaderStageFlags kMakePrimitives =
      VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_MESH_BIT_EXT;
  if ((pipeline.stages & kMakePrimitives) != 0) return false;
  const std::optional<uint32_t> topology = draw.ValueOf(IndexOf(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY));
  if (topology && IsLine(*topology)) return true;
  return topology && *topology != VK_PRIMITIVE_TOPOLOGY_POINT_LIST &&
         draw.ValueOf(IndexOf(VK_DYNAMIC_STATE_POLYGON_MODE_EXT)) == uint32_t{VK_POLYGON_MODE_LINE};
}

bool HasShader(const state::DrawState& draw, VkShaderStageFlags stages) {
  for (uint32_t bit = 1; bit <= VK_SHADER_STAGE_MESH_BIT_EXT; bit <<= 1) {
    if ((stages & bit) != 0 && draw.shader(static_cast<VkShaderStageFlagBits>(bit)) != VK_NULL_HANDLE) return true;
  }
  return false;
}

void ReportMissing(Action& action, vk::VuidIndex vuid, uint8_t state, vk::CommandId setter) {
  const std::string_view setter_name = vk::GetCommandInfo(setter).name;
  StateSet missing;
  missing.Add(state);
  const std::string who = action.draw().pipeline(action.form.point) != nullptr
                              ? absl::StrCat("dynamic state of ", PipelineText(action))
                              : std::string("needed by shader objects");
  Report(action, vuid, absl::StrCat(Names(missing), " is ", who, ", but it is not set."),
         absl::StrCat("Call ", setter_name,
                      " before, and again after vkCmdExecuteCommands, and after binding a pipeline "
                      "that is created without that dynamic state."));
}

struct LineState {
  VkDynamicState state;
  ActionRule rule;
  vk::CommandId setter;
};
constexpr LineState kLineStates[] = {
    {VK_DYNAMIC_STATE_LINE_WIDTH, ActionRule("None-08619"), vk::CommandId::kCmdSetLineWidth},
    {VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, ActionRule("None-08668"),
     vk::CommandId::kCmdSetLineRasterizationModeEXT},
    {VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, ActionRule("None-08671"), vk::CommandId::kCmdSetLineStippleEnableEXT},
};

}  // namespace

void DrawRules::CheckLineStates(Action& action, const StateSet& reported) const {
  const DrawRecording& draw = action.draw();
  if (draw.ValueOf(IndexOf(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE)) != uint32_t{VK_FALSE}) return;
  if (OutputsOf(action).primitive != OutputPrimitive::kLines) return;
  for (const LineState& line : kLineStates) {
    const uint8_t state = IndexOf(line.state);
    if (draw.set().Has(state) || reported.Has(state) || !shader_states_.Has(state)) continue;
    ReportMissing(action, action.ids.Of(line.rule), state, line.setter);
  }
}

void DrawRules::CheckBlendConstants(Action& action) const {
  const DrawRecording& draw = action.draw();
  const auto value = [&](VkDynamicState state) { return draw.ValueOf(IndexOf(state)); };
  if (draw.set().Has(IndexOf(VK_DYNAMIC_STATE_BLEND_CONSTANTS))) return;
  if (!HasShader(action.buffer.draw, VK_SHADER_STAGE_FRAGMENT_BIT)) return;
  if (value(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE) != uint32_t{VK_FALSE}) return;
  const uint32_t enabled = value(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT).value_or(0);
  const uint32_t with_constants = value(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT).value_or(0);
  if ((enabled & with_constants) == 0) return;
  ReportMissing(action, action.ids.Of("None-08621"), IndexOf(VK_DYNAMIC_STATE_BLEND_CONSTANTS),
                vk::CommandId::kCmdSetBlendConstants);
}

void DrawRules::CheckCounts(Action& action) const {
  const DrawRecording& draw = action.draw();
  const uint8_t viewports = IndexOf(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
  const uint8_t scissors = IndexOf(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
  const PipelineStates* const pipeline = draw.pipeline(action.form.point);
  if (draw.inherits_viewports() || !draw.set().Has(viewports) || !draw.set().Has(scissors)) return;
  if (pipeline != nullptr && (!pipeline->dynamic.Has(viewports) || !pipeline->dynamic.Has(scissors))) return;
  if (draw.last_value(viewports) == draw.last_value(scissors)) return;
  Report(action, "viewportCount-03419",
         absl::StrCat("vkCmdSetViewportWithCount has set viewportCount ", draw.last_value(viewports),
                      ", but vkCmdSetScissorWithCount scissorCount ", draw.last_value(scissors), "."));
}

bool DrawRules::Applies(const vk::DynamicStateRule& rule, const Action& action) const {
  const DrawRecording& draw = action.draw();
  if (const PipelineStates* const pipeline = draw.pipeline(action.form.point)) {
    if (!AppliesTo(rule, *pipeline)) return false;
    if (!device_.instance.settings.strict && !CertainlyMatters(rule.needed[0], *pipeline, draw)) return false;
  } else if (!HasShader(action.buffer.draw, rule.shader_stages)) {
    return false;
  }
  // Advanced equations stand for the others.
  if (rule.needed[0] == IndexOf(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT) && rule.shader_stages != 0 &&
      draw.set().Has(IndexOf(VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT))) {
    return false;
  }
  if (rule.with_colors && !HasColorAttachments(action.buffer.rendering)) return false;
  return std::ranges::all_of(absl::MakeConstSpan(rule.terms).first(rule.term_count),
                             [&](const vk::DynamicStateTerm& term) { return Holds(term, draw); });
}

void DrawRules::CheckNeededStates(Action& action) const {
  const DrawRecording& draw = action.draw();
  const PipelineStates* const pipeline = draw.pipeline(action.form.point);
  const StateSet missing = (pipeline != nullptr ? pipeline->dynamic : shader_states_).Without(draw.set());
  if (missing.empty()) [[likely]]
    return;
  StateSet reported;
  for (size_t i = 0; i < vk::kDynamicStateRuleCount; ++i) {
    const vk::DynamicStateRule& rule = vk::kDynamicStateRules[i];
    if (!(pipeline != nullptr ? enabled_ : enabled_for_shaders_)[i] || action.ids.states[i] == vk::kNoVuid ||
        reported.Has(rule.needed[0]))
      continue;
    if (draw.set().Has(rule.needed[0]) || draw.set().Has(rule.needed[1]) || !Applies(rule, action)) continue;
    reported.Add(rule.needed[0]);
    ReportMissing(action, action.ids.states[i], rule.needed[0], rule.setter);
  }
  if (pipeline != nullptr) return;
  CheckBlendConstants(action);
  CheckLineStates(action, reported);
}

}  // namespace assay::core
