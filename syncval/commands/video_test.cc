// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modelled accesses of video decode and encode commands.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;
using test::Image;

constexpr VkPipelineStageFlags2 kDecode = VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR;
constexpr VkAccessFlags2 kDecodeRead = VK_ACCESS_2_VIDEO_DECODE_READ_BIT_KHR;
constexpr VkAccessFlags2 kDecodeWrite = VK_ACCESS_2_VIDEO_DECODE_WRITE_BIT_KHR;
constexpr VkPipelineStageFlags2 kEncode = VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR;
constexpr uint32_t kSide = 64;

class SyncVideo : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.device_extensions = {VK_KHR_VIDEO_QUEUE_EXTENSION_NAME, VK_KHR_VIDEO_DECODE_QUEUE_EXTENSION_NAME,
                                 VK_KHR_VIDEO_ENCODE_QUEUE_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    bitstream_ = MakeBuffer(1024);
    // Layers are pictures.
    pictures_ = MakeImage(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, kSide, kSide, VK_IMAGE_USAGE_TRANSFER_SRC_BIT, 1, 4);
    view_ = MakeView({.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                      .image = pictures_,
                      .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                      .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1, 3}});
  }
  // Layer 0 of the view is layer 1 of the image.
  VkVideoPictureResourceInfoKHR Picture(uint32_t layer, VkExtent2D extent = {kSide, kSide}) {
    return {.sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
            .codedExtent = extent,
            .baseArrayLayer = layer,
            .imageViewBinding = view_};
  }
  static VkVideoReferenceSlotInfoKHR Slot(const VkVideoPictureResourceInfoKHR& picture) {
    return {.sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR, .pPictureResource = &picture};
  }
  // Bytes 0 to 255 into a picture, with another as reference.
  void Decode(VkCommandBuffer c, const VkVideoPictureResourceInfoKHR& target,
              const VkVideoPictureResourceInfoKHR* reference = nullptr) {
    const VkVideoReferenceSlotInfoKHR setup = Slot(target);
    VkVideoReferenceSlotInfoKHR slot = {.sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
                                        .pPictureResource = reference};
    VkVideoDecodeInfoKHR info = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
                                 .srcBuffer = bitstream_,
                                 .srcBufferRange = 256,
                                 .dstPictureResource = target,
                                 .pSetupReferenceSlot = &setup,
                                 .referenceSlotCount = reference != nullptr ? 1u : 0u,
                                 .pReferenceSlots = &slot};
    vk.CmdDecodeVideoKHR(c, &info);
  }
  void Encode(VkCommandBuffer c, const VkVideoPictureResourceInfoKHR& source, VkDeviceSize offset) {
    VkVideoEncodeInfoKHR info = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
                                 .dstBuffer = bitstream_,
                                 .dstBufferOffset = offset,
                                 .dstBufferRange = 256,
                                 .srcPictureResource = source};
    vk.CmdEncodeVideoKHR(c, &info);
  }
  Buffer bitstream_;
  Image pictures_;
  VkImageView view_ = VK_NULL_HANDLE;
};
class NegativeSyncVideo : public SyncVideo {};
class PositiveSyncVideo : public SyncVideo {};

TEST_F(NegativeSyncVideo, BitstreamOfADecode) {
  VkCommandBuffer c = Begun();
  Fill(c, bitstream_, 252, 8);
  Decode(c, Picture(0));
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kDecode);
  EXPECT_EQ(fix.dst_access, kDecodeRead);
}
TEST_F(PositiveSyncVideo, BitstreamOfADecode) {
  VkCommandBuffer c = Begun();
  Fill(c, bitstream_, 256, 256);
  Fill(c, bitstream_, 0, 256);
  Barrier(c, {kClear, kWrite, kDecode, kDecodeRead});
  Decode(c, Picture(0));
}
TEST_F(NegativeSyncVideo, References) {
  const VkVideoPictureResourceInfoKHR reference = Picture(0);
  VkCommandBuffer c = Begun();
  Decode(c, reference);
  Decode(c, Picture(1), &reference);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.src_access, kDecodeWrite);
  EXPECT_EQ(fix.dst_access, kDecodeRead);
}
TEST_F(PositiveSyncVideo, References) {
  const VkVideoPictureResourceInfoKHR reference = Picture(0);
  VkCommandBuffer c = Begun();
  Decode(c, reference);
  Decode(c, Picture(2));
  Barrier(c, {kDecode, kDecodeWrite, kDecode, kDecodeRead});
  Decode(c, Picture(1), &reference);
}
TEST_F(NegativeSyncVideo, DecodedPicture) {
  VkCommandBuffer c = Begun();
  Decode(c, Picture(0, {32, 32}));
  VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1}, .imageExtent = {32, 32, 1}};
  const auto copy = [&] {
    vk.CmdCopyImageToBuffer(c, pictures_, VK_IMAGE_LAYOUT_GENERAL, MakeBuffer(4096), 1, &region);
  };
  copy();
  region.imageSubresource.baseArrayLayer = 1;
  region.imageOffset = {32, 32, 0};
  copy();
  ExpectNothing();
  region.imageOffset = {31, 31, 0};
  copy();
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncVideo, BitstreamOfAnEncode) {
  VkCommandBuffer c = Begun();
  Encode(c, Picture(0), 0);
  Encode(c, Picture(0), 256);
  ExpectNothing();
  Copy(c, bitstream_, MakeBuffer(64));
  EXPECT_EQ(ParseFix(ExpectMessage(kReadAfterWrite).text).src_stages, kEncode);
}
TEST_F(NegativeSyncVideo, EncodedPicture) {
  VkCommandBuffer c = Begun();
  Encode(c, Picture(1), 0);
  Clear(c, pictures_, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1, 1});
  ExpectNothing();
  Clear(c, pictures_, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 2, 1});
  ExpectMessage(kWriteAfterRead);
}
TEST_F(PositiveSyncVideo, NullParameters) {
  VkCommandBuffer c = Begun();
  VkVideoDecodeInfoKHR decode = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR, .referenceSlotCount = 1};
  VkVideoEncodeInfoKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR};
  vk.CmdDecodeVideoKHR(c, &decode);
  vk.CmdEncodeVideoKHR(c, &encode);
}

}  // namespace
}  // namespace assay::syncval
