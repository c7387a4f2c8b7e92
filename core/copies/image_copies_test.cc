// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each case of image_copy_cases.h, with each command that has its rule, through the whole layer; and correct copies.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/copies/cases/case_changes.h"
#include "core/copies/cases/image_copy_test.h"
#include "gmock/gmock.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

constexpr auto kCopy = vk::CommandId::kCmdCopyImage2, kToImage = vk::CommandId::kCmdCopyBufferToImage2,
               kToBuffer = vk::CommandId::kCmdCopyImageToBuffer2, kBlit = vk::CommandId::kCmdBlitImage2;

TEST_F(ImageCopiesTest, EachCase) { RunAll(ImageCopyCases()); }
TEST_F(ImageCopiesTest, EachBlit) { RunAll(ImageBlitCases()); }

class OfVulkan10 : public ImageCopiesTest {
 protected:
  OfVulkan10() { driver().config().api_version = VK_API_VERSION_1_0; }
  test::DeviceOptions Options() override {
    return {.api_version = VK_API_VERSION_1_0,
            .instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME},
            .device_extensions = {VK_KHR_COPY_COMMANDS_2_EXTENSION_NAME},
            .settings = {{"validate_sync", false}}};
  }
};
TEST_F(OfVulkan10, EachCase) {
  RunEach<vk::CmdCopyImage, vk::CmdCopyImage2>(OldestImageCopyCases(), ImageCopy(), Caller());
}

