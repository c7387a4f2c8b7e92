// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/video/video_test.h"

namespace assay::core {
namespace {

using V = Video&;

constexpr char kDecode[] = "vkCmdDecodeVideoKHR";
constexpr VkImageUsageFlags kOutput = VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR;
constexpr VkBufferUsageFlags kBitstream = VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR;

class DecodingTest : public VideoTest {
 protected:
  void SetOutput(V v, VkImageUsageFlags usage, VkFormat format = kPictureFormat, VkImageCreateFlags flags = 0) {
    v.decode.dstPictureResource.imageViewBinding = MakePicture(v, usage, format, flags);
  }
  // A picture of the session that is not bound.
  VkVideoPictureResourceInfoKHR* Unbound(V v) {
    other_ = v.pictures[0];
    other_.imageViewBinding = MakePicture(v, VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR);
    return &other_;
  }
  static void SetTwoReferences(V v, int32_t second) {
    v.slots[1].slotIndex = v.references[1].slotIndex = second;
    v.references[1].pPictureResource = &v.pictures[1];
    v.decode.referenceSlotCount = 2;
  }
  // Both refer to the slot, as what the flags say.
  void ReferTwice(V v, uint32_t top, uint32_t bottom) {
    SetInterlaced(v);
    SetTwoReferences(v, 0);
    v.decode_h264_references[1].flags.top_field_flag = top;
    v.decode_h264_references[1].flags.bottom_field_flag = bottom;
  }
  void SetInterlaced(V v) {
    Video::In<VkVideoDecodeH264ProfileInfoKHR>(v.profile).pictureLayout =
        VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_INTERLEAVED_LINES_BIT_KHR;
    MakeResources(v);
  }
  // The decoded picture is a field, and so is that which is set up.
  void SetFields(V v, bool is_bottom, bool sets_up_bottom) {
    SetInterlaced(v);
    SetOutputField(v, is_bottom);
    v.decode_h264_references[0].flags.top_field_flag = !sets_up_bottom;
    v.decode_h264_references[0].flags.bottom_field_flag = sets_up_bottom;
  }
  static void SetOutputField(V v, bool is_bottom) {
    v.decode_h264.flags.field_pic_flag = 1;
    v.decode_h264.flags.bottom_field_flag = is_bottom;
  }

