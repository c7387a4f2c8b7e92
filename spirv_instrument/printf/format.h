// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PRINTF_FORMAT_H_
#define ASSAY_SPIRV_INSTRUMENT_PRINTF_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"

// The format strings of debugPrintf: NonSemantic.DebugPrintf, which takes them from OpenCL C and so from C.
//
//   %[flags][width][.precision][vN][length]conversion
//
//   flags        any of "-+ #0"
//   vN           the argument is a vector of N components: 2, 3 or 4
//   length       hh, h    what %hhd and %hd mean in C: eight or sixteen bits of the value
//                hl       nothing, as in OpenCL C
//                l, ll    the argument has 64 bits. "ul" is the same as "lu" if the argument has 64 bits
//   conversion   d i o u x X c    integers and Booleans (0 or 1; not for c)
//                a A e E f F g G  floating-point numbers of any width
//                p                pointers into PhysicalStorageBuffer, unsigned integers of 64 bits
//                s                an OpString
//                %                the character itself
//
// An asterisk for width or precision has no meaning here, and %n none that a shader could have.
namespace assay::spirv_instrument {

// What an argument is.
struct PrintType {
  enum class Kind : uint8_t {
    kBool,
    kSigned,
    kUnsigned,
    kFloat,
    // Into PhysicalStorageBuffer.
    kPointer,
    // OpString.
    kString,
    // What cannot be printed: structures, matrices, images and so on.
    kOther,
  };

  Kind kind = Kind::kOther;
  // Of a component, in bits.
  uint8_t width = 32;
  uint8_t components = 1;

  friend bool operator==(const PrintType& a, const PrintType& b) = default;
};

// How many words a record has for an argument. Components follow one another; one of more than 32 bits has two words,
// low word first. Narrower ones are widened to 32 bits: integers as their type says, floats to 32-bit floats. Booleans
// are 0 and 1. Strings and what cannot be printed have no words.
uint32_t WordsOf(const PrintType& type);

struct PrintArgument {
  PrintType type;
  // Of an OpString.
  std::string string;
};

struct PrintConversion {
  enum class Length : uint8_t { kNone, kChar, kShort, kVectorWord, kLong };

  // Each flag once.
  std::string flags;
  std::optional<uint32_t> width;
  std::optional<uint32_t> precision;
  uint32_t components = 1;
  Length length = Length::kNone;
  char conversion = 'd';
};

// What is wrong with a format.
struct PrintError {
  // Of a character in the format; its length if an argument is wrong that no conversion prints.
  size_t offset = 0;
  // A sentence.
  std::string what;
};

// How a print becomes text: texts and conversions by turns.
struct PrintPlan {
  struct Piece {
    std::string text;
    // Follows the text.
    std::optional<PrintConversion> conversion;
    // The argument that it prints.
    size_t argument = 0;
  };
  std::vector<Piece> pieces;
  // In the order of the format.
  std::vector<PrintError> errors;
};

// The largest width and precision.
inline constexpr uint32_t kMaxPrintWidth = 1000;

// Reads a format and compares it with the arguments. There is always a plan: a conversion that does not fit its
// argument prints it as its type says, one without argument or meaning is printed itself.
PrintPlan MakePrintPlan(std::string_view format, absl::Span<const PrintArgument> arguments);

// A type as messages name it: "a vector of 3 floats of 16 bits".
std::string NameOf(const PrintType& type);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PRINTF_FORMAT_H_
