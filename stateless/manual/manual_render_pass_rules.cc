// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about render passes: the attachments that subpasses reference, and their layouts.

#include <algorithm>
#include <array>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "stateless/manual/manual_rules.h"
#include "vk/chain.h"
#include "vk/enum_info.h"

namespace assay::stateless {
namespace {

using vk::Vuid;
using vk::VuidIndex;

enum class AttachmentKind : uint8_t { kInput, kColor, kResolve, kDepthStencil };
constexpr AttachmentKind kAttachmentKinds[] = {AttachmentKind::kInput, AttachmentKind::kColor, AttachmentKind::kResolve,
                                               AttachmentKind::kDepthStencil};
constexpr std::string_view kMembers[] = {"pInputAttachments", "pColorAttachments", "pResolveAttachments",
                                         "pDepthStencilAttachment"};

// A rule of VkSubpassDescription and the same one of VkSubpassDescription2.
struct VuidPair {
  VuidIndex first;
  VuidIndex second;
};
template <class Subpass>
VuidIndex Choose(VuidPair vuids) {
  return std::is_same_v<Subpass, VkSubpassDescription> ? vuids.first : vuids.second;
}

struct LayoutRule {
  VuidPair vuid;
  AttachmentKind kind;
  // Unused places hold a value that no application uses.
  std::array<VkImageLayout, 4> forbidden;
};
constexpr VkImageLayout kNone = VK_IMAGE_LAYOUT_MAX_ENUM;
constexpr VkImageLayout kDepth = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kDepthRead = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
constexpr VkImageLayout kStencil = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kStencilRead = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
constexpr VkImageLayout kBoth = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kShaderRead = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
constexpr VkImageLayout kStencilReadOnly = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL;
constexpr VkImageLayout kDepthReadOnly = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kAny = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kAnyRead = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL;

constexpr LayoutRule kLayoutRules[] = {
    {{Vuid("VUID-VkSubpassDescription-attachment-06912"), Vuid("VUID-VkSubpassDescription2-attachment-06912")},
     AttachmentKind::kInput,
     {kColor, kBoth, kNone, kNone}},
    {{Vuid("VUID-VkSubpassDescription-attachment-06913"), Vuid("VUID-VkSubpassDescription2-attachment-06913")},
     AttachmentKind::kColor,
     {kBoth, kShaderRead, kNone, kNone}},
    {{Vuid("VUID-VkSubpassDescription-attachment-06914"), Vuid("VUID-VkSubpassDescription2-attachment-06914")},
     AttachmentKind::kResolve,
     {kBoth, kShaderRead, kNone, kNone}},
    {{Vuid("VUID-VkSubpassDescription-attachment-06915"), Vuid("VUID-VkSubpassDescription2-attachment-06915")},
     AttachmentKind::kDepthStencil,
     {kColor, kShaderRead, kNone, kNone}},
    {{Vuid("VUID-VkSubpassDescription-attachment-06916"), Vuid("VUID-VkSubpassDescription2-attachment-06916")},
     AttachmentKind::kColor,
     {kStencilReadOnly, kDepthReadOnly, kNone, kNone}},
    {{Vuid("VUID-VkSubpassDescription-attachment-06917"), Vuid("VUID-VkSubpassDescription2-attachment-06917")},
     AttachmentKind::kResolve,
     {kStencilReadOnly, kDepthReadOnly, kNone, kNone}},
    {{Vuid("VUID-VkSubpassDescription-attachment-06918"), Vuid("VUID-VkSubpassDescription2-attachment-06918")},
     AttachmentKind::kInput,
     {kDepth, kStencil, kNone, kNone}},
    {{Vuid("VUID-VkSubpassDescription-attachment-06919"), Vuid("VUID-VkSubpassDescription2-attachment-06919")},
     AttachmentKind::kColor,
     {kDepth, kDepthRead, kStencil, kStencilRead}},
    {{Vuid("VUID-VkSubpassDescription-attachment-06920"), Vuid("VUID-VkSubpassDescription2-attachment-06920")},
     AttachmentKind::kResolve,
     {kDepth, kDepthRead, kStencil, kStencilRead}},
    {{Vuid("VUID-VkSubpassDescription-attachment-06921"), Vuid("VUID-VkSubpassDescription2-attachment-06921")},
     AttachmentKind::kInput,
     {kAny, kNone, kNone, kNone}},
    {{Vuid("VUID-VkSubpassDescription-attachment-06922"), Vuid("VUID-VkSubpassDescription2-attachment-06922")},
     AttachmentKind::kColor,
     {kAnyRead, kNone, kNone, kNone}},
    {{Vuid("VUID-VkSubpassDescription-attachment-06923"), Vuid("VUID-VkSubpassDescription2-attachment-06923")},
     AttachmentKind::kResolve,
     {kAnyRead, kNone, kNone, kNone}},
};

template <class Subpass>
auto References(const Subpass& subpass, AttachmentKind kind) {
  switch (kind) {
    case AttachmentKind::kInput:
      return Elements(subpass.pInputAttachments, subpass.inputAttachmentCount);
    case AttachmentKind::kColor:
      return Elements(subpass.pColorAttachments, subpass.colorAttachmentCount);
    case AttachmentKind::kResolve:
      return Elements(subpass.pResolveAttachments, subpass.colorAttachmentCount);
    default:
      return Elements(subpass.pDepthStencilAttachment, 1);
  }
}

std::string_view MemberOf(AttachmentKind kind) { return kMembers[static_cast<size_t>(kind)]; }

// The depth/stencil attachment is no array.
RulePart Part(AttachmentKind kind, size_t index) {
  return {MemberOf(kind), kind == AttachmentKind::kDepthStencil ? RulePart::kNoIndex : static_cast<uint32_t>(index)};
}

// Calls visit(kind, index, reference) for every reference to an attachment that is not VK_ATTACHMENT_UNUSED.
template <class Subpass, class F>
void ForEachReference(const Subpass& subpass, F&& visit) {
  for (const AttachmentKind kind : kAttachmentKinds) {
    const auto references = References(subpass, kind);
    for (size_t i = 0; i < references.size(); ++i) {
      if (references[i].attachment != VK_ATTACHMENT_UNUSED) visit(kind, i, references[i]);
    }
  }
}

template <class Subpass>
void CheckLayouts(const Subpass& subpass, const RuleContext& context) {
  ForEachReference(subpass, [&](AttachmentKind kind, size_t i, const auto& reference) {
    for (const LayoutRule& rule : kLayoutRules) {
      if (rule.kind != kind || std::ranges::find(rule.forbidden, reference.layout) == rule.forbidden.end()) continue;
      context.Report(Choose<Subpass>(rule.vuid), {Part(kind, i), {"layout"}},
                     absl::StrCat("(", vk::ToString(reference.layout), ") is no layout for an attachment among ",
                                  MemberOf(kind), "."),
                     "Choose a layout that allows this use, or VK_IMAGE_LAYOUT_GENERAL.");
    }
  });
}

template <class Subpass>
void CheckPreserved(const Subpass& subpass, const RuleContext& context) {
  constexpr VuidPair kUnused = {Vuid("VUID-VkSubpassDescription-attachment-00853"),
                                Vuid("VUID-VkSubpassDescription2-attachment-03073")};
  constexpr VuidPair kElsewhere = {Vuid("VUID-VkSubpassDescription-pPreserveAttachments-00854"),
                                   Vuid("VUID-VkSubpassDescription2-pPreserveAttachments-03074")};
  const auto preserved = Elements(subpass.pPreserveAttachments, subpass.preserveAttachmentCount);
  for (uint32_t i = 0; i < preserved.size(); ++i) {
    if (preserved[i] == VK_ATTACHMENT_UNUSED) {
      context.Report(Choose<Subpass>(kUnused), {{"pPreserveAttachments", i}}, "is VK_ATTACHMENT_UNUSED.",
                     "Leave the element out.");
      continue;
    }
    ForEachReference(subpass, [&](AttachmentKind kind, size_t at, const auto& reference) {
      if (reference.attachment != preserved[i]) return;
      context.Report(
          Choose<Subpass>(kElsewhere), {{"pPreserveAttachments", i}},
          absl::StrCat("(", preserved[i], ") is also ", MemberOf(kind), "[", at, "], which the subpass uses."),
          "Leave what the subpass uses out of pPreserveAttachments.");
    });
  }
}

template <class Subpass>
void CheckDepthIsNoColor(const Subpass& subpass, const RuleContext& context) {
  constexpr VuidPair kSame = {Vuid("VUID-VkSubpassDescription-pDepthStencilAttachment-04438"),
                              Vuid("VUID-VkSubpassDescription2-pDepthStencilAttachment-04440")};
  for (const auto& depth : References(subpass, AttachmentKind::kDepthStencil)) {
    const auto colors = References(subpass, AttachmentKind::kColor);
    for (size_t i = 0; i < colors.size() && depth.attachment != VK_ATTACHMENT_UNUSED; ++i) {
      if (colors[i].attachment != depth.attachment) continue;
      context.Report(Choose<Subpass>(kSame), {{"pDepthStencilAttachment"}, {"attachment"}},
                     absl::StrCat("(", depth.attachment, ") is also pColorAttachments[", i, "]."),
                     "Use different attachments for color and depth/stencil.");
    }
  }
}

template <class Subpass>
void CheckResolves(const Subpass& subpass, const RuleContext& context, VuidPair vuid) {
  const auto resolves = References(subpass, AttachmentKind::kResolve);
  const auto colors = References(subpass, AttachmentKind::kColor);
  for (size_t i = 0; i < std::min(resolves.size(), colors.size()); ++i) {
    if (resolves[i].attachment == VK_ATTACHMENT_UNUSED || colors[i].attachment != VK_ATTACHMENT_UNUSED) continue;
    context.Report(Choose<Subpass>(vuid), {Part(AttachmentKind::kResolve, i), {"attachment"}},
                   absl::StrCat("(", resolves[i].attachment, ") is to be resolved from pColorAttachments[", i,
                                "], which is VK_ATTACHMENT_UNUSED."),
                   "Name the color attachment, or make the resolve attachment VK_ATTACHMENT_UNUSED.");
  }
}

constexpr VuidPair kResolveOfNothing = {Vuid("VUID-VkSubpassDescription-pResolveAttachments-00847"),
                                        Vuid("VUID-VkSubpassDescription2-externalFormatResolve-09335")};

void CheckSubpass(const VkSubpassDescription& subpass, const RuleContext& context) {
  CheckLayouts(subpass, context);
  CheckPreserved(subpass, context);
  CheckDepthIsNoColor(subpass, context);
  CheckResolves(subpass, context, kResolveOfNothing);
}

void CheckInputAspects(const VkSubpassDescription2& subpass, const RuleContext& context) {
  const auto inputs = References(subpass, AttachmentKind::kInput);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].attachment == VK_ATTACHMENT_UNUSED) continue;
    if (inputs[i].aspectMask == 0) {
      context.Report(Vuid("VUID-VkSubpassDescription2-attachment-02800"),
                     {Part(AttachmentKind::kInput, i), {"aspectMask"}}, "is 0.",
                     "Name the aspects that the shader reads.");
    }
    if ((inputs[i].aspectMask & VK_IMAGE_ASPECT_METADATA_BIT) != 0) {
      context.Report(Vuid("VUID-VkSubpassDescription2-attachment-02801"),
                     {Part(AttachmentKind::kInput, i), {"aspectMask"}}, "includes VK_IMAGE_ASPECT_METADATA_BIT.",
                     "Take VK_IMAGE_ASPECT_METADATA_BIT out.");
    }
  }
}

