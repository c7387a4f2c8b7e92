// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/object_ref.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "vk/struct_info.h"

namespace assay::messages {
namespace {

struct Utf8Range {
  uint8_t first;
  uint8_t last;
  uint8_t second_first;
  uint8_t second_last;
  uint8_t length;
};

// The Unicode standard's table 3-7, "Well-Formed UTF-8 Byte Sequences"; bytes after the second are 80..BF. The table
// leaves out C2 80..9F, the C1 control characters, since a terminal obeys them.
constexpr Utf8Range kPrintable[] = {
    {0x20, 0x7e, 0, 0, 1},       {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

bool Matches(const Utf8Range& range, std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (byte(0) < range.first || byte(0) > range.last || text.size() < range.length) return false;
  if (range.length > 1 && (byte(1) < range.second_first || byte(1) > range.second_last)) return false;
  for (size_t i = 2; i < range.length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return false;
  }
  return true;
}

// The size in bytes of the printable character at the beginning of text, which is not empty; 0 if there is none.
size_t PrintableLength(std::string_view text) {
  for (const Utf8Range& range : kPrintable) {
    if (Matches(range, text)) return range.length;
  }
  return 0;
}

std::string EscapeByte(char byte) {
  switch (byte) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return absl::StrFormat("\\x%02x", static_cast<uint8_t>(byte));
  }
}

}  // namespace

std::string EscapeName(std::string_view name) {
  std::string result;
  result.reserve(name.size());
  while (!name.empty()) {
    size_t length = PrintableLength(name);
    if (length > 0) {
      result.append(name.substr(0, length));
    } else {
      length = 1;
      result += EscapeByte(name.front());
    }
    name.remove_prefix(length);
  }
  return result;
}

std::string DescribeObject(ObjectRef object, std::string_view name) {
  const vk::HandleInfo* info = vk::FindHandle(object.type);
  std::string result =
      info != nullptr ? std::string(info->name) : absl::StrCat("VkObjectType ", static_cast<int>(object.type));
  if (object.handle == 0) {
    absl::StrAppend(&result, " VK_NULL_HANDLE");
  } else {
    absl::StrAppend(&result, " 0x", absl::Hex(object.handle));
  }
  if (!name.empty()) absl::StrAppend(&result, "[", EscapeName(name), "]");
  return result;
}

}  // namespace assay::messages
