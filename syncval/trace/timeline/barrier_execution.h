// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_EXECUTION_H_
#define ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_EXECUTION_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "syncval/engine/engine.h"
#include "syncval/trace/recorded/recorded_trace.h"
#include "syncval/trace/timeline/barrier_analysis.h"
#include "syncval/trace/timeline/last_accesses.h"

// The barriers that the queues of a run executed, and which accesses their scopes hold. Private to the analysis.
namespace assay::syncval::trace {

// A barrier of a recording, with the finding about all of its executions.
struct BarrierSite {
  BarrierFinding finding;
  const TracedBarrier* barrier = nullptr;
  Barrier scopes;
  // A dependency was given to it.
  bool is_needed = false;
  // It is needed as it is.
  bool is_fixed = false;
  // It may order accesses that were the last of the run before later submissions.
  bool is_open = false;
};

// One execution of a barrier.
struct BarrierExecution {
  uint64_t order = 0;
  BarrierSite* site = nullptr;
  // Orders of the two accesses of the first dependency that it was given; 0 for none.
  uint64_t earlier = 0;
  uint64_t later = 0;
  // The scopes hold commands before src_end and from dst_begin on. A scope that is not 0 holds those of one subpass
  // alone; see AccessPoint::scope.
  uint64_t src_end = 0;
  uint64_t dst_begin = 0;
  uint32_t src_scope = 0;
  uint32_t dst_scope = 0;

  bool is_subpass_dependency() const { return site->barrier->kind == TracedBarrier::Kind::kSubpass; }
  bool HasBefore(const AccessPoint& point) const {
    return point.order < src_end && (src_scope == 0 || point.scope == src_scope);
  }
  bool HasAfter(const AccessPoint& point) const {
    return point.order >= dst_begin && (dst_scope == 0 || point.scope == dst_scope);
  }
  // Whether the point is a layout transition that this execution does, between its scopes. number is this execution's
  // on its queue.
  bool Does(const AccessPoint& point, uint32_t number) const {
    return point.barrier == number || (point.is_of_render_pass && is_subpass_dependency() && point.order == order);
  }

  // Whether the barrier covers all of the bytes.
  bool Covers(const Range& bytes) const {
    const TracedBarrier& barrier = *site->barrier;
    if (barrier.kind == TracedBarrier::Kind::kMemory || is_subpass_dependency()) return true;
    const RecordedTrace& trace = *site->finding.trace;
    for (uint32_t i = 0; i < barrier.range_count; ++i) {
      const Range& range = trace.barrier_ranges[barrier.first_range + i];
      if (range.begin <= bytes.begin && bytes.end <= range.end) return true;
    }
    return false;
  }
};

// Two accesses of which the later must come after the earlier.
struct Dependency {
  const AccessPoint& earlier;
  const AccessPoint& later;
  Range bytes;
};

// Whether a barrier must order the two. Accesses of one command, layout transitions among themselves and what
// rasterization order orders need none.
bool NeedsBarrier(const Dependency& dependency);

// Whether the first scope of the execution holds the earlier access. number is the execution's on its queue.
bool IsInSource(const BarrierExecution& execution, uint32_t number, const AccessPoint& earlier);
// Whether its second scope holds the later access.
bool IsInDestination(const BarrierExecution& execution, uint32_t number, const Dependency& dependency);

// All executions of barriers of a run, by queue, in order.
class BarrierExecutions {
 public:
  explicit BarrierExecutions(size_t queues) : queues_(queues) {}

  size_t queue_count() const { return queues_.size(); }
  std::vector<BarrierExecution>& on(uint32_t queue) { return queues_[queue]; }
  const std::vector<BarrierExecution>& on(uint32_t queue) const { return queues_[queue]; }

  // The first and the end of the executions on a queue from an order to another, both included: a transition has the
  // order of its barrier.
  std::pair<size_t, size_t> Between(uint32_t queue, uint64_t from, uint64_t to) const;

  // Marks executions on the point's queue in [first, end) that order the access before them, directly or by a chain.
  void MarkSuccessors(const AccessPoint& point, size_t first, size_t end, std::vector<bool>& marks) const;
  // Marks those that order the access after them.
  void MarkPredecessors(const AccessPoint& point, size_t first, size_t end, std::vector<bool>& marks) const;

  // Several barriers of one command are one arrow.
  void AddArrows(std::vector<BarrierArrow>& arrows) const;

 private:
  std::vector<std::vector<BarrierExecution>> queues_;
};

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_EXECUTION_H_
