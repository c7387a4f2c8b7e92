// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_VIDEO_VIDEO_TEST_H_
#define ASSAY_CORE_VIDEO_VIDEO_TEST_H_

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/chain.h"
#include "vk/commands.h"

// Test-only: a video session of each codec operation, its parameters, and one command that codes. A case changes it.
namespace assay::core {

inline constexpr auto kDecodeH264 = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR;
inline constexpr auto kDecodeH265 = VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR;
inline constexpr auto kDecodeAv1 = VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR;
inline constexpr auto kEncodeH264 = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR;
inline constexpr auto kEncodeH265 = VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR;
inline constexpr auto kEncodeAv1 = VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR;
inline constexpr VkVideoCodecOperationFlagBitsKHR kDecoders[] = {kDecodeH264, kDecodeH265, kDecodeAv1},
                                                  kEncoders[] = {kEncodeH264, kEncodeH265, kEncodeAv1};
// Of sessions.
inline constexpr auto kDeltaMaps = VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
inline constexpr auto kEmphasisMaps = VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_EMPHASIS_MAP_BIT_KHR;
inline constexpr auto kInlineParameters = VK_VIDEO_SESSION_CREATE_INLINE_SESSION_PARAMETERS_BIT_KHR;
inline constexpr auto kInlineQueries = VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR;
inline constexpr auto kProtectedSession = VK_VIDEO_SESSION_CREATE_PROTECTED_CONTENT_BIT_KHR;
inline constexpr VkFormat kPictureFormat = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr uint32_t kOtherFamily = 2;

// Everything of one recording, and correct. Members point to each other.
struct Video : test::Links {
  // What the driver answers, and parameter sets 1 and 2.
  Video();
  Video(const Video&) = delete;
  Video& operator=(const Video&) = delete;

  // That structure of the chain.
  template <class T, class Info>
  static T& In(Info& info) {
    return *const_cast<T*>(vk::FindInChain<T>(info.pNext));
  }
  // What the driver answers.
  template <class T>
  T& Can() {
    return std::get<T>(can);
  }
  // What the command decodes to, or encodes.
  VkVideoPictureResourceInfoKHR& Coded() { return is_decoder ? decode.dstPictureResource : encode.srcPictureResource; }
  // The structure of the command that codes.
  template <class T>
  T& Picture() {
    return is_decoder ? In<T>(decode) : In<T>(encode);
  }

  bool is_decoder = true;
  std::tuple<VkVideoCapabilitiesKHR, VkVideoDecodeCapabilitiesKHR, VkVideoEncodeCapabilitiesKHR,
             VkVideoDecodeH264CapabilitiesKHR, VkVideoEncodeH264CapabilitiesKHR, VkVideoEncodeH265CapabilitiesKHR,
             VkVideoEncodeAV1CapabilitiesKHR, VkQueueFamilyVideoPropertiesKHR,
             VkQueueFamilyQueryResultStatusPropertiesKHR>
      can{};

