// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/render_passes/render_pass_compatibility.h"

#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

// A render pass of two subpasses, with one attachment of each kind in each.
struct Pass {
  // The structures need no sType.
  VkAttachmentDescription2 attachments[2] = {
      {.format = VK_FORMAT_R8G8B8A8_UNORM, .samples = VK_SAMPLE_COUNT_1_BIT},
      {.format = VK_FORMAT_D32_SFLOAT, .samples = VK_SAMPLE_COUNT_1_BIT},
  };
  VkAttachmentReference2 color = {.attachment = 0}, input = color, resolve = color, depth = {.attachment = 1};
  uint32_t color_count = 1;
  uint32_t view_mask = 0;
  uint32_t subpass_count = 2;

  state::Ref<state::RenderPass> Make() const {
    const VkSubpassDescription2 subpass = {.viewMask = view_mask,
                                           .inputAttachmentCount = 1,
                                           .pInputAttachments = &input,
                                           .colorAttachmentCount = color_count,
                                           .pColorAttachments = &color,
                                           .pResolveAttachments = &resolve,
                                           .pDepthStencilAttachment = &depth};
    const VkSubpassDescription2 subpasses[] = {subpass, subpass};
    const VkRenderPassCreateInfo2 info = {
        .attachmentCount = 2, .pAttachments = attachments, .subpassCount = subpass_count, .pSubpasses = subpasses};
    return state::MakeRef<state::RenderPass>(uint64_t{1}, info);
  }
};

// The difference between a render pass and one that is changed; `both` changes both first.
std::string Difference(const std::function<void(Pass&)>& change, const std::function<void(Pass&)>& both = {}) {
  Pass one;
  if (both) both(one);
  Pass other = one;
  change(other);
  const auto a = one.Make(), b = other.Make();
  const auto difference = DifferenceOf(*a, *b);
  EXPECT_EQ(difference.has_value(), DifferenceOf(*b, *a).has_value());
  return difference ? difference->Text() : "";
}

TEST(RenderPassCompatibility, Compatible) {
  EXPECT_EQ(Difference([](Pass&) {}), "");
  EXPECT_EQ(Difference([](Pass& p) { p.attachments[0].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR; }), "");
  EXPECT_EQ(Difference([](Pass& p) { p.attachments[0].finalLayout = VK_IMAGE_LAYOUT_GENERAL; }), "");
  EXPECT_EQ(Difference([](Pass& p) { p.color.layout = VK_IMAGE_LAYOUT_GENERAL; }), "");
  // A reference that is not there is as one that is unused.
  EXPECT_EQ(Difference([](Pass& p) { p.color_count = 0; },
                       [](Pass& p) { p.color.attachment = p.resolve.attachment = VK_ATTACHMENT_UNUSED; }),
            "");
  const auto pass = Pass().Make();
  EXPECT_EQ(DifferenceOf(*pass, *pass), std::nullopt);
}

TEST(RenderPassCompatibility, Different) {
  EXPECT_EQ(Difference([](Pass& p) { p.subpass_count = 1; }), "the number of subpasses");
  EXPECT_EQ(Difference([](Pass& p) { p.view_mask = 1; }), "the view mask of subpass 0");
  EXPECT_EQ(Difference([](Pass& p) { p.attachments[0].format = VK_FORMAT_R8G8B8A8_SRGB; }),
            "the format of color attachment 0 of subpass 0");
  EXPECT_EQ(Difference([](Pass& p) { p.attachments[1].samples = VK_SAMPLE_COUNT_4_BIT; }),
            "the sample count of depth/stencil attachment 0 of subpass 0");
  EXPECT_EQ(Difference([](Pass& p) { p.color.attachment = VK_ATTACHMENT_UNUSED; }),
            "the use of color attachment 0 of subpass 0");
  EXPECT_EQ(Difference([](Pass& p) { p.input.attachment = VK_ATTACHMENT_UNUSED; }),
            "the use of input attachment 0 of subpass 0");
}

TEST(RenderPassCompatibility, ResolveAttachmentsCountWithSeveralSubpasses) {
  const auto change = [](Pass& p) { p.resolve.attachment = VK_ATTACHMENT_UNUSED; };
  EXPECT_EQ(Difference(change), "the use of resolve attachment 0 of subpass 0");
  EXPECT_EQ(Difference(change, [](Pass& p) { p.subpass_count = 1; }), "");
}

}  // namespace
}  // namespace assay::core
