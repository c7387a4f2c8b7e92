// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The layer reports each planted mistake by its ids, and reports nothing for the corrected program.

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/planted/planted.h"
#include "testing/system_loader.h"

namespace assay::planted {

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

namespace {

std::vector<std::string> SortedIds(std::vector<std::string> ids) {
  std::ranges::sort(ids);
  return ids;
}

class PlantedMistake : public ::testing::TestWithParam<Mistake> {
 protected:
  // Runs the program and expects messages of these ids, in any order.
  void Expect(Bug bug, const std::vector<std::string>& expected) {
    const Outcome outcome = RunProgram(test::SystemLoader(), GetParam(), bug);
    if (!outcome.possible) GTEST_SKIP() << "This GPU lacks what the program needs.";
    std::vector<std::string> ids;
    std::string texts;
    for (const test::Message& message : outcome.messages) {
      ids.push_back(message.id);
      texts += message.text + "\n";
    }
    EXPECT_EQ(SortedIds(ids), SortedIds(expected)) << texts;
  }
};

TEST_P(PlantedMistake, IsReported) { Expect(Bug::Planted(), GetParam().ids); }
TEST_P(PlantedMistake, CorrectedIsSilent) { Expect(Bug::Corrected(), {}); }

INSTANTIATE_TEST_SUITE_P(All, PlantedMistake, ::testing::ValuesIn(AllMistakes()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace assay::planted
