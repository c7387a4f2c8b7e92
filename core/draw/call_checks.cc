// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of draws and what is bound for them. Each call has its own, so that these are compared each time.

#include <array>
#include <cstddef>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

// By dimension; the last is that of their product.
using GroupRules = std::array<ActionRule, 4>;
constexpr GroupRules kTaskRules = {ActionRule("TaskEXT-07322"), ActionRule("TaskEXT-07323"),
                                   ActionRule("TaskEXT-07324"), ActionRule("TaskEXT-07325")};
constexpr GroupRules kMeshRules = {ActionRule("TaskEXT-07326"), ActionRule("TaskEXT-07327"),
                                   ActionRule("TaskEXT-07328"), ActionRule("TaskEXT-07329")};
constexpr std::string_view kGroupNames[] = {"groupCountX", "groupCountY", "groupCountZ"};

}  // namespace

void DrawRules::CheckInstances(Action action, uint32_t first, uint32_t count) const {
  if (action.buffer.rendering.view_mask() == 0) return;
  Report(action, "maxMultiviewInstanceIndex-02688",
         absl::StrCat("firstInstance (", first, ") and instanceCount (", count,
                      ") give a last instance that is larger than maxMultiviewInstanceIndex (", instance_limit_ - 1,
                      "), in a render pass instance with multiview."));
}

void DrawRules::CheckSubpass(Action action) {
  const state::Subpass* const subpass = action.buffer.rendering.subpass();
  if (subpass == nullptr || subpass->bind_point == VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI) return;
  Report(action, "None-04931",
         absl::StrCat("The pipelineBindPoint of subpass ", action.buffer.rendering.subpass_index(), " is ",
                      vk::EnumName(vk::EnumId::kPipelineBindPoint, subpass->bind_point), "."));
}

void DrawRules::CheckGroups(Action action, const std::array<uint32_t, 3>& counts) const {
  const PipelineStates* const pipeline = action.draw().pipeline(action.form.point);
  const auto* const limits = mesh_limits_;
  if (limits == nullptr || pipeline == nullptr || (pipeline->stages & VK_SHADER_STAGE_MESH_BIT_EXT) == 0) return;
  const bool has_task = (pipeline->stages & VK_SHADER_STAGE_TASK_BIT_EXT) != 0;
  const GroupRules& rules = has_task ? kTaskRules : kMeshRules;
  const std::string_view name = has_task ? "maxTaskWorkGroup" : "maxMeshWorkGroup";
  const auto most = absl::MakeConstSpan(has_task ? limits->maxTaskWorkGroupCount : limits->maxMeshWorkGroupCount);
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] <= most[i]) continue;
    Report(action, rules[i],
           absl::StrCat(kGroupNames[i], " (", counts[i], ") is larger than ", name, "Count[", i, "] (", most[i], ")."));
  }
  const uint32_t total = has_task ? limits->maxTaskWorkGroupTotalCount : limits->maxMeshWorkGroupTotalCount;
  if (action.is_wrong || counts[2] == 0 || uint64_t{counts[0]} * counts[1] <= total / counts[2]) return;
  Report(action, rules[3],
         absl::StrCat("The product of groupCountX (", counts[0], "), groupCountY (", counts[1], ") and groupCountZ (",
                      counts[2], ") is larger than ", name, "TotalCount (", total, ")."));
}

}  // namespace assay::core
