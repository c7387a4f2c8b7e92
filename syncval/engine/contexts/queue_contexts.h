// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_QUEUE_CONTEXTS_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_QUEUE_CONTEXTS_H_

#include <vector>

#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/vector_clock.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// What the context of a queue sees of the device: its own index, what happened before it on other queues, and the
// contexts of those. In the context of a command buffer the index is 0 and there is nothing else.
template <typename Context>
class QueueContexts {
 public:
  void SetOwn(QueueIndex queue) { own_ = queue; }
  QueueIndex own() const { return own_; }

  // The clock outlives this.
  void SetClock(const VectorClock& clock) { clock_ = &clock; }
  // What happened before the next batch of this queue. Only of a queue's context, not of a copy of some of its states.
  const VectorClock& clock() const { return *clock_; }
  bool has_clock() const { return clock_ != nullptr; }

  void AddOther(Context& other) { others_.push_back(&other); }
  const std::vector<Context*>& others() const { return others_; }
  // The stage masks of the semaphore waits of the last batch that has any.
  void NoteWait(VkPipelineStageFlags2 stages) {
    waits_.stages = waits_.has_replayed ? stages : waits_.stages | stages;
    waits_.has_replayed = false;
  }
  void NoteReplay() { waits_.has_replayed = true; }
  VkPipelineStageFlags2 waited_stages() const { return waits_.stages; }

  // What the last waits were.
  struct Waits {
    VkPipelineStageFlags2 stages = 0;
    // Whether a command buffer has been replayed since the last wait.
    bool has_replayed = false;
  };
  const Waits& waits() const { return waits_; }
  void SetWaits(const Waits& waits) { waits_ = waits; }

  // The context of another queue; null if there is no such queue.
  Context* FindOther(QueueIndex queue) const {
    for (Context* other : others_) {
      if (other->queue() == queue) return other;
    }
    return nullptr;
  }

 private:
  QueueIndex own_ = {};
  const VectorClock* clock_ = nullptr;
  std::vector<Context*> others_;
  Waits waits_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_QUEUE_CONTEXTS_H_
