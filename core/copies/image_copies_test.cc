// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each case of image_copy_cases.h, with each command that has its rule, through the whole layer; and correct copies.

#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/copies/cases/image_copy_test.h"
#include "gmock/gmock.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

constexpr vk::CommandId kCopy = vk::CommandId::kCmdCopyImage2;
constexpr vk::CommandId kToImage = vk::CommandId::kCmdCopyBufferToImage2;
constexpr vk::CommandId kToBuffer = vk::CommandId::kCmdCopyImageToBuffer2;
constexpr vk::CommandId kBlit = vk::CommandId::kCmdBlitImage2;

TEST_F(ImageCopiesTest, EachCase) { RunAll(ImageCopyCases()); }
TEST_F(ImageCopiesTest, EachBlit) { RunAll(ImageBlitCases()); }

TEST_F(ImageCopiesTest, EachAlias) { RunAll(ImageAliasCases()); }

class OfVulkan10 : public ImageCopiesTest {
 protected:
  void SetUp() override {
    driver().config().api_version = VK_API_VERSION_1_0;
    ImageCopiesTest::SetUp();
  }
  test::DeviceOptions Options() override {
    return {.api_version = VK_API_VERSION_1_0,
            .instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME},
            .device_extensions = {VK_KHR_COPY_COMMANDS_2_EXTENSION_NAME},
            .settings = {{"validate_sync", false}}};
  }
};
TEST_F(OfVulkan10, EachCase) {
  std::set<std::string> rules;
  Run<vk::CmdCopyImage>(OldestImageCopyCases(), {}, rules);
  Run<vk::CmdCopyImage2>(OldestImageCopyCases(), {}, rules);
  EXPECT_EQ(rules.size(), 1u);
}

class WithQcom : public ImageCopiesTest {
 protected:
  void SetUp() override {
    driver().config().disabled_features = {"selectableCubicWeights"};
    ImageCopiesTest::SetUp();
  }
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ImageCopiesTest::Options();
    options.device_extensions.push_back(VK_QCOM_ROTATED_COPY_COMMANDS_EXTENSION_NAME);
    options.device_extensions.push_back(VK_QCOM_FILTER_CUBIC_WEIGHTS_EXTENSION_NAME);
    return options;
  }
  // Also expects `other`.
  void ExpectTurned(vk::CommandId id, const ImageCopy& copy, const char* other, std::string rule) {
    Call(id, copy);
    ExpectMessages({other, std::move(rule)});
  }
};
TEST_F(WithQcom, EachBlit) {
  std::set<std::string> rules;
  Run<vk::CmdBlitImage2>(ChainedBlitCases(), {}, rules);
}
TEST_F(WithQcom, TurnedBlocks) {
  for (const FamilyCase<ImageCopy>& row : TurnedCopyCases()) {
    SCOPED_TRACE(std::string(row.rule));
    ImageCopy copy;
    row.change(copy);
    ExpectTurned(kToImage, copy, "VUID-VkCopyBufferToImageInfo2KHR-pRegions-04555",
                 absl::StrCat("VUID-VkCopyBufferToImageInfo2-", row.rule));
    ExpectTurned(kToBuffer, copy, "VUID-VkCopyImageToBufferInfo2KHR-pRegions-04558",
                 absl::StrCat("VUID-VkCopyImageToBufferInfo2-", row.rule));
  }
}
TEST_F(WithQcom, TurnedRegions) {
  ImageCopy correct = {.extent = {16, 8, 1}, .transform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR};
  correct.source.offset = correct.target.offset = {8, 48, 0};
  Call(kToImage, correct);
  Call(kToBuffer, correct);
  ExpectNothing();
  ImageCopy copy = correct;
  copy.source.offset.x = copy.target.offset.x = 7;
  Call(kToImage, copy);
  ExpectMessage("VUID-VkCopyBufferToImageInfo2KHR-pRegions-04554");
  Call(kToBuffer, copy);
  ExpectMessage("VUID-VkCopyImageToBufferInfo2KHR-pRegions-04557");
  copy = correct;
  copy.source.info.imageType = copy.target.info.imageType = VK_IMAGE_TYPE_3D;
  copy.source.info.arrayLayers = copy.target.info.arrayLayers = 1;
  Call(kToImage, copy);
  ExpectMessage("VUID-VkCopyBufferToImageInfo2KHR-pRegions-06203");
  Call(kToBuffer, copy);
  ExpectMessage("VUID-VkCopyImageToBufferInfo2KHR-pRegions-06205");
  Call(kBlit, {.source = copy.source, .transform = copy.transform});
  ExpectMessage("VUID-VkBlitImageInfo2KHR-pRegions-06207");
  copy = correct;
  for (CopySide* side : {&copy.source, &copy.target}) {
    side->info.format = VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM;
    side->info.mipLevels = side->info.arrayLayers = 1;
    side->layers.aspectMask = VK_IMAGE_ASPECT_PLANE_0_BIT;
  }
  Call(kToImage, copy);
  ExpectMessage("VUID-VkCopyBufferToImageInfo2KHR-pRegions-06204");
  Call(kToBuffer, copy);
  ExpectMessage("VUID-VkCopyImageToBufferInfo2KHR-pRegions-06206");
  // No blit reads an image with planes.
  copy.source.layers.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  Call(kBlit, {.source = copy.source, .transform = copy.transform});
  ExpectMessages({"VUID-VkBlitImageInfo2-srcImage-06421", "VUID-VkBlitImageInfo2KHR-pRegions-06208"});
}

