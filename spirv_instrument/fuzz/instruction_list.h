// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_FUZZ_INSTRUCTION_LIST_H_
#define ASSAY_SPIRV_INSTRUMENT_FUZZ_INSTRUCTION_LIST_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/grammar/operands.h"

namespace assay::spirv_instrument::fuzz {

using Words = std::vector<uint32_t>;

inline constexpr size_t kHeaderWords = 5;
inline constexpr size_t kBoundWord = 3;

spv::Op OpOf(const Words& instruction);
Words MakeInstruction(spv::Op op, absl::Span<const uint32_t> operands);
// The word with the opcode has the number of words, too: sets it after these have changed.
void SetWordCount(Words& instruction);
// 0 without.
uint32_t TypeOf(const Words& instruction);
uint32_t ResultOf(const Words& instruction);
void SetResult(Words& instruction, uint32_t id);

// Any words as a list of instructions, to be changed. Nothing has to be valid. It is not the module of ir/, which is
// what is tested; only the grammar is the same.
//
// The index from ids to definitions is of the words as they were read; mutations make one change and then write the
// words.
class InstructionList : public OperandContext {
 public:
  struct Definition {
    size_t place = 0;
    spv::Op op = spv::Op::OpNop;
    uint32_t type = 0;
  };
  // Places from OpFunction to, and without, the place behind OpFunctionEnd. Both 0 outside of functions.
  struct FunctionRange {
    size_t begin = 0;
    size_t end = 0;
  };

  // Stops where words do not divide into instructions; the rest is left out.
  explicit InstructionList(absl::Span<const uint32_t> words);

  Words ToWords() const;

  // Whether there are a header and at least one instruction.
  bool IsModule() const { return header.size() == kHeaderWords && !instructions.empty(); }
  uint32_t FreshId() { return header[kBoundWord]++; }

  const Definition* Find(uint32_t id) const;
  // The operands up to the first that cannot be parsed, result type and result too.
  std::vector<ParsedOperand> OperandsOf(const Words& instruction) const;
  // Other ids that may stand where `id` stands: of the same type; for labels, those of the same function; for types and
  // others without type, those of the same opcode. Only those that are defined before a place.
  std::vector<uint32_t> IdsLike(uint32_t id, size_t before) const;
  // All ids of values with this type that are defined before a place: outside of functions, or in this one.
  std::vector<uint32_t> IdsOfType(uint32_t type, size_t before) const;
  FunctionRange FunctionAt(size_t place) const;
  // The first OpFunction; the end without functions.
  size_t first_function() const { return first_function_; }
  // Puts `by` for `id` in all operands but results.
  void ReplaceUses(uint32_t id, uint32_t by);

  uint32_t LiteralWordsOfType(uint32_t type) const override;
  uint32_t LiteralWordsOfValue(uint32_t value) const override;
  const ExtendedSetInfo* ExtendedSet(uint32_t id) const override;

  // At most kHeaderWords.
  Words header;
  std::vector<Words> instructions;

 private:
  absl::flat_hash_map<uint32_t, Definition> definitions_;
  // In order, so that what is picked does not depend on a hash.
  std::vector<uint32_t> ids_;
  size_t first_function_ = 0;
};

}  // namespace assay::spirv_instrument::fuzz

#endif  // ASSAY_SPIRV_INSTRUMENT_FUZZ_INSTRUCTION_LIST_H_