  VkVideoPictureResourceInfoKHR other_{};
};

TEST_F(DecodingTest, Resources) {
  Run(kDecode,
      {
          {"None-08249", kEncodeH264,
           [&](V v) {
             v.is_decoder = true;
             v.decode.srcBuffer =
                 MakeBitstream(v, kBitstream, VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR, false);
           }},
          {"pDecodeInfo-07135", kDecodeH264,
           [&](V v) {
             v.profile.lumaBitDepth = 4, v.decode.srcBuffer = MakeBitstream(v, kBitstream), v.profile.lumaBitDepth = 1;
           }},
          {"commandBuffer-07136", kDecodeH264,
           [&](V v) { v.decode.srcBuffer = MakeBitstream(v, kBitstream, VK_BUFFER_CREATE_PROTECTED_BIT); }},
          {"pDecodeInfo-07138", kDecodeH264, [](V v) { v.decode.srcBufferOffset = 8, v.decode.srcBufferRange = 48; }},
          {"pDecodeInfo-07139", kDecodeH264, [](V v) { v.decode.srcBufferRange = 56; }},
          {"pDecodeInfo-07142", kDecodeH264,
           [&](V v) { v.profile.lumaBitDepth = 4, SetOutput(v, kOutput), v.profile.lumaBitDepth = 1; }},
          {"pDecodeInfo-07143", kDecodeH264, [&](V v) { SetOutput(v, kOutput, VK_FORMAT_R8G8_UNORM); }},
          {"pDecodeInfo-07144", kDecodeH264, [](V v) { v.decode.dstPictureResource.codedOffset.y = 16; }},
          {"pDecodeInfo-07145", kDecodeH264, [](V v) { v.decode.dstPictureResource.codedExtent.width = 80; }},
          {"pDecodeInfo-07146", kDecodeH264, [&](V v) { SetOutput(v, VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR); }},
          {"commandBuffer-07147", kDecodeH264,
           [&](V v) { SetOutput(v, kOutput, kPictureFormat, VK_IMAGE_CREATE_PROTECTED_BIT); }},
          {"commandBuffer-07148", kDecodeH264, [&](V v) { SetProtected(v, kBitstream); }},
          {"pDecodeInfo-07140", kDecodeH264,
           [&](V v) {
             v.Can<VkVideoDecodeCapabilitiesKHR>().flags = VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_DISTINCT_BIT_KHR;
             v.pictures[1].imageViewBinding = MakePicture(v, kOutput | VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR);
             v.pictures[1].baseArrayLayer = 0;
             v.decode.dstPictureResource = v.pictures[1];
           }},
          {"pDecodeInfo-07141", kDecodeH264,
           [](V v) {
             v.Can<VkVideoDecodeCapabilitiesKHR>().flags = VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_COINCIDE_BIT_KHR;
           }},
          // A driver that says nothing.
          {"", kDecodeH264, [](V v) { v.can = {}, v.decode.srcBufferRange = 7; }},
      });
}

TEST_F(DecodingTest, References) {
  Run(kDecode, {
                   {"pDecodeInfo-08376", kDecodeH264, [](V v) { v.decode.pSetupReferenceSlot = nullptr; }},
                   {"pDecodeInfo-07170", kDecodeH264, [](V v) { v.setup.slotIndex = 3; }},
                   {"pDecodeInfo-07173", kDecodeH264,
                    [&](V v) { v.setup.pPictureResource = Unbound(v), other_.codedOffset.x = 16; }},
                   {"pDecodeInfo-07149", kDecodeH264, [&](V v) { v.setup.pPictureResource = Unbound(v); }},
                   {"activeReferencePictureCount-07150", kDecodeH264,
                    [](V v) { v.session.maxActiveReferencePictures = 1, SetTwoReferences(v, 2); }},
                   {"slotIndex-07256", kDecodeH264, [](V v) { v.references[0].slotIndex = 3; }},
                   {"codedOffset-07257", kDecodeH264,
                    [&](V v) { v.references[0].pPictureResource = Unbound(v), other_.codedOffset.x = 16; }},
                   {"pDecodeInfo-07151", kDecodeH264, [](V v) { v.references[0].slotIndex = 2; }},
                   {"", kDecodeH264, [](V v) { SetTwoReferences(v, 2); }},
                   {"pDecodeInfo-07264 pDecodeInfo-07151", kDecodeH264,
                    [](V v) { SetTwoReferences(v, 2), v.references[1].pPictureResource = &v.pictures[0]; }},
                   {"dpbFrameUseCount-07176", kDecodeH264, [&](V v) { ReferTwice(v, 0, 0); }},
                   {"dpbTopFieldUseCount-07177", kDecodeH264, [&](V v) { ReferTwice(v, 1, 0); }},
                   {"dpbBottomFieldUseCount-07178", kDecodeH264, [&](V v) { ReferTwice(v, 0, 1); }},
               });
}

TEST_F(DecodingTest, Chains) {
  const auto no_picture = [](V v) { v.decode.pNext = nullptr; };
  const auto no_setup = [](V v) { v.setup.pNext = nullptr; };
  const auto no_reference = [](V v) { v.references[0].pNext = nullptr; };
  Run(kDecode, {{"pNext-07152", kDecodeH264, no_picture},
                {"pNext-07158", kDecodeH265, no_picture},
                {"pNext-09250", kDecodeAv1, no_picture},
                {"pDecodeInfo-07156", kDecodeH264, no_setup},
                {"pDecodeInfo-07163", kDecodeH265, no_setup},
                {"pDecodeInfo-09254", kDecodeAv1, no_setup},
                {"pNext-07157", kDecodeH264, no_reference},
                {"pNext-07164", kDecodeH265, no_reference},
                {"pNext-09255", kDecodeAv1, no_reference}});
}

TEST_F(DecodingTest, Pictures) {
  using Av1 = VkVideoDecodeAV1PictureInfoKHR;
  const auto late = [](V v) { v.offsets[1] = 64; };
  Run(kDecode,
      {
          {"pSliceOffsets-07153", kDecodeH264, late},
          {"pSliceSegmentOffsets-07159", kDecodeH265, late},
          {"pTileOffsets-09253", kDecodeAv1, late},
          {"pTileOffsets-09252", kDecodeAv1, [](V v) { v.sizes[1] = 65; }},
          {"frameHeaderOffset-09251", kDecodeAv1, [](V v) { v.Picture<Av1>().frameHeaderOffset = 64; }},
          {"referenceNameSlotIndices-09262", kDecodeAv1, [](V v) { v.Picture<Av1>().referenceNameSlotIndices[1] = 2; }},
          {"slotIndex-09263", kDecodeAv1,
           [](V v) { std::ranges::fill(v.Picture<Av1>().referenceNameSlotIndices, -1); }},
          {"filmGrainSupport-09248", kDecodeAv1, [](V v) { v.decode_av1.flags.apply_grain = 1; }},
          {"pDecodeInfo-09249", kDecodeAv1,
           [&](V v) {
             Video::In<VkVideoDecodeAV1ProfileInfoKHR>(v.profile).filmGrainSupport = VK_TRUE;
             MakeResources(v);
             v.decode_av1.flags.apply_grain = 1;
             v.pictures[1].imageViewBinding = MakePicture(v, kOutput | VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR);
             v.pictures[1].baseArrayLayer = 0;
             v.decode.dstPictureResource = v.pictures[1];
           }},
          {"None-07258", kDecodeH264, [](V v) { SetOutputField(v, false); }},
          {"pDecodeInfo-07259", kDecodeH264, [](V v) { v.decode_h264_references[0].flags.top_field_flag = 1; }},
          {"pDecodeInfo-07260", kDecodeH264, [](V v) { v.decode_h264_references[1].flags.bottom_field_flag = 1; }},
          {"pDecodeInfo-07261", kDecodeH264,
           [&](V v) { SetInterlaced(v), v.decode_h264_references[0].flags.top_field_flag = 1; }},
          {"pDecodeInfo-07262", kDecodeH264, [&](V v) { SetFields(v, false, true); }},
          {"pDecodeInfo-07263", kDecodeH264, [&](V v) { SetFields(v, true, false); }},
          {"", kDecodeH264, [&](V v) { SetFields(v, true, true); }},
      });
}

TEST_F(DecodingTest, ParameterSets) {
  constexpr auto kInline = VK_VIDEO_SESSION_CREATE_INLINE_SESSION_PARAMETERS_BIT_KHR;
  // Parameter sets of the command itself, whose ids are those of the picture or not.
  const auto set_h264 = [](V v, uint32_t sps, uint32_t pps) {
    v.session.flags = kInline, v.has_parameters = false;
    auto& own = v.Chain<VkVideoDecodeH264InlineSessionParametersInfoKHR>(v.decode);
    own.pStdSPS = &v.h264_sps[sps], own.pStdPPS = &v.h264_pps[pps];
  };
  const auto set_h265 = [](V v, uint32_t vps, uint32_t sps, uint32_t pps) {
    v.session.flags = kInline, v.has_parameters = false;
    auto& own = v.Chain<VkVideoDecodeH265InlineSessionParametersInfoKHR>(v.decode);
    own.pStdVPS = &v.h265_vps[vps], own.pStdSPS = &v.h265_sps[sps], own.pStdPPS = &v.h265_pps[pps];
  };
  const auto none = [](V v) { v.has_parameters = false; };
  Run(kDecode,
      {
          {"None-10400", kDecodeH264, none},
          {"None-10403", kDecodeH265, none},
          {"None-10407", kDecodeAv1, none},
          {"pNext-10401", kDecodeH264, [&](V v) { set_h264(v, 1, 0); }},
          {"pNext-10402", kDecodeH264, [&](V v) { set_h264(v, 0, 1); }},
          {"", kDecodeH264, [&](V v) { set_h264(v, 0, 0); }},
          {"pNext-10404", kDecodeH265, [&](V v) { set_h265(v, 1, 0, 0); }},
          {"pNext-10405", kDecodeH265, [&](V v) { set_h265(v, 0, 1, 0); }},
          {"pNext-10406", kDecodeH265, [&](V v) { set_h265(v, 0, 0, 1); }},
          {"", kDecodeH265, [&](V v) { set_h265(v, 0, 0, 0); }},
          {"StdVideoH264SequenceParameterSet-07154 StdVideoH264PictureParameterSet-07155", kDecodeH264,
           [](V v) { v.decode_h264.seq_parameter_set_id = 1; }},
          {"StdVideoH264PictureParameterSet-07155", kDecodeH264, [](V v) { v.decode_h264.pic_parameter_set_id = 1; }},
          {"StdVideoH265VideoParameterSet-07160 StdVideoH265SequenceParameterSet-07161 "
           "StdVideoH265PictureParameterSet-07162",
           kDecodeH265, [](V v) { v.decode_h265.sps_video_parameter_set_id = 1; }},
          {"StdVideoH265SequenceParameterSet-07161 StdVideoH265PictureParameterSet-07162", kDecodeH265,
           [](V v) { v.decode_h265.pps_seq_parameter_set_id = 1; }},
          {"StdVideoH265PictureParameterSet-07162", kDecodeH265,
           [](V v) { v.decode_h265.pps_pic_parameter_set_id = 1; }},
      });
}

}  // namespace
}  // namespace assay::core
