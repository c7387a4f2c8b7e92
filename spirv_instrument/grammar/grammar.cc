// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/grammar/grammar.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar_tables.h"
#include "spirv_instrument/grammar/operand_kind.h"

namespace assay::spirv_instrument {
namespace {

// The row of this number in rows that are sorted by it; null if there is none.
template <typename Row>
const Row* FindRow(absl::Span<const Row> rows, uint32_t number, uint32_t Row::* member) {
  // In most tables numbers are indices.
  if (number < rows.size() && rows[number].*member == number) return &rows[number];
  const auto found = std::lower_bound(rows.begin(), rows.end(), number,
                                      [member](const Row& row, uint32_t wanted) { return row.*member < wanted; });
  return found != rows.end() && found->*member == number ? &*found : nullptr;
}

}  // namespace

const OpcodeInfo* FindOpcode(uint32_t opcode) {
  if (opcode >= tables::kOpcodeIndices.size() || tables::kOpcodeIndices[opcode] == 0) return nullptr;
  return &tables::kOpcodes[tables::kOpcodeIndices[opcode] - 1];
}

const OperandKindInfo& InfoOf(OperandKind kind) { return tables::kKinds[static_cast<size_t>(kind)]; }

const EnumerantInfo* FindEnumerant(OperandKind kind, uint32_t value) {
  return FindRow(InfoOf(kind).enumerants, value, &EnumerantInfo::value);
}

const ExtendedSetInfo* FindExtendedSet(std::string_view name) {
  for (const ExtendedSetInfo& set : tables::kSets) {
    if (set.name == name) return &set;
  }
  return nullptr;
}

const ExtendedInstructionInfo* FindExtendedInstruction(const ExtendedSetInfo& set, uint32_t number) {
  return FindRow(set.instructions, number, &ExtendedInstructionInfo::number);
}

uint32_t NewestVersion() { return tables::kNewestVersion; }

std::string_view NameOf(spv::Op op) {
  const OpcodeInfo* info = FindOpcode(static_cast<uint32_t>(op));
  return info == nullptr ? "unknown opcode" : info->name;
}

}  // namespace assay::spirv_instrument
