// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/timeline/placement.h"

#include <algorithm>

namespace assay::syncval::trace {

Placement::Placement(const Timeline& timeline) : numbers_(timeline.queues.size()) {
  std::vector<uint64_t> free_from(timeline.queues.size(), 0);
  batches_.reserve(timeline.batches().size());
  for (const TracedBatch& batch : timeline.batches()) {
    uint64_t begin = free_from[batch.point.queue];
    for (const TracedWait& wait : batch.waits) {
      for (const BatchPoint& source : wait.sources) {
        if (const uint32_t number = Find(source); number != kNone) {
          begin = std::max(begin, batches_[number].span.end + 1);
        }
      }
    }
    PlacedBatch placed{.span = {begin, begin}};
    for (const RecordedTraceRef& trace : batch.command_buffers) {
      const uint64_t end = placed.span.end + (trace != nullptr ? TicksOf(*trace) : 1);
      placed.command_buffers.push_back({placed.span.end, end});
      placed.span.end = end;
    }
    placed.span.end = std::max(placed.span.end, begin + 1);
    // A free tick keeps neighbours apart.
    free_from[batch.point.queue] = placed.span.end + 1;
    end_ = std::max(end_, placed.span.end);
    numbers_[batch.point.queue].emplace(batch.point.serial, static_cast<uint32_t>(batches_.size()));
    batches_.push_back(std::move(placed));
  }
  PlaceFrames(timeline);
}

uint32_t Placement::Find(const BatchPoint& point) const {
  if (point.queue >= numbers_.size()) return kNone;
  const auto found = numbers_[point.queue].find(point.serial);
  return found != numbers_[point.queue].end() ? found->second : kNone;
}

void Placement::PlaceFrames(const Timeline& timeline) {
  uint64_t begin = 0;
  for (size_t i = 0; i < batches_.size(); ++i) {
    if (timeline.batches()[i].presents.empty()) continue;
    const uint64_t end = std::max(batches_[i].span.end, begin + 1);
    frames_.push_back({{begin, end}, static_cast<uint32_t>(frames_.size() + 1)});
    begin = end;
  }
}

std::vector<uint32_t> OffsetsOf(const RecordedTrace& trace) {
  std::vector<uint32_t> offsets;
  offsets.reserve(trace.size() + 1);
  uint32_t at = 0;
  size_t next = 0;
  for (uint32_t i = 0; i < trace.size(); ++i) {
    offsets.push_back(at++);
    for (; next < trace.executed.size() && trace.executed[next].command == i; ++next)
      at += trace.executed[next].trace->total_size();
  }
  offsets.push_back(std::max(at, 1u));
  return offsets;
}

}  // namespace assay::syncval::trace
