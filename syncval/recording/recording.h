// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_RECORDING_H_
#define ASSAY_SYNCVAL_RECORDING_RECORDING_H_

#include <cstddef>
#include <cstdint>
#include <memory>

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
#include "syncval/recording/late_accesses.h"
#include "syncval/recording/late_resolution.h"
#include "syncval/recording/operation_log.h"
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
  explicit SyncRecording(state::CommandBuffer& buffer, VkPipelineStageFlags2 stages)
      : buffer_(buffer), device_stages_(stages) {
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
    late_accesses_.RemoveFrom(NextTag());
    operations_.RemoveCommandsFrom(NextTag());
  }
  // For a command that is recorded part by part, and may be skipped after some of them: one of the others follows the
  // first, and Undo takes back what was recorded between.
  void BeginUndoable();
  void EndUndoable() { context.EndUndoable(); }
  void Undo();
  const RecordedCommand& CommandAt(Tag tag) const { return log_.CommandAt(tag); }
  uint32_t command_count() const { return log_.command_count(); }
  absl::Span<const RecordedAccess> AccessesOf(Tag tag) const { return log_.AccessesOf(tag); }
  // With the late accesses that the last submission resolved.
  const RecordedAccess* FindAccess(Tag tag, vk::SyncAccessIndex access, const Range& range) const {
    const RecordedAccess* const logged = FindLoggedAccess(tag, access, range);
    return logged != nullptr || late_resolution_ == nullptr ? logged : late_resolution_->Find(tag, access, range);
  }
  // Without them.
  const RecordedAccess* FindLoggedAccess(Tag tag, vk::SyncAccessIndex access, const Range& range) const {
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
    const uint64_t version = context.version() + late_writes_;
    return {reinterpret_cast<uint64_t>(bindings.pipeline) | shader, bindings.sets_key, version};
  }
  bool HasRecordedReads(const ReadOnlyAccessKey& key) const { return fast_paths_.HasReads(key) && trace_ == nullptr; }
  void NoteRecordedReads(const ReadOnlyAccessKey& key) { fast_paths_.NoteReads(key); }
  // The accesses of the program and sets of the key; null if they are not known to be in the log.
  const LoggedAccesses* FindLogged(const ReadOnlyAccessKey& key) const {
    return fast_paths_.FindLogged(key, log_.generation());
  }
  absl::Span<const RecordedAccess> AccessesOf(const LoggedAccesses& logged) const {
    return log_.Accesses(logged.first, logged.count);
  }
  void AddAgain(const LoggedAccesses& logged) { log_.AddAgain(logged.first, logged.count); }
  // The accesses of the last command are those of the program and sets of the key, and of nothing else.
  void NoteLogged(const ReadOnlyAccessKey& key, Tag tag) {
    fast_paths_.NoteLogged({key.program, key.sets_key, log_.generation(), log_.FirstAccessOf(tag),
                            static_cast<uint32_t>(log_.AccessesOf(tag).size())});
  }
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
  void BeginInstance(Tag tag, bool resumes) {
    render_passes_.BeginInstance(tag, resumes);
    if (!resumes) operations_.Add(OperationLog::Kind::kBeginInstance, tag);
  }
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
  void BeginSubpass(uint32_t subpass, Tag tag) {
    render_passes_.BeginSubpass(subpass, tag);
    operations_.Add(OperationLog::Kind::kBeginInstance, tag);
  }
  uint32_t SubpassOf(Tag tag) const { return render_passes_.SubpassOf(tag); }
  uint32_t current_subpass() const { return render_passes_.current_subpass(); }
  const RenderPassPlan& PlanOf(const state::RenderPass& render_pass) {
    return render_passes_.PlanOf(render_pass, queue_flags());
  }

  // Changes of the context besides accesses, as AccessContext has them. They are noted in the OperationLog too.
  void ApplyBarriers(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges, Tag tag) {
    operations_.Add(OperationLog::Kind::kBarriers, tag < NextTag() ? tag : NextTag(), globals, ranges, tag);
    context.ApplyAll(globals, ranges, tag);
  }
  void ApplyGlobal(const Barrier& barrier) {
    operations_.Add(NextTag(), barrier);
    context.ApplyGlobal(barrier);
  }
  void SetEvent(uint64_t event, const EventCommand& command, Tag tag) {
    operations_.Add(OperationLog::Kind::kSetEvent, tag, command.globals, command.ranges, tag, {&event, 1},
                    command.matches_by_access);
    context.SetEvent(event, command, tag);
  }
  void ResetEvent(uint64_t event) {
    operations_.Add(OperationLog::Kind::kResetEvent, NextTag(), {}, {}, Tag(), {&event, 1});
    context.ResetEvent(event);
  }
  void WaitEvents(absl::Span<const uint64_t> events, const EventCommand& command, Tag tag) {
    operations_.Add(OperationLog::Kind::kWaitEvents, tag, command.globals, command.ranges, tag, events,
                    command.matches_by_access);
    context.WaitEvents(events, command, tag);
  }
  void EnterSubpass(absl::Span<const Barrier* const> barriers, Tag tag) {
    operations_.Add(OperationLog::Kind::kEnterSubpass, tag, barriers, {}, tag);
    context.EnterSubpass(barriers, tag);
  }
  void LeaveSubpass(absl::Span<const Barrier* const> barriers, Tag tag) {
    operations_.Add(OperationLog::Kind::kLeaveSubpass, tag, barriers, {}, tag);
    context.LeaveSubpass(barriers, tag);
  }
  void EndRenderPass(absl::Span<const Barrier* const> barriers, Tag tag) {
    operations_.Add(OperationLog::Kind::kEndRenderPass, tag, barriers, {}, tag);
    context.EndRenderPass(barriers, tag);
  }
  void RecordAutomaticTransitions(absl::Span<const RangeBarrier> transitions, Tag tag) {
    operations_.Add(OperationLog::Kind::kAutomaticTransitions, tag, {}, transitions, tag);
    context.RecordAutomaticTransitions(transitions, tag);
  }
  // Takes everything so far for ordered before everything that follows.
  void OrderEverything() {
    operations_.Add(OperationLog::Kind::kOrderEverything, NextTag());
    context.OrderEverything();
  }

  // Late accesses: see LateAccesses. They are left out unless EnableLateAccesses was called. Add is for the command
  // that was begun last.
  void EnableLateAccesses() { operations_.Enable(); }
  void Add(LateAccess access);
  absl::Span<const LateAccess> late_accesses() const { return late_accesses_.all(); }
  const OperationLog& operations() const { return operations_; }
  // That of the last submission; made at the first call.
  LateResolution& GetLateResolution() {
    if (late_resolution_ == nullptr) late_resolution_ = std::make_unique<LateResolution>(device_stages_);
    return *late_resolution_;
  }

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
    operations_.Reset();
    late_accesses_.Reset();
    if (late_resolution_ != nullptr) late_resolution_->Clear();
    attachments.End();
  }

  AccessContext context;
  BarrierCache barriers;
  // Of the render pass instance that is being recorded.
  Attachments attachments;

 private:
  state::CommandBuffer& buffer_;
  const VkPipelineStageFlags2 device_stages_;
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
  OperationLog operations_;
  LateAccesses late_accesses_;
  // The late writes outside of render pass instances, which the context's version does not count. Never reset, so that
  // the sum of both grows.
  uint64_t late_writes_ = 0;
  // Null for a recording that never was submitted with late accesses.
  std::unique_ptr<LateResolution> late_resolution_;

  // At BeginUndoable.
  struct Before {
    Tag next;
    size_t operations = 0;
    bool waits_for_host = false;
    UnknownAccesses unknown_accesses;
    RenderPassLog::Position render_passes;
    Attachments attachments;
  };
  Before before_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_RECORDING_H_
