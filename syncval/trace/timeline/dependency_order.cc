// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/timeline/dependency_order.h"

#include <algorithm>

namespace assay::syncval::trace {
namespace {

void AddNeeded(BarrierSite& site, const Dependency& dependency, uint32_t number) {
  site.is_needed = true;
  BarrierFlags& needed = site.finding.needed;
  const bool is_memory = dependency.earlier.is_write();
  if (dependency.earlier.barrier != number) {
    needed.src_stages |= dependency.earlier.info().stage;
    if (is_memory) needed.src_access |= dependency.earlier.info().access;
  }
  if (dependency.later.barrier != number) {
    needed.dst_stages |= dependency.later.info().stage;
    if (is_memory) needed.dst_access |= dependency.later.info().access;
  }
}

void MarkFixed(BarrierSite& site) { site.is_needed = site.is_fixed = true; }

}  // namespace

bool DependencyOrder::Assign(const Dependency& dependency) {
  if (!NeedsBarrier(dependency)) return dependency.later.scope == 0;
  if (dependency.earlier.queue == dependency.later.queue) {
    const auto [first, end] =
        executions_.Between(dependency.later.queue, dependency.earlier.order, dependency.later.order);
    const BarrierExecution* const direct = end - first <= kMaxBetween ? AssignDirect(dependency, first, end) : nullptr;
    if (direct != nullptr) return direct->dst_scope == 0;
  }
  AssignChain(dependency);
  return false;
}

const BarrierExecution* DependencyOrder::AssignDirect(const Dependency& dependency, size_t first, size_t end) {
  std::vector<BarrierExecution>& all = executions_.on(dependency.later.queue);
  for (size_t i = first; i < end; ++i) {
    const auto number = static_cast<uint32_t>(i);
    if (!IsInSource(all[i], number, dependency.earlier) || !IsInDestination(all[i], number, dependency) ||
        (dependency.earlier.is_write() && !all[i].Covers(dependency.bytes))) {
      continue;
    }
    AddNeeded(*all[i].site, dependency, number);
    if (all[i].earlier == 0) {
      all[i].earlier = dependency.earlier.order;
      all[i].later = dependency.later.order;
    }
    return &all[i];
  }
  return nullptr;
}

// Between queues, the chain itself is not looked for. It may go through all barriers that order the earlier access
// before them on its queue, all that order the later access after them on its queue, and all between the two on other
// queues.
void DependencyOrder::AssignChain(const Dependency& dependency) {
  const uint32_t from = dependency.earlier.queue, to = dependency.later.queue;
  for (uint32_t queue = 0; queue < executions_.queue_count(); ++queue) {
    const auto [first, end] = executions_.Between(queue, dependency.earlier.order, dependency.later.order);
    if (end - first > kMaxBetween || (queue != from && queue != to)) {
      for (size_t i = first; i < end; ++i) MarkFixed(*executions_.on(queue)[i].site);
      continue;
    }
    std::vector<bool> follows(end - first, queue != from);
    if (queue == from) executions_.MarkSuccessors(dependency.earlier, first, end, follows);
    std::vector<bool> leads(end - first, queue != to);
    if (queue == to) executions_.MarkPredecessors(dependency.later, first, end, leads);
    for (size_t i = first; i < end; ++i) {
      if (follows[i - first] && leads[i - first]) MarkFixed(*executions_.on(queue)[i].site);
    }
  }
}

void DependencyOrder::MarkFixedAfterDropped(const AccessPoint& point) {
  if (!is_cut_ || !dropped_seen_.insert({point.queue, point.access, point.order}).second) return;
  const auto [first, end] = executions_.Between(point.queue, 0, point.order);
  std::vector<bool> leads(end - first, true);
  if (end - first <= kMaxBetween) executions_.MarkPredecessors(point, first, end, leads);
  for (size_t i = first; i < end; ++i) {
    if (leads[i - first]) MarkFixed(*executions_.on(point.queue)[i].site);
  }
}

void DependencyOrder::NoteOpen(LastAccessMap& last_accesses, uint64_t end) {
  last_accesses.ForAll([&](const Range& bytes, LastAccesses& last) {
    if (last.has_write) NoteOpen(last.write, bytes, end);
    for (const AccessPoint& read : last.reads) NoteOpen(read, bytes, end);
  });
}

// A barrier after one that orders as much directly is of no use to a later submission.
void DependencyOrder::NoteOpen(const AccessPoint& point, const Range& bytes, uint64_t end_order) {
  if (!open_seen_.insert({point.queue, point.access, point.order, bytes.begin}).second) return;
  const auto [first, end] = executions_.Between(point.queue, point.order, end_order);
  std::vector<bool> follows(end - first, true);
  if (end - first <= kMaxBetween) executions_.MarkSuccessors(point, first, end, follows);
  std::vector<const BarrierScope*> direct;
  for (size_t i = first; i < end; ++i) {
    const BarrierExecution& execution = executions_.on(point.queue)[i];
    const BarrierScope& dst = execution.site->scopes.dst;
    if (!follows[i - first] || std::ranges::any_of(direct, [&](const BarrierScope* earlier) {
          return earlier->stages.Contains(dst.stages) &&
                 (!point.is_write() || earlier->accesses.Contains(dst.accesses));
        })) {
      continue;
    }
    execution.site->is_open = true;
    if (execution.dst_scope == 0 && IsInSource(execution, static_cast<uint32_t>(i), point) &&
        (!point.is_write() || execution.Covers(bytes)))
      direct.push_back(&dst);
  }
}

}  // namespace assay::syncval::trace
