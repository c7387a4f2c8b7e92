// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RENDER_PASSES_RENDER_PASS_TEST_H_
#define ASSAY_CORE_RENDER_PASSES_RENDER_PASS_TEST_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/format_info.h"
#include "vk/vulkan.h"

// Test-only: a render pass with an attachment of each kind, and what it is used with.
namespace assay::core {

inline constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat kDepthFormat = VK_FORMAT_D24_UNORM_S8_UINT;

enum : uint32_t { kColor, kDepth, kInput, kResolve, kDepthResolve, kRateOrMap };

// An attachment. What an imageless framebuffer describes is the image.
struct Target {
  Target(VkFormat format, VkSampleCountFlagBits samples, VkImageUsageFlags usage, uint32_t size = 64)
      : formats({format}) {
    image = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
             .imageType = VK_IMAGE_TYPE_2D,
             .format = format,
             .extent = {size, size, 1},
             .mipLevels = 1,
             .arrayLayers = 2,
             .samples = samples,
             .usage = usage};
    view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
            .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
            .format = format,
            .subresourceRange = {vk::GetFormatInfo(format)->aspects, 0, 1, 0, 2}};
    description = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                   .format = format,
                   .samples = samples,
                   .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                   .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                   .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                   .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
  }

  VkImageCreateInfo image;
  // Without the image.
  VkImageViewCreateInfo view;
  VkAttachmentDescription2 description;
  // In the subpass.
  VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
  std::vector<VkFormat> formats;
};

