// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What extensions say where render pass instances begin and end, and stages of dependencies.

#include <string>

#include "core/render_passes/render_pass_test.h"

namespace assay::core {
namespace {

// With all extensions, and stripes of 16 by 16 texels.
class ExtendedBegins : public RenderPassBegins {
 protected:
  void SetUp() override {
    driver().config().queue_families[2].queueFlags = VK_QUEUE_GRAPHICS_BIT;
    ChangeProperties<VkPhysicalDeviceRenderPassStripedPropertiesARM>(
        [](auto& limits) { limits.renderPassStripeGranularity = {16, 16}, limits.maxRenderPassStripes = 8; });
    Start({"VK_QCOM_render_pass_transform", "VK_EXT_sample_locations", "VK_ARM_render_pass_striped",
           "VK_QCOM_multiview_per_view_render_areas", "VK_EXT_fragment_density_map",
           "VK_QCOM_fragment_density_map_offset"});
  }
};

TEST_F(ExtendedBegins, Chains) {
  VkRenderPassBeginInfo begin = BeginOf({.view_mask = 3});
  VkRect2D areas[] = {{{0, 0}, {64, 64}}, {{32, 0}, {32, 64}}};
  auto views = Of<VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM>(2, areas);
  begin.pNext = &views;
  ExpectRule(begin, "");
  views.perViewRenderAreaCount = 1;
  BeginAndEnd(begin, false, "VUID-VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM-pNext-07865");
  views.perViewRenderAreaCount = 2, areas[1].offset.x = 33;
  ExpectRule(begin, "BeginInfo-perViewRenderAreaCount-07860");

  begin = BeginOf({});
  VkRenderPassStripeInfoARM stripes[2] = {Of<VkRenderPassStripeInfoARM>(), Of<VkRenderPassStripeInfoARM>()};
  const auto striped = Of<VkRenderPassStripeBeginInfoARM>(2, stripes);
  begin.pNext = &striped;
  const auto expect = [&](const VkRect2D& first, const VkRect2D& second, const char* rule) {
    stripes[0].stripeArea = first, stripes[1].stripeArea = second;
    ExpectRule(begin, rule);
  };
  expect({{0, 0}, {48, 64}}, {{48, 0}, {16, 64}}, "");
  expect({{0, 0}, {32, 64}}, {{48, 0}, {16, 64}}, "BeginInfo-pNext-09539");
  expect({{0, 0}, {64, 64}}, {{48, 0}, {16, 64}}, "StripeBeginInfoARM-stripeArea-09451");
  begin.renderArea.extent = {40, 40};
  expect({{0, 0}, {32, 64}}, {{32, 0}, {8, 64}}, "");
  expect({{0, 0}, {32, 64}}, {{32, 0}, {12, 64}}, "StripeInfoARM-stripeArea-09453");
  expect({{0, 0}, {64, 32}}, {{0, 32}, {64, 12}}, "StripeInfoARM-stripeArea-09455");

  begin = BeginOf({});
  const VkAttachmentSampleLocationsEXT attachment = {.attachmentIndex = 5};
  const VkSubpassSampleLocationsEXT subpass = {.subpassIndex = 1};
  auto locations = Of<VkRenderPassSampleLocationsBeginInfoEXT>(1, &attachment, 0, &subpass);
  begin.pNext = &locations;
  const auto expect_locations = [&](const std::string& id) {
    Record([&](VkCommandBuffer c) {
      vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
      messages.ExpectAmong(id);
      vk.CmdEndRenderPass(c);
    });
  };
  expect_locations("VUID-VkAttachmentSampleLocationsEXT-attachmentIndex-01531");
  locations.attachmentInitialSampleLocationsCount = 0, locations.postSubpassSampleLocationsCount = 1;
  expect_locations("VUID-VkSubpassSampleLocationsEXT-subpassIndex-01532");
}

TEST_F(ExtendedBegins, Transforms) {
  VkRenderPassBeginInfo begin = BeginOf({.width = 32});
  auto transform = Of<VkRenderPassTransformBeginInfoQCOM>(VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR);
  begin.pNext = &transform;
  begin.renderArea.extent = {64, 32};
  ExpectRule(begin, "");
  transform.transform = VK_SURFACE_TRANSFORM_ROTATE_180_BIT_KHR;
  ExpectRule(begin, "BeginInfo-pNext-02870");
  transform.transform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  begin.renderArea.extent = {32, 64};
  ExpectRule(begin, "");
  begin.renderArea.offset.x = 1;
  ExpectRule(begin, "BeginInfo-pNext-02869");
}

TEST_F(ExtendedBegins, DensityMapOffsets) {
  const VkOffset2D no_offsets[2] = {};
  auto offsets = Of<VkSubpassFragmentDensityMapOffsetEndInfoQCOM>(1, no_offsets);
  const VkSubpassEndInfo end = {VK_STRUCTURE_TYPE_SUBPASS_END_INFO, &offsets};
  // All attachments are for offsets, but for one.
  const auto expect = [&](const std::string& rule, uint32_t without,
                          const PassOptions& options = {.has_density_map = true}) {
    SCOPED_TRACE(rule);
    PassOptions changed = options;
    if (options.has_density_map)
      changed.targets.emplace_back(VK_FORMAT_R8G8_UNORM, kOne, VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT, 8);
    for (uint32_t i = 0; i < changed.targets.size(); ++i) {
      if (i != without) changed.targets[i].image.flags |= VK_IMAGE_CREATE_FRAGMENT_DENSITY_MAP_OFFSET_BIT_QCOM;
    }
    const VkRenderPassBeginInfo begin = BeginOf(changed);
    messages.Take();
    const VkCommandBuffer c = MakeCommandBuffer();
    Begin(c);
    vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    ExpectNothing();
    const SkipCalls skip(*this);
    vk.CmdEndRenderPass2(c, &end);
    ExpectAlone("VkSubpassFragmentDensityMapOffsetEndInfoQCOM", rule);
  };
  constexpr uint32_t kNone = ~0u;
  expect("", kNone);
  expect("fragmentDensityMapOffsets-06503", kNone, {});
  expect("fragmentDensityMapAttachment-06504", kRateOrMap);
  expect("pDepthStencilAttachment-06505", kDepth);
  expect("pInputAttachments-06506", kInput);
  expect("pColorAttachments-06507", kColor);
  expect("pResolveAttachments-06508", kResolve);
  expect("fragmentDensityOffsetCount-06510", kNone, {.view_mask = 3, .has_density_map = true});
  offsets.fragmentDensityOffsetCount = 2;
  expect("fragmentDensityOffsetCount-06511", kNone);
}

TEST_F(ExtendedBegins, Stages) {
  for (const bool is_source : {true, false}) {
    const VkSubpassDependency2 dependency = {
        .srcSubpass = is_source ? VK_SUBPASS_EXTERNAL : 0,
        .dstSubpass = is_source ? 0 : VK_SUBPASS_EXTERNAL,
        .srcStageMask = is_source ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT : VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
        .dstStageMask = is_source ? VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT};
    const VkRenderPass pass = MakeRenderPass({}, {VkSubpassDescription2{}}, {dependency});
    const VkRenderPassBeginInfo begin = BeginInfo(pass, MakeFramebuffer(pass, {}, 64, 64));
    ExpectRule(begin, "");
    const std::string rule = is_source ? "srcStageMask-" : "dstStageMask-";
    BeginAndEnd(begin, false, "VUID-vkCmdBeginRenderPass-" + rule + (is_source ? "06451" : "06452"), 2);
    BeginAndEnd(begin, true, "VUID-vkCmdBeginRenderPass2-" + rule + (is_source ? "06453" : "06454"), 2);
  }
}

}  // namespace
}  // namespace assay::core
