// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TIMELINE_DEPENDENCY_ORDER_H_
#define ASSAY_SYNCVAL_TRACE_TIMELINE_DEPENDENCY_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "syncval/trace/timeline/barrier_execution.h"
#include "syncval/trace/timeline/last_accesses.h"
#include "vk/sync/sync_info.h"

// What orders the dependencies of a run. Private to the analysis.
namespace assay::syncval::trace {

// Gives each dependency to the first barrier that orders it directly. If there is none, marks all barriers as fixed
// that a chain may go through.
class DependencyOrder {
 public:
  // executions may grow while this lives. is_cut says that the beginning of the run was dropped.
  DependencyOrder(BarrierExecutions& executions, bool is_cut) : executions_(executions), is_cut_(is_cut) {}

  // Returns true when one barrier orders the dependency, and orders all later accesses of the same kind likewise.
  bool Assign(const Dependency& dependency);

  // Marks what may order an access after something unknown in the part of the run that was dropped.
  void MarkFixedAfterDropped(const AccessPoint& point);

  // Notes the barriers that may order the accesses that are left at the end of the run before later submissions. end is
  // the order of the last command.
  void NoteOpen(LastAccessMap& last_accesses, uint64_t end);

 private:
  // With more barriers than this between two accesses, all of them are taken to be needed for their order.
  static constexpr size_t kMaxBetween = 2048;

  struct Seen {
    uint32_t queue;
    vk::SyncAccessIndex access;
    uint64_t order;
    uint64_t address = 0;
    bool operator==(const Seen&) const = default;
    template <class H>
    friend H AbslHashValue(H hash, const Seen& seen) {
      return H::combine(std::move(hash), seen.queue, static_cast<uint32_t>(seen.access), seen.order, seen.address);
    }
  };

  // Null when no barrier orders the dependency directly.
  const BarrierExecution* AssignDirect(const Dependency& dependency, size_t first, size_t end);
  void AssignChain(const Dependency& dependency);
  void NoteOpen(const AccessPoint& point, const Range& bytes, uint64_t end_order);

  BarrierExecutions& executions_;
  const bool is_cut_;
  absl::flat_hash_set<Seen> open_seen_;
  absl::flat_hash_set<Seen> dropped_seen_;
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TIMELINE_DEPENDENCY_ORDER_H_
