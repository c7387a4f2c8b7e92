// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// External formats, and the attachments of shading rates and fragment densities.

#include "core/rendering/rendering_test.h"

namespace assay::core {
namespace {

TEST_F(RenderingTest, ExternalResolves) {
  Start({"VK_ANDROID_external_format_resolve", "VK_ANDROID_external_memory_android_hardware_buffer"});
  const auto external = [](VkRenderingAttachmentInfo& of, VkImageView target) {
    of.resolveMode = kExternal;
    of.resolveImageView = target;
    of.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  };
  Run({
      {"colorAttachmentCount-09320",
       [&](Rendering& r) {
         external(r.colors[0], View({})), r.colors[1].imageView = View({}), r.info.colorAttachmentCount = 2;
       }},
      {"pDepthAttachment-09318",
       [&](Rendering& r) { external(r.depth, View(kDepth)), r.info.pStencilAttachment = nullptr; }},
      {"pStencilAttachment-09319",
       [&](Rendering& r) { external(r.stencil, View(kDepth)), r.info.pDepthAttachment = nullptr; }},
      {"VkRenderingAttachmentInfo-resolveMode-09324", [&](Rendering& r) { external(r.colors[0], VK_NULL_HANDLE); }},
      {"VkRenderingAttachmentInfo-resolveMode-09327",
       [&](Rendering& r) { external(r.colors[0], View({.layers = 2})); }},
  });
}

TEST_F(RenderingTest, ExternalResolvesWithoutColor) {
  driver().config().adjust_properties = [](VkBaseOutStructure* s) {
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_FORMAT_RESOLVE_PROPERTIES_ANDROID)
      reinterpret_cast<VkPhysicalDeviceExternalFormatResolvePropertiesANDROID*>(s)
          ->nullColorAttachmentWithExternalFormatResolve = VK_TRUE;
  };
  Start({"VK_ANDROID_external_format_resolve", "VK_ANDROID_external_memory_android_hardware_buffer"});
  const auto external = [](Rendering& r, VkImageView color, VkImageView target) {
    r.colors[0].imageView = color, r.colors[0].resolveImageView = target, r.colors[0].resolveMode = kExternal;
    r.colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  };
  Run({
      {"", [&](Rendering& r) { external(r, VK_NULL_HANDLE, View({})); }},
      {"VkRenderingAttachmentInfo-nullColorAttachmentWithExternalFormatResolve-09325",
       [&](Rendering& r) { external(r, VK_NULL_HANDLE, View(kColors4)); }},
      {"VkRenderingAttachmentInfo-resolveMode-09328", [&](Rendering& r) { external(r, View({}), View({})); }},
  });
}

TEST_F(RenderingTest, ViewAreas) {
  Start({"VK_ARM_render_pass_striped", "VK_QCOM_multiview_per_view_render_areas"});
  VkRect2D areas[] = {{{0, 0}, {64, 64}}, {{32, 0}, {32, 64}}};
  VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM views = {
      VK_STRUCTURE_TYPE_MULTIVIEW_PER_VIEW_RENDER_AREAS_RENDER_PASS_BEGIN_INFO_QCOM, nullptr, 2, areas};
  VkRenderPassStripeInfoARM stripe = {VK_STRUCTURE_TYPE_RENDER_PASS_STRIPE_INFO_ARM, nullptr, {{0, 0}, {64, 64}}};
  const VkRenderPassStripeBeginInfoARM stripes = {VK_STRUCTURE_TYPE_RENDER_PASS_STRIPE_BEGIN_INFO_ARM, nullptr, 1,
                                                  &stripe};
  Run({
      {"", [&](Rendering& r) { r.info.pNext = &views, r.info.viewMask = 3; }},
      {"VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM-pNext-07866",
       [&](Rendering& r) { r.info.pNext = &views, r.info.viewMask = 7; }},
      {"perViewRenderAreaCount-07858",
       [&](Rendering& r) { r.info.pNext = &views, r.info.viewMask = 3, areas[1].offset.x = 33; }},
      {"", [&](Rendering& r) { r.info.pNext = &stripes; }},
      {"pNext-09535", [&](Rendering& r) { r.info.pNext = &stripes, stripe.stripeArea.extent.width = 32; }},
  });
}

TEST_F(RenderingTest, ShadingRates) {
  Start({"VK_KHR_fragment_shading_rate", "VK_ANDROID_external_format_resolve"});
  // Texels of 8 by 8 pixels.
  const auto rate = [this](uint32_t layers = 1, uint32_t size = 8) {
    return [=, this](Rendering& r) {
      r.info.pNext = &r.rate;
      r.rate.imageView = View({VK_FORMAT_R8_UINT, kRateUsage | kColorUsage, VK_SAMPLE_COUNT_1_BIT, layers, size});
    };
  };
  const auto texel = [&](uint32_t width, uint32_t height) {
    return [=](Rendering& r) { rate(1, 64)(r), r.rate.shadingRateAttachmentTexelSize = {width, height}; };
  };
  constexpr char kOwner[] = "VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-";
  const std::string rules[] = {
      absl::StrCat(kOwner, "06147"), absl::StrCat(kOwner, "06149"), absl::StrCat(kOwner, "06150"),
      absl::StrCat(kOwner, "06151"), absl::StrCat(kOwner, "06152"), absl::StrCat(kOwner, "06153"),
      absl::StrCat(kOwner, "06154"), absl::StrCat(kOwner, "06155"), absl::StrCat(kOwner, "06156")};
  const auto grouped = [](Rendering& r) { r.rate.pNext = &r.group; };
  Run({
      {"", rate()},
      {"", texel(16, 8)},
      {rules[0].c_str(),
       [&](Rendering& r) { rate()(r), r.rate.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL; }},
      {rules[1].c_str(), texel(12, 8)},
      {rules[2].c_str(), texel(64, 32)},
      {rules[3].c_str(), texel(4, 8)},
      {rules[4].c_str(), texel(8, 12)},
      {rules[5].c_str(), texel(32, 64)},
      {rules[6].c_str(), texel(8, 4)},
      {rules[7].c_str(), texel(32, 8)},
      {rules[8].c_str(), texel(8, 32)},
      {"pNext-06119", [&](Rendering& r) { rate(1, 4)(r), r.info.renderArea.extent.height = 32; }},
      {"pNext-06121", [&](Rendering& r) { rate(1, 4)(r), r.info.renderArea.extent.width = 32; }},
      {"pNext-06120", [&](Rendering& r) { rate(1, 4)(r), grouped(r), r.area.extent.height = 32; }},
      {"pNext-06122", [&](Rendering& r) { rate(1, 4)(r), grouped(r), r.area.extent.width = 32; }},
      {"imageView-09485",
       [&](Rendering& r) {
         rate()(r);
         r.rate.imageView = View({.format = VK_FORMAT_R8_UINT, .usage = kRateUsage, .components = kSwizzled});
       }},
      {"imageView-06123", [&](Rendering& r) { rate(2)(r), r.info.layerCount = 3; }},
      {"imageView-06124", [&](Rendering& r) { rate(2)(r), r.info.viewMask = 1 << 3; }},
      {"imageView-06125", [&](Rendering& r) { rate(1, 64)(r), r.colors[0].imageView = r.rate.imageView; }},
      {"resolveMode-09322",
       [&](Rendering& r) {
         rate()(r);
         r.colors[0].resolveMode = kExternal;
         r.colors[0].resolveImageView = View({});
         r.colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
       }},
  });
}

TEST_F(RenderingTest, DensityMaps) {
  Start({"VK_EXT_fragment_density_map", "VK_ANDROID_external_format_resolve"});
  const auto map = [this](uint32_t layers = 1, uint32_t size = 8) {
    return [=, this](Rendering& r) {
      r.info.pNext = &r.map;
      r.map.imageView = View({VK_FORMAT_R8G8_UNORM, kMapUsage | kColorUsage, VK_SAMPLE_COUNT_1_BIT, layers, size});
    };
  };
  const auto grouped = [](Rendering& r) { r.map.pNext = &r.group; };
  Run({
      {"", map()},
      {"pNext-06112", [&](Rendering& r) { map(1, 4)(r), r.info.renderArea.extent.height = 32; }},
      {"pNext-06114", [&](Rendering& r) { map(1, 4)(r), r.info.renderArea.extent.width = 32; }},
      {"pNext-06113", [&](Rendering& r) { map(1, 4)(r), grouped(r), r.area.extent.height = 32; }},
      {"pNext-06115", [&](Rendering& r) { map(1, 4)(r), grouped(r), r.area.extent.width = 32; }},
      {"imageView-06109", map(2)},
      {"imageView-09486",
       [&](Rendering& r) {
         map()(r);
         r.map.imageView = View({.format = VK_FORMAT_R8G8_UNORM, .usage = kMapUsage, .components = kSwizzled});
       }},
      {"imageView-06108", [&](Rendering& r) { map(2)(r), r.info.viewMask = 1 << 3; }},
      {"imageView-06116", [&](Rendering& r) { map(1, 64)(r), r.colors[0].imageView = r.map.imageView; }},
      {"resolveMode-09321",
       [&](Rendering& r) {
         map()(r);
         r.colors[0].resolveMode = kExternal;
         r.colors[0].resolveImageView = View({});
         r.colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
       }},
  });
}

TEST_F(RenderingTest, SubsampledImages) {
  Start({"VK_EXT_fragment_density_map"}, {"fragmentDensityMapNonSubsampledImages"});
  Run({{"imageView-06107", [&](Rendering& r) {
          r.info.pNext = &r.map, r.map.imageView = View({VK_FORMAT_R8G8_UNORM, kMapUsage, VK_SAMPLE_COUNT_1_BIT, 1, 8}),
          r.info.pDepthAttachment = r.info.pStencilAttachment = nullptr;
        }}});
}

}  // namespace
}  // namespace assay::core
