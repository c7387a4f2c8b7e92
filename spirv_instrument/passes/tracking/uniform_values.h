// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_TRACKING_UNIFORM_VALUES_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_TRACKING_UNIFORM_VALUES_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// Which values are the same in all invocations of a workgroup, as far as that is plain: constants; what is loaded with
// such indices from uniform and storage buffers, push constants, task payload and workgroup memory; the built-ins of
// the workgroup; variables that have one value only, from the first block of a function, which is that of an entry
// point if the variable is not the function's own; and what is computed of these. Whatever else is taken for different.
class UniformValues {
 public:
  // Reads all stores once.
  explicit UniformValues(Module& module);

  bool IsUniform(Id value) const;

 private:
  struct Store {
    Id value = kNoId;
    bool is_only_one = true;
  };

  void NoteUses(Instruction instruction);
  // `budget` bounds how many values are looked at.
  bool Search(Id value, int& budget) const;
  bool IsLoadUniform(Instruction load, int& budget) const;
  bool AreOperandsUniform(Instruction instruction, size_t first, size_t end, int& budget) const;

  Module& module_;
  // By variable of storage class Function or Private.
  absl::flat_hash_map<Id, Store> stores_;
  // Functions.
  absl::flat_hash_set<Id> entry_points_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_TRACKING_UNIFORM_VALUES_H_
