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

std::vector<std::string> Names(const LabelStacks& stacks, ObjectRef object) {
  std::vector<std::string> names;
  for (const Label& label : stacks.Get(object)) names.push_back(label.name);
  return names;
}

TEST(LabelStacks, OutermostFirst) {
  LabelStacks stacks;
  stacks.Begin(kBuffer, {"outer"});
  stacks.Begin(kQueue, {"frame"});
  stacks.Begin(kBuffer, {"inner"});
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
  stacks.Begin(kBuffer, {"a"});
  stacks.End(kBuffer);
  stacks.End(kBuffer);
  EXPECT_THAT(Names(stacks, kBuffer), IsEmpty());
}

TEST(LabelStacks, Clear) {
  LabelStacks stacks;
  stacks.Clear(kBuffer);
  stacks.Begin(kBuffer, {"a"});
  stacks.Begin(kBuffer, {"b"});
  stacks.Clear(kBuffer);
  EXPECT_THAT(Names(stacks, kBuffer), IsEmpty());
}

}  // namespace
}  // namespace assay::messages
