// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// VkRenderPassCreateInfo and VkRenderPassCreateInfo2: what subpasses do with their attachments, and dependencies. The
// state tracker reads both into the same form, which the checks are about.

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/render_passes/render_pass_rules.h"
#include "core/render_passes/subpass_structures.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/format_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using state::AttachmentDescription;
using state::AttachmentReference;
using state::RenderPass;
using state::Subpass;
using state::SubpassAttachment;
using vk::kNoVuid;
using vk::Vuid;

// Of version 1 and of version 2.
using Ids = std::array<vk::VuidIndex, 2>;

constexpr VkFormatFeatureFlags2 kColorFeature = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT;
constexpr VkFormatFeatureFlags2 kDepthFeature = VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;

// Stages that no graphics pipeline has.
constexpr VkPipelineStageFlags2 kOtherStages =
    VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT |
    VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |
    VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR |
    VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;

std::string LayoutName(VkImageLayout layout) { return std::string(vk::EnumName(vk::EnumId::kImageLayout, layout)); }
std::string SamplesName(VkSampleCountFlags samples) {
  return std::string(vk::EnumName(vk::EnumId::kSampleCountFlagBits, samples));
}

class PassCheck {
 public:
  // `subpasses`: null for version 1.
  PassCheck(const PassFeatures& features, const RenderPass& pass, const void* chain,
            const VkSubpassDescription2* subpasses, messages::Report& report)
      : features_(features),
        pass_(pass),
        chain_(chain),
        infos_(subpasses),
        is_second_(subpasses != nullptr),
        report_(report) {}

  void Run() const {
    for (uint32_t i = 0; i < pass_.attachments.size(); ++i) {
      CheckLayouts(pass_.attachments[i], AttachmentAt(i));
      CheckLoads(i);
    }
    for (uint32_t i = 0; i < pass_.subpasses.size(); ++i) CheckSubpass(i);
    CheckDependencies();
    CheckDensityMap();
  }

 private:
  void Require(bool is_right, const Ids& ids, const Location& at, std::string_view text) const {
    if (!is_right && ids[is_second_] != kNoVuid) report_.Error(ids[is_second_], {}, at, std::string(text));
  }
  Location AttachmentAt(uint32_t index) const { return at_.Dot("pAttachments", index); }
  const AttachmentDescription& Of(const AttachmentReference& reference) const {
    return pass_.attachments[reference.attachment];
  }

  void CheckLayouts(const AttachmentDescription& attachment, const Location& at) const {
    if (attachment.aspects != kDepthStencil) return;
    const auto require = [&](const state::AttachmentLayouts& layouts, const Ids& depth, const Ids& stencil,
                             std::string_view member) {
      const bool is_separate = layouts.stencil != layouts.layout;
      const std::string text =
          absl::StrCat("is ", LayoutName(layouts.layout), ", but the format has depth and stencil.");
      Require(is_separate || !IsOneOf(layouts.layout, kDepthLayouts), depth, at.Dot(member), text);
      Require(!IsOneOf(layouts.layout, kStencilLayouts), stencil, at.Dot(member), text);
    };
    require(attachment.initial,
            {Vuid("VUID-VkAttachmentDescription-format-06242"), Vuid("VUID-VkAttachmentDescription2-format-06249")},
            {Vuid("VUID-VkAttachmentDescription-format-06906"), Vuid("VUID-VkAttachmentDescription2-format-06906")},
            "initialLayout");
    require(attachment.final,
            {Vuid("VUID-VkAttachmentDescription-format-06243"), Vuid("VUID-VkAttachmentDescription2-format-06250")},
            {Vuid("VUID-VkAttachmentDescription-format-06907"), Vuid("VUID-VkAttachmentDescription2-format-06907")},
            "finalLayout");
  }

