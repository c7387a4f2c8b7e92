// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rate control and quality levels.

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/video/coding_command.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::kNoVuid;
using vk::Vuid;
using vk::VuidIndex;

// Returns the value that is of the codec.
template <class Codec, class T>
consteval T ByCodec(T h264, T h265, T av1) {
  if (Codec::kOperation == EncodeH264::kOperation) return h264;
  return Codec::kOperation == EncodeH265::kOperation ? h265 : av1;
}

// The rules of one codec, and the flags that they are about.
template <class Codec>
struct RateControlRules {
  static constexpr auto kCompliance =
      ByCodec<Codec, VkFlags>(VK_VIDEO_ENCODE_H264_CAPABILITY_HRD_COMPLIANCE_BIT_KHR,
                              VK_VIDEO_ENCODE_H265_CAPABILITY_HRD_COMPLIANCE_BIT_KHR, ~VkFlags{0});
  static constexpr auto kAttempt =
      ByCodec<Codec, VkFlags>(VK_VIDEO_ENCODE_H264_RATE_CONTROL_ATTEMPT_HRD_COMPLIANCE_BIT_KHR,
                              VK_VIDEO_ENCODE_H265_RATE_CONTROL_ATTEMPT_HRD_COMPLIANCE_BIT_KHR, 0);
  static constexpr auto kPerType =
      ByCodec<Codec, VkFlags>(VK_VIDEO_ENCODE_H264_CAPABILITY_PER_PICTURE_TYPE_MIN_MAX_QP_BIT_KHR,
                              VK_VIDEO_ENCODE_H265_CAPABILITY_PER_PICTURE_TYPE_MIN_MAX_QP_BIT_KHR,
                              VK_VIDEO_ENCODE_AV1_CAPABILITY_PER_RATE_CONTROL_GROUP_MIN_MAX_Q_INDEX_BIT_KHR);
  static constexpr VuidIndex
      kLayers = ByCodec<Codec>(Vuid("VUID-VkVideoEncodeRateControlInfoKHR-videoCodecOperation-07022"),
                               Vuid("VUID-VkVideoEncodeRateControlInfoKHR-videoCodecOperation-07025"),
                               Vuid("VUID-VkVideoEncodeRateControlInfoKHR-videoCodecOperation-10351")),
      kFlags = ByCodec<Codec>(Vuid("VUID-VkVideoEncodeH264RateControlInfoKHR-flags-08280"),
                              Vuid("VUID-VkVideoEncodeH265RateControlInfoKHR-flags-08291"), kNoVuid),
      kSublayers =
          ByCodec<Codec>(kNoVuid, kNoVuid, Vuid("VUID-VkVideoEncodeAV1RateControlInfoKHR-temporalLayerCount-10299")),
      kLeast = ByCodec<Codec>(Vuid("VUID-VkVideoEncodeH264RateControlLayerInfoKHR-useMinQp-08286"),
                              Vuid("VUID-VkVideoEncodeH265RateControlLayerInfoKHR-useMinQp-08297"),
                              Vuid("VUID-VkVideoEncodeAV1RateControlLayerInfoKHR-useMinQIndex-10300")),
      kMost = ByCodec<Codec>(Vuid("VUID-VkVideoEncodeH264RateControlLayerInfoKHR-useMaxQp-08287"),
                             Vuid("VUID-VkVideoEncodeH265RateControlLayerInfoKHR-useMaxQp-08298"),
                             Vuid("VUID-VkVideoEncodeAV1RateControlLayerInfoKHR-useMaxQIndex-10302")),
      kLeastPerType = ByCodec<Codec>(Vuid("VUID-VkVideoEncodeH264RateControlLayerInfoKHR-useMinQp-08288"),
                                     Vuid("VUID-VkVideoEncodeH265RateControlLayerInfoKHR-useMinQp-08299"),
                                     Vuid("VUID-VkVideoEncodeAV1RateControlLayerInfoKHR-useMinQIndex-10301")),
      kMostPerType = ByCodec<Codec>(Vuid("VUID-VkVideoEncodeH264RateControlLayerInfoKHR-useMaxQp-08289"),
                                    Vuid("VUID-VkVideoEncodeH265RateControlLayerInfoKHR-useMaxQp-08300"),
                                    Vuid("VUID-VkVideoEncodeAV1RateControlLayerInfoKHR-useMaxQIndex-10303"));
};

