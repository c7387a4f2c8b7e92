// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_CONSTRUCTS_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_CONSTRUCTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"
#include "spirv_instrument/ir/control_flow/dominators.h"

namespace assay::spirv_instrument {

// What a merge instruction declares: SPIR-V, "Structured Control-Flow Constructs". Blocks are numbers of a
// ControlFlowGraph.
struct Construct {
  enum class Kind { kSelection, kSwitch, kLoop };

  Kind kind;
  uint32_t header;
  // kNone if the label is no block of the function.
  uint32_t merge;
  // Of a loop; kNone otherwise.
  uint32_t continue_target;
  // The construct that contains this one, as an index of all(); kNone for the outermost.
  uint32_t parent;
};

// The constructs of a function and how they nest. A block belongs to a construct if the header dominates it and the
// merge block does not: for a loop, the continue construct is part of it. Linear in the function.
class Constructs {
 public:
  static constexpr uint32_t kNone = ControlFlowGraph::kNone;

  // Both must outlive this.
  Constructs(const ControlFlowGraph& graph, const DominatorTree& dominators);

  // Outer ones come before those that they contain.
  absl::Span<const Construct> all() const { return constructs_; }
  // The innermost construct of the block, as an index of all(); that of a header is its own. kNone if there is none, or
  // the block is unreachable.
  uint32_t InnermostOf(uint32_t block) const { return innermost_[block]; }
  // The same for loops only.
  uint32_t InnermostLoopOf(uint32_t block) const;
  // How many loops the block is in.
  uint32_t LoopDepth(uint32_t block) const;
  // Where to insert what is to be computed once before a loop: the block before the header, kNone if there is not
  // exactly one besides back edges, or it branches elsewhere too.
  uint32_t PreheaderOf(const Construct& loop) const;

 private:
  const ControlFlowGraph& graph_;
  const DominatorTree& dominators_;
  std::vector<Construct> constructs_;
  std::vector<uint32_t> innermost_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_CONSTRUCTS_H_
