// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Depths that are copied from buffers to images, over the mock driver.

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gpuav/copies_test.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace assay::gpuav {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kDepth[] = "VUID-vkCmdCopyBufferToImage-pRegions-07931";

class DepthCopiesTest : public CopiesTest {
 protected:
  void SetUp() override {
    CopiesTest::SetUp();
    MakeObjects();
  }
  void MakeObjects() {
    buffer_ = MakeBuffer(VkDeviceSize{1} << 22);
    image_ = MakeImage(VK_FORMAT_D32_SFLOAT, 1024, 1024, 0, 1, 4);
    Write<float>(buffer_, 0, std::vector<float>(1 << 20));
  }
  static VkBufferImageCopy Region(uint32_t width, uint32_t height, VkDeviceSize offset = 0) {
    return {.bufferOffset = offset,
            .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT, .layerCount = 1},
            .imageExtent = {width, height, 1}};
  }
  void CopyToImage(VkCommandBuffer commands, const std::vector<VkBufferImageCopy>& regions) {
    vk.CmdCopyBufferToImage(commands, buffer_, image_, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                            static_cast<uint32_t>(regions.size()), regions.data());
  }
  void RunCopy(const std::vector<VkBufferImageCopy>& regions, uint32_t family = 0) {
    Run([&](VkCommandBuffer commands) { CopyToImage(commands, regions); }, family);
  }

  test::Buffer buffer_;
  test::Image image_;
};

TEST_F(DepthCopiesTest, DepthsAreCopiedBeforeTheCommand) {
  RunCopy({Region(4, 2, 16), Region(1, 1, 64)});
  EXPECT_THAT(ids_, ElementsAre(kBarrier, kCopy, kToImage));
  ASSERT_EQ(copies_.size(), 2u);
  EXPECT_EQ(copies_[0].from.offset, 16u);
  EXPECT_EQ(copies_[0].size, 32u);
  EXPECT_EQ(copies_[1].from.offset, 64u);
  EXPECT_EQ(copies_[1].to.offset, copies_[0].to.offset + 32);
}

TEST_F(DepthCopiesTest, DepthOutOfRange) {
  SetName(VK_OBJECT_TYPE_IMAGE, image_.handle, "shadow");
  Write<float>(buffer_, 4, {1, 1.25, 0, -1});
  RunCopy({Region(2, 1, 1024), Region(4, 2)});
  const test::Message message = ExpectMessage(kDepth);
  EXPECT_THAT(message.text, HasSubstr("vkCmdCopyBufferToImage(): pRegions[1] copies the depth 1.25, which is not "
                                      "between 0 and 1, to texel (2, 0, 0) of mip level 0, array layer 0. The command "
                                      "has read this at byte 8 of VkBuffer "));
  EXPECT_THAT(message.text, HasSubstr("; it is the first of 2 depths that violate the rule. The image is VkImage "));
  ASSERT_EQ(message.objects.size(), 3u);
  EXPECT_EQ(message.objects[2].name, "shadow");
}

TEST_F(DepthCopiesTest, OtherCommandHasItsOwnId) {
  Write<float>(buffer_, 0, {7});
  const VkBufferImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                     .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT, .layerCount = 1},
                                     .imageExtent = {1, 1, 1}};
  const VkCopyBufferToImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                         .srcBuffer = buffer_,
                                         .dstImage = image_,
                                         .dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                         .regionCount = 1,
                                         .pRegions = &region};
  Run([&](VkCommandBuffer commands) { vk.CmdCopyBufferToImage2(commands, &info); });
  ExpectMessage("VUID-VkCopyBufferToImageInfo2-pRegions-07931");
}

// The stages of commands that other queues do not have are not named there.
TEST_F(DepthCopiesTest, QueueThatOnlyTransfers) {
  Write<float>(buffer_, 0, {7});
  RunCopy({Region(1, 1)}, 2);
  EXPECT_THAT(stages_, ElementsAre(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT));
  ExpectMessage(kDepth);
}

TEST_F(DepthCopiesTest, OtherFormatsAndAspectsAreNotCopied) {
  image_ = MakeImage(VK_FORMAT_D16_UNORM, 16, 16);
  RunCopy({Region(1, 1)});
  EXPECT_THAT(ids_, ElementsAre(kToImage));
  image_ = MakeImage(VK_FORMAT_D32_SFLOAT_S8_UINT, 16, 16);
  VkBufferImageCopy region = Region(1, 1);
  region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
  RunCopy({region});
  EXPECT_THAT(ids_, ElementsAre(kToImage));
}

// A MiB of a command.
TEST_F(DepthCopiesTest, WhatIsCopiedHasALimit) {
  Write<float>(buffer_, (1 << 20) - 4, {2, 2});
  RunCopy({Region(16, 1), Region(1024, 512), Region(16, 1)});
  ASSERT_EQ(copies_.size(), 2u);
  EXPECT_EQ(copies_[0].size, 64u);
  EXPECT_EQ(copies_[1].size, (1u << 20) - 64);
  RunCopy({Region(1024, 512)});
  EXPECT_THAT(ExpectMessage(kDepth).text, HasSubstr("to texel (1023, 255, 0)"));
}

TEST_F(DepthCopiesTest, ProtectedCommandBufferCopiesNothing) {
  const VkCommandPool pool = MakeCommandPool(0, VK_COMMAND_POOL_CREATE_PROTECTED_BIT);
  const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  EXPECT_EQ(vk.AllocateCommandBuffers(device, &info, &commands), VK_SUCCESS);
  Watch([&] {
    Begin(commands);
    CopyToImage(commands, {Region(1, 1)});
    End(commands);
  });
  EXPECT_THAT(ids_, ElementsAre(kToImage));
}

class UnrestrictedTest : public DepthCopiesTest {
  test::DeviceOptions Options() override {
    test::DeviceOptions options = DepthCopiesTest::Options();
    options.device_extensions = {"VK_EXT_depth_range_unrestricted"};
    return options;
  }
};

TEST_F(UnrestrictedTest, AnyDepthIsValid) {
  RunCopy({Region(1, 1)});
  EXPECT_THAT(ids_, ElementsAre(kToImage));
}

class NoDepthCopiesTest : public DepthCopiesTest {
  test::DeviceOptions Options() override {
    test::DeviceOptions options = DepthCopiesTest::Options();
    options.settings.emplace_back("gpuav_buffer_copies", false);
    return options;
  }
};

TEST_F(NoDepthCopiesTest, CheckMayBeOff) {
  RunCopy({Region(1, 1)});
  EXPECT_THAT(ids_, ElementsAre(kToImage));
}

class DepthPropertiesTest : public DepthCopiesTest {
  test::DeviceOptions Options() override {
    test::DeviceOptions options = DepthCopiesTest::Options();
    options.settings.emplace_back("message_format_json", true);
    return options;
  }
};

TEST_F(DepthPropertiesTest, ValuesAreForPrograms) {
  Write<float>(buffer_, 8, {2, 3});
  RunCopy({Region(1, 1), Region(4, 1)});
  const json properties = json::parse(ExpectMessage(kDepth).text)["properties"];
  EXPECT_EQ(properties["byte"], 8);
  EXPECT_EQ(properties["region"], 1);
  EXPECT_EQ(properties["depths"], 2);
  EXPECT_EQ(properties["image"]["type"], "VkImage");
  EXPECT_FALSE(properties.contains("structures"));
}

}  // namespace
}  // namespace assay::gpuav
