// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CACHE_KEY_DATA_H_
#define ASSAY_CACHE_KEY_DATA_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "cache/build_id.h"
#include "cache/key_set.h"

// Keys as the bytes that an application or a file keeps:
//
//   offset  size
//   0       4     length of the header: 24
//   4       4     version of the header: 1
//   8       16    UUID of the build
//   24      8     number of keys
//   32      8     checksum of the keys
//   40      16 n  keys
//
// The first 24 bytes are the header of VkValidationCacheHeaderVersionEXT. What follows is missing where there are no
// keys. All numbers have the low byte first.
namespace assay::cache {

constexpr size_t kKeyHeaderBytes = 24;

// What bytes that are offered as such data are.
enum class KeyDataState : uint8_t {
  // What WriteKeyData wrote for this build.
  kSound,
  // Of another build, or of other software.
  kForeign,
  // Too short for its own header, or with a version 1 header of another length. No software writes that.
  kNoHeader,
  // Of this build, and longer or shorter than it says.
  kOtherSize,
  // Of this build, and changed since.
  kDamaged,
};

struct KeyData {
  KeyDataState state = KeyDataState::kSound;
  // Those of sound data; none of any other.
  std::vector<Key> keys;
  // The bytes that data of kOtherSize says it takes; nothing where it is too short to say it.
  std::optional<uint64_t> expected_bytes;
};

// Reads `data`, and nothing past it. No bytes at all are sound and without keys.
KeyData ReadKeyData(absl::Span<const uint8_t> data, const Uuid& build);

// The bytes for so many keys.
size_t KeyDataSize(size_t keys);

// Writes as many of the keys as there is room for, beginning with the first, so that the result is sound by itself.
// Returns how many bytes that is; 0 if there is no room for the header.
size_t WriteKeyData(absl::Span<const Key> keys, const Uuid& build, absl::Span<uint8_t> to);

}  // namespace assay::cache

#endif  // ASSAY_CACHE_KEY_DATA_H_
