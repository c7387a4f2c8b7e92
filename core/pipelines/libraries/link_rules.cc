// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of parts that are linked: the pipeline's own with those of a library, and those of two libraries.

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/pipelines/libraries/layout_links.h"
#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::Vuid;

constexpr VkGraphicsPipelineLibraryFlagsEXT kWithTarget = kPreRasterization | kFragmentShader | kFragmentOutput;

// One of the two has pre-rasterization shaders, the other one the fragment shader.
bool AreShaders(const PartFacts& a, const PartFacts& b) {
  return (a.Has(kPreRasterization) && !a.Has(kFragmentShader) && b.Has(kFragmentShader)) ||
         (a.Has(kFragmentShader) && !a.Has(kPreRasterization) && b.Has(kPreRasterization));
}
bool HaveTargets(const PartFacts& a, const PartFacts& b) { return a.Has(kWithTarget) && b.Has(kWithTarget); }

Mismatch Differ(std::string_view what, uint32_t a, uint32_t b) {
  return a != b ? Mismatch(absl::StrCat(what, " is ", a, " here and ", b, " there")) : std::nullopt;
}

// The render pass.
Mismatch CheckSubpass(const PartFacts& a, const PartFacts& b) {
  const bool is_used = HaveTargets(a, b) && a.has_render_pass && b.has_render_pass;
  return is_used ? Differ("subpass", a.subpass, b.subpass) : std::nullopt;
}
Mismatch CheckViewMask(const PartFacts& a, const PartFacts& b) {
  const bool is_dynamic = HaveTargets(a, b) && !a.has_render_pass && !b.has_render_pass;
  return is_dynamic ? Differ("viewMask", a.view_mask, b.view_mask) : std::nullopt;
}
bool AreCompatible(const state::RenderPass& a, const state::AttachmentReference& x, const state::RenderPass& b,
                   const state::AttachmentReference& y) {
  if (!x.is_used() || !y.is_used()) return x.is_used() == y.is_used();
  const state::AttachmentDescription& of_x = a.attachments[x.attachment];
  const state::AttachmentDescription& of_y = b.attachments[y.attachment];
  return of_x.format == of_y.format && of_x.samples == of_y.samples;
}
// References past the end of the shorter array are unused.
bool AreCompatible(const state::RenderPass& a, const std::vector<state::AttachmentReference>& x,
                   const state::RenderPass& b, const std::vector<state::AttachmentReference>& y) {
  const state::AttachmentReference unused;
  for (size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
    if (!AreCompatible(a, i < x.size() ? x[i] : unused, b, i < y.size() ? y[i] : unused)) return false;
  }
  return true;
}
// Of "Render Pass Compatibility", what references to color, input and depth/stencil attachments and views decide.
Mismatch CheckRenderPasses(const PartFacts& a, const PartFacts& b) {
  if (!HaveTargets(a, b) || !a.render_pass || !b.render_pass) return {};
  const state::RenderPass& x = *a.render_pass;
  const state::RenderPass& y = *b.render_pass;
  if (x.subpasses.size() != y.subpasses.size()) return "the render passes have different numbers of subpasses";
  for (size_t i = 0; i < x.subpasses.size(); ++i) {
    const state::Subpass& of_x = x.subpasses[i];
    const state::Subpass& of_y = y.subpasses[i];
    const bool is_fine =
        AreCompatible(x, of_x.colors, y, of_y.colors) && AreCompatible(x, of_x.inputs, y, of_y.inputs) &&
        AreCompatible(x, of_x.depth_stencil, y, of_y.depth_stencil) && of_x.view_mask == of_y.view_mask;
    if (!is_fine) return absl::StrCat("subpass ", i, " of the render passes is not compatible");
  }
  return {};
}
Mismatch CheckOwnRenderPass(const PartFacts& own, const PartFacts& library) {
  if (HaveTargets(own, library) && own.has_render_pass && !library.has_render_pass)
    return "the library was created for dynamic rendering";
  return CheckRenderPasses(own, library);
}
Mismatch CheckNoRenderPass(const PartFacts& own, const PartFacts& library) {
  if (HaveTargets(own, library) && !own.has_render_pass && library.has_render_pass)
    return "the library was created with a render pass";
  return {};
}
Mismatch CheckLibraryRenderPasses(const PartFacts& a, const PartFacts& b) {
  if (HaveTargets(a, b) && a.has_render_pass != b.has_render_pass)
    return "only one of them was created for dynamic rendering";
  return CheckRenderPasses(a, b);
}