class WithLinearAttachments : public ImageCopiesTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ImageCopiesTest::Options();
    options.device_extensions.push_back(VK_NV_LINEAR_COLOR_ATTACHMENT_EXTENSION_NAME);
    options.features = &features_;
    return options;
  }

 private:
  VkPhysicalDeviceLinearColorAttachmentFeaturesNV features_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINEAR_COLOR_ATTACHMENT_FEATURES_NV, .linearColorAttachment = VK_TRUE};
};
TEST_F(WithLinearAttachments, EachCase) {
  std::set<std::string> rules;
  Run<vk::CmdResolveImage>(LinearResolveCases(), ResolveCopy(), rules);
  Run<vk::CmdResolveImage2>(LinearResolveCases(), ResolveCopy(), rules);
}

// Multisampled images are 2D, so one of 1D or with slices breaks that rule, too.
TEST_F(ImageCopiesTest, ResolvesOfOtherTypes) {
  ImageCopy copy;
  copy.source.info.imageType = VK_IMAGE_TYPE_1D;
  copy.source.info.extent = {64, 1, 1};
  copy.extent = {16, 1, 1};
  copy.source.offset.y = 1;
  Call(vk::CommandId::kCmdResolveImage, copy);
  ExpectMessages({"VUID-vkCmdResolveImage-srcImage-00257", "VUID-vkCmdResolveImage-srcImage-00271"});
  Call(vk::CommandId::kCmdResolveImage2, copy);
  ExpectMessages({"VUID-VkResolveImageInfo2-srcImage-00257", "VUID-VkResolveImageInfo2-srcImage-00271"});
  copy = {};
  copy.source.info.imageType = VK_IMAGE_TYPE_3D;
  copy.source.info.arrayLayers = 1;
  copy.source.offset.z = 1;
  Call(vk::CommandId::kCmdResolveImage, copy);
  ExpectMessages({"VUID-vkCmdResolveImage-srcImage-00257", "VUID-vkCmdResolveImage-srcOffset-00272"});
  Call(vk::CommandId::kCmdResolveImage2, copy);
  ExpectMessages({"VUID-VkResolveImageInfo2-srcImage-00257", "VUID-VkResolveImageInfo2-srcOffset-00272"});
}

class WithoutMaintenance5 : public ImageCopiesTest {
 protected:
  void SetUp() override {
    driver().config().disabled_features = {"maintenance5"};
    ImageCopiesTest::SetUp();
  }
};
TEST_F(WithoutMaintenance5, EachCase) { RunAll(OldImageCopyCases()); }

