// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/action_report.h"

#include "absl/strings/str_cat.h"
#include "vk/enum_info.h"

namespace assay::core {
void Report(Action& action, vk::VuidIndex vuid, std::string_view text, std::string_view fix) {
  if (vuid == vk::kNoVuid) return;
  action.is_wrong = true;
  action.report.Error(vuid, {{VK_OBJECT_TYPE_COMMAND_BUFFER, action.buffer.handle()}}, action.report.location(),
                      std::string(text), std::string(fix));
}

void Report(Action& action, ActionRule rule, std::string_view text) { Report(action, action.ids.Of(rule), text); }

std::string_view PointName(const Action& action) {
  return vk::EnumName(vk::EnumId::kPipelineBindPoint, PointOf(action.form.point));
}

std::string PipelineText(const Action& action) {
  return action.report.reporter().Describe(messages::Object(action.buffer.At(PointOf(action.form.point)).pipeline));
}

std::string Names(const StateSet& states) {
  std::string names;
  for (uint8_t i = 0; i < vk::kDynamicStateCount; ++i) {
    if (!states.Has(i)) continue;
    absl::StrAppend(&names, names.empty() ? "" : ", ", vk::EnumName(vk::EnumId::kDynamicState, vk::kDynamicStates[i]));
  }
  return names;
}

}  // namespace assay::core
