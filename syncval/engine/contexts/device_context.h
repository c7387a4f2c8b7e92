// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_DEVICE_CONTEXT_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_DEVICE_CONTEXT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/contexts/access_context.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/execution_table.h"
#include "syncval/engine/replay/snapshot.h"
#include "syncval/engine/replay/vector_clock.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// The accesses of the queues of a device that can still conflict with later ones. A batch is Wait for each of its wait
// semaphores, Replay for each of its command buffers, Signal for each of its signal semaphores. A batch that waits for
// a semaphore that is not signalled yet is held back by the caller, with later ones on its queue.
//
// Not thread-safe: submissions to all queues of a device need one lock.
template <Mutation kMutation = Mutation::kNone>
class BasicDeviceContext {
 public:
  using Context = BasicAccessContext<kMutation>;

  // Tags are moved down before they exceed max_tag.
  explicit BasicDeviceContext(uint32_t max_tag = uint32_t{1} << 31) : max_tag_(max_tag) {}

  // Adds a queue with these capabilities. At most 255.
  QueueIndex AddQueue(VkQueueFlags flags);
  Context& ContextOf(QueueIndex queue) { return queues_[static_cast<size_t>(queue)]->context; }

  // A semaphore signal: a snapshot of all earlier work on the queue. stages limits its first scope, as
  // VkSemaphoreSubmitInfo::stageMask does. ALL_COMMANDS, as of vkQueueSubmit, includes everything.
  std::shared_ptr<const Snapshot> Signal(QueueIndex queue, VkPipelineStageFlags2 stages);
  // A wait for a signal, with a second scope of these stages: everything later on the queue.
  void Wait(QueueIndex queue, const Snapshot& signal, VkPipelineStageFlags2 stages);

  // The execution of a recorded command buffer; see BasicAccessContext::Replay. execution names its queue; returns its
  // base.
  Tag Replay(Context& recorded, const Execution& execution, typename Context::OnHazard on_hazard);

  // The point up to which a fence that is signalled now, or a wait for the idle queue, completes work.
  QueuePoint PointOf(QueueIndex queue) const;
  // The host has waited for all work before a point. That work is ordered before everything submitted later, and is
  // forgotten.
  void HostWait(const QueuePoint& point);

  // Detects the races of an access by the host itself: with all accesses that it has not waited for. The access is
  // ordered before everything submitted later, so it is not recorded.
  void DetectHostRaces(const Access& access, typename Context::OnHazard on_hazard);

  const ExecutionTable& executions() const { return executions_; }
  // A tag for something that accesses nothing.
  Tag TakeTag() { return executions_.TakeTag(); }

 private:
  struct Queue {
    VkQueueFlags flags = 0;
    Context context;
    // What happened before the next batch, by way of semaphores.
    VectorClock known;
  };
  uint32_t MovedSince(const QueuePoint& point) const { return static_cast<uint32_t>(moved_down_ - point.moved_down); }
  Queue& Get(QueueIndex queue) { return *queues_[static_cast<size_t>(queue)]; }
  void MoveTagsDown();

  std::vector<std::unique_ptr<Queue>> queues_;
  ExecutionTable executions_;
  VectorClock complete_;
  uint32_t max_tag_;
  uint64_t moved_down_ = 0;
};

using DeviceContext = BasicDeviceContext<>;

extern template class BasicDeviceContext<Mutation::kNone>;

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_DEVICE_CONTEXT_H_
