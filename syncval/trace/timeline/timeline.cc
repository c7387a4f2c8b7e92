// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/timeline/timeline.h"

namespace assay::syncval::trace {

uint32_t TracedBatch::command_count() const {
  uint32_t count = 0;
  for (const RecordedTraceRef& trace : command_buffers) count += trace != nullptr ? trace->total_size() : 0;
  return count;
}

void Timeline::SetQueue(uint32_t index, TracedQueue queue) {
  if (queues.size() <= index) queues.resize(index + 1);
  queues[index] = std::move(queue);
}

void Timeline::Add(TracedBatch batch) {
  commands_ += batch.command_count();
  batches_.push_back(std::move(batch));
  // A batch without commands takes memory, too.
  while (batches_.size() > 1 && commands_ + batches_.size() > limit_) {
    const uint32_t count = batches_.front().command_count();
    commands_ -= count;
    dropped_commands_ += count;
    ++dropped_batches_;
    batches_.pop_front();
  }
}

void Timeline::Add(TimelineHazard hazard) {
  hazards_.push_back(std::move(hazard));
  if (hazards_.size() > kMaxHazards) hazards_.pop_front();
}

}  // namespace assay::syncval::trace
