// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_RECIPE_LAYOUT_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_RECIPE_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "spirv_instrument/model/random/recipe.h"

// Sizes and offsets of recipe types, in bytes: VK_EXT_scalar_block_layout, with gaps.
namespace assay::spirv_instrument::model {

uint32_t AlignmentOf(const RecipeType& type);
// Up to behind the last part, rounded up to the alignment; of a runtime array 0.
uint32_t SizeOf(const RecipeType& type);
// Of an array.
uint32_t StrideOf(const RecipeType& array);
// Of a matrix, between columns, or rows if it is row-major.
uint32_t MatrixStrideOf(const RecipeType& matrix);
// Of a structure.
std::vector<uint32_t> MemberOffsets(const RecipeType& structure);
// Whether a value of the type can be loaded: it has no runtime array.
bool IsLoadable(const RecipeType& type);
// How many elements the runtime array at the end of a block has in so many bytes; 0 if it has no such array.
uint32_t RuntimeLength(const RecipeType& block, uint32_t bytes);

// Where in a block's bytes an address is, and to which block.
struct AddressPosition {
  uint32_t offset = 0;
  uint32_t block = 0;
};
std::vector<AddressPosition> FindAddresses(const RecipeType& block, uint32_t bytes);

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_RECIPE_LAYOUT_H_
