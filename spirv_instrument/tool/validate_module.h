// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_TOOL_VALIDATE_MODULE_H_
#define ASSAY_SPIRV_INSTRUMENT_TOOL_VALIDATE_MODULE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace assay::spirv_instrument {

// Whether SPIRV-Tools' validator accepts the module for the first Vulkan version that has its version of SPIR-V, with
// every feature enabled that the validator asks about. FailedPrecondition with the validator's messages if not.
absl::Status ValidateModule(absl::Span<const uint32_t> words);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_TOOL_VALIDATE_MODULE_H_
