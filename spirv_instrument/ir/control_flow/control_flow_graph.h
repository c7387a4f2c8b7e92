// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_CONTROL_FLOW_GRAPH_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_CONTROL_FLOW_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// The blocks of a function and the branches between them, as they are when this is made. `module` must outlive it.
// Blocks have numbers here: 0, the entry block, and so on in the order of the function. Linear in the function.
class ControlFlowGraph {
 public:
  ControlFlowGraph(const Module& module, Function function);

  static constexpr uint32_t kNone = 0xffffffff;

  uint32_t size() const { return static_cast<uint32_t>(blocks_.size()); }
  Block block(uint32_t number) const { return blocks_[number]; }
  // kNone for a block that is not of the function, or was added later.
  uint32_t NumberOf(Block block) const;
  uint32_t NumberOf(Id label) const;

  // Each neighbour once. Targets that are no block of the function are left out.
  absl::Span<const uint32_t> successors(uint32_t number) const { return successors_.Of(number); }
  absl::Span<const uint32_t> predecessors(uint32_t number) const { return predecessors_.Of(number); }
  // The blocks that the entry block reaches, each before its successors but where a back edge is between.
  absl::Span<const uint32_t> reverse_post_order() const { return order_; }
  bool IsReachable(uint32_t number) const { return is_reachable_[number]; }

 private:
  // Lists laid end to end.
  struct Lists {
    absl::Span<const uint32_t> Of(uint32_t number) const {
      return absl::MakeConstSpan(items).subspan(starts[number], starts[number + 1] - starts[number]);
    }
    std::vector<uint32_t> starts;
    std::vector<uint32_t> items;
  };

  void FindEdges();
  void FindOrder();

  const Module& module_;
  std::vector<Block> blocks_;
  // By Block::index().
  absl::flat_hash_map<uint32_t, uint32_t> numbers_;
  Lists successors_;
  Lists predecessors_;
  std::vector<uint32_t> order_;
  std::vector<bool> is_reachable_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_CONTROL_FLOW_GRAPH_H_