class WithMaintenance8 : public ImageCopiesTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ImageCopiesTest::Options();
    options.device_extensions.push_back(VK_KHR_MAINTENANCE_8_EXTENSION_NAME);
    options.features = &features_;
    return options;
  }

 private:
  VkPhysicalDeviceMaintenance8FeaturesKHR features_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_8_FEATURES_KHR, .maintenance8 = VK_TRUE};
};
TEST_F(WithMaintenance8, EachCase) { RunAll(Maintenance8Cases()); }
TEST_F(WithMaintenance8, ColorToDepth) {
  ImageCopy copy;
  copy.source.info.format = VK_FORMAT_R32_SFLOAT;
  copy.target.info.format = VK_FORMAT_D32_SFLOAT;
  copy.target.layers.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  Call(kCopy, copy);
  ExpectNothing();
}
TEST_F(WithMaintenance8, LayersToSlices) {
  ImageCopy copy;
  copy.target.info.imageType = VK_IMAGE_TYPE_3D;
  copy.target.info.extent.depth = 4;
  copy.target.info.arrayLayers = 1;
  const VkImage source = Make(copy.source), target = Make(copy.target);
  const VkImageBlit blit = {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 4},
                            {{0, 0, 0}, {64, 64, 1}},
                            {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                            {{0, 0, 0}, {64, 64, 4}}};
  Record([&](VkCommandBuffer commands) {
    vk.CmdBlitImage(commands, source, VK_IMAGE_LAYOUT_GENERAL, target, VK_IMAGE_LAYOUT_GENERAL, 1, &blit,
                    VK_FILTER_NEAREST);
  });
  ExpectNothing();
}

TEST_F(ImageCopiesTest, ToTheEnd) {
  ImageCopy copy;
  copy.source.offset = {48, 48, 0};
  copy.target.layers = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 3, 1};
  copy.target.offset = {16, 16, 0};
  Call(kCopy, copy);
  Call(kToImage, copy);
  copy.buffer_offset = 65536 - 1024;
  Call(kToImage, copy);
  // The last row needs only its own texels.
  copy.row_length = 32;
  copy.buffer_offset = 65536 - (15 * 32 + 16) * 4;
  Call(kToImage, copy);
  ExpectNothing();
}

TEST_F(ImageCopiesTest, TexelBlocks) {
  // Sixteen texels of blocks are four texels of the other image, and the other way around.
  ImageCopy copy;
  copy.source.info.format = VK_FORMAT_BC3_UNORM_BLOCK;
  copy.target.info.format = VK_FORMAT_R32G32B32A32_UINT;
  copy.target.offset = {60, 60, 0};
  Call(kCopy, copy);
  std::swap(copy.source, copy.target);
  copy.extent = {4, 4, 1};
  copy.target.offset = {48, 48, 0};
  Call(kCopy, copy);
  // A level that ends inside of a block.
  copy = {};
  copy.target.info.format = VK_FORMAT_BC3_UNORM_BLOCK;
  copy.target.info.extent = {14, 14, 1};
  copy.extent = {14, 14, 1};
  Call(kToImage, copy);
  copy.target.layers.mipLevel = 1;
  copy.extent = {7, 7, 1};
  Call(kToImage, copy);
  copy.source.info.format = VK_FORMAT_R32G32B32A32_UINT;
  copy.extent = {2, 2, 1};
  Call(kCopy, copy);
  ExpectNothing();
}

TEST_F(ImageCopiesTest, Planes) {
  ImageCopy copy;
  copy.source.info.format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
  copy.source.info.mipLevels = copy.source.info.arrayLayers = 1;
  copy.source.layers.aspectMask = VK_IMAGE_ASPECT_PLANE_1_BIT;
  copy.source.offset = {16, 16, 0};
  copy.target.info.format = VK_FORMAT_R8_UNORM;
  Call(kCopy, copy);
  Call(vk::CommandId::kCmdCopyImageToBuffer, copy);
  ExpectNothing();
  // The plane has half of the extent.
  copy.source.offset.x = 17;
  Call(kCopy, copy);
  ExpectMessage("VUID-VkCopyImageInfo2-srcOffset-00144");
}

TEST_F(ImageCopiesTest, LayersAndSlices) {
  ImageCopy copy;
  copy.target.info.imageType = VK_IMAGE_TYPE_3D;
  copy.target.info.extent = {64, 64, 4};
  copy.target.info.arrayLayers = 1;
  copy.source.layers.layerCount = copy.extent.depth = 4;
  Call(kCopy, copy);
  std::swap(copy.source, copy.target);
  Call(kCopy, copy);
  copy = {};
  copy.source.layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, VK_REMAINING_ARRAY_LAYERS};
  copy.target.layers.layerCount = 3;
  Call(kCopy, copy);
  ExpectNothing();
}

