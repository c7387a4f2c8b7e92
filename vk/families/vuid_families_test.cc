// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/families/vuid_families.h"

#include "gtest/gtest.h"
#include "vk/commands.h"
#include "vk/vuid.h"

namespace assay::vk {
namespace {

TEST(VuidFamilies, OwnersAreTheCommandAndItsStructures) {
  EXPECT_EQ(FamilyVuid<CmdCopyImage>("srcImage-07969"), Vuid("VUID-vkCmdCopyImage-srcImage-07969"));
  EXPECT_EQ(FamilyVuid<CmdCopyImage2>("srcImage-07969"), Vuid("VUID-VkCopyImageInfo2-srcImage-07969"));
  EXPECT_EQ(FamilyVuid<CmdCopyImage2>("commandBuffer-01825"), Vuid("VUID-vkCmdCopyImage2-commandBuffer-01825"));
  EXPECT_EQ(FamilyVuid<CmdCopyImage>("extent-06668"), Vuid("VUID-VkImageCopy-extent-06668"));
  EXPECT_EQ(FamilyVuid<CmdCopyImage2>("extent-06668"), Vuid("VUID-VkImageCopy2-extent-06668"));
  EXPECT_EQ(FamilyVuid<CmdCopyImage2>("layerCount-01700"), Vuid("VUID-VkImageSubresourceLayers-layerCount-01700"));
}

TEST(VuidFamilies, CommandsWithoutTheRule) {
  EXPECT_EQ(FamilyVuid<CmdBlitImage>("srcImage-07969"), kNoVuid);
  EXPECT_EQ(FamilyVuid<CmdCopyBuffer>("srcImage-07969"), kNoVuid);
}

TEST(VuidFamilies, OneOfSeveralNumbers) {
  EXPECT_EQ((AnyFamilyVuid<CmdBlitImage2>("srcImage-00219", "srcImage-00186")),
            Vuid("VUID-VkBlitImageInfo2-srcImage-00219"));
  EXPECT_EQ((AnyFamilyVuid<CmdCopyImageToBuffer>("srcImage-00219", "srcImage-00186")),
            Vuid("VUID-vkCmdCopyImageToBuffer-srcImage-00186"));
  EXPECT_EQ((AnyFamilyVuid<CmdCopyImage>("srcImage-00219", "srcImage-00186")), kNoVuid);
}

}  // namespace
}  // namespace assay::vk