// Multisampling.
bool AreDynamic(const PartFacts& a, const PartFacts& b, VkDynamicState state) {
  return a.dynamic.Has(state) || b.dynamic.Has(state);
}
Mismatch CompareSamples(const PartFacts& a, const PartFacts& b) {
  const MultisampleFacts& x = *a.multisample;
  const MultisampleFacts& y = *b.multisample;
  const bool are_samples_dynamic = AreDynamic(a, b, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT);
  if (!are_samples_dynamic && x.samples != y.samples) return Differ("rasterizationSamples", x.samples, y.samples);
  if (x.has_sample_shading != y.has_sample_shading) return "sampleShadingEnable differs";
  if (x.min_sample_shading != y.min_sample_shading) return "minSampleShading differs";
  if (!are_samples_dynamic && !AreDynamic(a, b, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT) && x.mask != y.mask)
    return "pSampleMask differs";
  if (!AreDynamic(a, b, VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT) &&
      x.has_alpha_to_coverage != y.has_alpha_to_coverage) {
    return "alphaToCoverageEnable differs";
  }
  if (!AreDynamic(a, b, VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT) && x.has_alpha_to_one != y.has_alpha_to_one)
    return "alphaToOneEnable differs";
  return {};
}
Mismatch CheckSamples(const PartFacts& shader, const PartFacts& output) {
  const bool is_known = shader.Has(kFragmentShader) && !shader.Has(kFragmentOutput) && output.Has(kFragmentOutput) &&
                        !output.Has(kFragmentShader) && shader.multisample && output.multisample;
  return is_known ? CompareSamples(shader, output) : std::nullopt;
}
// The fragment shader's library has no multisample state at all.
Mismatch CheckSampleShading(const PartFacts& shader, const PartFacts& output) {
  const bool is_wrong = shader.Has(kFragmentShader) && !shader.Has(kFragmentOutput) && output.Has(kFragmentOutput) &&
                        !output.Has(kFragmentShader) && !shader.multisample && output.multisample &&
                        output.multisample->has_sample_shading &&
                        !AreDynamic(shader, output, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT);
  if (!is_wrong) return {};
  return "pMultisampleState is NULL with the fragment shader, but enables sample shading with the fragment output";
}
template <Mismatch (*kCheck)(const PartFacts&, const PartFacts&)>
Mismatch Swapped(const PartFacts& a, const PartFacts& b) {
  return kCheck(b, a);
}
template <Mismatch (*kCheck)(const PartFacts&, const PartFacts&)>
Mismatch Either(const PartFacts& a, const PartFacts& b) {
  const Mismatch found = kCheck(a, b);
  return found ? found : kCheck(b, a);
}

// What both kinds of shaders have.
Mismatch CheckShadingRate(const PartFacts& a, const PartFacts& b) {
  if (!AreShaders(a, b) || AreDynamic(a, b, VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR)) return {};
  const auto tie = [](const VkPipelineFragmentShadingRateStateCreateInfoKHR& rate) {
    return std::tie(rate.fragmentSize.width, rate.fragmentSize.height, rate.combinerOps[0], rate.combinerOps[1]);
  };
  if (tie(a.shading_rate) == tie(b.shading_rate)) return {};
  return "VkPipelineFragmentShadingRateStateCreateInfoKHR differs";
}
Mismatch CheckPerViewAttributes(const PartFacts& a, const PartFacts& b) {
  if (!AreShaders(a, b)) return {};
  return Differ("perViewAttributes", a.per_view_attributes.perViewAttributes, b.per_view_attributes.perViewAttributes);
}
Mismatch CheckPerViewPositions(const PartFacts& a, const PartFacts& b) {
  if (!AreShaders(a, b)) return {};
  return Differ("perViewAttributesPositionXOnly", a.per_view_attributes.perViewAttributesPositionXOnly,
                b.per_view_attributes.perViewAttributesPositionXOnly);
}
template <Mismatch (*kCheck)(const PartFacts&, const PartFacts&)>
Mismatch OfShaders(const PartFacts& a, const PartFacts& b) {
  return AreShaders(a, b) && a.layout != nullptr && b.layout != nullptr ? kCheck(a, b) : std::nullopt;
}

