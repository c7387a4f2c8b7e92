// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_EXPLICIT_LAYOUT_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_EXPLICIT_LAYOUT_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/model/interpreter/declarations.h"
#include "spirv_instrument/model/interpreter/value.h"

// Where the scalars of a type are in memory: SPIR-V, "Shader Validation", decorations Offset, ArrayStride,
// MatrixStride, RowMajor.
namespace assay::spirv_instrument::model {

// Calls `visit` for each scalar, in the order of cells, with its offset in bytes and its width in bits.
void ForEachScalar(const Declarations& declarations, Id type, const MatrixContext& matrix, uint64_t offset,
                   absl::FunctionRef<void(uint64_t offset, uint32_t width)> visit);

// How many bytes there are from the first to behind the last scalar.
uint64_t ExtentOf(const Declarations& declarations, Id type, const MatrixContext& matrix);

// A position within a type: what OpAccessChain walks over.
struct Place {
  Id type = kNoId;
  MatrixContext matrix;
};

// The part of `place` at `index`, which of a structure is a member. Returns how far apart parts are, in bytes, and
// stores in `first` where the first one is, or of a structure the member itself; the part's place replaces `place`.
uint64_t EnterPart(const Declarations& declarations, uint64_t index, Place& place, uint64_t& first);

// The number of cells before part `index` of a type, in a variable.
uint64_t CellsBefore(const Declarations& declarations, const Type& type, uint64_t index);
// The type of a part.
Id PartOf(const Type& type, uint64_t index);

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_EXPLICIT_LAYOUT_H_
