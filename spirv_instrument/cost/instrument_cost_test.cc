// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "spirv_instrument/cost/many_accesses.h"

namespace assay::spirv_instrument {
namespace {

constexpr int kRuns = 3;

class InstrumentCost : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Steps, InstrumentCost, ::testing::Bool());

TEST_P(InstrumentCost, WordsAreLinear) {
  const Cost hundred = Measure(ManyAccesses(100), AllPasses(GetParam()), 1);
  const Cost thousand = Measure(ManyAccesses(1000), AllPasses(GetParam()), 1);
  const Cost ten_thousand = Measure(ManyAccesses(10000), AllPasses(GetParam()), 1);
  EXPECT_GE(thousand.accesses, 1000U);
  // What a thousand accesses add, ten times: what is linked and declared once does not count.
  const size_t added = thousand.words_after - hundred.words_after;
  EXPECT_LE(ten_thousand.words_after - thousand.words_after, added * 10 + added / 10);
}

// Ten times as many accesses would take a hundred times as long if anything looked at pairs of them. The bound leaves
// room for a machine that has other things to do.
TEST_P(InstrumentCost, TimeIsNotQuadratic) {
  const Cost thousand = Measure(ManyAccesses(1000), AllPasses(GetParam()), kRuns);
  const Cost ten_thousand = Measure(ManyAccesses(10000), AllPasses(GetParam()), kRuns);
  EXPECT_LE(ten_thousand.milliseconds, 30 * thousand.milliseconds);
}

}  // namespace
}  // namespace assay::spirv_instrument
