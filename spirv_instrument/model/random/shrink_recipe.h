// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_SHRINK_RECIPE_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_SHRINK_RECIPE_H_

#include <cstddef>

#include "absl/functional/function_ref.h"
#include "spirv_instrument/model/random/recipe.h"

namespace assay::spirv_instrument::model {

// A recipe for which `fails` still returns true, and no longer does if any one thing is left out or made simpler.
// `fails(recipe)` is true.
Recipe ShrinkRecipe(Recipe recipe, absl::FunctionRef<bool(const Recipe&)> fails);

// Statements, those of functions and bodies too.
size_t CountStatements(const Recipe& recipe);

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_SHRINK_RECIPE_H_
