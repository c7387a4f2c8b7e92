// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/dump/dump.h"

#include <vector>

#include "gtest/gtest.h"

namespace assay::test {
namespace {

struct Point {
  int x;
  int y;
};
void AppendTo(Dump& dump, const Point& point) { dump.Values(point.x, point.y); }

TEST(DumpTest, OrderOfLinesDoesNotMatter) {
  Dump a, b;
  a.Line("first", 1);
  a.Line("second", true);
  b.Line("second", true);
  b.Line("first", 1);
  EXPECT_EQ(Dump::Difference(a, b), "");
}

TEST(DumpTest, NamesTheFirstDifference) {
  Dump a, b;
  a.Line("point", Point{1, 2});
  b.Line("point", Point{1, 3});
  EXPECT_EQ(Dump::Difference(a, b), "- point 1 2\n+ point 1 3");
  EXPECT_EQ(Dump::Difference({}, b), "+ point 1 3");
}

TEST(DumpTest, CountsEqualLines) {
  Dump a, b;
  a.Line("point");
  b.Line("point");
  b.Line("point");
  EXPECT_EQ(Dump::Difference(a, b), "+ point");
}

TEST(DumpTest, ShowsEveryElement) {
  Dump a;
  a.Line("points", std::vector<Point>{{1, 2}, {3, 4}}, std::vector<int>{}, "text");
  EXPECT_EQ(Dump::Difference(a, {}), "- points [ 1 2 3 4 ] [ ] text");
}

}  // namespace
}  // namespace assay::test
