// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
// From color output to input attachments.
constexpr VkPipelineStageFlags kSrc = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkPipelineStageFlags kDst = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
constexpr VkAccessFlags kWrite = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, kRead = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;

using test::Of;

struct PassOptions {
  bool has_dependency = true;
  bool reads = true;
  uint32_t view_mask = 0;
};

class SubpassBarrier : public test::ValidationTest {
 protected:
  using Commands = std::function<void(VkCommandBuffer)>;

  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}}}; }
  void SetUp() override {
    ValidationTest::SetUp();
    image = MakeImage(kFormat, 16, 16, 0, 1, 2);
    other = MakeImage(kFormat, 16, 16);
    view = MakeView(image);
  }

  static VkAttachmentDescription2 Attachment(VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
    return {.format = kFormat, .samples = samples, .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE, .finalLayout = kGeneral};
  }
  static VkAttachmentReference2 Reference(uint32_t attachment) {
    return Of<VkAttachmentReference2>(attachment, kGeneral, VK_IMAGE_ASPECT_COLOR_BIT);
  }
  // Calls commands(c) in a render pass of one subpass, which has a dependency on itself: from color output to input
  // attachments.
  void RenderTo(const std::vector<VkImageView>& views, const std::vector<VkAttachmentDescription2>& attachments,
                const VkSubpassDescription2& subpass, const Commands& commands, bool has_dependency = true) {
    const VkDependencyFlags view_local = subpass.viewMask != 0 ? VK_DEPENDENCY_VIEW_LOCAL_BIT : 0;
    const auto dependency =
        Of<VkSubpassDependency2>(0, 0, kSrc, kDst, kWrite, kRead, VK_DEPENDENCY_BY_REGION_BIT | view_local);
    const std::vector<VkSubpassDependency2> dependencies(has_dependency ? 1 : 0, dependency);
    const VkRenderPass pass = MakeRenderPass(attachments, {subpass}, dependencies);
    const VkRenderPassBeginInfo begin = BeginInfo(pass, MakeFramebuffer(pass, views, 16, 16), 16);
    Record([&](VkCommandBuffer c) {
      vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
      commands(c);
      vk.CmdEndRenderPass(c);
    });
  }
  // In a render pass whose one attachment is `image`.
  void Render(const PassOptions& options, const Commands& commands) {
    const VkAttachmentReference2 reference = Reference(0);
    const VkSubpassDescription2 subpass = {.viewMask = options.view_mask,
                                           .inputAttachmentCount = options.reads,
                                           .pInputAttachments = &reference,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachments = &reference};
    RenderTo({view}, {Attachment()}, subpass, commands, options.has_dependency);
  }
  template <class B>
  static B BarrierOf(VkImage of) {
    return test::Typed(B{.srcAccessMask = kWrite,
                         .dstAccessMask = kRead,
                         .oldLayout = kGeneral,
                         .newLayout = kGeneral,
                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                         .image = of,
                         .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}});
  }
  // From color output to input attachments, with vkCmdPipelineBarrier2 or vkCmdPipelineBarrier.
  void Barrier(VkCommandBuffer c, VkImage of, bool second, VkDependencyFlags flags = VK_DEPENDENCY_BY_REGION_BIT) {
    if (second) {
      auto barrier = BarrierOf<VkImageMemoryBarrier2>(of);
      barrier.srcStageMask = kSrc, barrier.dstStageMask = kDst;
      const auto info = Of<VkDependencyInfo>(flags, 0, nullptr, 0, nullptr, 1, &barrier);
      return vk.CmdPipelineBarrier2(c, &info);
    }
    const auto barrier = BarrierOf<VkImageMemoryBarrier>(of);
    vk.CmdPipelineBarrier(c, kSrc, kDst, flags, 0, nullptr, 0, nullptr, 1, &barrier);
  }
  // Both commands break these rules. Returns the text of the second one's last message.
  std::string ExpectOfBoth(VkCommandBuffer c, VkImage of, const std::vector<std::string>& rules) {
    std::string text;
    for (const bool second : {false, true}) {
      Barrier(c, of, second);
      std::vector<std::string> ids;
      ids.reserve(rules.size());
      for (const std::string& rule : rules)
        ids.push_back((second ? "VUID-vkCmdPipelineBarrier2-" : "VUID-vkCmdPipelineBarrier-") + rule);
      for (const test::Message& message : ExpectMessages(ids)) text = message.text;
    }
    return text;
  }

  test::Image image, other;
  VkImageView view = VK_NULL_HANDLE;
};

