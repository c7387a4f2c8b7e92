// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of color blending and of what is chained to its state.

#include <algorithm>
#include <cstring>

#include "core/pipelines/pipeline_rule.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;
using F = vk::FeatureId;
using Advanced = VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT;
using Blend = VkPipelineColorBlendAttachmentState;

constexpr VkDynamicState kEquation = VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT;

bool IsAdvanced(VkBlendOp op) { return op >= VK_BLEND_OP_ZERO_EXT; }
// Those that every device with advanced operations has.
bool IsBasicAdvanced(VkBlendOp op) {
  return (op >= VK_BLEND_OP_MULTIPLY_EXT && op <= VK_BLEND_OP_EXCLUSION_EXT) ||
         (op >= VK_BLEND_OP_HSL_HUE_EXT && op <= VK_BLEND_OP_HSL_LUMINOSITY_EXT);
}
template <class T>
const T* Chained(const View& view) {
  return view.blend != nullptr ? vk::FindInChain<T>(view.blend->pNext) : nullptr;
}

// Calls wrong(attachment) for each blend state whose equation counts, until it returns something.
template <class P>
Result ForEquations(const View& view, const P& wrong) {
  if (view.IsDynamic(kEquation)) return kFine;
  for (uint32_t i = 0; i < view.blends.size(); ++i) {
    if (Result result = wrong(view.blends[i])) {
      result->index = i;
      return result;
    }
  }
  return kFine;
}

Result CheckIndependent(const View& view) {
  const bool is_dynamic = view.IsDynamic(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT) || view.IsDynamic(kEquation) ||
                          view.IsDynamic(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT);
  if (view.Has(F::kIndependentBlend) || is_dynamic) return kFine;
  for (uint32_t i = 1; i < view.blends.size(); ++i) {
    if (std::memcmp(&view.blends[i], view.blends.data(), sizeof(Blend)) == 0) continue;
    return Wrong("is not identical to pAttachments[0], but the feature independentBlend is not enabled.", "", i);
  }
  return kFine;
}
Result CheckLogicOp(const View& view) {
  const bool is_wrong = view.blend != nullptr && view.blend->logicOpEnable == VK_TRUE &&
                        !view.IsDynamic(VK_DYNAMIC_STATE_LOGIC_OP_EXT) &&
                        !view.IsDynamic(VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT) &&
                        static_cast<uint32_t>(view.blend->logicOp) > VK_LOGIC_OP_SET;
  return is_wrong ? Wrong(absl::StrCat("(", static_cast<int>(view.blend->logicOp), ") is no VkLogicOp."),
                          "Name one of VK_LOGIC_OP_CLEAR to VK_LOGIC_OP_SET.")
                  : kFine;
}
Result CheckAttachmentsPointer(const View& view) {
  const bool is_wrong =
      view.blend != nullptr && view.blend->attachmentCount != 0 && view.blend->pAttachments == nullptr &&
      !view.AreDynamic({VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, kEquation,
                        VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT});
  return is_wrong ? Wrong(absl::StrCat("is NULL, but attachmentCount is ", view.blend->attachmentCount, ".")) : kFine;
}

