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
  for (const std::unique_ptr<Queue>& queue : queues_) {
    queue->context.AddOtherQueue(added->context);
    added->context.AddOtherQueue(queue->context);
  }
  queues_.push_back(std::move(added));
  return index;
}

template <Mutation kMutation>
std::shared_ptr<const Snapshot> BasicDeviceContext<kMutation>::Signal(QueueIndex queue, VkPipelineStageFlags2 stages) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->point = PointOf(queue);
  const Barrier barrier = MakeBarrier({stages, kAllAccesses, 0, 0}, Get(queue).flags);
  const bool everything = (stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0;
  Get(queue).context.AddToSnapshot(barrier.src, everything, *snapshot);
  return snapshot;
}

template <Mutation kMutation>
void BasicDeviceContext<kMutation>::Wait(QueueIndex queue, const Snapshot& signal, VkPipelineStageFlags2 stages) {
  const Barrier barrier = MakeBarrier({0, 0, stages, kAllAccesses}, Get(queue).flags);
  Get(queue).context.MergeSnapshot(signal, MovedSince(signal.point), barrier.dst, complete_);
  VectorClock known = signal.point.known;
  known.MoveDown(MovedSince(signal.point));
  Get(queue).known.Extend(known);
}

template <Mutation kMutation>
Tag BasicDeviceContext<kMutation>::Replay(Context& recorded, const Execution& execution,
                                          typename Context::OnHazard on_hazard) {
  if (executions_.next().value > max_tag_) MoveTagsDown();
  const Tag base = executions_.Add(execution).base;
  Context& context = Get(execution.queue).context;
  context.Replay(recorded, base, on_hazard);
  context.LimitLog();
  return base;
}

template <Mutation kMutation>
QueuePoint BasicDeviceContext<kMutation>::PointOf(QueueIndex queue) const {
  QueuePoint point{.known = queues_[static_cast<size_t>(queue)]->known, .moved_down = moved_down_};
  point.known.Extend(queue, executions_.next());
  return point;
}

template <Mutation kMutation>
void BasicDeviceContext<kMutation>::HostWait(const QueuePoint& point) {
  VectorClock complete = point.known;
  complete.MoveDown(MovedSince(point));
  complete_.Extend(complete);
  Tag oldest = executions_.next();
  for (const std::unique_ptr<Queue>& queue : queues_) {
    queue->context.Forget(complete_);
    queue->known.Extend(complete_);
    oldest = std::min(oldest, queue->context.OldestTag());
  }
  executions_.ForgetBefore(oldest);
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
  const uint32_t by = executions_.next().value / 2;
  moved_down_ += by;
  for (const std::unique_ptr<Queue>& queue : queues_) {
    queue->context.MoveTagsDown(by);
    queue->known.MoveDown(by);
  }
  complete_.MoveDown(by);
  executions_.MoveDown(by);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_DEVICE_CONTEXT_BODIES_H_
