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

// The accesses by draws of a secondary command buffer to the attachments of the instance that it continues. Only the
// primary knows the attachments: it records the accesses when it executes the secondary. Those before the secondary's
// first barrier come before the replay of the secondary, those after its last barrier come after that.
struct InheritedAccesses {
  AttachmentAccesses before_barriers = 0;
  AttachmentAccesses between_barriers = 0;
  AttachmentAccesses after_barriers = 0;
  bool has_barrier = false;

  void Note(AttachmentAccesses accesses) { (has_barrier ? after_barriers : before_barriers) |= accesses; }
  void NoteBarrier() {
    has_barrier = true;
    between_barriers |= after_barriers;
    after_barriers = 0;
  }
  // Adds those of a secondary that this one executes.
  void Append(const InheritedAccesses& nested) {
    Note(nested.before_barriers);
    if (!nested.has_barrier) return;
    NoteBarrier();
    between_barriers |= nested.between_barriers;
    after_barriers |= nested.after_barriers;
  }
};

// The render pass instances and subpasses of a recording: at which command each began.
class RenderPassLog {
 public:
  // The command with this tag begins a render pass instance, or resumes one.
  void BeginInstance(Tag tag, bool resumes) {
    if (resumes) {
      position_.resumed_end = UINT32_MAX;
      return;
    }
    position_.instance_begin = tag.value;
    position_.resumed_end = std::min(position_.resumed_end, tag.value);
  }
  // Whether a command is not before the last instance that began.
  bool IsSinceInstance(Tag tag) const { return tag.value >= position_.instance_begin; }
  // Whether a command may be of an instance that another command buffer began.
  bool IsInResumedInstance(Tag tag) const { return tag.value < position_.resumed_end; }

  // The command with this tag begins a subpass of a render pass object.
  void BeginSubpass(uint32_t subpass, Tag tag) {
    if (subpass == 0) position_.subpass_begins.clear();
    position_.subpass_begins.push_back(tag);
    BeginInstance(tag, false);
  }
  // The subpass of a command in the current instance; VK_SUBPASS_EXTERNAL for a command before the instance.
  uint32_t SubpassOf(Tag tag) const;
  uint32_t current_subpass() const { return static_cast<uint32_t>(position_.subpass_begins.size() - 1); }
  // The plan for queues with these flags, made at the first call.
  const RenderPassPlan& PlanOf(const state::RenderPass& render_pass, VkQueueFlags queue_flags);

  // See InheritedAccesses.
  void NoteInheritedAccesses(AttachmentAccesses accesses) { position_.inherited_accesses.Note(accesses); }
  void NoteBarrier() { position_.inherited_accesses.NoteBarrier(); }
  void AppendInheritedAccesses(const InheritedAccesses& nested) { position_.inherited_accesses.Append(nested); }
  const InheritedAccesses& inherited_accesses() const { return position_.inherited_accesses; }

  // All of this but the plans.
  struct Position {
    // By subpass of the current instance of a render pass object.
    std::vector<Tag> subpass_begins;
    uint32_t instance_begin = 0;
    uint32_t resumed_end = 0;
    InheritedAccesses inherited_accesses;
  };
  const Position& position() const { return position_; }
  void SetPosition(const Position& position) { position_ = position; }

  // Keeps the plans.
  void Reset() {
    position_.instance_begin = 0;
    position_.resumed_end = 0;
    position_.inherited_accesses = {};
  }

 private:
  static constexpr size_t kPlans = 16;

  struct Plan {
    state::Ref<state::RenderPass> render_pass;
    std::unique_ptr<RenderPassPlan> plan;
  };

  std::array<Plan, kPlans> plans_;
  Position position_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_RENDER_PASS_LOG_H_
