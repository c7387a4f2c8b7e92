// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CACHE_ENTRY_H_
#define ASSAY_CACHE_ENTRY_H_

#include <optional>
#include <string>
#include <string_view>

// One file of a cache: a header, then build, key and value.
namespace assay::cache {

// A name for the file of a key: 32 hexadecimal digits that nearly always differ for different keys. The same on every
// platform and in every build.
std::string EntryName(std::string_view build, std::string_view key);

// The bytes of the file.
std::string MakeEntry(std::string_view build, std::string_view key, std::string_view value);

// What there is to learn from a file that is thought to hold a key's value.
struct EntryContent {
  // Whether it is a file that MakeEntry made, whole and unchanged.
  bool is_sound = false;
  // Of this build and key; nothing in a sound file of others. Points into the bytes.
  std::optional<std::string_view> value;
};
EntryContent ReadEntry(std::string_view bytes, std::string_view build, std::string_view key);

}  // namespace assay::cache

#endif  // ASSAY_CACHE_ENTRY_H_
