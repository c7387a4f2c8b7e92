// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_DEVICE_CONTEXT_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_DEVICE_CONTEXT_H_

#include <array>
#include <cstddef>
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
  // The single stages that the application can name, for suggestions. To be called before any queue is added.
  void SetStages(VkPipelineStageFlags2 stages) { stages_ = stages; }
  Context& ContextOf(QueueIndex queue) { return queues_[static_cast<size_t>(queue)]->context; }

  // A semaphore signal: a snapshot of all earlier work on the queue. stages limits its first scope, as
  // VkSemaphoreSubmitInfo::stageMask does. ALL_COMMANDS, as of vkQueueSubmit, includes everything.
  std::shared_ptr<const Snapshot> Signal(QueueIndex queue, VkPipelineStageFlags2 stages);
  // The same with the accesses of the queue to one range alone, and with nothing that its waits have ordered before it.
  std::shared_ptr<const Snapshot> SignalWithin(QueueIndex queue, const Range& range);
  // A wait for a signal, with a second scope of these stages: everything later on the queue. Only accesses within
  // a range are looked at.
  void Wait(QueueIndex queue, const Snapshot& signal, VkPipelineStageFlags2 stages, const Range& within = kEverywhere);

  // Everything later on the queue is after everything that its context has.
  void OrderEverything(QueueIndex queue);

  // The execution of a recorded command buffer; see BasicAccessContext::Replay. execution names its queue; returns its
  // base.
  Tag Replay(Context& recorded, const Execution& execution, typename Context::OnHazard on_hazard);

  // The point up to which a fence that is signalled now, or a wait for the idle queue, completes work.
  QueuePoint PointOf(QueueIndex queue) const;
  // Extends a point by another one: both complete.
  void Extend(QueuePoint& point, const QueuePoint& other) const;
  // Whether the host has waited for all work before the point.
  bool IsComplete(const QueuePoint& point) const;
  // The host has waited for all work before a point. That work is ordered before everything submitted later, and is
  // forgotten.
  void HostWait(const QueuePoint& point);
  // The resource of the range is gone, and nothing accesses it any more: forgets the accesses of a queue to it.
  void Forget(QueueIndex queue, const Range& range);

  // Undo. From BeginUndoable on, all changes can be undone, until the next call of this, EndUndoable or Undo. HostWait,
  // Forget and moving tags down end that too.
  void BeginUndoable();
  void EndUndoable();
  // Leaves everything as it was at BeginUndoable. False, without any effect, if that has ended.
  bool Undo();

  // Detects the races of an access by the host itself: with all accesses that it has not waited for. The access is
  // ordered before everything submitted later, so it is not recorded.
  void DetectHostRaces(const Access& access, typename Context::OnHazard on_hazard);

  const ExecutionTable& executions() const { return executions_; }
  // A tag for something that accesses nothing.
  Tag TakeTag() { return executions_.TakeTag(); }

 private:
  // Of tests: what the device has, as text.
  friend class ContextDump;

  struct Queue {
    VkQueueFlags flags = 0;
    Context context;
    // What happened before the next batch, by way of semaphores.
    VectorClock known;
    // The last signal and its stages, while it is not different from a signal now.
    std::shared_ptr<const Snapshot> last_signal;
    VkPipelineStageFlags2 last_signal_stages = 0;
    // The last waits. Another wait for the same signal with the same stages changes nothing.
    struct Waited {
      uint64_t signal = 0;
      VkPipelineStageFlags2 stages = 0;
      friend bool operator==(const Waited&, const Waited&) = default;
    };
    // The next one to replace.
    struct Waits {
      std::array<Waited, 8> waited = {};
      size_t next = 0;
    };
    Waits waits;
    // Whether it has changed since BeginUndoable; and how it was then, besides its context.
    bool has_changed = false;
    VectorClock known_before;
    Waits waits_before;
  };
  uint32_t MovedSince(const QueuePoint& point) const { return static_cast<uint32_t>(moved_down_ - point.moved_down); }
  Queue& Get(QueueIndex queue) { return *queues_[static_cast<size_t>(queue)]; }
  // The queue, which is about to change.
  Queue& Change(QueueIndex index) {
    Queue& queue = Get(index);
    if (is_undoable_ && !queue.has_changed) BeginUndoable(queue);
    return queue;
  }
  // The same of its context.
  Queue& ChangeContext(QueueIndex index) {
    Queue& queue = Change(index);
    queue.last_signal = nullptr;
    return queue;
  }
  void BeginUndoable(Queue& queue);
  // Whether it is among the last waits of the queue, to which it is added.
  bool HasWaited(Queue& queue, uint64_t signal, VkPipelineStageFlags2 stages);
  void MoveTagsDown();

  std::vector<std::unique_ptr<Queue>> queues_;
  ExecutionTable executions_;
  VectorClock complete_;
  VkPipelineStageFlags2 stages_ = ~VkPipelineStageFlags2{0};
  bool is_undoable_ = false;
  // Of executions_, at BeginUndoable.
  size_t executions_before_ = 0;
  Tag next_before_;
  uint32_t max_tag_;
  uint64_t moved_down_ = 0;
  uint64_t snapshots_ = 0;
};

using DeviceContext = BasicDeviceContext<>;

extern template class BasicDeviceContext<Mutation::kNone>;

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_DEVICE_CONTEXT_H_
