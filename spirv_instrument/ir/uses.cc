// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/uses.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/grammar/operand_kind.h"
#include "spirv_instrument/grammar/operands.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/reading/operand_context.h"

namespace assay::spirv_instrument {

void ForEachId(const Module& module, Instruction instruction, absl::FunctionRef<void(uint32_t word, Id id)> visit) {
  const OpcodeInfo* info = FindOpcode(static_cast<uint32_t>(instruction.op()));
  if (!instruction || info == nullptr) return;
  const absl::Span<const uint32_t> words = instruction.words();
  if (words.size() <= info->simple_words) {
    if (info->has_type && words.size() > 1) visit(1, Id{words[1]});
    uint32_t bits = info->id_bits;
    for (uint32_t word = 1 + (info->has_type ? 1 : 0) + (info->has_result ? 1 : 0); word < words.size(); ++word) {
      if ((bits & 1) != 0) visit(word, Id{words[word]});
      bits = bits >> 1 | (bits & 0x80000000);
    }
    return;
  }
  const ModuleOperandContext context(module);
  ParseOperands(words, context, [&](const ParsedOperand& operand) {
    if (IsId(operand.kind) && operand.kind != OperandKind::kIdResult) visit(operand.word, Id{words[operand.word]});
  });
}

void MapIds(Module& module, Instruction instruction, absl::FunctionRef<Id(Id)> map) {
  // Changing an id may change what the words behind it are, such as those of a constant by its type.
  std::vector<std::pair<uint32_t, Id>> changes;
  ForEachId(module, instruction, [&](uint32_t word, Id id) {
    if (const Id mapped = map(id); mapped != id) changes.emplace_back(word, mapped);
  });
  for (const auto& [word, id] : changes) module.SetWord(instruction, word, id);
}

void ForEachTarget(const Module& module, Instruction terminator,
                   absl::FunctionRef<void(uint32_t word, Id label)> visit) {
  uint32_t first_word;
  switch (terminator.op()) {
    case spv::Op::OpBranch:
      first_word = 1;
      break;
    // Condition or selector come first.
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
      first_word = 2;
      break;
    default:
      return;
  }
  ForEachId(module, terminator, [&](uint32_t word, Id id) {
    if (word >= first_word) visit(word, id);
  });
}

Uses::Uses(const Module& module) : ranges_(module.dense_id_count()) {
  uint32_t count = 0;
  for (Instruction instruction : module.instructions()) {
    ForEachId(module, instruction, [&](uint32_t, Id id) {
      ++ranges_[id].count;
      ++count;
    });
  }
  uses_.resize(count);
  uint32_t first = 0;
  for (Instruction instruction : module.instructions()) {
    ForEachId(module, instruction, [&](uint32_t word, Id id) {
      Range& range = ranges_[id];
      if (!range.is_placed) {
        range.is_placed = true;
        range.first = first;
        first += range.count;
        range.count = 0;
      }
      uses_[range.first + range.count++] = {instruction, word};
    });
  }
}

absl::Span<const Use> Uses::Of(Id id) const {
  const Range range = ranges_.Get(id);
  return absl::MakeConstSpan(uses_).subspan(range.first, range.count);
}

void ReplaceUses(Module& module, absl::Span<const Use> uses, Id by) {
  for (const Use& use : uses) module.SetWord(use.user, use.word, by);
}

}  // namespace assay::spirv_instrument