Result CheckSameOps(const View& view) {
  return ForEquations(view, [](const Blend& blend) {
    const bool is_wrong =
        blend.colorBlendOp != blend.alphaBlendOp && (IsAdvanced(blend.colorBlendOp) || IsAdvanced(blend.alphaBlendOp));
    return is_wrong ? Wrong(Value(blend.colorBlendOp,
                                  absl::StrCat("is not alphaBlendOp (", vk::ToString(blend.alphaBlendOp), ").")))
                    : kFine;
  });
}
Result CheckAllOperations(const View& view) {
  const Advanced* limits = view.Properties<Advanced>();
  if (limits == nullptr || limits->advancedBlendAllOperations == VK_TRUE) return kFine;
  return ForEquations(view, [](const Blend& blend) {
    return IsAdvanced(blend.colorBlendOp) && !IsBasicAdvanced(blend.colorBlendOp)
               ? Wrong(Value(blend.colorBlendOp, "is not supported, since advancedBlendAllOperations is VK_FALSE."))
               : kFine;
  });
}
Result CheckAdvancedCount(const View& view) {
  const Advanced* limits = view.Properties<Advanced>();
  const size_t count = view.colors.size();
  if (limits == nullptr || count <= limits->advancedBlendMaxColorAttachments) return kFine;
  return ForEquations(view, [&](const Blend& blend) {
    return IsAdvanced(blend.colorBlendOp) || IsAdvanced(blend.alphaBlendOp)
               ? Wrong(Value(blend.colorBlendOp, absl::StrCat("is used with ", count,
                                                              " color attachments, which is more than "
                                                              "advancedBlendMaxColorAttachments (",
                                                              limits->advancedBlendMaxColorAttachments, ").")))
               : kFine;
  });
}
template <VkBlendOp Blend::* kOp>
Result CheckSameForAll(const View& view) {
  const Advanced* limits = view.Properties<Advanced>();
  if (limits == nullptr || limits->advancedBlendIndependentBlend == VK_TRUE) return kFine;
  return ForEquations(view, [&](const Blend& blend) {
    const VkBlendOp first = view.blends[0].*kOp;
    const bool is_wrong = blend.*kOp != first && (IsAdvanced(blend.*kOp) || IsAdvanced(first));
    return is_wrong ? Wrong(Value(blend.*kOp, absl::StrCat("is not that of pAttachments[0] (", vk::ToString(first),
                                                           "), but advancedBlendIndependentBlend is VK_FALSE.")))
                    : kFine;
  });
}
template <VkBlendFactor Blend::* kFactor>
Result CheckConstantAlpha(const View& view) {
  if (!view.IsEnabled(vk::ExtensionId::kKhrPortabilitySubset) || view.Has(F::kConstantAlphaColorBlendFactors))
    return kFine;
  return ForEquations(view, [](const Blend& blend) {
    const VkBlendFactor factor = blend.*kFactor;
    return factor == VK_BLEND_FACTOR_CONSTANT_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA
               ? Wrong(Value(factor, "needs the feature constantAlphaColorBlendFactors, which is not enabled."))
               : kFine;
  });
}

const VkPipelineColorBlendAdvancedStateCreateInfoEXT* AdvancedState(const View& view) {
  return view.IsDynamic(VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT)
             ? nullptr
             : Chained<VkPipelineColorBlendAdvancedStateCreateInfoEXT>(view);
}
template <VkBool32 VkPipelineColorBlendAdvancedStateCreateInfoEXT::* kMember, VkBool32 Advanced::* kLimit>
Result CheckPremultiplied(const View& view) {
  const auto* state = AdvancedState(view);
  const Advanced* limits = view.Properties<Advanced>();
  const bool is_wrong =
      state != nullptr && limits != nullptr && state->*kMember == VK_FALSE && limits->*kLimit == VK_FALSE;
  return is_wrong ? Wrong("(VK_FALSE) is not supported by the device's non-premultiplied colors.", "Set it to VK_TRUE.")
                  : kFine;
}
Result CheckOverlap(const View& view) {
  const auto* state = AdvancedState(view);
  const Advanced* limits = view.Properties<Advanced>();
  const bool is_wrong = state != nullptr && limits != nullptr && limits->advancedBlendCorrelatedOverlap == VK_FALSE &&
                        state->blendOverlap != VK_BLEND_OVERLAP_UNCORRELATED_EXT;
  return is_wrong ? Wrong(Value(state->blendOverlap,
                                "is not VK_BLEND_OVERLAP_UNCORRELATED_EXT, but "
                                "advancedBlendCorrelatedOverlap is VK_FALSE."))
                  : kFine;
}

