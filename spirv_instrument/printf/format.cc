// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/printf/format.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace assay::spirv_instrument {
namespace {

using Kind = PrintType::Kind;
using Length = PrintConversion::Length;

constexpr std::string_view kFlags = "-+ #0";
constexpr std::string_view kIntegers = "diouxXc";
constexpr std::string_view kFloats = "aAeEfFgG";

bool Contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }
bool IsDigit(char c) { return '0' <= c && c <= '9'; }
bool IsInteger(Kind kind) { return kind == Kind::kSigned || kind == Kind::kUnsigned; }

// What prints a value of the type, whatever the format says.
PrintConversion NaturalConversion(const PrintType& type) {
  PrintConversion natural;
  natural.components = type.components;
  switch (type.kind) {
    case Kind::kBool:
    case Kind::kUnsigned:
      natural.conversion = 'u';
      break;
    case Kind::kSigned:
    case Kind::kOther:
      natural.conversion = 'd';
      break;
    case Kind::kFloat:
      natural.conversion = 'f';
      break;
    case Kind::kPointer:
      natural.conversion = 'p';
      break;
    case Kind::kString:
      natural.conversion = 's';
      break;
  }
  if (type.width > 32) natural.length = Length::kLong;
  return natural;
}

class Parser {
 public:
  Parser(std::string_view format, absl::Span<const PrintArgument> arguments) : format_(format), arguments_(arguments) {}

  PrintPlan Parse() {
    while (at_ < format_.size()) {
      if (format_[at_] == '%') {
        Specification();
      } else {
        text_ += format_[at_++];
      }
    }
    if (!text_.empty()) plan_.pieces.push_back({.text = std::move(text_)});
    if (next_argument_ < arguments_.size()) {
      AddError(format_.size(), absl::StrCat("The format has ", next_argument_, " conversions, and there are ",
                                            arguments_.size(), " arguments."));
    }
    return std::move(plan_);
  }

 private:
  void AddError(size_t offset, std::string what) { plan_.errors.push_back({offset, std::move(what)}); }

