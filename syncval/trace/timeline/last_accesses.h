// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TIMELINE_LAST_ACCESSES_H_
#define ASSAY_SYNCVAL_TRACE_TIMELINE_LAST_ACCESSES_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "syncval/engine/engine.h"
#include "syncval/trace/recorded/recorded_trace.h"

// The last accesses to each byte in a run.
namespace assay::syncval::trace {

// An access of a run, by its place in the order of all commands.
struct AccessPoint {
  uint64_t order = 0;
  uint32_t queue = 0;
  vk::SyncAccessIndex access = vk::kSyncNone;
  OrderingRule ordering = OrderingRule::kNone;
  // Of a layout transition, the number of its barrier among those that its queue executed.
  uint32_t barrier = kNone;
  // The subpass of its render pass instance, numbered over the run; 0 outside of such instances.
  uint32_t scope = 0;
  // A layout transition that a render pass instance does.
  bool is_of_render_pass = false;

  const vk::SyncStageAccessInfo& info() const { return vk::SyncStageAccesses()[access]; }
  bool is_transition() const { return access == vk::kSyncImageLayoutTransition; }
  bool is_write() const { return is_transition() || info().is_write; }
};

struct LastAccesses {
  bool has_write = false;
  AccessPoint write;
  // Since the write, one of each kind on each queue and in each subpass.
  absl::InlinedVector<AccessPoint, 2> reads;
  // Reads of these kinds on the write's queue are in order after it, and so are all later ones.
  SyncAccessMask read_by;
};

class LastAccessMap {
 public:
  // Calls visit(Range, LastAccesses&) on each part of the range, with a new LastAccesses where there was none.
  template <class Visit>
  void ForEach(const Range& range, Visit&& visit) {
    Split(range.begin);
    Split(range.end);
    uint64_t at = range.begin;
    for (auto part = parts_.lower_bound(range.begin); at < range.end;) {
      if (part == parts_.end() || part->first > at) {
        const uint64_t end = part == parts_.end() ? range.end : std::min(range.end, part->first);
        part = parts_.emplace_hint(part, at, Part{end, {}});
      }
      visit(Range{part->first, part->second.end}, part->second.last);
      at = part->second.end;
      ++part;
    }
  }

  template <class Visit>
  void ForAll(Visit&& visit) {
    for (auto& [begin, part] : parts_) visit(Range{begin, part.end}, part.last);
  }

 private:
  struct Part {
    uint64_t end = 0;
    LastAccesses last;
  };

  // Splits the part that contains the address, so that one begins there.
  void Split(uint64_t at) {
    auto after = parts_.upper_bound(at);
    if (after == parts_.begin()) return;
    const auto part = std::prev(after);
    if (part->first == at || part->second.end <= at) return;
    parts_.emplace_hint(after, at, part->second);
    part->second.end = at;
  }

  std::map<uint64_t, Part> parts_;
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TIMELINE_LAST_ACCESSES_H_
