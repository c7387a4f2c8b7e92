// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/video/video_test.h"

namespace assay::core {
namespace {

using H264 = VkVideoEncodeH264PictureInfoKHR;
using H265 = VkVideoEncodeH265PictureInfoKHR;
using Av1 = VkVideoEncodeAV1PictureInfoKHR;
using CanH264 = VkVideoEncodeH264CapabilitiesKHR;
using CanH265 = VkVideoEncodeH265CapabilitiesKHR;
using CanAv1 = VkVideoEncodeAV1CapabilitiesKHR;

constexpr char kEncode[] = "vkCmdEncodeVideoKHR";
constexpr VkImageUsageFlags kDelta = VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
constexpr VkImageUsageFlags kEmphasis = VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR;

class EncodingTest : public VideoTest {
 protected:
  static void Disable(V v) {
    v.control.flags = VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR;
    v.Chain<VkVideoEncodeRateControlInfoKHR>(v.control).rateControlMode =
        VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    for (auto& entry : v.h264_entries) entry.constantQp = 1;
    for (auto& entry : v.h265_entries) entry.constantQp = 1;
  }
  // A correct delta map, of 16 texels to a side of the picture.
  VkVideoEncodeQuantizationMapInfoKHR& SetMap(V v, VkImageUsageFlags usage = kDelta, VkImageCreateFlags flags = 0) {
    v.session.flags = kDeltaMaps;
    v.parameters.flags = VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR;
    ChainTexel(v, v.parameters, 16);
    v.encode.flags = VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR;
    return v.Chain<VkVideoEncodeQuantizationMapInfoKHR>(
        v.encode,
        {.quantizationMap = MakePicture(v, usage, VK_FORMAT_R8_SINT, flags), .quantizationMapExtent = {4, 4}});
  }
  void SetEmphasis(V v, VkImageUsageFlags usage) {
    SetMap(v, usage);
    v.session.flags = kEmphasisMaps;
    v.encode.flags = VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR;
    v.control.flags = VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR;
    SetRateControl(v, v.control);
  }
};

TEST_F(EncodingTest, Resources) {
  Run(kEncode, kEncodeH264,
      {{"commandBuffer-08203", [&](V v) { SetProtected(v), SetBitstream(v); }},
       {"None-08318", [](V v) { SetQuality(v, 1); }}});
}

TEST_F(EncodingTest, References) {
  Run(kEncode, kEncoders, {"pNext-08225", "pNext-08230", "pNext-10317"}, [](V v) { v.encode.pNext = nullptr; });
  Run(kEncode, kEncoders, {"pEncodeInfo-08228", "pEncodeInfo-08234", "pEncodeInfo-10318"},
      [](V v) { v.setup.pNext = nullptr; });
  Run(kEncode, kEncoders, {"pNext-08229", "pNext-08235", "pNext-10319"}, [](V v) { v.references[0].pNext = nullptr; });
  Run(kEncode, kEncodeH264,
      {{"pPictureResource-08219", [&](V v) { v.references[0].pPictureResource = Unbound(v); }},
       {"dpbFrameUseCount-08221", [](V v) { SetTwoReferences(v, 0); }}});
}

TEST_F(EncodingTest, QuantizationMaps) {
  Run(kEncode, kEncodeH264,
      {{"", [&](V v) { SetMap(v); }},
       {"pEncodeInfo-10306", [&](V v) { SetMap(v), v.session.flags = kEmphasisMaps; }},
       {"pEncodeInfo-10307", [&](V v) { SetEmphasis(v, kEmphasis), v.session.flags = kDeltaMaps; }},
       {"", [&](V v) { SetEmphasis(v, kEmphasis); }},
       {"pEncodeInfo-10308", [&](V v) { SetEmphasis(v, kEmphasis), v.control.flags = 0; }},
       {"pEncodeInfo-10309", [&](V v) { SetMap(v).quantizationMap = VK_NULL_HANDLE; }},
       {"pEncodeInfo-10310", OfOtherProfile([&](V v) { SetMap(v); })},
       {"pEncodeInfo-10311", [&](V v) { SetMap(v, kEmphasis); }},
       {"pEncodeInfo-10312", [&](V v) { SetEmphasis(v, kDelta); }},
       {"pNext-10313", [&](V v) { SetMap(v, kDelta, VK_IMAGE_CREATE_PROTECTED_BIT); }},
       {"pNext-10315", [&](V v) { SetMap(v), v.parameters.flags = 0; }},
       {"pNext-10316", [&](V v) { SetMap(v).quantizationMapExtent.width = 5; }},
       {"VkVideoEncodeQuantizationMapInfoKHR-quantizationMapExtent-10352 pNext-10316",
        [&](V v) { SetMap(v).quantizationMapExtent.width = 65; }},
       {"VkVideoEncodeQuantizationMapInfoKHR-quantizationMapExtent-10353 pNext-10316",
        [&](V v) { SetMap(v).quantizationMapExtent.height = 65; }}});
}

TEST_F(EncodingTest, ParameterSets) {
  Run(kEncode,
      {{"StdVideoH264SequenceParameterSet-08226 StdVideoH264PictureParameterSet-08227", kEncodeH264,
        [](V v) { v.encode_h264.seq_parameter_set_id = 1; }},
       {"StdVideoH264PictureParameterSet-08227", kEncodeH264, [](V v) { v.encode_h264.pic_parameter_set_id = 1; }},
       {"StdVideoH265VideoParameterSet-08231 StdVideoH265SequenceParameterSet-08232 "
        "StdVideoH265PictureParameterSet-08233",
        kEncodeH265, [](V v) { v.encode_h265.sps_video_parameter_set_id = 1; }},
       {"StdVideoH265SequenceParameterSet-08232 StdVideoH265PictureParameterSet-08233", kEncodeH265,
        [](V v) { v.encode_h265.pps_seq_parameter_set_id = 1; }},
       {"StdVideoH265PictureParameterSet-08233", kEncodeH265,
        [](V v) { v.encode_h265.pps_pic_parameter_set_id = 1; }}});
}

// The capabilities of both codecs have the same bits for the same things.
TEST_F(EncodingTest, H264AndH265) {
  constexpr VideoOperation kBoth[] = {{kEncode, kEncodeH264}, {kEncode, kEncodeH265}};
  const auto set_slices = [](V v, uint32_t count) {
    (v.profile.videoCodecOperation == kEncodeH264 ? v.Picture<H264>().naluSliceEntryCount
                                                  : v.Picture<H265>().naluSliceSegmentEntryCount) = count;
  };
  const auto set_qp = [](V v, int32_t qp) { v.h264_entries[1].constantQp = v.h265_entries[1].constantQp = qp; };
  const auto refer_to_b = [](V v) {
    v.encode_h264_reference.primary_pic_type = STD_VIDEO_H264_PICTURE_TYPE_B;
    v.encode_h265_reference.pic_type = STD_VIDEO_H265_PICTURE_TYPE_B;
  };
  RunBoth(
      kBoth,
      {{{"", ""}, [](V v) { Disable(v); }},
       {{"constantQp-08269", "constantQp-08272"}, [&](V v) { set_qp(v, 1); }},
       {{"constantQp-08270", "constantQp-08273"}, [&](V v) { Disable(v), set_qp(v, 51); }},
       {{"constantQp-08271", "constantQp-08274"},
        [&](V v) { Disable(v), set_qp(v, 2); },
        VK_VIDEO_ENCODE_H264_CAPABILITY_PER_SLICE_CONSTANT_QP_BIT_KHR},
       {{"naluSliceEntryCount-08302", "naluSliceSegmentEntryCount-08307"}, [&](V v) { set_slices(v, 17); }},
       {{"naluSliceEntryCount-08312", "naluSliceSegmentEntryCount-08313"},
        [&](V v) { set_slices(v, 5); },
        VK_VIDEO_ENCODE_H264_CAPABILITY_ROW_UNALIGNED_SLICE_BIT_KHR},
       {{"VkVideoEncodeH264PictureInfoKHR-naluSliceEntryCount-08301",
         "VkVideoEncodeH265PictureInfoKHR-naluSliceSegmentEntryCount-08306"},
        [](V v) { v.Can<CanH264>().maxSliceCount = v.Can<CanH265>().maxSliceSegmentCount = 1; }},
       {{"VkVideoEncodeH264PictureInfoKHR-flags-08315", "VkVideoEncodeH265PictureInfoKHR-flags-08317"},
        [](V v) {
          v.h264_slices[1].slice_type = STD_VIDEO_H264_SLICE_TYPE_I;
          v.h265_slices[1].slice_type = STD_VIDEO_H265_SLICE_TYPE_I;
        },
        VK_VIDEO_ENCODE_H264_CAPABILITY_DIFFERENT_SLICE_TYPE_BIT_KHR},
       {{"VkVideoEncodeH264PictureInfoKHR-flags-08314", "VkVideoEncodeH265PictureInfoKHR-flags-08316"},
        [](V v) { v.h264_pps[0].flags.weighted_pred_flag = v.h265_pps[0].flags.weighted_bipred_flag = 1; },
        VK_VIDEO_ENCODE_H264_CAPABILITY_PREDICTION_WEIGHT_TABLE_GENERATED_BIT_KHR},
       {{"pNext-08352", "pNext-08354"},
        [](V v) { v.encode_h264.pRefLists = nullptr, v.encode_h265.pRefLists = nullptr; }},
       {{"pNext-08339", "pNext-08344"}, [](V v) { v.h264_lists.RefPicList1[0] = v.h265_lists.RefPicList1[0] = 2; }},
       {{"pNext-08353", "pNext-08355"}, [](V v) { v.h264_lists.RefPicList0[0] = v.h265_lists.RefPicList0[0] = 0xff; }},
       {{"maxPPictureL0ReferenceCount-08340", "maxPPictureL0ReferenceCount-08345"},
        [](V v) {
          v.encode_h264.primary_pic_type = STD_VIDEO_H264_PICTURE_TYPE_P;
          v.encode_h265.pic_type = STD_VIDEO_H265_PICTURE_TYPE_P;
          v.Can<CanH264>().maxPPictureL0ReferenceCount = v.Can<CanH265>().maxPPictureL0ReferenceCount = 0;
        }},
       {{"maxBPictureL0ReferenceCount-08341", "maxBPictureL0ReferenceCount-08346"},
        [](V v) {
          v.encode_h264.primary_pic_type = STD_VIDEO_H264_PICTURE_TYPE_B;
          v.encode_h265.pic_type = STD_VIDEO_H265_PICTURE_TYPE_B;
          v.Can<CanH264>().maxBPictureL0ReferenceCount = v.Can<CanH264>().maxL1ReferenceCount = 0;
          v.Can<CanH265>().maxBPictureL0ReferenceCount = v.Can<CanH265>().maxL1ReferenceCount = 0;
        }},
       {{"flags-08342", "flags-08347"}, refer_to_b, VK_VIDEO_ENCODE_H264_CAPABILITY_B_FRAME_IN_L0_LIST_BIT_KHR},
       {{"flags-08343", "flags-08348"},
        [&](V v) { refer_to_b(v), v.h264_lists.RefPicList1[0] = v.h265_lists.RefPicList1[0] = 0; },
        VK_VIDEO_ENCODE_H264_CAPABILITY_B_FRAME_IN_L1_LIST_BIT_KHR}});
  Run("VkVideoEncodeH264PictureInfoKHR", kEncodeH264,
      {{"flags-08304", [](V v) { v.Picture<H264>().generatePrefixNalu = VK_TRUE; },
        VK_VIDEO_ENCODE_H264_CAPABILITY_GENERATE_PREFIX_NALU_BIT_KHR}});
  const auto set_tiles = [](V v) {
    v.h265_pps[0].flags.tiles_enabled_flag = 1;
    v.h265_pps[0].num_tile_columns_minus1 = v.h265_pps[0].num_tile_rows_minus1 = 1;
  };
  Run("VkVideoEncodeH265PictureInfoKHR", kEncodeH265,
      {{"flags-08323", set_tiles, VK_VIDEO_ENCODE_H265_CAPABILITY_MULTIPLE_TILES_PER_SLICE_SEGMENT_BIT_KHR},
       {"flags-08324", [](V) {}, VK_VIDEO_ENCODE_H265_CAPABILITY_MULTIPLE_SLICE_SEGMENTS_PER_TILE_BIT_KHR}});
}

TEST_F(EncodingTest, Av1) {
  constexpr auto kIntra = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR;
  constexpr auto kSingle = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_SINGLE_REFERENCE_KHR;
  constexpr auto kOneWay = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_UNIDIRECTIONAL_COMPOUND_KHR;
  constexpr auto kTwoWays = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_BIDIRECTIONAL_COMPOUND_KHR;
  // The codec has no references for that mode, in number or by their names.
  const auto predict = [](VkVideoEncodeAV1PredictionModeKHR mode, bool has_names) {
    return [=](V v) {
      auto& can = v.Can<CanAv1>();
      v.Picture<Av1>().predictionMode = mode;
      (has_names ? can.maxSingleReferenceCount : can.singleReferenceNameMask) = 0;
      (has_names ? can.maxUnidirectionalCompoundReferenceCount : can.unidirectionalCompoundReferenceNameMask) = 0;
      (has_names ? can.maxBidirectionalCompoundReferenceCount : can.bidirectionalCompoundReferenceNameMask) = 0;
    };
  };
  constexpr auto kSizes = VK_VIDEO_ENCODE_AV1_CAPABILITY_FRAME_SIZE_OVERRIDE_BIT_KHR;
  Run(kEncode, kEncodeAv1,
      {{"", [](V v) { Disable(v), v.Picture<Av1>().constantQIndex = 1; }},
       {"", [](V v) { v.Picture<Av1>().predictionMode = kOneWay; }},
       {"", [](V v) { v.Picture<Av1>().predictionMode = kTwoWays; }},
       {"constantQIndex-10320", [](V v) { v.Picture<Av1>().constantQIndex = 1; }},
       {"constantQIndex-10321", [](V v) { Disable(v), v.Picture<Av1>().constantQIndex = 51; }},
       {"flags-10322", [](V v) { v.encode_av1.flags.frame_size_override_flag = 1; }, kSizes},
       {"flags-10323", [](V v) { v.av1_header.max_frame_width_minus_1 = 31; }, kSizes},
       {"flags-10324", [](V v) { v.av1_header.max_frame_height_minus_1 = 31; }, kSizes},
       {"flags-10325", [](V v) { v.pictures[0].codedExtent.width = 32; },
        VK_VIDEO_ENCODE_AV1_CAPABILITY_MOTION_VECTOR_SCALING_BIT_KHR},
       {"predictionMode-10326", [](V v) { v.Picture<Av1>().predictionMode = kIntra; }},
       {"pStdPictureInfo-10327", [](V v) { v.encode_av1.frame_type = STD_VIDEO_AV1_FRAME_TYPE_KEY; }},
       {"maxSingleReferenceCount-10328", predict(kSingle, true)},
       {"predictionMode-10329", predict(kSingle, false)},
       {"maxUnidirectionalCompoundReferenceCount-10330", predict(kOneWay, true)},
       {"predictionMode-10331", predict(kOneWay, false)},
       {"maxBidirectionalCompoundReferenceCount-10332", predict(kTwoWays, true)},
       {"predictionMode-10333", predict(kTwoWays, false)},
       {"referenceNameSlotIndices-10334", [](V v) { v.Picture<Av1>().referenceNameSlotIndices[1] = 2; }},
       {"slotIndex-10335 predictionMode-10329",
        [](V v) {
          std::ranges::fill(v.Picture<Av1>().referenceNameSlotIndices, -1), v.encode_av1.primary_ref_frame = 7;
        }},
       {"pExtensionHeader-10336", [](V v) { v.av1_extensions[0].temporal_id = 2; }},
       {"pExtensionHeader-10337", [](V v) { v.av1_extensions[0].spatial_id = 2; }},
       {"pEncodeInfo-10338", [](V v) { v.encode_av1.pExtensionHeader = nullptr; }},
       {"pEncodeInfo-10339",
        [](V v) { v.encode_av1.pExtensionHeader = &v.av1_extensions[1], v.av1_extensions[1].temporal_id = 1; }},
       {"pEncodeInfo-10340",
        [](V v) { v.encode_av1.pExtensionHeader = &v.av1_extensions[1], v.av1_extensions[1].spatial_id = 1; }},
       {"pExtensionHeader-10341", [](V v) { v.av1_extensions[1].temporal_id = 2; }},
       {"pExtensionHeader-10342", [](V v) { v.av1_extensions[1].spatial_id = 2; }},
       {"pTileInfo-10343", [](V v) { v.av1_tiles.TileCols = 0; }},
       {"pTileInfo-10344", [](V v) { v.av1_tiles.TileRows = 0; }},
       {"pTileInfo-10345", [](V v) { v.av1_tiles.TileCols = 3; }},
       {"pTileInfo-10346", [](V v) { v.av1_tiles.TileRows = 3; }},
       {"pTileInfo-10347", [](V v) { v.Can<CanAv1>().maxTileSize.width = 63; }},
       {"pTileInfo-10348", [](V v) { v.Can<CanAv1>().minTileSize.height = 65; }},
       {"pStdPictureInfo-10349", [](V v) { v.encode_av1.flags.segmentation_enabled = 1; }},
       {"pStdPictureInfo-10350", [](V v) { v.encode_av1.pSegmentation = &v.av1_segmentation; }}});
  Run("VkVideoEncodeAV1PictureInfoKHR", kEncodeAv1,
      {{"flags-10289", [](V v) { v.Picture<Av1>().primaryReferenceCdfOnly = VK_TRUE; },
        VK_VIDEO_ENCODE_AV1_CAPABILITY_PRIMARY_REFERENCE_CDF_ONLY_BIT_KHR},
       {"flags-10292", [](V v) { v.Picture<Av1>().generateObuExtensionHeader = VK_TRUE; },
        VK_VIDEO_ENCODE_AV1_CAPABILITY_GENERATE_OBU_EXTENSION_HEADER_BIT_KHR}});
}

}  // namespace
}  // namespace assay::core
