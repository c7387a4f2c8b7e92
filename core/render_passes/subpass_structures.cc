// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/render_passes/subpass_structures.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/format_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using state::AttachmentDescription;
using vk::Vuid;
using vk::VuidIndex;

constexpr std::string_view kResolveStructure = "VkSubpassDescriptionDepthStencilResolve";

// The rules of depthResolveMode and stencilResolveMode.
struct ModeIds {
  VuidIndex none;
  VuidIndex depth;
  VuidIndex stencil;
  // Modes that differ: without independentResolveNone, and with it.
  VuidIndex differ;
  VuidIndex differ_or_none;
};
constexpr ModeIds kResolveModes = {
    Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03178"),
    Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-depthResolveMode-03183"),
    Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-stencilResolveMode-03184"),
    Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03185"),
    Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03186")};
constexpr ModeIds kSingleSampledModes = {Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pNext-06873"),
                                         Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pNext-06874"),
                                         Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pNext-06875"),
                                         Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pNext-06876"),
                                         Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pNext-06877")};

const vk::FormatComponent* ComponentOf(VkFormat format, char name) {
  const vk::FormatInfo* const info = vk::GetFormatInfo(format);
  if (info == nullptr) return nullptr;
  const auto found = std::ranges::find(info->components, name, &vk::FormatComponent::name);
  return found != info->components.end() ? &*found : nullptr;
}

class StructureCheck {
 public:
  StructureCheck(const PassFeatures& features, const state::RenderPass& pass, const state::Subpass& subpass,
                 const VkSubpassDescription2& info, const Location& at, messages::Report& report)
      : features_(features), pass_(pass), subpass_(subpass), info_(info), at_(at), report_(report) {}

  void Run() const {
    if (subpass_.depth_stencil.is_used()) CheckDepthLayout();
    const auto* const resolve = vk::FindInChain<VkSubpassDescriptionDepthStencilResolve>(info_.pNext);
    if (subpass_.depth_stencil_resolve.is_used()) CheckResolve();
    if (subpass_.single_sampled_rasterization_samples != 0 && subpass_.depth_stencil.is_used()) {
      const AttachmentDescription& depth = pass_.attachments[subpass_.depth_stencil.attachment];
      const bool is_unresolved = resolve != nullptr && !subpass_.depth_stencil_resolve.is_used();
      Require(depth.samples != VK_SAMPLE_COUNT_1_BIT || is_unresolved, Vuid("VUID-VkSubpassDescription2-pNext-06871"),
              at_,
              "has a depth/stencil attachment with one sample and VkMultisampledRenderToSingleSampledInfoEXT, but no "
              "VkSubpassDescriptionDepthStencilResolve without an attachment.");
      if (resolve != nullptr) CheckModes(depth, kSingleSampledModes);
    }
    if (subpass_.fragment_shading_rate.is_used() && features_.shading_rates != nullptr) CheckShadingRate();
  }

 private:
  void Require(bool is_right, VuidIndex rule, const Location& at, std::string_view text) const {
    if (!is_right) report_.Error(rule, {}, at, std::string(text));
  }

  void CheckDepthLayout() const {
    const state::AttachmentReference& reference = subpass_.depth_stencil;
    const VkImageAspectFlags aspects = pass_.attachments[reference.attachment].aspects;
    const VkImageLayout layout = reference.layouts.layout;
    const bool has_structure = reference.layouts.stencil != layout;
    const Location at = at_.Dot("pDepthStencilAttachment");
    const std::string text = absl::StrCat("has ", vk::EnumName(vk::EnumId::kImageLayout, layout),
                                          ", which is not for the aspects of its format (",
                                          vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, aspects), ").");
    if (IsOneOf(layout, kDepthLayouts)) {
      Require(aspects != kDepthStencil || has_structure, Vuid("VUID-VkRenderPassCreateInfo2-attachment-06244"), at,
              text);
      Require(aspects != VK_IMAGE_ASPECT_STENCIL_BIT, Vuid("VUID-VkRenderPassCreateInfo2-attachment-06246"), at, text);
    } else if (IsOneOf(layout, kStencilLayouts)) {
      Require(aspects == VK_IMAGE_ASPECT_STENCIL_BIT,
              has_structure ? Vuid("VUID-VkSubpassDescription2-attachment-06251")
                            : Vuid("VUID-VkRenderPassCreateInfo2-attachment-06245"),
              at, text);
    }
  }

  void CheckResolve() const {
    const Location at = at_.Next(kResolveStructure, "pDepthStencilResolveAttachment");
    const AttachmentDescription& resolve = pass_.attachments[subpass_.depth_stencil_resolve.attachment];
    const std::optional<VkFormatFeatureFlags2> has = features_.formats.Potential(resolve.format);
    Require(!has || (*has & VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT) != 0,
            Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-02651"), at,
            absl::StrCat("is of ", vk::EnumName(vk::EnumId::kFormat, resolve.format),
                         ", which has no VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT."));
    Require(resolve.samples == VK_SAMPLE_COUNT_1_BIT,
            Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03180"), at,
            absl::StrCat("has ", vk::EnumName(vk::EnumId::kSampleCountFlagBits, resolve.samples), "."));
    CheckModes(resolve, kResolveModes);
    if (!subpass_.depth_stencil.is_used()) {
      return Require(false, Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03177"),
                     at, "is there, but there is no pDepthStencilAttachment.");
    }
    const AttachmentDescription& depth = pass_.attachments[subpass_.depth_stencil.attachment];
    Require(depth.samples != VK_SAMPLE_COUNT_1_BIT,
            Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03179"), at,
            "is there, but pDepthStencilAttachment has one sample.");
    const auto require_same = [&](char name, VuidIndex rule) {
      const vk::FormatComponent* const to = ComponentOf(resolve.format, name);
      const vk::FormatComponent* const from = ComponentOf(depth.format, name);
      if (to == nullptr) return;
      Require(from != nullptr && from->bits == to->bits && from->numeric_format == to->numeric_format, rule, at,
              absl::StrCat("is of ", vk::EnumName(vk::EnumId::kFormat, resolve.format),
                           ", but pDepthStencilAttachment of ", vk::EnumName(vk::EnumId::kFormat, depth.format), "."));
    };
    require_same('D', Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03181"));
    require_same('S', Vuid("VUID-VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-03182"));
  }

  void CheckModes(const AttachmentDescription& of, const ModeIds& ids) const {
    const VkResolveModeFlagBits depth = subpass_.depth_resolve_mode;
    const VkResolveModeFlagBits stencil = subpass_.stencil_resolve_mode;
    const auto name = [](VkResolveModeFlagBits mode) { return vk::EnumName(vk::EnumId::kResolveModeFlagBits, mode); };
    const Location at = at_.Next(kResolveStructure);
    Require(depth != VK_RESOLVE_MODE_NONE || stencil != VK_RESOLVE_MODE_NONE, ids.none, at,
            "has VK_RESOLVE_MODE_NONE for depth and for stencil.");
    const VkPhysicalDeviceDepthStencilResolveProperties* const limits = features_.resolves;
    if (limits == nullptr) return;
    const auto require = [&](VkImageAspectFlagBits aspect, VkResolveModeFlagBits mode, VkResolveModeFlags supported,
                             VuidIndex rule, std::string_view member) {
      Require((of.aspects & aspect) == 0 || (mode & ~supported) == 0, rule, at_.Next(kResolveStructure, member),
              absl::StrCat("(", name(mode), ") is not supported."));
    };
    require(VK_IMAGE_ASPECT_DEPTH_BIT, depth, limits->supportedDepthResolveModes, ids.depth, "depthResolveMode");
    require(VK_IMAGE_ASPECT_STENCIL_BIT, stencil, limits->supportedStencilResolveModes, ids.stencil,
            "stencilResolveMode");
    if (of.aspects != kDepthStencil || limits->independentResolve != VK_FALSE || depth == stencil) return;
    const bool may_be_none = limits->independentResolveNone != VK_FALSE;
    const bool has_none = depth == VK_RESOLVE_MODE_NONE || stencil == VK_RESOLVE_MODE_NONE;
    Require(may_be_none && has_none, may_be_none ? ids.differ_or_none : ids.differ, at,
            absl::StrCat("has ", name(depth), " for depth and ", name(stencil),
                         " for stencil, but independentResolve is VK_FALSE."));
  }

  // Rules of its layout and of each side are read from sentences (//stateless/explicit).
  void CheckShadingRate() const {
    const Location at = at_.Next("VkFragmentShadingRateAttachmentInfoKHR", "shadingRateAttachmentTexelSize");
    const VkExtent2D size = subpass_.shading_rate_texel_size;
    const uint32_t most = features_.shading_rates->maxFragmentShadingRateAttachmentTexelSizeAspectRatio;
    if (size.width == 0 || size.height == 0 || most == 0) return;
    const std::string text =
        absl::StrCat("is ", size.width, " x ", size.height, ". One side is more than ", most, " times the other.");
    Require(size.width / size.height <= most,
            Vuid("VUID-VkFragmentShadingRateAttachmentInfoKHR-pFragmentShadingRateAttachment-04531"), at, text);
    Require(size.height / size.width <= most,
            Vuid("VUID-VkFragmentShadingRateAttachmentInfoKHR-pFragmentShadingRateAttachment-04532"), at, text);
  }

  const PassFeatures& features_;
  const state::RenderPass& pass_;
  const state::Subpass& subpass_;
  const VkSubpassDescription2& info_;
  const Location& at_;
  messages::Report& report_;
};

}  // namespace

PassFeatures::PassFeatures(const dispatch::Device& device)
    : has_mixed_samples(device.IsEnabled(vk::ExtensionId::kAmdMixedAttachmentSamples) ||
                        device.IsEnabled(vk::ExtensionId::kNvFramebufferMixedSamples)),
      has_single_sampled(device.HasFeature(vk::FeatureId::kMultisampledRenderToSingleSampled)),
      has_external_resolve(device.HasFeature(vk::FeatureId::kExternalFormatResolve)),
      resolves(device.physical_device->Find<VkPhysicalDeviceDepthStencilResolveProperties>()),
      shading_rates(device.physical_device->Find<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>()),
      formats(device) {
  if (const auto* const limits = device.physical_device->Find<VkPhysicalDeviceMultiviewProperties>())
    max_views = limits->maxMultiviewViewCount;
  if (const auto* const external =
          device.physical_device->Find<VkPhysicalDeviceExternalFormatResolvePropertiesANDROID>())
    external_resolves_null = external->nullColorAttachmentWithExternalFormatResolve;
}

void CheckSubpassStructures(const PassFeatures& features, const state::RenderPass& pass, const state::Subpass& subpass,
                            const VkSubpassDescription2& info, const Location& at, messages::Report& report) {
  StructureCheck(features, pass, subpass, info, at, report).Run();
}

}  // namespace assay::core
