// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/action_rules.h"

#include <algorithm>

#include "vk/commands.h"

namespace assay::core {
ActionIds FindActionIds(std::string_view command, DrawRecording::BindPoint point) {
  ActionIds ids = {{}, vk::SharedRuleIds<kActionRules>(command)};
  const bool draws_meshes = ids.Of("stage-06480") != vk::kNoVuid;
  for (size_t i = 0; i < vk::kDynamicStateRuleCount; ++i) {
    const vk::DynamicStateRule& rule = vk::kDynamicStateRules[i];
    // Draws of meshes have some rules of vertex and geometry shaders, too, but no such shader.
    const bool is_of_vertices = (rule.pipeline_stage & kVertexStages) != 0 ||
                                (rule.pipeline[0] == vk::kNoDynamicState && (rule.shader_stages & ~kVertexStages) == 0);
    ids.states[i] = draws_meshes && is_of_vertices ? vk::kNoVuid : vk::FindVuidOf(command, rule.name);
  }
  for (const ActionRule rule :
       {ActionRule("None-08619"), ActionRule("None-08668"), ActionRule("None-08671"), ActionRule("stage-07073")}) {
    if (draws_meshes) ids.others.Remove(rule);
  }
  // Other pipelines have no state that commands could set all the same.
  if (point != DrawRecording::kGraphics) ids.others.Remove("None-08608");
  return ids;
}

std::vector<vk::VuidIndex> DrawIds() {
  std::vector<vk::VuidIndex> all;
  vk::ForEachCommand([&](auto tag) {
    using C = typename decltype(tag)::Command;
    if constexpr (ActionCommand<C>) {
      const ActionIds& ids = IdsOf<C>();
      all.insert(all.end(), ids.states.begin(), ids.states.end());
      all.insert(all.end(), ids.others.begin(), ids.others.end());
    }
  });
  std::erase(all, vk::kNoVuid);
  return all;
}

}  // namespace assay::core
