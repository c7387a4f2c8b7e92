// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Depths that are copied from buffers to images.

#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

constexpr char kDepth[] = "VUID-vkCmdCopyBufferToImage-pRegions-07931";
constexpr char kDepth2[] = "VUID-VkCopyBufferToImageInfo2-pRegions-07931";

class DepthCopyTest : public GpuavTest {
 protected:
  void SetUp() override {
    GpuavTest::SetUp();
    MakeObjects();
  }
  void MakeObjects() {
    buffer_ = device_.MakeBuffer(4096, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    device_.SetName(VK_OBJECT_TYPE_BUFFER, buffer_.handle, "staging");
    image_ = MakeDepthImage(VK_FORMAT_D32_SFLOAT);
    std::memset(Map(buffer_), 0, buffer_.size);
  }
  Image MakeDepthImage(VkFormat format) {
    const Image image = device_.MakeImage(
        format, 8, 8, VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, 1, 2);
    device_.SetName(VK_OBJECT_TYPE_IMAGE, image.handle, "shadow");
    return image;
  }

  void Set(size_t texel, const std::vector<float>& depths) {
    std::memcpy(static_cast<float*>(Map(buffer_)) + texel, depths.data(), depths.size() * sizeof(float));
  }
  static VkBufferImageCopy Region(uint32_t width, uint32_t height) {
    return {.imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT, .layerCount = 1},
            .imageExtent = {width, height, 1}};
  }

  void Transition(VkCommandBuffer commands) {
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                          .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                          .image = image_,
                                          .subresourceRange = image_.Range()};
    device_.vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                                  nullptr, 0, nullptr, 1, &barrier);
  }
  void CopyToImage(VkCommandBuffer commands, const std::vector<VkBufferImageCopy>& regions) {
    device_.vk.CmdCopyBufferToImage(commands, buffer_, image_, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                    static_cast<uint32_t>(regions.size()), regions.data());
  }
  VkCommandBuffer RecordCopy(const std::vector<VkBufferImageCopy>& regions) {
    return device_.Record([&](VkCommandBuffer commands) {
      Transition(commands);
      CopyToImage(commands, regions);
    });
  }

  Buffer buffer_;
  Image image_;
};

TEST_F(DepthCopyTest, DepthsOutOfRange) {
  const VkCommandBuffer commands = RecordCopy({Region(4, 4)});
  device_.SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, commands, "upload");
  Set(0, {0, 0.25, 1, -0.0F});
  SubmitAndWait(commands);
  log_.ExpectNothing();
  Set(6, {1.5, -0.25});
  SubmitAndWait(commands);
  const Message message = log_.Expect(kDepth);
  EXPECT_EQ(message.severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
  EXPECT_THAT(message.text,
              HasSubstr("vkCmdCopyBufferToImage(): pRegions[0] copies the depth 1.5, which is not between "
                        "0 and 1, to texel (2, 1, 0) of mip level 0, array layer 0. The command has read "
                        "this at byte 24 of VkBuffer "));
  EXPECT_THAT(message.text, HasSubstr("[staging]; it is the first of 2 depths that violate the rule. The image is "
                                      "VkImage "));
  EXPECT_THAT(message.text, HasSubstr("[shadow]. It was recorded as command 2 of VkCommandBuffer "));
  EXPECT_EQ(message.objects[0].name, "upload");
  Set(6, {1, 0});
  SubmitAndWait(commands);
}

TEST_F(DepthCopyTest, NotANumberIsNotInTheRange) {
  Set(0, {std::nanf("")});
  SubmitAndWait(RecordCopy({Region(1, 1)}));
  EXPECT_THAT(log_.Expect(kDepth).text, HasSubstr("copies the depth nan,"));
}

