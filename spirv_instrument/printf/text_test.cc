// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/printf/text.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "spirv_instrument/printf/format.h"

// Where C has the same conversion, its own snprintf says what is expected.
namespace assay::spirv_instrument {
namespace {

using Kind = PrintType::Kind;

std::string Text(std::string_view format, const std::vector<PrintArgument>& arguments,
                 const std::vector<uint32_t>& words) {
  const PrintPlan plan = MakePrintPlan(format, arguments);
  EXPECT_TRUE(plan.errors.empty()) << format;
  return PrintText(plan, arguments, words);
}

PrintArgument Value(Kind kind, uint8_t width = 32, uint8_t components = 1) {
  return {.type = {.kind = kind, .width = width, .components = components}};
}
PrintArgument String(std::string_view string) {
  return {.type = {.kind = Kind::kString}, .string = std::string(string)};
}

std::vector<uint32_t> TwoWords(uint64_t value) {
  return {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)};
}

template <typename T>
std::string ByC(const std::string& format, T value) {
  std::array<char, 512> buffer;
  std::snprintf(buffer.data(), buffer.size(), format.c_str(), value);
  return buffer.data();
}

// Calls `visit` with "%", each subset of the flags that C defines for the conversion, and widths and precisions.
template <typename Visit>
void ForEachPrefix(std::string_view flags, Visit visit) {
  for (uint32_t subset = 0; subset < 1u << flags.size(); ++subset) {
    std::string begin = "%";
    for (size_t i = 0; i < flags.size(); ++i) {
      if ((subset >> i & 1) != 0) begin += flags[i];
    }
    for (const char* width : {"", "1", "5", "14", "40"}) {
      for (const char* precision : {"", ".", ".0", ".1", ".4", ".17"}) visit(begin + width + precision);
    }
  }
}

TEST(PrintText, IntegersOf32BitsAreAsInC) {
  for (const uint32_t value : {0u, 1u, 7u, 42u, 255u, 32768u, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0xffffffffu}) {
    for (const Kind kind : {Kind::kSigned, Kind::kUnsigned}) {
      for (const char* length : {"", "h", "hh"}) {
        for (const char conversion : {'d', 'i'}) {
          ForEachPrefix("-+ 0", [&](const std::string& prefix) {
            const std::string format = prefix + length + conversion;
            EXPECT_EQ(Text(format, {Value(kind)}, {value}), ByC(format, static_cast<int>(value))) << format;
          });
        }
        ForEachPrefix("-0", [&](const std::string& prefix) {
          const std::string format = prefix + length + 'u';
          EXPECT_EQ(Text(format, {Value(kind)}, {value}), ByC(format, value)) << format;
        });
        for (const char conversion : {'o', 'x', 'X'}) {
          ForEachPrefix("-#0", [&](const std::string& prefix) {
            const std::string format = prefix + length + conversion;
            EXPECT_EQ(Text(format, {Value(kind)}, {value}), ByC(format, value)) << format;
          });
        }
      }
    }
  }
}

TEST(PrintText, IntegersOf64BitsAreAsInC) {
  for (const uint64_t value :
       {uint64_t{0}, uint64_t{9}, uint64_t{1} << 32, uint64_t{0x7fffffffffffffff}, uint64_t{1} << 63, ~uint64_t{0}}) {
    for (const Kind kind : {Kind::kSigned, Kind::kUnsigned}) {
      ForEachPrefix("-+ 0", [&](const std::string& prefix) {
        const std::string format = prefix + "ld";
        EXPECT_EQ(Text(format, {Value(kind, 64)}, TwoWords(value)), ByC(format, static_cast<int64_t>(value)));
      });
      for (const char conversion : {'o', 'x', 'X'}) {
        ForEachPrefix("-#0", [&](const std::string& prefix) {
          const std::string format = prefix + 'l' + conversion;
          EXPECT_EQ(Text(format, {Value(kind, 64)}, TwoWords(value)), ByC(format, value));
        });
      }
      ForEachPrefix("-0", [&](const std::string& prefix) {
        const std::string expected = ByC(prefix + "lu", value);
        EXPECT_EQ(Text(prefix + "lu", {Value(kind, 64)}, TwoWords(value)), expected);
        EXPECT_EQ(Text(prefix + "llu", {Value(kind, 64)}, TwoWords(value)), expected);
        EXPECT_EQ(Text(prefix + "ul", {Value(kind, 64)}, TwoWords(value)), expected);
      });
    }
  }
}

TEST(PrintText, NarrowIntegersAreWidenedByTheirSign) {
  // As the shader writes them: -1 of eight bits, and 200 of eight bits without sign.
  EXPECT_EQ(Text("%d", {Value(Kind::kSigned, 8)}, {0xffffffff}), "-1");
  EXPECT_EQ(Text("%u", {Value(Kind::kUnsigned, 8)}, {200}), "200");
  EXPECT_EQ(Text("%hhx", {Value(Kind::kSigned, 8)}, {0xffffffff}), "ff");
  EXPECT_EQ(Text("%hx", {Value(Kind::kSigned, 16)}, {0xfffffffe}), "fffe");
}

TEST(PrintText, FloatsAreAsInC) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float value : {0.0f, -0.0f, 1.0f, -1.5f, 0.1f, 123456.789f, 1e-10f, 3.4e38f, 1e-45f, infinity, -infinity,
                            std::numeric_limits<float>::quiet_NaN()}) {
    for (const char conversion : {'a', 'A', 'e', 'E', 'f', 'F', 'g', 'G'}) {
      ForEachPrefix("-+ #0", [&](const std::string& prefix) {
        const std::string format = prefix + conversion;
        const std::string expected = ByC(format, static_cast<double>(value));
        EXPECT_EQ(Text(format, {Value(Kind::kFloat)}, {std::bit_cast<uint32_t>(value)}), expected) << format;
        // Halves are written as floats.
        EXPECT_EQ(Text(format, {Value(Kind::kFloat, 16)}, {std::bit_cast<uint32_t>(value)}), expected) << format;
      });
    }
  }
}

