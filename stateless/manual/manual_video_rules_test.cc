// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "gtest/gtest.h"
#include "stateless/manual/manual_rules_test.h"
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
  constexpr auto kSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR;
  constexpr auto kDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR;
  return {VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR, chain, operation, kSubsampling, kDepth, kDepth};
}

TEST(NegativeManualVideoRules, QueryPools) {
  static const Profile decodes = ProfileOf(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
                                           Link<VkVideoDecodeH264ProfileInfoKHR>()),
                       encodes = ProfileOf(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
                                           Link<VkVideoEncodeH264ProfileInfoKHR>());
  TryAll<VkQueryPoolCreateInfo>(
      {.pNext = &encodes, .queryType = VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR, .queryCount = 1},
      {{"queryType-07133", [](auto& i) { i.pNext = &decodes; }},
       {"queryType-07133", [](auto& i) { i.pNext = nullptr; }}});
}

// The first two elements of an array are different, the last two are not.
template <class Info>
void TryParameterSets(const std::string& sps, const std::string& pps, const std::string& vps = {}) {
  if constexpr (requires(Info i) { i.stdVPSCount; }) {
    static const StdVideoH265VideoParameterSet v[] = {{}, {.vps_video_parameter_set_id = 1}, v[1]};
    static const StdVideoH265SequenceParameterSet s[] = {{}, {.sps_video_parameter_set_id = 1}, s[1]};
    static const StdVideoH265PictureParameterSet p[] = {{}, {.sps_video_parameter_set_id = 1}, p[1]};
    const Info info = {
        .stdVPSCount = 2, .pStdVPSs = v, .stdSPSCount = 2, .pStdSPSs = s, .stdPPSCount = 2, .pStdPPSs = p};
    TryAll<Info>(info, {{vps, [](Info& i) { i.stdVPSCount = 3; }, {}},
                        {sps, [](Info& i) { i.stdSPSCount = 3; }, {}},
                        {pps, [](Info& i) { i.stdPPSCount = 3; }, {}}});
  } else {
    static const StdVideoH264SequenceParameterSet s[] = {{}, {.seq_parameter_set_id = 1}, s[1]};
    static const StdVideoH264PictureParameterSet p[] = {{}, {.seq_parameter_set_id = 1}, p[1]};
    const Info info = {.stdSPSCount = 2, .pStdSPSs = s, .stdPPSCount = 2, .pStdPPSs = p};
    TryAll<Info>(info, {{sps, [](Info& i) { i.stdSPSCount = 3; }, {}}, {pps, [](Info& i) { i.stdPPSCount = 3; }, {}}});
  }
}

TEST(NegativeManualVideoRules, ParameterSets) {
  TryParameterSets<VkVideoDecodeH264SessionParametersAddInfoKHR>("None-04825", "None-04826");
  TryParameterSets<VkVideoDecodeH265SessionParametersAddInfoKHR>("None-04834", "None-04835", "None-04833");
  TryParameterSets<VkVideoEncodeH264SessionParametersAddInfoKHR>("None-04837", "None-04838");
  TryParameterSets<VkVideoEncodeH265SessionParametersAddInfoKHR>("None-06439", "None-06440", "None-06438");
  static const StdVideoAV1SequenceHeader plain = {}, grainy = {.flags = {.film_grain_params_present = 1}};
  TryAll<VkVideoEncodeAV1SessionParametersCreateInfoKHR>(
      {.pStdSequenceHeader = &plain}, {{"pStdSequenceHeader-10288", [](auto& i) { i.pStdSequenceHeader = &grainy; }}});
  TryAll<VkVideoEncodeH264SessionParametersGetInfoKHR>(
      {.writeStdSPS = VK_TRUE}, {{"writeStdSPS-08279", [](auto& i) { i.writeStdSPS = VK_FALSE; }}});
  TryAll<VkVideoEncodeH265SessionParametersGetInfoKHR>(
      {.writeStdVPS = VK_TRUE}, {{"writeStdVPS-08290", [](auto& i) { i.writeStdVPS = VK_FALSE; }}});
}

TEST(NegativeManualVideoRules, Encoding) {
  TryAll<VkVideoEncodeH264RateControlLayerInfoKHR>(
      {.useMinQp = VK_TRUE, .minQp = {1, 2, 3}, .useMaxQp = VK_TRUE, .maxQp = {1, 2, 3}},
      {{"useMinQp-08374", [](auto& l) { l.minQp.qpB = 4; }}});
  TryAll<VkVideoEncodeH265RateControlLayerInfoKHR>(
      {.useMinQp = VK_TRUE, .minQp = {1, 2, 3}, .useMaxQp = VK_TRUE, .maxQp = {1, 2, 3}},
      {{"useMinQp-08375", [](auto& l) { l.minQp.qpI = 2; }}});
  TryAll<VkVideoEncodeAV1RateControlLayerInfoKHR>(
      {.useMinQIndex = VK_TRUE, .minQIndex = {1, 2, 3}, .useMaxQIndex = VK_TRUE, .maxQIndex = {1, 2, 3}},
      {{"useMinQIndex-10304", [](auto& l) { l.minQIndex.predictiveQIndex = 3; }}});
  using Picture = VkVideoEncodeAV1PictureInfoKHR;
  static const StdVideoEncodeAV1ExtensionHeader header = {};
  static const StdVideoEncodeAV1PictureInfo picture = {.primary_ref_frame = 0, .pExtensionHeader = &header},
                                            alone = {.primary_ref_frame = 7, .pExtensionHeader = &header},
                                            plain = {.primary_ref_frame = 0};
  TryAll<Picture>(
      {.pStdPictureInfo = &picture, .primaryReferenceCdfOnly = VK_TRUE, .generateObuExtensionHeader = VK_TRUE},
      {{"primaryReferenceCdfOnly-10290", [](Picture& p) { p.pStdPictureInfo = &alone; }},
       {"pStdPictureInfo-10291", [](Picture& p) { p.referenceNameSlotIndices[0] = -1; }},
       {"generateObuExtensionHeader-10293", [](Picture& p) { p.pStdPictureInfo = &plain; }}});
}

}  // namespace
}  // namespace assay::stateless
