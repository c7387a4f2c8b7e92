// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/tool/statistics_text.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace assay::spirv_instrument {
namespace {

PassStatistics Pass(std::string_view name, const std::vector<std::pair<Outcome, uint32_t>>& counts) {
  PassStatistics pass{.pass = name};
  for (const auto& [outcome, count] : counts) pass.counts[static_cast<size_t>(outcome)] = count;
  return pass;
}

Statistics After(size_t before, size_t after, uint64_t nanoseconds) {
  return {.words_before = before, .words_after = after, .nanoseconds = nanoseconds};
}

TEST(StatisticsText, HasALineForEachPass) {
  Statistics all = After(1000, 1600, 1234567);
  all.passes = {Pass("buffer_bounds", {{Outcome::kEmitted, 12}, {Outcome::kDominated, 3}}),
                Pass("block_counts", {{Outcome::kEmitted, 5}})};
  EXPECT_EQ(StatisticsText(all, {After(1000, 1450, 1000000), After(1000, 1190, 250000)}),
            "1000 words became 1600 (+600) in 1.235 ms.\n"
            "\n"
            "pass              words         ms  checks\n"
            "buffer_bounds      +450      1.000  12 emitted, 3 dominated\n"
            "block_counts       +190      0.250  5 emitted\n"
            "\n"
            "Words and time of a pass are those of the pass alone.\n");
}

TEST(StatisticsText, APassWithNothingToDoSaysSo) {
  Statistics all = After(7, 7, 0);
  all.passes = {Pass("x", {})};
  EXPECT_EQ(StatisticsText(all, {After(7, 7, 0)}),
            "7 words became 7 (+0) in 0.000 ms.\n"
            "\n"
            "pass     words         ms  checks\n"
            "x           +0      0.000  nothing to check\n"
            "\n"
            "Words and time of a pass are those of the pass alone.\n");
}

TEST(StatisticsText, WhyAccessesWereNotCheckedIsNamed) {
  Statistics all = After(1, 1, 0);
  all.passes = {Pass("x", {{Outcome::kUnknownPointer, 2}, {Outcome::kLimit, 1}})};
  const std::string text = StatisticsText(all, {After(1, 1, 0)});
  EXPECT_NE(text.find("2 " + std::string(NameOf(Outcome::kUnknownPointer))), std::string::npos);
  EXPECT_NE(text.find("1 " + std::string(NameOf(Outcome::kLimit))), std::string::npos);
}

}  // namespace
}  // namespace assay::spirv_instrument
