// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_MUTATION_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_MUTATION_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/passes/instrument.h"

namespace assay::spirv_instrument::model {

// A mistake that is built into passes or steps, by which mutation_test shows that random programs would find it. It is
// put around the passes: they and the steps have nothing of it.
enum class Mutation : uint8_t {
  kNone,
  // The end of an access to a buffer is taken four bytes too early, or too late.
  kBufferEndsEarly,
  kBufferEndsLate,
  // The same of an access by device address, by one byte.
  kAddressEndsEarly,
  // Stores, or atomic instructions, to buffers are not checked.
  kStoresAreGood,
  kAtomicsAreGood,
  // Of several dynamic indices the last is forgotten.
  kLastIndexIsForgotten,
  // Descriptors are checked as if the dynamic index were 0.
  kDescriptorIsTheFirst,
  // Addresses may be misaligned.
  kAlignmentIsForgotten,
  // A report of an access to a buffer names the instruction before.
  kReportNamesAnother,
  // Checks of one thing count as equal whatever their spans are, so that the first decides all.
  kSpansAreForgotten,
  // The host asks for four bytes less than the access needs.
  kHostAsksForLess,
  // The host asks about descriptor 0 of each binding.
  kHostAsksForTheFirst,
  // A bad access is reported, and executed.
  kBadIsExecuted,
};

// Instrument, with a mistake.
absl::StatusOr<Instrumented> InstrumentWrongly(Mutation mutation, absl::Span<const uint32_t> words,
                                               const InstrumentConfig& config);

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_MUTATION_H_