Result CheckWriteFeature(const View& view) {
  const auto* write = Chained<VkPipelineColorWriteCreateInfoEXT>(view);
  if (write == nullptr || view.Has(F::kColorWriteEnable) || !vk::IsAddress(write->pColorWriteEnables)) return kFine;
  for (uint32_t i = 0; i < write->attachmentCount; ++i) {
    if (write->pColorWriteEnables[i] != VK_FALSE) continue;
    return Wrong("(VK_FALSE) needs the feature colorWriteEnable, which is not enabled.", "", i);
  }
  return kFine;
}
Result CheckWriteCount(const View& view) {
  const auto* write = Chained<VkPipelineColorWriteCreateInfoEXT>(view);
  if (write == nullptr || view.blends.empty() || write->attachmentCount == view.blend->attachmentCount) return kFine;
  return Wrong(Value(write->attachmentCount,
                     absl::StrCat("is not pColorBlendState->attachmentCount (", view.blend->attachmentCount, ").")));
}

// The count of attachments, where dynamic state does not replace it.
Result CheckCount(const View& view) {
  if (view.blends.empty() || view.blend->attachmentCount == view.colors.size()) return kFine;
  return Wrong(Value(view.blend->attachmentCount,
                     absl::StrCat("is not the number of color attachments (", view.colors.size(), ").")),
               absl::StrCat("Let attachmentCount be ", view.colors.size(), "."));
}
Result CheckSubpassCount(const View& view) { return view.subpass != nullptr ? CheckCount(view) : kFine; }
Result CheckRenderingCount(const View& view) { return view.rendering != nullptr ? CheckCount(view) : kFine; }

Result CheckBlendable(const View& view) {
  if (view.IsDynamic(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT)) return kFine;
  for (uint32_t i = 0; i < std::min(view.blends.size(), view.colors.size()); ++i) {
    const VkFormat format = view.colors[i].format;
    if (view.blends[i].blendEnable == VK_FALSE || format == VK_FORMAT_UNDEFINED) continue;
    if ((view.PotentialFeatures(format) & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT) != 0) continue;
    return Wrong(absl::StrCat("(VK_TRUE) is for an attachment of ", vk::ToString(format),
                              ", which does not have VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT."),
                 "Set it to VK_FALSE.", i);
  }
  return kFine;
}
Result CheckSubpassBlendable(const View& view) { return view.subpass != nullptr ? CheckBlendable(view) : kFine; }
Result CheckRenderingBlendable(const View& view) { return view.rendering != nullptr ? CheckBlendable(view) : kFine; }

// A format whose components share an exponent is written whole or not at all.
Result CheckSharedExponent(const View& view) {
  if (view.IsDynamic(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT)) return kFine;
  constexpr VkColorComponentFlags kAll = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT;
  for (uint32_t i = 0; i < std::min(view.blends.size(), view.colors.size()); ++i) {
    const VkColorComponentFlags mask = view.blends[i].colorWriteMask & kAll;
    if (view.colors[i].format != VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 || mask == 0 || mask == kAll) continue;
    return Wrong(absl::StrCat("(0x", absl::Hex(mask), ") has some of R, G and B, but not all."), "", i);
  }
  return kFine;
}

constexpr char kColorOp[] = "pColorBlendState.pAttachments[].colorBlendOp";
constexpr char kEnable[] = "pColorBlendState.pAttachments[].blendEnable";
Result CheckMostWrites(const View& view) {
  const auto* write = Chained<VkPipelineColorWriteCreateInfoEXT>(view);
  const uint32_t most = view.device.physical_device->limits.maxColorAttachments;
  return write != nullptr && write->attachmentCount > most
             ? Wrong(Value(write->attachmentCount, absl::StrCat("is larger than maxColorAttachments (", most, ").")))
             : kFine;
}
constexpr char kWrites[] = "pColorBlendState.pNext<VkPipelineColorWriteCreateInfoEXT>.attachmentCount";

constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkPipelineColorBlendStateCreateInfo-pAttachments-00605"), "pColorBlendState.pAttachments[]",
     CheckIndependent},
    {Vuid("VUID-VkPipelineColorBlendStateCreateInfo-logicOpEnable-00607"), "pColorBlendState.logicOp", CheckLogicOp},
    {Vuid("VUID-VkPipelineColorBlendStateCreateInfo-pAttachments-07353"), "pColorBlendState.pAttachments",
     CheckAttachmentsPointer},
    {Vuid("VUID-VkPipelineColorBlendAttachmentState-colorBlendOp-01406"), kColorOp, CheckSameOps},
    {Vuid("VUID-VkPipelineColorBlendAttachmentState-advancedBlendAllOperations-01409"), kColorOp, CheckAllOperations},
    {Vuid("VUID-VkPipelineColorBlendAttachmentState-colorBlendOp-01410"), kColorOp, CheckAdvancedCount},
    {Vuid("VUID-VkPipelineColorBlendAttachmentState-constantAlphaColorBlendFactors-04454"),
     "pColorBlendState.pAttachments[].srcColorBlendFactor", CheckConstantAlpha<&Blend::srcColorBlendFactor>},
    {Vuid("VUID-VkPipelineColorBlendAttachmentState-constantAlphaColorBlendFactors-04455"),
     "pColorBlendState.pAttachments[].dstColorBlendFactor", CheckConstantAlpha<&Blend::dstColorBlendFactor>},
    {Vuid("VUID-VkPipelineColorBlendAdvancedStateCreateInfoEXT-srcPremultiplied-01424"),
     "pColorBlendState.pNext<VkPipelineColorBlendAdvancedStateCreateInfoEXT>.srcPremultiplied",
     CheckPremultiplied<&VkPipelineColorBlendAdvancedStateCreateInfoEXT::srcPremultiplied,
                        &Advanced::advancedBlendNonPremultipliedSrcColor>},
    {Vuid("VUID-VkPipelineColorBlendAdvancedStateCreateInfoEXT-dstPremultiplied-01425"),
     "pColorBlendState.pNext<VkPipelineColorBlendAdvancedStateCreateInfoEXT>.dstPremultiplied",
     CheckPremultiplied<&VkPipelineColorBlendAdvancedStateCreateInfoEXT::dstPremultiplied,
                        &Advanced::advancedBlendNonPremultipliedDstColor>},
    {Vuid("VUID-VkPipelineColorBlendAdvancedStateCreateInfoEXT-blendOverlap-01426"),
     "pColorBlendState.pNext<VkPipelineColorBlendAdvancedStateCreateInfoEXT>.blendOverlap", CheckOverlap},
    {Vuid("VUID-VkPipelineColorWriteCreateInfoEXT-pAttachments-04801"),
     "pColorBlendState.pNext<VkPipelineColorWriteCreateInfoEXT>.pColorWriteEnables[]", CheckWriteFeature},
    {Vuid("VUID-VkPipelineColorBlendAttachmentState-advancedBlendIndependentBlend-01407"), kColorOp,
     CheckSameForAll<&Blend::colorBlendOp>},
    {Vuid("VUID-VkPipelineColorBlendAttachmentState-advancedBlendIndependentBlend-01408"),
     "pColorBlendState.pAttachments[].alphaBlendOp", CheckSameForAll<&Blend::alphaBlendOp>},
    {Vuid("VUID-VkPipelineColorWriteCreateInfoEXT-attachmentCount-06655"), kWrites, CheckMostWrites},
    {Vuid("VUID-VkPipelineColorWriteCreateInfoEXT-attachmentCount-07608"), kWrites, CheckWriteCount},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-07609"), "pColorBlendState.attachmentCount", CheckSubpassCount},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06055"), "pColorBlendState.attachmentCount",
     CheckRenderingCount},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06041"), kEnable, CheckSubpassBlendable},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06062"), kEnable, CheckRenderingBlendable},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-None-09043"), "pColorBlendState.pAttachments[].colorWriteMask",
     CheckSharedExponent},
};

}  // namespace

absl::Span<const PipelineRule> BlendRules() { return kRules; }

}  // namespace assay::core
