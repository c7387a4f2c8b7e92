// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that name the layouts of their images.

#include <functional>
#include <string>

#include "core/layouts/layout_test.h"
#include "gmock/gmock.h"
#include "vk/struct_traits.h"

namespace assay::core {
namespace {

constexpr VkExtent3D kAll = {64, 64, 1};

// A command with the layout of its image.
using OneLayout = std::function<void(VkCommandBuffer, VkImageLayout)>;

class NegativeOperand : public LayoutRulesTest {
 protected:
  void SetUp() override {
    LayoutRulesTest::SetUp();
    other = MakeColor();
    samples = MakeSamples(kFormat, VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    depth = MakeImage(VK_FORMAT_D32_SFLOAT, 64, 64);
    buffer = MakeBuffer(VkDeviceSize{64} * 64 * 4);
  }
  // Of both versions of a command: of vkCmdX and of VkXInfo2. With the source in VK_IMAGE_LAYOUT_GENERAL where `source`
  // is another, and the target so, too: one is wrong at a time. `more` stands behind the regions.
  template <class Region, class Info2, class Region2, class... More>
  void Expect(const std::string& name, const char* source_number, const char* target_number, const test::Image& source,
              void(VKAPI_PTR* command)(VkCommandBuffer, VkImage, VkImageLayout, VkImage, VkImageLayout, uint32_t,
                                       const Region*, More...),
              const Region& region, void(VKAPI_PTR* command2)(VkCommandBuffer, const Info2*), const Region2& region2,
              More... more) {
    for (const bool is_second : {false, true}) {
      const auto call = [&](VkCommandBuffer c, VkImageLayout from, VkImageLayout to) {
        const Info2 info = {vk::kStructureTypeOf<Info2>, nullptr, source, from, other, to, 1, &region2, more...};
        is_second ? command2(c, &info) : command(c, source, from, other, to, 1, &region, more...);
      };
      const std::string owner = "VUID-" + (is_second ? "Vk" + name + "Info2" : "vkCmd" + name);
      Record([&](VkCommandBuffer c) {
        Barrier(c, source, kUndefined, kSource);
        Barrier(c, other, kUndefined, kTarget);
        call(c, kSource, kTarget);
        ExpectNothing();
        call(c, kGeneral, kTarget);
        ExpectMessage(owner + "-srcImageLayout-" + source_number);
        call(c, kSource, kGeneral);
        ExpectMessage(owner + "-dstImageLayout-" + target_number);
      });
    }
  }
  // The same for a command with one image.
  void Expect(const std::string& rule, const test::Image& of, VkImageLayout layout, const OneLayout& command) {
    Record([&](VkCommandBuffer c) {
      Barrier(c, of, kUndefined, layout);
      command(c, layout);
      ExpectNothing();
      command(c, kGeneral);
      ExpectMessage("VUID-" + rule);
    });
  }

  test::Image other, samples, depth;
  test::Buffer buffer;
  VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
};

TEST_F(NegativeOperand, CopyImage) {
  const VkImageCopy region = {layers, {}, layers, {}, kAll};
  const VkImageCopy2 region2 = {VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, layers, {}, layers, {}, kAll};
  Expect("CopyImage", "00128", "00133", image, vk.CmdCopyImage, region, vk.CmdCopyImage2, region2);
}
TEST_F(NegativeOperand, BlitImage) {
  const VkImageBlit region = {layers, {{}, {64, 64, 1}}, layers, {{}, {64, 64, 1}}};
  const VkImageBlit2 region2 = {
      VK_STRUCTURE_TYPE_IMAGE_BLIT_2, nullptr, layers, {{}, {64, 64, 1}}, layers, {{}, {64, 64, 1}}};
  Expect("BlitImage", "00221", "00226", image, vk.CmdBlitImage, region, vk.CmdBlitImage2, region2, VK_FILTER_NEAREST);
}
TEST_F(NegativeOperand, ResolveImage) {
  const VkImageResolve region = {layers, {}, layers, {}, kAll};
  const VkImageResolve2 region2 = {VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2, nullptr, layers, {}, layers, {}, kAll};
  Expect("ResolveImage", "00260", "00262", samples, vk.CmdResolveImage, region, vk.CmdResolveImage2, region2);
}
TEST_F(NegativeOperand, CopyBufferToImage) {
  const VkBufferImageCopy region = {0, 0, 0, layers, {}, kAll};
  const VkBufferImageCopy2 region2 = {VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2, nullptr, 0, 0, 0, layers, {}, kAll};
  Expect("vkCmdCopyBufferToImage-dstImageLayout-00180", image, kTarget,
         [&](auto c, auto layout) { vk.CmdCopyBufferToImage(c, buffer, image, layout, 1, &region); });
  Expect("vkCmdCopyImageToBuffer-srcImageLayout-00189", image, kSource,
         [&](auto c, auto layout) { vk.CmdCopyImageToBuffer(c, image, layout, buffer, 1, &region); });
  Expect("VkCopyBufferToImageInfo2-dstImageLayout-00180", image, kTarget, [&](auto c, auto layout) {
    const auto info = Of<VkCopyBufferToImageInfo2>(buffer, image, layout, 1, &region2);
    vk.CmdCopyBufferToImage2(c, &info);
  });
  Expect("VkCopyImageToBufferInfo2-srcImageLayout-00189", image, kSource, [&](auto c, auto layout) {
    const auto info = Of<VkCopyImageToBufferInfo2>(image, layout, buffer, 1, &region2);
    vk.CmdCopyImageToBuffer2(c, &info);
  });
}
TEST_F(NegativeOperand, Clear) {
  const VkImageSubresourceRange color = image.Range(), range = depth.Range();
  const VkClearColorValue value = {};
  const VkClearDepthStencilValue depth_value = {};
  Expect("vkCmdClearColorImage-imageLayout-00004", image, kTarget,
         [&](auto c, auto layout) { vk.CmdClearColorImage(c, image, layout, &value, 1, &color); });
  Expect("vkCmdClearDepthStencilImage-imageLayout-00011", depth, kTarget,
         [&](auto c, auto layout) { vk.CmdClearDepthStencilImage(c, depth, layout, &depth_value, 1, &range); });
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
  Expect("vkCmdCopyMemoryToImageIndirectNV-dstImageLayout-07667", image, kTarget, [&](auto c, auto layout) {
    vk.CmdCopyMemoryToImageIndirectNV(c, 0x10000, 1, sizeof(VkCopyMemoryToImageIndirectCommandNV), image, layout,
                                      &layers);
  });
}

TEST_F(NegativeOperand, FirstAccessIsComparedWithTheDevice) {
  Run(Transition(image, kUndefined, kGeneral));
  const VkClearColorValue value = {};
  const VkImageSubresourceRange range = image.Range();
  vk.CmdClearColorImage(commands, image, kTarget, &value, 1, &range);
  ExpectNothing();
  RunCommands();
  EXPECT_THAT(ExpectMessage("VUID-vkCmdClearColorImage-imageLayout-00004").text,
              ::testing::HasSubstr("executes vkCmdClearColorImage() of VkCommandBuffer"));
}

}  // namespace
}  // namespace assay::core
