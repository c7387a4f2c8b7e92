// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/description/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace assay::spirv_instrument::corpus {
namespace {

// No directive needs more.
constexpr uint64_t kMaxItems = 1u << 20;

enum class Kind : uint8_t { kUnsigned, kSigned, kFloat };

struct Type {
  absl::string_view name;
  Kind kind;
  // In bytes.
  size_t size;
};

constexpr Type kTypes[] = {
    {"u8", Kind::kUnsigned, 1},  {"i8", Kind::kSigned, 1},  {"u16", Kind::kUnsigned, 2}, {"i16", Kind::kSigned, 2},
    {"u32", Kind::kUnsigned, 4}, {"i32", Kind::kSigned, 4}, {"u64", Kind::kUnsigned, 8}, {"i64", Kind::kSigned, 8},
    {"f16", Kind::kFloat, 2},    {"f32", Kind::kFloat, 4},  {"f64", Kind::kFloat, 8},
};

const Type* FindType(absl::string_view word) {
  const Type* found = std::ranges::find(kTypes, word, &Type::name);
  return found == std::end(kTypes) ? nullptr : found;
}

// Parses decimal and, with 0x, hexadecimal numbers. A negative one becomes its two's complement, if `type` is signed.
bool ParseInteger(absl::string_view word, const Type& type, uint64_t& value) {
  const unsigned bits = static_cast<unsigned>(8 * type.size);
  const uint64_t largest = ~uint64_t{0} >> (64 - bits);
  if (absl::StartsWith(word, "0x")) return absl::SimpleHexAtoi(word, &value) && value <= largest;
  if (type.kind == Kind::kUnsigned) return absl::SimpleAtoi(word, &value) && value <= largest;
  int64_t number = 0;
  if (!absl::SimpleAtoi(word, &number)) return false;
  const int64_t limit = static_cast<int64_t>(largest / 2);
  value = static_cast<uint64_t>(number);
  return number <= limit && number >= -limit - 1;
}

bool ParseFloat(absl::string_view word, const Type& type, uint64_t& value) {
  double number = 0;
  // It knows "nan" and "inf", too.
  if (!absl::SimpleAtod(word, &number)) return false;
  if (type.size == 8) {
    value = std::bit_cast<uint64_t>(number);
  } else if (type.size == 4) {
    value = std::bit_cast<uint32_t>(static_cast<float>(number));
  } else {
    value = ToHalf(static_cast<float>(number));
  }
  return true;
}

class Parser {
 public:
  explicit Parser(Contents& contents) : contents_(contents) {}

  absl::Status AddWord(absl::string_view word) {
    if (const Type* type = FindType(word)) {
      type_ = type;
      return absl::OkStatus();
    }
    if (type_ == nullptr) return absl::InvalidArgumentError(absl::StrCat("'", word, "' comes before any type"));
    if (!AddItem(word)) {
      return absl::InvalidArgumentError(absl::StrCat("'", word, "' is no value of type ", type_->name));
    }
    return absl::OkStatus();
  }

 private:
  bool AddItem(absl::string_view word) {
    if (absl::StartsWith(word, "&")) return AddAddress(word.substr(1));
    if (size_t dots = word.find(".."); dots != absl::string_view::npos) {
      return AddSequence(word.substr(0, dots), word.substr(dots + 2));
    }
    uint64_t count = 1;
    if (size_t star = word.find('*'); star != absl::string_view::npos) {
      if (!absl::SimpleAtoi(word.substr(star + 1), &count) || count > kMaxItems) return false;
      word = word.substr(0, star);
    }
    uint64_t value = 0;
    if (!ParseNumber(word, value)) return false;
    for (uint64_t i = 0; i < count; ++i) Append(value);
    return true;
  }

  // `0..15`: all numbers from the first to the last.
  bool AddSequence(absl::string_view first_word, absl::string_view last_word) {
    int64_t first = 0;
    int64_t last = 0;
    if (!absl::SimpleAtoi(first_word, &first) || !absl::SimpleAtoi(last_word, &last)) return false;
    if (first > last || static_cast<uint64_t>(last - first) > kMaxItems) return false;
    for (int64_t number = first; number <= last; ++number) {
      uint64_t value = 0;
      if (!ParseNumber(absl::StrCat(number), value)) return false;
      Append(value);
    }
    return true;
  }

  // `data+16`, behind the `&`.
  bool AddAddress(absl::string_view word) {
    if (type_->size != 8) return false;
    AddressInContents address = {.offset = contents_.bytes.size()};
    const size_t sign = word.find_first_of("+-");
    address.buffer = std::string(word.substr(0, sign));
    if (sign != absl::string_view::npos) {
      if (!absl::SimpleAtoi(word.substr(sign + 1), &address.addend)) return false;
      if (word[sign] == '-') address.addend = -address.addend;
    }
    if (address.buffer.empty()) return false;
    contents_.addresses.push_back(std::move(address));
    Append(0);
    return true;
  }

  bool ParseNumber(absl::string_view word, uint64_t& value) const {
    return type_->kind == Kind::kFloat ? ParseFloat(word, *type_, value) : ParseInteger(word, *type_, value);
  }

  void Append(uint64_t value) {
    const size_t end = contents_.bytes.size();
    contents_.bytes.resize(end + type_->size);
    std::memcpy(contents_.bytes.data() + end, &value, type_->size);
  }

  Contents& contents_;
  const Type* type_ = nullptr;
};

}  // namespace

absl::StatusOr<Contents> ParseValues(absl::string_view text) {
  Contents contents;
  Parser parser(contents);
  for (absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    if (absl::Status status = parser.AddWord(word); !status.ok()) return status;
  }
  return contents;
}

uint16_t ToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  if (std::isnan(value)) return sign | 0x7e00;
  const float magnitude = std::fabs(value);
  // Halfway between the largest half and what the next exponent would give.
  if (magnitude >= 65520.0f) return sign | 0x7c00;
  // Below the smallest normal half, halves are the multiples of 2^-24.
  if (magnitude < 6.103515625e-05f) return sign | static_cast<uint16_t>(std::nearbyint(magnitude * 16777216.0f));
  // The exponent's bias changes from 127 to 15, and 13 bits of the mantissa are rounded away. A carry of the rounding
  // goes into the exponent, where it belongs.
  const uint32_t rebased = (bits & 0x7fffffff) - ((127 - 15) << 23);
  const uint32_t rounding = 0xfff + ((rebased >> 13) & 1);
  return sign | static_cast<uint16_t>((rebased + rounding) >> 13);
}

}  // namespace assay::spirv_instrument::corpus
