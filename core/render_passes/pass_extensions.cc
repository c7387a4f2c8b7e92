// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What extensions say of render passes when they are created: references in chains, correlated views, subpasses that
// resolve in shaders, transforms, shading rates, and attachments of external formats. The checks are about the
// parameters themselves, where the state tracker drops what is invalid.

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/render_passes/subpass_structures.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using state::Items;
using state::RenderPass;
using state::SubpassAttachment;
using vk::kNoVuid;
using vk::Vuid;
using vk::VuidIndex;

// `Info` is VkRenderPassCreateInfo or VkRenderPassCreateInfo2.
template <class Info>
class ExtensionCheck {
 public:
  ExtensionCheck(const PassFeatures& features, const RenderPass& pass, const Info& info, messages::Report& report)
      : features_(features),
        pass_(pass),
        info_(info),
        subpasses_(Items(info.pSubpasses, info.subpassCount)),
        report_(report) {}

  void Run() const {
    CheckReferences();
    CheckViews();
    for (uint32_t i = 0; i < subpasses_.size(); ++i) {
      const Location at = at_.Dot("pSubpasses", i);
      if ((subpasses_[i].flags & VK_SUBPASS_DESCRIPTION_SHADER_RESOLVE_BIT_QCOM) != 0) CheckShaderResolve(i, at);
      const bool is_turned = (info_.flags & VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM) != 0;
      if (is_turned) CheckTransform(subpasses_[i], at);
      if constexpr (kIsSecond) {
        if (features_.has_external_resolve) CheckExternal(subpasses_[i], at);
      }
    }
    if constexpr (kIsSecond) {
      for (uint32_t i = 0; i < pass_.attachments.size(); ++i) CheckAttachment(i);
    }
  }

 private:
  static constexpr bool kIsSecond = std::is_same_v<Info, VkRenderPassCreateInfo2>;
  using Description = std::remove_cvref_t<decltype(*Info::pSubpasses)>;

  // The id of version 1, and that of version 2.
  void Require(bool holds, VuidIndex first, VuidIndex second, const Location& at, std::string_view text) const {
    const VuidIndex rule = kIsSecond ? second : first;
    if (!holds && rule != kNoVuid) [[unlikely]]
      report_.Error(rule, {}, at, std::string(text));
  }
  static bool IsUsed(const auto* reference) {
    return reference != nullptr && reference->attachment != VK_ATTACHMENT_UNUSED;
  }
  bool IsExternal(const auto& reference) const {
    return reference.attachment < Items(info_.pAttachments, info_.attachmentCount).size() &&
           info_.pAttachments[reference.attachment].format == VK_FORMAT_UNDEFINED;
  }

  void CheckReferences() const {
    const auto* const density = vk::FindInChain<VkRenderPassFragmentDensityMapCreateInfoEXT>(info_.pNext);
    const auto require = [&](const auto* reference, VuidIndex first, VuidIndex second, const Location& at) {
      Require(!IsUsed(reference) || reference->attachment < info_.attachmentCount, first, second, at,
              "has an attachment that is not less than attachmentCount.");
    };
    if (density != nullptr) {
      require(&density->fragmentDensityMapAttachment,
              Vuid("VUID-VkRenderPassCreateInfo-fragmentDensityMapAttachment-06471"),
              Vuid("VUID-VkRenderPassCreateInfo2-fragmentDensityMapAttachment-06472"),
              at_.Next("VkRenderPassFragmentDensityMapCreateInfoEXT", "fragmentDensityMapAttachment"));
    }
    if constexpr (kIsSecond) {
      for (uint32_t i = 0; i < subpasses_.size(); ++i) {
        const auto* const resolve = vk::FindInChain<VkSubpassDescriptionDepthStencilResolve>(subpasses_[i].pNext);
        if (resolve == nullptr) continue;
        const Location at = at_.Dot("pSubpasses", i);
        require(resolve->pDepthStencilResolveAttachment, kNoVuid, Vuid("VUID-VkRenderPassCreateInfo2-pSubpasses-06473"),
                at.Next("VkSubpassDescriptionDepthStencilResolve", "pDepthStencilResolveAttachment"));
      }
    } else if (const auto* inputs = vk::FindInChain<VkRenderPassInputAttachmentAspectCreateInfo>(info_.pNext)) {
      const Location in_chain = at_.Next("VkRenderPassInputAttachmentAspectCreateInfo");
      for (uint32_t i = 0; i < Items(inputs->pAspectReferences, inputs->aspectReferenceCount).size(); ++i) {
        const VkInputAttachmentAspectReference& input = inputs->pAspectReferences[i];
        const Location at = in_chain.Dot("pAspectReferences", i);
        const bool is_subpass = input.subpass < subpasses_.size();
        Require(is_subpass, Vuid("VUID-VkRenderPassCreateInfo-pNext-01926"), kNoVuid, at.Dot("subpass"),
                "is not less than subpassCount.");
        Require(!is_subpass || input.inputAttachmentIndex < subpasses_[input.subpass].inputAttachmentCount,
                Vuid("VUID-VkRenderPassCreateInfo-pNext-01927"), kNoVuid, at.Dot("inputAttachmentIndex"),
                "is not less than the inputAttachmentCount of the subpass.");
      }
    }
  }

