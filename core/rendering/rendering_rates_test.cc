// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// External formats, and the attachments of shading rates and fragment densities.

#include <string>
#include <type_traits>
#include <vector>

#include "core/rendering/rendering_test.h"

namespace assay::core {
namespace {

// Links are VkRenderingFragmentShadingRateAttachmentInfoKHR and VkRenderingFragmentDensityMapAttachmentInfoEXT.
class RenderingLinks : public RenderingTest {
 protected:
  // An attachment whose texels stand for 8 by 8 pixels.
  template <class Link>
  auto With(Link Rendering::* link, uint32_t layers = 1, uint32_t size = 8, VkComponentMapping components = {}) {
    constexpr bool kIsRate = std::is_same_v<Link, VkRenderingFragmentShadingRateAttachmentInfoKHR>;
    const ViewOptions options = {.format = kIsRate ? VK_FORMAT_R8_UINT : VK_FORMAT_R8G8_UNORM,
                                 .usage = kColorUsage | (kIsRate ? kRateUsage : kMapUsage),
                                 .layers = layers,
                                 .size = size,
                                 .components = components};
    return [=, this](Rendering& r) { r.info.pNext = &(r.*link), (r.*link).imageView = View(options); };
  }
  // Rules that both have: of heights, widths, heights and widths of the areas of a device group, components, views,
  // another use of the image, and external resolves.
  template <class Link>
  void RunCommon(Link Rendering::* link, const std::vector<std::string>& rules) {
    const auto with = With(link), small = With(link, 1, 4), large = With(link, 1, 64), layered = With(link, 2);
    const auto grouped = [=](Rendering& r) { small(r), (r.*link).pNext = &r.group; };
    Run({
        {"", with},
        {rules[0], [=](auto& r) { small(r), r.info.renderArea.extent.height = 32; }},
        {rules[1], [=](auto& r) { small(r), r.info.renderArea.extent.width = 32; }},
        {rules[2], [=](auto& r) { grouped(r), r.area.extent.height = 32; }},
        {rules[3], [=](auto& r) { grouped(r), r.area.extent.width = 32; }},
        {rules[4], With(link, 1, 64, kSwizzled)},
        {rules[5], [=](auto& r) { layered(r), r.info.viewMask = 1 << 3; }},
        {rules[6], [=](auto& r) { large(r), r.colors[0].imageView = (r.*link).imageView; }},
        {rules[7], [=, this](auto& r) { with(r), ResolveTo(r.colors[0], View({})); }},
    });
  }
};

TEST_F(RenderingTest, ExternalResolves) {
  Start({"VK_ANDROID_external_format_resolve", "VK_ANDROID_external_memory_android_hardware_buffer"});
  Run({
      {"colorAttachmentCount-09320",
       [&](auto& r) {
         ResolveTo(r.colors[0], View({})), r.colors[1].imageView = View({}), r.info.colorAttachmentCount = 2;
       }},
      {"pDepthAttachment-09318", [&](auto& r) { ResolveTo(r.depth, View(kDepth)), r.DepthOnly(); }},
      {"pStencilAttachment-09319", [&](auto& r) { ResolveTo(r.stencil, View(kDepth)), r.StencilOnly(); }},
      {"VkRenderingAttachmentInfo-resolveMode-09324", [&](auto& r) { ResolveTo(r.colors[0], VK_NULL_HANDLE); }},
      {"VkRenderingAttachmentInfo-resolveMode-09327", [&](auto& r) { ResolveTo(r.colors[0], View({.layers = 2})); }},
  });
}

TEST_F(RenderingTest, ExternalResolvesWithoutColor) {
  ChangeProperties<VkPhysicalDeviceExternalFormatResolvePropertiesANDROID>(
      [](auto& p) { p.nullColorAttachmentWithExternalFormatResolve = VK_TRUE; });
  Start({"VK_ANDROID_external_format_resolve", "VK_ANDROID_external_memory_android_hardware_buffer"});
  const auto external = [](Rendering& r, VkImageView color, VkImageView target) {
    r.colors[0].imageView = color, ResolveTo(r.colors[0], target);
  };
  Run({
      {"", [&](auto& r) { external(r, VK_NULL_HANDLE, View({})); }},
      {"VkRenderingAttachmentInfo-nullColorAttachmentWithExternalFormatResolve-09325",
       [&](auto& r) { external(r, VK_NULL_HANDLE, View(kColors4)); }},
      {"VkRenderingAttachmentInfo-resolveMode-09328", [&](auto& r) { external(r, View({}), View({})); }},
  });
}

TEST_F(RenderingTest, ViewAreas) {
  Start({"VK_ARM_render_pass_striped", "VK_QCOM_multiview_per_view_render_areas"});
  VkRect2D areas[] = {{{0, 0}, {64, 64}}, {{32, 0}, {32, 64}}};
  auto views = test::Of<VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM>(2, areas);
  VkRenderPassStripeInfoARM stripe = {VK_STRUCTURE_TYPE_RENDER_PASS_STRIPE_INFO_ARM, nullptr, {{0, 0}, {64, 64}}};
  const auto stripes = test::Of<VkRenderPassStripeBeginInfoARM>(1, &stripe);
  Run({
      {"", [&](auto& r) { r.info.pNext = &views, r.info.viewMask = 3; }},
      {"VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM-pNext-07866",
       [&](auto& r) { r.info.pNext = &views, r.info.viewMask = 7; }},
      {"perViewRenderAreaCount-07858",
       [&](auto& r) { r.info.pNext = &views, r.info.viewMask = 3, areas[1].offset.x = 33; }},
      {"", [&](auto& r) { r.info.pNext = &stripes; }},
      {"pNext-09535", [&](auto& r) { r.info.pNext = &stripes, stripe.stripeArea.extent.width = 32; }},
  });
}

TEST_F(RenderingLinks, ShadingRates) {
  Start({"VK_KHR_fragment_shading_rate", "VK_ANDROID_external_format_resolve"});
  RunCommon(&Rendering::rate, {"pNext-06119", "pNext-06121", "pNext-06120", "pNext-06122", "imageView-09485",
                               "imageView-06124", "imageView-06125", "resolveMode-09322"});
  const auto texel = [large = With(&Rendering::rate, 1, 64)](uint32_t width, uint32_t height) {
    return [=](Rendering& r) { large(r), r.rate.shadingRateAttachmentTexelSize = {width, height}; };
  };
  const std::string owner = "VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-";
  Run({
      {"", texel(16, 8)},
      {owner + "06147",
       [&](auto& r) { With (&Rendering::rate)(r), r.rate.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL; }},
      {owner + "06149", texel(12, 8)},
      {owner + "06150", texel(64, 32)},
      {owner + "06151", texel(4, 8)},
      {owner + "06152", texel(8, 12)},
      {owner + "06153", texel(32, 64)},
      {owner + "06154", texel(8, 4)},
      {owner + "06155", texel(32, 8)},
      {owner + "06156", texel(8, 32)},
      {"imageView-06123", [&](auto& r) { With(&Rendering::rate, 2)(r), r.info.layerCount = 3; }},
  });
}

TEST_F(RenderingLinks, DensityMaps) {
  Start({"VK_EXT_fragment_density_map", "VK_ANDROID_external_format_resolve"});
  RunCommon(&Rendering::map, {"pNext-06112", "pNext-06114", "pNext-06113", "pNext-06115", "imageView-09486",
                              "imageView-06108", "imageView-06116", "resolveMode-09321"});
  Run({{"imageView-06109", With(&Rendering::map, 2)}});
}

TEST_F(RenderingLinks, SubsampledImages) {
  Start({"VK_EXT_fragment_density_map"}, {"fragmentDensityMapNonSubsampledImages"});
  Run({{"imageView-06107", [&](Rendering& r) { With (&Rendering::map)(r), r.ColorOnly(); }}});
}

}  // namespace
}  // namespace assay::core
