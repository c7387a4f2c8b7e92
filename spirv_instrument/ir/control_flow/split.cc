// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/control_flow/split.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/control_flow/storage_only_types.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/uses.h"

namespace assay::spirv_instrument {
namespace {

// Decorations of an operation that OpPhi may not have.
constexpr spv::Decoration kArithmeticDecorations[] = {
    spv::Decoration::NoContraction,       spv::Decoration::FPFastMathMode, spv::Decoration::FPRoundingMode,
    spv::Decoration::SaturatedConversion, spv::Decoration::NoSignedWrap,   spv::Decoration::NoUnsignedWrap,
};

// Makes the OpPhi of the blocks that `terminator` may branch to take their values from `to` instead of `from`.
void ReplacePredecessor(Module& module, Instruction terminator, Id from, Id to) {
  ForEachTarget(module, terminator, [&](uint32_t, Id label) {
    for (Instruction phi : module.FindBlock(label).instructions()) {
      if (phi.op() != spv::Op::OpPhi) {
        if (phi.op() == spv::Op::OpLine || phi.op() == spv::Op::OpNoLine) continue;
        break;
      }
      for (size_t operand = 1; operand < phi.operand_count(); operand += 2) {
        if (phi.id(operand) == from) module.SetOperand(phi, operand, to);
      }
    }
  });
}

// Gives the users of an OpSampledImage in `front` one of their own if it has users behind `front` too: those there get
// a copy at the beginning of `rest`, with the old result.
void RepeatSampledImage(Module& module, Instruction sampled_image, Block front, Block rest) {
  struct User {
    Instruction instruction;
    size_t operand;
  };
  std::vector<User> users;
  for (Instruction at : InstructionRange(sampled_image.next(), front.last().next())) {
    for (size_t operand : kSampledImageOperands) {
      const bool may_use = MayBeSampledImage(at.op(), operand);
      if (may_use && at.id(operand) == sampled_image.result_id()) users.push_back({at, operand});
    }
  }
  if (users.size() >= module.SampledImageUses(sampled_image.result_id())) return;
  const std::vector<Word> operands(sampled_image.operands().begin(), sampled_image.operands().end());
  const Id old = module.RenewResult(sampled_image);
  module.InsertAfter(rest.label(), sampled_image.op(), sampled_image.type_id(), old, operands);
  for (const User& user : users) module.SetOperand(user.instruction, user.operand, sampled_image.result_id());
  CopyDecorations(module, old, sampled_image.result_id());
}

void RepeatSampledImages(Module& module, Block front, Block rest) {
  // Copies go to the beginning, each before the last. So this keeps their order.
  std::vector<Instruction> sampled_images;
  for (Instruction at : front.instructions()) {
    if (at.op() == spv::Op::OpSampledImage) sampled_images.push_back(at);
  }
  while (!sampled_images.empty()) {
    RepeatSampledImage(module, sampled_images.back(), front, rest);
    sampled_images.pop_back();
  }
}

// Whether a terminator that came with OpLoopMerge needs a merge instruction of its own: if it selects between blocks
// none of which the loop ends or goes on with.
bool NeedsMerge(const Module& module, Instruction terminator, Instruction loop_merge) {
  if (terminator.op() == spv::Op::OpSwitch) return true;
  if (terminator.op() != spv::Op::OpBranchConditional || terminator.id(1) == terminator.id(2)) return false;
  bool leaves = false;
  ForEachTarget(module, terminator,
                [&](uint32_t, Id label) { leaves |= label == loop_merge.id(0) || label == loop_merge.id(1); });
  return !leaves;
}

// A block that nothing reaches, as the merge block of a selection whose ways meet in no block of their own.
void AddUnreachableMerge(Module& module, Block block) {
  const Block merge = module.AddBlockAfter(block, module.FreshId());
  Builder::AtEnd(module, merge).AddVoid(spv::Op::OpUnreachable, {});
  module.InsertBefore(block.terminator(), spv::Op::OpSelectionMerge, kNoId, kNoId,
                      {merge.id(), spv::SelectionControlMask::MaskNone});
}

// What was the header of a loop became `header` and `rest`: puts OpLoopMerge into the first of them. Returns the block
// that has the terminator then.
Block MoveLoopMerge(Module& module, Block header, Block rest) {
  const Instruction merge = rest.merge();
  module.MoveToEnd(merge, header);
  Block last = rest;
  if (merge.id(1) == header.id()) {
    // A loop of one block: the back edge gets a block of its own, since the continue target cannot be the header of a
    // loop that has other blocks.
    last = module.AddBlockAfter(rest, module.FreshId());
    module.MoveToEnd(rest.terminator(), last);
    Builder::AtEnd(module, rest).Branch(last.id());
    module.SetOperand(merge, 1, last.id());
  } else if (NeedsMerge(module, rest.terminator(), merge)) {
    AddUnreachableMerge(module, rest);
  }
  return last;
}

Split SplitAt(Module& module, Instruction point) {
  const Block block = point.block();
  const Id old_label = block.id();
  const bool is_loop = block.merge().op() == spv::Op::OpLoopMerge;
  const Block front = module.SplitFront(block, point, module.FreshId());
  const Block last = is_loop ? MoveLoopMerge(module, front, block) : block;
  ReplacePredecessor(module, last.terminator(), old_label, last.id());
  // If the loop's only block is split, its header is a successor of `last`, and was looked up by its label above.
  Builder::AtEnd(module, front).Branch(block.id());
  Builder::Before(module, block.label().next()).RepeatDebugLine(point);
  RepeatSampledImages(module, front, block);
  return {front, block};
}

// Splits before the instruction so that the head can end with a merge instruction of a selection.
Split SplitForSelection(Module& module, Instruction instruction) {
  const Block block = instruction.block();
  if (block.merge().op() == spv::Op::OpLoopMerge) SplitAt(module, block.first_after_phis());
  return SplitAt(module, instruction);
}

Block AddBlockWithLine(Module& module, Block previous, Instruction place) {
  const Block block = module.AddBlockAfter(previous, module.FreshId());
  Builder::AtEnd(module, block).RepeatDebugLine(place);
  return block;
}

// Makes `head`, which ends with a branch to `tail`, end with a selection between two blocks.
void Select(Module& module, const Split& split, Id condition, Block if_true, Block if_false) {
  module.Remove(split.head.terminator());
  Builder end = Builder::AtEnd(module, split.head);
  end.AddVoid(spv::Op::OpSelectionMerge, {split.tail.id(), spv::SelectionControlMask::MaskNone});
  end.AddVoid(spv::Op::OpBranchConditional, {condition, if_true.id(), if_false.id()});
}

// If the instruction uses an OpSampledImage that is at the beginning of the block behind its own, it gets one of its
// own.
void BringSampledImage(Module& module, Instruction instruction, size_t operand, Block merge) {
  const Instruction sampled_image = module.Find(instruction.id(operand));
  if (sampled_image.op() != spv::Op::OpSampledImage || sampled_image.block() != merge) return;
  if (module.SampledImageUses(sampled_image.result_id()) == 1) {
    module.MoveBefore(sampled_image, instruction);
    return;
  }
  const std::vector<Word> operands(sampled_image.operands().begin(), sampled_image.operands().end());
  const Id copy = Builder::Before(module, instruction).Add(sampled_image.op(), sampled_image.type_id(), operands);
  module.SetOperand(instruction, operand, copy);
  CopyDecorations(module, sampled_image.result_id(), copy);
}

void BringSampledImages(Module& module, Instruction instruction, Block merge) {
  for (size_t operand : kSampledImageOperands) {
    if (MayBeSampledImage(instruction.op(), operand)) BringSampledImage(module, instruction, operand, merge);
  }
}

// Merges the instruction's result with zero. The instruction gets a new result.
Instruction AddPhi(Module& module, const Guard& guard, Instruction instruction) {
  const Id type = instruction.type_id();
  if (instruction.result_id() == kNoId || module.Find(type).op() == spv::Op::OpTypeVoid) return {};
  const Id old = module.RenewResult(instruction);
  if (module.decorations().HasAny(old)) {
    CopyDecorations(module, old, instruction.result_id());
    for (spv::Decoration decoration : kArithmeticDecorations) RemoveDecoration(module, old, decoration);
  }
  const auto merge = [&](Id phi_type, Id value, Id result) {
    Id zero = Builder::AtEnd(module, guard.otherwise).ZeroValue(phi_type);
    if (zero == kNoId) zero = module.globals().Undef(phi_type);
    return module.InsertAfter(guard.merge.label(), spv::Op::OpPhi, phi_type, result,
                              {value, guard.guarded.id(), zero, guard.otherwise.id()});
  };
  const StorageOnlyType storage_only = FindStorageOnlyType(module, type);
  if (storage_only.wide_type == kNoId) return merge(type, instruction.result_id(), old);
  const Id wide = Builder::AtEnd(module, guard.guarded)
                      .Add(storage_only.conversion, storage_only.wide_type, {instruction.result_id()});
  const Instruction phi = merge(storage_only.wide_type, wide, module.FreshId());
  return module.InsertAfter(phi, storage_only.conversion, type, old, {phi.result_id()});
}

}  // namespace

Split SplitBefore(Module& module, Instruction point) { return SplitAt(module, point); }

bool CanGuard(Module& module, Instruction instruction) {
  const Id type = instruction.type_id();
  if (instruction.result_id() == kNoId || module.Find(type).op() == spv::Op::OpTypeVoid) return true;
  const StorageOnlyType storage_only = FindStorageOnlyType(module, type);
  if (storage_only.is_storage_only) return storage_only.wide_type != kNoId;
  return HasZeroValue(module, type);
}

Guard GuardInstruction(Module& module, Instruction instruction, Id condition) {
  const Split split = SplitForSelection(module, instruction);
  Guard guard = {.head = split.head, .guarded = {}, .otherwise = {}, .merge = split.tail, .result = {}};
  guard.guarded = AddBlockWithLine(module, guard.head, instruction);
  guard.otherwise = AddBlockWithLine(module, guard.guarded, instruction);
  module.MoveToEnd(instruction, guard.guarded);
  BringSampledImages(module, instruction, guard.merge);
  Builder::AtEnd(module, guard.guarded).Branch(guard.merge.id());
  Builder::AtEnd(module, guard.otherwise).Branch(guard.merge.id());
  Select(module, split, condition, guard.guarded, guard.otherwise);
  guard.result = AddPhi(module, guard, instruction);
  return guard;
}

Guard ReportUnless(Module& module, Instruction instruction, Id condition) {
  const Split split = SplitForSelection(module, instruction);
  Guard guard = {.head = split.head, .guarded = {}, .otherwise = {}, .merge = split.tail, .result = {}};
  guard.otherwise = AddBlockWithLine(module, guard.head, instruction);
  Builder::AtEnd(module, guard.otherwise).Branch(guard.merge.id());
  Select(module, split, condition, guard.merge, guard.otherwise);
  return guard;
}

}  // namespace assay::spirv_instrument
