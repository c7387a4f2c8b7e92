// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/binding/bind_check.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "vk/dynamic_state_rules.h"
#include "vk/enum_info.h"

namespace assay::core {

void BindCheck::ReportQueue(VkQueueFlags flags, vk::VuidIndex rule, const messages::Location& where,
                            std::string_view what) const {
  Require(false, rule, pool(), where, [&] {
    return absl::StrCat("(", what, ") needs a queue family with ", vk::FlagsToString(vk::EnumId::kQueueFlagBits, flags),
                        ", but the command pool is for family ", buffer_.pool.queue_family, ", which has only ",
                        vk::FlagsToString(vk::EnumId::kQueueFlagBits, buffer_.pool.queue_flags), ".");
  });
}

void BindCheck::RequirePoint(VkPipelineBindPoint point, vk::VuidIndex rule, const messages::Location& where) const {
  // Other values are not those of an enumerator, which another validator reports.
  const VkQueueFlags flags = point == VK_PIPELINE_BIND_POINT_GRAPHICS ? VK_QUEUE_GRAPHICS_BIT : VK_QUEUE_COMPUTE_BIT;
  if ((buffer_.pool.queue_flags & flags) != 0) [[likely]]
    return;
  ReportQueue(flags, rule, where, vk::EnumName(vk::EnumId::kPipelineBindPoint, point));
}

void BindCheck::RequireStages(VkShaderStageFlags stages, vk::VuidIndex rule, const messages::Location& where) const {
  // To the letter, VK_SHADER_STAGE_ALL needs a family that supports everything. It stands for all that there is.
  if (stages == VK_SHADER_STAGE_ALL) return;
  const VkShaderStageFlags graphics = stages & vk::kAnyGraphicsStage, others = stages & ~vk::kAnyGraphicsStage;
  const auto names = [](VkShaderStageFlags some) { return vk::FlagsToString(vk::EnumId::kShaderStageFlagBits, some); };
  if (graphics != 0 && (buffer_.pool.queue_flags & VK_QUEUE_GRAPHICS_BIT) == 0)
    return ReportQueue(VK_QUEUE_GRAPHICS_BIT, rule, where, names(graphics));
  if (others != 0 && (buffer_.pool.queue_flags & VK_QUEUE_COMPUTE_BIT) == 0)
    ReportQueue(VK_QUEUE_COMPUTE_BIT, rule, where, names(others));
}

}  // namespace assay::core
