// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Render pass objects: their dependencies, automatic layout transitions, and load, store and resolve operations. A
// command has several entries in the log, one for each of these.

#include <limits>

#include "absl/container/inlined_vector.h"
#include "syncval/accesses/attachment_operations.h"
#include "syncval/accesses/attachments.h"
#include "syncval/accesses/render_pass_plan.h"
#include "syncval/commands/check.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

using state::AttachmentDescription;
using state::AttachmentReference;
using state::RenderPassInstance;
using state::SubpassAttachment;

constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;
constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
constexpr VkRect2D kEverything = {{0, 0}, {std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::max()}};

// Accesses of the operations of one subpass.
class OperationCollector {
 public:
  OperationCollector(AccessCollector& collector, const RenderPassInstance& scope, uint32_t subpass)
      : collector_(collector), scope_(scope), number_(subpass), subpass_(*scope.render_pass()->At(subpass)) {}

  // In the subpass that accesses the attachment first.
  void CollectLoads() {
    for (const SubpassAttachment& used : subpass_.attachments) {
      if (used.first_views == 0 || IsShadingRate(used)) continue;
      ForEachAspect(used, [&](VkImageAspectFlags aspect, const AttachmentDescription& attachment) {
        const VkAttachmentLoadOp op = aspect == kStencil ? attachment.stencil_load_op : attachment.load_op;
        if (op == VK_ATTACHMENT_LOAD_OP_NONE) return;
        const ReadAndWrite& accesses = aspect == kColor ? kAtColorOutput : kAtEarlyTests;
        Add(used.attachment, aspect, used.first_views,
            op == VK_ATTACHMENT_LOAD_OP_LOAD ? accesses.read : accesses.write,
            aspect == kStencil ? "stencilLoadOp" : "loadOp", OrderingRule::kNone);
      });
    }
  }

  // In the subpass that accesses the attachment last. See CollectStores of dynamic rendering.
  void CollectStores() {
    for (const SubpassAttachment& used : subpass_.attachments) {
      if (used.last_views == 0 || IsShadingRate(used)) continue;
      ForEachAspect(used, [&](VkImageAspectFlags aspect, const AttachmentDescription& attachment) {
        const VkAttachmentStoreOp op = aspect == kStencil ? attachment.stencil_store_op : attachment.store_op;
        const VkImageLayout layout = aspect == kStencil ? used.layouts.stencil : used.layouts.layout;
        if (op == VK_ATTACHMENT_STORE_OP_NONE || IsReadOnly(layout, aspect)) return;
        Add(used.attachment, aspect, used.last_views, aspect == kColor ? kAtColorOutput.write : kAtLateTests.write,
            aspect == kStencil ? "stencilStoreOp" : "storeOp", OrderingRule::kRaster);
      });
    }
  }

  // Vulkan, "Render Pass Multisample Resolve Operations": depth and stencil too are resolved at color attachment
  // output. Resolves are in order with the other accesses of the subpass to their attachments.
  void CollectResolves() {
    for (size_t i = 0; i < subpass_.resolves.size() && i < subpass_.colors.size(); ++i) {
      if (subpass_.resolves[i].is_used() && subpass_.colors[i].is_used())
        AddResolve(subpass_.colors[i].attachment, subpass_.resolves[i].attachment, kColor);
    }
    const AttachmentReference& from = subpass_.depth_stencil;
    const AttachmentReference& to = subpass_.depth_stencil_resolve;
    if (!from.is_used() || !to.is_used()) return;
    const VkImageAspectFlags both = from.aspects & to.aspects;
    if (subpass_.depth_resolve_mode != VK_RESOLVE_MODE_NONE && (both & kDepth) != 0)
      AddResolve(from.attachment, to.attachment, kDepth);
    if (subpass_.stencil_resolve_mode != VK_RESOLVE_MODE_NONE && (both & kStencil) != 0)
      AddResolve(from.attachment, to.attachment, kStencil);
  }

 private:
  static bool IsShadingRate(const SubpassAttachment& used) {
    return used.kinds == SubpassAttachment::kFragmentShadingRate;
  }

  template <class F>
  void ForEachAspect(const SubpassAttachment& used, F&& f) {
    const AttachmentDescription& attachment = scope_.render_pass()->attachments[used.attachment];
    for (const VkImageAspectFlags aspect : {kColor, kDepth, kStencil}) {
      if ((attachment.aspects & aspect) != 0) f(aspect, attachment);
    }
  }

  void AddResolve(uint32_t from, uint32_t to, VkImageAspectFlags aspect) {
    Add(to, aspect, subpass_.views(), kAtColorOutput.write, "resolve", OrderingRule::kRaster);
    Add(from, aspect, subpass_.views(), kAtColorOutput.read, "resolve", OrderingRule::kRaster);
  }

