// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// vkCmdBeginRendering with attachments that break one rule, and the correct twins.

#include "core/rendering/rendering_test.h"

namespace assay::core {
namespace {

constexpr auto kZero = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
constexpr auto kAverage = VK_RESOLVE_MODE_AVERAGE_BIT;

TEST_F(RenderingTest, Area) {
  Start();
  const VkPhysicalDeviceLimits& limits = driver().config().limits;
  const auto alone = [](Rendering& r) { r.ColorOnly(), r.info.colorAttachmentCount = 0; };
  const auto narrow = [this](Rendering& r) { r.colors[0].imageView = View({.size = 32}); };
  Run({
      {"", [](auto&) {}},
      {"", [](auto& r) { r.info.pNext = &r.group; }},
      {"None-08994", [](auto& r) { r.info.renderArea.extent.width = 0; }},
      {"None-08995", [](auto& r) { r.info.renderArea.extent.height = 0; }},
      {"pNext-06077", [](auto& r) { r.info.renderArea.offset.x = -1; }},
      {"pNext-06078", [](auto& r) { r.info.renderArea.offset.y = -1; }},
      {"pNext-06079", [&](auto& r) { narrow(r), r.info.renderArea.extent.height = 32; }},
      {"pNext-06080", [&](auto& r) { narrow(r), r.info.renderArea.extent.width = 32; }},
      {"pNext-06083", [](auto& r) { r.ColorOnly(), r.info.pNext = &r.group, r.area.extent.width = 65; }},
      {"pNext-06084", [](auto& r) { r.ColorOnly(), r.info.pNext = &r.group, r.area.extent.height = 65; }},
      {"pNext-07815", [&](auto& r) { alone(r), r.info.renderArea.extent.width = limits.maxFramebufferWidth + 1; }},
      {"pNext-07816", [&](auto& r) { alone(r), r.info.renderArea.extent.height = limits.maxFramebufferHeight + 1; }},
      {"viewMask-06128", [](auto& r) { r.info.viewMask = 1u << 6; }},
      {"", [](auto& r) { r.info.viewMask = 1u << 5; }},
  });
}

TEST_F(RenderingTest, Flags) {
  Start({"VK_EXT_nested_command_buffer"}, {"nestedCommandBuffer", "nestedCommandBufferRendering"});
  Run({{"flags-10012", [](Rendering& r) { r.info.flags = VK_RENDERING_CONTENTS_INLINE_BIT_KHR; }}});
  is_secondary_ = true;
  Run({{"vkCmdBeginRendering-commandBuffer-06068",
        [](auto& r) { r.info.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT; }}});
}

TEST_F(RenderingTest, Usages) {
  Start();
  const ViewOptions sampled = {kColorFormat, VK_IMAGE_USAGE_SAMPLED_BIT};
  const ViewOptions sampled_depth = {kDepthFormat, VK_IMAGE_USAGE_SAMPLED_BIT};
  // Resolves depth or stencil alone.
  const auto resolve = [&](Rendering& r, VkRenderingAttachmentInfo& of) {
    r.info.colorAttachmentCount = 0, Resolve(of, kDepth4, sampled_depth, kZero);
  };
  Run({
      {"colorAttachmentCount-06087", [&](auto& r) { r.colors[0].imageView = View(sampled); }},
      {"pDepthAttachment-06088", [&](auto& r) { r.DepthOnly(), r.depth.imageView = View(sampled_depth); }},
      {"pStencilAttachment-06089", [&](auto& r) { r.StencilOnly(), r.stencil.imageView = View(sampled_depth); }},
      {"pDepthAttachment-06547",
       [&](auto& r) { r.DepthOnly(), r.depth.imageView = View({VK_FORMAT_S8_UINT, kDepthUsage}); }},
      {"pStencilAttachment-06548",
       [&](auto& r) { r.StencilOnly(), r.stencil.imageView = View({VK_FORMAT_D16_UNORM, kDepthUsage}); }},
      {"colorAttachmentCount-09476",
       [&](auto& r) { r.ColorOnly(), Resolve(r.colors[0], kColors4, sampled, kAverage); }},
      {"pDepthAttachment-09477", [&](auto& r) { r.DepthOnly(), resolve(r, r.depth); }},
      {"pStencilAttachment-09478", [&](auto& r) { r.StencilOnly(), resolve(r, r.stencil); }},
  });
}

TEST_F(RenderingTest, Components) {
  Start();
  const ViewOptions color = {.components = kSwizzled};
  const ViewOptions depth = {.format = kDepthFormat, .usage = kDepthUsage, .components = kSwizzled};
  const auto resolve = [this](Rendering& r) { ResolveDepthStencil(r, kZero, kZero); };
  Run({
      {"", [this](auto& r) { r.colors[0].imageView = View({.components = {VK_COMPONENT_SWIZZLE_R}}); }},
      {"colorAttachmentCount-09479", [&](auto& r) { r.colors[0].imageView = View(color); }},
      {"colorAttachmentCount-09480", [&](auto& r) { resolve(r), Resolve(r.colors[0], kColors4, color, kAverage); }},
      {"pDepthAttachment-09481", [&](auto& r) { r.depth.imageView = View(depth), r.DepthOnly(); }},
      {"pDepthAttachment-09482", [&](auto& r) { resolve(r), r.depth.resolveImageView = View(depth), r.DepthOnly(); }},
      {"pStencilAttachment-09483", [&](auto& r) { r.stencil.imageView = View(depth), r.StencilOnly(); }},
      {"pStencilAttachment-09484",
       [&](auto& r) { resolve(r), r.stencil.resolveImageView = View(depth), r.StencilOnly(); }},
  });
}

TEST_F(RenderingTest, Layouts) {
  Start();
  struct Row {
    VkRenderingAttachmentInfo Rendering::* depth_or_stencil;
    VkImageLayout layout;
    const char* rule;
    const char* resolve_rule;
  };
  constexpr auto kDepthOf = &Rendering::depth;
  constexpr auto kStencilOf = &Rendering::stencil;
  const Row rows[] = {
      {nullptr, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, "colorAttachmentCount-06090",
       "colorAttachmentCount-06091"},
      {nullptr, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, "colorAttachmentCount-06096",
       "colorAttachmentCount-06097"},
      {nullptr, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, "colorAttachmentCount-06100", "colorAttachmentCount-06101"},
      {kDepthOf, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, "pDepthAttachment-06092", "pDepthAttachment-06093"},
      {kDepthOf, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, "", "pDepthAttachment-06098"},
      {kDepthOf, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, "pDepthAttachment-07732", "pDepthAttachment-07733"},
      {kStencilOf, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, "pStencilAttachment-06094", "pStencilAttachment-06095"},
      {kStencilOf, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL, "", "pStencilAttachment-06099"},
      {kStencilOf, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, "pStencilAttachment-07734", "pStencilAttachment-07735"},
  };
  for (const Row& row : rows) {
    const auto of = [&](Rendering& r) -> VkRenderingAttachmentInfo& {
      return row.depth_or_stencil != nullptr ? r.*row.depth_or_stencil : r.colors[0];
    };
    const auto resolve = [&](Rendering& r) {
      ResolveDepthStencil(r, kZero, kZero);
      Resolve(r.colors[0], kColors4, {}, kAverage);
    };
    Run({{"", resolve},
         {row.rule, [&](auto& r) { of(r).imageLayout = row.layout; }},
         {row.resolve_rule, [&](auto& r) { resolve(r), of(r).resolveImageLayout = row.layout; }}});
  }
}

TEST_F(RenderingTest, Resolves) {
  Start();
  constexpr ViewOptions kIntegers4 = {VK_FORMAT_R8G8B8A8_UINT, kColorUsage, kFour};
  constexpr ViewOptions kIntegers = {VK_FORMAT_R8G8B8A8_UINT, kColorUsage};
  const auto color = [&](Rendering& r, const ViewOptions& of, const ViewOptions& to, VkResolveModeFlagBits mode) {
    r.ColorOnly();
    Resolve(r.colors[0], of, to, mode);
  };
  Run({
      {"", [&](auto& r) { color(r, kColors4, {}, kAverage); }},
      {"", [&](auto& r) { color(r, kIntegers4, kIntegers, kZero); }},
      {"VkRenderingAttachmentInfo-imageView-06129", [&](auto& r) { color(r, kColors4, {}, kZero); }},
      {"VkRenderingAttachmentInfo-imageView-06130", [&](auto& r) { color(r, kIntegers4, kIntegers, kAverage); }},
      {"VkRenderingAttachmentInfo-imageView-06861", [&](auto& r) { color(r, {}, {}, kAverage); }},
      {"VkRenderingAttachmentInfo-imageView-06862",
       [&](auto& r) { color(r, kColors4, {}, kAverage), r.colors[0].resolveImageView = VK_NULL_HANDLE; }},
      {"VkRenderingAttachmentInfo-imageView-06864", [&](auto& r) { color(r, kColors4, kColors4, kAverage); }},
      {"VkRenderingAttachmentInfo-imageView-06865",
       [&](auto& r) { color(r, kColors4, {VK_FORMAT_B8G8R8A8_UNORM}, kAverage); }},
      {"", [&](auto& r) { ResolveDepthStencil(r, kZero, kZero); }},
      {"pDepthAttachment-06102", [&](auto& r) { ResolveDepthStencil(r, kAverage, kZero), r.DepthOnly(); }},
      {"pStencilAttachment-06103", [&](auto& r) { ResolveDepthStencil(r, kZero, kAverage), r.StencilOnly(); }},
      {"pDepthAttachment-06104", [&](auto& r) { ResolveDepthStencil(r, kZero, VK_RESOLVE_MODE_NONE); }},
      {"pDepthAttachment-06105", [&](auto& r) { ResolveDepthStencil(r, kZero, VK_RESOLVE_MODE_MIN_BIT); }},
      {"pDepthAttachment-06085", [&](auto& r) { r.stencil.imageView = View(kDepth); }},
      {"pDepthAttachment-06086",
       [&](auto& r) { ResolveDepthStencil(r, kZero, kZero), r.stencil.resolveImageView = View(kDepth); }},
  });
}

TEST_F(RenderingTest, Samples) {
  Start();
  Run({{"multisampledRenderToSingleSampled-06857", [this](Rendering& r) { r.colors[0].imageView = View(kColors4); }},
       {"None-09044", [](auto& r) { r.colors[1] = r.colors[0], r.info.colorAttachmentCount = 2; }},
       {"", [this](auto& r) { r.colors[1].imageView = View({}), r.info.colorAttachmentCount = 2; }}});
}

TEST_F(RenderingTest, MixedSamples) {
  Start({"VK_AMD_mixed_attachment_samples"});
  const auto second = [this](Rendering& r) { r.colors[1].imageView = View(kColors4), r.info.colorAttachmentCount = 2; };
  Run({{"", [this](Rendering& r) { r.depth.imageView = r.stencil.imageView = View(kDepth4); }},
       {"imageView-09429", second}});
}

TEST_F(RenderingTest, SingleSampled) {
  Start({"VK_EXT_multisampled_render_to_single_sampled"});
  const auto render = [this](Rendering& r) {
    r.info.pNext = &r.single;
    r.ColorOnly();
    r.colors[0].imageView = View({}, VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT);
  };
  Run({{"", render},
       {"", [this](auto& r) { r.colors[0].imageView = View(kColors4); }},
       {"imageView-06858",
        [&](auto& r) { render(r), r.colors[0].imageView = View({kColorFormat, kColorUsage, VK_SAMPLE_COUNT_2_BIT}); }},
       {"imageView-06859", [&](auto& r) { render(r), r.colors[0].imageView = View({}); }},
       {"VkRenderingAttachmentInfo-imageView-06863",
        [&](auto& r) { render(r), ResolveTo(r.colors[0], View({}), kAverage); }}});
}

}  // namespace
}  // namespace assay::core
