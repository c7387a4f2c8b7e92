// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_MARKERS_PROGRESS_H_
#define ASSAY_GPUAV_MARKERS_PROGRESS_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "gpuav/markers/markers.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// How far one execution came. Points are those of its MarkerLog.
struct Progress {
  // Whether it is known if it has begun; and whether the points between begin and end are known.
  bool knows_begin = false;
  bool knows_actions = false;
  // The last points that have begun and ended.
  uint32_t begun = 0;
  uint32_t ended = 0;
};

// What the memory of the log says. Of checkpoints the driver knows: nothing is known then.
Progress ProgressOf(const MarkerLog& log);

// An execution, as a queue has it.
struct QueuedExecution {
  const MarkerLog* log;
  // So many of the next ones are secondary command buffers that it executes.
  size_t secondaries;
  Progress* progress;
};

// Reads the checkpoints of a queue of which the device is lost. The executions are those that are pending on the queue,
// in order; all have checkpoints. Their progress becomes what the last checkpoints say.
void ReadCheckpoints(const dispatch::Device& device, VkQueue queue, absl::Span<const QueuedExecution> executions);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_MARKERS_PROGRESS_H_
