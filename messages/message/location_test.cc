// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/location.h"

#include <string>

#include "gtest/gtest.h"
#include "vk/command_info.h"
#include "vk/struct_info.h"

namespace assay::messages {
namespace {

Location Command(std::string_view name) { return Location(*vk::FindCommand(name)); }

TEST(Location, CommandAloneHasNoPath) { EXPECT_EQ(Command("vkCmdCopyBuffer").Text(), "vkCmdCopyBuffer()"); }

TEST(Location, MembersAreJoinedByDots) {
  EXPECT_EQ(Command("vkCmdCopyBuffer").Dot("pRegions", 2).Dot("srcOffset").Text(),
            "vkCmdCopyBuffer(): pRegions[2].srcOffset");
}

TEST(Location, LargestIndexIsAnIndex) {
  EXPECT_EQ(Command("vkCmdCopyBuffer").Dot("pRegions", 0xffffffffu).Text(), "vkCmdCopyBuffer(): pRegions[4294967295]");
}

TEST(Location, ArrayOfArrays) {
  EXPECT_EQ(Command("vkCmdBuildAccelerationStructuresKHR").Dot("ppBuildRangeInfos", 1).At(2).Dot("firstVertex").Text(),
            "vkCmdBuildAccelerationStructuresKHR(): ppBuildRangeInfos[1][2].firstVertex");
}

TEST(Location, ChainedStructureIsNamed) {
  const Location command = Command("vkCreateBuffer");
  const Location create_info = command.Dot("pCreateInfo");
  EXPECT_EQ(create_info.Next("VkExternalMemoryBufferCreateInfo", "handleTypes").Text(),
            "vkCreateBuffer(): pCreateInfo.pNext<VkExternalMemoryBufferCreateInfo>.handleTypes");
  EXPECT_EQ(create_info.Next("VkExternalMemoryBufferCreateInfo").Dot("handleTypes").Text(),
            create_info.Next("VkExternalMemoryBufferCreateInfo", "handleTypes").Text());
  EXPECT_EQ(create_info.Next(*vk::FindStruct("VkExternalMemoryBufferCreateInfo")).Text(),
            "vkCreateBuffer(): pCreateInfo.pNext<VkExternalMemoryBufferCreateInfo>");
}

TEST(Location, EveryStepKnowsTheCommand) {
  const Location command = Command("vkCreateBuffer");
  EXPECT_EQ(command.Dot("pCreateInfo").Next("VkFoo").command(), *vk::FindCommand("vkCreateBuffer"));
}

TEST(Location, AKeptStepCanBeContinuedManyTimes) {
  const Location command = Command("vkCmdCopyBuffer");
  const Location region = command.Dot("pRegions", 1);
  EXPECT_EQ(region.Dot("size").Text(), "vkCmdCopyBuffer(): pRegions[1].size");
  EXPECT_EQ(region.Dot("dstOffset").Text(), "vkCmdCopyBuffer(): pRegions[1].dstOffset");
}

}  // namespace
}  // namespace assay::messages