  // Clears need a layout that can be written where the attachment is used first.
  void CheckLoads(uint32_t index) const {
    const AttachmentDescription& attachment = pass_.attachments[index];
    if (attachment.first_subpass == VK_SUBPASS_EXTERNAL) return;
    const SubpassAttachment& first = *pass_.subpasses[attachment.first_subpass].FindAttachment(index);
    const bool is_cleared = attachment.load_op == VK_ATTACHMENT_LOAD_OP_CLEAR;
    Require(!is_cleared || (first.kinds & SubpassAttachment::kFragmentShadingRate) == 0,
            {kNoVuid, Vuid("VUID-VkRenderPassCreateInfo2-pAttachments-09387")}, AttachmentAt(index),
            "is a fragment shading rate attachment with loadOp VK_ATTACHMENT_LOAD_OP_CLEAR.");
    if (is_cleared && first.kinds == SubpassAttachment::kInput) {
      return Require(false,
                     {Vuid("VUID-VkSubpassDescription-loadOp-00846"), Vuid("VUID-VkSubpassDescription2-loadOp-03064")},
                     AttachmentAt(index),
                     absl::StrCat("has loadOp VK_ATTACHMENT_LOAD_OP_CLEAR, but subpass ", attachment.first_subpass,
                                  ", the first that uses it, has it as an input attachment alone."));
    }
    const auto require = [&](bool clears, VkImageLayout layout, VkImageLayout half, const Ids& ids,
                             const Ids& of_half) {
      const bool is_half = layout == half;
      const bool is_read_only = IsOneOf(
          layout, {VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, half});
      Require(!clears || !is_read_only, is_half ? of_half : ids, AttachmentAt(index),
              absl::StrCat("is cleared, but subpass ", attachment.first_subpass, ", the first that uses it, has it in ",
                           LayoutName(layout), "."));
    };
    require(is_cleared && attachment.aspects != VK_IMAGE_ASPECT_STENCIL_BIT, first.layouts.layout,
            VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
            {Vuid("VUID-VkRenderPassCreateInfo-pAttachments-00836"),
             Vuid("VUID-VkRenderPassCreateInfo2-pAttachments-02522")},
            {Vuid("VUID-VkRenderPassCreateInfo-pAttachments-01566"),
             Vuid("VUID-VkRenderPassCreateInfo2-pAttachments-02522")});
    require(attachment.stencil_load_op == VK_ATTACHMENT_LOAD_OP_CLEAR &&
                (attachment.aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0,
            first.layouts.stencil, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
            {Vuid("VUID-VkRenderPassCreateInfo-pAttachments-02511"),
             Vuid("VUID-VkRenderPassCreateInfo2-pAttachments-02523")},
            {Vuid("VUID-VkRenderPassCreateInfo-pAttachments-01567"),
             Vuid("VUID-VkRenderPassCreateInfo2-pAttachments-02523")});
  }

  void CheckSubpass(uint32_t index) const {
    const Subpass& subpass = pass_.subpasses[index];
    const Location at = at_.Dot("pSubpasses", index);
    Require(static_cast<uint32_t>(std::bit_width(subpass.view_mask)) <= features_.max_views,
            {Vuid("VUID-VkRenderPassMultiviewCreateInfo-pViewMasks-06697"),
             Vuid("VUID-VkSubpassDescription2-viewMask-06706")},
            at,
            absl::StrCat("has the view mask ", subpass.view_mask, ", but there are ", features_.max_views, " views."));
    CheckFeatures(subpass, at);
    CheckSamples(subpass, at);
    CheckResolves(subpass, at);
    CheckLayouts(subpass, at);
    for (uint32_t i = 0; i < subpass.inputs.size(); ++i) {
      const AttachmentReference& input = subpass.inputs[i];
      const auto* const format = input.is_used() ? vk::GetFormatInfo(Of(input).format) : nullptr;
      Require(format == nullptr || (input.aspects & ~format->aspects) == 0,
              {Vuid("VUID-VkRenderPassCreateInfo-pNext-01963"), Vuid("VUID-VkRenderPassCreateInfo2-attachment-02525")},
              at.Dot("pInputAttachments", i),
              absl::StrCat("has aspects (", vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, input.aspects),
                           ") that its format does not have."));
    }
    if (is_second_) CheckSubpassStructures(features_, pass_, subpass, infos_[index], at, report_);
  }