template <class Codec>
void CheckCodec(const CodingCommand& check, const VkVideoEncodeRateControlInfoKHR& info, const void* chain,
                const Location& where) {
  using Rules = RateControlRules<Codec>;
  const auto& can = check.session.can.Of<typename Codec::Capabilities>();
  const QpLimits limits = QpLimitsOf(can);
  if (const auto* own = vk::FindInChain<typename Codec::RateControl>(chain)) {
    uint32_t layers = 0;
    if constexpr (requires { own->subLayerCount; }) layers = own->subLayerCount;
    if constexpr (requires { own->temporalLayerCount; }) layers = own->temporalLayerCount;
    check.Require(info.layerCount <= 1 || info.layerCount == layers, Rules::kLayers, where.Dot("layerCount"),
                  absl::StrCat("(", info.layerCount, ") is not that of the codec's structure (", layers, ")."));
    check.Require(!limits.are_known() || (can.flags & Rules::kCompliance) != 0 || (own->flags & Rules::kAttempt) == 0,
                  Rules::kFlags, where, "asks for HRD compliance, which the driver does not support.");
    if constexpr (requires { can.maxTemporalLayerCount; }) {
      check.Require(can.maxTemporalLayerCount == 0 || layers <= can.maxTemporalLayerCount, Rules::kSublayers, where,
                    absl::StrCat("has ", layers, " temporal layers of at most ", can.maxTemporalLayerCount, "."));
    }
  }
  for (uint32_t i = 0; info.pLayers != nullptr && i < info.layerCount && limits.are_known(); ++i) {
    const auto* const layer = vk::FindInChain<typename Codec::RateControlLayer>(info.pLayers[i].pNext);
    if (layer == nullptr) continue;
    const vk::LayerQps qps = vk::QpsOf(*layer);
    const auto require = [&](bool is_used, const vk::LayerQps::Qps& values, VuidIndex range, VuidIndex same) {
      if (!is_used) return;
      const Location at = where.Dot("pLayers", i);
      check.Require(
          std::ranges::all_of(values, [&](int64_t qp) { return limits.Allow(qp); }), range, at,
          absl::StrCat("has a quantization parameter that is not between ", limits.least, " and ", limits.most, "."));
      check.Require((can.flags & Rules::kPerType) != 0 || (values[0] == values[1] && values[1] == values[2]), same, at,
                    "has different quantization parameters for the types of pictures.");
    };
    require(qps.has_least, qps.least, Rules::kLeast, Rules::kLeastPerType);
    require(qps.has_most, qps.most, Rules::kMost, Rules::kMostPerType);
  }
}

}  // namespace

void CodingCommand::CheckRateControl(const void* chain, const Location& where) const {
  const auto* const info = vk::FindInChain<VkVideoEncodeRateControlInfoKHR>(chain);
  if (info == nullptr) return;
  const VkVideoEncodeCapabilitiesKHR& can = session.can.encode;
  const Location at = where.Next("VkVideoEncodeRateControlInfoKHR");
  Require(info->rateControlMode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR || can.rateControlModes == 0 ||
              (can.rateControlModes & info->rateControlMode) != 0,
          Vuid("VUID-VkVideoEncodeRateControlInfoKHR-rateControlMode-08244"), at.Dot("rateControlMode"),
          "is not supported by the driver.");
  Require(can.maxRateControlLayers == 0 || info->layerCount <= can.maxRateControlLayers,
          Vuid("VUID-VkVideoEncodeRateControlInfoKHR-layerCount-08245"), at.Dot("layerCount"),
          absl::StrCat("(", info->layerCount, ") is more than maxRateControlLayers (", can.maxRateControlLayers, ")."));
  for (uint32_t i = 0; info->pLayers != nullptr && i < info->layerCount; ++i) {
    const auto require = [&](uint64_t rate, VuidIndex rule, std::string_view member) {
      Require(rate != 0 && (can.maxBitrate == 0 || rate <= can.maxBitrate), rule, at.Dot("pLayers", i).Dot(member),
              absl::StrCat("(", rate, ") is not between 1 and ", can.maxBitrate, "."));
    };
    require(info->pLayers[i].averageBitrate, Vuid("VUID-VkVideoEncodeRateControlInfoKHR-pLayers-08276"),
            "averageBitrate");
    require(info->pLayers[i].maxBitrate, Vuid("VUID-VkVideoEncodeRateControlInfoKHR-pLayers-08277"), "maxBitrate");
  }
  WithCodec(session.profile.operation, [&]<class Codec>(Codec) {
    if constexpr (requires { typename Codec::RateControl; }) CheckCodec<Codec>(*this, *info, chain, at);
  });
}

void CodingCommand::CheckQualityLevel(const void* chain, const Location& where) const {
  const auto* const info = vk::FindInChain<VkVideoEncodeQualityLevelInfoKHR>(chain);
  const uint32_t count = session.can.encode.maxQualityLevels;
  if (info == nullptr || count == 0) return;
  Require(info->qualityLevel < count, Vuid("VUID-VkVideoEncodeQualityLevelInfoKHR-qualityLevel-08311"),
          where.Next("VkVideoEncodeQualityLevelInfoKHR").Dot("qualityLevel"),
          absl::StrCat("(", info->qualityLevel, ") is not less than maxQualityLevels (", count, ")."));
}

}  // namespace assay::core