void CheckSubpass2(const VkSubpassDescription2& subpass, const RuleContext& context) {
  CheckLayouts(subpass, context);
  CheckPreserved(subpass, context);
  CheckDepthIsNoColor(subpass, context);
  CheckInputAspects(subpass, context);
  if (!context.HasFeature(vk::FeatureId::kExternalFormatResolve)) CheckResolves(subpass, context, kResolveOfNothing);
}

// Rules that every attachment that a subpass references exists.
template <class CreateInfo>
void CheckIndices(const CreateInfo& create, const RuleContext& context, VuidIndex vuid) {
  const auto subpasses = Elements(create.pSubpasses, create.subpassCount);
  for (uint32_t s = 0; s < subpasses.size(); ++s) {
    const auto report = [&](RulePart array, std::string_view member, uint32_t attachment) {
      std::string text =
          absl::StrCat("(", attachment, ") is not less than attachmentCount (", create.attachmentCount, ").");
      constexpr std::string_view kFix = "Name one of pAttachments, or VK_ATTACHMENT_UNUSED.";
      if (member.empty()) {
        context.Report(vuid, {{"pSubpasses", s}, array}, std::move(text), std::string(kFix));
      } else {
        context.Report(vuid, {{"pSubpasses", s}, array, {member}}, std::move(text), std::string(kFix));
      }
    };
    ForEachReference(subpasses[s], [&](AttachmentKind kind, size_t i, const auto& reference) {
      if (reference.attachment >= create.attachmentCount) report(Part(kind, i), "attachment", reference.attachment);
    });
    const auto preserved = Elements(subpasses[s].pPreserveAttachments, subpasses[s].preserveAttachmentCount);
    for (uint32_t i = 0; i < preserved.size(); ++i) {
      if (preserved[i] != VK_ATTACHMENT_UNUSED && preserved[i] >= create.attachmentCount)
        report({"pPreserveAttachments", i}, {}, preserved[i]);
    }
  }
}

