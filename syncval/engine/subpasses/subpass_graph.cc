// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/subpasses/subpass_graph.h"

#include <algorithm>

#include "syncval/engine/events/event.h"

namespace assay::syncval {

SubpassGraph::SubpassGraph(uint32_t subpasses, absl::Span<const Dependency> dependencies, VkQueueFlags queue_flags)
    : last_(subpasses - 1), begins_(subpasses), ends_(subpasses) {
  for (const Dependency& dependency : dependencies) AddEdge(dependency, queue_flags);
  for (std::vector<Step>* steps : {&begins_, &ends_}) {
    for (Step& step : *steps) {
      for (const Barrier& barrier : step.barriers) step.pointers.push_back(&barrier);
    }
  }
}

bool SubpassGraph::IsForward(const Dependency& dependency) const {
  if (dependency.src == kExternal) return dependency.dst <= last_;
  return dependency.src <= last_ && dependency.dst > dependency.src &&
         (dependency.dst == kExternal || dependency.dst <= last_);
}

bool SubpassGraph::IsOneBarrier(const Dependency& dependency) const {
  return (dependency.src == kExternal && dependency.dst == 0) ||
         (dependency.src == last_ && dependency.dst == kExternal);
}

void SubpassGraph::AddEdge(const Dependency& dependency, VkQueueFlags queue_flags) {
  Edge edge{.dependency = dependency, .barrier = MakeBarrier(dependency.flags, queue_flags)};
  if (dependency.src != kExternal) edge.barrier.src = edge.barrier.src.Inside();
  if (dependency.dst != kExternal) edge.barrier.dst = edge.barrier.dst.Inside();
  if (IsForward(dependency)) {
    if (!IsOneBarrier(dependency)) edge.stage = StageFor(edge);
    AddBarriers(edge);
  }
  edges_.push_back(edge);
}

VkPipelineStageFlags2 SubpassGraph::StageFor(const Edge& edge) {
  for (const Edge& other : edges_) {
    if (other.stage != 0 && other.dependency.src == edge.dependency.src && other.barrier.src == edge.barrier.src)
      return other.stage;
  }
  const uint32_t number = std::min(stages_assigned_++, kEventStageCount - 1);
  return VkPipelineStageFlags2{1} << (kFirstEventStage + number);
}

void SubpassGraph::AddBarriers(const Edge& edge) {
  Step& first = edge.dependency.src == kExternal ? begins_[0] : ends_[edge.dependency.src];
  if (edge.stage == 0) return Add(first, edge.barrier);
  const BarrierScope between{{0, edge.stage}, {}};
  Add(first, {edge.barrier.src, between});
  Add(edge.dependency.dst == kExternal ? ends_[last_] : begins_[edge.dependency.dst], {between, edge.barrier.dst});
}

void SubpassGraph::Add(Step& step, const Barrier& barrier) {
  if (barrier.HasEffect() && std::ranges::find(step.barriers, barrier) == step.barriers.end())
    step.barriers.push_back(barrier);
}

BarrierScope SubpassGraph::FirstScope(size_t dependency, uint32_t subpass) const {
  const Edge& edge = edges_[dependency];
  const uint32_t src = edge.dependency.src;
  const bool is_at_begin = src == kExternal && subpass == 0;
  const bool is_at_end = src == last_ && subpass == kExternal;
  if (is_at_begin || is_at_end) return edge.barrier.src;
  return {{0, edge.stage}, {}};
}

BarrierScope SubpassGraph::SecondScope(size_t dependency) const {
  const Barrier& barrier = edges_[dependency].barrier;
  BarrierScope scope = barrier.dst;
  scope.stages.AddTransitionFlags(TransitionFlagsOf(barrier));
  return scope;
}

}  // namespace assay::syncval
