// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>
#include <string>
#include <vector>

#include "core/render_passes/render_pass_test.h"

namespace assay::core {
namespace {

// A rule is empty where a framebuffer with such views, or with such a description of images, is correct.
struct FramebufferCase {
  const char* rule_of_views;
  const char* rule_of_images;
  std::function<void(PassOptions&)> change;
};

class Framebuffers : public RenderPassTest {
 protected:
  void RunCases(const std::vector<FramebufferCase>& cases) {
    for (const FramebufferCase& row : cases) {
      for (const bool is_imageless : {false, true}) {
        const std::string rule = is_imageless ? row.rule_of_images : row.rule_of_views;
        SCOPED_TRACE((is_imageless ? "imageless " : "") + (rule.empty() ? "correct" : rule));
        PassOptions options = base_;
        options.is_imageless = is_imageless;
        row.change(options);
        const VkRenderPass pass = MakePass(options);
        const std::vector<VkImageView> views = MakeViews(options);
        ExpectNothing();
        MakeTargets(options, pass, views);
        ExpectAlone("VkFramebufferCreateInfo", rule);
      }
    }
  }

  // What each case changes.
  PassOptions base_;
};

class CoreFramebuffers : public Framebuffers {};

constexpr VkComponentMapping kIdentity = {VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_B,
                                          VK_COMPONENT_SWIZZLE_A};

void Flat(Target& target) {
  target.range().layerCount = 1;
  target.view.viewType = VK_IMAGE_VIEW_TYPE_2D;
}

TEST_F(CoreFramebuffers, Correct) {
  RunCases({
      {"", "", [](PassOptions&) {}},
      {"", "", [](PassOptions& s) { s.layers = 2; }},
      {"", "", [](PassOptions& s) { s.view_mask = 3; }},
      {"", "", [](PassOptions& s) { s.width = 32; }},
      // Preserved or unused attachments may be anything that the render pass describes.
      {"", "",
       [](PassOptions& s) {
         s.has_references = false;
         s.width = 4096;
         s.targets[kColor].image.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
       }},
      {"", "", OfTarget(kColor, [](Target& t) { t.view.components = kIdentity; })},
      {"", "", OfTarget(kColor, [](Target& t) { t.SetFormats({VK_FORMAT_R8G8B8A8_SRGB, kColorFormat}); })},
      {"", "", [](PassOptions& s) { s.targets[kColor].formats.clear(); }},
  });
}

TEST_F(CoreFramebuffers, Usages) {
  const auto without_usage = [](uint32_t target) {
    return OfTarget(target,
                    [](Target& t) { t.image.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT; });
  };
  RunCases({
      {"pAttachments-00877", "flags-03201", without_usage(kColor)},
      {"pAttachments-00877", "flags-03201", without_usage(kResolve)},
      {"pAttachments-02633", "flags-03202", without_usage(kDepth)},
      {"pAttachments-02634", "flags-03203", without_usage(kDepthResolve)},
      {"pAttachments-00879", "flags-03204", without_usage(kInput)},
  });
}

TEST_F(CoreFramebuffers, Sizes) {
  RunCases({
      {"attachmentCount-00876", "attachmentCount-00876", [](PassOptions& s) { s.left_out = 1; }},
      {"", "flags-03191", [](PassOptions& s) { s.left_out_images = 1; }},
      {"", "", [](PassOptions& s) { s.left_out_images = 5; }},
      {"flags-04533", "flags-04541", [](PassOptions& s) { s.targets[kInput].image.extent.width = 63; }},
      {"flags-04534", "flags-04542", [](PassOptions& s) { s.targets[kDepth].image.extent.height = 63; }},
      {"flags-04535", "renderPass-04546", [](PassOptions& s) { s.layers = 2, Flat(s.targets[kResolve]); }},
      {"renderPass-04536", "renderPass-03198", [](PassOptions& s) { s.view_mask = 3, Flat(s.targets[kDepthResolve]); }},
      {"renderPass-02531", "renderPass-02531", [](PassOptions& s) { s.view_mask = 3, s.layers = 2; }},
  });
}

TEST_F(CoreFramebuffers, Views) {
  constexpr VkFormat kSrgb = VK_FORMAT_R8G8B8A8_SRGB;
  RunCases({
      {"pAttachments-00880", "",
       OfTarget(kColor, [](Target& t) { t.SetFormats({kSrgb, kColorFormat}), t.view.format = kSrgb; })},
      {"", "flags-03205", OfTarget(kColor, [](Target& t) { t.SetFormats({kSrgb, VK_FORMAT_R8G8B8A8_UINT}); })},
      {"pAttachments-00881", "", OfTarget(kInput, [](Target& t) { t.image.samples = kFour; })},
      {"pAttachments-00883", "", OfTarget(kInput, [](Target& t) { t.SetLevels(2); })},
      {"pAttachments-00883", "", OfTarget(kInput, [](Target& t) { t.SetLevels(VK_REMAINING_MIP_LEVELS); })},
      {"", "", OfTarget(kInput, [](Target& t) { t.range().levelCount = VK_REMAINING_MIP_LEVELS; })},
      {"pAttachments-00884", "", OfTarget(kColor, [](Target& t) { t.view.components.g = VK_COMPONENT_SWIZZLE_R; })},
      {"flags-04113", "", OfTarget(kInput, [](Target& t) { t.Set3d(); })},
      {"pAttachments-00891", "", OfTarget(kDepthResolve, [](Target& t) { t.SetSlices(); })},
      {"", "", [](PassOptions& s) { s.targets[kInput].SetSlices(), s.layers = 2; }},
  });
}

class OtherFramebuffers : public Framebuffers {
 protected:
  void SetUp() override {}

