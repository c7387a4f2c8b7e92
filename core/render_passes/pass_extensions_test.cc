// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What extensions say of render passes: a correct one of each version, and changes of it.

#include <functional>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/struct_traits.h"

namespace assay::core {
namespace {

constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr auto kInShader = VK_SUBPASS_DESCRIPTION_SHADER_RESOLVE_BIT_QCOM;

template <class T>
T Of(const void* chain = nullptr) {
  T made = {};
  made.sType = vk::kStructureTypeOf<T>;
  made.pNext = chain;
  return made;
}

// A color attachment of four samples, one to resolve it to, an input attachment and one more, in two subpasses of
// which the second depends on the first.
struct Old {
  VkAttachmentDescription attachments[4];
  VkAttachmentReference color = {0, kGeneral}, resolve = {1, kGeneral}, input = {2, kGeneral};
  VkSubpassDescription subpasses[2] = {};
  VkSubpassDependency dependency = {.srcSubpass = 0,
                                    .dstSubpass = 1,
                                    .srcStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                                    .dstStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT};
  VkRenderPassCreateInfo info = Of<VkRenderPassCreateInfo>();
};
struct New {
  VkAttachmentDescription2 attachments[4];
  VkAttachmentReference2 color = Of<VkAttachmentReference2>(), resolve = color, input = color, rate = color;
  VkSubpassDescription2 subpasses[2] = {Of<VkSubpassDescription2>(), Of<VkSubpassDescription2>()};
  VkSubpassDependency2 dependency = Of<VkSubpassDependency2>();
  VkRenderPassCreateInfo2 info = Of<VkRenderPassCreateInfo2>();

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

class PassExtensions : public test::ValidationTest {
 protected:
  void SetUp() override {}
  void Start(VkBool32 external_resolves_null = VK_FALSE) {
    for (const VkFormat format : {VK_FORMAT_R8_UNORM, VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM})
      driver().config().formats[format] = {.optimalTilingFeatures = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT};
    driver().config().adjust_properties = [=](VkBaseOutStructure* s) {
      if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_FORMAT_RESOLVE_PROPERTIES_ANDROID)
        reinterpret_cast<VkPhysicalDeviceExternalFormatResolvePropertiesANDROID*>(s)
            ->nullColorAttachmentWithExternalFormatResolve = external_resolves_null;
    };
    test::DeviceOptions options = features_.EnableAll();
    // With modifiers, features of formats are not known.
    std::erase_if(options.device_extensions,
                  [](std::string_view name) { return name == VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME; });
    options.features = features_.Enable(options.device_extensions, {});
    Create(options);
    messages.Take();
  }
  template <class P>
  struct Case {
    std::string_view rule;
    std::function<void(P&)> change;
  };
  template <class P>
  void Fill(P& p) {
    for (uint32_t i = 0; i < 4; ++i) {
      auto& attachment = p.attachments[i];
      attachment = {};
      if constexpr (std::is_same_v<P, New>) attachment.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2;
      attachment.format = i == 3 ? VK_FORMAT_R8_UINT : VK_FORMAT_R8G8B8A8_UNORM;
      attachment.samples = i == 0 ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
      attachment.loadOp = attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
      attachment.storeOp = attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
      attachment.finalLayout = kGeneral;
    }
    auto& subpass = p.subpasses[0];
    subpass.inputAttachmentCount = subpass.colorAttachmentCount = 1;
    subpass.pInputAttachments = &p.input, subpass.pColorAttachments = &p.color;
    subpass.pResolveAttachments = &p.resolve;
    p.info.attachmentCount = 4, p.info.pAttachments = p.attachments;
    p.info.subpassCount = 2, p.info.pSubpasses = p.subpasses;
    p.info.dependencyCount = 1, p.info.pDependencies = &p.dependency;
  }
  template <class P>
  void Run(const std::vector<Case<P>>& cases) {
    const SkipCalls skip(*this);
    for (const Case<P>& row : cases) {
      SCOPED_TRACE(row.rule);
      P p;
      if constexpr (std::is_same_v<P, New>) {
        uint32_t next = 0;
        for (auto* reference : {&p.color, &p.resolve, &p.input, &p.rate}) {
          reference->attachment = next++, reference->layout = kGeneral;
          reference->aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
        }
        p.dependency.dstSubpass = 1;
        p.dependency.srcStageMask = p.dependency.dstStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;
      }
      Fill(p);
      row.change(p);
      VkRenderPass made = VK_NULL_HANDLE;
      if constexpr (std::is_same_v<P, New>) {
        vk.CreateRenderPass2(device, &p.info, nullptr, &made);
      } else {
        vk.CreateRenderPass(device, &p.info, nullptr, &made);
      }
      vk.DestroyRenderPass(device, made, nullptr);
      if (!row.rule.empty()) ExpectMessage(absl::StrCat("VUID-Vk", row.rule));
      ExpectNothing();
    }
  }

