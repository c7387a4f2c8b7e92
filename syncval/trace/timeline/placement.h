// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TIMELINE_PLACEMENT_H_
#define ASSAY_SYNCVAL_TRACE_TIMELINE_PLACEMENT_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "syncval/trace/timeline/timeline.h"

// Where everything lies on the logical clock, which ticks once a command. A batch begins when the one before it on its
// queue and all that it waits for have ended, so that what stands side by side may run at the same time.
namespace assay::syncval::trace {

struct Span {
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct PlacedBatch {
  Span span;
  // One for each command buffer.
  std::vector<Span> command_buffers;
};

// A frame ends with a present.
struct Frame {
  Span span;
  // Counted from the first that is kept.
  uint32_t number = 0;
};

class Placement {
 public:
  explicit Placement(const Timeline& timeline);

  // By the number of the batch in the timeline.
  const std::vector<PlacedBatch>& batches() const { return batches_; }
  const std::vector<Frame>& frames() const { return frames_; }
  uint64_t end() const { return end_; }

  // The number of a batch in the timeline; kNone when it is not kept.
  uint32_t Find(const BatchPoint& point) const;

 private:
  void PlaceFrames(const Timeline& timeline);

  std::vector<PlacedBatch> batches_;
  std::vector<Frame> frames_;
  // By queue, from serial to number.
  std::vector<absl::flat_hash_map<uint64_t, uint32_t>> numbers_;
  uint64_t end_ = 0;
};

// The ticks of a recording: one a command, and at least one.
inline uint32_t TicksOf(const RecordedTrace& trace) { return std::max(trace.total_size(), 1u); }

// Calls visit(trace, command, span) for each command of a recording that begins at a tick, those of secondaries after
// the command that executes them, which spans them.
template <class Visit>
void ForEachCommand(const RecordedTrace& trace, uint64_t begin, Visit&& visit) {
  size_t next_executed = 0;
  for (uint32_t i = 0; i < trace.size(); ++i) {
    const size_t first = next_executed;
    uint64_t end = begin + 1;
    for (; next_executed < trace.executed.size() && trace.executed[next_executed].command == i; ++next_executed)
      end += trace.executed[next_executed].trace->total_size();
    visit(trace, i, Span{begin, end});
    uint64_t at = begin + 1;
    for (size_t j = first; j < next_executed; ++j) {
      ForEachCommand(*trace.executed[j].trace, at, visit);
      at += trace.executed[j].trace->total_size();
    }
    begin = end;
  }
}

// Where each command of a recording begins, and last where it ends, relative to it.
std::vector<uint32_t> OffsetsOf(const RecordedTrace& trace);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TIMELINE_PLACEMENT_H_
