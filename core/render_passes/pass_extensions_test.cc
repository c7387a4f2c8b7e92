// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What extensions say of render passes: a correct one of each version, and changes of it.

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/render_passes/pass_creation_test.h"

namespace assay::core {
namespace {

constexpr auto kInShader = VK_SUBPASS_DESCRIPTION_SHADER_RESOLVE_BIT_QCOM;
constexpr VkPipelineStageFlags kGraphics = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;

// A color attachment of four samples, one to resolve it to, an input attachment and one more, in two subpasses of
// which the second depends on the first.
struct Extended {
  VkAttachmentDescription2 attachments[4] = {Description(kColorFormat, kFour), Description(kColorFormat, kOne),
                                             Description(kColorFormat, kOne), Description(VK_FORMAT_R8_UINT, kOne)};
  VkAttachmentReference2 color = Reference(0), resolve = Reference(1), input = Reference(2), rate = Reference(3);
  VkSubpassDescription2 subpasses[2] = {{.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                         .inputAttachmentCount = 1,
                                         .pInputAttachments = &input,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &color,
                                         .pResolveAttachments = &resolve},
                                        Of<VkSubpassDescription2>()};
  VkSubpassDependency2 dependency = {VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, nullptr, 0, 1, kGraphics, kGraphics};
  VkRenderPassCreateInfo2 info = {.attachmentCount = 4,
                                  .pAttachments = attachments,
                                  .subpassCount = 2,
                                  .pSubpasses = subpasses,
                                  .dependencyCount = 1,
                                  .pDependencies = &dependency};

  VkFragmentShadingRateAttachmentInfoKHR rates = Of<VkFragmentShadingRateAttachmentInfoKHR>();
  VkSubpassDescriptionDepthStencilResolve resolves = Of<VkSubpassDescriptionDepthStencilResolve>();
  VkRenderPassFragmentDensityMapCreateInfoEXT density = Of<VkRenderPassFragmentDensityMapCreateInfoEXT>();
  VkExternalFormatANDROID external = {VK_STRUCTURE_TYPE_EXTERNAL_FORMAT_ANDROID, nullptr, 1};

  void SetRate() {
    rates.pFragmentShadingRateAttachment = &rate, rates.shadingRateAttachmentTexelSize = {8, 8};
    subpasses[0].pNext = &rates;
  }
  void SetDensity(uint32_t attachment) {
    density.fragmentDensityMapAttachment = {attachment, VK_IMAGE_LAYOUT_GENERAL};
    info.pNext = &density;
  }
  // The resolve attachment has an external format, and the color attachment one sample.
  void SetExternal() {
    attachments[1].format = VK_FORMAT_UNDEFINED, attachments[1].pNext = &external;
    attachments[0].samples = VK_SAMPLE_COUNT_1_BIT;
  }
};

class PassExtensions : public PassFixture {
 protected:
  void SetUp() override {}
  void Start(VkBool32 external_resolves_null = VK_FALSE) {
    for (const VkFormat format : {VK_FORMAT_R8_UNORM, VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM})
      driver().config().formats[format] = {.optimalTilingFeatures = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT};
    ChangeProperties<VkPhysicalDeviceExternalFormatResolvePropertiesANDROID>(
        [=](auto& limits) { limits.nullColorAttachmentWithExternalFormatResolve = external_resolves_null; });
    test::DeviceOptions options = features_.EnableAll();
    // With modifiers, features of formats are not known.
    std::erase_if(options.device_extensions,
                  [](std::string_view name) { return name == VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME; });
    options.features = features_.Enable(options.device_extensions, {});
    Create(options);
    messages.Take();
  }
  using Change = std::function<void(Extended&)>;
  void Run(const std::vector<std::pair<std::string_view, Change>>& cases) {
    const SkipCalls skip(*this);
    for (const auto& [rule, change] : cases) {
      SCOPED_TRACE(rule);
      Extended pass;
      change(pass);
      CreatePass(pass.info, version_ == 2);
      ExpectAlone(rule.empty() ? "" : absl::StrCat("VUID-Vk", rule));
    }
  }

