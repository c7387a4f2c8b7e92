// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_STATISTICS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_STATISTICS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay::spirv_instrument {

// What became of an access that a pass is about.
enum class Outcome : uint8_t {
  // The shader checks it.
  kEmitted,
  // An earlier check of the same thing decides it.
  kDominated,
  // It is accepted with others at once, and checked by itself only if that fails.
  kSpan,
  // The condition is computed before a loop.
  kHoisted,
  // The host decides it.
  kHostDecided,
  // It is good whatever is bound: a constant index into an array of known length.
  kAlwaysGood,

  // ---- Not checked, and why.
  // The variable or address behind the pointer, image or other object is not known: it comes from memory, or was
  // computed in a way that says too little.
  kUnknownPointer,
  // It comes from a function parameter that different calls give different variables.
  kDifferentArguments,
  // It comes from an OpPhi or OpSelect of pointers.
  kChoiceOfPointers,
  // The type has no layout: a member without offset, an array without stride.
  kUnknownLayout,
  // The block is not reachable.
  kUnreachable,
  // FrameConfig::max_checks. Of checks with a condition alone.
  kLimit,
};
inline constexpr size_t kOutcomeCount = static_cast<size_t>(Outcome::kLimit) + 1;

// "emitted", "dominated" and so on.
std::string_view NameOf(Outcome outcome);

struct PassStatistics {
  // The pass's name.
  std::string_view pass;
  std::array<uint32_t, kOutcomeCount> counts = {};

  uint32_t Count(Outcome outcome) const { return counts[static_cast<size_t>(outcome)]; }
};

struct Statistics {
  // In the order in which the passes ran.
  std::vector<PassStatistics> passes;
  size_t words_before = 0;
  size_t words_after = 0;
  // The only number here that differs from run to run.
  uint64_t nanoseconds = 0;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_STATISTICS_H_
