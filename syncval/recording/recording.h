// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_RECORDING_H_
#define ASSAY_SYNCVAL_RECORDING_RECORDING_H_

#include <cstdint>

#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "state/state.h"
#include "syncval/accesses/attachments.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/accesses/render_pass_plan.h"
#include "syncval/engine/engine.h"
#include "syncval/recording/command_log.h"
#include "syncval/recording/deferred_hazards.h"
#include "syncval/recording/event_log.h"
#include "syncval/recording/fast_paths.h"
#include "syncval/recording/possible_reads.h"
#include "syncval/recording/render_pass_log.h"
#include "syncval/recording/sparse_buffer_log.h"
#include "syncval/recording/unknown_accesses.h"
#include "vk/command_id.h"

namespace assay::syncval {

namespace trace {
class CommandTrace;
}

// What synchronization validation keeps with a command buffer: the engine's context and logs of what was recorded. Each
// log is a class of its own, in a header of its own; the methods here have its name for them. What they have in common
// is the Tag of a command.
class SyncRecording : public state::CommandBufferSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kSyncval;

  // stages: those that the application can name, for suggestions.
  explicit SyncRecording(state::CommandBuffer& buffer, VkPipelineStageFlags2 stages) : buffer_(buffer) {
    context.SetDeviceStages(stages);
  }

  state::CommandBuffer& buffer() const { return buffer_; }
  VkQueueFlags queue_flags() const { return buffer_.pool.queue_flags; }
  // The setting syncval_shader_accesses_heuristic.
  bool takes_uncertain_accesses() const { return takes_uncertain_accesses_; }
  void TakeUncertainAccesses(bool takes) { takes_uncertain_accesses_ = takes; }

  // Whether the device has the feature of that name enabled, for suggestions.
  bool has_synchronization2() const { return has_synchronization2_; }
  void SetSynchronization2(bool has) { has_synchronization2_ = has; }

  // The commands and their accesses: see CommandLog.
  Tag Begin(vk::CommandId id) { return log_.Begin(id, buffer_); }
  Tag NextTag() const { return log_.NextTag(); }
  void Add(const RecordedAccess& access) { log_.Add(access); }
  // For a command that is skipped before it is recorded in the context.
  void RemoveLastCommand() {
    log_.RemoveLastCommand();
    events_.RemoveFrom(NextTag());
    deferred_hazards_.RemoveFrom(NextTag());
  }
  // For a command that is recorded part by part, and may be skipped after some of them: one of the others follows the
  // first, and Undo takes back what was recorded between.
  void BeginUndoable();
  void EndUndoable() { context.EndUndoable(); }
  void Undo();
  const RecordedCommand& CommandAt(Tag tag) const { return log_.CommandAt(tag); }
  uint32_t command_count() const { return log_.command_count(); }
  absl::Span<const RecordedAccess> AccessesOf(Tag tag) const { return log_.AccessesOf(tag); }
  const RecordedAccess* FindAccess(Tag tag, vk::SyncAccessIndex access, const Range& range) const {
    return log_.FindAccess(tag, access, range);
  }
  const RecordedAccess* FindPossibleRead(Tag tag, vk::SyncAccessIndex access, const Range& range) const {
    return log_.FindPossibleRead(tag, access, range);
  }
  const ExecutedCommands* FindExecuted(Tag tag) const { return log_.FindExecuted(tag); }
  bool IsOfSameResource(const RecordedAccess& access, Tag prior, const Hazard& hazard) const {
    return log_.IsOfSameResource(access, prior, hazard);
  }
  bool IsAliased(uint64_t resource, const Range& range) const { return log_.IsAliased(resource, range); }

  // Appends one secondary of the vkCmdExecuteCommands with this tag, which was begun last, to the logs, and replays it.
  // on_hazard(const ReplayHazard&) is AccessContext::Replay's, with a tag of this log.
  void Execute(Tag execute, SyncRecording& secondary, AccessContext::OnHazard on_hazard);

  // Sparse buffers: see SparseBufferLog.
  state::ByteRanges SparseMemoryRangesOf(const state::Buffer& buffer, VkDeviceSize offset, VkDeviceSize size) {
    return sparse_buffers_.MemoryRangesOf(buffer, offset, size);
  }
  bool IsOutdated(const RecordedAccess& access) const { return sparse_buffers_.IsOutdated(access); }
  bool HasOutdatedBindings() const { return sparse_buffers_.HasOutdatedBindings(); }
  // Whether it is certain only at submission that the two accesses conflict: see DeferredHazards.
  bool IsDeferred(const RecordedAccess& access, const Hazard& hazard) const;
  void Add(const DeferredHazard& hazard) { deferred_hazards_.Add(hazard); }
  absl::Span<const DeferredHazard> deferred_hazards() const { return deferred_hazards_.all(); }

