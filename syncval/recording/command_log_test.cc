// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording/command_log.h"

#include <cstdint>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "state/state.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/engine/engine.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::syncval {
namespace {

class CommandLogTest : public testing::Test {
 protected:
  // A command that accesses the resources 1 to count.
  Tag AddCommand(uint32_t count) {
    const Tag tag = Begin();
    for (uint64_t i = 1; i <= count; ++i) log_.Add({.range = {i * 64, i * 64 + 64}, .resource = i});
    return tag;
  }
  Tag Begin() { return log_.Begin(vk::CmdDispatch::kId, *buffer_); }

  const state::Ref<state::CommandPool> pool_ =
      state::MakeRef<state::CommandPool>(uint64_t{1}, VkCommandPoolCreateInfo{}, VkQueueFlags{0});
  const state::Ref<state::CommandBuffer> buffer_ =
      state::MakeRef<state::CommandBuffer>(VkCommandBuffer{VK_NULL_HANDLE}, *pool_, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  CommandLog log_;
};

// The log grows several times, also in the middle of the accesses of a command.
TEST_F(CommandLogTest, AddsAgainWhileItGrows) {
  constexpr uint32_t kCount = 12;
  AddCommand(3);
  const Tag first = AddCommand(kCount);
  for (int i = 0; i < 50; ++i) {
    const Tag again = Begin();
    log_.AddAgain(log_.FirstAccessOf(first), kCount);
    const absl::Span<const RecordedAccess> accesses = log_.AccessesOf(again);
    ASSERT_EQ(accesses.size(), kCount);
    for (uint64_t number = 1; number <= kCount; ++number) {
      ASSERT_EQ(accesses[number - 1].resource, number);
      ASSERT_EQ(accesses[number - 1].range, (Range{number * 64, number * 64 + 64}));
    }
  }
  EXPECT_EQ(log_.AccessesOf(first).size(), kCount);
}

TEST_F(CommandLogTest, GenerationChangesWithRemovals) {
  AddCommand(2);
  const Tag second = AddCommand(2);
  uint32_t before = log_.generation();
  EXPECT_NE(before, 0u);
  const Tag third = AddCommand(2);
  log_.AddAgain(0, 2);
  EXPECT_EQ(log_.generation(), before);
  EXPECT_EQ(log_.AccessesOf(third).size(), 4u);
  log_.RemoveLastCommand();
  EXPECT_NE(log_.generation(), before);
  EXPECT_EQ(log_.AccessesOf(second).size(), 2u);
  before = log_.generation();
  log_.RemoveFrom(second);
  EXPECT_NE(log_.generation(), before);
  before = log_.generation();
  log_.Reset();
  EXPECT_NE(log_.generation(), before);
}

}  // namespace
}  // namespace assay::syncval
