// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_VALIDITY_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_VALIDITY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "spirv-tools/libspirv.h"

namespace assay::spirv_instrument::corpus {

// The first Vulkan environment that has the SPIR-V version of the module.
spv_target_env EnvironmentOf(absl::Span<const uint32_t> words);

// Whether SPIRV-Tools' validator accepts the module in that environment, with every feature enabled that the validator
// asks about. The error has the validator's messages.
absl::Status Validate(absl::Span<const uint32_t> words);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_VALIDITY_H_
