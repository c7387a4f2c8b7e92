// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/video/video_test.h"

#include "core/video/codecs.h"
#include "vk/struct_traits.h"

namespace assay::core {
namespace {

template <class T>
void Fill(VkBaseOutStructure& link, const T& value) {
  if (link.sType != vk::kStructureTypeOf<T>) return;
  VkBaseOutStructure* const next = link.pNext;
  reinterpret_cast<T&>(link) = value;
  link.sType = vk::kStructureTypeOf<T>;
  link.pNext = next;
}

void FillChain(const Video& video, void* chain) {
  for (auto* link = static_cast<VkBaseOutStructure*>(chain); link != nullptr; link = link->pNext)
    std::apply([&](const auto&... value) { (Fill(*link, value), ...); }, video.can);
}

// One parameter set of each kind, and others that an update adds, of which the last is the first again.
template <class Parameters>
void MakeParameterSets(Video& v) {
  auto& own = v.Chain<Parameters>(v.parameters);
  if constexpr (requires { own.pStdSequenceHeader; }) {
    own.pStdSequenceHeader = &v.av1_header;
  } else {
    using Added = std::remove_cvref_t<decltype(*own.pParametersAddInfo)>;
    auto& added = v.Chain<Added>(v.update);
    v.update.pNext = nullptr;
    own.pParametersAddInfo = &added;
    own.maxStdSPSCount = own.maxStdPPSCount = 2;
    added.stdSPSCount = added.stdPPSCount = 1;
    if constexpr (requires { added.stdVPSCount; }) {
      own.maxStdVPSCount = 2;
      added.stdVPSCount = 1;
      added.pStdVPSs = v.h265_vps;
      added.pStdSPSs = v.h265_sps;
      added.pStdPPSs = v.h265_pps;
    } else {
      added.pStdSPSs = v.h264_sps;
      added.pStdPPSs = v.h264_pps;
    }
  }
}

template <class Slot, class Info>
void MakeSlots(Video& v, const Info& of_setup, const Info& of_reference) {
  v.Chain<Slot>(v.setup).pStdReferenceInfo = &of_setup;
  for (auto& reference : v.references) v.Chain<Slot>(reference).pStdReferenceInfo = &of_reference;
}

// Of H.264 and H.265: one reference, in the first list.
template <class Slot, class Info, class Lists, class Reference>
void MakeReferences(Video& v, Info& info, Lists& lists, uint8_t none, const Reference& reference) {
  info.pRefLists = &lists;
  std::ranges::fill(lists.RefPicList0, none);
  std::ranges::fill(lists.RefPicList1, none);
  lists.RefPicList0[0] = 0;
  MakeSlots<Slot>(v, reference, reference);
}

// The second slice has a header of its own.
template <class Entry, size_t N, class Header>
const Entry* MakeEntries(Entry (&entries)[N], const Header (&headers)[2]) {
  for (size_t i = 0; i < N; ++i) entries[i] = {vk::kStructureTypeOf<Entry>, nullptr, 0, &headers[i == 1 ? 1 : 0]};
  return entries;
}

// What a command codes with each codec.
DecodeH264::Picture MakePictureInfo(Video& v, DecodeH264) {
  MakeSlots<DecodeH264::Slot>(v, v.decode_h264_references[0], v.decode_h264_references[1]);
  return {.pStdPictureInfo = &v.decode_h264, .sliceCount = 2, .pSliceOffsets = v.offsets};
}

DecodeH265::Picture MakePictureInfo(Video& v, DecodeH265) {
  MakeSlots<DecodeH265::Slot>(v, v.decode_h265_reference, v.decode_h265_reference);
  return {.pStdPictureInfo = &v.decode_h265, .sliceSegmentCount = 2, .pSliceSegmentOffsets = v.offsets};
}

DecodeAV1::Picture MakePictureInfo(Video& v, DecodeAV1) {
  MakeSlots<DecodeAV1::Slot>(v, v.decode_av1_reference, v.decode_av1_reference);
  return {.pStdPictureInfo = &v.decode_av1, .tileCount = 2, .pTileOffsets = v.offsets, .pTileSizes = v.sizes};
}

EncodeH264::Picture MakePictureInfo(Video& v, EncodeH264) {
  MakeReferences<EncodeH264::Slot>(v, v.encode_h264, v.h264_lists, STD_VIDEO_H264_NO_REFERENCE_PICTURE,
                                   v.encode_h264_reference);
  const auto* const entries = MakeEntries(v.h264_entries, v.h264_slices);
  return {.naluSliceEntryCount = 2, .pNaluSliceEntries = entries, .pStdPictureInfo = &v.encode_h264};
}

EncodeH265::Picture MakePictureInfo(Video& v, EncodeH265) {
  MakeReferences<EncodeH265::Slot>(v, v.encode_h265, v.h265_lists, STD_VIDEO_H265_NO_REFERENCE_PICTURE,
                                   v.encode_h265_reference);
  const auto* const entries = MakeEntries(v.h265_entries, v.h265_slices);
  return {.naluSliceSegmentEntryCount = 2, .pNaluSliceSegmentEntries = entries, .pStdPictureInfo = &v.encode_h265};
}

EncodeAV1::Picture MakePictureInfo(Video& v, EncodeAV1) {
  v.encode_av1.frame_type = STD_VIDEO_AV1_FRAME_TYPE_INTER;
  v.encode_av1.pTileInfo = &v.av1_tiles;
  v.av1_tiles.TileCols = v.av1_tiles.TileRows = 1;
  v.encode_av1.pExtensionHeader = v.encode_av1_references[0].pExtensionHeader = &v.av1_extensions[0];
  v.encode_av1_references[1].pExtensionHeader = &v.av1_extensions[1];
  MakeSlots<EncodeAV1::Slot>(v, v.encode_av1_references[0], v.encode_av1_references[1]);
  v.av1_header.max_frame_width_minus_1 = v.av1_header.max_frame_height_minus_1 = 63;
  // All references are to slot 0.
  return {.predictionMode = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_SINGLE_REFERENCE_KHR, .pStdPictureInfo = &v.encode_av1};
}

}  // namespace

Video::Video() {
  Can<VkVideoCapabilitiesKHR>() = {
      .flags = VK_VIDEO_CAPABILITY_PROTECTED_CONTENT_BIT_KHR | VK_VIDEO_CAPABILITY_SEPARATE_REFERENCE_IMAGES_BIT_KHR,
      .minBitstreamBufferOffsetAlignment = 16,
      .minBitstreamBufferSizeAlignment = 16,
      .minCodedExtent = {16, 16},
      .maxCodedExtent = {64, 64},
      .maxDpbSlots = 4,
      .maxActiveReferencePictures = 2,
      .stdHeaderVersion = {"codec", 2}};
  Can<VkVideoDecodeCapabilitiesKHR>().flags = VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_COINCIDE_BIT_KHR |
                                              VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_DISTINCT_BIT_KHR;
  Can<VkVideoDecodeH264CapabilitiesKHR>().fieldOffsetGranularity = {16, 16};
  Can<VkVideoEncodeCapabilitiesKHR>() = {.flags = 0x7fffffff,
                                         .rateControlModes = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR |
                                                             VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR,
                                         .maxRateControlLayers = 2,
                                         .maxBitrate = 1000,
                                         .maxQualityLevels = 2};
  const auto set_h26x = [](auto& can, auto level) {
    can.flags = 0x7fffffff;
    can.maxLevelIdc = level;
    can.maxPPictureL0ReferenceCount = can.maxBPictureL0ReferenceCount = can.maxL1ReferenceCount = 1;
    can.minQp = 1;
    can.maxQp = 50;
  };
  auto& h264 = Can<VkVideoEncodeH264CapabilitiesKHR>();
  set_h26x(h264, STD_VIDEO_H264_LEVEL_IDC_4_0);
  h264.maxSliceCount = 18;
  auto& h265 = Can<VkVideoEncodeH265CapabilitiesKHR>();
  set_h26x(h265, STD_VIDEO_H265_LEVEL_IDC_4_0);
  h265.maxSliceSegmentCount = 18;
  h265.maxTiles = {2, 2};
  h265.ctbSizes = VK_VIDEO_ENCODE_H265_CTB_SIZE_16_BIT_KHR;
  Can<VkVideoEncodeAV1CapabilitiesKHR>() = {.flags = 0x7fffffff,
                                            .maxLevel = STD_VIDEO_AV1_LEVEL_4_0,
                                            .maxTiles = {2, 2},
                                            .minTileSize = {32, 32},
                                            .maxTileSize = {64, 64},
                                            .maxSingleReferenceCount = 1,
                                            .singleReferenceNameMask = 0x7f,
                                            .maxUnidirectionalCompoundReferenceCount = 2,
                                            .unidirectionalCompoundReferenceNameMask = 0x7f,
                                            .maxBidirectionalCompoundReferenceCount = 2,
                                            .bidirectionalCompoundReferenceNameMask = 0x7f,
                                            .maxTemporalLayerCount = 2,
                                            .maxSpatialLayerCount = 2,
                                            .maxOperatingPoints = 1,
                                            .minQIndex = 1,
                                            .maxQIndex = 50};
  Can<VkQueueFamilyVideoPropertiesKHR>().videoCodecOperations = 0x70007;
  Can<VkQueueFamilyQueryResultStatusPropertiesKHR>().queryResultStatusSupport = VK_TRUE;
  for (auto& slot : {&setup, &slots[0], &slots[1], &slots[2], &references[0], &references[1], &references[2]})
    slot->sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR;
  for (const uint8_t id : {1, 2}) {
    h264_sps[id].seq_parameter_set_id = h264_pps[id].pic_parameter_set_id = id;
    h265_vps[id].vps_video_parameter_set_id = h265_sps[id].sps_seq_parameter_set_id =
        h265_pps[id].pps_pic_parameter_set_id = id;
  }
}

void VideoTest::Start(const std::set<std::string>& without) {
  ChangeProperties<VkPhysicalDeviceProtectedMemoryProperties>([](auto& memory) { memory.protectedNoFault = VK_FALSE; });
  // The driver leaves these to Answer().
  driver().FailNext<vk::GetPhysicalDeviceVideoCapabilitiesKHR>(support_, ~0U);
  driver().FailNext<vk::GetPhysicalDeviceVideoFormatPropertiesKHR>(VK_SUCCESS, ~0U);
  driver().FailNext<vk::GetPhysicalDeviceQueueFamilyProperties2>(VK_SUCCESS, ~0U);
  driver().SetObserver([this](vk::CommandId id, const void* parameters) { Answer(id, parameters); });
  driver().config().disabled_features = without;
  driver().config().queue_families[kOtherFamily].queueFlags |=
      VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_VIDEO_ENCODE_BIT_KHR;
  static Video plain;
  current_ = &plain;
  Create(features_.EnableAll(without));
  messages.Take();
}

void VideoTest::Answer(vk::CommandId id, const void* parameters) {
  reached_.insert(id);
  if (id == vk::CommandId::kGetPhysicalDeviceVideoCapabilitiesKHR) {
    FillChain(*current_, static_cast<const vk::GetPhysicalDeviceVideoCapabilitiesKHR*>(parameters)->pCapabilities);
  } else if (id == vk::CommandId::kGetPhysicalDeviceVideoFormatPropertiesKHR) {
    const auto& call = *static_cast<const vk::GetPhysicalDeviceVideoFormatPropertiesKHR*>(parameters);
    *call.pVideoFormatPropertyCount = 2;
    for (uint32_t i = 0; call.pVideoFormatProperties != nullptr && i < 2; ++i) {
      VkVideoFormatPropertiesKHR& format = call.pVideoFormatProperties[i];
      format.format = kPictureFormat;
      // Of quantization maps.
      if (format.pNext != nullptr)
        static_cast<VkVideoFormatQuantizationMapPropertiesKHR*>(format.pNext)->quantizationMapTexelSize = {16U << i,
                                                                                                           16U << i};
    }
  } else if (id == vk::CommandId::kGetPhysicalDeviceQueueFamilyProperties2) {
    const auto& call = *static_cast<const vk::GetPhysicalDeviceQueueFamilyProperties2*>(parameters);
    const auto& families = driver().config().queue_families;
    *call.pQueueFamilyPropertyCount = static_cast<uint32_t>(families.size());
    for (uint32_t i = 0; call.pQueueFamilyProperties != nullptr && i < families.size(); ++i) {
      VkQueueFamilyProperties2& family = call.pQueueFamilyProperties[i];
      family.queueFamilyProperties = families[i];
      // The last family codes H.264 alone, and has no queries.
      Video other;
      if (i == kOtherFamily) {
        other.Can<VkQueueFamilyVideoPropertiesKHR>().videoCodecOperations = kDecodeH264 | kEncodeH264;
        other.Can<VkQueueFamilyQueryResultStatusPropertiesKHR>().queryResultStatusSupport = VK_FALSE;
      }
      FillChain(other, family.pNext);
    }
  }
}

VkImageView VideoTest::MakePicture(const Video& video, VkImageUsageFlags usage, VkFormat format,
                                   VkImageCreateFlags flags, uint32_t layers) {
  VkImageCreateInfo info = test::ImageInfo(format, 64, usage);
  info.pNext = &video.profiles, info.flags = flags, info.arrayLayers = layers;
  return MakeView(MakeImage(info));
}

void VideoTest::SetBitstream(Video& v, VkBufferCreateFlags flags) {
  const bool has_profile = (flags & VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR) == 0;
  const VkBufferUsageFlags usage =
      v.is_decoder ? VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR : VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR;
  v.decode.srcBuffer = v.encode.dstBuffer =
      MakeBuffer({.pNext = has_profile ? &v.profiles : nullptr, .flags = flags, .size = 64, .usage = usage});
}

void VideoTest::SetProtected(Video& v) {
  v.pool_flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
  v.session.flags = kProtectedSession;
  SetBitstream(v, VK_BUFFER_CREATE_PROTECTED_BIT);
  SetReferences(v, ReferenceUsage(v), kPictureFormat, VK_IMAGE_CREATE_PROTECTED_BIT);
}

VkVideoSessionParametersKHR VideoTest::MakeParameters(const VkVideoSessionParametersCreateInfoKHR& info) {
  VkVideoSessionParametersKHR made = VK_NULL_HANDLE;
  vk.CreateVideoSessionParametersKHR(device, &info, nullptr, &made);
  if (made != VK_NULL_HANDLE) Defer(made, [=, this] { vk.DestroyVideoSessionParametersKHR(device, made, nullptr); });
  return made;
}

void VideoTest::MakeResources(Video& v) {
  for (auto* picture : {&v.pictures[0], &v.pictures[1], &v.decode.dstPictureResource, &v.encode.srcPictureResource})
    *picture = {VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR, nullptr, {0, 0}, {64, 64}};
  v.pictures[1].baseArrayLayer = 1;
  SetReferences(v, ReferenceUsage(v));
  SetCoded(v, CodedUsage(v));
  v.decode.dstPictureResource = v.encode.srcPictureResource = v.Coded();
  SetBitstream(v);
}

void VideoTest::Make(VkVideoCodecOperationFlagBitsKHR operation, Video& v) {
  current_ = &v;
  v.is_decoder = operation < kEncodeH264;
  v.profile.videoCodecOperation = operation;
  WithCodec(operation, [&]<class Codec>(Codec codec) {
    v.Chain<typename Codec::Profile>(v.profile);
    MakeParameterSets<typename Codec::Parameters>(v);
    const auto picture = MakePictureInfo(v, codec);
    v.is_decoder ? v.Chain(v.decode, picture) : v.Chain(v.encode, picture);
  });
  MakeResources(v);
  v.slots[1].slotIndex = -1;
  v.setup.slotIndex = 1;
  v.slots[0].pPictureResource = v.references[0].pPictureResource = &v.pictures[0];
  v.slots[1].pPictureResource = v.setup.pPictureResource = &v.pictures[1];
  v.decode.pSetupReferenceSlot = v.encode.pSetupReferenceSlot = &v.setup;
  v.decode.referenceSlotCount = v.encode.referenceSlotCount = 1;
  v.decode.pReferenceSlots = v.encode.pReferenceSlots = v.references;
}

void VideoTest::Run(Video& v) {
  if (v.parameters.videoSession == VK_NULL_HANDLE) v.parameters.videoSession = MakeSession(v);
  const VkVideoSessionKHR session = v.begin.videoSession = v.parameters.videoSession;
  if (session == VK_NULL_HANDLE) return;
  const VkDeviceMemory memory = MakeMemory(8192, 0);
  std::vector<VkBindVideoSessionMemoryInfoKHR> binds;
  binds.reserve(v.bound);
  for (uint32_t i = 0; i < v.bound; ++i)
    binds.push_back(test::Of<VkBindVideoSessionMemoryInfoKHR>(i, memory, i * VkDeviceSize{4096}, 4096u));
  if (!binds.empty()) vk.BindVideoSessionMemoryKHR(device, session, v.bound, binds.data());
  if (v.has_parameters && v.begin.videoSessionParameters == VK_NULL_HANDLE) {
    v.begin.videoSessionParameters = MakeParameters(v.parameters);
    if (v.begin.videoSessionParameters == VK_NULL_HANDLE) return;
  }
  if (v.update.pNext != nullptr) {
    vk.UpdateVideoSessionParametersKHR(device, v.begin.videoSessionParameters, &v.update);
    if (!HasReached(vk::CommandId::kUpdateVideoSessionParametersKHR)) return;
  }
  const VkCommandBuffer c = MakeCommandBuffer(v.family, VK_COMMAND_BUFFER_LEVEL_PRIMARY, v.pool_flags);
  commands_ = c;
  Begin(c);
  if (v.before) v.before(c);
  vk.CmdBeginVideoCodingKHR(c, &v.begin);
  if (!HasReached(vk::CommandId::kCmdBeginVideoCodingKHR)) return;
  if (v.inside) v.inside(c);
  if (v.control.flags != 0) vk.CmdControlVideoCodingKHR(c, &v.control);
  for (uint32_t i = 0; i < v.codings; ++i)
    v.is_decoder ? vk.CmdDecodeVideoKHR(c, &v.decode) : vk.CmdEncodeVideoKHR(c, &v.encode);
  if (v.at_end) v.at_end(c);
  const VkVideoEndCodingInfoKHR end = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};
  vk.CmdEndVideoCodingKHR(c, &end);
  if (HasReached(vk::CommandId::kCmdEndVideoCodingKHR)) vk.EndCommandBuffer(c);
}

}  // namespace assay::core
