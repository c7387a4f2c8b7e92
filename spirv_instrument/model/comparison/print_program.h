// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_PRINT_PROGRAM_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_PRINT_PROGRAM_H_

#include <string>

#include "spirv_instrument/corpus/description/description.h"

namespace assay::spirv_instrument::model {

// The program as the C++ code of a test: its shader as assembly, and the setup of its first input. A test that has it
// does not depend on recipes.
std::string ToCode(const corpus::Program& program);

// The setup alone: "{.buffers = ...}".
std::string ToCode(const corpus::Setup& setup);

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_PRINT_PROGRAM_H_
