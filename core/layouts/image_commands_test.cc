// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that name the layouts of their images.

#include <functional>
#include <string>

#include "core/layouts/layout_test.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

class NegativeOperand : public LayoutRulesTest {
 protected:
  void SetUp() override {
    LayoutRulesTest::SetUp();
    image = MakeColor();
    other = MakeColor();
    samples = MakeImage({.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                         .imageType = VK_IMAGE_TYPE_2D,
                         .format = kFormat,
                         .extent = {64, 64, 1},
                         .mipLevels = 1,
                         .arrayLayers = 1,
                         .samples = VK_SAMPLE_COUNT_4_BIT,
                         .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
    depth = MakeImage(VK_FORMAT_D32_SFLOAT, 64, 64);
    buffer = MakeBuffer(VkDeviceSize{64} * 64 * 4);
  }
  // With the source in VK_IMAGE_LAYOUT_GENERAL where `source` is another, and the target so, too: one is wrong at a
  // time.
  void Expect(const char* source_rule, const char* target_rule, const test::Image& source,
              const std::function<void(VkCommandBuffer, VkImageLayout, VkImageLayout)>& command) {
    Record([&](VkCommandBuffer c) {
      Barrier(c, source, kUndefined, kSource);
      Barrier(c, other, kUndefined, kTarget);
      command(c, kSource, kTarget);
      ExpectNothing();
      command(c, kGeneral, kTarget);
      ExpectMessage(source_rule);
      command(c, kSource, kGeneral);
      ExpectMessage(target_rule);
    });
  }
  // The same for a command with one image.
  void Expect(const char* rule, const test::Image& of, VkImageLayout layout,
              const std::function<void(VkCommandBuffer, VkImageLayout)>& command) {
    Record([&](VkCommandBuffer c) {
      Barrier(c, of, kUndefined, layout);
      command(c, layout);
      ExpectNothing();
      command(c, kGeneral);
      ExpectMessage(rule);
    });
  }

  test::Image image, other, samples, depth;
  test::Buffer buffer;
  VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
};

TEST_F(NegativeOperand, CopyImage) {
  const VkImageCopy region = {layers, {}, layers, {}, {64, 64, 1}};
  Expect("VUID-vkCmdCopyImage-srcImageLayout-00128", "VUID-vkCmdCopyImage-dstImageLayout-00133", image,
         [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
           vk.CmdCopyImage(c, image, source, other, target, 1, &region);
         });
}
TEST_F(NegativeOperand, CopyImage2) {
  const VkImageCopy2 region = {VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, layers, {}, layers, {}, {64, 64, 1}};
  Expect("VUID-VkCopyImageInfo2-srcImageLayout-00128", "VUID-VkCopyImageInfo2-dstImageLayout-00133", image,
         [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
           const VkCopyImageInfo2 info = {
               VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2, nullptr, image, source, other, target, 1, &region};
           vk.CmdCopyImage2(c, &info);
         });
}
TEST_F(NegativeOperand, BlitImage) {
  const VkImageBlit region = {layers, {{}, {64, 64, 1}}, layers, {{}, {64, 64, 1}}};
  Expect("VUID-vkCmdBlitImage-srcImageLayout-00221", "VUID-vkCmdBlitImage-dstImageLayout-00226", image,
         [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
           vk.CmdBlitImage(c, image, source, other, target, 1, &region, VK_FILTER_NEAREST);
         });
}
TEST_F(NegativeOperand, BlitImage2) {
  const VkImageBlit2 region = {
      VK_STRUCTURE_TYPE_IMAGE_BLIT_2, nullptr, layers, {{}, {64, 64, 1}}, layers, {{}, {64, 64, 1}}};
  Expect(
      "VUID-VkBlitImageInfo2-srcImageLayout-00221", "VUID-VkBlitImageInfo2-dstImageLayout-00226", image,
      [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
        const VkBlitImageInfo2 info = {
            VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2, nullptr, image, source, other, target, 1, &region, VK_FILTER_NEAREST};
        vk.CmdBlitImage2(c, &info);
      });
}
TEST_F(NegativeOperand, ResolveImage) {
  const VkImageResolve region = {layers, {}, layers, {}, {64, 64, 1}};
  Expect("VUID-vkCmdResolveImage-srcImageLayout-00260", "VUID-vkCmdResolveImage-dstImageLayout-00262", samples,
         [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
           vk.CmdResolveImage(c, samples, source, other, target, 1, &region);
         });
}
TEST_F(NegativeOperand, ResolveImage2) {
  const VkImageResolve2 region = {VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2, nullptr, layers, {}, layers, {}, {64, 64, 1}};
  Expect("VUID-VkResolveImageInfo2-srcImageLayout-00260", "VUID-VkResolveImageInfo2-dstImageLayout-00262", samples,
         [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
           const VkResolveImageInfo2 info = {
               VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2, nullptr, samples, source, other, target, 1, &region};
           vk.CmdResolveImage2(c, &info);
         });
}
TEST_F(NegativeOperand, CopyBufferToImage) {
  const VkBufferImageCopy region = {0, 0, 0, layers, {}, {64, 64, 1}};
  Expect(
      "VUID-vkCmdCopyBufferToImage-dstImageLayout-00180", image, kTarget,
      [&](VkCommandBuffer c, VkImageLayout layout) { vk.CmdCopyBufferToImage(c, buffer, image, layout, 1, &region); });
  Expect(
      "VUID-vkCmdCopyImageToBuffer-srcImageLayout-00189", image, kSource,
      [&](VkCommandBuffer c, VkImageLayout layout) { vk.CmdCopyImageToBuffer(c, image, layout, buffer, 1, &region); });
}
TEST_F(NegativeOperand, CopyBufferToImage2) {
  const VkBufferImageCopy2 region = {VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2, nullptr, 0, 0, 0, layers, {}, {64, 64, 1}};
  Expect("VUID-VkCopyBufferToImageInfo2-dstImageLayout-00180", image, kTarget,
         [&](VkCommandBuffer c, VkImageLayout layout) {
           const VkCopyBufferToImageInfo2 info = {
               VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2, nullptr, buffer, image, layout, 1, &region};
           vk.CmdCopyBufferToImage2(c, &info);
         });
  Expect("VUID-VkCopyImageToBufferInfo2-srcImageLayout-00189", image, kSource,
         [&](VkCommandBuffer c, VkImageLayout layout) {
           const VkCopyImageToBufferInfo2 info = {
               VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2, nullptr, image, layout, buffer, 1, &region};
           vk.CmdCopyImageToBuffer2(c, &info);
         });
}
TEST_F(NegativeOperand, Clear) {
  const VkImageSubresourceRange color = image.Range(), range = depth.Range();
  Expect("VUID-vkCmdClearColorImage-imageLayout-00004", image, kTarget, [&](VkCommandBuffer c, VkImageLayout layout) {
    const VkClearColorValue value = {};
    vk.CmdClearColorImage(c, image, layout, &value, 1, &color);
  });
  Expect("VUID-vkCmdClearDepthStencilImage-imageLayout-00011", depth, kTarget,
         [&](VkCommandBuffer c, VkImageLayout layout) {
           const VkClearDepthStencilValue value = {};
           vk.CmdClearDepthStencilImage(c, depth, layout, &value, 1, &range);
         });
}

class NegativeIndirectOperand : public NegativeOperand {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = NegativeOperand::Options();
    options.device_extensions.push_back(VK_NV_COPY_MEMORY_INDIRECT_EXTENSION_NAME);
    options.features = &features_;
    return options;
  }

 private:
  VkPhysicalDeviceCopyMemoryIndirectFeaturesNV features_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_NV, .indirectCopy = VK_TRUE};
};
TEST_F(NegativeIndirectOperand, CopyMemoryToImage) {
  Expect("VUID-vkCmdCopyMemoryToImageIndirectNV-dstImageLayout-07667", image, kTarget,
         [&](VkCommandBuffer c, VkImageLayout layout) {
           vk.CmdCopyMemoryToImageIndirectNV(c, 0x10000, 1, sizeof(VkCopyMemoryToImageIndirectCommandNV), image, layout,
                                             &layers);
         });
}

TEST_F(NegativeOperand, FirstAccessIsComparedWithTheDevice) {
  Run(Transition(image, kUndefined, kGeneral));
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    const VkClearColorValue value = {};
    const VkImageSubresourceRange range = image.Range();
    vk.CmdClearColorImage(c, image, kTarget, &value, 1, &range);
  });
  ExpectNothing();
  Submit(Queue(), {commands});
  const std::string text = ExpectMessage("VUID-vkCmdClearColorImage-imageLayout-00004").text;
  EXPECT_NE(text.find("executes vkCmdClearColorImage() of VkCommandBuffer"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay::core
