// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_VALUES_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_VALUES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "spirv_instrument/corpus/description/description.h"

namespace assay::spirv_instrument::corpus {

// VALUES of a directive, as corpus.h says, as bytes: "u32 1 2 f32 0.5*4". Little-endian, without padding. Fails with
// the item that it does not understand.
absl::StatusOr<Contents> ParseValues(absl::string_view text);

// A float of 16 bits, rounded to nearest even. What is too large becomes an infinity.
uint16_t ToHalf(float value);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_VALUES_H_