TEST_F(ImageCopiesTest, RemainingLayers) {
  ImageCopy copy;
  copy.source.layers = copy.target.layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, VK_REMAINING_ARRAY_LAYERS};
  for (const vk::CommandId id :
       {kCopy, kToImage, kToBuffer, kBlit, vk::CommandId::kCmdCopyImage, vk::CommandId::kCmdCopyBufferToImage,
        vk::CommandId::kCmdCopyImageToBuffer, vk::CommandId::kCmdBlitImage}) {
    Call(id, copy);
  }
  ExpectNothing();
}

TEST_F(ImageCopiesTest, InOneImage) {
  ImageCopy copy = {.is_one_image = true};
  copy.target.offset.x = 16;
  Call(kCopy, copy);
  copy.target.offset.x = 0;
  copy.target.layers.baseArrayLayer = 1;
  Call(kCopy, copy);
  copy.source_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  copy.target_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  Call(kCopy, copy);
  Call(kBlit, copy);
  ExpectNothing();
}

// No image is in both layouts, so that rule of layouts is broken, too.
TEST_F(ImageCopiesTest, LayoutsInOneImage) {
  ImageCopy copy = {.is_one_image = true, .target_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
  copy.target.offset = {16, 16, 0};
  Call(vk::CommandId::kCmdCopyImage, copy);
  ExpectMessages({"VUID-vkCmdCopyImage-srcImage-09460", "VUID-vkCmdCopyImage-dstImageLayout-00133"});
  Call(kCopy, copy);
  ExpectMessages({"VUID-VkCopyImageInfo2-srcImage-09460", "VUID-VkCopyImageInfo2-dstImageLayout-00133"});
  Call(vk::CommandId::kCmdBlitImage, copy);
  ExpectMessages({"VUID-vkCmdBlitImage-srcImage-09459", "VUID-vkCmdBlitImage-dstImageLayout-00226"});
  Call(kBlit, copy);
  ExpectMessages({"VUID-VkBlitImageInfo2-srcImage-09459", "VUID-VkBlitImageInfo2-dstImageLayout-00226"});
}

TEST_F(ImageCopiesTest, Granularity) {
  // Whole transfers, and what reaches to the end.
  ImageCopy copy = {.extent = {12, 64, 1}, .family = kTransferFamily};
  copy.source.info.extent.width = copy.target.info.extent.width = 20;
  copy.source.offset.x = copy.target.offset.x = 8;
  Call(kCopy, copy);
  ExpectNothing();
}

TEST_F(ImageCopiesTest, DepthAndStencil) {
  ImageCopy copy;
  copy.source.info.format = copy.target.info.format = VK_FORMAT_D24_UNORM_S8_UINT;
  constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  copy.source.layers.aspectMask = copy.target.layers.aspectMask = kBoth;
  Call(kCopy, copy);
  // One byte for each texel of stencil.
  copy.target.layers.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
  copy.buffer_size = 256;
  Call(kToImage, copy);
  ExpectNothing();
}

TEST_F(ImageCopiesTest, Sparse) {
  ImageCopy copy;
  copy.source.info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
  copy.source.is_bound = false;
  Call(kCopy, copy);
  ExpectNothing();
}

TEST_F(ImageCopiesTest, Texts) {
  ImageCopy copy;
  copy.source.offset.x = 50;
  Call(kCopy, copy);
  EXPECT_THAT(ExpectMessage("VUID-VkCopyImageInfo2-srcOffset-00144").text,
              HasSubstr("vkCmdCopyImage2(): pCopyImageInfo.pRegions[0].srcOffset has the x 50, from which 16 texels "
                        "are not inside of the level of srcImage VkImage "));
  copy = {.buffer_size = 1000};
  Call(kToImage, copy);
  EXPECT_THAT(ExpectMessage("VUID-VkCopyBufferToImageInfo2-pRegions-00171").text,
              HasSubstr("pRegions[0] accesses 1024 bytes from bufferOffset (0), but srcBuffer VkBuffer "));
}

}  // namespace
}  // namespace assay::core
