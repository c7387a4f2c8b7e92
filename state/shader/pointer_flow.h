// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_POINTER_FLOW_H_
#define ASSAY_STATE_SHADER_POINTER_FLOW_H_

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/instruction.h"
#include "state/shader/reflected_module.h"

// Finds the accesses through pointers and handles of a shader.
//
// The instructions that an entry point can reach become a graph. A *flow* from one id to another means: the second may
// point to the same memory, or be a handle of the same object, as the first. An *access* means: an instruction reads or
// writes the memory or object of an id. The accesses to a variable are those of all ids that the flows from it reach.
//
// Memory that holds pointers or handles (a Function or Private variable of them) is one id; its parts are not
// distinguished. A value that is stored through a pointer into it flows to every pointer into it, and from there to
// every load.
namespace assay::state {

struct SpirvAccess {
  bool reads = false;
  bool writes = false;
  // Reads the image of the handle with a sampler, and so reads the sampler too.
  bool samples = false;
  // Is not atomic, or has a scope that leaves out other work of the queue.
  bool is_plain = false;
};

class PointerFlow {
 public:
  using Function = spirv_instrument::Function;
  using Id = spirv_instrument::Id;
  using Instruction = spirv_instrument::Instruction;

  // `module` must outlive this.
  PointerFlow(ReflectedModule& module, Id entry_function);

  // False if the instructions are invalid, or the graph is too large.
  bool ok() const { return ok_; }

  // The accesses of the entry point to the memory, image, sampler or acceleration structure of a descriptor variable.
  SpirvAccess AccessesOf(Id variable);

  // The ids that `variable` flows to directly; nullopt if an instruction accesses the variable by its own id.
  std::optional<std::vector<Id>> StepsFrom(Id variable) const;

 private:
  struct IdAccess {
    Id id;
    SpirvAccess access;
  };

  void Finish();
  void Call(Id function);
  void AddFunction(Function function);
  void AddVariable(Instruction instruction);

  // Each adds the flows and accesses of an instruction of its kind; false for another kind.
  bool AddHandleAccess(Instruction instruction);
  bool AddMemoryAccess(Instruction instruction);
  bool AddCooperativeAccess(Instruction instruction);
  bool AddCall(Function caller, Instruction instruction);
  void AddDerivation(Instruction instruction);

  void AddLoad(Instruction instruction);
  void AddStore(Instruction instruction);
  void AddPerElementOperation(Instruction instruction);
  void AddExtendedInstruction(Instruction instruction);
  void AddAtomic(Instruction instruction, SpirvAccess access);

  void AddAccess(Id id, SpirvAccess access);
  void AddPointerAccess(Id pointer, SpirvAccess access);
  void AddFlow(Id from, Id to);
  void AddAliasFlow(Id from, Id to);

  bool IsMemory(Id pointer) const;
  bool MayCarry(Id id) const;
  bool CheckId(Id id);

  ReflectedModule& module_;
  bool ok_ = true;
  // Functions whose instructions are in the graph, or are in `pending_`.
  absl::flat_hash_set<Id> called_;
  std::vector<Function> pending_;
  // After Finish(): one for each id, sorted by id.
  std::vector<IdAccess> accesses_;
  // From, to. After Finish(): sorted and distinct.
  std::vector<std::pair<Id, Id>> flows_;
  // By id: the last variable whose flows reached it.
  spirv_instrument::IdTable<Id> reached_by_;
  size_t steps_left_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_POINTER_FLOW_H_
