// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/lifetime/in_use_rules.h"

#include <string>

#include "core/lifetime/in_use_test_cases.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

std::string Id(vk::CommandId command) { return std::string(vk::GetVuid(InUseRules::All().Of(command).vuid).id); }

TEST(InUseRules, EachIsReportedByItsOwnIdAlone) {
  dispatch::TestObjects objects;
  for (vk::CommandId command : CommandsWithInUseRule()) EXPECT_EQ(TestInUse(objects, command), "") << Id(command);
}

TEST(InUseRules, EachTestNeedsItsCheck) {
  dispatch::TestObjects objects;
  for (vk::CommandId command : CommandsWithInUseRule()) {
    const InUseRules without([&](vk::VuidIndex id) { return id == InUseRules::All().Of(command).vuid; });
    EXPECT_NE(TestInUse(objects, command, without), "") << Id(command);
  }
}

// The number changes with the registry alone.
TEST(InUseRules, AreFoundByTheirSentences) {
  EXPECT_EQ(CommandsWithInUseRule().size(), 32u);
  EXPECT_EQ(Id(vk::CommandId::kDestroyBuffer), "VUID-vkDestroyBuffer-buffer-00922");
  EXPECT_EQ(Id(vk::CommandId::kBeginCommandBuffer), "VUID-vkBeginCommandBuffer-commandBuffer-00049");
  EXPECT_EQ(InUseRules::All().Of(vk::CommandId::kCmdExecuteCommands).object, nullptr);
  EXPECT_EQ(InUseRules::All().Of(vk::CommandId::kSetEvent).object, nullptr);
}

TEST(InUseRules, ObjectsConsumedDuringRecording) {
  EXPECT_TRUE(MustOutliveUse(VK_OBJECT_TYPE_BUFFER));
  EXPECT_TRUE(MustOutliveUse(VK_OBJECT_TYPE_DESCRIPTOR_SET));
  EXPECT_TRUE(MustOutliveUse(VK_OBJECT_TYPE_COMMAND_BUFFER));
  EXPECT_FALSE(MustOutliveUse(VK_OBJECT_TYPE_PIPELINE_LAYOUT));
  EXPECT_FALSE(MustOutliveUse(VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE));
}

}  // namespace
}  // namespace assay::core
