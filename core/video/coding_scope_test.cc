// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Video coding scopes, rate control, and queries.

#include "core/video/video_test.h"

namespace assay::core {
namespace {

using V = Video&;

constexpr VkImageUsageFlags kReference = VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR;
constexpr auto kStatus = VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR;
constexpr auto kProtected = VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
constexpr auto kProtectedSession = VK_VIDEO_SESSION_CREATE_PROTECTED_CONTENT_BIT_KHR;

class ScopeTest : public VideoTest {
 protected:
  void SetReference(V v, VkImageUsageFlags usage, VkFormat format = kPictureFormat, VkImageCreateFlags flags = 0,
                    bool has_profile = true) {
    v.pictures[0].imageViewBinding = v.pictures[1].imageViewBinding =
        MakePicture(v, usage, format, flags, has_profile, 2);
  }
};

TEST_F(ScopeTest, Begins) {
  const auto occlusion = [&](V v) {
    v.before = [this](VkCommandBuffer c) { vk.CmdBeginQuery(c, MakePool(VK_QUERY_TYPE_OCCLUSION, nullptr), 0, 0); };
  };
  Run("vkCmdBeginVideoCodingKHR",
      {
          {"commandBuffer-07231", kDecodeH265, [](V v) { v.family = kOtherFamily; }},
          {"None-07232", kDecodeH264, occlusion},
          {"commandBuffer-07233", kDecodeH264, [](V v) { v.session.flags = kProtectedSession; }},
          {"commandBuffer-07234 commandBuffer-07236 commandBuffer-07236", kDecodeH264,
           [](V v) { v.pool_flags = kProtected; }},
          {"commandBuffer-07235 commandBuffer-07235", kDecodeH264,
           [&](V v) { SetReference(v, kReference, kPictureFormat, VK_IMAGE_CREATE_PROTECTED_BIT); }},
      });
  Run("VkVideoBeginCodingInfoKHR",
      {
          {"videoSession-07237", kDecodeH264, [](V v) { v.bound = 1; }},
          {"slotIndex-04856", kDecodeH264, [](V v) { v.slots[0].slotIndex = 3; }},
          {"pPictureResource-07238", kDecodeH264, [](V v) { v.slots[1].pPictureResource = &v.pictures[0]; }},
          {"pPictureResource-07240 pPictureResource-07240", kDecodeH264,
           [&](V v) { v.profile.lumaBitDepth = 4, SetReference(v, kReference), v.profile.lumaBitDepth = 1; }},
          {"pPictureResource-07241 pPictureResource-07241", kDecodeH264,
           [&](V v) { SetReference(v, kReference, VK_FORMAT_R8G8_UNORM); }},
          {"pPictureResource-07242", kDecodeH264, [](V v) { v.pictures[1].codedOffset.x = 16; }},
          {"pPictureResource-07243", kDecodeH264, [](V v) { v.pictures[1].codedExtent.width = 15; }},
          {"flags-07244", kDecodeH264,
           [&](V v) {
             v.Can<VkVideoCapabilitiesKHR>().flags = 0;
             v.pictures[1].imageViewBinding = MakePicture(v, kReference, kPictureFormat, 0, true, 2);
           }},
          {"slotIndex-07245", kDecodeH264, [&](V v) { SetReference(v, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR); }},
          {"slotIndex-07246", kEncodeH264, [&](V v) { SetReference(v, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR); }},
          {"videoSession-07249", kEncodeH264, [](V v) { v.has_parameters = false; }},
          {"videoSession-07250", kEncodeH265, [](V v) { v.has_parameters = false; }},
          {"videoSession-10283", kEncodeAv1, [](V v) { v.has_parameters = false; }},
          {"VkVideoPictureResourceInfoKHR-baseArrayLayer-07175", kDecodeH264,
           [](V v) { v.pictures[1].baseArrayLayer = 2; }},
          // Fields of interlaced pictures have an offset.
          {"", kDecodeH264,
           [&](V v) {
             Video::In<VkVideoDecodeH264ProfileInfoKHR>(v.profile).pictureLayout =
                 VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_SEPARATE_PLANES_BIT_KHR;
             MakeResources(v);
             v.pictures[1].codedOffset.x = 16, v.codings = 0;
           }},
      });
}

TEST_F(ScopeTest, ParametersWithoutMaintenance) {
  Destroy();
  Start({"videoMaintenance2"});
  const auto without = [](V v) { v.has_parameters = false; };
  Run("VkVideoBeginCodingInfoKHR", {{"videoSession-07247", kDecodeH264, without},
                                    {"videoSession-07248", kDecodeH265, without},
                                    {"videoSession-09261", kDecodeAv1, without}});
}

// A rate control layer, with the codec's own structure.
template <class Info, class Layer>
struct Rate {
  Info& info;
  Layer& layer;
  VkVideoEncodeRateControlInfoKHR& general;
};
template <class Info, class Layer>
Rate<Info, Layer> SetRate(V v) {
  v.control.flags = VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR;
  Info& info = v.Chain<Info>(v.control);
  auto& general = v.Chain<VkVideoEncodeRateControlInfoKHR>(v.control);
  general.rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR;
  general.layerCount = 1;
  general.pLayers = v.layers;
  general.virtualBufferSizeInMs = 1;
  for (auto& layer : v.layers)
    layer = {VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR, nullptr, 1, 1, 1, 1};
  Layer& layer = v.Chain<Layer>(v.layers[0]);
  return {info, layer, general};
}
auto SetH264(V v) { return SetRate<VkVideoEncodeH264RateControlInfoKHR, VkVideoEncodeH264RateControlLayerInfoKHR>(v); }
auto SetH265(V v) { return SetRate<VkVideoEncodeH265RateControlInfoKHR, VkVideoEncodeH265RateControlLayerInfoKHR>(v); }
auto SetAv1(V v) { return SetRate<VkVideoEncodeAV1RateControlInfoKHR, VkVideoEncodeAV1RateControlLayerInfoKHR>(v); }

TEST_F(ScopeTest, Control) {
  Run("VkVideoEncodeRateControlInfoKHR",
      {
          {"", kEncodeH264, [](V v) { SetH264(v); }},
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
          {"VkVideoEncodeH264RateControlInfoKHR-flags-08280", kEncodeH264,
           [](V v) { SetH264(v).info.flags = 1, v.Can<VkVideoEncodeH264CapabilitiesKHR>().flags = ~1 & 0x7fffffff; }},
          {"VkVideoEncodeH265RateControlInfoKHR-flags-08291", kEncodeH265,
           [](V v) { SetH265(v).info.flags = 1, v.Can<VkVideoEncodeH265CapabilitiesKHR>().flags = ~1 & 0x7fffffff; }},
          {"VkVideoEncodeAV1RateControlInfoKHR-temporalLayerCount-10299", kEncodeAv1,
           [](V v) { SetAv1(v).info.temporalLayerCount = 3; }},
          {"VkVideoEncodeQualityLevelInfoKHR-qualityLevel-08311", kEncodeH264,
           [](V v) {
             v.control.flags = VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR;
             v.Chain<VkVideoEncodeQualityLevelInfoKHR>(v.control).qualityLevel = 2;
           }},
      });
}

TEST_F(ScopeTest, QuantizationParameters) {
  const auto set_qps = [](auto rate, bool is_least, int32_t first, int32_t others) {
    (is_least ? rate.layer.useMinQp : rate.layer.useMaxQp) = VK_TRUE;
    (is_least ? rate.layer.minQp : rate.layer.maxQp) = {first, others, others};
  };
  const auto h264 = [&](bool is_least, int32_t first, int32_t others) {
    return [=](V v) {
      set_qps(SetH264(v), is_least, first, others);
      if (first != others)
        v.Can<VkVideoEncodeH264CapabilitiesKHR>().flags &=
            ~VK_VIDEO_ENCODE_H264_CAPABILITY_PER_PICTURE_TYPE_MIN_MAX_QP_BIT_KHR;
    };
  };
  const auto h265 = [&](bool is_least, int32_t first, int32_t others) {
    return [=](V v) {
      set_qps(SetH265(v), is_least, first, others);
      if (first != others)
        v.Can<VkVideoEncodeH265CapabilitiesKHR>().flags &=
            ~VK_VIDEO_ENCODE_H265_CAPABILITY_PER_PICTURE_TYPE_MIN_MAX_QP_BIT_KHR;
    };
  };
  const auto av1 = [](bool is_least, uint32_t first, uint32_t others) {
    return [=](V v) {
      auto& layer = SetAv1(v).layer;
      (is_least ? layer.useMinQIndex : layer.useMaxQIndex) = VK_TRUE;
      (is_least ? layer.minQIndex : layer.maxQIndex) = {first, others, others};
      if (first != others)
        v.Can<VkVideoEncodeAV1CapabilitiesKHR>().flags &=
            ~VK_VIDEO_ENCODE_AV1_CAPABILITY_PER_RATE_CONTROL_GROUP_MIN_MAX_Q_INDEX_BIT_KHR;
    };
  };
  Run("VkVideoEncodeH264RateControlLayerInfoKHR", {{"useMinQp-08286", kEncodeH264, h264(true, 51, 51)},
                                                   {"useMaxQp-08287", kEncodeH264, h264(false, 0, 0)},
                                                   {"useMinQp-08288", kEncodeH264, h264(true, 1, 2)},
                                                   {"useMaxQp-08289", kEncodeH264, h264(false, 1, 2)},
                                                   {"", kEncodeH264, h264(true, 1, 1)}});
  Run("VkVideoEncodeH265RateControlLayerInfoKHR", {{"useMinQp-08297", kEncodeH265, h265(true, 51, 51)},
                                                   {"useMaxQp-08298", kEncodeH265, h265(false, 0, 0)},
                                                   {"useMinQp-08299", kEncodeH265, h265(true, 1, 2)},
                                                   {"useMaxQp-08300", kEncodeH265, h265(false, 1, 2)},
                                                   {"", kEncodeH265, h265(true, 1, 1)}});
  Run("VkVideoEncodeAV1RateControlLayerInfoKHR", {{"useMinQIndex-10300", kEncodeAv1, av1(true, 51, 51)},
                                                  {"useMaxQIndex-10302", kEncodeAv1, av1(false, 0, 0)},
                                                  {"useMinQIndex-10301", kEncodeAv1, av1(true, 1, 2)},
                                                  {"useMaxQIndex-10303", kEncodeAv1, av1(false, 1, 2)},
                                                  {"", kEncodeAv1, av1(true, 1, 1)}});
}

TEST_F(ScopeTest, RemainingFrames) {
  const auto begin = [](V v, VkVideoEncodeRateControlModeFlagBitsKHR mode) {
    auto& rate = v.Chain<VkVideoEncodeRateControlInfoKHR>(v.begin);
    rate.rateControlMode = mode, rate.layerCount = 1, rate.pLayers = v.layers, rate.virtualBufferSizeInMs = 1;
    v.layers[0] = {VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR, nullptr, 1, 1, 1, 1};
    v.Can<VkVideoEncodeH264CapabilitiesKHR>().requiresGopRemainingFrames = VK_TRUE;
    v.Can<VkVideoEncodeH265CapabilitiesKHR>().requiresGopRemainingFrames = VK_TRUE;
    v.Can<VkVideoEncodeAV1CapabilitiesKHR>().requiresGopRemainingFrames = VK_TRUE;
  };
  const auto constant = [&](V v) { begin(v, VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR); };
  Run("vkCmdBeginVideoCodingKHR",
      {{"pBeginInfo-08255", kEncodeH264, constant},
       {"pBeginInfo-08256", kEncodeH265, constant},
       {"pBeginInfo-10282", kEncodeAv1, constant},
       {"", kEncodeH264, [&](V v) { constant(v), v.Chain<VkVideoEncodeH264GopRemainingFrameInfoKHR>(v.begin); }}});
}

TEST_F(ScopeTest, BegunQueries) {
  constexpr auto kFeedback = VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR;
  // A query of a pool with the profile of the session or another, before the scope or inside of it.
  const auto begin = [&](V v, VkQueryType type, bool has_profile, bool is_inside = true, bool is_indexed = false) {
    auto& feedback = v.Chain<VkQueryPoolVideoEncodeFeedbackCreateInfoKHR>(v.profile);
    feedback.encodeFeedbackFlags = 1;
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
      {
          {"queryType-07126", kDecodeH264, [&](V v) { begin(v, kStatus, true), v.family = kOtherFamily; }},
          {"vkCmdBeginQueryIndexedEXT-queryType-07126", kDecodeH264,
           [&](V v) { begin(v, kStatus, true, false, true), v.family = kOtherFamily; }},
          {"None-08370", kDecodeH264,
           [&](V v) { begin(v, kStatus, true), v.session.flags = VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR; }},
          {"queryType-07128", kDecodeH264, [&](V v) { begin(v, kStatus, false); }},
          {"queryType-07129", kEncodeH264, [&](V v) { begin(v, kFeedback, true, false); }},
          {"vkCmdBeginQueryIndexedEXT-queryType-07129", kEncodeH264,
           [&](V v) { begin(v, kFeedback, true, false, true); }},
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
          {"", kEncodeH264, [&](V v) { count(v, kFeedback, 1); }},
      });
}

TEST_F(ScopeTest, InlineQueries) {
  constexpr auto kInline = VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR;
  // Of a pool with two queries.
  const auto use = [&](V v, VkQueryType type = kStatus, bool has_profile = true) -> VkVideoInlineQueryInfoKHR& {
    if (!has_profile) v.profile.lumaBitDepth = 4;
    const VkQueryPool pool = MakePool(type, &v.profile, 2);
    v.profile.lumaBitDepth = 1;
    v.session.flags = kInline;
    auto& info =
        v.is_decoder ? v.Chain<VkVideoInlineQueryInfoKHR>(v.decode) : v.Chain<VkVideoInlineQueryInfoKHR>(v.encode);
    info.queryPool = pool, info.queryCount = 1;
    return info;
  };
  Run("VkVideoInlineQueryInfoKHR",
      {{"", kDecodeH264, [&](V v) { use(v); }},
       {"", kEncodeH264, [&](V v) { use(v); }},
       {"queryPool-08372", kDecodeH264, [&](V v) { use(v).firstQuery = 2; }},
       {"queryPool-08373", kEncodeH264, [&](V v) { use(v).queryCount = 3, v.session.flags = 0; }}});
  const auto run = [&](const char* owner, VkVideoCodecOperationFlagBitsKHR operation, const char* count,
                       const char* type, const char* profile, const char* support) {
    Run(owner, {{count, operation, [&](V v) { use(v).queryCount = 2; }},
                {type, operation, [&](V v) { use(v, VK_QUERY_TYPE_OCCLUSION); }},
                {profile, operation, [&](V v) { use(v, kStatus, false); }},
                {support, operation, [&](V v) { use(v), v.family = kOtherFamily; }}});
  };
  run("vkCmdDecodeVideoKHR", kDecodeH264, "pNext-08365", "queryType-08367", "queryPool-08368", "queryType-08369");
  run("vkCmdEncodeVideoKHR", kEncodeH264, "pNext-08360", "queryType-08362", "queryPool-08363", "queryType-08364");
}

TEST_F(ScopeTest, InlineQueriesThatNothingResets) {
  for (const auto operation : {kDecodeH264, kEncodeH264}) {
    Video video;
    Make(operation, video);
    video.session.flags = VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR;
    auto& query = video.is_decoder ? video.Chain<VkVideoInlineQueryInfoKHR>(video.decode)
                                   : video.Chain<VkVideoInlineQueryInfoKHR>(video.encode);
    query.queryPool = MakePool(kStatus, &video.profile, 1, false);
    query.queryCount = 1;
    Run(video);
    ExpectNothing();
    Submit(Queue(), {commands_});
    ExpectMessage(video.is_decoder ? "VUID-vkCmdDecodeVideoKHR-pNext-08366" : "VUID-vkCmdEncodeVideoKHR-pNext-08361");
  }
}

}  // namespace
}  // namespace assay::core
