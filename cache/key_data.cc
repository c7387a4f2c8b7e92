// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "cache/key_data.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "cache/checksum.h"

namespace assay::cache {
namespace {

struct Header {
  uint32_t bytes = kKeyHeaderBytes;
  uint32_t version = 1;
  Uuid build = {};
};
static_assert(sizeof(Header) == kKeyHeaderBytes);

struct Content {
  uint64_t keys = 0;
  uint64_t checksum = 0;
};

constexpr size_t kContentBytes = sizeof(Header) + sizeof(Content);
// What every version of the header begins with.
constexpr size_t kPrefixBytes = 2 * sizeof(uint32_t);

template <class T>
T Take(absl::Span<const uint8_t>& data) {
  T value;
  std::memcpy(&value, data.data(), sizeof(value));
  data.remove_prefix(sizeof(value));
  return value;
}

template <class T>
void Put(const T* values, size_t bytes, absl::Span<uint8_t>& to) {
  if (bytes == 0) return;
  std::memcpy(to.data(), values, bytes);
  to.remove_prefix(bytes);
}

uint64_t ChecksumOf(absl::Span<const uint8_t> keys) {
  Checksum sum;
  sum.Add(std::string_view(reinterpret_cast<const char*>(keys.data()), keys.size()));
  return sum.low();
}

KeyDataState StateByHeader(absl::Span<const uint8_t> data, const Uuid& build) {
  if (data.size() < kPrefixBytes) return KeyDataState::kNoHeader;
  Header header;
  std::memcpy(&header, data.data(), std::min(data.size(), sizeof(header)));
  if (header.bytes < kPrefixBytes || header.bytes > data.size()) return KeyDataState::kNoHeader;
  if (header.version != 1) return KeyDataState::kForeign;
  if (header.bytes != sizeof(header)) return KeyDataState::kNoHeader;
  return header.build == build ? KeyDataState::kSound : KeyDataState::kForeign;
}

}  // namespace

KeyData ReadKeyData(absl::Span<const uint8_t> data, const Uuid& build) {
  if (data.empty()) return {};
  if (const KeyDataState state = StateByHeader(data, build); state != KeyDataState::kSound) return {.state = state};
  data.remove_prefix(sizeof(Header));
  if (data.empty()) return {};
  if (data.size() < sizeof(Content)) return {.state = KeyDataState::kOtherSize};
  const auto content = Take<Content>(data);
  // Divides, since the number may be anything.
  if (data.size() % sizeof(Key) != 0 || content.keys != data.size() / sizeof(Key)) {
    return {.state = KeyDataState::kOtherSize, .expected_bytes = kContentBytes + content.keys * sizeof(Key)};
  }
  if (content.keys == 0 || content.checksum != ChecksumOf(data)) return {.state = KeyDataState::kDamaged};
  KeyData result;
  result.keys.resize(data.size() / sizeof(Key));
  std::memcpy(result.keys.data(), data.data(), data.size());
  return result;
}

size_t KeyDataSize(size_t keys) { return keys == 0 ? sizeof(Header) : kContentBytes + keys * sizeof(Key); }

size_t WriteKeyData(absl::Span<const Key> keys, const Uuid& build, absl::Span<uint8_t> to) {
  if (to.size() < sizeof(Header)) return 0;
  const size_t room = to.size() < kContentBytes ? 0 : (to.size() - kContentBytes) / sizeof(Key);
  keys = keys.first(std::min(keys.size(), room));
  const Header header = {.build = build};
  Put(&header, sizeof(header), to);
  if (keys.empty()) return sizeof(header);
  const size_t bytes = keys.size() * sizeof(Key);
  const Content content = {
      .keys = keys.size(),
      .checksum = ChecksumOf(absl::Span<const uint8_t>(reinterpret_cast<const uint8_t*>(keys.data()), bytes))};
  Put(&content, sizeof(content), to);
  Put(keys.data(), bytes, to);
  return KeyDataSize(keys.size());
}

}  // namespace assay::cache
