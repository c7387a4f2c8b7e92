// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_STAGE_WORDS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_STAGE_WORDS_H_

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/passes/frame/module_facts.h"

namespace assay::spirv_instrument {

// The value of a built-in variable of 32-bit integers or floats as unsigned integers, a scalar or a vector. Uses the
// variable that entry points of this execution model have, or adds one with `type`; all of them get it into their
// interfaces. kNoId if they have different ones: an entry point may list only one for each built-in.
Id LoadBuiltIn(ModuleFacts& facts, spv::ExecutionModel model, spv::BuiltIn built_in, Id type, Builder& builder);

// Whether no two entry points of the execution model have different variables for what its stage words are of.
bool HaveSameBuiltIns(ModuleFacts& facts, spv::ExecutionModel model);

// The stage words (see runtime.h) of entry points of one execution model, which are one uvec4. Words are 0 where the
// entry points have different variables, and all of them without entry points.
Id LoadStageWords(ModuleFacts& facts, absl::Span<const EntryPoint> entry_points, Builder& builder);

// Adds the function uvec4 StageWords(), which returns them for all entry points of an execution model.
Id AddStageWordsFunction(ModuleFacts& facts, spv::ExecutionModel model);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_STAGE_WORDS_H_
