// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/control_flow/control_flow_graph.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/uses.h"

namespace assay::spirv_instrument {

ControlFlowGraph::ControlFlowGraph(const Module& module, Function function) : module_(module) {
  for (Block block : function.blocks()) {
    numbers_[block.index()] = static_cast<uint32_t>(blocks_.size());
    blocks_.push_back(block);
  }
  FindEdges();
  FindOrder();
}

uint32_t ControlFlowGraph::NumberOf(Block block) const {
  const auto found = numbers_.find(block.index());
  return found == numbers_.end() ? kNone : found->second;
}

uint32_t ControlFlowGraph::NumberOf(Id label) const { return NumberOf(module_.FindBlock(label)); }

void ControlFlowGraph::FindEdges() {
  // The last block that had an edge to each block, so that each edge is there once.
  std::vector<uint32_t> last_source(size(), kNone);
  predecessors_.starts.assign(size() + 1, 0);
  successors_.starts.push_back(0);
  for (uint32_t source = 0; source < size(); ++source) {
    ForEachTarget(module_, blocks_[source].terminator(), [&](uint32_t, Id label) {
      const uint32_t target = NumberOf(label);
      if (target == kNone || last_source[target] == source) return;
      last_source[target] = source;
      successors_.items.push_back(target);
      ++predecessors_.starts[target + 1];
    });
    successors_.starts.push_back(static_cast<uint32_t>(successors_.items.size()));
  }
  for (size_t i = 1; i < predecessors_.starts.size(); ++i) predecessors_.starts[i] += predecessors_.starts[i - 1];
  predecessors_.items.resize(successors_.items.size());
  std::vector<uint32_t> next(predecessors_.starts.begin(), predecessors_.starts.end() - 1);
  for (uint32_t source = 0; source < size(); ++source) {
    for (uint32_t target : successors(source)) predecessors_.items[next[target]++] = source;
  }
}

void ControlFlowGraph::FindOrder() {
  is_reachable_.assign(size(), false);
  if (blocks_.empty()) return;
  // Blocks on the way from the entry, each with the number of its successors that were visited.
  std::vector<std::pair<uint32_t, size_t>> path = {{0, 0}};
  is_reachable_[0] = true;
  while (!path.empty()) {
    auto& [block, visited] = path.back();
    if (visited == successors(block).size()) {
      order_.push_back(block);
      path.pop_back();
      continue;
    }
    const uint32_t next = successors(block)[visited++];
    if (is_reachable_[next]) continue;
    is_reachable_[next] = true;
    path.emplace_back(next, 0);
  }
  std::reverse(order_.begin(), order_.end());
}

}  // namespace assay::spirv_instrument
