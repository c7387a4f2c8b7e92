// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/control_flow/dominators.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"

namespace assay::spirv_instrument {
namespace {

using Neighbours = absl::FunctionRef<absl::Span<const uint32_t>(uint32_t)>;

// Thomas Lengauer and Robert Endre Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", in its simple
// form. Nodes are numbered here in the order in which a depth-first walk from the root reaches them.
class LengauerTarjan {
 public:
  LengauerTarjan(uint32_t count, uint32_t root, Neighbours successors, Neighbours predecessors)
      : predecessors_(predecessors), order_of_(count, kNone) {
    Walk(root, successors);
    semidominators_.resize(nodes_.size());
    for (uint32_t i = 0; i < nodes_.size(); ++i) semidominators_[i] = i;
    labels_ = semidominators_;
    ancestors_.assign(nodes_.size(), kNone);
    dominators_.assign(nodes_.size(), 0);
  }

  // The immediate dominator of each node; kNone for the root and what it does not reach.
  std::vector<uint32_t> Find() {
    // The nodes that each node is the semidominator of, as lists.
    std::vector<uint32_t> bucket(nodes_.size(), kNone);
    std::vector<uint32_t> next_in_bucket(nodes_.size(), kNone);
    for (auto w = static_cast<uint32_t>(nodes_.size()); w-- > 1;) {
      for (uint32_t predecessor : predecessors_(nodes_[w])) {
        const uint32_t v = order_of_[predecessor];
        if (v != kNone) semidominators_[w] = std::min(semidominators_[w], semidominators_[Evaluate(v)]);
      }
      next_in_bucket[w] = std::exchange(bucket[semidominators_[w]], w);
      ancestors_[w] = parents_[w];
      for (uint32_t v = std::exchange(bucket[parents_[w]], kNone); v != kNone; v = next_in_bucket[v]) {
        const uint32_t u = Evaluate(v);
        dominators_[v] = semidominators_[u] < semidominators_[v] ? u : parents_[w];
      }
    }
    for (uint32_t w = 1; w < nodes_.size(); ++w) {
      if (dominators_[w] != semidominators_[w]) dominators_[w] = dominators_[dominators_[w]];
    }
    std::vector<uint32_t> result(order_of_.size(), kNone);
    for (uint32_t w = 1; w < nodes_.size(); ++w) result[nodes_[w]] = nodes_[dominators_[w]];
    return result;
  }

 private:
  static constexpr uint32_t kNone = ControlFlowGraph::kNone;

  void Walk(uint32_t root, Neighbours successors) {
    std::vector<std::pair<uint32_t, size_t>> path;
    const auto reach = [&](uint32_t node, uint32_t parent) {
      order_of_[node] = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back(node);
      parents_.push_back(parent);
      path.emplace_back(node, 0);
    };
    reach(root, kNone);
    while (!path.empty()) {
      auto& [node, visited] = path.back();
      const absl::Span<const uint32_t> all = successors(node);
      if (visited == all.size()) {
        path.pop_back();
        continue;
      }
      const uint32_t next = all[visited++];
      if (order_of_[next] == kNone) reach(next, order_of_[node]);
    }
  }

  // The node with the smallest semidominator on the way from `v` up the forest of nodes that are done, its root left
  // out. Shortens that way.
  uint32_t Evaluate(uint32_t v) {
    if (ancestors_[v] == kNone) return labels_[v];
    way_.clear();
    for (uint32_t u = v; ancestors_[ancestors_[u]] != kNone; u = ancestors_[u]) way_.push_back(u);
    for (const uint32_t u : std::ranges::reverse_view(way_)) {
      const uint32_t ancestor = ancestors_[u];
      if (semidominators_[labels_[ancestor]] < semidominators_[labels_[u]]) labels_[u] = labels_[ancestor];
      ancestors_[u] = ancestors_[ancestor];
    }
    return labels_[v];
  }

  const Neighbours predecessors_;
  // By node; kNone for one that is not reached.
  std::vector<uint32_t> order_of_;
  // By order.
  std::vector<uint32_t> nodes_;
  std::vector<uint32_t> parents_;
  std::vector<uint32_t> semidominators_;
  std::vector<uint32_t> labels_;
  std::vector<uint32_t> ancestors_;
  std::vector<uint32_t> dominators_;
  std::vector<uint32_t> way_;
};

}  // namespace

DominatorTree DominatorTree::Dominators(const ControlFlowGraph& graph) {
  if (graph.size() == 0) return DominatorTree({}, 0);
  const auto successors = [&](uint32_t block) { return graph.successors(block); };
  const auto predecessors = [&](uint32_t block) { return graph.predecessors(block); };
  return DominatorTree(LengauerTarjan(graph.size(), 0, successors, predecessors).Find(), 0);
}

DominatorTree DominatorTree::PostDominators(const ControlFlowGraph& graph) {
  // The graph turned round, with a root before all ends.
  const uint32_t root = graph.size();
  std::vector<uint32_t> ends;
  for (uint32_t block = 0; block < graph.size(); ++block) {
    if (graph.successors(block).empty()) ends.push_back(block);
  }
  const auto successors = [&](uint32_t block) {
    return block == root ? absl::MakeConstSpan(ends) : graph.predecessors(block);
  };
  const auto predecessors = [&](uint32_t block) {
    if (block == root) return absl::Span<const uint32_t>();
    return graph.successors(block).empty() ? absl::MakeConstSpan(&root, 1) : graph.successors(block);
  };
  std::vector<uint32_t> parents = LengauerTarjan(root + 1, root, successors, predecessors).Find();
  parents.pop_back();
  return DominatorTree(std::move(parents), root);
}

DominatorTree::DominatorTree(std::vector<uint32_t> parent, uint32_t root) : parent_(std::move(parent)) {
  const auto count = static_cast<uint32_t>(parent_.size());
  // Children of each node, the root too, as lists.
  std::vector<uint32_t> first(count + 1, kNone);
  std::vector<uint32_t> next(count, kNone);
  for (uint32_t block = count; block-- > 0;) {
    if (parent_[block] != kNone) next[block] = std::exchange(first[parent_[block]], block);
  }
  begin_.assign(count + 1, kNone);
  end_.assign(count + 1, kNone);
  uint32_t time = 0;
  std::vector<uint32_t> path = {root};
  begin_[root] = time++;
  while (!path.empty()) {
    const uint32_t block = path.back();
    const uint32_t child = first[block];
    if (child == kNone) {
      end_[block] = time++;
      path.pop_back();
      continue;
    }
    first[block] = next[child];
    begin_[child] = time++;
    path.push_back(child);
  }
  // The root that is no block dominates none that a caller knows.
  for (uint32_t& dominator : parent_) {
    if (dominator == count) dominator = kNone;
  }
}

uint32_t DominatorTree::CommonDominator(uint32_t a, uint32_t b) const {
  while (a != kNone && !Dominates(a, b)) a = parent_[a];
  return a;
}

}  // namespace assay::spirv_instrument