TEST(PrintText, DoublesAreAsInC) {
  for (const double value : {0.1, -2.5e300, 5e-324, 1.7976931348623157e308, 4294967296.5}) {
    for (const char conversion : {'a', 'A', 'e', 'E', 'f', 'F', 'g', 'G'}) {
      ForEachPrefix("-+ #0", [&](const std::string& prefix) {
        const std::vector<uint32_t> words = TwoWords(std::bit_cast<uint64_t>(value));
        const std::string expected = ByC(prefix + conversion, value);
        EXPECT_EQ(Text(prefix + conversion, {Value(Kind::kFloat, 64)}, words), expected);
        EXPECT_EQ(Text(prefix + 'l' + conversion, {Value(Kind::kFloat, 64)}, words), expected);
      });
    }
  }
}

TEST(PrintText, TheLongestNumberFits) {
  const double largest = -std::numeric_limits<double>::max();
  const std::string text = Text("%.1000f", {Value(Kind::kFloat, 64)}, TwoWords(std::bit_cast<uint64_t>(largest)));
  // A sign, 309 digits, a point, 1000 digits.
  EXPECT_EQ(text.size(), 1311u);
  EXPECT_EQ(text.substr(0, 4), "-179");
  EXPECT_EQ(Text("%1000d", {Value(Kind::kSigned)}, {5}), std::string(999, ' ') + "5");
}

TEST(PrintText, CharactersAreAsInC) {
  for (const char* prefix : {"%", "%3", "%-3"}) {
    EXPECT_EQ(Text(std::string(prefix) + "c", {Value(Kind::kSigned)}, {'x'}), ByC(std::string(prefix) + "c", 'x'));
  }
  // What C leaves undefined has no effect.
  EXPECT_EQ(Text("%#03.2c", {Value(Kind::kSigned)}, {'x'}), "  x");
}

