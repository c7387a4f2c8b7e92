// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/words/glsl_version.h"

#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace assay::core {
namespace {

constexpr uint32_t kFewestVersion = 140;
constexpr uint32_t kFewestVersionOfEs = 310;

std::string_view SkipSpace(std::string_view text) { return absl::StripLeadingAsciiWhitespace(text); }

// Without white space and comments in front. "" if a comment does not end.
std::string_view SkipComments(std::string_view text) {
  for (;;) {
    text = SkipSpace(text);
    const bool is_line = absl::StartsWith(text, "//");
    if (!is_line && !absl::StartsWith(text, "/*")) return text;
    // A backslash continues a line; then the comment goes on.
    const auto is_continued = [&](size_t end) {
      return absl::EndsWith(absl::StripSuffix(text.substr(0, end), "\r"), "\\");
    };
    size_t end = text.find(is_line ? "\n" : "*/", 2);
    while (is_line && end != std::string_view::npos && is_continued(end)) end = text.find('\n', end + 1);
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + (is_line ? 1 : 2));
  }
}

std::string_view TakeWord(std::string_view* text) {
  *text = SkipSpace(*text);
  size_t size = 0;
  while (size < text->size() && absl::ascii_isalnum(static_cast<unsigned char>((*text)[size]))) ++size;
  const std::string_view word = text->substr(0, size);
  text->remove_prefix(size);
  return word;
}

}  // namespace

std::string WrongGlslVersion(std::string_view code) {
  code = code.substr(0, code.find('\0'));
  absl::ConsumePrefix(&code, "\xef\xbb\xbf");
  std::string_view rest = SkipComments(code);
  if (!absl::ConsumePrefix(&rest, "#") || TakeWord(&rest) != "version")
    return "is neither SPIR-V nor GLSL for Vulkan, which begins with #version.";
  uint32_t version = 0;
  // A macro or a comment may stand there; that is the compiler's.
  if (!absl::SimpleAtoi(TakeWord(&rest), &version)) return "";
  const bool is_es = TakeWord(&rest) == "es";
  const uint32_t fewest = is_es ? kFewestVersionOfEs : kFewestVersion;
  if (version >= fewest) return "";
  return absl::StrCat("is GLSL of version ", version, is_es ? " es" : "", "; GL_KHR_vulkan_glsl needs ", fewest,
                      is_es ? " es" : "", ".");
}

}  // namespace assay::core
