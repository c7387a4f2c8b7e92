// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_RENDER_PASS_LOG_H_
#define ASSAY_SYNCVAL_RECORDING_RENDER_PASS_LOG_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "state/state.h"
#include "syncval/accesses/attachments.h"
#include "syncval/accesses/render_pass_plan.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {

// The render pass instances and subpasses of a recording: at which command each began.
class RenderPassLog {
 public:
  // The command with this tag begins a render pass instance, or resumes one.
  void BeginInstance(Tag tag, bool resumes) {
    if (resumes) {
      resumed_end_ = UINT32_MAX;
      return;
    }
    instance_begin_ = tag.value;
    resumed_end_ = std::min(resumed_end_, tag.value);
  }
  // Whether a command is not before the last instance that began.
  bool IsSinceInstance(Tag tag) const { return tag.value >= instance_begin_; }
  // Whether a command may be of an instance that another command buffer began.
  bool IsInResumedInstance(Tag tag) const { return tag.value < resumed_end_; }

  // The command with this tag begins a subpass of a render pass object.
  void BeginSubpass(uint32_t subpass, Tag tag) {
    if (subpass == 0) subpass_begins_.clear();
    subpass_begins_.push_back(tag);
    BeginInstance(tag, false);
  }
  // The subpass of a command in the current instance; VK_SUBPASS_EXTERNAL for a command before the instance.
  uint32_t SubpassOf(Tag tag) const;
  uint32_t current_subpass() const { return static_cast<uint32_t>(subpass_begins_.size() - 1); }
  // The plan for queues with these flags, made at the first call.
  const RenderPassPlan& PlanOf(const state::RenderPass& render_pass, VkQueueFlags queue_flags);

  // The accesses by draws of a secondary command buffer to the attachments of the instance that it continues.
  void NoteInheritedAccesses(AttachmentAccesses accesses) { inherited_accesses_ |= accesses; }
  AttachmentAccesses inherited_accesses() const { return inherited_accesses_; }

  // Keeps the plans.
  void Reset() {
    instance_begin_ = 0;
    resumed_end_ = 0;
    inherited_accesses_ = 0;
  }

 private:
  static constexpr size_t kPlans = 16;

  struct Plan {
    state::Ref<state::RenderPass> render_pass;
    std::unique_ptr<RenderPassPlan> plan;
  };

  std::array<Plan, kPlans> plans_;
  // By subpass of the current instance of a render pass object.
  std::vector<Tag> subpass_begins_;
  uint32_t instance_begin_ = 0;
  uint32_t resumed_end_ = 0;
  AttachmentAccesses inherited_accesses_ = 0;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_RENDER_PASS_LOG_H_
