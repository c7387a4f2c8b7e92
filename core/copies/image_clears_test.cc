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
};

TEST_F(ImageClearsTest, EachCase) {
  std::set<std::string> rules;
  const auto clear = [this](vk::CommandId id, const ImageClear& image_clear) { Clear(id, image_clear); };
  RunCases<vk::CmdClearColorImage>(ImageClearCases(), ImageClear(), rules, clear);
  RunCases<vk::CmdClearDepthStencilImage>(ImageClearCases(), DepthStencilClear(), rules, clear);
  EXPECT_EQ(MissingRules(ImageClearCases(), rules), "");
}

TEST_F(ImageClearsTest, CorrectOnes) {
  ImageClear clear = {.range = {VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_REMAINING_MIP_LEVELS, 3, VK_REMAINING_ARRAY_LAYERS}};
  Clear(vk::CommandId::kCmdClearColorImage, clear);
  clear.image.info.format = VK_FORMAT_R64G64_UINT;
  Clear(vk::CommandId::kCmdClearColorImage, clear);
  clear = DepthStencilClear();
  clear.range.aspectMask |= VK_IMAGE_ASPECT_STENCIL_BIT;
  Clear(vk::CommandId::kCmdClearDepthStencilImage, clear);
}

TEST_F(ImageClearsTest, Texts) {
  Clear(vk::CommandId::kCmdClearColorImage, {.range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, 0, 1}});
  EXPECT_THAT(
      ExpectMessage("VUID-vkCmdClearColorImage-pRanges-01692").text,
      HasSubstr(
          "vkCmdClearColorImage(): pRanges[0].levelCount names 3 from 0, past the end of the 2 levels of image "));
}

}  // namespace
}  // namespace assay::core