  void Add(uint32_t attachment, VkImageAspectFlags aspect, uint32_t views, vk::SyncAccessIndex access,
           const char* member, OrderingRule rule) {
    const state::ImageView* const view = scope_.ViewOf(attachment);
    if (view == nullptr) return;
    state::AddressRanges ranges;
    view->AppendAttachment(aspect, scope_.render_area(), scope_.layer_count(), subpass_.view_mask != 0 ? views : 0,
                           ranges);
    collector_.AddRanges(*view->image, ranges, access,
                         {member, AttachmentIndex(number_, attachment), Role::kRenderPassAttachment, rule});
  }

  AccessCollector& collector_;
  const RenderPassInstance& scope_;
  const uint32_t number_;
  const state::Subpass& subpass_;
};

const char* NameOf(const RenderPassPlan::AutomaticTransition& transition) {
  if (transition.dst_subpass == VK_SUBPASS_EXTERNAL) return "transition to the finalLayout";
  return transition.src_subpass == VK_SUBPASS_EXTERNAL ? "transition from the initialLayout" : "layout transition";
}

// One command that begins or ends subpasses. `scope` is the instance that it continues, ends or begins.
class SubpassCommand {
 public:
  SubpassCommand(SyncRecording& recording, const RenderPassInstance& scope, vk::CommandId id, messages::Report& report)
      : recording_(recording), scope_(scope), plan_(recording.PlanOf(*scope.render_pass())), id_(id), report_(report) {
    recording_.BeginUndoable();
  }

  const SubpassGraph& graph() const { return plan_.graph(); }

  void BeginSubpass(uint32_t subpass) {
    CheckAutomaticTransitions(subpass);
    const Tag tag = recording_.Begin(id_);
    recording_.EnterSubpass(graph().AtBegin(subpass), tag);
    recording_.BeginSubpass(subpass, tag);
    recording_.attachments.Begin(scope_, *scope_.render_pass()->At(subpass));
    AccessCollector collector(recording_);
    OperationCollector(collector, scope_, subpass).CollectLoads();
    CheckUnlessSkipped(tag);
  }

  // Returns whether the command is to be recorded. If not, it is finished.
  bool FinishSubpass(uint32_t subpass) {
    const Tag tag = recording_.Begin(id_);
    AccessCollector collector(recording_);
    OperationCollector operations(collector, scope_, subpass);
    operations.CollectResolves();
    operations.CollectStores();
    if (CheckLast(recording_, tag, report_) != CheckResult::kSkipped) return true;
    recording_.Undo();
    return false;
  }

  void CheckAutomaticTransitions(uint32_t subpass) {
    if (plan_.TransitionsInto(subpass).empty()) return;
    const Tag tag = recording_.Begin(id_);
    absl::InlinedVector<RangeBarrier, 16> ranges;
    for (const RenderPassPlan::AutomaticTransition& transition : plan_.TransitionsInto(subpass)) {
      const state::ImageView* const view = scope_.ViewOf(transition.attachment);
      if (view != nullptr) CheckAutomaticTransition(transition, *view, ranges);
    }
    recording_.RecordAutomaticTransitions(ranges, tag);
  }

  // The call may be skipped after a part of the command was recorded.
  void Finish() {
    if (report_.skip()) return recording_.Undo();
    recording_.EndUndoable();
  }

 private:
  void CheckUnlessSkipped(Tag tag) {
    if (!report_.skip()) CheckLast(recording_, tag, report_);
  }

  // A transition covers the whole view, whatever the render area.
  void CheckAutomaticTransition(const RenderPassPlan::AutomaticTransition& transition, const state::ImageView& view,
                                absl::InlinedVector<RangeBarrier, 16>& ranges) {
    state::AddressRanges covered;
    view.AppendAttachment(transition.aspects, kEverything, ~0u, 0, covered);
    const uint32_t subpass =
        transition.dst_subpass != VK_SUBPASS_EXTERNAL ? transition.dst_subpass : transition.src_subpass;
    AccessCollector(recording_)
        .AddRanges(*view.image, covered, vk::kSyncImageLayoutTransition,
                   {NameOf(transition), AttachmentIndex(subpass, transition.attachment), Role::kRenderPassAttachment});
    Hazard hazard;
    size_t first = ranges.size();
    for (const state::ByteRange& range : covered) {
      ranges.push_back({{range.begin, range.end}, &transition.barrier, true, view.image->address});
      recording_.context.DetectTransitionOf(ranges.back(), hazard);
    }
    RecordedAccess access{.range = hazard.range,
                          .resource = view.image->handle(),
                          .resource_type = state::Image::kType,
                          .index = AttachmentIndex(subpass, transition.attachment),
                          .member = NameOf(transition),
                          .access = vk::kSyncImageLayoutTransition,
                          .role = Role::kRenderPassAttachment,
                          .region = view.image->address};
    // A transition is not compared with what may be outdated.
    if (hazard && recording_.IsDeferred(access, hazard)) hazard = Hazard();
    const size_t end = ranges.size();
    const state::ByteRange shared = view.image->SharedBytes(SizeOf(covered));
    if (shared.begin != shared.end) [[unlikely]] {
      ranges.push_back({{shared.begin, shared.end}, &transition.barrier, true, 0});
      if (!hazard && DetectInMemory(ranges.back(), access, hazard)) first = end;
    }
    if (!hazard) [[likely]]
      return;
    access.range = hazard.range;
    ReportAutomaticTransitionHazard(recording_, hazard, access,
                                    absl::MakeConstSpan(ranges).subspan(first, first == end ? 1 : end - first),
                                    transition, *scope_.render_pass(), report_);
  }