  void CheckViews() const {
    absl::Span<const uint32_t> masks;
    if constexpr (kIsSecond) {
      masks = Items(info_.pCorrelatedViewMasks, info_.correlatedViewMaskCount);
    } else if (const auto* multiview = vk::FindInChain<VkRenderPassMultiviewCreateInfo>(info_.pNext)) {
      masks = Items(multiview->pCorrelationMasks, multiview->correlationMaskCount);
    }
    uint32_t seen = 0;
    for (uint32_t i = 0; i < masks.size(); seen |= masks[i++]) {
      const Location in_chain = at_.Next("VkRenderPassMultiviewCreateInfo");
      Require((masks[i] & seen) == 0, Vuid("VUID-VkRenderPassMultiviewCreateInfo-pCorrelationMasks-00841"),
              Vuid("VUID-VkRenderPassCreateInfo2-pCorrelatedViewMasks-03056"),
              kIsSecond ? at_.Dot("pCorrelatedViewMasks", i) : in_chain.Dot("pCorrelationMasks", i),
              absl::StrCat("(0x", absl::Hex(masks[i]), ") has a view of an element before."));
    }
  }

  void CheckShaderResolve(uint32_t index, const Location& at) const {
    const Description& subpass = subpasses_[index];
    for (uint32_t i = 0; i < Items(subpass.pResolveAttachments, subpass.colorAttachmentCount).size(); ++i) {
      Require(!IsUsed(&subpass.pResolveAttachments[i]), Vuid("VUID-VkSubpassDescription-flags-03341"),
              Vuid("VUID-VkRenderPassCreateInfo2-flags-04907"), at.Dot("pResolveAttachments", i),
              "is used, but the subpass resolves in shaders.");
    }
    if constexpr (kIsSecond) {
      const auto* const resolve = vk::FindInChain<VkSubpassDescriptionDepthStencilResolve>(subpass.pNext);
      Require(resolve == nullptr || !IsUsed(resolve->pDepthStencilResolveAttachment), kNoVuid,
              Vuid("VUID-VkRenderPassCreateInfo2-flags-04908"),
              at.Next("VkSubpassDescriptionDepthStencilResolve", "pDepthStencilResolveAttachment"),
              "is used, but the subpass resolves in shaders.");
    }
    const bool is_last = std::ranges::none_of(Items(info_.pDependencies, info_.dependencyCount), [&](const auto& d) {
      return d.srcSubpass == index && d.dstSubpass != index && d.dstSubpass != VK_SUBPASS_EXTERNAL;
    });
    Require(is_last, Vuid("VUID-VkSubpassDescription-flags-03343"), Vuid("VUID-VkRenderPassCreateInfo2-flags-04909"),
            at.Dot("flags"), "has VK_SUBPASS_DESCRIPTION_SHADER_RESOLVE_BIT_QCOM, but another subpass depends on it.");
  }

  void CheckTransform(const Description& subpass, const Location& at) const {
    constexpr std::string_view kText = "is used, but the render pass has VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM.";
    for (uint32_t i = 0; i < Items(subpass.pInputAttachments, subpass.inputAttachmentCount).size(); ++i) {
      Require(!IsUsed(&subpass.pInputAttachments[i]), Vuid("VUID-VkSubpassDescription-pInputAttachments-02868"),
              kNoVuid, at.Dot("pInputAttachments", i), kText);
    }
    if constexpr (kIsSecond) {
      Require(!HasShadingRate(subpass), kNoVuid, Vuid("VUID-VkRenderPassCreateInfo2-flags-04521"),
              at.Next("VkFragmentShadingRateAttachmentInfoKHR", "pFragmentShadingRateAttachment"), kText);
    }
  }

  static bool HasShadingRate(const VkSubpassDescription2& subpass) {
    const auto* const rate = vk::FindInChain<VkFragmentShadingRateAttachmentInfoKHR>(subpass.pNext);
    return rate != nullptr && IsUsed(rate->pFragmentShadingRateAttachment);
  }