  VkVideoProfileInfoKHR profile{.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
                                .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
                                .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
                                .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
  VkVideoProfileListInfoKHR profiles{VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR, nullptr, 1, &profile};
  VkExtensionProperties header{"codec", 1};
  VkVideoSessionCreateInfoKHR session{.sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
                                      .pVideoProfile = &profile,
                                      .pictureFormat = kPictureFormat,
                                      .maxCodedExtent = {64, 64},
                                      .referencePictureFormat = kPictureFormat,
                                      .maxDpbSlots = 3,
                                      .maxActiveReferencePictures = 2,
                                      .pStdHeaderVersion = &header};
  // Of memory of the session, and of parameters, whether there are some.
  uint32_t bound = 2;
  bool has_parameters = true;
  VkVideoSessionParametersCreateInfoKHR parameters{VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_CREATE_INFO_KHR};
  // If it has a chain, there is an update.
  VkVideoSessionParametersUpdateInfoKHR update{VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_UPDATE_INFO_KHR, nullptr, 1};
  uint32_t family = 0;
  VkCommandPoolCreateFlags pool_flags = 0;
  VkVideoPictureResourceInfoKHR pictures[2]{};
  // The second is what the command sets up.
  VkVideoReferenceSlotInfoKHR slots[3]{};
  VkVideoBeginCodingInfoKHR begin{
      .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR, .referenceSlotCount = 2, .pReferenceSlots = slots};
  // If it has flags, the scope is controlled.
  VkVideoCodingControlInfoKHR control{VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR};
  VkVideoReferenceSlotInfoKHR setup{};
  VkVideoReferenceSlotInfoKHR references[3]{};
  VkVideoDecodeInfoKHR decode{.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR, .srcBufferRange = 64};
  VkVideoEncodeInfoKHR encode{.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR, .dstBufferRange = 64};
  uint32_t codings = 1;
  // Called before the scope begins, inside of it, and before it ends.
  std::function<void(VkCommandBuffer)> before, inside, at_end;

  uint32_t offsets[2]{};
  uint32_t sizes[2]{16, 16};
  StdVideoH264SequenceParameterSet h264_sps[3]{};
  StdVideoH264PictureParameterSet h264_pps[3]{};
  StdVideoH265VideoParameterSet h265_vps[3]{};
  StdVideoH265SequenceParameterSet h265_sps[3]{};
  StdVideoH265PictureParameterSet h265_pps[3]{};
  StdVideoAV1SequenceHeader av1_header{};
  StdVideoDecodeH264PictureInfo decode_h264{};
  StdVideoDecodeH264ReferenceInfo decode_h264_references[2]{};
  StdVideoDecodeH265PictureInfo decode_h265{};
  StdVideoDecodeH265ReferenceInfo decode_h265_reference{};
  StdVideoDecodeAV1PictureInfo decode_av1{};
  StdVideoDecodeAV1ReferenceInfo decode_av1_reference{};
  StdVideoEncodeH264PictureInfo encode_h264{};
  StdVideoEncodeH264ReferenceListsInfo h264_lists{};
  StdVideoEncodeH264ReferenceInfo encode_h264_reference{};
  StdVideoEncodeH264SliceHeader h264_slices[2]{};
  VkVideoEncodeH264NaluSliceInfoKHR h264_entries[20]{};
  StdVideoEncodeH265PictureInfo encode_h265{};
  StdVideoEncodeH265ReferenceListsInfo h265_lists{};
  StdVideoEncodeH265ReferenceInfo encode_h265_reference{};
  StdVideoEncodeH265SliceSegmentHeader h265_slices[2]{};
  VkVideoEncodeH265NaluSliceSegmentInfoKHR h265_entries[20]{};
  StdVideoEncodeAV1PictureInfo encode_av1{};
  StdVideoEncodeAV1ReferenceInfo encode_av1_references[2]{};
  StdVideoEncodeAV1ExtensionHeader av1_extensions[2]{};
  StdVideoAV1TileInfo av1_tiles{};
  StdVideoAV1Segmentation av1_segmentation{};
  VkVideoEncodeRateControlLayerInfoKHR layers[3]{};
};

using V = Video&;

// A constant rate, of one layer.
VkVideoEncodeRateControlInfoKHR& SetRateControl(Video& video, auto& info) {
  auto& rate = video.Chain<VkVideoEncodeRateControlInfoKHR>(info);
  rate.rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR;
  rate.layerCount = 1, rate.pLayers = video.layers, rate.virtualBufferSizeInMs = 1;
  for (auto& layer : video.layers) layer = test::Of<VkVideoEncodeRateControlLayerInfoKHR>(1u, 1u, 1u, 1u);
  return rate;
}

inline void SetQuality(Video& video, uint32_t level) {
  video.control.flags = VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR;
  video.Chain<VkVideoEncodeQualityLevelInfoKHR>(video.control, {.qualityLevel = level});
}

// Texels of quantization maps, for parameters of a session.
inline void ChainTexel(Video& video, VkVideoSessionParametersCreateInfoKHR& info, uint32_t size) {
  using Maps = VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR;
  video.Chain<Maps>(info, {.quantizationMapTexelSize = {size, size}});
}

// A change of what is right. The rules that it breaks are joined by spaces; it breaks none if that is empty.
// The codec cannot do what the flags of `without` say.
struct VideoCase {
  std::string_view rules;
  VkVideoCodecOperationFlagBitsKHR operation;
  std::function<void(Video&)> change;
  VkFlags without = 0;
};

// The same of an operation that is named elsewhere.
struct VideoChange {
  std::string_view rules;
  std::function<void(Video&)> change = [](Video&) {};
  VkFlags without = 0;
};

// A codec's operation and the owner of its rules.
struct VideoOperation {
  std::string_view owner;
  VkVideoCodecOperationFlagBitsKHR codec;
};
inline constexpr VideoOperation kDecodeAndEncode[] = {{"vkCmdDecodeVideoKHR", kDecodeH264},
                                                      {"vkCmdEncodeVideoKHR", kEncodeH264}};

// A change that breaks rules of each of two operations.
struct VideoPair {
  std::string_view rules[2];
  std::function<void(Video&)> change = [](Video&) {};
  VkFlags without = 0;
};

class VideoTest : public test::ValidationTest {
 protected:
  void SetUp() override { Start(); }
  void Start(const std::set<std::string>& without = {});
  void Make(VkVideoCodecOperationFlagBitsKHR operation, Video& video);
  // Again, after a change of the profile.
  void MakeResources(Video& video);
  // Makes and records all of it, until a call is skipped.
  void Run(Video& video);
  // Each case, between correct runs. A rule without an owner is `owner`'s.
  void Run(std::string_view owner, const std::vector<VideoCase>& cases) {
    for (const VideoCase& row : cases) {
      SCOPED_TRACE(row.rules);
      Video video;
      Make(row.operation, video);
      row.change(video);
      video.Can<VkVideoEncodeH264CapabilitiesKHR>().flags &= ~row.without;
      video.Can<VkVideoEncodeH265CapabilitiesKHR>().flags &= ~row.without;
      video.Can<VkVideoEncodeAV1CapabilitiesKHR>().flags &= ~row.without;
      SkipCalls skip(*this);
      Run(video);
      std::vector<std::string> ids;
      for (const std::string_view rule : absl::StrSplit(row.rules, ' ', absl::SkipEmpty())) {
        const bool has_owner = rule.starts_with("Vk") || rule.starts_with("vk");
        ids.push_back(has_owner ? absl::StrCat("VUID-", rule) : absl::StrCat("VUID-", owner, "-", rule));
      }
      ExpectMessages(ids);
    }
  }
  void Run(std::string_view owner, VkVideoCodecOperationFlagBitsKHR operation, const std::vector<VideoChange>& rows) {
    for (const VideoChange& row : rows) Run(owner, {{row.rules, operation, row.change, row.without}});
  }
  void RunBoth(const VideoOperation (&operations)[2], const std::vector<VideoPair>& rows) {
    for (const VideoPair& row : rows) {
      for (const size_t i : {0, 1})
        Run(operations[i].owner, operations[i].codec, {{row.rules[i], row.change, row.without}});
    }
  }
  // A rule of each codec, of kDecoders or kEncoders, that the same change breaks.
  void Run(std::string_view owner, const VkVideoCodecOperationFlagBitsKHR (&operations)[3],
           const std::string_view (&rules)[3], const std::function<void(Video&)>& change) {
    for (size_t i = 0; i < 3; ++i) {
      SCOPED_TRACE(operations[i]);
      Run(owner, {{rules[i], operations[i], change}});
    }
  }

