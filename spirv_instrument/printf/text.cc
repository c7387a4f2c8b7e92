// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/printf/text.h"

#include <locale.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv_instrument/printf/format.h"

namespace assay::spirv_instrument {
namespace {

using Kind = PrintType::Kind;
using Length = PrintConversion::Length;

// snprintf writes a decimal comma where the locale of the thread has one.
class CLocale {
 public:
  CLocale() : previous_(uselocale(Get())) {}
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;
  ~CLocale() { uselocale(previous_); }

 private:
  static locale_t Get() {
    static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
    return locale;
  }
  locale_t previous_;
};

// The format of one value for snprintf. Flags that C leaves undefined for the conversion are left out.
std::string FormatForC(const PrintConversion& conversion, std::string_view length) {
  std::string format = "%";
  for (const char flag : conversion.flags) {
    const bool has_meaning = flag == '#'
                                 ? std::string_view("oxXaAeEfFgG").find(conversion.conversion) != std::string_view::npos
                             : flag == '0' ? conversion.conversion != 'c'
                                           : true;
    if (has_meaning) format += flag;
  }
  if (conversion.width) absl::StrAppend(&format, *conversion.width);
  // C leaves a precision of %c undefined.
  if (conversion.precision && conversion.conversion != 'c') absl::StrAppend(&format, ".", *conversion.precision);
  absl::StrAppend(&format, length, std::string_view(&conversion.conversion, 1));
  return format;
}

template <typename T>
std::string Print(const PrintConversion& conversion, std::string_view length, T value) {
  // The longest is %f of the largest double: 309 digits and those of the precision.
  std::array<char, 2 * kMaxPrintWidth> buffer;
  const int count = std::snprintf(buffer.data(), buffer.size(), FormatForC(conversion, length).c_str(), value);
  return std::string(buffer.data(), static_cast<size_t>(std::max(count, 0)));
}

// Pads to the width of the conversion.
std::string Pad(const PrintConversion& conversion, std::string text) {
  const size_t width = conversion.width.value_or(0);
  if (text.size() >= width) return text;
  const bool is_left = conversion.flags.find('-') != std::string::npos;
  text.insert(is_left ? text.size() : 0, width - text.size(), ' ');
  return text;
}

int64_t AsSigned(uint64_t value, const PrintConversion& conversion, uint32_t width) {
  if (conversion.length == Length::kChar) return static_cast<int8_t>(value);
  if (conversion.length == Length::kShort) return static_cast<int16_t>(value);
  return width > 32 ? static_cast<int64_t>(value) : static_cast<int32_t>(value);
}

uint64_t AsUnsigned(uint64_t value, const PrintConversion& conversion) {
  if (conversion.length == Length::kChar) return static_cast<uint8_t>(value);
  if (conversion.length == Length::kShort) return static_cast<uint16_t>(value);
  return value;
}

// `value` is the component's word or words.
std::string PrintComponent(const PrintConversion& conversion, const PrintType& type, uint64_t value) {
  switch (conversion.conversion) {
    case 'd':
    case 'i':
      return Print(conversion, "ll", static_cast<long long>(AsSigned(value, conversion, type.width)));
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return Print(conversion, "ll", static_cast<unsigned long long>(AsUnsigned(value, conversion)));
    case 'c':
      return Print(conversion, "", static_cast<int>(value));
    case 'p':
      return Pad(conversion, absl::StrCat("0x", absl::Hex(value)));
    default:
      return Print(conversion, "",
                   type.width > 32 ? std::bit_cast<double>(value)
                                   : static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(value))));
  }
}

std::string PrintString(const PrintConversion& conversion, std::string_view string) {
  return Pad(conversion, std::string(string.substr(0, conversion.precision.value_or(string.size()))));
}

std::string PrintValue(const PrintConversion& conversion, const PrintType& type, absl::Span<const uint32_t> words) {
  const size_t words_of_component = type.width > 32 ? 2 : 1;
  std::string text;
  for (size_t first = 0; first < words.size(); first += words_of_component) {
    uint64_t value = words[first];
    if (words_of_component == 2) value |= uint64_t{words[first + 1]} << 32;
    absl::StrAppend(&text, first == 0 ? "" : ", ", PrintComponent(conversion, type, value));
  }
  return text;
}

}  // namespace

std::string PrintText(const PrintPlan& plan, absl::Span<const PrintArgument> arguments,
                      absl::Span<const uint32_t> words) {
  const CLocale locale;
  std::vector<size_t> first_words;
  size_t word_count = 0;
  for (const PrintArgument& argument : arguments) {
    first_words.push_back(word_count);
    word_count += WordsOf(argument.type);
  }
  std::string text;
  for (const PrintPlan::Piece& piece : plan.pieces) {
    text += piece.text;
    if (!piece.conversion) continue;
    const PrintArgument& argument = arguments[piece.argument];
    const size_t count = WordsOf(argument.type);
    if (argument.type.kind == Kind::kString) {
      text += PrintString(*piece.conversion, argument.string);
    } else if (argument.type.kind == Kind::kOther) {
      text += '?';
    } else if (first_words[piece.argument] + count > words.size()) {
      return text + "...";
    } else {
      text += PrintValue(*piece.conversion, argument.type, words.subspan(first_words[piece.argument], count));
    }
  }
  return text;
}

}  // namespace assay::spirv_instrument
