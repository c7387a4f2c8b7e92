// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_BUILDER_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_BUILDER_H_

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// Inserts instructions in a row at one place of a function, each behind the last.
class Builder {
 public:
  // What is inserted comes right before `position`, and has its debug line and scope. `position` is not OpPhi, and no
  // terminator with a merge instruction before it: use AtEnd.
  static Builder Before(Module& module, Instruction position) { return Builder(module, position, Block()); }
  // Right behind `position`, which is not a terminator.
  static Builder After(Module& module, Instruction position);
  // Before the merge instruction and the terminator. At the end if the block has no terminator; then one may be added.
  static Builder AtEnd(Module& module, Block block);
  // Behind OpPhi and OpVariable. Not for a block without terminator.
  static Builder AtStart(Module& module, Block block) { return Before(module, block.first_after_phis()); }

  Module& module() { return *module_; }

  // An instruction with a result, which is new. Returns it.
  Id Add(spv::Op op, Id type, absl::Span<const Word> operands);
  // With this result; kNoId for an opcode without.
  Instruction AddWithResult(spv::Op op, Id type, Id result, absl::Span<const Word> operands);
  // Without type and result.
  Instruction AddVoid(spv::Op op, absl::Span<const Word> operands) { return AddWithResult(op, kNoId, kNoId, operands); }

  // ---- What is common. `type` is that of the result.
  Id Load(Id type, Id pointer) { return Add(spv::Op::OpLoad, type, {pointer}); }
  void Store(Id pointer, Id value) { AddVoid(spv::Op::OpStore, {pointer, value}); }
  Id AccessChain(Id type, Id base, absl::Span<const Id> indices);
  Id Call(Id type, Id function, absl::Span<const Id> arguments);
  Id Binary(spv::Op op, Id type, Id left, Id right) { return Add(op, type, {left, right}); }
  void Branch(Id target) { AddVoid(spv::Op::OpBranch, {target}); }

  // A value of the type with all bits zero: a constant where the type allows it, else instructions here that bitcast
  // two words of zero to pointers into PhysicalStorageBuffer, and put composites of them together. kNoId, with nothing
  // added, for a type without such a value (images, samplers, acceleration structures) and for very large composites of
  // pointers. A module that is older than SPIR-V 1.5 has the bitcast by SPV_KHR_physical_storage_buffer.
  Id ZeroValue(Id type);

  // Repeats the debug line and scope that are in effect at `from`, for what is inserted next. Does nothing if they are
  // in effect already. Blocks begin without, whatever comes before them: SPIR-V, "OpLine".
  void RepeatDebugLine(Instruction from);

 private:
  Builder(Module& module, Instruction position, Block block) : module_(&module), position_(position), block_(block) {}

  Id MakeZero(Id type);

  Module* module_;
  // Before it; null for the end of block_.
  Instruction position_;
  Block block_;
};

// Whether ZeroValue() has one for the type.
bool HasZeroValue(Module& module, Id type);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_BUILDER_H_
