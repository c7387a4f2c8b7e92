// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/video/video_test.h"

namespace assay::core {
namespace {

constexpr auto kInterlaced = VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_INTERLEAVED_LINES_BIT_KHR;
constexpr char kDecode[] = "vkCmdDecodeVideoKHR";

class DecodingTest : public VideoTest {
 protected:
  // The decoded picture is that which is set up.
  void SetCoincident(V v) {
    v.pictures[1].imageViewBinding = MakePicture(v, CodedUsage(v) | ReferenceUsage(v));
    v.pictures[1].baseArrayLayer = 0;
    v.decode.dstPictureResource = v.pictures[1];
  }
  // Both refer to the slot, as what the flags say.
  void ReferTwice(V v, uint32_t top, uint32_t bottom) {
    SetInterlaced(v, kInterlaced);
    SetTwoReferences(v, 0);
    v.decode_h264_references[1].flags.top_field_flag = top;
    v.decode_h264_references[1].flags.bottom_field_flag = bottom;
  }
  // The decoded picture is a field, and so is that which is set up.
  void SetFields(V v, bool is_bottom, bool sets_up_bottom) {
    SetInterlaced(v, kInterlaced);
    SetOutputField(v, is_bottom);
    v.decode_h264_references[0].flags.top_field_flag = !sets_up_bottom;
    v.decode_h264_references[0].flags.bottom_field_flag = sets_up_bottom;
  }
  static void SetOutputField(V v, bool is_bottom) {
    v.decode_h264.flags.field_pic_flag = 1;
    v.decode_h264.flags.bottom_field_flag = is_bottom;
  }
};

TEST_F(DecodingTest, ResourcesAndReferences) {
  const auto can = [](V v, VkVideoDecodeCapabilityFlagsKHR flags) {
    v.Can<VkVideoDecodeCapabilitiesKHR>().flags = flags;
  };
  Run(kDecode, kDecodeH264,
      {{"commandBuffer-07148", [&](V v) { SetProtected(v); }},
       {"pDecodeInfo-07140",
        [&](V v) { can(v, VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_DISTINCT_BIT_KHR), SetCoincident(v); }},
       {"pDecodeInfo-07141", [&](V v) { can(v, VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_COINCIDE_BIT_KHR); }},
       // A driver that says nothing.
       {"", [](V v) { v.can = {}, v.decode.srcBufferRange = 7; }},
       {"pDecodeInfo-07151", [](V v) { v.references[0].slotIndex = 2; }},
       {"dpbFrameUseCount-07176", [&](V v) { ReferTwice(v, 0, 0); }},
       {"dpbTopFieldUseCount-07177", [&](V v) { ReferTwice(v, 1, 0); }},
       {"dpbBottomFieldUseCount-07178", [&](V v) { ReferTwice(v, 0, 1); }}});
}

TEST_F(DecodingTest, Chains) {
  Run(kDecode, kDecoders, {"pNext-07152", "pNext-07158", "pNext-09250"}, [](V v) { v.decode.pNext = nullptr; });
  Run(kDecode, kDecoders, {"pDecodeInfo-07156", "pDecodeInfo-07163", "pDecodeInfo-09254"},
      [](V v) { v.setup.pNext = nullptr; });
  Run(kDecode, kDecoders, {"pNext-07157", "pNext-07164", "pNext-09255"}, [](V v) { v.references[0].pNext = nullptr; });
}

TEST_F(DecodingTest, Pictures) {
  using Av1 = VkVideoDecodeAV1PictureInfoKHR;
  Run(kDecode, kDecoders, {"pSliceOffsets-07153", "pSliceSegmentOffsets-07159", "pTileOffsets-09253"},
      [](V v) { v.offsets[1] = 64; });
  Run(kDecode,
      {{"pTileOffsets-09252", kDecodeAv1, [](V v) { v.sizes[1] = 65; }},
       {"frameHeaderOffset-09251", kDecodeAv1, [](V v) { v.Picture<Av1>().frameHeaderOffset = 64; }},
       {"referenceNameSlotIndices-09262", kDecodeAv1, [](V v) { v.Picture<Av1>().referenceNameSlotIndices[1] = 2; }},
       {"slotIndex-09263", kDecodeAv1, [](V v) { std::ranges::fill(v.Picture<Av1>().referenceNameSlotIndices, -1); }},
       {"filmGrainSupport-09248", kDecodeAv1, [](V v) { v.decode_av1.flags.apply_grain = 1; }},
       {"pDecodeInfo-09249", kDecodeAv1,
        [&](V v) {
          Video::In<VkVideoDecodeAV1ProfileInfoKHR>(v.profile).filmGrainSupport = VK_TRUE;
          MakeResources(v);
          v.decode_av1.flags.apply_grain = 1;
          SetCoincident(v);
        }},
       {"None-07258", kDecodeH264, [](V v) { SetOutputField(v, false); }},
       {"pDecodeInfo-07259", kDecodeH264, [](V v) { v.decode_h264_references[0].flags.top_field_flag = 1; }},
       {"pDecodeInfo-07260", kDecodeH264, [](V v) { v.decode_h264_references[1].flags.bottom_field_flag = 1; }},
       {"pDecodeInfo-07261", kDecodeH264,
        [&](V v) { SetInterlaced(v, kInterlaced), v.decode_h264_references[0].flags.top_field_flag = 1; }},
       {"pDecodeInfo-07262", kDecodeH264, [&](V v) { SetFields(v, false, true); }},
       {"pDecodeInfo-07263", kDecodeH264, [&](V v) { SetFields(v, true, false); }},
       {"", kDecodeH264, [&](V v) { SetFields(v, true, true); }}});
}

TEST_F(DecodingTest, ParameterSets) {
  // Parameter sets of the command itself, whose ids are those of the picture or not.
  const auto set_h264 = [](V v, uint32_t sps, uint32_t pps) {
    v.session.flags = kInlineParameters, v.has_parameters = false;
    auto& own = v.Chain<VkVideoDecodeH264InlineSessionParametersInfoKHR>(v.decode);
    own.pStdSPS = &v.h264_sps[sps], own.pStdPPS = &v.h264_pps[pps];
  };
  const auto set_h265 = [](V v, uint32_t vps, uint32_t sps, uint32_t pps) {
    v.session.flags = kInlineParameters, v.has_parameters = false;
    auto& own = v.Chain<VkVideoDecodeH265InlineSessionParametersInfoKHR>(v.decode);
    own.pStdVPS = &v.h265_vps[vps], own.pStdSPS = &v.h265_sps[sps], own.pStdPPS = &v.h265_pps[pps];
  };
  Run(kDecode, kDecoders, {"None-10400", "None-10403", "None-10407"}, [](V v) { v.has_parameters = false; });
  Run(kDecode,
      {{"pNext-10401", kDecodeH264, [&](V v) { set_h264(v, 1, 0); }},
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
        [](V v) { v.decode_h265.pps_pic_parameter_set_id = 1; }}});
}

}  // namespace
}  // namespace assay::core
