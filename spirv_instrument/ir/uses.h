// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_USES_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_USES_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// Calls `visit` for each id that the instruction names, with the index of its word in words(). The result type is one
// of them; the result is not. Literals are told from ids by the grammar.
void ForEachId(const Module& module, Instruction instruction, absl::FunctionRef<void(uint32_t word, Id id)> visit);

// Replaces each id that the instruction names, the result type too and the result not, by what `map` returns.
void MapIds(Module& module, Instruction instruction, absl::FunctionRef<Id(Id)> map);

// Calls `visit` for each label that a terminator may branch to, with its word; one that is named twice is visited
// twice.
void ForEachTarget(const Module& module, Instruction terminator,
                   absl::FunctionRef<void(uint32_t word, Id label)> visit);

struct Use {
  Instruction user;
  // The index in words() of the user.
  uint32_t word;
};

// Where ids are used: by instructions of functions and types, by decorations, names, entry points, debug information. A
// table of the module as it is when this is made; later changes of the module are not in it. Linear in the module.
class Uses {
 public:
  explicit Uses(const Module& module);

  // In the order of the module.
  absl::Span<const Use> Of(Id id) const;

 private:
  struct Range {
    uint32_t first = 0;
    uint32_t count = 0;
    bool is_placed = false;
  };
  std::vector<Use> uses_;
  IdTable<Range> ranges_;
};

// Makes all these uses name another id.
void ReplaceUses(Module& module, absl::Span<const Use> uses, Id by);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_USES_H_
