// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Whether the shader objects that a draw uses fit each other.

#include <cstddef>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using state::Shader;
using vk::FeatureId;

// In the order in which they run.
constexpr VkShaderStageFlagBits kStagesInOrder[] = {VK_SHADER_STAGE_VERTEX_BIT,
                                                    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                                    VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                                    VK_SHADER_STAGE_GEOMETRY_BIT,
                                                    VK_SHADER_STAGE_TASK_BIT_EXT,
                                                    VK_SHADER_STAGE_MESH_BIT_EXT,
                                                    VK_SHADER_STAGE_FRAGMENT_BIT};

// The shader objects in the order in which they run.
using Shaders = absl::InlinedVector<const Shader*, 8>;

std::string_view StageOf(const Shader& shader) {
  return vk::EnumName(vk::EnumId::kShaderStageFlagBits, shader.stage.stage);
}

const Shader* Find(const Shaders& shaders, VkShaderStageFlags stage) {
  for (const Shader* shader : shaders) {
    if (shader->stage.stage == stage) return shader;
  }
  return nullptr;
}

// All shaders that are linked with one that is bound, too.
void CheckAllLinked(const Shaders& shaders, Action& action) {
  for (const Shader* shader : shaders) {
    if (shader->linked == nullptr) continue;
    for (const VkShaderStageFlagBits stage : kStagesInOrder) {
      if ((shader->linked->stages & stage) == 0) continue;
      const Shader* const bound = Find(shaders, stage);
      if (bound != nullptr && bound->linked == shader->linked) continue;
      return Report(action, "None-08698",
                    absl::StrCat("The shader object of ", StageOf(*shader), " is linked with one of ",
                                 vk::EnumName(vk::EnumId::kShaderStageFlagBits, stage), ", which is not bound."));
    }
  }
}

// No other shader runs between linked ones, which are all bound.
void CheckBetweenLinked(const Shaders& shaders, Action& action) {
  for (size_t i = 0; i < shaders.size(); ++i) {
    if (shaders[i]->linked == nullptr) continue;
    for (size_t last = shaders.size() - 1; last > i + 1; --last) {
      if (shaders[last]->linked != shaders[i]->linked) continue;
      const Shader& between = *shaders[i + 1];
      if (between.linked == shaders[i]->linked) break;
      return Report(action, "None-08699",
                    absl::StrCat("A shader object of ", StageOf(between), " is bound. It runs between those of ",
                                 StageOf(*shaders[i]), " and ", StageOf(*shaders[last]), ", which are linked."));
    }
  }
}

}  // namespace

void DrawRules::CheckLinkedShaders(Action& action) const {
  Shaders shaders;
  bool knows_all = true;
  for (const VkShaderStageFlagBits stage : kStagesInOrder) {
    const VkShaderEXT handle = action.buffer.draw.shader(stage);
    if (handle == VK_NULL_HANDLE) continue;
    const auto* const shader = state::DeviceState::Get<Shader>(handle);
    if (shader != nullptr) shaders.push_back(shader);
    knows_all &= shader != nullptr;
  }
  if (!knows_all || shaders.empty()) return;

  const Shader* const mesh = Find(shaders, VK_SHADER_STAGE_MESH_BIT_EXT);
  if (mesh != nullptr && device_.HasFeature(FeatureId::kTaskShader) && device_.HasFeature(FeatureId::kMeshShader)) {
    const bool has_task = Find(shaders, VK_SHADER_STAGE_TASK_BIT_EXT) != nullptr;
    const bool needs_none = (mesh->flags & VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT) != 0;
    if (!has_task && !needs_none) {
      Report(action, "None-08694",
             "The bound mesh shader was created without VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT, but no task shader is "
             "bound.");
    }
    if (has_task && needs_none) {
      Report(action, "None-08695",
             "The bound mesh shader was created with VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT, but a task shader is "
             "bound.");
    }
  }
  CheckAllLinked(shaders, action);
  if (!action.is_wrong) CheckBetweenLinked(shaders, action);
  const Shader& first = *shaders.front();
  for (const Shader* shader : absl::MakeConstSpan(shaders).subspan(1)) {
    const auto report = [&](ActionRule rule, std::string_view what) {
      Report(action, rule,
             absl::StrCat("The shader objects of ", StageOf(first), " and ", StageOf(*shader),
                          " were created with different ", what, "."));
    };
    if (!state::AreAlike(first.push_constants, shader->push_constants))
      return report(ActionRule("None-08878"), "push constant ranges");
    if (!state::AreDefinedAlike(first.set_layouts, shader->set_layouts))
      return report(ActionRule("None-08879"), "descriptor set layouts");
  }
}

}  // namespace assay::core