class WithQcom : public ImageCopiesTest {
 protected:
  WithQcom() {
    driver().config().disabled_features = {"selectableCubicWeights"};
    Enable({VK_QCOM_ROTATED_COPY_COMMANDS_EXTENSION_NAME, VK_QCOM_FILTER_CUBIC_WEIGHTS_EXTENSION_NAME},
           {"selectableCubicWeights"});
  }
  // The copies from and to a buffer break these rules of their structures.
  void ExpectBoth(const ImageCopy& copy, std::vector<std::string> rules, std::vector<std::string> rules_to_buffer) {
    for (std::string& rule : rules) rule.insert(0, "VUID-VkCopyBufferToImageInfo2");
    for (std::string& rule : rules_to_buffer) rule.insert(0, "VUID-VkCopyImageToBufferInfo2");
    Expect(kToImage, copy, std::move(rules));
    Expect(kToBuffer, copy, std::move(rules_to_buffer));
  }
};
TEST_F(WithQcom, EachBlit) { RunEach<vk::CmdBlitImage2>(ChainedBlitCases(), ImageCopy(), Caller()); }
TEST_F(WithQcom, TurnedBlocks) {
  for (const FamilyCase<ImageCopy>& row : TurnedCopyCases()) {
    SCOPED_TRACE(std::string(row.rule));
    ImageCopy copy;
    row.change(copy);
    ExpectBoth(copy, {"KHR-pRegions-04555", absl::StrCat("-", row.rule)},
               {"KHR-pRegions-04558", absl::StrCat("-", row.rule)});
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
  ExpectBoth(copy, {"KHR-pRegions-04554"}, {"KHR-pRegions-04557"});
  copy = correct;
  copy.source.info.imageType = copy.target.info.imageType = VK_IMAGE_TYPE_3D;
  copy.source.info.arrayLayers = copy.target.info.arrayLayers = 1;
  ExpectBoth(copy, {"KHR-pRegions-06203"}, {"KHR-pRegions-06205"});
  Expect(kBlit, {.source = copy.source, .transform = copy.transform}, {"VUID-VkBlitImageInfo2KHR-pRegions-06207"});
  copy = correct;
  SetPlanes(copy.source, kPlane0, VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM);
  SetPlanes(copy.target, kPlane0, VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM);
  ExpectBoth(copy, {"KHR-pRegions-06204"}, {"KHR-pRegions-06206"});
  // No blit reads an image with planes.
  copy.source.layers.aspectMask = kColor;
  Expect(kBlit, {.source = copy.source, .transform = copy.transform},
         {"VUID-VkBlitImageInfo2-srcImage-06421", "VUID-VkBlitImageInfo2KHR-pRegions-06208"});
}

TEST_F(ImageCopiesTest, WithLinearAttachments) {
  Restart({VK_NV_LINEAR_COLOR_ATTACHMENT_EXTENSION_NAME});
  RunEach<vk::CmdResolveImage, vk::CmdResolveImage2>(LinearResolveCases(), ResolveCopy(), Caller());
}

// Multisampled images are 2D, so one of 1D or with slices breaks that rule, too.
TEST_F(ImageCopiesTest, ResolvesOfOtherTypes) {
  ImageCopy copy = {.source = {.offset = {0, 1, 0}}, .extent = {16, 1, 1}};
  SetType(copy.source, VK_IMAGE_TYPE_1D);
  ExpectEach<vk::CmdResolveImage, vk::CmdResolveImage2>(copy, {"srcImage-00257", "srcImage-00271"});
  copy = {.source = {.offset = {0, 0, 1}}};
  copy.source.info.imageType = VK_IMAGE_TYPE_3D;
  copy.source.info.arrayLayers = 1;
  ExpectEach<vk::CmdResolveImage, vk::CmdResolveImage2>(copy, {"srcImage-00257", "srcOffset-00272"});
}

TEST_F(ImageCopiesTest, WithoutMaintenance5) {
  Restart({}, {"maintenance5"});
  RunAll(OldImageCopyCases());
}

class WithMaintenance8 : public ImageCopiesTest {
 protected:
  WithMaintenance8() { Enable({VK_KHR_MAINTENANCE_8_EXTENSION_NAME}); }
};
TEST_F(WithMaintenance8, EachCase) { RunAll(Maintenance8Cases()); }
TEST_F(WithMaintenance8, ColorToDepth) {
  ImageCopy copy;
  copy.source.info.format = VK_FORMAT_R32_SFLOAT;
  SetFormat(copy.target, VK_FORMAT_D32_SFLOAT, kDepth);
  Call(kCopy, copy);
}
TEST_F(WithMaintenance8, LayersToSlices) {
  ImageCopy copy;
  SetType(copy.target, VK_IMAGE_TYPE_3D);
  const VkImage source = Make(copy.source), target = Make(copy.target);
  const VkImageBlit blit = {{kColor, 0, 0, 4}, {{0, 0, 0}, {64, 64, 1}}, {kColor, 0, 0, 1}, {{0, 0, 0}, {64, 64, 4}}};
  Record([&](VkCommandBuffer commands) {
    vk.CmdBlitImage(commands, source, VK_IMAGE_LAYOUT_GENERAL, target, VK_IMAGE_LAYOUT_GENERAL, 1, &blit,
                    VK_FILTER_NEAREST);
  });
}

TEST_F(ImageCopiesTest, ToTheEnd) {
  ImageCopy copy = {.source = {.offset = {48, 48, 0}}, .target = {.layers = {kColor, 1, 3, 1}, .offset = {16, 16, 0}}};
  Call(kCopy, copy);
  Call(kToImage, copy);
  copy.buffer_offset = 65536 - 1024;
  Call(kToImage, copy);
  // The last row needs only its own texels.
  copy.row_length = 32;
  copy.buffer_offset = 65536 - (15 * 32 + 16) * 4;
  Call(kToImage, copy);
}

TEST_F(ImageCopiesTest, TexelBlocks) {
  // Sixteen texels of blocks are four texels of the other image, and the other way around.
  ImageCopy copy = {.target = {.offset = {60, 60, 0}}};
  copy.source.info.format = VK_FORMAT_BC3_UNORM_BLOCK;
  copy.target.info.format = VK_FORMAT_R32G32B32A32_UINT;
  Call(kCopy, copy);
  std::swap(copy.source, copy.target);
  copy.extent = {4, 4, 1};
  copy.target.offset = {48, 48, 0};
  Call(kCopy, copy);
  // A level that ends inside of a block.
  copy = {.extent = {14, 14, 1}};
  copy.target.info.format = VK_FORMAT_BC3_UNORM_BLOCK;
  copy.target.info.extent = copy.extent;
  Call(kToImage, copy);
  copy.target.layers.mipLevel = 1;
  copy.extent = {7, 7, 1};
  Call(kToImage, copy);
  copy.source.info.format = VK_FORMAT_R32G32B32A32_UINT;
  copy.extent = {2, 2, 1};
  Call(kCopy, copy);
}

TEST_F(ImageCopiesTest, Planes) {
  ImageCopy copy = {.source = {.offset = {16, 16, 0}}};
  SetPlanes(copy.source, VK_IMAGE_ASPECT_PLANE_1_BIT);
  copy.target.info.format = VK_FORMAT_R8_UNORM;
  Call(kCopy, copy);
  Call(vk::CommandId::kCmdCopyImageToBuffer, copy);
  ExpectNothing();
  // The plane has half of the extent.
  copy.source.offset.x = 17;
  Expect(kCopy, copy, {"VUID-VkCopyImageInfo2-srcOffset-00144"});
}

TEST_F(ImageCopiesTest, LayersAndSlices) {
  ImageCopy copy;
  SetType(copy.target, VK_IMAGE_TYPE_3D);
  copy.source.layers.layerCount = copy.extent.depth = 4;
  Call(kCopy, copy);
  std::swap(copy.source, copy.target);
  Call(kCopy, copy);
  Call(kCopy,
       {.source = {.layers = {kColor, 0, 1, VK_REMAINING_ARRAY_LAYERS}}, .target = {.layers = {kColor, 0, 0, 3}}});
}

TEST_F(ImageCopiesTest, RemainingLayers) {
  const CopySide side = {.layers = {kColor, 0, 3, VK_REMAINING_ARRAY_LAYERS}};
  for (const vk::CommandId id :
       {kCopy, kToImage, kToBuffer, kBlit, vk::CommandId::kCmdCopyImage, vk::CommandId::kCmdCopyBufferToImage,
        vk::CommandId::kCmdCopyImageToBuffer, vk::CommandId::kCmdBlitImage}) {
    Call(id, {side, side});
  }
}

TEST_F(ImageCopiesTest, InOneImage) {
  Call(kCopy, {.target = {.offset = {16, 0, 0}}, .is_one_image = true});
  ImageCopy copy = {.target = {.layers = {kColor, 0, 1, 1}}, .is_one_image = true};
  Call(kCopy, copy);
  copy.source_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  copy.target_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  Call(kCopy, copy);
  Call(kBlit, copy);
}

// No image is in both layouts, so that rule of layouts is broken, too.
TEST_F(ImageCopiesTest, LayoutsInOneImage) {
  ImageCopy copy = {.is_one_image = true, .target_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
  copy.target.offset = {16, 16, 0};
  ExpectEach<vk::CmdCopyImage, vk::CmdCopyImage2>(copy, {"srcImage-09460", "dstImageLayout-00133"});
  ExpectEach<vk::CmdBlitImage, vk::CmdBlitImage2>(copy, {"srcImage-09459", "dstImageLayout-00226"});
}

TEST_F(ImageCopiesTest, Granularity) {
  // Whole transfers, and what reaches to the end.
  ImageCopy copy = {.extent = {12, 64, 1}, .family = kTransferFamily};
  copy.source.info.extent.width = copy.target.info.extent.width = 20;
  copy.source.offset.x = copy.target.offset.x = 8;
  Call(kCopy, copy);
}

TEST_F(ImageCopiesTest, DepthAndStencil) {
  ImageCopy copy;
  SetFormats(copy, VK_FORMAT_D24_UNORM_S8_UINT, kDepth | kStencil);
  Call(kCopy, copy);
  // One byte for each texel of stencil.
  copy.target.layers.aspectMask = kStencil;
  copy.buffer_size = 256;
  Call(kToImage, copy);
}

TEST_F(ImageCopiesTest, Sparse) {
  ImageCopy copy;
  copy.source.info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
  copy.source.is_bound = false;
  Call(kCopy, copy);
}

TEST_F(ImageCopiesTest, Texts) {
  Call(kCopy, {.source = {.offset = {50, 0, 0}}});
  EXPECT_THAT(ExpectMessage("VUID-VkCopyImageInfo2-srcOffset-00144").text,
              HasSubstr("vkCmdCopyImage2(): pCopyImageInfo.pRegions[0].srcOffset has the x 50, from which 16 texels "
                        "are not inside of the level of srcImage VkImage "));
  Call(kToImage, {.buffer_size = 1000});
  EXPECT_THAT(ExpectMessage("VUID-VkCopyBufferToImageInfo2-pRegions-00171").text,
              HasSubstr("pRegions[0] accesses 1024 bytes from bufferOffset (0), but srcBuffer VkBuffer "));
}

}  // namespace
}  // namespace assay::core
