// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/timeline/barrier_execution.h"

#include <algorithm>

namespace assay::syncval::trace {
namespace {

// The stages by which chains of barriers reach a point. A layout transition of a barrier has none, since only its own
// barrier orders other accesses with it. One of a render pass has all: which dependencies it is between is left open.
VkPipelineStageFlags2 OwnStages(const AccessPoint& point) {
  if (!point.is_transition()) return point.info().stage;
  return point.is_of_render_pass ? ~VkPipelineStageFlags2{0} : 0;
}

}  // namespace

bool NeedsBarrier(const Dependency& dependency) {
  const AccessPoint& earlier = dependency.earlier;
  const AccessPoint& later = dependency.later;
  if (earlier.order == later.order || (earlier.is_transition() && later.is_transition())) return false;
  // Rasterization order ends with the subpass.
  const bool is_in_order = later.scope == 0 || later.scope == earlier.scope;
  return later.ordering == OrderingRule::kNone || !is_in_order || !OrderedAccesses(later.ordering).Has(earlier.access);
}

bool IsInSource(const BarrierExecution& execution, uint32_t number, const AccessPoint& earlier) {
  if (execution.Does(earlier, number)) return true;
  if (!execution.HasBefore(earlier) || earlier.is_transition()) return false;
  const BarrierScope& src = execution.site->scopes.src;
  return earlier.is_write() ? src.accesses.Has(earlier.access) : (src.stages & earlier.info().stage) != 0;
}

bool IsInDestination(const BarrierExecution& execution, uint32_t number, const Dependency& dependency) {
  const AccessPoint& later = dependency.later;
  if (execution.Does(later, number)) return true;
  if (!execution.HasAfter(later) || later.is_transition()) return false;
  const BarrierScope& dst = execution.site->scopes.dst;
  return dependency.earlier.is_write() ? dst.accesses.Has(later.access) : (dst.stages & later.info().stage) != 0;
}

std::pair<size_t, size_t> BarrierExecutions::Between(uint32_t queue, uint64_t from, uint64_t to) const {
  const std::vector<BarrierExecution>& all = queues_[queue];
  const auto first = std::ranges::lower_bound(all, from, {}, &BarrierExecution::order);
  const auto end = std::ranges::upper_bound(all, to, {}, &BarrierExecution::order);
  return {static_cast<size_t>(first - all.begin()), static_cast<size_t>(end - all.begin())};
}

void BarrierExecutions::MarkSuccessors(const AccessPoint& point, size_t first, size_t end,
                                       std::vector<bool>& marks) const {
  VkPipelineStageFlags2 reached = 0;
  for (size_t i = first; i < end; ++i) {
    const BarrierExecution& execution = queues_[point.queue][i];
    const Barrier& scopes = execution.site->scopes;
    const bool is_own = execution.Does(point, static_cast<uint32_t>(i));
    const bool is_after =
        execution.order > point.order || (execution.order == point.order && execution.is_subpass_dependency());
    marks[i - first] = is_own || (is_after && (scopes.src.stages.outside & (reached | OwnStages(point))) != 0);
    if (marks[i - first]) reached |= scopes.dst.stages.outside;
  }
}

void BarrierExecutions::MarkPredecessors(const AccessPoint& point, size_t first, size_t end,
                                         std::vector<bool>& marks) const {
  VkPipelineStageFlags2 reached = 0;
  for (size_t i = end; i-- > first;) {
    const BarrierExecution& execution = queues_[point.queue][i];
    const Barrier& scopes = execution.site->scopes;
    const bool is_own = execution.Does(point, static_cast<uint32_t>(i));
    const bool is_before =
        execution.order < point.order || (execution.order == point.order && execution.is_subpass_dependency());
    marks[i - first] = is_own || (is_before && (scopes.dst.stages.outside & (reached | OwnStages(point))) != 0);
    if (marks[i - first]) reached |= scopes.src.stages.outside;
  }
}

void BarrierExecutions::AddArrows(std::vector<BarrierArrow>& arrows) const {
  for (const std::vector<BarrierExecution>& executions : queues_) {
    uint64_t last = 0;
    for (const BarrierExecution& execution : executions) {
      if (execution.earlier == 0 || execution.order == last) continue;
      last = execution.order;
      arrows.push_back({execution.earlier - 1, execution.order - 1, execution.later - 1});
    }
  }
}

}  // namespace assay::syncval::trace
