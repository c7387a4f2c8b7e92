// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_INSTRUCTION_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_INSTRUCTION_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/storage/arena.h"
#include "spirv_instrument/ir/storage/handle_iterator.h"

// Handles to the parts of a module, to be passed by value. A handle of a default constructor is null: it is false, and
// all that it answers is empty. A handle is valid as long as its module, also when its instruction was removed.
namespace assay::spirv_instrument {

class Block;
class Function;

class Instruction {
 public:
  Instruction() = default;
  Instruction(const Arena* arena, uint32_t index) : arena_(index == 0 ? nullptr : arena), index_(index) {}

  explicit operator bool() const { return index_ != 0; }
  friend bool operator==(const Instruction& a, const Instruction& b) = default;

  // The handle's number in its module, counted from 1. For an instruction that was read, this is its position among
  // the instructions of the module as it was read, whatever has been inserted since.
  uint32_t index() const { return index_; }

  // OpNop for null.
  spv::Op op() const { return static_cast<spv::Op>(record().opcode); }
  bool is_removed() const { return record().is_removed; }
  // kNoId without.
  Id type_id() const { return record().has_type ? Id{record().words[1]} : kNoId; }
  Id result_id() const { return record().has_result ? Id{record().words[record().has_type ? 2 : 1]} : kNoId; }

  // All words, the one with the opcode first. Valid until the instruction's words are replaced.
  absl::Span<const uint32_t> words() const { return index_ == 0 ? absl::Span<const uint32_t>() : Words(record()); }
  // The words after result type and result. Here and below, operands are counted in words, from the first of these.
  absl::Span<const uint32_t> operands() const { return words().subspan(index_ == 0 ? 0 : record().first_operand); }
  size_t operand_count() const { return operands().size(); }
  // 0, kNoId and "" for an operand that the instruction does not have.
  uint32_t literal(size_t operand) const { return operand < operand_count() ? operands()[operand] : 0; }
  Id id(size_t operand) const { return Id{literal(operand)}; }
  template <typename E>
  E enumerant(size_t operand) const {
    return static_cast<E>(literal(operand));
  }
  // A literal of 64 bits, whose low word comes first.
  uint64_t literal64(size_t operand) const { return literal(operand) | uint64_t{literal(operand + 1)} << 32; }
  // The string that begins there. Valid as words() are.
  std::string_view string(size_t operand) const;
  // The operand after the string that begins at `operand`.
  size_t AfterString(size_t operand) const { return operand + string(operand).size() / sizeof(uint32_t) + 1; }

  // In the order of the module, across blocks and functions; null behind the last and before the first.
  Instruction next() const { return {arena_, record().next}; }
  Instruction previous() const { return {arena_, record().previous}; }
  // Null outside of blocks.
  Block block() const;
  // The function whose block it is in; null outside of blocks.
  Function function() const;

  // The OpLine, or the OpExtInst DebugLine of NonSemantic.Shader.DebugInfo.100, that is in effect; null if there is
  // none. The same for DebugScope. debug/source_locations.h reads them.
  Instruction line() const { return {arena_, record().line}; }
  Instruction scope() const { return {arena_, record().scope}; }

  const Arena* arena() const { return arena_; }

 private:
  static absl::Span<const uint32_t> Words(const InstructionRecord& record) {
    return {record.words, record.words[0] >> spv::WordCountShift};
  }
  const InstructionRecord& record() const { return index_ == 0 ? kNone : arena_->instructions[index_]; }

  static constexpr InstructionRecord kNone = {};

  const Arena* arena_ = nullptr;
  uint32_t index_ = 0;
};

// Instructions from one up to, but without, another. Instructions may be inserted and removed during iteration, the
// current one too. Those inserted behind the current one are visited.
class InstructionRange {
 public:
  using Iterator = HandleIterator<Instruction>;

  InstructionRange() = default;
  // `end` is null for all up to the end of the module.
  InstructionRange(Instruction begin, Instruction end) : begin_(begin), end_(end) {}
  Iterator begin() const { return Iterator(begin_); }
  Iterator end() const { return Iterator(end_); }
  bool empty() const { return begin() == end(); }

 private:
  Instruction begin_;
  Instruction end_;
};

// OpBranch and others: SPIR-V, "Block Termination Instruction".
bool IsTerminator(spv::Op op);
// OpSelectionMerge or OpLoopMerge.
constexpr bool IsMerge(spv::Op op) { return op == spv::Op::OpSelectionMerge || op == spv::Op::OpLoopMerge; }
// OpTypeVoid and so on.
bool IsType(spv::Op op);
// Constants, specialization constants included.
bool IsConstant(spv::Op op);
bool IsSpecializationConstant(spv::Op op);
// OpDecorate and others that Decorations knows.
bool IsAnnotation(spv::Op op);

// Whether an operand may be an OpSampledImage, which has no uses but such.
bool MayBeSampledImage(spv::Op op, size_t operand);
// The operands that may be one.
inline constexpr size_t kSampledImageOperands[] = {0, 2};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_INSTRUCTION_H_
