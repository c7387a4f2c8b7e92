// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A fuzz target that changes inputs itself: it adds 2 to the first byte, and joins two inputs to the sum of theirs. It
// keeps inputs of one odd byte, and fails for a sum of 6. From a corpus of 1 alone, that is 3 + 3 or 1 + 5: fuzz_main
// finds the mistake only if it calls both functions, and changes what it kept.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  if (size == 0 || max_size == 0) return 0;
  data[0] = static_cast<uint8_t>(data[0] + 2 * (seed % 2));
  return 1;
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_out_size, unsigned int seed) {
  static_cast<void>(seed);
  if (size1 == 0 || size2 == 0 || max_out_size < 2) return 0;
  out[0] = static_cast<uint8_t>(data1[0] + data2[0]);
  out[1] = 0;
  return 2;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 2 && data[0] == 6) std::abort();
  return size == 1 && data[0] % 2 == 1 ? 0 : -1;
}
