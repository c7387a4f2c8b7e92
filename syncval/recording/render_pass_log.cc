// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording/render_pass_log.h"

namespace assay::syncval {

uint32_t RenderPassLog::SubpassOf(Tag tag) const {
  const std::vector<Tag>& begins = position_.subpass_begins;
  const auto after = std::ranges::upper_bound(begins, tag);
  return after == begins.begin() ? VK_SUBPASS_EXTERNAL : static_cast<uint32_t>(after - begins.begin() - 1);
}

const RenderPassPlan& RenderPassLog::PlanOf(const state::RenderPass& render_pass, VkQueueFlags queue_flags) {
  Plan& slot = plans_[(reinterpret_cast<uintptr_t>(&render_pass) * 0x9E3779B97F4A7C15u) >> 60];
  if (slot.render_pass.get() != &render_pass) {
    slot.render_pass = state::Ref<state::RenderPass>(const_cast<state::RenderPass*>(&render_pass));
    slot.plan = std::make_unique<RenderPassPlan>(render_pass, queue_flags);
  }
  return *slot.plan;
}

}  // namespace assay::syncval