  // What the driver says of every profile, from Start() on.
  VkResult support_ = VK_SUCCESS;
  // What Run() has recorded last.
  VkCommandBuffer commands_ = VK_NULL_HANDLE;

  // A change that is made with another profile than the session's.
  static std::function<void(Video&)> OfOtherProfile(const std::function<void(Video&)>& change) {
    return [=](Video& video) { video.profile.lumaBitDepth = 4, change(video), video.profile.lumaBitDepth = 1; };
  }
  VkImageView MakePicture(const Video& video, VkImageUsageFlags usage, VkFormat format = kPictureFormat,
                          VkImageCreateFlags flags = 0, uint32_t layers = 1);
  static VkImageUsageFlags CodedUsage(const Video& video) {
    return video.is_decoder ? VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR : VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
  }
  static VkImageUsageFlags ReferenceUsage(const Video& video) {
    return video.is_decoder ? VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR : VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR;
  }
  void SetCoded(Video& video, VkImageUsageFlags usage, VkFormat format = kPictureFormat, VkImageCreateFlags flags = 0) {
    video.Coded().imageViewBinding = MakePicture(video, usage, format, flags);
  }
  // Two layers of one image, that are to be references.
  void SetReferences(Video& video, VkImageUsageFlags usage, VkFormat format = kPictureFormat,
                     VkImageCreateFlags flags = 0) {
    video.pictures[0].imageViewBinding = video.pictures[1].imageViewBinding =
        MakePicture(video, usage, format, flags, 2);
  }
  void SetInterlaced(Video& video, VkVideoDecodeH264PictureLayoutFlagBitsKHR layout) {
    Video::In<VkVideoDecodeH264ProfileInfoKHR>(video.profile).pictureLayout = layout;
    MakeResources(video);
  }
  // A picture of the session that is not bound.
  VkVideoPictureResourceInfoKHR* Unbound(const Video& video) {
    other_ = video.pictures[0];
    other_.imageViewBinding = MakePicture(video, ReferenceUsage(video));
    return &other_;
  }
  // The second has that slot.
  static void SetTwoReferences(Video& video, int32_t second) {
    video.slots[1].slotIndex = video.references[1].slotIndex = second;
    video.references[1].pPictureResource = &video.pictures[1];
    video.decode.referenceSlotCount = video.encode.referenceSlotCount = 2;
    video.h264_lists.RefPicList1[0] = static_cast<uint8_t>(second);
  }
  // All but the pictures that are decoded and encoded.
  void SetProtected(Video& video);
  void SetBitstream(Video& video, VkBufferCreateFlags flags = 0);
  VkQueryPool MakePool(VkQueryType type, const void* profile, uint32_t count = 1, bool is_reset = true) {
    const VkQueryPool pool = MakeFrom(VkQueryPoolCreateInfo{.pNext = profile, .queryType = type, .queryCount = count},
                                      vk.CreateQueryPool, vk.DestroyQueryPool);
    if (is_reset) vk.ResetQueryPool(device, pool, 0, count);
    return pool;
  }
  VkVideoSessionKHR MakeSession(const Video& video) {
    VkVideoSessionKHR session = VK_NULL_HANDLE;
    vk.CreateVideoSessionKHR(device, &video.session, nullptr, &session);
    if (session != VK_NULL_HANDLE) Defer(session, [=, this] { vk.DestroyVideoSessionKHR(device, session, nullptr); });
    return session;
  }
  VkVideoSessionParametersKHR MakeParameters(const VkVideoSessionParametersCreateInfoKHR& info);

  // What Unbound() has returned.
  VkVideoPictureResourceInfoKHR other_{};

 private:
  void Answer(vk::CommandId id, const void* parameters);
  bool HasReached(vk::CommandId id) { return reached_.erase(id) != 0; }

  test::ExtensionFeatures features_;
  Video* current_ = nullptr;
  std::set<vk::CommandId> reached_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_VIDEO_VIDEO_TEST_H_
