// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_FAULTS_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_FAULTS_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <set>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/runtime/error_codes.h"

namespace assay::spirv_instrument::corpus {

// The kind of fault that a shader reports with this code; nullopt for codes that stand for none.
std::optional<FaultKind> FaultKindOf(ErrorCode code);

// A fault that a shader reported.
struct RecordedFault {
  // RuntimeConfig::shader_id.
  uint32_t shader = 0;
  // As Module::At counts in the module as it was read.
  uint32_t instruction = 0;
  FaultKind kind = FaultKind::kDescriptorIndex;
  friend auto operator<=>(const RecordedFault&, const RecordedFault&) = default;
};

// The faults of an error stream. Internal for a record that is not complete or whose code is unexpected, and if records
// or faults were lost.
absl::StatusOr<std::set<RecordedFault>> ReadFaults(absl::Span<const uint32_t> errors);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_FAULTS_H_