// What lies between the rows, and between the layers, belongs to no texel.
TEST_F(DepthCopyTest, RowsAndLayers) {
  VkBufferImageCopy region = Region(2, 2);
  region.bufferOffset = 8;
  region.bufferRowLength = 3;
  region.bufferImageHeight = 4;
  region.imageOffset = {4, 2, 0};
  region.imageSubresource.layerCount = 2;
  const VkCommandBuffer commands = RecordCopy({Region(1, 1), region});
  const float x = 9;
  Set(1, {x, 0, 0, x, 0, 0, x, x, x, x, x, x, x, 0, 0, x, 0, 1, x});
  SubmitAndWait(commands);
  log_.ExpectNothing();
  Set(18, {1.125});
  SubmitAndWait(commands);
  EXPECT_THAT(log_.Expect(kDepth).text,
              HasSubstr("pRegions[1] copies the depth 1.125, which is not between 0 and 1, to texel (5, 3, 0) of mip "
                        "level 0, array layer 1. The command has read this at byte 72 of "));
}

TEST_F(DepthCopyTest, OtherCommand) {
  Set(0, {2});
  const VkBufferImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                     .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT, .layerCount = 1},
                                     .imageExtent = {1, 1, 1}};
  const VkCopyBufferToImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                         .srcBuffer = buffer_,
                                         .dstImage = image_,
                                         .dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                         .regionCount = 1,
                                         .pRegions = &region};
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    Transition(commands);
    device_.vk.CmdCopyBufferToImage2(commands, &info);
  }));
  log_.Expect(kDepth2);
}

TEST_F(DepthCopyTest, StencilIsNotADepth) {
  image_ = MakeDepthImage(VK_FORMAT_D32_SFLOAT_S8_UINT);
  Set(0, {2});
  VkBufferImageCopy region = Region(4, 1);
  region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
  SubmitAndWait(RecordCopy({region}));
  log_.ExpectNothing();
  SubmitAndWait(RecordCopy({Region(1, 1)}));
  log_.Expect(kDepth);
}

// What the command has read counts, not what is there before and after it.
TEST_F(DepthCopyTest, DepthsAreThoseOfTheCommand) {
  const auto record = [&](float used, float later) {
    return device_.Record([&, this](VkCommandBuffer commands) {
      const auto wait = [&, this](VkAccessFlags before, VkAccessFlags after) {
        const VkMemoryBarrier barrier = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = before, .dstAccessMask = after};
        device_.vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                                      &barrier, 0, nullptr, 0, nullptr);
      };
      device_.vk.CmdUpdateBuffer(commands, buffer_, 0, sizeof(used), &used);
      Transition(commands);
      wait(VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
      CopyToImage(commands, {Region(1, 1)});
      wait(0, 0);
      device_.vk.CmdUpdateBuffer(commands, buffer_, 0, sizeof(later), &later);
    });
  };
  SubmitAndWait(record(1, 2));
  log_.ExpectNothing();
  SubmitAndWait(record(2, 1));
  log_.Expect(kDepth);
}

TEST_F(DepthCopyTest, SecondaryCommandBuffer) {
  Set(0, {2});
  const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .pInheritanceInfo = &inheritance};
  const VkCommandBuffer secondary = device_.MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  EXPECT_EQ(device_.vk.BeginCommandBuffer(secondary, &begin), VK_SUCCESS);
  CopyToImage(secondary, {Region(1, 1)});
  device_.End(secondary);
  device_.SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, secondary, "secondary");
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    Transition(commands);
    device_.vk.CmdExecuteCommands(commands, 1, &secondary);
  }));
  EXPECT_EQ(log_.Expect(kDepth).objects[0].name, "secondary");
}

class DepthCopyOptionTest : public DepthCopyTest {
 protected:
  // Each test creates the device.
  void SetUp() override {}
};

TEST_F(DepthCopyOptionTest, CheckMayBeOff) {
  Create({.settings = {{"gpuav_buffer_copies", false}}});
  MakeObjects();
  Set(0, {2});
  SubmitAndWait(RecordCopy({Region(1, 1)}));
}

TEST_F(DepthCopyOptionTest, AnyDepthIsValidWithTheExtension) {
  Create({.device_extensions = {"VK_EXT_depth_range_unrestricted"}});
  MakeObjects();
  Set(0, {2});
  SubmitAndWait(RecordCopy({Region(1, 1)}));
}

}  // namespace
}  // namespace assay::test
