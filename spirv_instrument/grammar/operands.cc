// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/grammar/operands.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/grammar/operand_kind.h"

namespace assay::spirv_instrument {
namespace {

// Whether a word has a zero byte, which ends a string.
constexpr bool HasZeroByte(uint32_t word) { return ((word - 0x01010101u) & ~word & 0x80808080u) != 0; }

class Parser {
 public:
  Parser(absl::Span<const uint32_t> words, const OperandContext& context,
         absl::FunctionRef<void(const ParsedOperand&)> visit)
      : words_(words), context_(context), visit_(visit) {}

  std::optional<OperandError> Parse() {
    const uint32_t opcode = words_[0] & spv::OpCodeMask;
    const OpcodeInfo* info = FindOpcode(opcode);
    if (info == nullptr) {
      Fail(0, absl::StrCat("opcode ", opcode, " is unknown"));
    } else if (ParsePatterns(info->operands) && next_ < words_.size()) {
      Fail(next_, absl::StrCat(info->name, " has more operands than it takes"));
    } else if (error_ && error_->what.empty()) {
      error_->what = absl::StrCat(info->name, " ends before all of its operands");
    }
    return std::move(error_);
  }

 private:
  bool Fail(size_t word, std::string what) {
    error_ = {static_cast<uint32_t>(word), std::move(what)};
    return false;
  }
  // There are fewer words than operands.
  bool FailAtEnd() { return Fail(words_.size(), ""); }

  void Visit(OperandKind kind, size_t count) {
    visit_({kind, static_cast<uint32_t>(next_), static_cast<uint32_t>(count)});
    next_ += count;
  }

  bool ParsePatterns(absl::Span<const OperandPattern> patterns) {
    for (const OperandPattern& pattern : patterns) {
      switch (pattern.quantifier) {
        case Quantifier::kOne:
          if (!ParseOperand(pattern.kind)) return false;
          break;
        case Quantifier::kOptional:
          if (next_ < words_.size() && !ParseOperand(pattern.kind)) return false;
          break;
        case Quantifier::kVariadic:
          while (!is_complete_ && next_ < words_.size()) {
            if (!ParseOperand(pattern.kind)) return false;
          }
          break;
      }
    }
    return true;
  }

  bool ParseOperand(OperandKind kind) {
    if (next_ >= words_.size()) return FailAtEnd();
    switch (kind) {
      case OperandKind::kIdResultType:
        type_ = words_[next_];
        Visit(kind, 1);
        return true;
      case OperandKind::kLiteralString:
        return ParseString();
      case OperandKind::kLiteralContextDependentNumber:
        return ParseNumber(context_.LiteralWordsOfType(type_));
      case OperandKind::kLiteralExtInstInteger:
        return ParseExtendedInstruction();
      case OperandKind::kLiteralSpecConstantOpInteger:
        return ParseConstantOperation();
      // Only OpSwitch has these.
      case OperandKind::kPairLiteralIntegerIdRef:
        return ParseNumber(context_.LiteralWordsOfValue(words_[1])) && ParseOperand(OperandKind::kIdRef);
      default:
        return ParseByCategory(kind);
    }
  }

  bool ParseByCategory(OperandKind kind) {
    const OperandKindInfo& info = InfoOf(kind);
    const uint32_t value = words_[next_];
    switch (info.category) {
      case OperandCategory::kId:
      case OperandCategory::kLiteral:
        Visit(kind, 1);
        return true;
      case OperandCategory::kComposite:
        for (OperandKind part : info.parts) {
          if (!ParseOperand(part)) return false;
        }
        return true;
      case OperandCategory::kValueEnum:
        Visit(kind, 1);
        return !info.has_parameters || ParseParameters(info, kind, value);
      case OperandCategory::kBitEnum:
        Visit(kind, 1);
        return !info.has_parameters || ParseParametersOfMask(info, kind, value);
    }
    return false;
  }

  bool ParseParameters(const OperandKindInfo& info, OperandKind kind, uint32_t value) {
    const EnumerantInfo* enumerant = FindEnumerant(kind, value);
    if (enumerant == nullptr) return Fail(next_ - 1, absl::StrCat(info.name, " ", value, " is unknown"));
    return ParsePatterns(enumerant->parameters);
  }

  // The parameters of a mask's bits follow in the order of the bits, the lowest first.
  bool ParseParametersOfMask(const OperandKindInfo& info, OperandKind kind, uint32_t mask) {
    const size_t word = next_ - 1;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const uint32_t bit = rest & -rest;
      const EnumerantInfo* enumerant = FindEnumerant(kind, bit);
      if (enumerant == nullptr) return Fail(word, absl::StrCat(info.name, " ", mask, " has an unknown bit"));
      if (!ParsePatterns(enumerant->parameters)) return false;
    }
    return true;
  }

  bool ParseString() {
    for (size_t end = next_; end < words_.size(); ++end) {
      if (!HasZeroByte(words_[end])) continue;
      Visit(OperandKind::kLiteralString, end + 1 - next_);
      return true;
    }
    return Fail(next_, "a string does not end in its instruction");
  }

  bool ParseNumber(uint32_t word_count) {
    if (word_count == 0) return Fail(next_, "a literal's type is not a number's");
    if (word_count > words_.size() - next_) return FailAtEnd();
    Visit(OperandKind::kLiteralContextDependentNumber, word_count);
    return true;
  }

  bool ParseExtendedInstruction() {
    // OpExtInst: type, result, set, number.
    const ExtendedSetInfo* set = context_.ExtendedSet(words_[next_ - 1]);
    const uint32_t number = words_[next_];
    Visit(OperandKind::kLiteralExtInstInteger, 1);
    if (set == nullptr || set->has_ids_only) return true;
    const ExtendedInstructionInfo* instruction = FindExtendedInstruction(*set, number);
    if (instruction == nullptr) {
      return Fail(next_ - 1, absl::StrCat("instruction ", number, " of ", set->name, " is unknown"));
    }
    if (!ParsePatterns(instruction->operands)) return false;
    // The pattern of OpExtInst goes on with any number of ids.
    is_complete_ = true;
    return true;
  }

  // The operands of the operation follow its opcode, without result type and result.
  bool ParseConstantOperation() {
    const uint32_t opcode = words_[next_];
    const OpcodeInfo* info = FindOpcode(opcode);
    if (info == nullptr || opcode == static_cast<uint32_t>(spv::Op::OpSpecConstantOp) || !info->has_result) {
      return Fail(next_, absl::StrCat("OpSpecConstantOp cannot have opcode ", opcode));
    }
    Visit(OperandKind::kLiteralSpecConstantOpInteger, 1);
    return ParsePatterns(info->operands.subspan((info->has_type ? 1 : 0) + 1));
  }

  const absl::Span<const uint32_t> words_;
  const OperandContext& context_;
  const absl::FunctionRef<void(const ParsedOperand&)> visit_;
  size_t next_ = 1;
  uint32_t type_ = 0;
  // Whether what follows in the pattern does not apply.
  bool is_complete_ = false;
  std::optional<OperandError> error_;
};

}  // namespace

std::optional<OperandError> ParseOperands(absl::Span<const uint32_t> words, const OperandContext& context,
                                          absl::FunctionRef<void(const ParsedOperand&)> visit) {
  return Parser(words, context, visit).Parse();
}

}  // namespace assay::spirv_instrument
