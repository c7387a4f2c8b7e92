// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_POINTER_FLOW_H_
#define ASSAY_STATE_SHADER_POINTER_FLOW_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "state/shader/spirv_module.h"

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
  // `module` must outlive this.
  PointerFlow(const SpirvModule& module, uint32_t entry_function);

  // False if the instructions are invalid, or the graph is too large.
  bool ok() const { return ok_; }

  // The accesses of the entry point to the memory, image, sampler or acceleration structure of a descriptor variable.
  SpirvAccess AccessesOf(uint32_t variable);

  // The ids that `variable` flows to directly; nullopt if an instruction accesses the variable by its own id.
  std::optional<std::vector<uint32_t>> StepsFrom(uint32_t variable) const;

 private:
  struct IdAccess {
    uint32_t id;
    SpirvAccess access;
  };

  void Finish();
  void Call(uint32_t function);
  void AddFunction(const SpirvFunction& function);
  void AddVariable(const SpirvInstruction& instruction);

  // Each adds the flows and accesses of an instruction of its kind; false for another kind.
  bool AddHandleAccess(const SpirvInstruction& instruction);
  bool AddMemoryAccess(const SpirvInstruction& instruction);
  bool AddCooperativeAccess(const SpirvInstruction& instruction);
  bool AddCall(const SpirvFunction& caller, const SpirvInstruction& instruction);
  void AddDerivation(const SpirvInstruction& instruction);

  void AddLoad(const SpirvInstruction& instruction);
  void AddStore(const SpirvInstruction& instruction);
  void AddPerElementOperation(const SpirvInstruction& instruction);
  void AddExtendedInstruction(const SpirvInstruction& instruction);
  // An atomic instruction with these operands.
  void AddAtomic(uint32_t pointer, uint32_t scope, SpirvAccess access);

  void AddAccess(uint32_t id, SpirvAccess access);
  void AddPointerAccess(uint32_t pointer, SpirvAccess access);
  void AddFlow(uint32_t from, uint32_t to);
  void AddAliasFlow(uint32_t from, uint32_t to);

  bool IsMemory(uint32_t pointer) const;
  bool MayCarry(uint32_t id) const;
  bool CheckId(uint32_t id);

  const SpirvModule& module_;
  bool ok_ = true;
  // Functions whose instructions are in the graph, or are in `pending_`.
  absl::flat_hash_set<uint32_t> called_;
  std::vector<const SpirvFunction*> pending_;
  // After Finish(): one for each id, sorted by id.
  std::vector<IdAccess> accesses_;
  // From, to. After Finish(): sorted and distinct.
  std::vector<std::pair<uint32_t, uint32_t>> flows_;
  // By id: the last variable whose flows reached it.
  std::vector<uint32_t> reached_by_;
  size_t steps_left_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_POINTER_FLOW_H_
