// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_RANDOM_RECIPE_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_RANDOM_RECIPE_H_

#include <cstdint>

#include "spirv_instrument/model/random/recipe.h"

namespace assay::spirv_instrument::model {

struct RecipeOptions {
  // How many statements there are at most, those in bodies counted.
  uint32_t statements = 24;
  // What may be bad, besides accesses of buffers: coordinates; divisors, and counts of shifts. To be left out where no
  // pass is for it.
  bool has_wild_images = false;
  bool has_wild_arithmetic = false;
  // Null descriptors of buffers, which may be accessed.
  bool has_null_descriptors = false;
  // Uniform buffers whose range ends within a word. lavapipe has only the words that are whole.
  bool has_partial_words = true;
  // Null descriptors of what the shader writes, too. lavapipe's compiler gives a load what was stored before it.
  bool has_written_nulls = true;
  // OpArrayLength of a descriptor that invocations choose, each its own. lavapipe gives all of them the same length.
  bool has_divergent_lengths = true;
};

// The same recipe for the same seed and options, on every platform.
Recipe RandomRecipe(uint64_t seed, const RecipeOptions& options = {});

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_RANDOM_RECIPE_H_
