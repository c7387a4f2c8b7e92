// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/check/utf8.h"

#include <cstdint>

namespace assay::stateless {

bool IsUtf8(const char* text) {
  constexpr uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  const auto* byte = reinterpret_cast<const uint8_t*>(text);
  while (*byte != 0) {
    const uint8_t first = *byte++;
    if (first < 0x80) continue;
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4) return false;
    uint32_t code = first & (0x3fu >> more);
    for (int i = 0; i < more; ++i) {
      // The terminating null is no continuation either.
      if ((*byte & 0xc0) != 0x80) return false;
      code = code << 6 | (*byte++ & 0x3fu);
    }
    if (code < kLeast[more] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
  }
  return true;
}

}  // namespace assay::stateless
