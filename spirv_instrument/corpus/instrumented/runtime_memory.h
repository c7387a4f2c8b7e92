// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_RUNTIME_MEMORY_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_RUNTIME_MEMORY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument::corpus {

// Device addresses of buffers, by name.
using Addresses = std::map<std::string, uint64_t, std::less<>>;

// The words of runtime.h for one run of a setup: what a host would put into the memory that instrumented shaders read
// and write. The parts are in the order of the bindings of the reserved set.
struct RuntimeMemory {
  std::array<std::vector<uint32_t>, kBindingsOfReservedSet> parts;

  std::vector<uint32_t>& action() { return parts[kActionBinding]; }
};

// `addresses` are those of the buffers; one that is not there, or is destroyed, is at no address. There are so many
// counters of blocks.
absl::StatusOr<RuntimeMemory> MakeRuntimeMemory(const Setup& setup, const Addresses& addresses, size_t counters = 0);

// Makes the action one of which nothing is known (runtime/action.h).
void SetUnchecked(RuntimeMemory& memory);

// Where the parts are, for shaders that reach them by address.
void SetAddresses(RuntimeMemory& memory, const std::array<uint64_t, kBindingsOfReservedSet>& addresses);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_RUNTIME_MEMORY_H_