  void AddShadingRate() {
    base_.has_shading_rate = true;
    base_.targets.emplace_back(VK_FORMAT_R8_UINT, kOne, VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, 8);
  }
  // A texel of the density map stands for up to 32 pixels.
  void AddDensityMap() {
    base_.has_density_map = true;
    base_.targets.emplace_back(VK_FORMAT_R8G8_UNORM, kOne, VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT, 2);
    Flat(base_.targets.back());
  }
};

TEST_F(OtherFramebuffers, ShadingRate) {
  Start({"VK_KHR_fragment_shading_rate"});
  AddShadingRate();
  // All attachments but the last have three layers.
  const auto two_layers = [](PassOptions& s) {
    for (Target& target : s.targets) target.image.arrayLayers = target.range().layerCount = 3;
    s.targets[kRateOrMap].range().layerCount = 2;
  };
  RunCases({
      {"", "", [](PassOptions& s) { s.layers = 2; }},
      {"", "", [](PassOptions& s) { s.view_mask = 3; }},
      {"", "", OfTarget(kRateOrMap, Flat)},
      {"flags-04548", "flags-04549",
       OfTarget(kRateOrMap, [](Target& t) { t.image.usage = VK_IMAGE_USAGE_SAMPLED_BIT; })},
      {"flags-04539", "flags-04543", OfTarget(kRateOrMap, [](Target& t) { t.image.extent.width = 7; })},
      {"flags-04540", "flags-04544", OfTarget(kRateOrMap, [](Target& t) { t.image.extent.height = 7; })},
      {"flags-04538", "flags-04545", [&](PassOptions& s) { two_layers(s), s.layers = 3; }},
      {"flags-04537", "flags-04587", [&](PassOptions& s) { two_layers(s), s.view_mask = 5; }},
  });
}

TEST_F(OtherFramebuffers, RobustShadingRate) {
  ChangeProperties<VkPhysicalDeviceMaintenance7PropertiesKHR>(
      [](auto& properties) { properties.robustFragmentShadingRateAttachmentAccess = VK_TRUE; });
  Start({"VK_KHR_fragment_shading_rate", "VK_KHR_maintenance7"});
  AddShadingRate();
  RunCases({{"", "", OfTarget(kRateOrMap, [](Target& t) { t.image.extent.width = 4; })},
            {"flags-04539", "", OfTarget(kRateOrMap, [](Target& t) {
               t.image.extent = {8, 16, 1}, t.image.mipLevels = 2, t.range().baseMipLevel = 1;
             })}});
}

TEST_F(OtherFramebuffers, DensityMap) {
  Start({"VK_EXT_fragment_density_map"});
  AddDensityMap();
  const auto two_layers =
      OfTarget(kRateOrMap, [](Target& t) { t.view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY, t.range().layerCount = 2; });
  RunCases({{"", "", [](PassOptions&) {}},
            {"", "", [&](PassOptions& s) { s.view_mask = 3, two_layers(s); }},
            {"pAttachments-02555", "flags-03196", OfTarget(kRateOrMap, [](Target& t) { t.image.extent.width = 1; })},
            {"pAttachments-02556", "flags-03197", OfTarget(kRateOrMap, [](Target& t) { t.image.extent.height = 1; })},
            {"renderPass-02746", "", two_layers},
            {"pAttachments-02552", "",
             OfTarget(kRateOrMap, [](Target& t) { t.image.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT; })}});
}

TEST_F(OtherFramebuffers, SubsampledImages) {
  Start({"VK_EXT_fragment_density_map"}, {"fragmentDensityMapNonSubsampledImages"});
  for (Target& target : base_.targets) target.image.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT;
  AddDensityMap();
  RunCases({{"", "", [](PassOptions&) {}},
            {"renderPass-02553", "", [](PassOptions& s) { s.targets[kInput].image.flags = 0; }}});
}

TEST_F(OtherFramebuffers, SingleSampled) {
  Start({"VK_EXT_multisampled_render_to_single_sampled"});
  base_ = {.has_single_sampled = true};
  for (const uint32_t i : {kColor, kDepth, kInput}) {
    base_.targets[i].image.samples = base_.targets[i].description.samples = VK_SAMPLE_COUNT_1_BIT;
    base_.targets[i].image.flags = VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT;
  }
  RunCases({{"", "", [](PassOptions&) {}},
            {"samples-06881", "", [](PassOptions& s) { s.targets[kDepth].image.flags = 0; }}});
}

}  // namespace
}  // namespace assay::core