  int version_ = 2;
};

TEST_F(PassExtensions, OfVersion1) {
  Start();
  version_ = 1;
  const auto density = Of<VkRenderPassFragmentDensityMapCreateInfoEXT>(VkAttachmentReference{4, kGeneral});
  VkInputAttachmentAspectReference input = {0, 0, VK_IMAGE_ASPECT_COLOR_BIT};
  const auto aspects = Of<VkRenderPassInputAttachmentAspectCreateInfo>(1, &input);
  const uint32_t masks[] = {1, 3}, views[] = {1, 1};
  const auto multiview = Of<VkRenderPassMultiviewCreateInfo>(2, views, 0, nullptr, 2, masks);
  Run({
      {"", [&](Extended& p) { p.info.pNext = &aspects; }},
      {"RenderPassCreateInfo-fragmentDensityMapAttachment-06471", [&](Extended& p) { p.info.pNext = &density; }},
      {"RenderPassCreateInfo-pNext-01926", [&](Extended& p) { p.info.pNext = &aspects, input.subpass = 2; }},
      {"RenderPassCreateInfo-pNext-01927",
       [&](Extended& p) { p.info.pNext = &aspects, input = {0, 1, input.aspectMask}; }},
      {"RenderPassMultiviewCreateInfo-pCorrelationMasks-00841", [&](Extended& p) { p.info.pNext = &multiview; }},
      {"SubpassDescription-flags-03341",
       [](Extended& p) { p.subpasses[0].flags = kInShader, p.info.dependencyCount = 0; }},
      {"SubpassDescription-flags-03343",
       [](Extended& p) { p.subpasses[0].flags = kInShader, p.subpasses[0].pResolveAttachments = nullptr; }},
      {"SubpassDescription-pInputAttachments-02868",
       [](Extended& p) { p.info.flags = VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM; }},
  });
}

TEST_F(PassExtensions, OfVersion2) {
  Start();
  const uint32_t masks[] = {1, 2, 6};
  const VkAttachmentReference2 beyond = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 4, kGeneral, {}};
  const auto correlate = [&](Extended& p, uint32_t count) {
    p.info.correlatedViewMaskCount = count, p.info.pCorrelatedViewMasks = masks;
    for (auto& subpass : p.subpasses) subpass.viewMask = 7;
  };
  Run({
      {"", [](Extended& p) { p.SetRate(); }},
      {"", [&](Extended& p) { correlate(p, 2); }},
      {"RenderPassCreateInfo2-fragmentDensityMapAttachment-06472", [](Extended& p) { p.SetDensity(4); }},
      {"RenderPassCreateInfo2-pSubpasses-06473", Change([&](Extended& p) {
         p.resolves.pDepthStencilResolveAttachment = &beyond;
         p.resolves.depthResolveMode = p.resolves.stencilResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
         p.subpasses[0].pNext = &p.resolves;
       })},
      {"RenderPassCreateInfo2-pCorrelatedViewMasks-03056", [&](Extended& p) { correlate(p, 3); }},
      {"RenderPassCreateInfo2-flags-04907",
       [](Extended& p) { p.subpasses[0].flags = kInShader, p.info.dependencyCount = 0; }},
      {"RenderPassCreateInfo2-flags-04909",
       [](Extended& p) { p.subpasses[0].flags = kInShader, p.subpasses[0].pResolveAttachments = nullptr; }},
      {"RenderPassCreateInfo2-flags-04521", Change([](Extended& p) {
         p.info.flags = VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM, p.SetRate(), p.subpasses[0].inputAttachmentCount = 0;
       })},
      {"RenderPassCreateInfo2-pAttachments-04585", Change([](Extended& p) {
         p.SetRate(), p.subpasses[1].inputAttachmentCount = 1, p.subpasses[1].pInputAttachments = &p.rate;
       })},
      {"RenderPassCreateInfo2-pAttachments-04586",
       [](Extended& p) { p.SetRate(), p.attachments[3].format = VK_FORMAT_R8_UNORM; }},
      {"AttachmentDescription2-format-09334", [](Extended& p) { p.SetExternal(), p.attachments[1].pNext = nullptr; }},
  });
}

TEST_F(PassExtensions, ShaderResolvesOfDepth) {
  Start();
  Run({{"RenderPassCreateInfo2-flags-04908", [](Extended& p) {
          p.attachments[0].format = p.attachments[1].format = VK_FORMAT_D16_UNORM;
          p.resolves.pDepthStencilResolveAttachment = &p.resolve;
          p.resolves.depthResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
          p.subpasses[0].pNext = &p.resolves, p.subpasses[0].pDepthStencilAttachment = &p.color;
          p.subpasses[0].colorAttachmentCount = 0, p.subpasses[0].pResolveAttachments = nullptr;
          p.subpasses[0].flags = kInShader, p.info.dependencyCount = 0;
        }}});
}

TEST_F(PassExtensions, ExternalFormats) {
  Start();
  const VkAttachmentReference2 unused = {
      VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, VK_ATTACHMENT_UNUSED, {}, {}};
  VkAttachmentReference2 colors[2] = {unused, unused}, resolves[2] = {unused, unused};
  const auto external = [](const std::function<void(Extended&)>& change) {
    return [=](Extended& p) { p.SetExternal(), change(p); };
  };
  Run({
      {"", external([](Extended&) {})},
      {"SubpassDescription2-externalFormatResolve-09344", external([&](Extended& p) {
         colors[0] = p.color, resolves[0] = p.resolve;
         p.subpasses[0].colorAttachmentCount = 2;
         p.subpasses[0].pColorAttachments = colors, p.subpasses[0].pResolveAttachments = resolves;
       })},
      {"SubpassDescription2-nullColorAttachmentWithExternalFormatResolve-09336",
       external([](Extended& p) { p.color.attachment = VK_ATTACHMENT_UNUSED; })},
      {"SubpassDescription2-externalFormatResolve-09345",
       external([](Extended& p) { p.attachments[0].samples = VK_SAMPLE_COUNT_4_BIT; })},
      {"SubpassDescription2-externalFormatResolve-09346",
       external([](Extended& p) { p.subpasses[0].viewMask = p.subpasses[1].viewMask = 1; })},
      {"SubpassDescription2-externalFormatResolve-09347", external([](Extended& p) { p.SetRate(); })},
      {"RenderPassCreateInfo2-pResolveAttachments-09331", external([](Extended& p) { p.SetDensity(3); })},
      {"SubpassDescription2-externalFormatResolve-09348", external([](Extended& p) {
         p.input.attachment = 0, p.input.aspectMask = VK_IMAGE_ASPECT_PLANE_0_BIT;
         p.attachments[0].format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
       })},
  });
  Destroy();
  Start(VK_TRUE);
  Run({{"SubpassDescription2-nullColorAttachmentWithExternalFormatResolve-09337", external([](Extended&) {})}});
}

}  // namespace
}  // namespace assay::core
