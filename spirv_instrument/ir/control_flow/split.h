// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_SPLIT_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_SPLIT_H_

#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

// Splits blocks, with structured control flow kept valid wherever the block is: in a loop, the header or continue
// target of one, a single block that is a whole loop, in a case of a switch, a block with OpPhi or whose successors
// have OpPhi. Cost is that of what comes before the point in its block, and of the OpPhi instructions of its
// successors. So go through a block from its beginning to its end.
namespace assay::spirv_instrument {

struct Split {
  // Has the old label, all that was before the point, and ends with OpBranch to `tail`.
  Block head;
  // Is the Block that was split, with a new label: handles to it stay with what was not passed yet. Has the old merge
  // instruction, unless that declares a loop, and the terminator.
  Block tail;
};

// Splits a block before one of its instructions, which is not OpPhi, OpVariable or a terminator with a merge
// instruction before it.
//
// The header of a loop stays the block with the label; a loop of one block gets a continue target of its own. An
// OpSampledImage before the point that is used behind it is repeated there, since both have to be in one block. Debug
// lines and scopes in effect at the point are repeated in the tail.
Split SplitBefore(Module& module, Instruction point);

struct Guard {
  // Ends with OpSelectionMerge and OpBranchConditional. What computes the condition is in it.
  Block head;
  // Has the guarded instruction alone: executed if the condition is true.
  Block guarded;
  // Has nothing but a branch to `merge`: executed if the condition is false. Where an error is reported.
  Block otherwise;
  // Goes on with what was behind the instruction. The Block that the instruction was in.
  Block merge;
  // Null if the instruction has no result. Has the instruction's old result id, so that uses need no change, its
  // decorations and its name. The instruction has a new result. An OpPhi, or a conversion of one: see CanGuard().
  Instruction result;
};

// Whether GuardInstruction() can give the instruction's result a value where it is not executed. Not for images,
// samplers, acceleration structures and others that ZeroValue() knows no value of; not for composites of types of 8 and
// 16 bits that the module may only load and store, without the capability for more. A single one or a vector goes
// through OpPhi as 32 bits; then this adds its wider type to the module.
bool CanGuard(Module& module, Instruction instruction);

// Executes an instruction only if `condition`, the id of a Boolean that is defined before it, is true. If it has a
// result, that is zero otherwise (Builder::ZeroValue), and undefined if there is no such value: ask CanGuard(). A
// pointer may be guarded only where the module may have OpPhi of pointers. The debug line of the instruction is in
// effect in all blocks.
//
// The instruction is none that SplitBefore() refuses, and no terminator. Its new result gets the decorations of the old
// one.
Guard GuardInstruction(Module& module, Instruction instruction, Id condition);

// As GuardInstruction(), but the instruction is executed in any case: only `otherwise` is conditional. `guarded` is
// null, and there is no result.
Guard ReportUnless(Module& module, Instruction instruction, Id condition);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_SPLIT_H_
