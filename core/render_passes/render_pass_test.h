// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RENDER_PASSES_RENDER_PASS_TEST_H_
#define ASSAY_CORE_RENDER_PASSES_RENDER_PASS_TEST_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/render_passes/pass_creation_test.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/format_info.h"
#include "vk/vulkan.h"

// Test-only: a render pass with an attachment of each kind, and what it is used with.
namespace assay::core {

enum : uint32_t { kColor, kDepth, kInput, kResolve, kDepthResolve, kRateOrMap };

// An attachment. What an imageless framebuffer describes is the image.
struct Target {
  Target(VkFormat format, VkSampleCountFlagBits samples, VkImageUsageFlags usage, uint32_t size = 64)
      : image(test::ImageInfo(format, size, usage)), description(Description(format, samples)), formats({format}) {
    image.arrayLayers = 2;
    image.samples = samples;
    view = {.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
            .format = format,
            .subresourceRange = {vk::GetFormatInfo(format)->aspects, 0, 1, 0, 2}};
  }
  VkImageSubresourceRange& range() { return view.subresourceRange; }
  // A 3D image, viewed as one.
  void Set3d() {
    image.imageType = VK_IMAGE_TYPE_3D;
    image.arrayLayers = range().layerCount = 1;
    view.viewType = VK_IMAGE_VIEW_TYPE_3D;
  }
  // Two slices of a 3D image.
  void SetSlices() {
    image.imageType = VK_IMAGE_TYPE_3D;
    image.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    image.arrayLayers = 1;
    image.extent.depth = 2;
  }
  // Two mip levels.
  void SetLevels(uint32_t of_view) {
    image.mipLevels = 2;
    range().levelCount = of_view;
  }
  void SetFormats(std::vector<VkFormat> of_views) {
    image.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    formats = std::move(of_views);
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

// A change of one attachment.
template <class F>
auto OfTarget(uint32_t target, const F& change) {
  return [=](PassOptions& options) { change(options.targets[target]); };
}

class RenderPassTest : public PassFixture {
 protected:
  VkImageView MakeTargetView(const Target& target) {
    std::vector<VkFormat> formats = target.formats;
    if (!formats.empty() && std::ranges::count(formats, target.view.format) == 0) formats.push_back(target.view.format);
    const auto list = Typed(VkImageFormatListCreateInfo{.viewFormatCount = static_cast<uint32_t>(formats.size()),
                                                        .pViewFormats = formats.data()});
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
    Pass pass;
    pass.attachments.clear();
    for (const Target& target : options.targets) pass.attachments.push_back(target.description);
    if (!options.has_references) return MakeRenderPass(pass.attachments, {VkSubpassDescription2{}});
    pass.colors[0].layout = options.targets[kColor].layout;
    pass.view_mask = options.view_mask;
    pass.resolve.pDepthStencilResolveAttachment = &pass.depth_resolve;
    if (options.has_single_sampled) {
      pass.single_sampled.multisampledRenderToSingleSampledEnable = VK_TRUE;
      pass.resolves.clear();
      pass.resolve.pDepthStencilResolveAttachment = nullptr;
    }
    if (options.has_shading_rate) pass.rate.pFragmentShadingRateAttachment = &pass.rate_reference;
    if (options.has_density_map) pass.density.fragmentDensityMapAttachment.attachment = kRateOrMap;
    VkRenderPass made = VK_NULL_HANDLE;
    WithInfo(pass, true, [&](const VkRenderPassCreateInfo2& info) { made = MakeRenderPass(info); });
    return made;
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
    const auto given = Typed(VkFramebufferAttachmentsCreateInfo{
        .attachmentImageInfoCount = static_cast<uint32_t>(images.size()) - options.left_out - options.left_out_images,
        .pAttachmentImageInfos = images.data()});
    return MakeFrom({.pNext = options.is_imageless ? &given : nullptr,
                     .flags = options.is_imageless ? VkFramebufferCreateFlags{VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT} : 0,
                     .renderPass = pass,
                     .attachmentCount = static_cast<uint32_t>(options.targets.size()) - options.left_out,
                     .pAttachments = options.is_imageless ? nullptr : views.data(),
                     .width = options.width,
                     .height = 64,
                     .layers = options.layers},
                    vk.CreateFramebuffer, vk.DestroyFramebuffer);
  }
};

class RenderPassBegins : public RenderPassTest {
 protected:
  void BeginAndEnd(const VkRenderPassBeginInfo& info, bool is_second, const std::string& expected,
                   uint32_t queue_family = 0) {
    const VkSubpassBeginInfo contents = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, nullptr, VK_SUBPASS_CONTENTS_INLINE};
    const auto record = [&](VkCommandBuffer c) {
      is_second ? vk.CmdBeginRenderPass2(c, &info, &contents)
                : vk.CmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
      if (!expected.empty()) ExpectMessage(expected);
      vk.CmdEndRenderPass(c);
    };
    Record(record, queue_family);
    ExpectNothing();
  }
  // With both commands. The rule is empty if the call is correct.
  void ExpectRule(const VkRenderPassBeginInfo& info, const std::string& rule) {
    SCOPED_TRACE(rule);
    for (const bool is_second : {false, true})
      BeginAndEnd(info, is_second, rule.empty() ? "" : "VUID-VkRenderPass" + rule);
  }
  static VkRenderPassAttachmentBeginInfo Given(const std::vector<VkImageView>& views) {
    return Of<VkRenderPassAttachmentBeginInfo>(static_cast<uint32_t>(views.size()), views.data());
  }
  VkRenderPassBeginInfo BeginOf(const PassOptions& options) {
    const VkRenderPass pass = MakePass(options);
    const auto views = options.is_imageless ? std::vector<VkImageView>() : MakeViews(options);
    return BeginInfo(pass, MakeTargets(options, pass, views));
  }
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RENDER_PASSES_RENDER_PASS_TEST_H_
