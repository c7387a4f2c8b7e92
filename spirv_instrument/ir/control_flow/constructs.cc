// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/control_flow/constructs.h"

#include <cstdint>
#include <vector>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"
#include "spirv_instrument/ir/control_flow/dominators.h"
#include "spirv_instrument/ir/instruction.h"

namespace assay::spirv_instrument {
namespace {

Construct::Kind KindOf(Instruction merge, Instruction terminator) {
  if (merge.op() == spv::Op::OpLoopMerge) return Construct::Kind::kLoop;
  return terminator.op() == spv::Op::OpSwitch ? Construct::Kind::kSwitch : Construct::Kind::kSelection;
}

}  // namespace

Constructs::Constructs(const ControlFlowGraph& graph, const DominatorTree& dominators)
    : graph_(graph), dominators_(dominators), innermost_(graph.size(), kNone) {
  // By block: the construct that it is the merge block or the continue target of.
  std::vector<uint32_t> ends(graph.size(), kNone);
  std::vector<uint32_t> continues(graph.size(), kNone);
  for (uint32_t block : graph.reverse_post_order()) {
    // A block is where the one that dominates it is, unless it ends a construct, or goes on with a loop from within
    // another construct.
    const uint32_t dominator = dominators.ImmediateDominator(block);
    uint32_t construct = dominator == kNone ? kNone : innermost_[dominator];
    if (continues[block] != kNone) construct = continues[block];
    if (ends[block] != kNone) construct = constructs_[ends[block]].parent;
    const Instruction merge = graph.block(block).merge();
    if (merge) {
      const uint32_t index = static_cast<uint32_t>(constructs_.size());
      const Construct added = {
          .kind = KindOf(merge, graph.block(block).terminator()),
          .header = block,
          .merge = graph.NumberOf(merge.id(0)),
          .continue_target = merge.op() == spv::Op::OpLoopMerge ? graph.NumberOf(merge.id(1)) : kNone,
          .parent = construct,
      };
      if (added.merge != kNone) ends[added.merge] = index;
      if (added.continue_target != kNone) continues[added.continue_target] = index;
      constructs_.push_back(added);
      construct = index;
    }
    innermost_[block] = construct;
  }
}

uint32_t Constructs::InnermostLoopOf(uint32_t block) const {
  uint32_t construct = innermost_[block];
  while (construct != kNone && constructs_[construct].kind != Construct::Kind::kLoop) {
    construct = constructs_[construct].parent;
  }
  return construct;
}

uint32_t Constructs::LoopDepth(uint32_t block) const {
  uint32_t depth = 0;
  for (uint32_t construct = innermost_[block]; construct != kNone; construct = constructs_[construct].parent) {
    if (constructs_[construct].kind == Construct::Kind::kLoop) ++depth;
  }
  return depth;
}

uint32_t Constructs::PreheaderOf(const Construct& loop) const {
  uint32_t preheader = kNone;
  for (uint32_t predecessor : graph_.predecessors(loop.header)) {
    if (dominators_.Dominates(loop.header, predecessor) || !graph_.IsReachable(predecessor)) continue;
    if (preheader != kNone) return kNone;
    preheader = predecessor;
  }
  return preheader != kNone && graph_.successors(preheader).size() == 1 ? preheader : kNone;
}

}  // namespace assay::spirv_instrument
