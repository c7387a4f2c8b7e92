// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_ID_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_ID_H_

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace assay::spirv_instrument {

// The <id> of a result.
enum class Id : uint32_t {};

// No result has it. Every function takes it for an id without definition.
inline constexpr Id kNoId{0};

// SPIR-V, "Universal Limits": the largest bound of a module.
inline constexpr uint32_t kMaxBound = 0x3fffff;
// SPIR-V, "OpTypeVector" with capability Vector16; "OpTypeMatrix" has less. Code may go over all of them.
inline constexpr uint32_t kMaxComponents = 16;

constexpr uint32_t ToNumber(Id id) { return static_cast<uint32_t>(id); }

// A word of an instruction that is to be written: an id, a literal or an enumerant.
class Word {
 public:
  // NOLINTBEGIN(google-explicit-constructor): operand lists mix the three.
  constexpr Word(uint32_t value) : value_(value) {}
  template <typename E>
    requires std::is_enum_v<E>
  constexpr Word(E value) : value_(static_cast<uint32_t>(value)) {}
  // NOLINTEND(google-explicit-constructor)

  constexpr uint32_t value() const { return value_; }

 private:
  uint32_t value_;
};

static_assert(sizeof(Word) == sizeof(uint32_t));

// Appends the words of a string: its octets, the first in the lowest bits, and at least one zero.
void AppendString(std::vector<Word>& words, std::string_view text);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_ID_H_
