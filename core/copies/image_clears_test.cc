// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each case of image_clear_cases.h, with each command that has its rule, through the whole layer; and correct clears.

#include "core/copies/cases/image_clear_cases.h"
#include "core/copies/cases/image_copy_test.h"
#include "gmock/gmock.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

class ImageClearsTest : public ImageCopiesTest {
 protected:
  void Clear(vk::CommandId id, const ImageClear& clear) {
    const VkImage image = Make(clear.image);
    const VkClearColorValue color = {};
    const VkClearDepthStencilValue depth = {.depth = clear.depth};
    const VkCommandBuffer commands = MakeCommands({.is_in_protected_commands = clear.is_in_protected_commands});
    Begin(commands);
    if (id == vk::CommandId::kCmdClearColorImage) {
      vk.CmdClearColorImage(commands, image, clear.layout, clear.has_color ? &color : nullptr, 1, &clear.range);
    } else {
      vk.CmdClearDepthStencilImage(commands, image, clear.layout, &depth, 1, &clear.range);
    }
    End(commands);
  }
  template <class C>
  void RunClears(const ImageClear& correct, std::set<std::string>& rules) {
    Clear(C::kId, correct);
    ExpectNothing();
    for (const FamilyCase<ImageClear>& row : ImageClearCases()) {
      const vk::VuidIndex id = FindFamilyVuid<C>(row.rule);
      if (id == vk::kNoVuid) continue;
      rules.emplace(row.rule);
      ImageClear clear = correct;
      row.change(clear);
      SCOPED_TRACE(std::string(vk::GetVuid(id).id));
      Clear(C::kId, clear);
      ExpectMessage(vk::GetVuid(id).id);
      ExpectNothing();
    }
  }
};

TEST_F(ImageClearsTest, EachCase) {
  std::set<std::string> rules;
  RunClears<vk::CmdClearColorImage>({}, rules);
  RunClears<vk::CmdClearDepthStencilImage>(DepthStencilClear(), rules);
  for (const FamilyCase<ImageClear>& row : ImageClearCases())
    EXPECT_TRUE(rules.contains(std::string(row.rule))) << row.rule;
}

TEST_F(ImageClearsTest, CorrectOnes) {
  ImageClear clear;
  clear.range = {VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_REMAINING_MIP_LEVELS, 3, VK_REMAINING_ARRAY_LAYERS};
  Clear(vk::CommandId::kCmdClearColorImage, clear);
  clear.image.info.format = VK_FORMAT_R64G64_UINT;
  Clear(vk::CommandId::kCmdClearColorImage, clear);
  clear = DepthStencilClear();
  clear.range.aspectMask |= VK_IMAGE_ASPECT_STENCIL_BIT;
  Clear(vk::CommandId::kCmdClearDepthStencilImage, clear);
  ExpectNothing();
}

TEST_F(ImageClearsTest, Texts) {
  ImageClear clear;
  clear.range.levelCount = 3;
  Clear(vk::CommandId::kCmdClearColorImage, clear);
  EXPECT_THAT(
      ExpectMessage("VUID-vkCmdClearColorImage-pRanges-01692").text,
      HasSubstr(
          "vkCmdClearColorImage(): pRanges[0].levelCount names 3 from 0, past the end of the 2 levels of image "));
}

}  // namespace
}  // namespace assay::core
