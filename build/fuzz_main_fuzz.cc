// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A fuzz target with a mistake in it, which fuzz_main must find: it fails for every input that begins as its corpus
// does and has another fifth byte.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 4 && std::memcmp(data, "Fals", 4) == 0 && data[4] != 'e') std::abort();
  return 0;
}
