// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_REPLAY_SNAPSHOT_H_
#define ASSAY_SYNCVAL_ENGINE_REPLAY_SNAPSHOT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/accesses/regions.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/unordered_accesses.h"
#include "syncval/engine/replay/vector_clock.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// The states of a queue when it signalled a semaphore, for the queues that wait for it. Signals that have the same
// states share one, which never changes. A set of a state has all bits if the access was in the first scope of the
// signal, else none. The wait reduces them to its second scope.
struct Snapshot {
  struct Entry {
    Range range;
    AccessState state;
    // Of reads; the state's own are not used.
    uint32_t first_read = 0;
    uint32_t read_count = 0;
  };
  // A layout transition that would be in the first scope of the signal if it had one of these stages in its second
  // scope; see empty_scope_transitions.h.
  struct EmptyScopeTransition {
    Range range;
    Tag tag;
    VkPipelineStageFlags2 stages = 0;
  };
  // The entries that meet a range.
  absl::Span<const Entry> EntriesIn(const Range& range) const {
    const auto begin =
        std::ranges::partition_point(entries, [&](const Entry& entry) { return entry.range.end <= range.begin; });
    const auto end =
        std::partition_point(begin, entries.end(), [&](const Entry& entry) { return entry.range.begin < range.end; });
    return absl::MakeConstSpan(entries).subspan(static_cast<size_t>(begin - entries.begin()),
                                                static_cast<size_t>(end - begin));
  }

  // By address.
  std::vector<Entry> entries;
  std::vector<ReadRecord> reads;
  std::vector<EmptyScopeTransition> empty_scope_transitions;
  // The bounds of what is accessed in each region.
  std::vector<Region> regions;
  // Where the queue has dropped what it knew, or would have to know, of accesses.
  std::vector<UnorderedAccesses::Entry> unordered;
  // What happened before the signal on each queue.
  QueuePoint point;
  // Of the device's snapshots.
  uint64_t number = 0;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_REPLAY_SNAPSHOT_H_