  char Peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }
  bool Skip(std::string_view text) {
    if (format_.substr(at_, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }

  // A number that may be too large.
  uint32_t Number() {
    uint32_t number = 0;
    for (; IsDigit(Peek()); ++at_) {
      if (number <= kMaxPrintWidth) number = number * 10 + static_cast<uint32_t>(Peek() - '0');
    }
    return number;
  }

  // What stands in the format from `begin` to here.
  std::string_view Written(size_t begin) const { return format_.substr(begin, at_ - begin); }

  // The specification is printed as it stands. It was meant for an argument all the same.
  void Refuse(size_t begin, std::string what) {
    AddError(begin, std::move(what));
    text_ += Written(begin);
    if (next_argument_ < arguments_.size()) ++next_argument_;
  }

  static bool CheckWidths(const PrintConversion& read) {
    return read.width.value_or(0) <= kMaxPrintWidth && read.precision.value_or(0) <= kMaxPrintWidth;
  }

  void Specification() {
    const size_t begin = at_++;
    PrintConversion read;
    for (; Contains(kFlags, Peek()) && Peek() != '\0'; ++at_) {
      if (!Contains(read.flags, Peek())) read.flags += Peek();
    }
    if (IsDigit(Peek())) read.width = Number();
    if (Skip(".")) read.precision = Number();
    if (Peek() == '*') {
      ++at_;
      return Refuse(begin, "An asterisk takes a width or precision from an argument, which debugPrintf cannot.");
    }
    if (Skip("v")) {
      if (Peek() < '2' || Peek() > '4') return Refuse(begin, "\"v\" is followed by 2, 3 or 4.");
      read.components = static_cast<uint32_t>(format_[at_++] - '0');
    }
    ReadLength(read);
    read.conversion = Peek();
    if (read.conversion == '\0') return Refuse(begin, "The format ends within a conversion.");
    ++at_;
    if (read.conversion == '%') {
      if (at_ - begin != 2) AddError(begin, absl::StrCat("\"", Written(begin), "\" is \"%%\" with something between."));
      text_ += '%';
      return;
    }
    if (!CheckWidths(read)) {
      return Refuse(begin, absl::StrCat("The largest width and precision is ", kMaxPrintWidth, "."));
    }
    if (!Contains(kIntegers, read.conversion) && !Contains(kFloats, read.conversion) &&
        !Contains("ps", read.conversion)) {
      // All of the character, if it is one of several bytes in UTF-8.
      while ((static_cast<uint8_t>(Peek()) & 0xc0) == 0x80) ++at_;
      return Refuse(begin, absl::StrCat("\"", Written(begin), "\" is no conversion that debugPrintf has."));
    }
    Convert(begin, std::move(read));
  }

  void ReadLength(PrintConversion& read) {
    if (Skip("hh")) {
      read.length = Length::kChar;
    } else if (Skip("hl")) {
      read.length = Length::kVectorWord;
    } else if (Skip("h")) {
      read.length = Length::kShort;
    } else if (Skip("ll") || Skip("l")) {
      read.length = Length::kLong;
    }
  }

  void Convert(size_t begin, PrintConversion read) {
    if (next_argument_ == arguments_.size()) {
      return Refuse(begin,
                    absl::StrCat("\"", Written(begin), "\" has no argument: there are ", arguments_.size(), "."));
    }
    const PrintType& type = arguments_[next_argument_].type;
    // "ul": the "l" is text if the argument has 32 bits.
    if (read.conversion == 'u' && read.length == Length::kNone && IsInteger(type.kind) && type.width == 64 &&
        Skip("l")) {
      read.length = Length::kLong;
    }
    if (std::optional<std::string> what = Mismatch(read, type)) {
      AddError(begin, absl::StrCat("\"", Written(begin), "\" ", *what, ", and the argument is ", NameOf(type), "."));
      read = NaturalConversion(type);
    }
    plan_.pieces.push_back({.text = std::move(text_), .conversion = std::move(read), .argument = next_argument_++});
    text_.clear();
  }

  // What the conversion prints, if it does not fit.
  static std::optional<std::string> Mismatch(const PrintConversion& read, const PrintType& type) {
    if (type.kind == Kind::kOther) return "prints scalars and vectors";
    if (read.conversion == 's') {
      if (type.kind != Kind::kString) return "prints a string";
      if (read.components > 1) return "prints a vector";
      return std::nullopt;
    }
    if (read.components != type.components) {
      if (read.components == 1) return "prints one value";
      return absl::StrCat("prints a vector of ", read.components);
    }
    if (read.conversion == 'p') {
      if (type.kind == Kind::kPointer || (type.kind == Kind::kUnsigned && type.width == 64)) return std::nullopt;
      return "prints an address";
    }
    if (Contains(kFloats, read.conversion)) {
      if (type.kind != Kind::kFloat) return "prints a floating-point number";
      return std::nullopt;
    }
    if (type.kind == Kind::kBool && read.conversion != 'c' && read.length == Length::kNone) return std::nullopt;
    if (!IsInteger(type.kind)) return "prints an integer";
    const bool is_long = read.length == Length::kLong;
    if (is_long && type.width != 64) return "prints an integer of 64 bits";
    if (!is_long && type.width > 32) return "prints an integer of at most 32 bits";
    if (is_long && read.conversion == 'c') return "prints a character";
    return std::nullopt;
  }

  std::string_view format_;
  absl::Span<const PrintArgument> arguments_;
  size_t at_ = 0;
  size_t next_argument_ = 0;
  // Since the last conversion.
  std::string text_;
  PrintPlan plan_;
};

}  // namespace

uint32_t WordsOf(const PrintType& type) {
  if (type.kind == Kind::kString || type.kind == Kind::kOther) return 0;
  return type.components * (type.width > 32 ? 2u : 1u);
}

PrintPlan MakePrintPlan(std::string_view format, absl::Span<const PrintArgument> arguments) {
  return Parser(format, arguments).Parse();
}

std::string NameOf(const PrintType& type) {
  const bool is_vector = type.components > 1;
  const std::string_view plural = is_vector ? "s" : "";
  const auto numbered = [&](std::string_view article, std::string_view noun) {
    if (!is_vector) return absl::StrCat(article, noun);
    return absl::StrCat("a vector of ", static_cast<uint32_t>(type.components), " ", noun, plural);
  };
  const auto bits = [&] { return absl::StrCat(" of ", static_cast<uint32_t>(type.width), " bits"); };
  switch (type.kind) {
    case Kind::kBool:
      return numbered("a ", "Boolean");
    case Kind::kSigned:
      return absl::StrCat(numbered("a ", "signed integer"), bits());
    case Kind::kUnsigned:
      return absl::StrCat(numbered("an ", "unsigned integer"), bits());
    case Kind::kFloat:
      return absl::StrCat(numbered("a ", "float"), bits());
    case Kind::kPointer:
      return numbered("a ", "pointer");
    case Kind::kString:
      return "a string";
    case Kind::kOther:
      break;
  }
  return "neither a scalar nor a vector";
}

}  // namespace assay::spirv_instrument
