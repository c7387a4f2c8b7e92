// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_SPECIALIZED_WORDS_H_
#define ASSAY_CORE_SPIRV_SPECIALIZED_WORDS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "spirv_instrument/ir/constants/specialization.h"

namespace assay::core {

// The words of a valid module with the values of its specialization constants, which are plain constants then; those
// without a value have their defaults. OpSpecConstantOp stays. Empty if the values change nothing, and for a module
// that this does not understand: one of the other byte order, or with groups of decorations.
//
//   OpDecorate %n SpecId 3
//   %n = OpSpecConstant %uint 1    with the value 4 for 3:    %n = OpConstant %uint 4
std::vector<uint32_t> SpecializedWords(absl::Span<const uint32_t> words,
                                       absl::Span<const spirv_instrument::Specialization> values);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_SPECIALIZED_WORDS_H_
