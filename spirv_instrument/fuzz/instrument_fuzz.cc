// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modules and configurations, as fuzz.h says.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "spirv_instrument/fuzz/fuzz.h"
#include "spirv_instrument/fuzz/merge.h"
#include "spirv_instrument/fuzz/mutations.h"
#include "spirv_instrument/fuzz/random.h"

namespace fuzz = assay::spirv_instrument::fuzz;

namespace {

// Copies what fits.
size_t Write(const fuzz::Input& input, uint8_t* out, size_t max_size) {
  const std::vector<uint8_t> bytes = fuzz::BytesOf(input);
  const size_t size = std::min(bytes.size(), max_size);
  std::copy_n(bytes.begin(), size, out);
  return size;
}

size_t MaxWords(size_t max_size) { return max_size / sizeof(uint32_t) - 1; }

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  if (max_size < 2 * sizeof(uint32_t)) return 0;
  fuzz::Random random(seed);
  return Write(fuzz::Mutate(fuzz::InputOf({data, size}), MaxWords(max_size), random), data, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_out_size, unsigned int seed) {
  if (max_out_size < 2 * sizeof(uint32_t)) return 0;
  fuzz::Random random(seed);
  fuzz::Input first = fuzz::InputOf({data1, size1});
  std::vector<uint32_t> merged = fuzz::Merge(first.words, fuzz::InputOf({data2, size2}).words, random);
  if (merged.size() <= MaxWords(max_out_size)) first.words = std::move(merged);
  return Write(fuzz::Mutate(std::move(first), MaxWords(max_out_size), random), out, max_out_size);
}

// Mutations go on from modules that are valid and were instrumented.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::Result result = fuzz::Try(fuzz::InputOf({data, size}));
  if (result.verdict == fuzz::Verdict::kFailure) {
    std::fprintf(stderr, "%s\n", result.failure.c_str());
    std::abort();
  }
  return result.verdict == fuzz::Verdict::kValid ? 0 : -1;
}