  // Commands that were found in order: see fast_paths.h. With a trace, every command's accesses are recorded again.
  // Either a compute pipeline or a compute shader is bound.
  ReadOnlyAccessKey ReadOnlyKeyOf(const state::BindPointState& bindings) const {
    const uint64_t shader = reinterpret_cast<uint64_t>(buffer_.draw.shader(VK_SHADER_STAGE_COMPUTE_BIT));
    return {reinterpret_cast<uint64_t>(bindings.pipeline) | shader, bindings.sets_key, context.version()};
  }
  bool HasRecordedReads(const ReadOnlyAccessKey& key) const { return fast_paths_.HasReads(key) && trace_ == nullptr; }
  void NoteRecordedReads(const ReadOnlyAccessKey& key) { fast_paths_.NoteReads(key); }
  DrawAccessKey CurrentDrawKey() const {
    const state::BindPointState& bindings = buffer_.At(VK_PIPELINE_BIND_POINT_GRAPHICS);
    return {bindings.pipeline, bindings.sets_key, buffer_.draw.key(), context.version(), buffer_.rendering.version()};
  }
  RecordedDraw& RecordedDrawFor(const DrawAccessKey& key) {
    RecordedDraw& draw = fast_paths_.DrawFor(key);
    if (trace_ != nullptr) [[unlikely]]
      draw = {};
    return draw;
  }
  DrawStateAccessKey CurrentDrawStateKey() const {
    const state::BindPointState& bindings = buffer_.At(VK_PIPELINE_BIND_POINT_GRAPHICS);
    return {bindings.pipeline, bindings.sets_key, buffer_.draw.key_without_input(), context.version(),
            buffer_.rendering.version()};
  }
  DrawStateAccessKey& RecordedDrawStateOf(VkPipeline pipeline) {
    DrawStateAccessKey& key = fast_paths_.DrawStateOf(pipeline);
    if (trace_ != nullptr) [[unlikely]]
      key = {};
    return key;
  }

  ElementsInOrder& elements_in_order() { return elements_in_order_; }

  // Render pass instances and subpasses: see RenderPassLog.
  void BeginInstance(Tag tag, bool resumes) { render_passes_.BeginInstance(tag, resumes); }
  // Whether a command is of the instance that is being recorded.
  bool IsInCurrentInstance(Tag tag) const {
    return buffer_.rendering.is_active() && render_passes_.IsSinceInstance(tag);
  }
  bool IsInResumedInstance(Tag tag) const { return render_passes_.IsInResumedInstance(tag); }
  void NoteInheritedAccesses(AttachmentAccesses accesses) { render_passes_.NoteInheritedAccesses(accesses); }
  void AppendInheritedAccesses(const InheritedAccesses& nested) { render_passes_.AppendInheritedAccesses(nested); }
  const InheritedAccesses& inherited_accesses() const { return render_passes_.inherited_accesses(); }
  // A barrier is recorded, or a wait for events.
  void NoteBarrier() {
    if (buffer_.rendering.is_inherited()) render_passes_.NoteBarrier();
  }
  void BeginSubpass(uint32_t subpass, Tag tag) { render_passes_.BeginSubpass(subpass, tag); }
  uint32_t SubpassOf(Tag tag) const { return render_passes_.SubpassOf(tag); }
  uint32_t current_subpass() const { return render_passes_.current_subpass(); }
  const RenderPassPlan& PlanOf(const state::RenderPass& render_pass) {
    return render_passes_.PlanOf(render_pass, queue_flags());
  }

  // Takes everything so far for ordered before everything that follows.
  void OrderEverything() { context.OrderEverything(); }

  // Events: see EventLog.
  void NoteEvent(const EventOperation& operation) { events_.Add(operation); }
  absl::Span<const EventOperation> event_operations() const { return events_.operations(); }
  // The command waits for the host, which may have waited for anything, on any queue.
  void OrderEverythingByHost() {
    OrderEverything();
    events_.NoteHostWait();
  }
  bool waits_for_host() const { return events_.waits_for_host(); }

  // See PossibleReads.
  bool NotePossibleRead(const Range& range) { return possible_reads_.Add(range); }

  // Accesses that are not modelled: see UnknownAccesses.
  void NoteUnknownAccess(Tag tag) { unknown_accesses_.Note(tag); }
  bool HasUnknownAccess() const { return unknown_accesses_.HasAny(); }
  bool HasUnknownAccessSince(Tag tag) const { return unknown_accesses_.HasAnySince(tag); }
  bool HasUnknownAccessBefore(Tag tag) const { return unknown_accesses_.HasAnyBefore(tag); }
  Tag last_unknown_access() const { return unknown_accesses_.last(); }

  // From now on validation reports to the trace what it alone knows.
  void SetTrace(trace::CommandTrace& trace) { trace_ = &trace; }
  // Null when there is none.
  trace::CommandTrace* trace() const { return trace_; }

  void OnBegin(const VkCommandBufferBeginInfo&) override {
    if (buffer_.rendering.kind() == state::RenderPassInstance::Kind::kRenderPass) context.InheritSubpass();
    if (buffer_.rendering.is_inherited()) attachments.BeginInherited();
  }
  void OnReset() override {
    context.Reset();
    barriers.LimitSize();
    log_.Reset();
    events_.Reset();
    sparse_buffers_.Reset();
    deferred_hazards_.Reset();
    unknown_accesses_.Reset();
    possible_reads_.Reset();
    render_passes_.Reset();
    attachments.End();
  }

  AccessContext context;
  BarrierCache barriers;
  // Of the render pass instance that is being recorded.
  Attachments attachments;

 private:
  state::CommandBuffer& buffer_;
  bool takes_uncertain_accesses_ = false;
  bool has_synchronization2_ = true;
  trace::CommandTrace* trace_ = nullptr;
  FastPaths fast_paths_;
  ElementsInOrder elements_in_order_;
  RenderPassLog render_passes_;
  CommandLog log_;
  EventLog events_;
  SparseBufferLog sparse_buffers_;
  DeferredHazards deferred_hazards_;
  // Held while a primary replays this secondary: a replay keeps its plan in the context, and several threads may record
  // primaries that execute it.
  absl::Mutex replay_;
  UnknownAccesses unknown_accesses_;
  PossibleReads possible_reads_;

  // At BeginUndoable.
  struct Before {
    Tag next;
    bool waits_for_host = false;
    UnknownAccesses unknown_accesses;
    RenderPassLog::Position render_passes;
    Attachments attachments;
  };
  Before before_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_RECORDING_H_
