// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_SHADERS_INLINING_H_
#define ASSAY_GPUAV_SHADERS_INLINING_H_

#include <cstdint>
#include <optional>

#include "gpuav/shaders/word_cache.h"

namespace assay::gpuav {

// The same words with the functions that check and report put in the place of their calls: drivers compile calls in
// shaders slowly, and to slow code. Variables that this leaves become values, which takes a third of the words away.
// The application's functions stay as they are called; `bound` is the id bound of its words, so that ids from there on
// are those of functions of ours. By SPIRV-Tools' optimizer.
//
// Nothing if the optimizer does not know what is in the shader, or if the result would be very large. Where there are
// many checks, what reports faults stays a function.
std::optional<InstrumentedWords> Inline(const InstrumentedWords& instrumented, uint32_t bound);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_SHADERS_INLINING_H_
