// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "cache/entry.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "cache/checksum.h"

namespace assay::cache {
namespace {

constexpr uint64_t kMagic = 0x3165686361437341;  // "AsCache1", the low byte first.

struct Header {
  uint64_t magic = kMagic;
  // Bytes of each part.
  uint64_t build_size = 0;
  uint64_t key_size = 0;
  uint64_t value_size = 0;
  // Of the parts, and of their sizes.
  uint64_t checksum_low = 0;
  uint64_t checksum_high = 0;
};

Checksum SumOf(std::string_view build, std::string_view key, std::string_view value) {
  Checksum sum;
  sum.Add(build);
  sum.Add(key);
  sum.Add(value);
  return sum;
}

}  // namespace

std::string EntryName(std::string_view build, std::string_view key) {
  const Checksum sum = SumOf(build, key, "");
  return absl::StrCat(absl::Hex(sum.high(), absl::kZeroPad16), absl::Hex(sum.low(), absl::kZeroPad16));
}

std::string MakeEntry(std::string_view build, std::string_view key, std::string_view value) {
  const Checksum sum = SumOf(build, key, value);
  const Header header = {.build_size = build.size(),
                         .key_size = key.size(),
                         .value_size = value.size(),
                         .checksum_low = sum.low(),
                         .checksum_high = sum.high()};
  std::string bytes(sizeof(header), '\0');
  std::memcpy(bytes.data(), &header, sizeof(header));
  absl::StrAppend(&bytes, build, key, value);
  return bytes;
}

EntryContent ReadEntry(std::string_view bytes, std::string_view build, std::string_view key) {
  Header header;
  if (bytes.size() < sizeof(header)) return {};
  std::memcpy(&header, bytes.data(), sizeof(header));
  bytes.remove_prefix(sizeof(header));
  if (header.magic != kMagic) return {};
  const auto take = [&bytes](uint64_t size) {
    const std::string_view part = bytes.substr(0, size);
    bytes.remove_prefix(part.size());
    return part;
  };
  const std::string_view its_build = take(header.build_size);
  const std::string_view its_key = take(header.key_size);
  const std::string_view value = take(header.value_size);
  if (its_build.size() != header.build_size || its_key.size() != header.key_size || value.size() != header.value_size ||
      !bytes.empty()) {
    return {};
  }
  const Checksum sum = SumOf(its_build, its_key, value);
  if (sum.low() != header.checksum_low || sum.high() != header.checksum_high) return {};
  EntryContent content = {.is_sound = true};
  if (its_build == build && its_key == key) content.value = value;
  return content;
}

}  // namespace assay::cache
