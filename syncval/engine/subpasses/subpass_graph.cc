// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/subpasses/subpass_graph.h"

#include <algorithm>
#include <array>

#include "syncval/engine/events/event.h"

namespace assay::syncval {

SubpassGraph::SubpassGraph(uint32_t subpasses, absl::Span<const Dependency> dependencies, VkQueueFlags queue_flags,
                           absl::Span<const uint32_t> last_transitions)
    : last_(subpasses - 1), begins_(subpasses), ends_(subpasses) {
  for (size_t i = 0; i < dependencies.size(); ++i)
    AddEdge(dependencies[i], queue_flags, last_transitions.empty() ? kExternal : last_transitions[i]);
  AssignStages();
  for (const Edge& edge : edges_) {
    if (IsForward(edge.dependency)) AddBarriers(edge);
  }
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

void SubpassGraph::AddEdge(const Dependency& dependency, VkQueueFlags queue_flags, uint32_t last_transition) {
  Edge edge{.dependency = dependency,
            .barrier = MakeBarrier(dependency.flags, queue_flags),
            .until = std::max(dependency.dst, last_transition)};
  if (dependency.src != kExternal) edge.barrier.src = edge.barrier.src.Inside();
  if (dependency.dst != kExternal) edge.barrier.dst = edge.barrier.dst.Inside();
  edges_.push_back(edge);
}

void SubpassGraph::AssignStages() {
  std::vector<StageUse> uses = FindStageUses(/*by_second_scope=*/false);
  if (!Assign(uses)) {
    uses = FindStageUses(/*by_second_scope=*/true);
    Assign(uses);
  }
  for (const StageUse& use : uses) {
    for (const size_t edge : use.edges) edges_[edge].stage = use.stage;
  }
  TakeOutStages(uses);
}

std::vector<SubpassGraph::StageUse> SubpassGraph::FindStageUses(bool by_second_scope) const {
  const auto is_by_second_scope = [&](const Edge& edge) { return by_second_scope && edge.dependency.dst == kExternal; };
  const auto have_one_stage = [&](const Edge& a, const Edge& b) {
    if (is_by_second_scope(a) != is_by_second_scope(b)) return false;
    if (is_by_second_scope(a)) return a.barrier.dst == b.barrier.dst;
    return a.dependency.src == b.dependency.src && a.barrier.src == b.barrier.src;
  };
  std::vector<StageUse> uses;
  for (size_t i = 0; i < edges_.size(); ++i) {
    const Dependency& dependency = edges_[i].dependency;
    if (!IsForward(dependency) || IsOneBarrier(dependency)) continue;
    const uint32_t from = dependency.src == kExternal ? 0 : dependency.src + 1;
    auto use = std::ranges::find_if(
        uses, [&](const StageUse& known) { return have_one_stage(edges_[known.edges.front()], edges_[i]); });
    if (use == uses.end()) use = uses.insert(use, {.edges = {}, .from = from, .until = edges_[i].until});
    use->edges.push_back(i);
    use->from = std::min(use->from, from);
    use->until = std::max(use->until, edges_[i].until);
  }
  return uses;
}

bool SubpassGraph::Assign(std::vector<StageUse>& uses) {
  std::ranges::sort(uses, {}, &StageUse::from);
  // For each stage, from where on it is free, in the numbers of StageUse::from.
  std::array<uint64_t, kEventStageCount> free_from = {};
  bool are_enough = true;
  for (StageUse& use : uses) {
    auto free = std::ranges::find_if(free_from, [&](uint64_t from) { return from <= use.from; });
    if (free == free_from.end()) {
      are_enough = false;
      --free;
    }
    *free = std::max(*free, uint64_t{use.until} + 1);
    use.stage = VkPipelineStageFlags2{1} << (kFirstEventStage + static_cast<uint32_t>(free - free_from.begin()));
  }
  return are_enough;
}

void SubpassGraph::TakeOutStages(const std::vector<StageUse>& uses) {
  for (uint32_t subpass = 0; subpass <= last_; ++subpass) {
    Barrier none;
    for (const StageUse& use : uses) {
      if (use.until == subpass) none.src.stages.ended |= use.stage;
    }
    for (const StageUse& use : uses) {
      if (use.from <= subpass && use.until > subpass) none.src.stages.ended &= ~use.stage;
    }
    if (none.src.stages.ended != 0) begins_[subpass].barriers.push_back(none);
  }
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