  void CheckFeatures(const Subpass& subpass, const Location& at) const {
    const auto require = [&](const AttachmentReference& reference, VkFormatFeatureFlags2 features, const Ids& ids,
                             const Location& where) {
      if (!reference.is_used()) return;
      const std::optional<VkFormatFeatureFlags2> has = features_.formats.Potential(Of(reference).format);
      Require(!has || (*has & features) != 0, ids, where,
              absl::StrCat("is attachment ", reference.attachment, " of ",
                           vk::EnumName(vk::EnumId::kFormat, Of(reference).format), ", which has no feature of ",
                           vk::FlagsToString(vk::EnumId::kFormatFeatureFlagBits2, features), "."));
    };
    const auto require_all = [&](const std::vector<AttachmentReference>& all, VkFormatFeatureFlags2 features,
                                 const Ids& ids, std::string_view name) {
      for (uint32_t i = 0; i < all.size(); ++i) require(all[i], features, ids, at.Dot(name, i));
    };
    require_all(subpass.inputs, kColorFeature | kDepthFeature,
                {Vuid("VUID-VkSubpassDescription-pInputAttachments-02647"),
                 Vuid("VUID-VkSubpassDescription2-pInputAttachments-02897")},
                "pInputAttachments");
    require_all(subpass.colors, kColorFeature,
                {Vuid("VUID-VkSubpassDescription-pColorAttachments-02648"),
                 Vuid("VUID-VkSubpassDescription2-pColorAttachments-02898")},
                "pColorAttachments");
    require_all(subpass.resolves, kColorFeature,
                {Vuid("VUID-VkSubpassDescription-pResolveAttachments-02649"),
                 Vuid("VUID-VkSubpassDescription2-pResolveAttachments-09343")},
                "pResolveAttachments");
    require(subpass.depth_stencil, kDepthFeature,
            {Vuid("VUID-VkSubpassDescription-pDepthStencilAttachment-02650"),
             Vuid("VUID-VkSubpassDescription2-pDepthStencilAttachment-02900")},
            at.Dot("pDepthStencilAttachment"));
  }

  void CheckSamples(const Subpass& subpass, const Location& at) const {
    const VkSampleCountFlags single_sampled = subpass.single_sampled_rasterization_samples;
    const AttachmentDescription* const depth = subpass.depth_stencil.is_used() ? &Of(subpass.depth_stencil) : nullptr;
    const auto require_single = [&](VkSampleCountFlagBits samples, const Location& where) {
      Require(single_sampled == 0 || samples == VK_SAMPLE_COUNT_1_BIT || samples == single_sampled,
              {kNoVuid, Vuid("VUID-VkSubpassDescription2-pNext-06870")}, where,
              absl::StrCat("has ", SamplesName(samples), ", but rasterizationSamples is ", SamplesName(single_sampled),
                           "."));
    };
    if (depth != nullptr) require_single(depth->samples, at.Dot("pDepthStencilAttachment"));
    std::optional<VkSampleCountFlagBits> first;
    for (uint32_t i = 0; i < subpass.colors.size(); ++i) {
      if (!subpass.colors[i].is_used()) continue;
      const VkSampleCountFlagBits samples = Of(subpass.colors[i]).samples;
      const Location where = at.Dot("pColorAttachments", i);
      require_single(samples, where);
      if (!first) first = samples;
      const bool may_differ = is_second_ && features_.has_single_sampled;
      const std::string text = absl::StrCat("has ", SamplesName(samples), ", ");
      Require(samples == *first || may_differ,
              {Vuid("VUID-VkSubpassDescription-pColorAttachments-09430"),
               Vuid("VUID-VkSubpassDescription2-multisampledRenderToSingleSampled-06869")},
              where, absl::StrCat(text, "another color attachment ", SamplesName(*first), "."));
      if (depth == nullptr || samples != *first) continue;
      const std::string other = absl::StrCat(text, "the depth/stencil attachment ", SamplesName(depth->samples), ".");
      if (features_.has_mixed_samples) {
        Require(samples <= depth->samples,
                {Vuid("VUID-VkSubpassDescription-None-09431"), Vuid("VUID-VkSubpassDescription2-None-09456")}, where,
                other);
      } else {
        Require(samples == depth->samples || may_differ,
                {Vuid("VUID-VkSubpassDescription-pDepthStencilAttachment-01418"),
                 Vuid("VUID-VkSubpassDescription2-multisampledRenderToSingleSampled-06872")},
                where, other);
      }
    }
  }

