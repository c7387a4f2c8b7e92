// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_FUNCTION_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_FUNCTION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/storage/arena.h"
#include "spirv_instrument/ir/storage/handle_iterator.h"

// Handles to functions and blocks, as Instruction is one to instructions.
namespace assay::spirv_instrument {

class Block {
 public:
  Block() = default;
  Block(const Arena* arena, uint32_t index) : arena_(index == 0 ? nullptr : arena), index_(index) {}

  explicit operator bool() const { return index_ != 0; }
  friend bool operator==(const Block& a, const Block& b) = default;
  // Distinct for each block of a module, counted from 1.
  uint32_t index() const { return index_; }

  // The OpLabel and its id.
  Instruction label() const { return {arena_, record().label}; }
  Id id() const { return label().result_id(); }
  // The last instruction, at least the label.
  Instruction last() const { return {arena_, record().last}; }
  // Null while a new block does not have one.
  Instruction terminator() const { return IsTerminator(last().op()) ? last() : Instruction(); }
  // The OpSelectionMerge or OpLoopMerge before the terminator, or null.
  Instruction merge() const;

  // All instructions after the label, the terminator too.
  InstructionRange instructions() const;
  // The first instruction behind OpPhi and OpVariable, and the debug information among them. Where to insert what has
  // to come first; the terminator, or its merge instruction, if there is nothing else. Null without terminator.
  Instruction first_after_phis() const;
  // The merge instruction if there is one, else the terminator: where to insert what has to come last.
  Instruction end_of_body() const;

  // Neighbours in the order of the function; null at its ends.
  Block next() const { return {arena_, record().next}; }
  Block previous() const { return {arena_, record().previous}; }
  Function function() const;

  const Arena* arena() const { return arena_; }

 private:
  const BlockRecord& record() const { return index_ == 0 ? kNone : arena_->blocks[index_]; }

  static constexpr BlockRecord kNone = {};

  const Arena* arena_ = nullptr;
  uint32_t index_ = 0;
};

class BlockRange {
 public:
  using Iterator = HandleIterator<Block>;

  explicit BlockRange(Block first) : first_(first) {}
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return {}; }
  bool empty() const { return !first_; }

 private:
  Block first_;
};

class Function {
 public:
  Function() = default;
  Function(const Arena* arena, uint32_t index) : arena_(index == 0 ? nullptr : arena), index_(index) {}

  explicit operator bool() const { return index_ != 0; }
  friend bool operator==(const Function& a, const Function& b) = default;
  // Distinct for each function of a module, counted from 1.
  uint32_t index() const { return index_; }

  // The OpFunction.
  Instruction definition() const { return {arena_, record().begin}; }
  Instruction end() const { return {arena_, record().end}; }
  Id id() const { return definition().result_id(); }
  Id return_type() const { return definition().type_id(); }
  // The OpTypeFunction.
  Id type() const { return definition().id(1); }
  // The OpFunctionParameter instructions.
  std::vector<Instruction> parameters() const;

  // No block if it is a declaration.
  BlockRange blocks() const { return BlockRange(entry()); }
  Block entry() const { return {arena_, record().first_block}; }
  Block last() const { return {arena_, record().last_block}; }
  // From OpFunction to OpFunctionEnd, both included.
  InstructionRange instructions() const { return {definition(), end().next()}; }

  const Arena* arena() const { return arena_; }

 private:
  const FunctionRecord& record() const { return index_ == 0 ? kNone : arena_->functions[index_]; }

  static constexpr FunctionRecord kNone = {};

  const Arena* arena_ = nullptr;
  uint32_t index_ = 0;
};

inline Block Instruction::block() const { return {arena_, record().block}; }
inline Function Instruction::function() const { return block().function(); }
inline Function Block::function() const { return {arena_, record().function}; }

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_FUNCTION_H_
