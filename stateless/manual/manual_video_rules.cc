// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Parameter sets of video sessions, and rate control. Rules that need a video session, or what
// the driver can do, are core's (core/video).

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "stateless/manual/manual_rules.h"
#include "vk/chain.h"
#include "vk/commands.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"
#include "vk/walk/video_structs.h"

namespace assay::stateless {
namespace {

using vk::kDecodes;
using vk::kNoVuid;
using vk::Vuid;
using vk::VuidIndex;

// No element has the ids of one before it.
template <class T>
void RequireUnique(const T* first, uint32_t count, VuidIndex rule, std::string_view member,
                   const RuleContext& context) {
  const auto sets = Elements(first, count);
  for (uint32_t i = 1; i < sets.size(); ++i) {
    const auto before = sets.first(i);
    const auto same = [&](const T& set) { return vk::KeyOf(set) == vk::KeyOf(sets[i]); };
    if (std::ranges::none_of(before, same)) continue;
    return context.Report(rule, {{member, i}}, "has the ids of an element before it.", "Use other ids.");
  }
}
template <class Info, VuidIndex kSps, VuidIndex kPps, VuidIndex kVps = kNoVuid>
void CheckAdded(const Info& info, const RuleContext& context) {
  if constexpr (kVps != kNoVuid) RequireUnique(info.pStdVPSs, info.stdVPSCount, kVps, "pStdVPSs", context);
  RequireUnique(info.pStdSPSs, info.stdSPSCount, kSps, "pStdSPSs", context);
  RequireUnique(info.pStdPPSs, info.stdPPSCount, kPps, "pStdPPSs", context);
}

// What is written of the parameters of a video session.
template <class Info, VuidIndex kRule>
void CheckWritten(const Info& info, const RuleContext& context) {
  bool writes = info.writeStdSPS == VK_TRUE || info.writeStdPPS == VK_TRUE;
  if constexpr (requires { info.writeStdVPS; }) writes |= info.writeStdVPS == VK_TRUE;
  if (!writes) context.Report(kRule, {{"writeStdSPS"}}, "is VK_FALSE, as all others are.", "Write at least one.");
}

template <class Layer, VuidIndex kRule>
void CheckQps(const Layer& layer, const RuleContext& context) {
  const vk::LayerQps qps = vk::QpsOf(layer);
  if (!qps.has_least || !qps.has_most || std::ranges::equal(qps.least, qps.most, std::less_equal())) return;
  constexpr bool kIsAv1 = requires { layer.minQIndex; };
  context.Report(kRule, {{kIsAv1 ? "minQIndex" : "minQp"}}, "is greater than the maximum for a type of picture.",
                 "Use a minimum that is not greater.");
}

void CheckAv1Parameters(const VkVideoEncodeAV1SessionParametersCreateInfoKHR& info, const RuleContext& context) {
  const StdVideoAV1SequenceHeader* const header = info.pStdSequenceHeader;
  if (!vk::IsAddress(header) || header->flags.film_grain_params_present == 0) return;
  context.Report(Vuid("VUID-VkVideoEncodeAV1SessionParametersCreateInfoKHR-pStdSequenceHeader-10288"),
                 {{"pStdSequenceHeader"}}, "has film_grain_params_present.", "Set it to zero.");
}

void CheckAv1Picture(const VkVideoEncodeAV1PictureInfoKHR& info, const RuleContext& context) {
  if (!vk::IsAddress(info.pStdPictureInfo)) return;
  const uint8_t primary = info.pStdPictureInfo->primary_ref_frame;
  const bool has_primary = primary < VK_MAX_VIDEO_AV1_REFERENCES_PER_FRAME_KHR;
  if (info.primaryReferenceCdfOnly == VK_TRUE && !has_primary) {
    context.Report(Vuid("VUID-VkVideoEncodeAV1PictureInfoKHR-primaryReferenceCdfOnly-10290"),
                   {{"primaryReferenceCdfOnly"}}, "is VK_TRUE, but pStdPictureInfo has no primary_ref_frame.",
                   "Name a reference, or use VK_FALSE.");
  }
  if (has_primary && info.referenceNameSlotIndices[primary] < 0) {
    context.Report(Vuid("VUID-VkVideoEncodeAV1PictureInfoKHR-pStdPictureInfo-10291"),
                   {{"referenceNameSlotIndices", primary}}, "is negative, but it is the primary_ref_frame.",
                   "Name a slot.");
  }
  if (info.generateObuExtensionHeader == VK_TRUE && info.pStdPictureInfo->pExtensionHeader == nullptr) {
    context.Report(Vuid("VUID-VkVideoEncodeAV1PictureInfoKHR-generateObuExtensionHeader-10293"),
                   {{"generateObuExtensionHeader"}}, "is VK_TRUE, but pStdPictureInfo has no pExtensionHeader.",
                   "Name an extension header.");
  }
}

void CheckQueryPool(const VkQueryPoolCreateInfo& info, const RuleContext& context) {
  if (info.queryType != VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR) return;
  const auto* const profile = vk::FindInChain<VkVideoProfileInfoKHR>(info.pNext);
  if (profile != nullptr && (profile->videoCodecOperation & kDecodes) == 0) return;
  context.Report(Vuid("VUID-VkQueryPoolCreateInfo-queryType-07133"), {{"queryType"}},
                 "is VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR, but the chain has no profile that encodes.",
                 "Chain a VkVideoProfileInfoKHR that encodes.");
}

#define ASSAY_MANUAL(type, check, ...) Manual<type, check<type, __VA_ARGS__>>(#type)
constexpr ManualRules kRules[] = {
    ASSAY_MANUAL(VkVideoDecodeH264SessionParametersAddInfoKHR, CheckAdded,
                 Vuid("VUID-VkVideoDecodeH264SessionParametersAddInfoKHR-None-04825"),
                 Vuid("VUID-VkVideoDecodeH264SessionParametersAddInfoKHR-None-04826")),
    ASSAY_MANUAL(VkVideoDecodeH265SessionParametersAddInfoKHR, CheckAdded,
                 Vuid("VUID-VkVideoDecodeH265SessionParametersAddInfoKHR-None-04834"),
                 Vuid("VUID-VkVideoDecodeH265SessionParametersAddInfoKHR-None-04835"),
                 Vuid("VUID-VkVideoDecodeH265SessionParametersAddInfoKHR-None-04833")),
    ASSAY_MANUAL(VkVideoEncodeH264SessionParametersAddInfoKHR, CheckAdded,
                 Vuid("VUID-VkVideoEncodeH264SessionParametersAddInfoKHR-None-04837"),
                 Vuid("VUID-VkVideoEncodeH264SessionParametersAddInfoKHR-None-04838")),
    ASSAY_MANUAL(VkVideoEncodeH265SessionParametersAddInfoKHR, CheckAdded,
                 Vuid("VUID-VkVideoEncodeH265SessionParametersAddInfoKHR-None-06439"),
                 Vuid("VUID-VkVideoEncodeH265SessionParametersAddInfoKHR-None-06440"),
                 Vuid("VUID-VkVideoEncodeH265SessionParametersAddInfoKHR-None-06438")),
    ASSAY_MANUAL(VkVideoEncodeH264SessionParametersGetInfoKHR, CheckWritten,
                 Vuid("VUID-VkVideoEncodeH264SessionParametersGetInfoKHR-writeStdSPS-08279")),
    ASSAY_MANUAL(VkVideoEncodeH265SessionParametersGetInfoKHR, CheckWritten,
                 Vuid("VUID-VkVideoEncodeH265SessionParametersGetInfoKHR-writeStdVPS-08290")),
    ASSAY_MANUAL(VkVideoEncodeH264RateControlLayerInfoKHR, CheckQps,
                 Vuid("VUID-VkVideoEncodeH264RateControlLayerInfoKHR-useMinQp-08374")),
    ASSAY_MANUAL(VkVideoEncodeH265RateControlLayerInfoKHR, CheckQps,
                 Vuid("VUID-VkVideoEncodeH265RateControlLayerInfoKHR-useMinQp-08375")),
    ASSAY_MANUAL(VkVideoEncodeAV1RateControlLayerInfoKHR, CheckQps,
                 Vuid("VUID-VkVideoEncodeAV1RateControlLayerInfoKHR-useMinQIndex-10304")),
    Manual<VkVideoEncodeAV1SessionParametersCreateInfoKHR, CheckAv1Parameters>(
        "VkVideoEncodeAV1SessionParametersCreateInfoKHR"),
    Manual<VkVideoEncodeAV1PictureInfoKHR, CheckAv1Picture>("VkVideoEncodeAV1PictureInfoKHR"),
    Manual<VkQueryPoolCreateInfo, CheckQueryPool>("VkQueryPoolCreateInfo"),
};
#undef ASSAY_MANUAL

}  // namespace

std::span<const ManualRules> ManualVideoRules() { return kRules; }

}  // namespace assay::stateless