  void CheckResolves(const Subpass& subpass, const Location& at) const {
    for (uint32_t i = 0; i < subpass.resolves.size(); ++i) {
      if (!subpass.resolves[i].is_used()) continue;
      const AttachmentDescription& resolve = Of(subpass.resolves[i]);
      const Location where = at.Dot("pResolveAttachments", i);
      Require(resolve.samples == VK_SAMPLE_COUNT_1_BIT,
              {Vuid("VUID-VkSubpassDescription-pResolveAttachments-00849"),
               Vuid("VUID-VkSubpassDescription2-pResolveAttachments-03067")},
              where, absl::StrCat("has ", SamplesName(resolve.samples), "."));
      // External formats are resolved from other formats, and from one sample.
      if (!subpass.colors[i].is_used() || features_.has_external_resolve) continue;
      const AttachmentDescription& color = Of(subpass.colors[i]);
      Require(color.samples != VK_SAMPLE_COUNT_1_BIT,
              {Vuid("VUID-VkSubpassDescription-pResolveAttachments-00848"),
               Vuid("VUID-VkSubpassDescription2-externalFormatResolve-09338")},
              where, "resolves a color attachment with VK_SAMPLE_COUNT_1_BIT.");
      Require(color.format == resolve.format,
              {Vuid("VUID-VkSubpassDescription-pResolveAttachments-00850"),
               Vuid("VUID-VkSubpassDescription2-externalFormatResolve-09339")},
              where,
              absl::StrCat("is of ", vk::EnumName(vk::EnumId::kFormat, resolve.format),
                           ", but the color attachment of ", vk::EnumName(vk::EnumId::kFormat, color.format), "."));
    }
  }

  // All references to an attachment have the same layout.
  void CheckLayouts(const Subpass& subpass, const Location& at) const {
    const auto require = [&](const AttachmentReference& reference, const Location& where) {
      if (!reference.is_used()) return;
      const VkImageLayout other = subpass.FindAttachment(reference.attachment)->layouts.layout;
      Require(reference.layouts.layout == other,
              {Vuid("VUID-VkSubpassDescription-layout-02519"), Vuid("VUID-VkSubpassDescription2-layout-02528")}, where,
              absl::StrCat("has ", LayoutName(reference.layouts.layout), ", but the subpass also has attachment ",
                           reference.attachment, " with ", LayoutName(other), "."));
    };
    for (uint32_t i = 0; i < subpass.colors.size(); ++i) require(subpass.colors[i], at.Dot("pColorAttachments", i));
    for (uint32_t i = 0; i < subpass.inputs.size(); ++i) require(subpass.inputs[i], at.Dot("pInputAttachments", i));
  }

  void CheckDependencies() const {
    for (uint32_t i = 0; i < pass_.dependencies.size(); ++i) {
      const state::SubpassDependency& dependency = pass_.dependencies[i];
      if (dependency.is_implicit) break;
      const Location at = at_.Dot("pDependencies", i);
      const auto require = [&](uint32_t subpass, VkPipelineStageFlags2 stages, const Ids& ids,
                               std::string_view member) {
        const Subpass* const of = pass_.At(subpass);
        const bool is_graphics = of != nullptr && of->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS;
        Require(!is_graphics || (stages & kOtherStages) == 0, ids, at.Dot(member),
                absl::StrCat("has ", vk::FlagsToString(vk::EnumId::kPipelineStageFlagBits2, stages & kOtherStages),
                             ", which the graphics pipelines of subpass ", subpass, " do not have."));
      };
      require(dependency.src_subpass, dependency.src_stages,
              {Vuid("VUID-VkRenderPassCreateInfo-pDependencies-00837"),
               Vuid("VUID-VkRenderPassCreateInfo2-pDependencies-03054")},
              "srcStageMask");
      require(dependency.dst_subpass, dependency.dst_stages,
              {Vuid("VUID-VkRenderPassCreateInfo-pDependencies-00838"),
               Vuid("VUID-VkRenderPassCreateInfo2-pDependencies-03055")},
              "dstStageMask");
      CheckViews(dependency, at);
    }
  }

