// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/storage/arena.h"

// Changes of functions and blocks.
namespace assay::spirv_instrument {

Function Module::AddFunction(Id result, Id return_type, spv::FunctionControlMask control, Id function_type) {
  const uint32_t begin = NewInstruction(spv::Op::OpFunction, return_type, result, {control, function_type});
  Link(begin, arena_->last, 0);
  const uint32_t end = NewInstruction(spv::Op::OpFunctionEnd, kNoId, kNoId, {});
  Link(end, begin, 0);
  const auto index = static_cast<uint32_t>(arena_->functions.size());
  arena_->functions.push_back({.begin = begin, .end = end});
  function_indices_[begin] = index;
  return {arena_.get(), index};
}

Instruction Module::AddParameter(Function function, Id type, Id result) {
  const Instruction end = function.entry() ? function.entry().label() : function.end();
  const uint32_t index = NewInstruction(spv::Op::OpFunctionParameter, type, result, {});
  return Link(index, end.previous().index(), 0);
}

Block Module::AddBlock(Function function, Id label) {
  const uint32_t index = NewInstruction(spv::Op::OpLabel, kNoId, label, {});
  const auto block = static_cast<uint32_t>(arena_->blocks.size());
  FunctionRecord& record = arena_->functions[function.index()];
  arena_->blocks.push_back(
      {.label = index, .last = index, .function = function.index(), .previous = record.last_block});
  (record.last_block == 0 ? record.first_block : arena_->blocks[record.last_block].next) = block;
  record.last_block = block;
  Link(index, function.end().previous().index(), block);
  return {arena_.get(), block};
}

Block Module::AddBlockAfter(Block previous, Id label) {
  const uint32_t index = NewInstruction(spv::Op::OpLabel, kNoId, label, {});
  const auto block = static_cast<uint32_t>(arena_->blocks.size());
  BlockRecord& before = arena_->blocks[previous.index()];
  const BlockRecord record = {
      .label = index, .last = index, .function = before.function, .next = before.next, .previous = previous.index()};
  FunctionRecord& function = arena_->functions[before.function];
  (before.next == 0 ? function.last_block : arena_->blocks[before.next].previous) = block;
  before.next = block;
  arena_->blocks.push_back(record);
  Link(index, previous.last().index(), block);
  return {arena_.get(), block};
}

void Module::RemoveFunction(Function function) {
  FunctionRecord& record = arena_->functions[function.index()];
  if (record.begin == 0) return;
  for (Instruction instruction : function.instructions()) RemoveWithAnnotations(instruction);
  function_indices_.erase(record.begin);
  record = {};
}

Block Module::SplitFront(Block block, Instruction position, Id new_label) {
  const auto front = static_cast<uint32_t>(arena_->blocks.size());
  const Instruction old_label = block.label();
  BlockRecord& record = arena_->blocks[block.index()];
  const BlockRecord front_record = {.label = old_label.index(),
                                    .last = position.previous().index(),
                                    .function = record.function,
                                    .next = block.index(),
                                    .previous = record.previous};
  FunctionRecord& function = arena_->functions[record.function];
  (record.previous == 0 ? function.first_block : arena_->blocks[record.previous].next) = front;
  record.previous = front;
  for (Instruction at : InstructionRange(old_label, position)) Record(at).block = front;

  const uint32_t label = NewInstruction(spv::Op::OpLabel, kNoId, new_label, {});
  record.label = label;
  arena_->blocks.push_back(front_record);
  Link(label, position.previous().index(), block.index());
  return {arena_.get(), front};
}

}  // namespace assay::spirv_instrument
