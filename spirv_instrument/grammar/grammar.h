// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_GRAMMAR_GRAMMAR_H_
#define ASSAY_SPIRV_INSTRUMENT_GRAMMAR_GRAMMAR_H_

#include <cstdint>
#include <string_view>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/operand_kind.h"

// What the SPIR-V grammar knows of opcodes, operands and enumerants, as tables that generate.py writes from the
// grammar files of SPIRV-Headers. Nothing here reads a module.
//
// An opcode has a pattern of operands. An operand has a kind: an id, a literal, an enumeration, or a composite of
// these. Enumerants and bits of masks have parameters, which follow as operands. Few kinds depend on more than that:
// numbers whose length their type tells, extended instructions, and the operation of OpSpecConstantOp. operands.h knows
// how, and tells what each word of an instruction is.
namespace assay::spirv_instrument {

enum class Quantifier : uint8_t { kOne, kOptional, kVariadic };

struct OperandPattern {
  OperandKind kind;
  Quantifier quantifier;
};

inline constexpr uint32_t kNoVersion = 0xffffffff;
inline constexpr uint16_t kNoLimit = 0xffff;

enum class OpcodeGroup : uint8_t { kOther, kType, kConstant, kSpecializationConstant, kAnnotation };

// An opcode. `operands` begins with the result type and the result, if there are any.
struct OpcodeInfo {
  std::string_view name;
  absl::Span<const OperandPattern> operands;
  // What a module that uses it declares: one of the capabilities; one of the extensions, unless its version is at least
  // `version`.
  absl::Span<const spv::Capability> capabilities;
  absl::Span<const std::string_view> extensions;
  // As in a module's header: 0x00010300 for 1.3. kNoVersion if no version of SPIR-V has it without an extension.
  uint32_t version;
  uint16_t opcode;
  OpcodeGroup group;
  bool has_type;
  bool has_result;
  // The fewest and the most words, with the first one. kNoLimit for any number.
  uint16_t min_words;
  uint16_t max_words;
  // In an instruction of at most so many words each operand is one word, and operand i, counted without result type and
  // result, is an id if bit i of `id_bits` is set. Operands from 31 on are as operand 31.
  uint16_t simple_words;
  uint32_t id_bits;
};

// An enumerant of a value enumeration, or a bit of a mask.
struct EnumerantInfo {
  std::string_view name;
  absl::Span<const OperandPattern> parameters;
  absl::Span<const spv::Capability> capabilities;
  absl::Span<const std::string_view> extensions;
  uint32_t version;
  uint32_t value;
};

enum class OperandCategory : uint8_t { kId, kLiteral, kValueEnum, kBitEnum, kComposite };

struct OperandKindInfo {
  std::string_view name;
  OperandCategory category;
  // Whether an enumerant has parameters. What follows an unknown enumerant of such a kind cannot be parsed.
  bool has_parameters;
  // By value. Of aliases the first is here.
  absl::Span<const EnumerantInfo> enumerants;
  // Of a composite kind.
  absl::Span<const OperandKind> parts;
};

// An extended instruction. `operands` begins after the instruction's number.
struct ExtendedInstructionInfo {
  std::string_view name;
  absl::Span<const OperandPattern> operands;
  uint32_t number;
};

struct ExtendedSetInfo {
  // As in OpExtInstImport.
  std::string_view name;
  // Whether all operands of all of its instructions are ids, as those of non-semantic sets are.
  bool has_ids_only;
  // By number.
  absl::Span<const ExtendedInstructionInfo> instructions;
};

// Null for an opcode that the grammar does not have. Constant time.
const OpcodeInfo* FindOpcode(uint32_t opcode);

const OperandKindInfo& InfoOf(OperandKind kind);

// Null for a value that the grammar does not have. For a mask, `value` is one bit.
const EnumerantInfo* FindEnumerant(OperandKind kind, uint32_t value);

// The sets by name; null for a set whose grammar is not known. All operands of such a set are ids if it is valid in
// Vulkan: SPV_KHR_non_semantic_info, "Extended Instruction Sets".
const ExtendedSetInfo* FindExtendedSet(std::string_view name);
const ExtendedInstructionInfo* FindExtendedInstruction(const ExtendedSetInfo& set, uint32_t number);

// The version to which the tables go, as in a module's header.
uint32_t NewestVersion();

// "OpLoad"; "unknown opcode" for one that the grammar does not have.
std::string_view NameOf(spv::Op op);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_GRAMMAR_GRAMMAR_H_