TEST(PrintText, StringsAreAsInC) {
  for (const char* format : {"%s", "%10s", "%-10s", "%.2s", "%6.2s", "%-6.2s", "%.0s"}) {
    EXPECT_EQ(Text(format, {String("text")}, {}), ByC(format, "text")) << format;
  }
}

TEST(PrintText, BooleansAreZeroAndOne) {
  EXPECT_EQ(Text("%d %u %x", {Value(Kind::kBool), Value(Kind::kBool), Value(Kind::kBool)}, {0, 1, 1}), "0 1 1");
  EXPECT_EQ(Text("%v3d", {Value(Kind::kBool, 32, 3)}, {1, 0, 1}), "1, 0, 1");
}

TEST(PrintText, AddressesAreHexadecimal) {
  EXPECT_EQ(Text("%p", {Value(Kind::kPointer, 64)}, {0xdeadbeef, 0x12}), "0x12deadbeef");
  EXPECT_EQ(Text("%p", {Value(Kind::kPointer, 64)}, {0, 0}), "0x0");
  EXPECT_EQ(Text("[%8p]", {Value(Kind::kPointer, 64)}, {0xff, 0}), "[    0xff]");
  EXPECT_EQ(Text("[%-8p]", {Value(Kind::kUnsigned, 64)}, {0xff, 0}), "[0xff    ]");
}

TEST(PrintText, ComponentsHaveTheConversionEach) {
  const auto word = [](float value) { return std::bit_cast<uint32_t>(value); };
  EXPECT_EQ(Text("%v2f", {Value(Kind::kFloat, 32, 2)}, {word(1.0f), word(-2.5f)}), "1.000000, -2.500000");
  EXPECT_EQ(Text("%6.2v3f", {Value(Kind::kFloat, 32, 3)}, {word(1.0f), word(20.0f), word(0.125f)}),
            "  1.00,  20.00,   0.12");
  EXPECT_EQ(Text("%v4hhx", {Value(Kind::kSigned, 8, 4)}, {1, 0xffffffff, 16, 0}), "1, ff, 10, 0");
  EXPECT_EQ(Text("%v2lu", {Value(Kind::kUnsigned, 64, 2)}, {0, 1, 5, 0}), "4294967296, 5");
  EXPECT_EQ(Text("%v2ul", {Value(Kind::kUnsigned, 64, 2)}, {0, 1, 5, 0}), "4294967296, 5");
}

TEST(PrintText, ArgumentsFollowOneAnother) {
  EXPECT_EQ(Text("%s: %lx at %v2d (%u)",
                 {String("name"), Value(Kind::kUnsigned, 64), Value(Kind::kSigned, 32, 2), Value(Kind::kUnsigned)},
                 {0x89abcdef, 0x1, 3, 0xfffffffc, 7}),
            "name: 189abcdef at 3, -4 (7)");
}

TEST(PrintText, AWrongFormatPrintsWhatTheArgumentIs) {
  const std::vector<PrintArgument> arguments = {Value(Kind::kFloat), Value(Kind::kSigned, 64, 2), String("text"),
                                                Value(Kind::kOther), Value(Kind::kBool)};
  const PrintPlan plan = MakePrintPlan("%d|%f|%x|%d|%s|%u", arguments);
  EXPECT_EQ(plan.errors.size(), 6u);
  EXPECT_EQ(PrintText(plan, arguments, {std::bit_cast<uint32_t>(0.5f), 1, 0, 0xffffffff, 0xffffffff, 1}),
            "0.500000|1, -1|text|?|1|%u");
}

TEST(PrintText, ARecordThatIsTooShortEndsTheText) {
  const std::vector<PrintArgument> arguments = {Value(Kind::kSigned), Value(Kind::kSigned, 64)};
  const PrintPlan plan = MakePrintPlan("%d and %ld!", arguments);
  EXPECT_EQ(PrintText(plan, arguments, {5, 6, 0}), "5 and 6!");
  EXPECT_EQ(PrintText(plan, arguments, {5, 6}), "5 and ...");
  EXPECT_EQ(PrintText(plan, arguments, {}), "...");
}

}  // namespace
}  // namespace assay::spirv_instrument