struct LinkRule {
  // kNoVuid where the rule is not for them.
  vk::VuidIndex own;
  vk::VuidIndex libraries;
  // The member of the create info, of the pipeline's own parts.
  std::string_view where;
  Mismatch (*check)(const PartFacts& a, const PartFacts& b);
};
constexpr char kRate[] = "pNext<VkPipelineFragmentShadingRateStateCreateInfoKHR>";
constexpr char kPerView[] = "pNext<VkMultiviewPerViewAttributesInfoNVX>";
constexpr LinkRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06684"), Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06623"),
     "subpass", CheckSubpass},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06626"), Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06627"),
     "", CheckViewMask},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderpass-06624"), vk::kNoVuid, "renderPass", CheckOwnRenderPass},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderpass-06625"), vk::kNoVuid, "renderPass", CheckNoRenderPass},
    {vk::kNoVuid, Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06628"), "", CheckLibraryRenderPasses},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06633"), vk::kNoVuid, "pMultisampleState", CheckSamples},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06634"), vk::kNoVuid, "pMultisampleState",
     Swapped<CheckSamples>},
    {vk::kNoVuid, Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06635"), "", Either<CheckSamples>},
    {vk::kNoVuid, Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06636"), "", Either<CheckSampleShading>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06637"), vk::kNoVuid, "pMultisampleState",
     Swapped<CheckSampleShading>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-09567"), vk::kNoVuid, "pMultisampleState", CheckSampleShading},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06638"), Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06639"),
     kRate, CheckShadingRate},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06596"), Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06597"),
     kPerView, CheckPerViewAttributes},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06598"), Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06599"),
     kPerView, CheckPerViewPositions},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06614"), vk::kNoVuid, "layout", OfShaders<CheckIndependence>},
    {vk::kNoVuid, Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06615"), "", OfShaders<Either<CheckIndependence>>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06612"), vk::kNoVuid, "layout", OfShaders<CheckOwnLayout>},
    {vk::kNoVuid, Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06613"), "", OfShaders<CheckWholeLayouts>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06616"), Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06617"),
     "layout", OfShaders<CheckCommonSets>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06620"), Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06621"),
     "layout", OfShaders<CheckCommonRanges>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06679"), Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06681"),
     "layout", OfShaders<CheckOpenSets>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06756"), vk::kNoVuid, "layout", OfShaders<CheckOpenSetStages>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06757"), vk::kNoVuid, "layout",
     OfShaders<Swapped<CheckOpenSetStages>>},
    {vk::kNoVuid, Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06758"), "",
     OfShaders<Either<CheckOpenSetStages>>},
};

constexpr char kLibraries[] = "pNext<VkPipelineLibraryCreateInfoKHR>.pLibraries[]";

// Parts of the pipeline itself (without a library) or of one of its libraries.
struct LinkedPart {
  const PartFacts* facts;
  std::optional<uint32_t> library;
};

void Compare(const LinkedPart& first, const LinkedPart& second, const GraphicsView& view, const Location& where,
             messages::Report& report) {
  const PartFacts& a = *first.facts;
  const PartFacts& b = *second.facts;
  const std::string of_first = first.library ? absl::StrCat("pLibraries[", *first.library, "]") : "the pipeline itself";
  if (a.Has(b.parts)) {
    return ReportFinding(Vuid("VUID-VkGraphicsPipelineCreateInfo-pLibraries-06611"), kLibraries,
                         {absl::StrCat("has a part that ", of_first, " has, too."), "", *second.library}, view, where,
                         report);
  }
  for (const LinkRule& rule : kRules) {
    const vk::VuidIndex id = first.library ? rule.libraries : rule.own;
    if (id == vk::kNoVuid) continue;
    const Mismatch found = rule.check(a, b);
    if (!found) continue;
    if (first.library) {
      ReportFinding(id, kLibraries, {absl::StrCat("does not fit ", of_first, ": ", *found, "."), "", *second.library},
                    view, where, report);
    } else {
      ReportFinding(id, rule.where, {absl::StrCat("does not fit pLibraries[", *second.library, "]: ", *found, ".")},
                    view, where, report);
    }
  }
}

}  // namespace

void CheckLinks(const GraphicsView& view, const Location& where, messages::Report& report) {
  if (view.libraries.empty()) return;
  const PartFacts own(view, view.layout);
  std::vector<LinkedPart> parts;
  if (own.parts != 0) parts.push_back({&own, std::nullopt});
  for (const LinkedLibrary& library : view.libraries) {
    if (library.facts == nullptr) continue;
    for (const PartFacts& facts : library.facts->parts) parts.push_back({&facts, library.index});
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    for (size_t k = i + 1; k < parts.size(); ++k) {
      if (parts[i].library != parts[k].library) Compare(parts[i], parts[k], view, where, report);
    }
  }
}

}  // namespace assay::core
