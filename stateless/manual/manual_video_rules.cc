// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Video profiles, what is asked about them, parameter sets, and rate control. Rules that need a video session, or what
// the driver can do, are core's (core/video).

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "stateless/manual/manual_rules.h"
#include "vk/chain.h"
#include "vk/commands.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"
#include "vk/walk/video_structs.h"

namespace assay::stateless {
namespace {

using vk::kDecodes;
using vk::kEncodes;
using vk::kNoVuid;
using vk::Link;
using vk::Vuid;
using vk::VuidIndex;

void RequireLinks(std::span<const vk::CodecLink> links, VkVideoCodecOperationFlagsKHR operation, const void* chain,
                  std::string_view member, const RuleContext& context) {
  vk::ForEachMissing(links, operation, chain, [&](VuidIndex rule, std::string_view name) {
    context.Report(rule, {{member}}, absl::StrCat("does not have a ", name, " in its chain."),
                   absl::StrCat("Chain a ", name, "."));
  });
}

constexpr vk::CodecLink kProfileLinks[] = {
    Link<VkVideoDecodeH264ProfileInfoKHR>(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
                                          Vuid("VUID-VkVideoProfileInfoKHR-videoCodecOperation-07179")),
    Link<VkVideoDecodeH265ProfileInfoKHR>(VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR,
                                          Vuid("VUID-VkVideoProfileInfoKHR-videoCodecOperation-07180")),
    Link<VkVideoDecodeAV1ProfileInfoKHR>(VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR,
                                         Vuid("VUID-VkVideoProfileInfoKHR-videoCodecOperation-09256")),
    Link<VkVideoEncodeH264ProfileInfoKHR>(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
                                          Vuid("VUID-VkVideoProfileInfoKHR-videoCodecOperation-07181")),
    Link<VkVideoEncodeH265ProfileInfoKHR>(VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR,
                                          Vuid("VUID-VkVideoProfileInfoKHR-videoCodecOperation-07182")),
    Link<VkVideoEncodeAV1ProfileInfoKHR>(VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR,
                                         Vuid("VUID-VkVideoProfileInfoKHR-videoCodecOperation-10262")),
};

void CheckProfile(const VkVideoProfileInfoKHR& profile, const RuleContext& context) {
  RequireLinks(kProfileLinks, profile.videoCodecOperation, profile.pNext, "videoCodecOperation", context);
  const auto require_one = [&](VkFlags bits, VuidIndex rule, std::string_view member) {
    if (!std::has_single_bit(bits)) context.Report(rule, {{member}}, "is not a single bit.", "Choose one bit.");
  };
  // An implicit rule says that these are not 0.
  if (profile.chromaSubsampling != 0)
    require_one(profile.chromaSubsampling, Vuid("VUID-VkVideoProfileInfoKHR-chromaSubsampling-07013"),
                "chromaSubsampling");
  if (profile.lumaBitDepth != 0)
    require_one(profile.lumaBitDepth, Vuid("VUID-VkVideoProfileInfoKHR-lumaBitDepth-07014"), "lumaBitDepth");
  if (std::has_single_bit(profile.chromaSubsampling) &&
      profile.chromaSubsampling != VK_VIDEO_CHROMA_SUBSAMPLING_MONOCHROME_BIT_KHR)
    require_one(profile.chromaBitDepth, Vuid("VUID-VkVideoProfileInfoKHR-chromaSubsampling-07015"), "chromaBitDepth");
}

void CheckProfileList(const VkVideoProfileListInfoKHR& list, const RuleContext& context) {
  const auto profiles = Elements(list.pProfiles, list.profileCount);
  const auto decodes = [](const auto& profile) { return (profile.videoCodecOperation & kDecodes) != 0; };
  if (std::ranges::count_if(profiles, decodes) <= 1) return;
  context.Report(Vuid("VUID-VkVideoProfileListInfoKHR-pProfiles-06813"), {{"pProfiles"}},
                 "has several profiles with a decode operation.", "List one of them.");
}

constexpr vk::CodecLink kCapabilityLinks[] = {
    Link<VkVideoDecodeCapabilitiesKHR>(kDecodes,
                                       Vuid("VUID-vkGetPhysicalDeviceVideoCapabilitiesKHR-pVideoProfile-07183")),
    Link<VkVideoDecodeH264CapabilitiesKHR>(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
                                           Vuid("VUID-vkGetPhysicalDeviceVideoCapabilitiesKHR-pVideoProfile-07184")),
    Link<VkVideoDecodeH265CapabilitiesKHR>(VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR,
                                           Vuid("VUID-vkGetPhysicalDeviceVideoCapabilitiesKHR-pVideoProfile-07185")),
    Link<VkVideoDecodeAV1CapabilitiesKHR>(VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR,
                                          Vuid("VUID-vkGetPhysicalDeviceVideoCapabilitiesKHR-pVideoProfile-09257")),
    Link<VkVideoEncodeCapabilitiesKHR>(kEncodes,
                                       Vuid("VUID-vkGetPhysicalDeviceVideoCapabilitiesKHR-pVideoProfile-07186")),
    Link<VkVideoEncodeH264CapabilitiesKHR>(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
                                           Vuid("VUID-vkGetPhysicalDeviceVideoCapabilitiesKHR-pVideoProfile-07187")),
    Link<VkVideoEncodeH265CapabilitiesKHR>(VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR,
                                           Vuid("VUID-vkGetPhysicalDeviceVideoCapabilitiesKHR-pVideoProfile-07188")),
    Link<VkVideoEncodeAV1CapabilitiesKHR>(VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR,
                                          Vuid("VUID-vkGetPhysicalDeviceVideoCapabilitiesKHR-pVideoProfile-10263")),
};

void CheckCapabilities(const vk::GetPhysicalDeviceVideoCapabilitiesKHR& call, const RuleContext& context) {
  if (!vk::IsAddress(call.pVideoProfile) || !vk::IsAddress(call.pCapabilities)) return;
  RequireLinks(kCapabilityLinks, call.pVideoProfile->videoCodecOperation, call.pCapabilities->pNext, "pCapabilities",
               context);
}

void CheckFormatQuery(const vk::GetPhysicalDeviceVideoFormatPropertiesKHR& call, const RuleContext& context) {
  if (!vk::IsAddress(call.pVideoFormatInfo)) return;
  const auto* const list = vk::FindInChain<VkVideoProfileListInfoKHR>(call.pVideoFormatInfo->pNext);
  if (list != nullptr && list->profileCount != 0) return;
  context.Report(Vuid("VUID-vkGetPhysicalDeviceVideoFormatPropertiesKHR-pNext-06812"), {{"pVideoFormatInfo"}},
                 "does not have a VkVideoProfileListInfoKHR with a profile in its chain.", "Chain a list of profiles.");
}

constexpr vk::CodecLink kQualityLinks[] = {
    Link<VkVideoEncodeH264QualityLevelPropertiesKHR>(
        VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
        Vuid("VUID-vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR-pQualityLevelInfo-08257")),
    Link<VkVideoEncodeH265QualityLevelPropertiesKHR>(
        VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR,
        Vuid("VUID-vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR-pQualityLevelInfo-08258")),
    Link<VkVideoEncodeAV1QualityLevelPropertiesKHR>(
        VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR,
        Vuid("VUID-vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR-pQualityLevelInfo-10305")),
};

void CheckQualityQuery(const vk::GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR& call,
                       const RuleContext& context) {
  if (!vk::IsAddress(call.pQualityLevelInfo) || !vk::IsAddress(call.pQualityLevelProperties) ||
      !vk::IsAddress(call.pQualityLevelInfo->pVideoProfile))
    return;
  RequireLinks(kQualityLinks, call.pQualityLevelInfo->pVideoProfile->videoCodecOperation,
               call.pQualityLevelProperties->pNext, "pQualityLevelProperties", context);
}

void CheckQualityLevel(const VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR& info, const RuleContext& context) {
  if (!vk::IsAddress(info.pVideoProfile) || (info.pVideoProfile->videoCodecOperation & kDecodes) == 0) return;
  context.Report(Vuid("VUID-VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR-pVideoProfile-08260"), {{"pVideoProfile"}},
                 "has a decode operation.", "Use a profile that encodes.");
}

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
    Manual<VkVideoProfileInfoKHR, CheckProfile>("VkVideoProfileInfoKHR"),
    Manual<VkVideoProfileListInfoKHR, CheckProfileList>("VkVideoProfileListInfoKHR"),
    Manual<vk::GetPhysicalDeviceVideoCapabilitiesKHR, CheckCapabilities>("vkGetPhysicalDeviceVideoCapabilitiesKHR"),
    Manual<vk::GetPhysicalDeviceVideoFormatPropertiesKHR, CheckFormatQuery>(
        "vkGetPhysicalDeviceVideoFormatPropertiesKHR"),
    Manual<vk::GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR, CheckQualityQuery>(
        "vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR"),
    Manual<VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR, CheckQualityLevel>(
        "VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR"),
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
