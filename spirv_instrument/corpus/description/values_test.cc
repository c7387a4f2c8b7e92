// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/description/values.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv_instrument/corpus/description/description.h"

namespace assay::spirv_instrument::corpus {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes BytesOf(absl::string_view text) {
  absl::StatusOr<Contents> contents = ParseValues(text);
  EXPECT_TRUE(contents.ok()) << contents.status().message();
  return contents.ok() ? contents->bytes : Bytes();
}

void ExpectError(absl::string_view text, const std::string& item) {
  const absl::Status status = ParseValues(text).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
  EXPECT_NE(std::string(status.message()).find("'" + item + "'"), std::string::npos) << status.message();
}

TEST(ValuesTest, IntegersOfEachSize) {
  EXPECT_EQ(BytesOf("u8 1 u16 2 u32 3 u64 4"), (Bytes{1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(BytesOf("i8 -1 i16 -2"), (Bytes{0xff, 0xfe, 0xff}));
  EXPECT_EQ(BytesOf("u32 0x01020304"), (Bytes{4, 3, 2, 1}));
}

TEST(ValuesTest, Floats) {
  EXPECT_EQ(BytesOf("f32 1.5"), (Bytes{0, 0, 0xc0, 0x3f}));
  EXPECT_EQ(BytesOf("f16 -2"), (Bytes{0, 0xc0}));
  EXPECT_EQ(BytesOf("f64 0.125"), (Bytes{0, 0, 0, 0, 0, 0, 0xc0, 0x3f}));
  EXPECT_EQ(BytesOf("f32 inf"), (Bytes{0, 0, 0x80, 0x7f}));
}

TEST(ValuesTest, RepetitionsAndSequences) {
  EXPECT_EQ(BytesOf("u8 7*3 0..3"), (Bytes{7, 7, 7, 0, 1, 2, 3}));
  EXPECT_EQ(BytesOf("i8 -1..1"), (Bytes{0xff, 0, 1}));
  EXPECT_EQ(BytesOf("u8 9*0"), Bytes());
}

TEST(ValuesTest, Addresses) {
  absl::StatusOr<Contents> contents = ParseValues("u32 1 2 u64 &data &data+16 &other-4");
  ASSERT_TRUE(contents.ok()) << contents.status().message();
  EXPECT_EQ(contents->bytes.size(), 32u);
  ASSERT_EQ(contents->addresses.size(), 3u);
  EXPECT_EQ(contents->addresses[0].offset, 8u);
  EXPECT_EQ(contents->addresses[1].buffer, "data");
  EXPECT_EQ(contents->addresses[1].addend, 16);
  EXPECT_EQ(contents->addresses[2].buffer, "other");
  EXPECT_EQ(contents->addresses[2].addend, -4);
}

TEST(ValuesTest, Errors) {
  ExpectError("1 2", "1");
  ExpectError("u8 256", "256");
  ExpectError("u32 -1", "-1");
  ExpectError("i8 128", "128");
  ExpectError("i8 -129", "-129");
  ExpectError("u32 1.5", "1.5");
  ExpectError("f32 many", "many");
  ExpectError("u32 &data", "&data");
  ExpectError("u64 &", "&");
  ExpectError("u8 3..1", "3..1");
  ExpectError("u8 0..99999999", "0..99999999");
  ExpectError("u8 1*99999999", "1*99999999");
}

TEST(ValuesTest, Halves) {
  EXPECT_EQ(ToHalf(0.0f), 0x0000);
  EXPECT_EQ(ToHalf(-0.0f), 0x8000);
  EXPECT_EQ(ToHalf(1.0f), 0x3c00);
  EXPECT_EQ(ToHalf(65504.0f), 0x7bff);
  EXPECT_EQ(ToHalf(65519.0f), 0x7bff);
  EXPECT_EQ(ToHalf(65520.0f), 0x7c00);
  // The smallest normal and denormal numbers, and half of the latter, which is even as zero.
  EXPECT_EQ(ToHalf(6.103515625e-05f), 0x0400);
  EXPECT_EQ(ToHalf(5.9604644775390625e-08f), 0x0001);
  EXPECT_EQ(ToHalf(2.98023223876953125e-08f), 0x0000);
  // Between 1 and the next half: the middle goes to the even one, what is above it up.
  EXPECT_EQ(ToHalf(1.00048828125f), 0x3c00);
  EXPECT_EQ(ToHalf(1.0005f), 0x3c01);
  EXPECT_EQ(ToHalf(std::numeric_limits<float>::infinity()), 0x7c00);
  EXPECT_EQ(ToHalf(std::numeric_limits<float>::quiet_NaN()) & 0x7e00, 0x7e00);
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus
