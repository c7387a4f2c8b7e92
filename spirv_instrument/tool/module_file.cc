// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/tool/module_file.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv/unified1/spirv.hpp11"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kSwappedMagic = 0x03022307;

uint32_t WordAt(std::string_view content, size_t word) {
  uint32_t value = 0;
  std::memcpy(&value, content.data() + word * sizeof(value), sizeof(value));
  return value;
}

bool IsBinary(std::string_view content) {
  if (content.size() < sizeof(uint32_t)) return false;
  const uint32_t first = WordAt(content, 0);
  return first == spv::MagicNumber || first == kSwappedMagic;
}

// The environment of a SPIR-V version, as in the header: 0x00010300.
spv_target_env UniversalEnvironment(uint32_t version) {
  switch (version) {
    case 0x00010000:
      return SPV_ENV_UNIVERSAL_1_0;
    case 0x00010100:
      return SPV_ENV_UNIVERSAL_1_1;
    case 0x00010200:
      return SPV_ENV_UNIVERSAL_1_2;
    case 0x00010300:
      return SPV_ENV_UNIVERSAL_1_3;
    case 0x00010400:
      return SPV_ENV_UNIVERSAL_1_4;
    case 0x00010500:
      return SPV_ENV_UNIVERSAL_1_5;
    default:
      return SPV_ENV_UNIVERSAL_1_6;
  }
}

uint32_t VersionOf(absl::Span<const uint32_t> words) {
  if (words.size() < 2) return 0;
  return words[0] == spv::MagicNumber ? words[1] : __builtin_bswap32(words[1]);
}

// What a comment at the beginning of the text says of the version.
uint32_t VersionInText(std::string_view text) {
  constexpr std::string_view kComment = "; Version: 1.";
  const size_t at = text.find(kComment);
  if (at == std::string_view::npos || at + kComment.size() >= text.size()) return 0x00010600;
  const char minor = text[at + kComment.size()];
  return minor < '0' || minor > '6' ? 0x00010600 : 0x00010000 + static_cast<uint32_t>(minor - '0') * 0x100;
}

absl::StatusOr<std::vector<uint32_t>> Assemble(std::string_view name, std::string_view text) {
  spvtools::SpirvTools tools(UniversalEnvironment(VersionInText(text)));
  std::string message;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& position, const char* what) {
    absl::StrAppend(&message, message.empty() ? "" : "\n", name, ":", position.line + 1, ":", position.column + 1, ": ",
                    what);
  });
  std::vector<uint32_t> words;
  if (!tools.Assemble(text.data(), text.size(), &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS)) {
    return absl::InvalidArgumentError(message);
  }
  return words;
}

}  // namespace

absl::StatusOr<std::vector<uint32_t>> ParseModule(std::string_view name, std::string_view content) {
  if (!IsBinary(content)) return Assemble(name, content);
  if (content.size() % sizeof(uint32_t) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": the file has ", content.size(), " bytes, and words have four"));
  }
  std::vector<uint32_t> words(content.size() / sizeof(uint32_t));
  std::memcpy(words.data(), content.data(), content.size());
  return words;
}

absl::StatusOr<std::vector<uint32_t>> ReadModule(const std::string& path) {
  if (path == "-") {
    const std::string content(std::istreambuf_iterator<char>(std::cin), {});
    return ParseModule("standard input", content);
  }
  std::ifstream file(path, std::ios::binary);
  const std::string content(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad()) return absl::NotFoundError(absl::StrCat(path, ": the file cannot be read"));
  return ParseModule(path, content);
}

absl::Status WriteModule(const std::string& path, absl::Span<const uint32_t> words) {
  const auto* bytes = reinterpret_cast<const char*>(words.data());
  const auto count = static_cast<std::streamsize>(words.size() * sizeof(uint32_t));
  if (path == "-") {
    std::cout.write(bytes, count).flush();
    return std::cout ? absl::OkStatus() : absl::UnavailableError("standard output cannot be written");
  }
  std::ofstream file(path, std::ios::binary);
  file.write(bytes, count).flush();
  return file ? absl::OkStatus() : absl::UnavailableError(absl::StrCat(path, ": the file cannot be written"));
}

absl::StatusOr<std::string> DisassembleModule(absl::Span<const uint32_t> words) {
  spvtools::SpirvTools tools(UniversalEnvironment(VersionOf(words)));
  std::string message;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char*, const spv_position_t&, const char* what) { message = what; });
  std::string text;
  if (!tools.Disassemble(words.data(), words.size(), &text,
                         SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_NO_HEADER |
                             SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES)) {
    return absl::InvalidArgumentError(absl::StrCat("the module cannot be disassembled: ", message));
  }
  return text;
}

}  // namespace assay::spirv_instrument
