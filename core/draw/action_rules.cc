// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/action_rules.h"

#include <algorithm>

#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

using Action = state::GeneratedSequence::Action;

// By Action, without kNone.
constexpr DrawRecording::BindPoint kGeneratedPoints[] = {DrawRecording::kGraphics, DrawRecording::kGraphics,
                                                         DrawRecording::kGraphics, DrawRecording::kCompute,
                                                         DrawRecording::kRayTracing};

template <class T, class I>
std::optional<ActionForm> GeneratedForm(const I* info) {
  const T* const layout = info != nullptr ? state::DeviceState::Get<T>(info->indirectCommandsLayout) : nullptr;
  if (layout == nullptr || layout->sequence.sets_states || layout->sequence.action == Action::kNone)
    return std::nullopt;
  const state::GeneratedSequence& sequence = layout->sequence;
  const size_t action = static_cast<size_t>(sequence.action) - 1;
  return ActionForm{kGeneratedPoints[action], 0, sequence.binds_vertex_buffers, sequence.pushes_constants,
                    kGeneratedLike[action]};
}

}  // namespace

std::optional<ActionForm> FormOf(const VkGeneratedCommandsInfoEXT* info) {
  if (info != nullptr && info->indirectExecutionSet != VK_NULL_HANDLE) return std::nullopt;
  return GeneratedForm<state::IndirectCommandsLayoutEXT>(info);
}
std::optional<ActionForm> FormOf(const VkGeneratedCommandsInfoNV* info) {
  return GeneratedForm<state::IndirectCommandsLayoutNV>(info);
}

ActionIds FindActionIds(std::string_view command, DrawRecording::BindPoint point, std::string_view like) {
  ActionIds ids = {{}, vk::SharedRuleIds<kActionRules>(command)};
  if (!like.empty()) ids.others.KeepOnly(vk::SharedRuleIds<kActionRules>(like));
  const bool draws_meshes = ids.Of("stage-06480") != vk::kNoVuid;
  for (size_t i = 0; i < vk::kDynamicStateRuleCount; ++i) {
    const vk::DynamicStateRule& rule = vk::kDynamicStateRules[i];
    // Draws of meshes have some rules of vertex and geometry shaders, too, but no such shader.
    const bool is_of_vertices = (rule.pipeline_stage & kVertexStages) != 0 ||
                                (rule.pipeline[0] == vk::kNoDynamicState && (rule.shader_stages & ~kVertexStages) == 0);
    const bool has_rule = like.empty() || vk::FindVuidOf(like, rule.name) != vk::kNoVuid;
    if (has_rule && !(draws_meshes && is_of_vertices)) ids.states[i] = vk::FindVuidOf(command, rule.name);
  }
  for (const ActionRule rule :
       {ActionRule("None-08619"), ActionRule("None-08668"), ActionRule("None-08671"), ActionRule("stage-07073")}) {
    if (draws_meshes) ids.others.Remove(rule);
  }
  // Compute pipelines have no state that commands could set all the same.
  if (point != DrawRecording::kGraphics && point != DrawRecording::kRayTracing) ids.others.Remove("None-08608");
  return ids;
}

std::vector<ActionIds> FindGeneratedIds(std::string_view command) {
  std::vector<ActionIds> ids;
  ids.reserve(std::size(kGeneratedLike));
  for (size_t i = 0; i < std::size(kGeneratedLike); ++i)
    ids.push_back(FindActionIds(command, kGeneratedPoints[i], kGeneratedLike[i]));
  return ids;
}

std::vector<vk::VuidIndex> DrawIds() {
  std::vector<vk::VuidIndex> all;
  vk::ForEachCommand([&](auto tag) {
    using C = typename decltype(tag)::Command;
    const auto add = [&](const ActionIds& ids) {
      all.insert(all.end(), ids.states.begin(), ids.states.end());
      all.insert(all.end(), ids.others.begin(), ids.others.end());
    };
    if constexpr (GeneratedCommands<C>) {
      std::ranges::for_each(FindGeneratedIds(C::kName), add);
    } else if constexpr (ActionCommand<C>) {
      add(IdsOf<C>(FormOf<C>()));
    }
  });
  std::erase(all, vk::kNoVuid);
  return all;
}

}  // namespace assay::core
