// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_STEPS_FUNCTION_CHECKS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_STEPS_FUNCTION_CHECKS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "spirv_instrument/ir/control_flow/constructs.h"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"
#include "spirv_instrument/ir/control_flow/dominators.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/wanted_check.h"

namespace assay::spirv_instrument {

// The checks of one function, before any of its blocks is changed: what the steps work on. A step goes over the checks
// in order, and notes in each what it decides (WantedCheck). All steps are linear: they compare a check with a bounded
// number of others.
//
// Conditions have no side effects, and depend on nothing but the ids and literals of a check and memory that nobody
// writes. So a condition may be computed earlier than the access, or for more than the access, without changing what is
// found: where a condition for more does not hold, the access's own decides.
class FunctionChecks {
 public:
  // Those from `first` on, up to `end`. All must outlive this.
  FunctionChecks(ModuleFacts& facts, Function function, WantedChecks& checks, size_t first, size_t end);

  ModuleFacts& facts() { return facts_; }
  Function function() const { return function_; }
  WantedChecks& all() { return checks_; }
  size_t first() const { return first_; }
  size_t end() const { return end_; }
  WantedCheck& operator[](size_t index) { return checks_[index]; }

  const ControlFlowGraph& graph() const { return graph_; }
  const DominatorTree& dominators() const { return dominators_; }
  const Constructs& constructs() const { return constructs_; }

  // The number of the block of an access.
  uint32_t BlockOf(size_t index) const { return blocks_[index - first_]; }
  // Whether the access of `earlier` is on all paths to that of `later`, which comes behind it in the list.
  bool Dominates(size_t earlier, size_t later) const { return dominators_.Dominates(BlockOf(earlier), BlockOf(later)); }
  // Whether a check has a condition of its own, that no step has done away with.
  bool HasOwnCondition(size_t index) const;

 private:
  ModuleFacts& facts_;
  Function function_;
  WantedChecks& checks_;
  size_t first_;
  size_t end_;
  ControlFlowGraph graph_;
  DominatorTree dominators_;
  Constructs constructs_;
  std::vector<uint32_t> blocks_;
};

// Earlier checks of a function by the thing they are about: pass, variant, ids and literals.
class ThingIndex {
 public:
  explicit ThingIndex(FunctionChecks& checks) : checks_(checks) {}

  // Calls `visit` for the last few checks of the same thing, the last one first, until it returns true. Returns whether
  // it did.
  template <typename Visit>
  bool FindLast(size_t index, Visit visit) {
    size_t left = kMostVisits;
    for (size_t at = Latest(index); at != kNone && left > 0; at = previous_[at], --left) {
      if (checks_.all().IsSameThing(checks_[at], checks_[index]) && visit(at)) return true;
    }
    return false;
  }
  void Note(size_t index);

 private:
  static constexpr size_t kNone = ~size_t{0};
  static constexpr size_t kMostVisits = 16;

  size_t Latest(size_t index) const;

  FunctionChecks& checks_;
  // By hash of the thing, the last check with it; by check, the one before.
  absl::flat_hash_map<size_t, size_t> latest_;
  absl::flat_hash_map<size_t, size_t> previous_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_STEPS_FUNCTION_CHECKS_H_
