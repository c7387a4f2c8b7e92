// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_QUEUE_CONTEXTS_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_QUEUE_CONTEXTS_H_

#include <vector>

#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/vector_clock.h"

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
  // What happened before the next batch of this queue. Only of a queue's context.
  const VectorClock& clock() const { return *clock_; }

  void AddOther(Context& other) { others_.push_back(&other); }
  const std::vector<Context*>& others() const { return others_; }
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
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_QUEUE_CONTEXTS_H_
