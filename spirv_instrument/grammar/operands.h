// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_GRAMMAR_OPERANDS_H_
#define ASSAY_SPIRV_INSTRUMENT_GRAMMAR_OPERANDS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv_instrument/grammar/grammar.h"

// Tells what each word of an instruction is: an id, a literal, an enumerant, part of a string.
namespace assay::spirv_instrument {

// What the operands of an instruction depend on outside of it.
class OperandContext {
 public:
  virtual ~OperandContext() = default;
  // The number of words of a literal of this type (OpTypeInt, OpTypeFloat); 0 if `type` is not the id of such a type.
  virtual uint32_t LiteralWordsOfType(uint32_t type) const = 0;
  // The same for the type of a result, for the selector of OpSwitch.
  virtual uint32_t LiteralWordsOfValue(uint32_t value) const = 0;
  // The set that `id` imports; null if its grammar is not known, or `id` imports none.
  virtual const ExtendedSetInfo* ExtendedSet(uint32_t id) const = 0;
};

// An operand, or a part of one of a composite kind.
struct ParsedOperand {
  OperandKind kind;
  // The first word, counted from the word with the opcode.
  uint32_t word;
  // More than one for strings and for literals of 64 bits.
  uint32_t word_count;
};

constexpr bool IsId(OperandKind kind) {
  return kind == OperandKind::kIdRef || kind == OperandKind::kIdResult || kind == OperandKind::kIdResultType ||
         kind == OperandKind::kIdScope || kind == OperandKind::kIdMemorySemantics;
}

// Why an instruction cannot be parsed, and the word of it, counted from the word with the opcode.
struct OperandError {
  uint32_t word;
  std::string what;
};

// Calls `visit` for each operand in order, those before an error too. `words` begins with the word with the opcode and
// ends with the instruction's last word.
std::optional<OperandError> ParseOperands(absl::Span<const uint32_t> words, const OperandContext& context,
                                          absl::FunctionRef<void(const ParsedOperand&)> visit);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_GRAMMAR_OPERANDS_H_
