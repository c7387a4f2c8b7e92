// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "absl/types/span.h"
#include "cache/key_data.h"

namespace assay::cache {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

// Sound data is the same bytes as are written for its keys. Other data has no keys.
void Read(absl::Span<const uint8_t> data, const Uuid& build) {
  const KeyData read = ReadKeyData(data, build);
  if (read.state != KeyDataState::kSound) return Require(read.keys.empty());
  std::vector<uint8_t> again(KeyDataSize(read.keys.size()));
  Require(WriteKeyData(read.keys, build, absl::MakeSpan(again)) == again.size());
  Require(data.empty() || std::ranges::equal(again, data));
}

}  // namespace
}  // namespace assay::cache

// Any bytes, and bytes behind the header of the build: they are refused, or whole. The same bytes as keys: they are
// read again, and refused when one byte is changed.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay::cache;
  static const Uuid build = UuidOf("build");
  Read({data, size}, build);

  std::vector<uint8_t> headed(kKeyHeaderBytes);
  WriteKeyData({}, build, absl::MakeSpan(headed));
  headed.insert(headed.end(), data, data + size);
  Read(headed, build);

  std::vector<Key> keys(size / sizeof(Key));
  if (keys.empty()) return 0;
  std::memcpy(keys.data(), data, keys.size() * sizeof(Key));
  std::vector<uint8_t> written(KeyDataSize(keys.size()));
  WriteKeyData(keys, build, absl::MakeSpan(written));
  Require(ReadKeyData(written, build).keys == keys);
  const size_t at = (data[0] + size_t{256} * data[1]) % written.size();
  written[at] ^= static_cast<uint8_t>(1 << (data[2] % 8));
  Require(ReadKeyData(written, build).keys.empty());
  written[at] ^= static_cast<uint8_t>(1 << (data[2] % 8));
  written.resize(at);
  Require(ReadKeyData(written, build).keys.empty());
  return 0;
}
