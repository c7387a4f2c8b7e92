// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/label_stacks.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::messages {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr ObjectRef kBuffer = {VK_OBJECT_TYPE_COMMAND_BUFFER, 1};
constexpr ObjectRef kQueue = {VK_OBJECT_TYPE_QUEUE, 1};
constexpr float kColor[4] = {};

std::vector<std::string> Names(const LabelStacks& stacks, ObjectRef object) {
  std::vector<std::string> names;
  for (const Label& label : stacks.Get(object)) names.push_back(label.name);
  return names;
}

TEST(LabelStacks, OutermostFirst) {
  LabelStacks stacks;
  stacks.Begin(kBuffer, "outer", kColor);
  stacks.Begin(kQueue, "frame", kColor);
  stacks.Begin(kBuffer, "inner", kColor);
  EXPECT_THAT(Names(stacks, kBuffer), ElementsAre("outer", "inner"));
  EXPECT_THAT(Names(stacks, kQueue), ElementsAre("frame"));
  stacks.End(kBuffer);
  EXPECT_THAT(Names(stacks, kBuffer), ElementsAre("outer"));
  stacks.End(kBuffer);
  EXPECT_THAT(Names(stacks, kBuffer), IsEmpty());
}

TEST(LabelStacks, AnEndTooManyDoesNothing) {
  LabelStacks stacks;
  stacks.End(kBuffer);
  stacks.Begin(kBuffer, "a", kColor);
  stacks.End(kBuffer);
  stacks.End(kBuffer);
  EXPECT_THAT(Names(stacks, kBuffer), IsEmpty());
}

TEST(LabelStacks, Clear) {
  LabelStacks stacks;
  stacks.Clear(kBuffer);
  stacks.Begin(kBuffer, "a", kColor);
  stacks.Begin(kBuffer, "b", kColor);
  stacks.Clear(kBuffer);
  EXPECT_THAT(Names(stacks, kBuffer), IsEmpty());
}

// An inserted label marks what follows, until a label begins or ends or another one is inserted.
TEST(LabelStacks, Insert) {
  LabelStacks stacks;
  constexpr float kRed[4] = {1, 0, 0, 1};
  stacks.Insert(kBuffer, "a", kRed);
  EXPECT_THAT(Names(stacks, kBuffer), ElementsAre("a"));
  EXPECT_EQ(stacks.Get(kBuffer)[0].color[0], 1);
  stacks.Insert(kBuffer, "b", kColor);
  EXPECT_THAT(Names(stacks, kBuffer), ElementsAre("b"));
  stacks.Begin(kBuffer, "outer", kColor);
  EXPECT_THAT(Names(stacks, kBuffer), ElementsAre("outer"));
  stacks.Insert(kBuffer, nullptr, kColor);
  EXPECT_THAT(Names(stacks, kBuffer), ElementsAre("outer", ""));
  stacks.Insert(kBuffer, "c", kColor);
  stacks.Begin(kBuffer, "inner", kColor);
  EXPECT_THAT(Names(stacks, kBuffer), ElementsAre("outer", "inner"));
  stacks.End(kBuffer);
  stacks.Insert(kBuffer, "d", kColor);
  EXPECT_THAT(Names(stacks, kBuffer), ElementsAre("outer", "d"));
  stacks.End(kBuffer);
  EXPECT_THAT(Names(stacks, kBuffer), IsEmpty());
  stacks.Insert(kBuffer, "e", kColor);
  stacks.Clear(kBuffer);
  EXPECT_THAT(Names(stacks, kBuffer), IsEmpty());
  stacks.Insert(kBuffer, "f", kColor);
  stacks.Remove(kBuffer);
  EXPECT_THAT(Names(stacks, kBuffer), IsEmpty());
}

}  // namespace
}  // namespace assay::messages
