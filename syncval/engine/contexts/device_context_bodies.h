// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_DEVICE_CONTEXT_BODIES_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_DEVICE_CONTEXT_BODIES_H_

#include <algorithm>
#include <utility>

#include "syncval/engine/contexts/access_context_bodies.h"
#include "syncval/engine/contexts/device_context.h"

// The bodies of BasicDeviceContext, for device_context.cc and for tests that plant a defect.
namespace assay::syncval {

inline constexpr VkAccessFlags2 kAllAccesses = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;

template <Mutation kMutation>
QueueIndex BasicDeviceContext<kMutation>::AddQueue(VkQueueFlags flags) {
  const auto index = static_cast<QueueIndex>(queues_.size());
  auto added = std::make_unique<Queue>();
  added->flags = flags;
  added->context.SetQueue(index, added->known);
  added->context.SetDeviceStages(stages_);
  for (const std::unique_ptr<Queue>& queue : queues_) {
    queue->context.AddOtherQueue(added->context);
    added->context.AddOtherQueue(queue->context);
  }
  queues_.push_back(std::move(added));
  return index;
}

template <Mutation kMutation>
std::shared_ptr<const Snapshot> BasicDeviceContext<kMutation>::Signal(QueueIndex queue, VkPipelineStageFlags2 stages) {
  Queue& signalling = Get(queue);
  if (signalling.last_signal != nullptr && signalling.last_signal_stages == stages) return signalling.last_signal;
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->number = ++snapshots_;
  snapshot->point = PointOf(queue);
  const Barrier barrier = MakeBarrier({stages, kAllAccesses, 0, 0}, Get(queue).flags);
  const bool everything = (stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0;
  signalling.context.AddToSnapshot(barrier.src, everything, *snapshot);
  signalling.last_signal = snapshot;
  signalling.last_signal_stages = stages;
  return snapshot;
}

template <Mutation kMutation>
std::shared_ptr<const Snapshot> BasicDeviceContext<kMutation>::SignalWithin(QueueIndex queue, const Range& range) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->number = ++snapshots_;
  snapshot->point.moved_down = moved_down_;
  snapshot->point.known.Extend(queue, executions_.next());
  const Barrier barrier = MakeBarrier({VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, kAllAccesses, 0, 0}, Get(queue).flags);
  Get(queue).context.AddToSnapshot(barrier.src, true, *snapshot, range);
  return snapshot;
}

template <Mutation kMutation>
void BasicDeviceContext<kMutation>::Wait(QueueIndex queue, const Snapshot& signal, VkPipelineStageFlags2 stages,
                                         const Range& within) {
  Queue& waiting = Change(queue);
  waiting.context.NoteWait(stages);
  if (IsComplete(signal.point)) return;
  if (within == kEverywhere && HasWaited(waiting, signal.number, stages)) return;
  BarrierScope scope = MakeWaitScope(stages, waiting.flags);
  if (kMutation == Mutation::kWaitCoversStagesAlone) scope.stages.outside &= ~kEverythingLater;
  ChangeContext(queue).context.MergeSnapshot(signal, MovedSince(signal.point), scope, complete_, within);
  VectorClock known = signal.point.known;
  known.MoveDown(MovedSince(signal.point));
  waiting.known.Extend(known);
}

template <Mutation kMutation>
bool BasicDeviceContext<kMutation>::HasWaited(Queue& queue, uint64_t signal, VkPipelineStageFlags2 stages) {
  const typename Queue::Waited waited = {signal, stages};
  typename Queue::Waits& waits = queue.waits;
  if (std::ranges::find(waits.waited, waited) != waits.waited.end()) return true;
  waits.waited[waits.next++ % waits.waited.size()] = waited;
  return false;
}

template <Mutation kMutation>
void BasicDeviceContext<kMutation>::OrderEverything(QueueIndex queue) {
  ChangeContext(queue).context.OrderEverything();
}

template <Mutation kMutation>
void BasicDeviceContext<kMutation>::Forget(QueueIndex queue, const Range& range) {
  EndUndoable();
  ChangeContext(queue).context.Forget(range);
}

template <Mutation kMutation>
bool BasicDeviceContext<kMutation>::IsComplete(const QueuePoint& point) const {
  VectorClock known = point.known;
  known.MoveDown(MovedSince(point));
  return complete_.Contains(known);
}

template <Mutation kMutation>
Tag BasicDeviceContext<kMutation>::Replay(Context& recorded, const Execution& execution,
                                          typename Context::OnHazard on_hazard) {
  if (executions_.next().value > max_tag_) MoveTagsDown();
  const Tag base = executions_.Add(execution).base;
  Context& context = ChangeContext(execution.queue).context;
  context.Replay(recorded, base, on_hazard);
  context.NoteReplay();
  // That would be final.
  if (!is_undoable_) context.LimitLog();
  return base;
}

template <Mutation kMutation>
QueuePoint BasicDeviceContext<kMutation>::PointOf(QueueIndex queue) const {
  QueuePoint point{.known = queues_[static_cast<size_t>(queue)]->known, .moved_down = moved_down_};
  point.known.Extend(queue, executions_.next());
  return point;
}

template <Mutation kMutation>
void BasicDeviceContext<kMutation>::Extend(QueuePoint& point, const QueuePoint& other) const {
  VectorClock known = other.known;
  known.MoveDown(MovedSince(other));
  point.known.MoveDown(MovedSince(point));
  point.known.Extend(known);
  point.moved_down = moved_down_;
}

template <Mutation kMutation>
void BasicDeviceContext<kMutation>::HostWait(const QueuePoint& point) {
  EndUndoable();
  VectorClock complete = point.known;
  complete.MoveDown(MovedSince(point));
  complete_.Extend(complete);
  Tag oldest = executions_.next();
  for (const std::unique_ptr<Queue>& queue : queues_) {
    queue->last_signal = nullptr;
    queue->context.Forget(complete_);
    queue->known.Extend(complete_);
    oldest = std::min(oldest, queue->context.OldestTag());
  }
  executions_.ForgetBefore(oldest);
}

template <Mutation kMutation>
void BasicDeviceContext<kMutation>::BeginUndoable() {
  EndUndoable();
  is_undoable_ = true;
  executions_before_ = executions_.size();
  next_before_ = executions_.next();
}

template <Mutation kMutation>
void BasicDeviceContext<kMutation>::BeginUndoable(Queue& queue) {
  queue.context.LimitLog();
  queue.context.BeginUndoable(next_before_);
  queue.has_changed = true;
  queue.known_before = queue.known;
  queue.waits_before = queue.waits;
}

template <Mutation kMutation>
void BasicDeviceContext<kMutation>::EndUndoable() {
  if (!std::exchange(is_undoable_, false)) return;
  for (const std::unique_ptr<Queue>& queue : queues_) {
    if (std::exchange(queue->has_changed, false)) queue->context.EndUndoable();
  }
}

template <Mutation kMutation>
bool BasicDeviceContext<kMutation>::Undo() {
  if (!std::exchange(is_undoable_, false)) return false;
  for (const std::unique_ptr<Queue>& queue : queues_) {
    // Its point has tags that are given again.
    queue->last_signal = nullptr;
    if (!std::exchange(queue->has_changed, false)) continue;
    queue->context.Undo();
    queue->known = queue->known_before;
    queue->waits = queue->waits_before;
  }
  executions_.ShrinkTo(executions_before_, next_before_);
  return true;
}

template <Mutation kMutation>
void BasicDeviceContext<kMutation>::DetectHostRaces(const Access& access, typename Context::OnHazard on_hazard) {
  // No queue's index.
  constexpr QueueIndex kHost{255};
  std::vector<ReplayHazard> races;
  const bool is_write = vk::SyncStageAccesses()[access.index].is_write;
  for (const std::unique_ptr<Queue>& queue : queues_) {
    queue->context.CollectRaces({.access = access, .tag = Tag()}, is_write, kHost, complete_, races);
  }
  for (const ReplayHazard& race : races) on_hazard(race);
}

// Afterwards accesses in the older half of all tags are of no execution in particular.
template <Mutation kMutation>
void BasicDeviceContext<kMutation>::MoveTagsDown() {
  EndUndoable();
  const uint32_t by = executions_.next().value / 2;
  moved_down_ += by;
  for (const std::unique_ptr<Queue>& queue : queues_) {
    queue->last_signal = nullptr;
    queue->context.MoveTagsDown(by);
    queue->known.MoveDown(by);
  }
  complete_.MoveDown(by);
  executions_.MoveDown(by);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_DEVICE_CONTEXT_BODIES_H_
