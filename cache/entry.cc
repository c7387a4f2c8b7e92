// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "cache/entry.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"

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

// Two sums that depend on each byte and on its place. They find damage; they do not keep out who means harm, who would
// have to be the user.
class Sum {
 public:
  void Add(std::string_view bytes) {
    Add(bytes.size());
    while (bytes.size() >= sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, bytes.data(), sizeof(word));
      Add(word);
      bytes.remove_prefix(sizeof(word));
    }
    uint64_t rest = 0;
    std::memcpy(&rest, bytes.data(), bytes.size());
    Add(rest);
  }
  uint64_t low() const { return Finish(low_); }
  uint64_t high() const { return Finish(high_); }

 private:
  void Add(uint64_t word) {
    low_ = (low_ ^ word) * 0x9e3779b97f4a7c15;
    low_ ^= low_ >> 29;
    high_ = (high_ + word) * 0xd6e8feb86659fd93;
    high_ ^= high_ >> 31;
  }
  static uint64_t Finish(uint64_t sum) {
    sum = (sum ^ (sum >> 32)) * 0xbf58476d1ce4e5b9;
    return sum ^ (sum >> 29);
  }

  uint64_t low_ = 0x243f6a8885a308d3;
  uint64_t high_ = 0x13198a2e03707344;
};

Sum SumOf(std::string_view build, std::string_view key, std::string_view value) {
  Sum sum;
  sum.Add(build);
  sum.Add(key);
  sum.Add(value);
  return sum;
}

}  // namespace

std::string EntryName(std::string_view build, std::string_view key) {
  const Sum sum = SumOf(build, key, "");
  return absl::StrCat(absl::Hex(sum.high(), absl::kZeroPad16), absl::Hex(sum.low(), absl::kZeroPad16));
}

std::string MakeEntry(std::string_view build, std::string_view key, std::string_view value) {
  const Sum sum = SumOf(build, key, value);
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
  const Sum sum = SumOf(its_build, its_key, value);
  if (sum.low() != header.checksum_low || sum.high() != header.checksum_high) return {};
  EntryContent content = {.is_sound = true};
  if (its_build == build && its_key == key) content.value = value;
  return content;
}

}  // namespace assay::cache
