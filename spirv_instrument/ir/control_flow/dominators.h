// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_DOMINATORS_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_DOMINATORS_H_

#include <cstdint>
#include <vector>

#include "spirv_instrument/ir/control_flow/control_flow_graph.h"

namespace assay::spirv_instrument {

// A tree of blocks by dominance, with blocks as numbers of a ControlFlowGraph. Making it takes nearly linear time for
// any graph (Lengauer and Tarjan); asking takes constant time. A block dominates itself.
class DominatorTree {
 public:
  static constexpr uint32_t kNone = ControlFlowGraph::kNone;

  // A dominates B if each path from the entry block to B goes through A. Blocks that the entry does not reach dominate
  // nothing and are not dominated, but by themselves.
  static DominatorTree Dominators(const ControlFlowGraph& graph);
  // A post-dominates B if each path from B to a block without successors goes through A. Blocks that reach no such
  // block (endless loops) post-dominate nothing and are not post-dominated, but by themselves.
  static DominatorTree PostDominators(const ControlFlowGraph& graph);

  bool Dominates(uint32_t a, uint32_t b) const {
    return a == b || (begin_[a] != kNone && begin_[b] != kNone && begin_[a] <= begin_[b] && end_[b] <= end_[a]);
  }
  // The closest block that dominates another; kNone for a root, and for a block that is not in the tree.
  uint32_t ImmediateDominator(uint32_t number) const { return parent_[number]; }
  // The closest block that dominates both; kNone if none does. Linear in the depth of the tree.
  uint32_t CommonDominator(uint32_t a, uint32_t b) const;

 private:
  // `parent` has kNone for blocks that are not in the tree, and `root` for those without dominator; the root itself may
  // be a block, or the number behind all blocks.
  DominatorTree(std::vector<uint32_t> parent, uint32_t root);

  std::vector<uint32_t> parent_;
  // When a walk over the tree reaches a block, and leaves it; kNone for a block that is not in the tree.
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> end_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_DOMINATORS_H_