  void CheckViews(const state::SubpassDependency& dependency, const Location& at) const {
    const bool is_local = (dependency.flags & VK_DEPENDENCY_VIEW_LOCAL_BIT) != 0;
    const bool is_multiview = std::ranges::any_of(pass_.subpasses, [](const Subpass& s) { return s.view_mask != 0; });
    const bool has_structure = vk::FindInChain<VkRenderPassMultiviewCreateInfo>(chain_) != nullptr;
    Require(!is_local || is_multiview || !(is_second_ || has_structure),
            {Vuid("VUID-VkRenderPassCreateInfo-pNext-02514"), Vuid("VUID-VkRenderPassCreateInfo2-viewMask-03059")}, at,
            "has VK_DEPENDENCY_VIEW_LOCAL_BIT, but no subpass has a view mask.");
    Require(is_local || dependency.view_offset == 0, {Vuid("VUID-VkRenderPassCreateInfo-pNext-02512"), kNoVuid}, at,
            absl::StrCat("has the view offset ", dependency.view_offset, " without VK_DEPENDENCY_VIEW_LOCAL_BIT."));
    if (dependency.src_subpass != dependency.dst_subpass) return;
    Require(dependency.view_offset == 0, {Vuid("VUID-VkRenderPassCreateInfo-pNext-01930"), kNoVuid}, at,
            absl::StrCat("is of a subpass to itself, with the view offset ", dependency.view_offset, "."));
    const Subpass* const subpass = pass_.At(dependency.src_subpass);
    Require(is_local || subpass == nullptr || std::popcount(subpass->view_mask) <= 1,
            {kNoVuid, Vuid("VUID-VkRenderPassCreateInfo2-pDependencies-03060")}, at,
            "is of a subpass with several views to itself, without VK_DEPENDENCY_VIEW_LOCAL_BIT.");
  }

  void CheckDensityMap() const {
    const AttachmentReference& map = pass_.fragment_density_map;
    if (!map.is_used()) return;
    const Location at = at_.Next("VkRenderPassFragmentDensityMapCreateInfoEXT", "fragmentDensityMapAttachment");
    const auto require = [&](bool is_right, vk::VuidIndex rule, std::string_view text) {
      Require(is_right, {rule, rule}, at, text);
    };
    const AttachmentDescription& attachment = Of(map);
    const bool is_other = attachment.first_subpass != VK_SUBPASS_EXTERNAL ||
                          std::ranges::any_of(pass_.subpasses, [&](const Subpass& subpass) {
                            return std::ranges::find(subpass.preserves, map.attachment) != subpass.preserves.end();
                          });
    require(!is_other, Vuid("VUID-VkRenderPassFragmentDensityMapCreateInfoEXT-fragmentDensityMapAttachment-02548"),
            "is an attachment of a subpass, too.");
    require(IsOneOf(map.layouts.layout, {VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT, VK_IMAGE_LAYOUT_GENERAL}),
            Vuid("VUID-VkRenderPassFragmentDensityMapCreateInfoEXT-fragmentDensityMapAttachment-02549"),
            absl::StrCat("has layout ", LayoutName(map.layouts.layout), "."));
    require(attachment.load_op == VK_ATTACHMENT_LOAD_OP_LOAD || attachment.load_op == VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            Vuid("VUID-VkRenderPassFragmentDensityMapCreateInfoEXT-fragmentDensityMapAttachment-02550"),
            absl::StrCat("has loadOp ", vk::EnumName(vk::EnumId::kAttachmentLoadOp, attachment.load_op), "."));
    require(attachment.store_op == VK_ATTACHMENT_STORE_OP_DONT_CARE,
            Vuid("VUID-VkRenderPassFragmentDensityMapCreateInfoEXT-fragmentDensityMapAttachment-02551"),
            absl::StrCat("has storeOp ", vk::EnumName(vk::EnumId::kAttachmentStoreOp, attachment.store_op), "."));
  }

  const PassFeatures& features_;
  const RenderPass& pass_;
  const void* const chain_;
  const VkSubpassDescription2* const infos_;
  const bool is_second_;
  messages::Report& report_;
  const Location call_ = report_.location();
  const Location at_ = call_.Dot("pCreateInfo");
};

}  // namespace

void RenderPassRules::PreCallValidate(const vk::CreateRenderPass& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const auto pass = state::MakeRef<RenderPass>(0, *call.pCreateInfo);
  PassCheck(features_, *pass, call.pCreateInfo->pNext, nullptr, report).Run();
  CheckPassExtensions(features_, *pass, *call.pCreateInfo, report);
}
void RenderPassRules::PreCallValidate(const vk::CreateRenderPass2& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const auto pass = state::MakeRef<RenderPass>(0, *call.pCreateInfo);
  PassCheck(features_, *pass, call.pCreateInfo->pNext, call.pCreateInfo->pSubpasses, report).Run();
  CheckPassExtensions(features_, *pass, *call.pCreateInfo, report);
}

}  // namespace assay::core
