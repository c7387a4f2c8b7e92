// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/printf/format.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace assay::spirv_instrument {
namespace {

using Kind = PrintType::Kind;
using Length = PrintConversion::Length;

PrintArgument Value(Kind kind, uint8_t width = 32, uint8_t components = 1) {
  return {.type = {.kind = kind, .width = width, .components = components}};
}
PrintArgument String(std::string_view string) {
  return {.type = {.kind = Kind::kString}, .string = std::string(string)};
}

// The errors of a format, as "offset: what".
std::vector<std::string> Errors(std::string_view format, const std::vector<PrintArgument>& arguments) {
  std::vector<std::string> errors;
  for (const PrintError& error : MakePrintPlan(format, arguments).errors) {
    errors.push_back(std::to_string(error.offset) + ": " + error.what);
  }
  return errors;
}

using Expected = std::vector<std::string>;

TEST(PrintPlan, TextAloneIsOnePiece) {
  const PrintPlan plan = MakePrintPlan("100%% of\nthem", {});
  ASSERT_EQ(plan.pieces.size(), 1u);
  EXPECT_EQ(plan.pieces[0].text, "100% of\nthem");
  EXPECT_FALSE(plan.pieces[0].conversion.has_value());
  EXPECT_TRUE(plan.errors.empty());
}

TEST(PrintPlan, NothingIsNoPiece) { EXPECT_TRUE(MakePrintPlan("", {}).pieces.empty()); }

TEST(PrintPlan, ReadsEachPart) {
  const std::vector<PrintArgument> arguments = {Value(Kind::kFloat, 32, 3), Value(Kind::kUnsigned, 64)};
  const PrintPlan plan = MakePrintPlan("a %-+08.3v3hlf b %#lx", arguments);
  EXPECT_TRUE(plan.errors.empty());
  ASSERT_EQ(plan.pieces.size(), 2u);
  const PrintConversion& first = *plan.pieces[0].conversion;
  EXPECT_EQ(plan.pieces[0].text, "a ");
  EXPECT_EQ(first.flags, "-+0");
  EXPECT_EQ(first.width, 8u);
  EXPECT_EQ(first.precision, 3u);
  EXPECT_EQ(first.components, 3u);
  EXPECT_EQ(first.length, Length::kVectorWord);
  EXPECT_EQ(first.conversion, 'f');
  const PrintConversion& second = *plan.pieces[1].conversion;
  EXPECT_EQ(plan.pieces[1].text, " b ");
  EXPECT_EQ(plan.pieces[1].argument, 1u);
  EXPECT_EQ(second.flags, "#");
  EXPECT_FALSE(second.width.has_value());
  EXPECT_EQ(second.length, Length::kLong);
  EXPECT_EQ(second.conversion, 'x');
}

TEST(PrintPlan, APrecisionWithoutDigitsIsZero) {
  const PrintPlan plan = MakePrintPlan("%.f", {Value(Kind::kFloat)});
  EXPECT_EQ(plan.pieces[0].conversion->precision, 0u);
}

TEST(PrintPlan, ARepeatedFlagCountsOnce) {
  const PrintPlan plan = MakePrintPlan("%--0-5d", {Value(Kind::kSigned)});
  EXPECT_EQ(plan.pieces[0].conversion->flags, "-0");
  EXPECT_EQ(plan.pieces[0].conversion->width, 5u);
}

TEST(PrintPlan, TheLOfUlBelongsToAnArgumentOf64BitsAlone) {
  const PrintPlan wide = MakePrintPlan("%ul!", {Value(Kind::kUnsigned, 64)});
  EXPECT_TRUE(wide.errors.empty());
  ASSERT_EQ(wide.pieces.size(), 2u);
  EXPECT_EQ(wide.pieces[0].conversion->length, Length::kLong);
  EXPECT_EQ(wide.pieces[1].text, "!");

  const PrintPlan narrow = MakePrintPlan("%ul!", {Value(Kind::kUnsigned, 32)});
  EXPECT_TRUE(narrow.errors.empty());
  EXPECT_EQ(narrow.pieces[0].conversion->length, Length::kNone);
  EXPECT_EQ(narrow.pieces[1].text, "l!");

  // "lu" has its "l" already.
  EXPECT_EQ(MakePrintPlan("%lul", {Value(Kind::kUnsigned, 64)}).pieces[1].text, "l");
}

// Each conversion with each argument: which of them fit.
TEST(PrintPlan, ConversionsFitTheirKindsOfArguments) {
  const struct {
    std::string_view conversions;
    bool takes_narrow_integers, takes_wide_integers, takes_booleans, takes_floats, takes_addresses, takes_strings;
  } kRows[] = {
      {"d i o u x X", true, false, true, false, false, false},
      {"hd hi ho hu hx hX hhd hhi hho hhu hhx hhX hld hlu hlx", true, false, false, false, false, false},
      {"ld li lo lu lx lX lld lli llo llu llx llX", false, true, false, false, false, false},
      {"c", true, false, false, false, false, false},
      {"a A e E f F g G la lA le lE lf lF lg lG hf hlf", false, false, false, true, false, false},
      {"p", false, false, false, false, true, false},
      {"s", false, false, false, false, false, true},
  };
  const auto fits = [](std::string_view conversion, const PrintArgument& argument) {
    return MakePrintPlan("%" + std::string(conversion), {argument}).errors.empty();
  };
  for (const auto& row : kRows) {
    for (size_t begin = 0; begin < row.conversions.size();) {
      const size_t end = std::min(row.conversions.find(' ', begin), row.conversions.size());
      const std::string_view conversion = row.conversions.substr(begin, end - begin);
      begin = end + 1;
      SCOPED_TRACE(conversion);
      for (const Kind kind : {Kind::kSigned, Kind::kUnsigned}) {
        for (const uint8_t width : {8, 16, 32}) {
          EXPECT_EQ(fits(conversion, Value(kind, width)), row.takes_narrow_integers);
        }
      }
      EXPECT_EQ(fits(conversion, Value(Kind::kSigned, 64)), row.takes_wide_integers);
      EXPECT_EQ(fits(conversion, Value(Kind::kBool)), row.takes_booleans);
      for (const uint8_t width : {16, 32, 64}) {
        EXPECT_EQ(fits(conversion, Value(Kind::kFloat, width)), row.takes_floats);
      }
      EXPECT_EQ(fits(conversion, Value(Kind::kPointer, 64)), row.takes_addresses);
      EXPECT_EQ(fits(conversion, String("")), row.takes_strings);
      EXPECT_FALSE(fits(conversion, Value(Kind::kOther)));
    }
  }
}

TEST(PrintErrors, NameTheConversionAndTheArgument) {
  EXPECT_EQ(Errors("i = %d", {Value(Kind::kFloat)}),
            Expected{"4: \"%d\" prints an integer, and the argument is a float of 32 bits."});
  EXPECT_EQ(Errors("%f", {Value(Kind::kUnsigned, 16)}),
            Expected{"0: \"%f\" prints a floating-point number, and the argument is an unsigned integer of 16 bits."});
  EXPECT_EQ(
      Errors("%d", {Value(Kind::kSigned, 64)}),
      Expected{"0: \"%d\" prints an integer of at most 32 bits, and the argument is a signed integer of 64 bits."});
  EXPECT_EQ(Errors("%lx", {Value(Kind::kUnsigned)}),
            Expected{"0: \"%lx\" prints an integer of 64 bits, and the argument is an unsigned integer of 32 bits."});
  EXPECT_EQ(Errors("%f", {Value(Kind::kFloat, 32, 3)}),
            Expected{"0: \"%f\" prints one value, and the argument is a vector of 3 floats of 32 bits."});
  EXPECT_EQ(Errors("%v2f", {Value(Kind::kFloat)}),
            Expected{"0: \"%v2f\" prints a vector of 2, and the argument is a float of 32 bits."});
  EXPECT_EQ(Errors("%s", {Value(Kind::kBool)}), Expected{"0: \"%s\" prints a string, and the argument is a Boolean."});
  EXPECT_EQ(Errors("%v2s", {String("a")}), Expected{"0: \"%v2s\" prints a vector, and the argument is a string."});
  EXPECT_EQ(Errors("%p", {Value(Kind::kUnsigned)}),
            Expected{"0: \"%p\" prints an address, and the argument is an unsigned integer of 32 bits."});
  EXPECT_EQ(Errors("%d", {Value(Kind::kOther)}),
            Expected{"0: \"%d\" prints scalars and vectors, and the argument is neither a scalar nor a vector."});
}

TEST(PrintErrors, CountsThatDiffer) {
  EXPECT_EQ(Errors("%d, %d", {Value(Kind::kSigned)}), Expected{"4: \"%d\" has no argument: there are 1."});
  EXPECT_EQ(Errors("%d", {Value(Kind::kSigned), Value(Kind::kSigned)}),
            Expected{"2: The format has 1 conversions, and there are 2 arguments."});
}

TEST(PrintErrors, WhatNoFormatHas) {
  EXPECT_EQ(Errors("%y", {Value(Kind::kSigned)}), Expected{"0: \"%y\" is no conversion that debugPrintf has."});
  EXPECT_EQ(Errors("%\u00e4!", {}), Expected{"0: \"%\u00e4\" is no conversion that debugPrintf has."});
  EXPECT_EQ(Errors("%n", {}), Expected{"0: \"%n\" is no conversion that debugPrintf has."});
  EXPECT_EQ(Errors("%v5f", {Value(Kind::kFloat)}), Expected{"0: \"v\" is followed by 2, 3 or 4."});
  EXPECT_EQ(Errors("%1001d", {Value(Kind::kSigned)}), Expected{"0: The largest width and precision is 1000."});
  EXPECT_EQ(Errors("%.99999999999999999999d", {Value(Kind::kSigned)}),
            Expected{"0: The largest width and precision is 1000."});
  EXPECT_EQ(Errors("%5", {}), Expected{"0: The format ends within a conversion."});
  EXPECT_EQ(Errors("a%", {}), Expected{"1: The format ends within a conversion."});
  EXPECT_EQ(Errors("%5%", {}), Expected{"0: \"%5%\" is \"%%\" with something between."});
  EXPECT_EQ(Errors("%*d", {Value(Kind::kSigned)}),
            Expected{"0: An asterisk takes a width or precision from an argument, which debugPrintf cannot."});
}

TEST(PrintErrors, OneMistakeDoesNotHideAnother) {
  const std::vector<std::string> errors =
      Errors("%y %d %f", {Value(Kind::kSigned), Value(Kind::kSigned), Value(Kind::kSigned)});
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].substr(0, 3), "0: ");
  EXPECT_EQ(errors[1].substr(0, 3), "6: ");
}

TEST(WordsOf, CountsComponentsAndTheirWidth) {
  EXPECT_EQ(WordsOf({.kind = Kind::kBool}), 1u);
  EXPECT_EQ(WordsOf({.kind = Kind::kSigned, .width = 8, .components = 4}), 4u);
  EXPECT_EQ(WordsOf({.kind = Kind::kFloat, .width = 16, .components = 2}), 2u);
  EXPECT_EQ(WordsOf({.kind = Kind::kFloat, .width = 64, .components = 3}), 6u);
  EXPECT_EQ(WordsOf({.kind = Kind::kPointer, .width = 64}), 2u);
  EXPECT_EQ(WordsOf({.kind = Kind::kString}), 0u);
  EXPECT_EQ(WordsOf({.kind = Kind::kOther}), 0u);
}

}  // namespace
}  // namespace assay::spirv_instrument
