// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_STORAGE_GLOBAL_INDEX_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_STORAGE_GLOBAL_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/storage/arena.h"

namespace assay::spirv_instrument {

class Module;

// The types and constants of a module in a hash table by content: opcode, type, operands and decorations. Decorations
// do not count for a type that may be declared only once. Of those with equal content the first is in it. Globals is
// the way to it.
class GlobalIndex {
 public:
  // `arena` is the module's, and outlives this as `decorations` does.
  GlobalIndex(const Module& module, const Arena* arena, const Decorations& decorations);

  // Whether types and constants of this opcode are found by content. Not specialization constants.
  static bool Covers(spv::Op op);

  // Null if the module has no instruction with this content.
  Instruction Find(spv::Op op, Id type, absl::Span<const Word> operands,
                   absl::Span<const DecorationOfType> decorations) const;

  // For Module: after an instruction got its content, and before it loses that.
  void Note(Instruction instruction);
  void Forget(Instruction instruction);

 private:
  struct Slot {
    uint32_t hash = 0;
    // 0 if the slot is free, kDeleted if it was not always.
    uint32_t instruction = 0;
  };
  static constexpr uint32_t kDeleted = 0xffffffff;

  // A decoration as words: member or none, decoration, parameters.
  using DecorationWords = std::vector<uint32_t>;

  struct Content {
    spv::Op op;
    Id type;
    absl::Span<const uint32_t> operands;
    // Sorted.
    std::vector<DecorationWords> decorations;
  };

  Content ContentOf(Instruction instruction) const;
  // What a group decorates is not found by content: its decorations may be as many as the module's words, for each.
  bool IsLeftOut(Instruction instruction) const;
  uint32_t HashOf(const Content& content) const;
  // The slot with this content; if there is none, the one to put it into.
  size_t FindSlot(const Content& content, uint32_t hash) const;
  void Grow();

  const Arena* arena_;
  const Decorations& decorations_;
  // A power of two of them, with free ones among them.
  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_STORAGE_GLOBAL_INDEX_H_