  // Whether the transition conflicts with an access to another resource in the same memory.
  bool DetectInMemory(const RangeBarrier& transition, RecordedAccess& access, Hazard& hazard) {
    Hazard found;
    if (!recording_.context.DetectTransitionOf(transition, found)) return false;
    access.region = 0;
    if (recording_.IsOfSameResource(access, found.prior_tag, found)) return false;
    if (recording_.IsDeferred(access, found)) return false;
    hazard = found;
    return true;
  }

  SyncRecording& recording_;
  const RenderPassInstance& scope_;
  const RenderPassPlan& plan_;
  const vk::CommandId id_;
  messages::Report& report_;
};

template <class C>
void BeginRenderPass(const C& call, const dispatch::Slot& slot, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || call.pRenderPassBegin == nullptr || report.skip()) return;
  RenderPassInstance scope;
  scope.Begin(*call.pRenderPassBegin, VK_SUBPASS_CONTENTS_INLINE);
  if (scope.subpass() == nullptr || recording->context.is_in_subpass()) return recording->OrderEverything();
  SubpassCommand command(*recording, scope, C::kId, report);
  command.BeginSubpass(0);
  command.Finish();
}

// The instance that the command continues or ends. Null if it is unknown: then everything is ordered.
const RenderPassInstance* CurrentRenderPass(SyncRecording& recording) {
  const RenderPassInstance& scope = recording.buffer().rendering;
  if (scope.subpass() != nullptr && !scope.is_inherited() && recording.context.is_in_subpass()) return &scope;
  recording.OrderEverything();
  return nullptr;
}

template <class C>
void NextSubpass(const C&, const dispatch::Slot& slot, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || report.skip()) return;
  const RenderPassInstance* const scope = CurrentRenderPass(*recording);
  if (scope == nullptr) return;
  const uint32_t subpass = scope->subpass_index();
  if (scope->render_pass()->At(subpass + 1) == nullptr) return;
  SubpassCommand command(*recording, *scope, C::kId, report);
  if (!command.FinishSubpass(subpass)) return;
  recording->LeaveSubpass(command.graph().AtEnd(subpass), recording->NextTag());
  command.BeginSubpass(subpass + 1);
  command.Finish();
}

template <class C>
void EndRenderPass(const C&, const dispatch::Slot& slot, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || report.skip()) return;
  const RenderPassInstance* const scope = CurrentRenderPass(*recording);
  if (scope == nullptr) return;
  const uint32_t subpass = scope->subpass_index();
  SubpassCommand command(*recording, *scope, C::kId, report);
  if (!command.FinishSubpass(subpass)) return;
  command.CheckAutomaticTransitions(VK_SUBPASS_EXTERNAL);
  recording->EndRenderPass(command.graph().AtEnd(subpass), recording->NextTag());
  recording->attachments.End();
  command.Finish();
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdBeginRenderPass& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  BeginRenderPass(call, slot, report);
}
void SyncValidator::PreCallValidate(const vk::CmdBeginRenderPass2& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  BeginRenderPass(call, slot, report);
}
void SyncValidator::PreCallValidate(const vk::CmdNextSubpass& call, dispatch::Slot& slot, messages::Report& report) {
  NextSubpass(call, slot, report);
}
void SyncValidator::PreCallValidate(const vk::CmdNextSubpass2& call, dispatch::Slot& slot, messages::Report& report) {
  NextSubpass(call, slot, report);
}
void SyncValidator::PreCallValidate(const vk::CmdEndRenderPass& call, dispatch::Slot& slot, messages::Report& report) {
  EndRenderPass(call, slot, report);
}
void SyncValidator::PreCallValidate(const vk::CmdEndRenderPass2& call, dispatch::Slot& slot, messages::Report& report) {
  EndRenderPass(call, slot, report);
}

}  // namespace assay::syncval
