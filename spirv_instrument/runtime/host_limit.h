// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_RUNTIME_HOST_LIMIT_H_
#define ASSAY_SPIRV_INSTRUMENT_RUNTIME_HOST_LIMIT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv_instrument/runtime/descriptor_table.h"
#include "spirv_instrument/runtime/error_codes.h"
#include "spirv_instrument/runtime/layout.h"

// Checks that are one comparison. Where the host knows the descriptors of an action when it is recorded, it can say for
// each array that the shader indexes from which index on an access is bad. So the shader reads one word of the action
// block and compares, and knows nothing of sizes and tables. All that it writes of a fault is which check it was and
// what it compared (notes, layout.h); the host knows the rest.
namespace assay::spirv_instrument {

// What the host computes: an access is good if and only if the value is below the limit.
struct HostLimit {
  enum class Kind : uint8_t {
    // The access ends at byte `end` + value * `stride` of the buffer.
    kBuffer,
    // It is of descriptor `index` + value.
    kDescriptors,
  };

  Kind kind = Kind::kBuffer;
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t index = 0;
  // Of kBuffer. The stride is not 0.
  uint32_t end = 0;
  uint32_t stride = 1;
  // Of kDescriptors. Bit i: the access may be to a descriptor of the i-th DescriptorType.
  uint32_t types = 0;

  friend bool operator==(const HostLimit& a, const HostLimit& b) = default;
};

// A check that compares with a limit.
struct LimitedCheck {
  HostLimit limit;
  // Its index among the limits of the shader.
  uint32_t limit_number = 0;
  // The access, as Module::At counts.
  uint32_t instruction = 0;

  friend bool operator==(const LimitedCheck& a, const LimitedCheck& b) = default;
};

// What the host knows of a descriptor of a binding; the index is below the number of its descriptors.
using StateOfDescriptor = absl::FunctionRef<DescriptorState(uint32_t index)>;

// What the host knows when it says a limit: enough to say later what was wrong.
struct LimitFacts {
  uint32_t limit = 0;
  // The bytes of the buffer, 0xffffffff if it is null; how many descriptors the binding has.
  uint32_t size = 0;
  // Of kDescriptors: the state words (kDescriptorStateWord) of the descriptors from the limit on, all of which are bad.
  std::vector<uint32_t> bad_states;
};

// A binding with more descriptors than that has no limit: the host would look at each of them for each command.
inline constexpr uint32_t kMaxLimitedDescriptors = 64;

// If the binding has so many descriptors. Nothing where no limit is exact, and the shader has to look for itself: a
// buffer that is not there; descriptors of which some bad ones come before good ones, or too many of them.
std::optional<LimitFacts> FactsOf(const HostLimit& limit, uint32_t count, StateOfDescriptor state_of);

// A note of an action.
struct Note {
  // By index among the shader's LimitedChecks.
  size_t check = 0;
  uint32_t count = 0;
  uint32_t value = 0;
  std::array<uint32_t, 3> stage_words = {};
};

// Those of an action whose notes begin at this word of the causes, of so many checks; none that is not complete, but
// where `counts_all`. Nothing past the words is read.
std::vector<Note> ReadNotes(absl::Span<const uint32_t> causes, uint32_t first_word, size_t checks,
                            bool counts_all = false);
inline bool HasNotes(absl::Span<const uint32_t> causes) {
  return causes.size() > kHasNotesWord && causes[kHasNotesWord] != 0;
}

// What a record would say (ErrorRecord).
struct NotedFault {
  ErrorCode code = ErrorCode::kBufferOutOfBounds;
  std::array<uint32_t, kRecordDataWords> data = {};
};
// Nothing if it is no fault: anything may be read of a null buffer.
std::optional<NotedFault> FaultOf(const HostLimit& limit, const LimitFacts& facts, uint32_t value);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_RUNTIME_HOST_LIMIT_H_