bool AllZero(std::span<const uint32_t> masks) {
  return std::ranges::all_of(masks, [](uint32_t mask) { return mask == 0; });
}
bool AllOrNone(std::span<const uint32_t> masks) { return AllZero(masks) || std::ranges::count(masks, 0u) == 0; }

void CheckMultiview(const VkRenderPassCreateInfo& create, const RuleContext& context) {
  const auto* multiview = vk::FindInChain<VkRenderPassMultiviewCreateInfo>(create.pNext);
  if (multiview == nullptr) return;
  if (multiview->subpassCount != 0 && multiview->subpassCount != create.subpassCount) {
    context.Report(Vuid("VUID-VkRenderPassCreateInfo-pNext-01928"), {{"subpassCount"}},
                   absl::StrCat("(", create.subpassCount, ") is not VkRenderPassMultiviewCreateInfo::subpassCount (",
                                multiview->subpassCount, ")."),
                   "Give a view mask for each subpass, or none.");
  }
  if (multiview->dependencyCount != 0 && multiview->dependencyCount != create.dependencyCount) {
    context.Report(
        Vuid("VUID-VkRenderPassCreateInfo-pNext-01929"), {{"dependencyCount"}},
        absl::StrCat("(", create.dependencyCount, ") is not VkRenderPassMultiviewCreateInfo::dependencyCount (",
                     multiview->dependencyCount, ")."),
        "Give a view offset for each dependency, or none.");
  }
  const auto masks = Elements(multiview->pViewMasks, multiview->subpassCount);
  if (!AllOrNone(masks)) {
    context.Report(Vuid("VUID-VkRenderPassCreateInfo-pNext-02513"), {{"pNext"}},
                   "leads to a VkRenderPassMultiviewCreateInfo with view masks of which some are 0 and some are not.",
                   "Make all view masks 0, or none.");
  }
  if (AllZero(masks) && multiview->correlationMaskCount != 0) {
    context.Report(Vuid("VUID-VkRenderPassCreateInfo-pNext-02515"), {{"pNext"}},
                   absl::StrCat("leads to a VkRenderPassMultiviewCreateInfo with correlationMaskCount (",
                                multiview->correlationMaskCount, "), though every view mask is 0."),
                   "Use a correlationMaskCount of 0.");
  }
}

