// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_ACTION_REPORT_H_
#define ASSAY_CORE_DRAW_ACTION_REPORT_H_

#include <string>
#include <string_view>

#include "core/draw/draw_rules.h"
#include "core/recording/dynamic_states.h"
#include "vk/vuid.h"

// Reports for action commands. Private to the package.
namespace assay::core {

// Reports that the command breaks a rule. Does nothing if the command does not have it.
void Report(Action& action, vk::VuidIndex vuid, std::string_view text, std::string_view fix = {});
void Report(Action& action, ActionRule rule, std::string_view text);

// "VK_PIPELINE_BIND_POINT_GRAPHICS".
std::string_view PointName(const Action& action);
// The bound pipeline: "VkPipeline 0x12[name]".
std::string PipelineText(const Action& action);
// "VK_DYNAMIC_STATE_A, VK_DYNAMIC_STATE_B".
std::string Names(const StateSet& states);

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_ACTION_REPORT_H_