  test::ExtensionFeatures features_;
};

TEST_F(PassExtensions, OfVersion1) {
  Start();
  auto density = Of<VkRenderPassFragmentDensityMapCreateInfoEXT>();
  density.fragmentDensityMapAttachment = {4, VK_IMAGE_LAYOUT_GENERAL};
  VkInputAttachmentAspectReference input = {0, 0, VK_IMAGE_ASPECT_COLOR_BIT};
  auto aspects = Of<VkRenderPassInputAttachmentAspectCreateInfo>();
  aspects.aspectReferenceCount = 1, aspects.pAspectReferences = &input;
  const uint32_t masks[] = {1, 3}, views[] = {1, 1};
  auto multiview = Of<VkRenderPassMultiviewCreateInfo>();
  multiview.correlationMaskCount = 2, multiview.pCorrelationMasks = masks;
  multiview.subpassCount = 2, multiview.pViewMasks = views;
  Run<Old>({
      {"", [&](Old& o) { o.info.pNext = &aspects; }},
      {"RenderPassCreateInfo-fragmentDensityMapAttachment-06471", [&](Old& o) { o.info.pNext = &density; }},
      {"RenderPassCreateInfo-pNext-01926", [&](Old& o) { o.info.pNext = &aspects, input.subpass = 2; }},
      {"RenderPassCreateInfo-pNext-01927", [&](Old& o) { o.info.pNext = &aspects, input = {0, 1, input.aspectMask}; }},
      {"RenderPassMultiviewCreateInfo-pCorrelationMasks-00841", [&](Old& o) { o.info.pNext = &multiview; }},
      {"SubpassDescription-flags-03341", [](Old& o) { o.subpasses[0].flags = kInShader, o.info.dependencyCount = 0; }},
      {"SubpassDescription-flags-03343",
       [](Old& o) { o.subpasses[0].flags = kInShader, o.subpasses[0].pResolveAttachments = nullptr; }},
      {"SubpassDescription-pInputAttachments-02868",
       [](Old& o) { o.info.flags = VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM; }},
  });
}

TEST_F(PassExtensions, OfVersion2) {
  Start();
  const uint32_t masks[] = {1, 2, 6};
  const auto beyond = [] {
    auto reference = Of<VkAttachmentReference2>();
    reference.attachment = 4, reference.layout = kGeneral;
    return reference;
  }();
  const auto correlate = [&](New& n, uint32_t count) {
    n.info.correlatedViewMaskCount = count, n.info.pCorrelatedViewMasks = masks;
    for (auto& subpass : n.subpasses) subpass.viewMask = 7;
  };
  Run<New>({
      {"", [](New& n) { n.SetRate(); }},
      {"", [&](New& n) { correlate(n, 2); }},
      {"RenderPassCreateInfo2-fragmentDensityMapAttachment-06472", [](New& n) { n.SetDensity(4); }},
      {"RenderPassCreateInfo2-pSubpasses-06473",
       [&](New& n) {
         n.resolves.pDepthStencilResolveAttachment = &beyond;
         n.resolves.depthResolveMode = n.resolves.stencilResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
         n.subpasses[0].pNext = &n.resolves;
       }},
      {"RenderPassCreateInfo2-pCorrelatedViewMasks-03056", [&](New& n) { correlate(n, 3); }},
      {"RenderPassCreateInfo2-flags-04907",
       [](New& n) { n.subpasses[0].flags = kInShader, n.info.dependencyCount = 0; }},
      {"RenderPassCreateInfo2-flags-04909",
       [](New& n) { n.subpasses[0].flags = kInShader, n.subpasses[0].pResolveAttachments = nullptr; }},
      {"RenderPassCreateInfo2-flags-04521",
       [](New& n) {
         n.info.flags = VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM, n.SetRate(), n.subpasses[0].inputAttachmentCount = 0;
       }},
      {"RenderPassCreateInfo2-pAttachments-04585",
       [](New& n) {
         n.SetRate(), n.subpasses[1].inputAttachmentCount = 1, n.subpasses[1].pInputAttachments = &n.rate;
       }},
      {"RenderPassCreateInfo2-pAttachments-04586",
       [](New& n) { n.SetRate(), n.attachments[3].format = VK_FORMAT_R8_UNORM; }},
      {"AttachmentDescription2-format-09334", [](New& n) { n.SetExternal(), n.attachments[1].pNext = nullptr; }},
  });
}

TEST_F(PassExtensions, ShaderResolvesOfDepth) {
  Start();
  Run<New>({{"RenderPassCreateInfo2-flags-04908", [](New& n) {
               n.attachments[0].format = n.attachments[1].format = VK_FORMAT_D16_UNORM;
               n.resolves.pDepthStencilResolveAttachment = &n.resolve;
               n.resolves.depthResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
               n.subpasses[0].pNext = &n.resolves, n.subpasses[0].pDepthStencilAttachment = &n.color;
               n.subpasses[0].colorAttachmentCount = 0, n.subpasses[0].pResolveAttachments = nullptr;
               n.subpasses[0].flags = kInShader, n.info.dependencyCount = 0;
             }}});
}

TEST_F(PassExtensions, ExternalFormats) {
  Start();
  const VkAttachmentReference2 unused = {
      VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, VK_ATTACHMENT_UNUSED, {}, {}};
  VkAttachmentReference2 colors[2] = {unused, unused}, resolves[2] = {unused, unused};
  const auto external = [](const std::function<void(New&)>& change) {
    return [=](New& n) { n.SetExternal(), change(n); };
  };
  Run<New>({
      {"", external([](New&) {})},
      {"SubpassDescription2-externalFormatResolve-09344", external([&](New& n) {
         colors[0] = n.color, resolves[0] = n.resolve;
         n.subpasses[0].colorAttachmentCount = 2;
         n.subpasses[0].pColorAttachments = colors, n.subpasses[0].pResolveAttachments = resolves;
       })},
      {"SubpassDescription2-nullColorAttachmentWithExternalFormatResolve-09336",
       external([](New& n) { n.color.attachment = VK_ATTACHMENT_UNUSED; })},
      {"SubpassDescription2-externalFormatResolve-09345",
       external([](New& n) { n.attachments[0].samples = VK_SAMPLE_COUNT_4_BIT; })},
      {"SubpassDescription2-externalFormatResolve-09346",
       external([](New& n) { n.subpasses[0].viewMask = n.subpasses[1].viewMask = 1; })},
      {"SubpassDescription2-externalFormatResolve-09347", external([](New& n) { n.SetRate(); })},
      {"RenderPassCreateInfo2-pResolveAttachments-09331", external([](New& n) { n.SetDensity(3); })},
      {"SubpassDescription2-externalFormatResolve-09348", external([](New& n) {
         n.input.attachment = 0, n.input.aspectMask = VK_IMAGE_ASPECT_PLANE_0_BIT;
         n.attachments[0].format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
       })},
  });
  Destroy();
  Start(VK_TRUE);
  Run<New>({{"SubpassDescription2-nullColorAttachmentWithExternalFormatResolve-09337", external([](New&) {})}});
}

}  // namespace
}  // namespace assay::core
