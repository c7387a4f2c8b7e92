// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/isolated.h"

#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <map>
#include <string>

#include "gtest/gtest.h"

namespace assay::spirv_instrument::corpus {
namespace {

TEST(RunIsolated, GoesOnBehindACallThatEndsTheProcess) {
  size_t* numbers = MakeSharedNumbers(2);
  ASSERT_NE(numbers, nullptr);
  std::map<size_t, std::string> lost;
  const auto start = [numbers] {
    ++numbers[0];
    return true;
  };
  const auto run = [numbers](size_t i) {
    if (i == 1 || i == 3) std::raise(SIGKILL);
    numbers[1] += size_t{1} << i;
  };
  EXPECT_TRUE(RunIsolated(4, 60, start, run, [&lost](size_t i, const std::string& why) { lost[i] = why; }));
  const std::map<size_t, std::string> expected = {{1, "the process ended by signal 9"},
                                                  {3, "the process ended by signal 9"}};
  EXPECT_EQ(lost, expected);
  EXPECT_EQ(numbers[0], 2u);
  EXPECT_EQ(numbers[1], 0b101u);
}

TEST(RunIsolated, EndsACallThatTakesTooLong) {
  std::map<size_t, std::string> lost;
  const auto run = [](size_t) {
    while (true) pause();
  };
  EXPECT_TRUE(
      RunIsolated(1, 1, [] { return true; }, run, [&lost](size_t i, const std::string& why) { lost[i] = why; }));
  const std::map<size_t, std::string> expected = {{0, "it takes too long"}};
  EXPECT_EQ(lost, expected);
}

TEST(RunIsolated, RunsNothingWithoutAStart) {
  size_t* numbers = MakeSharedNumbers(1);
  ASSERT_NE(numbers, nullptr);
  size_t lost = 0;
  EXPECT_FALSE(RunIsolated(
      2, 60, [] { return false; }, [numbers](size_t) { ++numbers[0]; },
      [&lost](size_t, const std::string&) { ++lost; }));
  EXPECT_EQ(numbers[0], 0u);
  EXPECT_EQ(lost, 0u);
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus
