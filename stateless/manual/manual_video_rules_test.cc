// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "stateless/manual/manual_rules_test.h"
#include "vk/commands.h"
#include "vk/struct_traits.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

using Profile = VkVideoProfileInfoKHR;

// A structure with nothing but its type and a chain.
template <class T>
const T* Link(const void* next = nullptr) {
  static T link = {};
  link.sType = vk::kStructureTypeOf<T>;
  link.pNext = const_cast<void*>(next);
  return &link;
}
Profile ProfileOf(VkVideoCodecOperationFlagBitsKHR operation, const void* chain) {
  return {VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
          chain,
          operation,
          VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
          VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
          VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
}

TEST(NegativeManualVideoRules, QueryPools) {
  static const Profile decodes = ProfileOf(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
                                           Link<VkVideoDecodeH264ProfileInfoKHR>()),
                       encodes = ProfileOf(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
                                           Link<VkVideoEncodeH264ProfileInfoKHR>());
  TryAll<VkQueryPoolCreateInfo>(
      "VkQueryPoolCreateInfo",
      {.pNext = &encodes, .queryType = VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR, .queryCount = 1},
      {{"VUID-VkQueryPoolCreateInfo-queryType-07133", [](auto& i) { i.pNext = &decodes; }},
       {"VUID-VkQueryPoolCreateInfo-queryType-07133", [](auto& i) { i.pNext = nullptr; }}});
}

// The first two elements of an array are different, the last two are not.
template <class Info>
void TryParameterSets(std::string_view owner, const std::string& sps, const std::string& pps, const std::string& vps) {
  const std::string rule = "VUID-" + std::string(owner) + "-None-";
  if constexpr (requires(Info i) { i.stdVPSCount; }) {
    static const StdVideoH265VideoParameterSet v[] = {{}, {.vps_video_parameter_set_id = 1}, v[1]};
    static const StdVideoH265SequenceParameterSet s[] = {{}, {.sps_video_parameter_set_id = 1}, s[1]};
    static const StdVideoH265PictureParameterSet p[] = {{}, {.sps_video_parameter_set_id = 1}, p[1]};
    const Info info = {
        .stdVPSCount = 2, .pStdVPSs = v, .stdSPSCount = 2, .pStdSPSs = s, .stdPPSCount = 2, .pStdPPSs = p};
    TryAll<Info>(owner, info,
                 {{rule + vps, [](Info& i) { i.stdVPSCount = 3; }, {}},
                  {rule + sps, [](Info& i) { i.stdSPSCount = 3; }, {}},
                  {rule + pps, [](Info& i) { i.stdPPSCount = 3; }, {}}});
  } else {
    static const StdVideoH264SequenceParameterSet s[] = {{}, {.seq_parameter_set_id = 1}, s[1]};
    static const StdVideoH264PictureParameterSet p[] = {{}, {.seq_parameter_set_id = 1}, p[1]};
    const Info info = {.stdSPSCount = 2, .pStdSPSs = s, .stdPPSCount = 2, .pStdPPSs = p};
    TryAll<Info>(
        owner, info,
        {{rule + sps, [](Info& i) { i.stdSPSCount = 3; }, {}}, {rule + pps, [](Info& i) { i.stdPPSCount = 3; }, {}}});
  }
}

TEST(NegativeManualVideoRules, ParameterSets) {
  TryParameterSets<VkVideoDecodeH264SessionParametersAddInfoKHR>("VkVideoDecodeH264SessionParametersAddInfoKHR",
                                                                 "04825", "04826", "");
  TryParameterSets<VkVideoDecodeH265SessionParametersAddInfoKHR>("VkVideoDecodeH265SessionParametersAddInfoKHR",
                                                                 "04834", "04835", "04833");
  TryParameterSets<VkVideoEncodeH264SessionParametersAddInfoKHR>("VkVideoEncodeH264SessionParametersAddInfoKHR",
                                                                 "04837", "04838", "");
  TryParameterSets<VkVideoEncodeH265SessionParametersAddInfoKHR>("VkVideoEncodeH265SessionParametersAddInfoKHR",
                                                                 "06439", "06440", "06438");
  static const StdVideoAV1SequenceHeader plain = {}, grainy = {.flags = {.film_grain_params_present = 1}};
  TryAll<VkVideoEncodeAV1SessionParametersCreateInfoKHR>(
      "VkVideoEncodeAV1SessionParametersCreateInfoKHR", {.pStdSequenceHeader = &plain},
      {{"VUID-VkVideoEncodeAV1SessionParametersCreateInfoKHR-pStdSequenceHeader-10288",
        [](auto& i) { i.pStdSequenceHeader = &grainy; }}});
  TryAll<VkVideoEncodeH264SessionParametersGetInfoKHR>(
      "VkVideoEncodeH264SessionParametersGetInfoKHR", {.writeStdSPS = VK_TRUE},
      {{"VUID-VkVideoEncodeH264SessionParametersGetInfoKHR-writeStdSPS-08279",
        [](auto& i) { i.writeStdSPS = VK_FALSE; }}});
  TryAll<VkVideoEncodeH265SessionParametersGetInfoKHR>(
      "VkVideoEncodeH265SessionParametersGetInfoKHR", {.writeStdVPS = VK_TRUE},
      {{"VUID-VkVideoEncodeH265SessionParametersGetInfoKHR-writeStdVPS-08290",
        [](auto& i) { i.writeStdVPS = VK_FALSE; }}});
}

TEST(NegativeManualVideoRules, Encoding) {
  TryAll<VkVideoEncodeH264RateControlLayerInfoKHR>(
      "VkVideoEncodeH264RateControlLayerInfoKHR",
      {.useMinQp = VK_TRUE, .minQp = {1, 2, 3}, .useMaxQp = VK_TRUE, .maxQp = {1, 2, 3}},
      {{"VUID-VkVideoEncodeH264RateControlLayerInfoKHR-useMinQp-08374", [](auto& l) { l.minQp.qpB = 4; }}});
  TryAll<VkVideoEncodeH265RateControlLayerInfoKHR>(
      "VkVideoEncodeH265RateControlLayerInfoKHR",
      {.useMinQp = VK_TRUE, .minQp = {1, 2, 3}, .useMaxQp = VK_TRUE, .maxQp = {1, 2, 3}},
      {{"VUID-VkVideoEncodeH265RateControlLayerInfoKHR-useMinQp-08375", [](auto& l) { l.minQp.qpI = 2; }}});
  TryAll<VkVideoEncodeAV1RateControlLayerInfoKHR>(
      "VkVideoEncodeAV1RateControlLayerInfoKHR",
      {.useMinQIndex = VK_TRUE, .minQIndex = {1, 2, 3}, .useMaxQIndex = VK_TRUE, .maxQIndex = {1, 2, 3}},
      {{"VUID-VkVideoEncodeAV1RateControlLayerInfoKHR-useMinQIndex-10304",
        [](auto& l) { l.minQIndex.predictiveQIndex = 3; }}});
  using Picture = VkVideoEncodeAV1PictureInfoKHR;
  static const StdVideoEncodeAV1ExtensionHeader header = {};
  static const StdVideoEncodeAV1PictureInfo picture = {.primary_ref_frame = 0, .pExtensionHeader = &header},
                                            alone = {.primary_ref_frame = 7, .pExtensionHeader = &header},
                                            plain = {.primary_ref_frame = 0};
  TryAll<Picture>(
      "VkVideoEncodeAV1PictureInfoKHR",
      {.pStdPictureInfo = &picture, .primaryReferenceCdfOnly = VK_TRUE, .generateObuExtensionHeader = VK_TRUE},
      {{"VUID-VkVideoEncodeAV1PictureInfoKHR-primaryReferenceCdfOnly-10290",
        [](Picture& p) { p.pStdPictureInfo = &alone; }},
       {"VUID-VkVideoEncodeAV1PictureInfoKHR-pStdPictureInfo-10291",
        [](Picture& p) { p.referenceNameSlotIndices[0] = -1; }},
       {"VUID-VkVideoEncodeAV1PictureInfoKHR-generateObuExtensionHeader-10293",
        [](Picture& p) { p.pStdPictureInfo = &plain; }}});
}

}  // namespace
}  // namespace assay::stateless
