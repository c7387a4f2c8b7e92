// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TIMELINE_TIMELINE_H_
#define ASSAY_SYNCVAL_TRACE_TIMELINE_TIMELINE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "syncval/trace/recorded/recorded_trace.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// The batches that the queues of one device got, with their hazards.
namespace assay::syncval::trace {

struct TracedQueue {
  // "VkQueue 0x12[main]".
  std::string name;
  uint32_t family = 0;
  VkQueueFlags flags = 0;
};

// A batch by its number on its queue.
struct BatchPoint {
  uint32_t queue = 0;
  uint64_t serial = 0;
  friend bool operator==(const BatchPoint&, const BatchPoint&) = default;
};

struct TracedWait {
  std::string semaphore;
  // Of a timeline semaphore, else 0.
  uint64_t value = 0;
  VkPipelineStageFlags2 stages = 0;
  // The batches that signalled it.
  std::vector<BatchPoint> sources;
  // "image 1 of VkSwapchainKHR 0x12" where the presentation engine did.
  std::string acquired;
};

struct TracedSignal {
  std::string semaphore;
  uint64_t value = 0;
  VkPipelineStageFlags2 stages = 0;
};

// A command, by its command buffer and its number there; a batch where command_buffer is kNone.
struct CommandPoint {
  BatchPoint batch;
  uint32_t command_buffer = 0;
  uint32_t command = 0;
};

// A hazard between submissions.
struct TimelineHazard {
  std::string id;
  std::string text;
  std::string fix;
  CommandPoint at;
  // The earlier access; its batch's serial is 0 when that is no longer known.
  CommandPoint prior;
  std::string resource;
};

struct TracedBatch {
  BatchPoint point;
  // The call that submitted it.
  vk::CommandId command{};
  // Nanoseconds on the host's steady clock since the trace began.
  int64_t host_time = 0;
  std::vector<TracedWait> waits;
  // Null where a recording is unknown.
  std::vector<RecordedTraceRef> command_buffers;
  std::vector<TracedSignal> signals;
  // "image 1 of VkSwapchainKHR 0x12".
  std::vector<std::string> presents;

  uint32_t command_count() const;
};

// The batches of a device, each after all batches that it waits for. Keeps at most `limit` commands: beyond that it
// drops the oldest batches, and counts them.
class Timeline {
 public:
  explicit Timeline(uint32_t limit, uint64_t dropped_batches = 0, uint64_t dropped_commands = 0)
      : limit_(limit), dropped_batches_(dropped_batches), dropped_commands_(dropped_commands) {}

  void SetQueue(uint32_t index, TracedQueue queue);
  // Of a queue that was set.
  void Add(TracedBatch batch);
  void Add(TimelineHazard hazard);

  uint32_t limit() const { return limit_; }
  const std::deque<TracedBatch>& batches() const { return batches_; }
  const std::deque<TimelineHazard>& hazards() const { return hazards_; }
  uint64_t commands() const { return commands_; }
  uint64_t dropped_batches() const { return dropped_batches_; }
  uint64_t dropped_commands() const { return dropped_commands_; }

  // "VkDevice 0x12".
  std::string device;
  std::vector<TracedQueue> queues;

 private:
  // A run has few hazards, or so many that a part is enough.
  static constexpr size_t kMaxHazards = 10000;

  const uint32_t limit_;
  std::deque<TracedBatch> batches_;
  std::deque<TimelineHazard> hazards_;
  uint64_t commands_ = 0;
  uint64_t dropped_batches_;
  uint64_t dropped_commands_;
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TIMELINE_TIMELINE_H_
