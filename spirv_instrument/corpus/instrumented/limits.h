// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_LIMITS_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_LIMITS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/instrumented/faults.h"
#include "spirv_instrument/corpus/instrumented/runtime_memory.h"
#include "spirv_instrument/passes/frame/run_passes.h"

// What a host does for shaders that compare with limits (runtime/host_limit.h).
namespace assay::spirv_instrument::corpus {

// The limits of a shader for a setup; nothing if one of them is none.
std::optional<std::vector<uint32_t>> LimitsOf(const Setup& setup, const Instrumented& shader);

// Gives the action the limits of a shader, which it has, if it compares with some.
void SetLimits(const Setup& setup, const Instrumented& shader, RuntimeMemory& memory);

// The faults that the shader noted, of which the host knows what it needs to know by its setup. Internal as ReadFaults.
absl::StatusOr<std::set<RecordedFault>> ReadNotedFaults(const Setup& setup, const Instrumented& shader,
                                                        uint32_t shader_id, absl::Span<const uint32_t> causes);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_LIMITS_H_