  // Attachments of external formats have VK_FORMAT_UNDEFINED.
  void CheckExternal(const VkSubpassDescription2& subpass, const Location& at) const {
    if (subpass.pColorAttachments == nullptr) return;
    const auto* const density = vk::FindInChain<VkRenderPassFragmentDensityMapCreateInfoEXT>(info_.pNext);
    for (uint32_t i = 0; i < Items(subpass.pResolveAttachments, subpass.colorAttachmentCount).size(); ++i) {
      const VkAttachmentReference2& color = subpass.pColorAttachments[i];
      if (!IsExternal(subpass.pResolveAttachments[i])) continue;
      const Location where = at.Dot("pResolveAttachments", i);
      const auto require = [&](bool holds, VuidIndex rule, std::string_view text) {
        Require(holds, kNoVuid, rule, where, absl::StrCat("is of an external format, but ", text));
      };
      require(subpass.colorAttachmentCount == 1, Vuid("VUID-VkSubpassDescription2-externalFormatResolve-09344"),
              "colorAttachmentCount is not 1.");
      require(features_.external_resolves_null != VK_FALSE || IsUsed(&color),
              Vuid("VUID-VkSubpassDescription2-nullColorAttachmentWithExternalFormatResolve-09336"),
              "the color attachment is unused, and nullColorAttachmentWithExternalFormatResolve is VK_FALSE.");
      require(features_.external_resolves_null != VK_TRUE || !IsUsed(&color),
              Vuid("VUID-VkSubpassDescription2-nullColorAttachmentWithExternalFormatResolve-09337"),
              "the color attachment is used, and nullColorAttachmentWithExternalFormatResolve is VK_TRUE.");
      require(color.attachment >= info_.attachmentCount ||
                  info_.pAttachments[color.attachment].samples == VK_SAMPLE_COUNT_1_BIT,
              Vuid("VUID-VkSubpassDescription2-externalFormatResolve-09345"),
              "the color attachment has several samples.");
      require(subpass.viewMask == 0, Vuid("VUID-VkSubpassDescription2-externalFormatResolve-09346"),
              "viewMask is not 0.");
      require(!HasShadingRate(subpass), Vuid("VUID-VkSubpassDescription2-externalFormatResolve-09347"),
              "there is a fragment shading rate attachment.");
      require(density == nullptr || !IsUsed(&density->fragmentDensityMapAttachment),
              Vuid("VUID-VkRenderPassCreateInfo2-pResolveAttachments-09331"), "there is a fragment density map.");
      const auto has_plane = [&](const VkAttachmentReference2& input) {
        constexpr VkImageAspectFlags kPlanes =
            VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT;
        const bool is_this =
            input.attachment == color.attachment || input.attachment == subpass.pResolveAttachments[i].attachment;
        return IsUsed(&input) && is_this && (input.aspectMask & kPlanes) != 0;
      };
      require(std::ranges::none_of(Items(subpass.pInputAttachments, subpass.inputAttachmentCount), has_plane),
              Vuid("VUID-VkSubpassDescription2-externalFormatResolve-09348"),
              "an input attachment is one of its planes.");
    }
  }

  void CheckAttachment(uint32_t index) const {
    const Location at = at_.Dot("pAttachments", index);
    if (features_.has_external_resolve && info_.pAttachments[index].format == VK_FORMAT_UNDEFINED) {
      const auto* const external = vk::FindInChain<VkExternalFormatANDROID>(info_.pAttachments[index].pNext);
      Require(external != nullptr && external->externalFormat != 0, kNoVuid,
              Vuid("VUID-VkAttachmentDescription2-format-09334"), at.Dot("format"),
              "is VK_FORMAT_UNDEFINED, but no VkExternalFormatANDROID has an external format.");
    }
    uint32_t kinds = 0;
    for (const state::Subpass& subpass : pass_.subpasses) {
      const SubpassAttachment* const used = subpass.FindAttachment(index);
      if (used != nullptr) kinds |= used->kinds;
    }
    if ((kinds & SubpassAttachment::kFragmentShadingRate) == 0) return;
    Require(kinds == SubpassAttachment::kFragmentShadingRate, kNoVuid,
            Vuid("VUID-VkRenderPassCreateInfo2-pAttachments-04585"), at,
            "is a fragment shading rate attachment, and another one, too.");
    const auto features = features_.formats.Potential(pass_.attachments[index].format);
    Require(!features || (*features & VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR) != 0, kNoVuid,
            Vuid("VUID-VkRenderPassCreateInfo2-pAttachments-04586"), at.Dot("format"),
            absl::StrCat("(", vk::EnumName(vk::EnumId::kFormat, pass_.attachments[index].format),
                         ") has no VK_FORMAT_FEATURE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR."));
  }

  const PassFeatures& features_;
  const RenderPass& pass_;
  const Info& info_;
  const absl::Span<const Description> subpasses_;
  messages::Report& report_;
  const Location call_ = report_.location();
  const Location at_ = call_.Dot("pCreateInfo");
};

}  // namespace

void CheckPassExtensions(const PassFeatures& features, const RenderPass& pass, const VkRenderPassCreateInfo& info,
                         messages::Report& report) {
  ExtensionCheck(features, pass, info, report).Run();
}
void CheckPassExtensions(const PassFeatures& features, const RenderPass& pass, const VkRenderPassCreateInfo2& info,
                         messages::Report& report) {
  ExtensionCheck(features, pass, info, report).Run();
}

}  // namespace assay::core
