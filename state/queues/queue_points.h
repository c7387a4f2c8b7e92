// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_QUEUE_POINTS_H_
#define ASSAY_STATE_QUEUES_QUEUE_POINTS_H_

#include <algorithm>
#include <vector>

#include "state/objects/queue.h"
#include "state/objects/semaphore.h"

// Functions on queue points that the parts of QueueTracker share. QueueTracker's mutex must be held.
namespace assay::state {

// Adds a point. Only the last point of each queue is kept, and none that is complete.
inline void Merge(QueuePoint point, QueuePoints* points) {
  if (IsComplete(point)) return;
  for (QueuePoint& known : *points) {
    if (known.queue != point.queue) continue;
    known.serial = std::max(known.serial, point.serial);
    return;
  }
  points->push_back(point);
}
inline void Merge(const QueuePoints& from, QueuePoints* points) {
  for (const QueuePoint& point : from) Merge(point, points);
}

// Drops signals and points that the host knows to be complete: they order nothing any more.
inline void DropComplete(SemaphoreProgress* progress) {
  std::erase_if(progress->signals, [&](const SemaphoreProgress::Signal& signal) {
    if (!IsComplete(signal.signal.point)) return false;
    progress->known_value = std::max(progress->known_value, signal.value);
    return true;
  });
  QueuePoints& merged_points = progress->merged_points;
  merged_points.erase(std::remove_if(merged_points.begin(), merged_points.end(), IsComplete), merged_points.end());
}

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_QUEUE_POINTS_H_
