// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_STEPS_SAME_VALUES_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_STEPS_SAME_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"
#include "spirv_instrument/ir/control_flow/dominators.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// Which values of functions are the same. Compilers that do not optimise load a variable anew each time, and compute
// an index for each access; the checks of these accesses are about one thing all the same.
//
// A value stands for another one if it is defined on all paths to it, and is
//   - what was stored last to the variable that the other one is loaded from: in the same block, or by its only store.
//     Variables of storage class Function that are used by nothing but OpLoad and OpStore;
//   - another load of such a variable in the same block, with no store between;
//   - the same computation of the same values: integer arithmetic, conversions, composites, access chains, and loads of
//     inputs, push constants and uniform blocks, which do not change.
//
// Linear in the functions.
class SameValues {
 public:
  // Has tables for all ids of the module, which must outlive this.
  explicit SameValues(Module& module)
      : module_(module), values_(module.dense_id_count()), indices_(module.dense_id_count()) {}

  // Looks at a function, which may not have changed when Find() is asked for its values.
  void Add(const ControlFlowGraph& graph, const DominatorTree& dominators);

  // The id that stands for this one; the id itself if there is none.
  Id Find(Id id) const {
    const Id found = values_.Get(id);
    return found == kNoId ? id : found;
  }

 private:
  struct Variable {
    // Used by something else than OpLoad and OpStore.
    bool is_other_use = false;
    uint32_t stores = 0;
    // The only store, once it was met.
    Id stored = kNoId;
    uint32_t store_block = 0;
    // In the block that is walked: what it holds.
    Id current = kNoId;
    uint32_t current_block = ControlFlowGraph::kNone;
  };

  void FindVariables(const ControlFlowGraph& graph);
  void NoteUses(Instruction instruction);
  void Walk(Instruction instruction, uint32_t block);
  // Null for what is no variable of the function, or is used otherwise.
  Variable* FindVariable(Id pointer);
  void WalkLoad(Instruction load, uint32_t block);
  void SetValue(Instruction instruction, Id value);
  void WalkStore(Instruction store, uint32_t block);
  void WalkComputation(Instruction instruction, uint32_t block);
  bool IsComputation(Instruction instruction) const;
  bool IsConstantMemory(Instruction load) const;
  bool IsSameComputation(Instruction a, Instruction b) const;
  size_t Hash(Instruction instruction) const;

  Module& module_;
  // Of the function that is looked at.
  const DominatorTree* dominators_ = nullptr;
  IdTable<Id> values_;
  // Indices of variables_, plus 1.
  IdTable<uint32_t> indices_;
  std::vector<Variable> variables_;
  // By hash; of those with one hash the last few are looked at.
  struct Computation {
    Instruction instruction;
    uint32_t block;
    uint32_t previous;
  };
  std::vector<Computation> computations_;
  absl::flat_hash_map<size_t, uint32_t> latest_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_STEPS_SAME_VALUES_H_
