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
// Of each codec operation, in the order of the ids below.
const std::vector<Profile>& Profiles() {
  static const std::vector<Profile> profiles = {
      ProfileOf(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, Link<VkVideoDecodeH264ProfileInfoKHR>()),
      ProfileOf(VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR, Link<VkVideoDecodeH265ProfileInfoKHR>()),
      ProfileOf(VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR, Link<VkVideoDecodeAV1ProfileInfoKHR>()),
      ProfileOf(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, Link<VkVideoEncodeH264ProfileInfoKHR>()),
      ProfileOf(VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, Link<VkVideoEncodeH265ProfileInfoKHR>()),
      ProfileOf(VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, Link<VkVideoEncodeAV1ProfileInfoKHR>())};
  return profiles;
}

TEST(NegativeManualVideoRules, Profiles) {
  constexpr const char* kOperations[] = {"07179", "07180", "09256", "07181", "07182", "10262"};
  constexpr VkFlags kTwo = 3;
  for (size_t i = 0; i < 6; ++i) {
    const std::string id = std::string("VUID-VkVideoProfileInfoKHR-videoCodecOperation-") + kOperations[i];
    TryAll<Profile>("VkVideoProfileInfoKHR", Profiles()[i], {{id, [](Profile& p) { p.pNext = nullptr; }, {}}});
  }
  TryAll<Profile>(
      "VkVideoProfileInfoKHR", Profiles()[0],
      {{"VUID-VkVideoProfileInfoKHR-chromaSubsampling-07013", [](Profile& p) { p.chromaSubsampling = kTwo; }},
       {"VUID-VkVideoProfileInfoKHR-lumaBitDepth-07014", [](Profile& p) { p.lumaBitDepth = 5; }},
       {"VUID-VkVideoProfileInfoKHR-chromaSubsampling-07015", [](Profile& p) { p.chromaBitDepth = 5; }},
       {"VUID-VkVideoProfileInfoKHR-chromaSubsampling-07015", [](Profile& p) { p.chromaBitDepth = 0; }}});
  TryAll<VkVideoProfileListInfoKHR>(
      "VkVideoProfileListInfoKHR", {.profileCount = 4, .pProfiles = &Profiles()[2]},
      {{"VUID-VkVideoProfileListInfoKHR-pProfiles-06813", [](auto& l) { l.pProfiles = &Profiles()[1]; }}});
}

TEST(NegativeManualVideoRules, Capabilities) {
  using Call = vk::GetPhysicalDeviceVideoCapabilitiesKHR;
  constexpr const char* kIds[] = {"07184", "07185", "09257", "07187", "07188", "10263"};
  const void* const decode = Link<VkVideoDecodeCapabilitiesKHR>();
  const void* const encode = Link<VkVideoEncodeCapabilitiesKHR>();
  const void* const chains[] = {
      Link<VkVideoDecodeH264CapabilitiesKHR>(decode), Link<VkVideoDecodeH265CapabilitiesKHR>(decode),
      Link<VkVideoDecodeAV1CapabilitiesKHR>(decode),  Link<VkVideoEncodeH264CapabilitiesKHR>(encode),
      Link<VkVideoEncodeH265CapabilitiesKHR>(encode), Link<VkVideoEncodeAV1CapabilitiesKHR>(encode)};
  static VkVideoCapabilitiesKHR capabilities[3];
  const std::string owner = "vkGetPhysicalDeviceVideoCapabilitiesKHR", rule = "VUID-" + owner + "-pVideoProfile-";
  for (size_t i = 0; i < 6; ++i) {
    static constexpr VkStructureType kType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR;
    capabilities[0] = {.sType = kType, .pNext = const_cast<void*>(chains[i])};
    capabilities[1] = {.sType = kType, .pNext = const_cast<void*>(i < 3 ? decode : encode)};
    Call correct{};
    correct.pVideoProfile = &Profiles()[i];
    correct.pCapabilities = &capabilities[0];
    TryAll<Call>(owner, correct, {{rule + kIds[i], [](Call& c) { c.pCapabilities = &capabilities[1]; }, {}}});
  }
  for (const size_t i : {2, 5}) {
    capabilities[0].pNext = const_cast<void*>(chains[i]);
    capabilities[2] = {
        .sType = capabilities[0].sType,
        .pNext = const_cast<void*>(i == 2 ? static_cast<const void*>(Link<VkVideoDecodeAV1CapabilitiesKHR>())
                                          : static_cast<const void*>(Link<VkVideoEncodeAV1CapabilitiesKHR>()))};
    Call wrong{};
    wrong.pVideoProfile = &Profiles()[i];
    wrong.pCapabilities = &capabilities[2];
    TryChanged<Call>(owner, wrong, rule + (i == 2 ? "07183" : "07186"), {});
  }
}

TEST(NegativeManualVideoRules, OtherQueries) {
  using Formats = vk::GetPhysicalDeviceVideoFormatPropertiesKHR;
  static const VkVideoProfileListInfoKHR list = {VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR, nullptr, 1,
                                                 Profiles().data()};
  static const VkPhysicalDeviceVideoFormatInfoKHR info = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
                                                          &list, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR},
                                                  none = {info.sType, nullptr, info.imageUsage};
  static uint32_t count = 0;
  Formats formats{};
  formats.pVideoFormatInfo = &info;
  formats.pVideoFormatPropertyCount = &count;
  TryAll<Formats>("vkGetPhysicalDeviceVideoFormatPropertiesKHR", formats,
                  {{"VUID-vkGetPhysicalDeviceVideoFormatPropertiesKHR-pNext-06812",
                    [](Formats& f) { f.pVideoFormatInfo = &none; }}});

  using Quality = vk::GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR;
  using QualityInfo = VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR;
  const std::string owner = "vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR";
  constexpr const char* kIds[] = {"08257", "08258", "10305"};
  const void* const chains[] = {Link<VkVideoEncodeH264QualityLevelPropertiesKHR>(),
                                Link<VkVideoEncodeH265QualityLevelPropertiesKHR>(),
                                Link<VkVideoEncodeAV1QualityLevelPropertiesKHR>()};
  static VkVideoEncodeQualityLevelPropertiesKHR of_codec, plain;
  of_codec.sType = plain.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_PROPERTIES_KHR;
  static QualityInfo of_profile = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR, nullptr,
                                   nullptr, 0};
  for (size_t i = 0; i < 3; ++i) {
    of_profile.pVideoProfile = &Profiles()[3 + i];
    of_codec.pNext = const_cast<void*>(chains[i]);
    Quality correct{};
    correct.pQualityLevelInfo = &of_profile;
    correct.pQualityLevelProperties = &of_codec;
    TryAll<Quality>(owner, correct,
                    {{"VUID-" + owner + "-pQualityLevelInfo-" + kIds[i],
                      [](Quality& q) { q.pQualityLevelProperties = &plain; },
                      {}}});
  }
  TryAll<QualityInfo>("VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR", of_profile,
                      {{"VUID-VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR-pVideoProfile-08260",
                        [](QualityInfo& q) { q.pVideoProfile = &Profiles()[0]; }}});
  static const Profile decodes = Profiles()[0], encodes = Profiles()[3];
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
