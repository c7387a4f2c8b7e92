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

// Where pointers and handles go, and what is done with them where they arrive.
//
// The instructions that an entry point can reach become a graph: a *flow* from one id to another says that what the one
// points to or is a handle of, the other may too; an *access* says that an instruction reads or writes what an id
// points to. The accesses to a variable are those found by following the flows from it. Memory that holds pointers or
// handles (a Function or Private variable of them) is one id, whose parts are not told apart: what is stored through a
// pointer into it flows to every pointer into it, and from there to every load.
namespace assay::state {

struct SpirvAccess {
  bool reads = false;
  bool writes = false;
  // Reads the image that a handle stands for by way of a sampler, and so the sampler too.
  bool samples = false;
};

class PointerFlow {
 public:
  // `module` must outlive this.
  PointerFlow(const SpirvModule& module, uint32_t entry_function);

  // False if the instructions make no sense, or too much work.
  bool ok() const { return ok_; }

  // What the entry point does with the memory, image, sampler or acceleration structure of a descriptor variable.
  SpirvAccess AccessesOf(uint32_t variable);

  // The ids that `variable` itself flows to; nothing if something accesses it by its own id.
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

  // Each adds what `instruction` does; false if it is of another kind.
  bool AddHandleAccess(const SpirvInstruction& instruction);
  bool AddMemoryAccess(const SpirvInstruction& instruction);
  bool AddCooperativeAccess(const SpirvInstruction& instruction);
  bool AddCall(const SpirvFunction& caller, const SpirvInstruction& instruction);
  void AddDerivation(const SpirvInstruction& instruction);

  void AddLoad(const SpirvInstruction& instruction);
  void AddStore(const SpirvInstruction& instruction);
  void AddPerElementOperation(const SpirvInstruction& instruction);
  void AddExtendedInstruction(const SpirvInstruction& instruction);

  void AddAccess(uint32_t id, SpirvAccess access);
  void AddPointerAccess(uint32_t pointer, SpirvAccess access);
  void AddFlow(uint32_t from, uint32_t to);
  void AddAliasFlow(uint32_t from, uint32_t to);

  bool IsMemory(uint32_t pointer) const;
  bool MayCarry(uint32_t id) const;
  bool CheckId(uint32_t id);

  const SpirvModule& module_;
  bool ok_ = true;
  // Those whose instructions are, or are about to be, in the graph.
  absl::flat_hash_set<uint32_t> called_;
  std::vector<const SpirvFunction*> pending_;
  // Finished: one for each id, sorted by it.
  std::vector<IdAccess> accesses_;
  // From, to. Finished: sorted and distinct.
  std::vector<std::pair<uint32_t, uint32_t>> flows_;
  // By id: the last variable whose flows reached it.
  std::vector<uint32_t> reached_by_;
  size_t steps_left_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_POINTER_FLOW_H_
