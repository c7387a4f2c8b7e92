// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cache/entry.h"

// A value is within the bytes, and makes the same bytes again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const assay::cache::EntryContent content = assay::cache::ReadEntry(bytes, "build", "key");
  if (content.value && assay::cache::MakeEntry("build", "key", *content.value) != bytes) std::abort();
  return 0;
}
