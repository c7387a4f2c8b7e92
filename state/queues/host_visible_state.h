// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_HOST_VISIBLE_STATE_H_
#define ASSAY_STATE_QUEUES_HOST_VISIBLE_STATE_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "dispatch/dispatch.h"
#include "vk/commands.h"

namespace assay::state {

// Queries and events, as complete batches and the host have left them. A query that was unavailable before and is
// available now tells the host that a batch has written it; an event likewise. ("Applications can verify that queryPool
// can be destroyed by checking that vkGetQueryPoolResults() … returns VK_SUCCESS for all queries that are used in
// command buffers submitted for execution.") A query that was available before tells nothing of a batch, but still
// verifies the pool.
//
// QueueTracker's mutex guards it.
class HostVisibleState {
 public:
  struct Pool {
    uint32_t size = 0;
    // Number of values of a query, without availability. kUnknownValues if the layout of results is not known.
    uint32_t values = 1;
    // By query; empty while none is.
    std::vector<bool> available;
    // The number of batches that had been submitted when a call last found all of its queries available.
    uint64_t verified = 0;
  };
  static constexpr uint32_t kUnknownValues = ~0u;

  void Add(VkQueryPool pool, const VkQueryPoolCreateInfo& info);
  void Remove(VkQueryPool pool) { pools_.erase(pool); }
  void HostReset(VkQueryPool pool, uint32_t first, uint32_t count);
  void HostChange(VkEvent event, bool is_set) {
    if (is_set) {
      set_events_.insert(event);
    } else {
      set_events_.erase(event);
    }
  }

  // Call this when a batch with the recording is complete.
  void Apply(const dispatch::Recording& recording);

  // Null if the pool is not known.
  Pool* Find(VkQueryPool pool);
  // Whether queries of the object, if it is a query pool, were found available after the batch was submitted.
  bool IsVerified(const dispatch::ObjectId& object, uint64_t batch) const;
  bool IsSet(VkEvent event) const { return set_events_.contains(event); }

  // For tests: all that it knows, as text (state/state_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  absl::flat_hash_map<VkQueryPool, Pool> pools_;
  absl::flat_hash_set<VkEvent> set_events_;
};

// Whether a call found all of its queries available. VK_SUCCESS says so, except with VK_QUERY_RESULT_PARTIAL_BIT alone.
bool FoundAll(const vk::GetQueryPoolResults& call, VkResult result);

// The queries that a call found available, and that were not before.
class NewlyAvailable {
 public:
  NewlyAvailable(const vk::GetQueryPoolResults& call, VkResult result, const HostVisibleState::Pool& pool);

  bool is_empty() const { return count_ == 0; }
  // Whether a recording has written some of them. Those are removed: later batches may not have written them yet. Call
  // this in the order of submission.
  bool TakeWrittenBy(const dispatch::Recording& recording);

 private:
  uint64_t pool_;
  uint32_t first_;
  // By query, from first_.
  std::vector<bool> queries_;
  size_t count_ = 0;
};

// Whether the recording sets the event.
bool Sets(const dispatch::Recording& recording, VkEvent event);

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_HOST_VISIBLE_STATE_H_
