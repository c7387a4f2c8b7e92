// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Video coding scopes, rate control, and queries.

#include <array>
#include <string_view>

#include "core/video/video_test.h"

namespace assay::core {
namespace {

constexpr VkImageUsageFlags kReference = VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR;
constexpr auto kStatus = VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR;
constexpr auto kProtected = VK_COMMAND_POOL_CREATE_PROTECTED_BIT;

class ScopeTest : public VideoTest {
 protected:
  // An inline query of a pool with two queries.
  VkVideoInlineQueryInfoKHR& UseQuery(V v, VkQueryType type = kStatus, bool has_profile = true, bool is_reset = true) {
    if (!has_profile) v.profile.lumaBitDepth = 4;
    const VkQueryPool pool = MakePool(type, &v.profile, 2, is_reset);
    v.profile.lumaBitDepth = 1;
    v.session.flags = kInlineQueries;
    const VkVideoInlineQueryInfoKHR info = {.queryPool = pool, .queryCount = 1};
    return v.is_decoder ? v.Chain(v.decode, info) : v.Chain(v.encode, info);
  }
};

TEST_F(ScopeTest, Begins) {
  const auto occlusion = [&](V v) {
    v.before = [this](VkCommandBuffer c) { vk.CmdBeginQuery(c, MakePool(VK_QUERY_TYPE_OCCLUSION, nullptr), 0, 0); };
  };
  Run("vkCmdBeginVideoCodingKHR", {{"commandBuffer-07231", kDecodeH265, [](V v) { v.family = kOtherFamily; }}});
  Run("vkCmdBeginVideoCodingKHR", kDecodeH264,
      {{"None-07232", occlusion},
       {"commandBuffer-07233", [](V v) { v.session.flags = kProtectedSession; }},
       {"commandBuffer-07234 commandBuffer-07236 commandBuffer-07236", [](V v) { v.pool_flags = kProtected; }},
       {"commandBuffer-07235 commandBuffer-07235",
        [&](V v) { SetReferences(v, kReference, kPictureFormat, VK_IMAGE_CREATE_PROTECTED_BIT); }}});
  Run("VkVideoBeginCodingInfoKHR", kEncoders, {"videoSession-07249", "videoSession-07250", "videoSession-10283"},
      [](V v) { v.has_parameters = false; });
  Run("VkVideoBeginCodingInfoKHR", {{"slotIndex-07246", kEncodeH264, [&](V v) { SetReferences(v, CodedUsage(v)); }}});
  Run("VkVideoBeginCodingInfoKHR", kDecodeH264,
      {{"videoSession-07237", [](V v) { v.bound = 1; }},
       {"slotIndex-04856", [](V v) { v.slots[0].slotIndex = 3; }},
       {"pPictureResource-07238", [](V v) { v.slots[1].pPictureResource = &v.pictures[0]; }},
       {"pPictureResource-07240 pPictureResource-07240", OfOtherProfile([&](V v) { SetReferences(v, kReference); })},
       {"pPictureResource-07241 pPictureResource-07241",
        [&](V v) { SetReferences(v, kReference, VK_FORMAT_R8G8_UNORM); }},
       {"pPictureResource-07242", [](V v) { v.pictures[1].codedOffset.x = 16; }},
       {"pPictureResource-07243", [](V v) { v.pictures[1].codedExtent.width = 15; }},
       {"flags-07244",
        [&](V v) {
          v.Can<VkVideoCapabilitiesKHR>().flags = 0;
          v.pictures[1].imageViewBinding = MakePicture(v, kReference, kPictureFormat, 0, 2);
        }},
       {"slotIndex-07245", [&](V v) { SetReferences(v, CodedUsage(v)); }},
       {"VkVideoPictureResourceInfoKHR-baseArrayLayer-07175", [](V v) { v.pictures[1].baseArrayLayer = 2; }},
       // Fields of interlaced pictures have an offset.
       {"", [&](V v) {
          SetInterlaced(v, VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_SEPARATE_PLANES_BIT_KHR);
          v.pictures[1].codedOffset.x = 16, v.codings = 0;
        }}});
}

TEST_F(ScopeTest, ParametersWithoutMaintenance) {
  Destroy();
  Start({"videoMaintenance2"});
  Run("VkVideoBeginCodingInfoKHR", kDecoders, {"videoSession-07247", "videoSession-07248", "videoSession-09261"},
      [](V v) { v.has_parameters = false; });
}

// A rate control layer, with the codec's own structure.
template <class Info, class Layer>
auto SetRate(V v) {
  struct Rate {
    Info& info;
    VkVideoEncodeRateControlInfoKHR& general;
    Layer& layer;
  };
  v.control.flags = VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR;
  // In this order.
  return Rate{v.Chain<Info>(v.control), SetRateControl(v, v.control), v.Chain<Layer>(v.layers[0])};
}
auto SetH264(V v) { return SetRate<VkVideoEncodeH264RateControlInfoKHR, VkVideoEncodeH264RateControlLayerInfoKHR>(v); }
auto SetH265(V v) { return SetRate<VkVideoEncodeH265RateControlInfoKHR, VkVideoEncodeH265RateControlLayerInfoKHR>(v); }
auto SetAv1(V v) { return SetRate<VkVideoEncodeAV1RateControlInfoKHR, VkVideoEncodeAV1RateControlLayerInfoKHR>(v); }

TEST_F(ScopeTest, Control) {
  Run("VkVideoEncodeRateControlInfoKHR",
      {{"", kEncodeH264, [](V v) { SetH264(v); }},
       {"", kEncodeH265, [](V v) { SetH265(v); }},
       {"", kEncodeAv1, [](V v) { SetAv1(v); }},
       {"vkCmdControlVideoCodingKHR-pCodingControlInfo-08243", kDecodeH264, [](V v) { SetH264(v); }},
       {"rateControlMode-08244", kEncodeH264,
        [](V v) { SetH264(v).general.rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR; }},
       {"layerCount-08245", kEncodeH264,
        [](V v) {
          auto rate = SetH264(v);
          rate.general.layerCount = rate.info.temporalLayerCount = 3;
        }},
       {"pLayers-08276 pLayers-08277", kEncodeH264,
        [](V v) { SetH264(v), v.layers[0].averageBitrate = v.layers[0].maxBitrate = 1001; }},
       {"pLayers-08276 pLayers-08277", kEncodeH264,
        [](V v) { SetH264(v), v.layers[0].averageBitrate = v.layers[0].maxBitrate = 0; }},
       {"videoCodecOperation-07022", kEncodeH264, [](V v) { SetH264(v).general.layerCount = 2; }},
       {"videoCodecOperation-07025", kEncodeH265, [](V v) { SetH265(v).general.layerCount = 2; }},
       {"videoCodecOperation-10351", kEncodeAv1, [](V v) { SetAv1(v).general.layerCount = 2; }},
       {"VkVideoEncodeH264RateControlInfoKHR-flags-08280", kEncodeH264, [](V v) { SetH264(v).info.flags = 1; }, 1},
       {"VkVideoEncodeH265RateControlInfoKHR-flags-08291", kEncodeH265, [](V v) { SetH265(v).info.flags = 1; }, 1},
       {"VkVideoEncodeAV1RateControlInfoKHR-temporalLayerCount-10299", kEncodeAv1,
        [](V v) { SetAv1(v).info.temporalLayerCount = 3; }},
       {"VkVideoEncodeQualityLevelInfoKHR-qualityLevel-08311", kEncodeH264, [](V v) { SetQuality(v, 2); }}});
}

TEST_F(ScopeTest, QuantizationParameters) {
  const auto bound = [](auto set_rate, bool is_least, int32_t first, int32_t others) {
    return [=](V v) {
      auto& layer = set_rate(v).layer;
      if constexpr (requires { layer.minQp; }) {
        (is_least ? layer.useMinQp : layer.useMaxQp) = VK_TRUE;
        (is_least ? layer.minQp : layer.maxQp) = {first, others, others};
      } else {
        const auto rest = static_cast<uint32_t>(others);
        (is_least ? layer.useMinQIndex : layer.useMaxQIndex) = VK_TRUE;
        (is_least ? layer.minQIndex : layer.maxQIndex) = {static_cast<uint32_t>(first), rest, rest};
      }
    };
  };
  // Rules of a bound that is too small, too large, and not the same for all, which the codec cannot do.
  const auto run = [&](const char* owner, VkVideoCodecOperationFlagBitsKHR operation, auto set_rate, VkFlags without,
                       const std::array<std::string_view, 4>& rules) {
    Run(owner, operation,
        {{rules[0], bound(set_rate, true, 51, 51)},
         {rules[1], bound(set_rate, false, 0, 0)},
         {rules[2], bound(set_rate, true, 1, 2), without},
         {rules[3], bound(set_rate, false, 1, 2), without},
         {"", bound(set_rate, true, 1, 1)}});
  };
  run("VkVideoEncodeH264RateControlLayerInfoKHR", kEncodeH264, SetH264,
      VK_VIDEO_ENCODE_H264_CAPABILITY_PER_PICTURE_TYPE_MIN_MAX_QP_BIT_KHR,
      {"useMinQp-08286", "useMaxQp-08287", "useMinQp-08288", "useMaxQp-08289"});
  run("VkVideoEncodeH265RateControlLayerInfoKHR", kEncodeH265, SetH265,
      VK_VIDEO_ENCODE_H265_CAPABILITY_PER_PICTURE_TYPE_MIN_MAX_QP_BIT_KHR,
      {"useMinQp-08297", "useMaxQp-08298", "useMinQp-08299", "useMaxQp-08300"});
  run("VkVideoEncodeAV1RateControlLayerInfoKHR", kEncodeAv1, SetAv1,
      VK_VIDEO_ENCODE_AV1_CAPABILITY_PER_RATE_CONTROL_GROUP_MIN_MAX_Q_INDEX_BIT_KHR,
      {"useMinQIndex-10300", "useMaxQIndex-10302", "useMinQIndex-10301", "useMaxQIndex-10303"});
}

TEST_F(ScopeTest, RemainingFrames) {
  const auto constant = [](V v) {
    SetRateControl(v, v.begin);
    v.Can<VkVideoEncodeH264CapabilitiesKHR>().requiresGopRemainingFrames = VK_TRUE;
    v.Can<VkVideoEncodeH265CapabilitiesKHR>().requiresGopRemainingFrames = VK_TRUE;
    v.Can<VkVideoEncodeAV1CapabilitiesKHR>().requiresGopRemainingFrames = VK_TRUE;
  };
  Run("vkCmdBeginVideoCodingKHR", kEncoders, {"pBeginInfo-08255", "pBeginInfo-08256", "pBeginInfo-10282"}, constant);
  Run("vkCmdBeginVideoCodingKHR",
      {{"", kEncodeH264, [&](V v) { constant(v), v.Chain<VkVideoEncodeH264GopRemainingFrameInfoKHR>(v.begin); }}});
}

TEST_F(ScopeTest, BegunQueries) {
  constexpr auto kFeedback = VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR;
  // A query of a pool with the profile of the session or another, before the scope or inside of it.
  const auto begin = [&](V v, VkQueryType type, bool has_profile, bool is_inside = true, bool is_indexed = false) {
    const auto& feedback = v.Chain<VkQueryPoolVideoEncodeFeedbackCreateInfoKHR>(v.profile, {.encodeFeedbackFlags = 1});
    if (!has_profile) v.profile.lumaBitDepth = 4;
    const VkQueryPool pool = MakePool(type, type == VK_QUERY_TYPE_OCCLUSION ? nullptr : &v.profile);
    v.profile.lumaBitDepth = 1;
    v.profile.pNext = feedback.pNext;
    (is_inside ? v.inside : v.before) = [=, this](VkCommandBuffer c) {
      is_indexed ? vk.CmdBeginQueryIndexedEXT(c, pool, 0, 0, 0) : vk.CmdBeginQuery(c, pool, 0, 0);
    };
    return pool;
  };
  // It ends after so many operations.
  const auto count = [&](V v, VkQueryType type, uint32_t codings) {
    const VkQueryPool pool = begin(v, type, true);
    v.codings = codings;
    v.at_end = [=, this](VkCommandBuffer c) { vk.CmdEndQuery(c, pool, 0); };
  };
  Run("vkCmdBeginQuery",
      {{"queryType-07126", kDecodeH264, [&](V v) { begin(v, kStatus, true), v.family = kOtherFamily; }},
       {"vkCmdBeginQueryIndexedEXT-queryType-07126", kDecodeH264,
        [&](V v) { begin(v, kStatus, true, false, true), v.family = kOtherFamily; }},
       {"None-08370", kDecodeH264, [&](V v) { begin(v, kStatus, true), v.session.flags = kInlineQueries; }},
       {"queryType-07128", kDecodeH264, [&](V v) { begin(v, kStatus, false); }},
       {"queryType-07129", kEncodeH264, [&](V v) { begin(v, kFeedback, true, false); }},
       {"vkCmdBeginQueryIndexedEXT-queryType-07129", kEncodeH264, [&](V v) { begin(v, kFeedback, true, false, true); }},
       {"queryType-07130", kEncodeH264, [&](V v) { begin(v, kFeedback, false); }},
       {"queryType-07131", kDecodeH264, [&](V v) { begin(v, VK_QUERY_TYPE_OCCLUSION, true); }},
       {"None-07127 vkCmdEndVideoCodingKHR-None-07251", kEncodeH264,
        [&](V v) {
          begin(v, kStatus, true);
          const auto first = v.inside;
          begin(v, kFeedback, true);
          v.inside = [first, second = v.inside](VkCommandBuffer c) { first(c), second(c); };
        }},
       {"vkCmdDecodeVideoKHR-opCount-07134", kDecodeH264, [&](V v) { count(v, kStatus, 2); }},
       {"vkCmdEncodeVideoKHR-opCount-07174", kEncodeH264, [&](V v) { count(v, kFeedback, 2); }},
       {"", kDecodeH264, [&](V v) { count(v, kStatus, 1); }},
       {"", kEncodeH264, [&](V v) { count(v, kFeedback, 1); }}});
}

TEST_F(ScopeTest, InlineQueries) {
  Run("VkVideoInlineQueryInfoKHR",
      {{"queryPool-08372", kDecodeH264, [&](V v) { UseQuery(v).firstQuery = 2; }},
       {"queryPool-08373", kEncodeH264, [&](V v) { UseQuery(v).queryCount = 3, v.session.flags = 0; }}});
  RunBoth(kDecodeAndEncode,
          {{{"pNext-08365", "pNext-08360"}, [&](V v) { UseQuery(v).queryCount = 2; }},
           {{"queryType-08367", "queryType-08362"}, [&](V v) { UseQuery(v, VK_QUERY_TYPE_OCCLUSION); }},
           {{"queryPool-08368", "queryPool-08363"}, [&](V v) { UseQuery(v, kStatus, false); }},
           {{"queryType-08369", "queryType-08364"}, [&](V v) { UseQuery(v), v.family = kOtherFamily; }},
           {{"", ""}, [&](V v) { UseQuery(v); }}});
}

TEST_F(ScopeTest, InlineQueriesThatNothingResets) {
  for (const auto operation : {kDecodeH264, kEncodeH264}) {
    Video video;
    Make(operation, video);
    UseQuery(video, kStatus, true, false);
    Run(video);
    ExpectNothing();
    Submit(Queue(), {commands_});
    ExpectMessage(video.is_decoder ? "VUID-vkCmdDecodeVideoKHR-pNext-08366" : "VUID-vkCmdEncodeVideoKHR-pNext-08361");
  }
}

}  // namespace
}  // namespace assay::core