TEST_F(SubpassBarrier, Right) {
  Render({}, [&](VkCommandBuffer c) { ExpectOfBoth(c, image, {}); });
  Render({.view_mask = 3}, [&](VkCommandBuffer c) {
    Barrier(c, image, true, VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT);
  });
}
TEST_F(SubpassBarrier, NoSelfDependency) {
  Render({.has_dependency = false}, [&](VkCommandBuffer c) {
    const std::string text = ExpectOfBoth(c, image, {"None-07889"});
    EXPECT_NE(text.find("is in subpass 0 of VkRenderPass"), std::string::npos) << text;
  });
}
TEST_F(SubpassBarrier, SeveralViews) {
  Render({.view_mask = 3}, [&](VkCommandBuffer c) { ExpectOfBoth(c, image, {"None-07893", "None-07889"}); });
}
TEST_F(SubpassBarrier, NoAttachment) {
  Render({}, [&](VkCommandBuffer c) { ExpectOfBoth(c, other, {"image-04073"}); });
}
// Any attachment will do, unless strict.
TEST_F(SubpassBarrier, AttachmentThatIsNotRead) {
  Render({.reads = false}, [&](VkCommandBuffer c) { ExpectOfBoth(c, image, {}); });
}

class StrictSubpassBarrier : public SubpassBarrier {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}, {"strict", true}}}; }
};
TEST_F(StrictSubpassBarrier, Right) {
  Render({}, [&](VkCommandBuffer c) { Barrier(c, image, true); });
}
TEST_F(StrictSubpassBarrier, AttachmentThatIsNotRead) {
  Render({.reads = false}, [&](VkCommandBuffer c) {
    const std::string text = ExpectOfBoth(c, image, {"image-04073"});
    EXPECT_NE(text.find("is no input attachment"), std::string::npos) << text;
  });
}
TEST_F(SubpassBarrier, ResolveAttachment) {
  VkImageCreateInfo info = other.info;
  info.samples = VK_SAMPLE_COUNT_4_BIT, info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  const VkAttachmentReference2 color = Reference(0), resolve = Reference(1);
  const VkSubpassDescription2 subpass = {.inputAttachmentCount = 1,
                                         .pInputAttachments = &resolve,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &color,
                                         .pResolveAttachments = &resolve};
  RenderTo({MakeView(MakeImage(info)), MakeView(other)}, {Attachment(VK_SAMPLE_COUNT_4_BIT), Attachment()}, subpass,
           [&](VkCommandBuffer c) { ExpectOfBoth(c, other, {"image-09373"}); });
}
TEST_F(SubpassBarrier, DynamicRendering) {
  for (VkImageLayout layout : {VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL}) {
    const auto color = Of<VkRenderingAttachmentInfo>(view, layout);
    // Of one layer, without multiview, with one color attachment.
    const auto info = Of<VkRenderingInfo>(0, VkRect2D{{0, 0}, {16, 16}}, 1, 0, 1, &color);
    std::vector<std::string> rules;
    if (layout == VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL) rules = {"image-09555"};
    Record([&](VkCommandBuffer c) {
      vk.CmdBeginRendering(c, &info);
      ExpectOfBoth(c, image, rules);
      vk.CmdEndRendering(c);
    });
  }
}

}  // namespace
}  // namespace assay::core