void CheckRenderPass(const VkRenderPassCreateInfo& create, const RuleContext& context) {
  CheckIndices(create, context, Vuid("VUID-VkRenderPassCreateInfo-attachment-00834"));
  CheckMultiview(create, context);
}

void CheckRenderPass2(const VkRenderPassCreateInfo2& create, const RuleContext& context) {
  CheckIndices(create, context, Vuid("VUID-VkRenderPassCreateInfo2-attachment-03051"));
  uint32_t with_views = 0;
  const auto subpasses = Elements(create.pSubpasses, create.subpassCount);
  for (const VkSubpassDescription2& subpass : subpasses) with_views += subpass.viewMask != 0 ? 1 : 0;
  if (with_views != 0 && with_views != subpasses.size()) {
    context.Report(
        Vuid("VUID-VkRenderPassCreateInfo2-viewMask-03058"), {{"pSubpasses"}},
        absl::StrCat("has ", with_views, " of ", subpasses.size(), " subpasses with a viewMask that is not 0."),
        "Make all view masks 0, or none.");
  }
  if (with_views == 0 && create.correlatedViewMaskCount != 0) {
    context.Report(Vuid("VUID-VkRenderPassCreateInfo2-viewMask-03057"), {{"correlatedViewMaskCount"}},
                   absl::StrCat("(", create.correlatedViewMaskCount, ") is not 0, though every viewMask is."),
                   "Use 0.");
  }
}

constexpr ManualRules kRules[] = {
    Manual<VkSubpassDescription, CheckSubpass>("VkSubpassDescription"),
    Manual<VkSubpassDescription2, CheckSubpass2>("VkSubpassDescription2"),
    Manual<VkRenderPassCreateInfo, CheckRenderPass>("VkRenderPassCreateInfo"),
    Manual<VkRenderPassCreateInfo2, CheckRenderPass2>("VkRenderPassCreateInfo2"),
};

}  // namespace

std::span<const ManualRules> ManualRenderPassRules() { return kRules; }

}  // namespace assay::stateless
