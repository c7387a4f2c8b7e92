// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_RUNTIME_ACTION_H_
#define ASSAY_SPIRV_INSTRUMENT_RUNTIME_ACTION_H_

#include <cstdint>

#include "absl/types/span.h"

namespace assay::spirv_instrument {

// Fills an action block, of kActionQuads quads, for an action of which nothing is known yet: no set is bound, addresses
// and vertex attributes are not checked, and each cause writes one record.
void InitializeAction(absl::Span<uint32_t> action);

// The same for an action of which nothing will be known, as where there is no memory for what it needs: every
// descriptor counts as valid, whatever its index, and every range as long enough. So shaders do what they would do
// without instrumentation.
void InitializeUncheckedAction(absl::Span<uint32_t> action);

// For an action whose shader compares with limits (host_limit.h): these are its limits, at most kMaxLimits. All further
// ones let pass what any resource may have; what they do not, 0xffffffff, is not noted of an action without notes.
void SetLimits(absl::Span<const uint32_t> limits, absl::Span<uint32_t> action);

// Where in the causes, in words, such an action finds its notes. Without, it has none.
void SetFirstNote(uint32_t word, absl::Span<uint32_t> action);

// Where in the causes, in words, the notes of images begin that such an action accesses, and for how many numbers there
// are notes. Without, none is noted.
void SetImageNotes(uint32_t word, uint32_t count, absl::Span<uint32_t> action);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_RUNTIME_ACTION_H_
