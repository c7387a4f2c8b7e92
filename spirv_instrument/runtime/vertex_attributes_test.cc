// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/vertex_attributes.h"

#include <array>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kAll = 0xffffffff;

TEST(AttributeEnd, CountsElementsThatAreWhole) {
  VertexAttributeState attribute = {.range = 64, .stride = 16, .offset = 4, .size = 12};
  EXPECT_EQ(AttributeEnd(attribute, 0), 4u);
  attribute.range = 63;
  EXPECT_EQ(AttributeEnd(attribute, 0), 3u);
  // The last element does not need the bytes behind the attribute.
  attribute.offset = 0;
  attribute.range = 60;
  EXPECT_EQ(AttributeEnd(attribute, 0), 4u);
}

TEST(AttributeEnd, IsZeroForARangeThatHoldsNone) {
  EXPECT_EQ(AttributeEnd({.range = 15, .stride = 16, .offset = 4, .size = 12}, 0), 0u);
  EXPECT_EQ(AttributeEnd({.range = 15, .stride = 0, .offset = 4, .size = 12}, 0), 0u);
}

TEST(AttributeEnd, HasNoEndWithoutStride) {
  EXPECT_EQ(AttributeEnd({.range = 16, .stride = 0, .offset = 4, .size = 12}, 0), kAll);
}

TEST(AttributeEnd, HasNoEndWhereAccessIsRobust) {
  EXPECT_EQ(AttributeEnd({.range = 0, .stride = 16, .size = 12, .is_robust = true}, 0), kAll);
}

TEST(AttributeEnd, DoesNotDependOnTheFirstInstanceWithDivisorOne) {
  const VertexAttributeState attribute = {.range = 32, .stride = 8, .size = 8, .is_per_instance = true};
  EXPECT_EQ(AttributeEnd(attribute, std::nullopt), 4u);
  EXPECT_EQ(AttributeEnd(attribute, 3), 4u);
}

TEST(AttributeEnd, StretchesByTheDivisorFromTheFirstInstance) {
  const VertexAttributeState attribute = {.range = 32, .stride = 8, .size = 8, .is_per_instance = true, .divisor = 3};
  // Instances 0 to 11 read elements 0 to 3.
  EXPECT_EQ(AttributeEnd(attribute, 0), 12u);
  // Instances 2 to 4 read element 2, instances 5 to 7 element 3.
  EXPECT_EQ(AttributeEnd(attribute, 2), 8u);
  EXPECT_EQ(AttributeEnd(attribute, 4), 0u);
  EXPECT_EQ(AttributeEnd(attribute, std::nullopt), kAll);
}

TEST(AttributeEnd, HasOneElementForAllInstancesWithDivisorZero) {
  const VertexAttributeState attribute = {.range = 32, .stride = 8, .size = 8, .is_per_instance = true, .divisor = 0};
  EXPECT_EQ(AttributeEnd(attribute, 3), kAll);
  EXPECT_EQ(AttributeEnd(attribute, 4), 0u);
}

TEST(SetVertexAttributes, WritesEndsAndRates) {
  std::array<uint32_t, kActionQuads * 4> action = {};
  action[kAttributeRatesQuad * 4] = 0x80;
  const VertexAttributeState attributes[] = {
      {.location = 0, .range = 32, .stride = 8, .size = 8},
      {.location = 5, .range = 16, .stride = 8, .size = 8, .is_per_instance = true},
      {.location = kMaxAttributes, .range = 16, .stride = 8, .size = 8, .is_per_instance = true},
  };
  SetVertexAttributes(attributes, 0, absl::MakeSpan(action));
  EXPECT_EQ(action[kAttributeRatesQuad * 4], 1u << 5);
  EXPECT_EQ(action[kFirstAttributeQuad * 4], 4u);
  EXPECT_EQ(action[kFirstAttributeQuad * 4 + 5], 2u);
  EXPECT_EQ(action[kFirstAttributeQuad * 4 + 6], kAll);
  EXPECT_EQ(action[kFirstAttributeQuad * 4 + kMaxAttributes - 1], kAll);
}

}  // namespace
}  // namespace assay::spirv_instrument