struct PassOptions {
  std::vector<Target> targets = {
      {kColorFormat, VK_SAMPLE_COUNT_4_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
      {kDepthFormat, VK_SAMPLE_COUNT_4_BIT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
      {kColorFormat, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT},
      {kColorFormat, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
      {kDepthFormat, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
  };
  uint32_t view_mask = 0;
  bool has_shading_rate = false;
  bool has_density_map = false;
  // Renders four samples to images with one; then there is nothing to resolve.
  bool has_single_sampled = false;
  // The subpass has all attachments, or none.
  bool has_references = true;
  bool is_imageless = false;
  // Fewer attachments of the framebuffer, or of its description, than of the render pass.
  uint32_t left_out = 0;
  uint32_t left_out_images = 0;
  uint32_t width = 64;
  uint32_t layers = 1;
};

class RenderPassTest : public test::ValidationTest {
 protected:
  VkImageView MakeTargetView(const Target& target) {
    std::vector<VkFormat> formats = target.formats;
    if (!formats.empty() && std::ranges::count(formats, target.view.format) == 0) formats.push_back(target.view.format);
    const VkImageFormatListCreateInfo list = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                              .viewFormatCount = static_cast<uint32_t>(formats.size()),
                                              .pViewFormats = formats.data()};
    VkImageCreateInfo image = target.image;
    image.pNext = &list;
    VkImageViewCreateInfo view = target.view;
    view.image = MakeImage(image);
    return MakeView(view);
  }
  std::vector<VkImageView> MakeViews(const PassOptions& options) {
    std::vector<VkImageView> views;
    for (size_t i = 0; i + options.left_out < options.targets.size(); ++i)
      views.push_back(MakeTargetView(options.targets[i]));
    return views;
  }

  VkRenderPass MakePass(const PassOptions& options) {
    std::vector<VkAttachmentDescription2> descriptions;
    std::vector<VkAttachmentReference2> references;
    for (uint32_t i = 0; i < options.targets.size(); ++i) {
      descriptions.push_back(options.targets[i].description);
      references.push_back({VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, i, options.targets[i].layout,
                            options.targets[i].view.subresourceRange.aspectMask});
    }
    VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .viewMask = options.view_mask};
    VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                    .attachmentCount = static_cast<uint32_t>(descriptions.size()),
                                    .pAttachments = descriptions.data(),
                                    .subpassCount = 1,
                                    .pSubpasses = &subpass};
    VkSubpassDescriptionDepthStencilResolve resolve = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE,
        .depthResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
        .stencilResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT};
    const VkFragmentShadingRateAttachmentInfoKHR rate = {
        .sType = VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
        .pFragmentShadingRateAttachment = &references.back(),
        .shadingRateAttachmentTexelSize = {8, 8}};
    const VkRenderPassFragmentDensityMapCreateInfoEXT map = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT,
        .fragmentDensityMapAttachment = {kRateOrMap, VK_IMAGE_LAYOUT_GENERAL}};
    if (options.has_references) {
      subpass.pNext = &resolve;
      subpass.inputAttachmentCount = 1;
      subpass.pInputAttachments = &references[kInput];
      subpass.colorAttachmentCount = 1;
      subpass.pColorAttachments = &references[kColor];
      subpass.pResolveAttachments = &references[kResolve];
      subpass.pDepthStencilAttachment = &references[kDepth];
      resolve.pDepthStencilResolveAttachment = &references[kDepthResolve];
    }
    const VkMultisampledRenderToSingleSampledInfoEXT single_sampled = {
        .sType = VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT,
        .pNext = &resolve,
        .multisampledRenderToSingleSampledEnable = VK_TRUE,
        .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT};
    if (options.has_single_sampled) {
      subpass.pNext = &single_sampled;
      subpass.pResolveAttachments = nullptr;
      resolve.pDepthStencilResolveAttachment = nullptr;
    }
    if (options.has_shading_rate) resolve.pNext = &rate;
    if (options.has_density_map) info.pNext = &map;
    return MakeRenderPass(info);
  }

  // An imageless framebuffer has no views.
  VkFramebuffer MakeTargets(const PassOptions& options, VkRenderPass pass, const std::vector<VkImageView>& views) {
    std::vector<VkFramebufferAttachmentImageInfo> images;
    images.reserve(options.targets.size());
    for (const Target& target : options.targets) {
      images.push_back({.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
                        .flags = target.image.flags,
                        .usage = target.image.usage,
                        .width = target.image.extent.width,
                        .height = target.image.extent.height,
                        .layerCount = target.view.subresourceRange.layerCount,
                        .viewFormatCount = static_cast<uint32_t>(target.formats.size()),
                        .pViewFormats = target.formats.data()});
    }
    const VkFramebufferAttachmentsCreateInfo given = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
        .attachmentImageInfoCount = static_cast<uint32_t>(images.size()) - options.left_out - options.left_out_images,
        .pAttachmentImageInfos = images.data()};
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .pNext = options.is_imageless ? &given : nullptr,
        .flags = options.is_imageless ? VkFramebufferCreateFlags{VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT} : 0,
        .renderPass = pass,
        .attachmentCount = static_cast<uint32_t>(options.targets.size()) - options.left_out,
        .pAttachments = options.is_imageless ? nullptr : views.data(),
        .width = options.width,
        .height = 64,
        .layers = options.layers};
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateFramebuffer(device, &info, nullptr, &framebuffer), VK_SUCCESS);
    Defer(framebuffer, [=, this] { vk.DestroyFramebuffer(device, framebuffer, nullptr); });
    return framebuffer;
  }
};

class RenderPassBegins : public RenderPassTest {
 protected:
  void BeginAndEnd(const VkRenderPassBeginInfo& info, bool is_second, const std::string& expected) {
    Record([&](VkCommandBuffer c) {
      const VkSubpassBeginInfo contents = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, nullptr, VK_SUBPASS_CONTENTS_INLINE};
      if (is_second) {
        vk.CmdBeginRenderPass2(c, &info, &contents);
      } else {
        vk.CmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
      }
      if (!expected.empty()) ExpectMessage(expected);
      vk.CmdEndRenderPass(c);
    });
    ExpectNothing();
  }
  // With both commands. The rule is null if the call is correct.
  void ExpectRule(const VkRenderPassBeginInfo& info, const char* rule) {
    SCOPED_TRACE(rule != nullptr ? rule : "correct");
    const std::string id = rule != nullptr ? std::string("VUID-VkRenderPass") + rule : "";
    for (const bool is_second : {false, true}) BeginAndEnd(info, is_second, id);
  }
  VkRenderPassBeginInfo BeginOf(const PassOptions& options) {
    const VkRenderPass pass = MakePass(options);
    return {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
            .renderPass = pass,
            .framebuffer =
                MakeTargets(options, pass, options.is_imageless ? std::vector<VkImageView>() : MakeViews(options)),
            .renderArea = {{0, 0}, {64, 64}}};
  }
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RENDER_PASSES_RENDER_PASS_TEST_H_
