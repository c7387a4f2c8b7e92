// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/video/video_test.h"

namespace assay::core {
namespace {

using V = Video&;
using H264 = VkVideoEncodeH264PictureInfoKHR;
using H265 = VkVideoEncodeH265PictureInfoKHR;
using Av1 = VkVideoEncodeAV1PictureInfoKHR;
using CanH264 = VkVideoEncodeH264CapabilitiesKHR;
using CanH265 = VkVideoEncodeH265CapabilitiesKHR;
using CanAv1 = VkVideoEncodeAV1CapabilitiesKHR;

constexpr char kEncode[] = "vkCmdEncodeVideoKHR";
constexpr VkImageUsageFlags kInput = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
constexpr VkImageUsageFlags kReference = VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR;
constexpr VkImageUsageFlags kDelta = VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
constexpr VkImageUsageFlags kEmphasis = VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR;
constexpr VkBufferUsageFlags kBitstream = VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR;

class EncodingTest : public VideoTest {
 protected:
  void SetInput(V v, VkImageUsageFlags usage, VkFormat format = kPictureFormat, VkImageCreateFlags flags = 0) {
    v.encode.srcPictureResource.imageViewBinding = MakePicture(v, usage, format, flags);
  }
  // A picture of the session that is not bound.
  VkVideoPictureResourceInfoKHR* Unbound(V v) {
    other_ = v.pictures[0];
    other_.imageViewBinding = MakePicture(v, kReference);
    return &other_;
  }
  static void SetTwoReferences(V v, int32_t second) {
    v.slots[1].slotIndex = v.references[1].slotIndex = second;
    v.references[1].pPictureResource = &v.pictures[1];
    v.encode.referenceSlotCount = 2;
    v.h264_lists.RefPicList1[0] = static_cast<uint8_t>(second);
  }
  static void Disable(V v) {
    v.control.flags = VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR;
    v.Chain<VkVideoEncodeRateControlInfoKHR>(v.control).rateControlMode =
        VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    for (auto& entry : v.h264_entries) entry.constantQp = 1;
    for (auto& entry : v.h265_entries) entry.constantQp = 1;
  }
  // A correct delta map, of 16 texels to a side of the picture.
  VkVideoEncodeQuantizationMapInfoKHR& SetMap(V v, VkImageUsageFlags usage = kDelta, VkImageCreateFlags flags = 0) {
    v.session.flags = VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
    v.parameters.flags = VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR;
    v.Chain<VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR>(v.parameters).quantizationMapTexelSize = {16,
                                                                                                                  16};
    v.encode.flags = VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR;
    auto& map = v.Chain<VkVideoEncodeQuantizationMapInfoKHR>(v.encode);
    map.quantizationMap = MakePicture(v, usage, VK_FORMAT_R8_SINT, flags);
    map.quantizationMapExtent = {4, 4};
    return map;
  }
  void SetEmphasis(V v, VkImageUsageFlags usage) {
    SetMap(v, usage);
    v.session.flags = VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_EMPHASIS_MAP_BIT_KHR;
    v.encode.flags = VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR;
    v.control.flags = VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR;
    auto& rate = v.Chain<VkVideoEncodeRateControlInfoKHR>(v.control);
    rate.rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR;
    rate.layerCount = 1, rate.pLayers = v.layers, rate.virtualBufferSizeInMs = 1;
    v.layers[0] = {VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR, nullptr, 1, 1, 1, 1};
  }

  VkVideoPictureResourceInfoKHR other_{};
};

TEST_F(EncodingTest, Resources) {
  Run(kEncode,
      {
          {"None-08250", kDecodeH264,
           [&](V v) {
             v.is_decoder = false;
             v.encode.dstBuffer =
                 MakeBitstream(v, kBitstream, VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR, false);
           }},
          {"pEncodeInfo-08201", kEncodeH264,
           [&](V v) {
             v.profile.lumaBitDepth = 4, v.encode.dstBuffer = MakeBitstream(v, kBitstream), v.profile.lumaBitDepth = 1;
           }},
          {"commandBuffer-08202", kEncodeH264,
           [&](V v) { v.encode.dstBuffer = MakeBitstream(v, kBitstream, VK_BUFFER_CREATE_PROTECTED_BIT); }},
          {"commandBuffer-08203", kEncodeH264,
           [&](V v) { SetProtected(v, kBitstream), v.encode.dstBuffer = MakeBitstream(v, kBitstream); }},
          {"pEncodeInfo-08204", kEncodeH264, [](V v) { v.encode.dstBufferOffset = 8, v.encode.dstBufferRange = 48; }},
          {"pEncodeInfo-08205", kEncodeH264, [](V v) { v.encode.dstBufferRange = 56; }},
          {"pEncodeInfo-08206", kEncodeH264,
           [&](V v) { v.profile.lumaBitDepth = 4, SetInput(v, kInput), v.profile.lumaBitDepth = 1; }},
          {"pEncodeInfo-08207", kEncodeH264, [&](V v) { SetInput(v, kInput, VK_FORMAT_R8G8_UNORM); }},
          {"pEncodeInfo-08208", kEncodeH264, [](V v) { v.encode.srcPictureResource.codedOffset.x = 16; }},
          {"pEncodeInfo-08209", kEncodeH264, [](V v) { v.encode.srcPictureResource.codedExtent.width = 80; }},
          {"pEncodeInfo-08210", kEncodeH264, [&](V v) { SetInput(v, kReference); }},
          {"commandBuffer-08211", kEncodeH264,
           [&](V v) { SetInput(v, kInput, kPictureFormat, VK_IMAGE_CREATE_PROTECTED_BIT); }},
          {"None-08318", kEncodeH264,
           [](V v) {
             v.control.flags = VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR;
             v.Chain<VkVideoEncodeQualityLevelInfoKHR>(v.control).qualityLevel = 1;
           }},
      });
}

TEST_F(EncodingTest, References) {
  const auto no_picture = [](V v) { v.encode.pNext = nullptr; };
  const auto no_setup = [](V v) { v.setup.pNext = nullptr; };
  const auto no_reference = [](V v) { v.references[0].pNext = nullptr; };
  Run(kEncode,
      {
          {"pEncodeInfo-08377", kEncodeH264, [](V v) { v.encode.pSetupReferenceSlot = nullptr; }},
          {"pEncodeInfo-08213", kEncodeH264, [](V v) { v.setup.slotIndex = 3; }},
          {"pEncodeInfo-08214", kEncodeH264,
           [&](V v) { v.setup.pPictureResource = Unbound(v), other_.codedOffset.x = 16; }},
          {"pEncodeInfo-08215", kEncodeH264, [&](V v) { v.setup.pPictureResource = Unbound(v); }},
          {"activeReferencePictureCount-08216", kEncodeH264,
           [](V v) { v.session.maxActiveReferencePictures = 1, SetTwoReferences(v, 2); }},
          {"", kEncodeH264, [](V v) { SetTwoReferences(v, 2); }},
          {"slotIndex-08217", kEncodeH264, [](V v) { v.references[0].slotIndex = 3, v.h264_lists.RefPicList0[0] = 3; }},
          {"codedOffset-08218", kEncodeH264,
           [&](V v) { v.references[0].pPictureResource = Unbound(v), other_.codedOffset.x = 16; }},
          {"pPictureResource-08219", kEncodeH264, [&](V v) { v.references[0].pPictureResource = Unbound(v); }},
          {"pPictureResource-08220 pPictureResource-08219", kEncodeH264,
           [](V v) { SetTwoReferences(v, 2), v.references[1].pPictureResource = &v.pictures[0]; }},
          {"dpbFrameUseCount-08221", kEncodeH264, [](V v) { SetTwoReferences(v, 0); }},
          {"pNext-08225", kEncodeH264, no_picture},
          {"pNext-08230", kEncodeH265, no_picture},
          {"pNext-10317", kEncodeAv1, no_picture},
          {"pEncodeInfo-08228", kEncodeH264, no_setup},
          {"pEncodeInfo-08234", kEncodeH265, no_setup},
          {"pEncodeInfo-10318", kEncodeAv1, no_setup},
          {"pNext-08229", kEncodeH264, no_reference},
          {"pNext-08235", kEncodeH265, no_reference},
          {"pNext-10319", kEncodeAv1, no_reference},
      });
}

TEST_F(EncodingTest, QuantizationMaps) {
  Run(kEncode,
      {
          {"", kEncodeH264, [&](V v) { SetMap(v); }},
          {"pEncodeInfo-10306", kEncodeH264,
           [&](V v) { SetMap(v), v.session.flags = VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_EMPHASIS_MAP_BIT_KHR; }},
          {"pEncodeInfo-10307", kEncodeH264,
           [&](V v) {
             SetEmphasis(v, kEmphasis);
             v.session.flags = VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
           }},
          {"", kEncodeH264, [&](V v) { SetEmphasis(v, kEmphasis); }},
          {"pEncodeInfo-10308", kEncodeH264, [&](V v) { SetEmphasis(v, kEmphasis), v.control.flags = 0; }},
          {"pEncodeInfo-10309", kEncodeH264, [&](V v) { SetMap(v).quantizationMap = VK_NULL_HANDLE; }},
          {"pEncodeInfo-10310", kEncodeH264,
           [&](V v) { v.profile.lumaBitDepth = 4, SetMap(v), v.profile.lumaBitDepth = 1; }},
          {"pEncodeInfo-10311", kEncodeH264, [&](V v) { SetMap(v, kEmphasis); }},
          {"pEncodeInfo-10312", kEncodeH264, [&](V v) { SetEmphasis(v, kDelta); }},
          {"pNext-10313", kEncodeH264, [&](V v) { SetMap(v, kDelta, VK_IMAGE_CREATE_PROTECTED_BIT); }},
          {"pNext-10315", kEncodeH264, [&](V v) { SetMap(v), v.parameters.flags = 0; }},
          {"pNext-10316", kEncodeH264, [&](V v) { SetMap(v).quantizationMapExtent.width = 5; }},
          {"VkVideoEncodeQuantizationMapInfoKHR-quantizationMapExtent-10352 pNext-10316", kEncodeH264,
           [&](V v) { SetMap(v).quantizationMapExtent.width = 65; }},
          {"VkVideoEncodeQuantizationMapInfoKHR-quantizationMapExtent-10353 pNext-10316", kEncodeH264,
           [&](V v) { SetMap(v).quantizationMapExtent.height = 65; }},
      });
}

TEST_F(EncodingTest, ParameterSets) {
  Run(kEncode,
      {
          {"StdVideoH264SequenceParameterSet-08226 StdVideoH264PictureParameterSet-08227", kEncodeH264,
           [](V v) { v.encode_h264.seq_parameter_set_id = 1; }},
          {"StdVideoH264PictureParameterSet-08227", kEncodeH264, [](V v) { v.encode_h264.pic_parameter_set_id = 1; }},
          {"StdVideoH265VideoParameterSet-08231 StdVideoH265SequenceParameterSet-08232 "
           "StdVideoH265PictureParameterSet-08233",
           kEncodeH265, [](V v) { v.encode_h265.sps_video_parameter_set_id = 1; }},
          {"StdVideoH265SequenceParameterSet-08232 StdVideoH265PictureParameterSet-08233", kEncodeH265,
           [](V v) { v.encode_h265.pps_seq_parameter_set_id = 1; }},
          {"StdVideoH265PictureParameterSet-08233", kEncodeH265,
           [](V v) { v.encode_h265.pps_pic_parameter_set_id = 1; }},
      });
}

TEST_F(EncodingTest, H264) {
  constexpr auto kP = STD_VIDEO_H264_PICTURE_TYPE_P, kB = STD_VIDEO_H264_PICTURE_TYPE_B;
  const auto small = [](V v, uint32_t slices) {
    v.encode.srcPictureResource.codedExtent = {64, 64};
    v.Picture<H264>().naluSliceEntryCount = slices;
  };
  Run(kEncode,
      {
          {"", kEncodeH264, [](V v) { Disable(v); }},
          {"constantQp-08269", kEncodeH264, [](V v) { v.h264_entries[1].constantQp = 1; }},
          {"constantQp-08270", kEncodeH264, [](V v) { Disable(v), v.h264_entries[1].constantQp = 51; }},
          {"constantQp-08271", kEncodeH264,
           [](V v) {
             Disable(v), v.h264_entries[1].constantQp = 2;
             v.Can<CanH264>().flags &= ~VK_VIDEO_ENCODE_H264_CAPABILITY_PER_SLICE_CONSTANT_QP_BIT_KHR;
           }},
          {"naluSliceEntryCount-08302", kEncodeH264, [&](V v) { small(v, 17); }},
          {"naluSliceEntryCount-08312", kEncodeH264,
           [&](V v) {
             small(v, 5), v.Can<CanH264>().flags &= ~VK_VIDEO_ENCODE_H264_CAPABILITY_ROW_UNALIGNED_SLICE_BIT_KHR;
           }},
          {"VkVideoEncodeH264PictureInfoKHR-naluSliceEntryCount-08301", kEncodeH264,
           [&](V v) { v.Can<CanH264>().maxSliceCount = 1; }},
          {"VkVideoEncodeH264PictureInfoKHR-flags-08304", kEncodeH264,
           [](V v) {
             v.Picture<H264>().generatePrefixNalu = VK_TRUE;
             v.Can<CanH264>().flags &= ~VK_VIDEO_ENCODE_H264_CAPABILITY_GENERATE_PREFIX_NALU_BIT_KHR;
           }},
          {"VkVideoEncodeH264PictureInfoKHR-flags-08315", kEncodeH264,
           [](V v) {
             v.h264_slices[1].slice_type = STD_VIDEO_H264_SLICE_TYPE_I;
             v.Can<CanH264>().flags &= ~VK_VIDEO_ENCODE_H264_CAPABILITY_DIFFERENT_SLICE_TYPE_BIT_KHR;
           }},
          {"VkVideoEncodeH264PictureInfoKHR-flags-08314", kEncodeH264,
           [](V v) {
             v.h264_pps[0].flags.weighted_pred_flag = 1;
             v.Can<CanH264>().flags &= ~VK_VIDEO_ENCODE_H264_CAPABILITY_PREDICTION_WEIGHT_TABLE_GENERATED_BIT_KHR;
           }},
          {"pNext-08352", kEncodeH264, [](V v) { v.encode_h264.pRefLists = nullptr; }},
          {"pNext-08339", kEncodeH264, [](V v) { v.h264_lists.RefPicList1[0] = 2; }},
          {"pNext-08353", kEncodeH264, [](V v) { v.h264_lists.RefPicList0[0] = 0xff; }},
          {"maxPPictureL0ReferenceCount-08340", kEncodeH264,
           [](V v) { v.encode_h264.primary_pic_type = kP, v.Can<CanH264>().maxPPictureL0ReferenceCount = 0; }},
          {"maxBPictureL0ReferenceCount-08341", kEncodeH264,
           [](V v) {
             v.encode_h264.primary_pic_type = kB;
             v.Can<CanH264>().maxBPictureL0ReferenceCount = v.Can<CanH264>().maxL1ReferenceCount = 0;
           }},
          {"flags-08342", kEncodeH264,
           [](V v) {
             v.encode_h264_reference.primary_pic_type = kB;
             v.Can<CanH264>().flags &= ~VK_VIDEO_ENCODE_H264_CAPABILITY_B_FRAME_IN_L0_LIST_BIT_KHR;
           }},
          {"flags-08343", kEncodeH264,
           [](V v) {
             v.encode_h264_reference.primary_pic_type = kB, v.h264_lists.RefPicList1[0] = 0;
             v.Can<CanH264>().flags &= ~VK_VIDEO_ENCODE_H264_CAPABILITY_B_FRAME_IN_L1_LIST_BIT_KHR;
           }},
      });
}

TEST_F(EncodingTest, H265) {
  constexpr auto kP = STD_VIDEO_H265_PICTURE_TYPE_P, kB = STD_VIDEO_H265_PICTURE_TYPE_B;
  const auto set_tiles = [](V v, uint8_t columns) {
    v.h265_pps[0].flags.tiles_enabled_flag = 1;
    v.h265_pps[0].num_tile_columns_minus1 = columns - 1, v.h265_pps[0].num_tile_rows_minus1 = 1;
  };
  Run(kEncode,
      {
          {"", kEncodeH265, [](V v) { Disable(v); }},
          {"constantQp-08272", kEncodeH265, [](V v) { v.h265_entries[1].constantQp = 1; }},
          {"constantQp-08273", kEncodeH265, [](V v) { Disable(v), v.h265_entries[1].constantQp = 51; }},
          {"constantQp-08274", kEncodeH265,
           [](V v) {
             Disable(v), v.h265_entries[1].constantQp = 2;
             v.Can<CanH265>().flags &= ~VK_VIDEO_ENCODE_H265_CAPABILITY_PER_SLICE_SEGMENT_CONSTANT_QP_BIT_KHR;
           }},
          {"naluSliceSegmentEntryCount-08307", kEncodeH265,
           [](V v) { v.Picture<H265>().naluSliceSegmentEntryCount = 17; }},
          {"naluSliceSegmentEntryCount-08313", kEncodeH265,
           [](V v) {
             v.Picture<H265>().naluSliceSegmentEntryCount = 5;
             v.Can<CanH265>().flags &= ~VK_VIDEO_ENCODE_H265_CAPABILITY_ROW_UNALIGNED_SLICE_SEGMENT_BIT_KHR;
           }},
          {"VkVideoEncodeH265PictureInfoKHR-naluSliceSegmentEntryCount-08306", kEncodeH265,
           [](V v) { v.Can<CanH265>().maxSliceSegmentCount = 1; }},
          {"VkVideoEncodeH265PictureInfoKHR-flags-08323", kEncodeH265,
           [&](V v) {
             set_tiles(v, 2);
             v.Can<CanH265>().flags &= ~VK_VIDEO_ENCODE_H265_CAPABILITY_MULTIPLE_TILES_PER_SLICE_SEGMENT_BIT_KHR;
           }},
          {"VkVideoEncodeH265PictureInfoKHR-flags-08324", kEncodeH265,
           [](V v) {
             v.Can<CanH265>().flags &= ~VK_VIDEO_ENCODE_H265_CAPABILITY_MULTIPLE_SLICE_SEGMENTS_PER_TILE_BIT_KHR;
           }},
          {"VkVideoEncodeH265PictureInfoKHR-flags-08317", kEncodeH265,
           [](V v) {
             v.h265_slices[1].slice_type = STD_VIDEO_H265_SLICE_TYPE_I;
             v.Can<CanH265>().flags &= ~VK_VIDEO_ENCODE_H265_CAPABILITY_DIFFERENT_SLICE_SEGMENT_TYPE_BIT_KHR;
           }},
          {"VkVideoEncodeH265PictureInfoKHR-flags-08316", kEncodeH265,
           [](V v) {
             v.h265_pps[0].flags.weighted_bipred_flag = 1;
             v.Can<CanH265>().flags &= ~VK_VIDEO_ENCODE_H265_CAPABILITY_PREDICTION_WEIGHT_TABLE_GENERATED_BIT_KHR;
           }},
          {"pNext-08354", kEncodeH265, [](V v) { v.encode_h265.pRefLists = nullptr; }},
          {"pNext-08344", kEncodeH265, [](V v) { v.h265_lists.RefPicList1[0] = 2; }},
          {"pNext-08355", kEncodeH265, [](V v) { v.h265_lists.RefPicList0[0] = 0xff; }},
          {"maxPPictureL0ReferenceCount-08345", kEncodeH265,
           [](V v) { v.encode_h265.pic_type = kP, v.Can<CanH265>().maxPPictureL0ReferenceCount = 0; }},
          {"maxBPictureL0ReferenceCount-08346", kEncodeH265,
           [](V v) {
             v.encode_h265.pic_type = kB;
             v.Can<CanH265>().maxBPictureL0ReferenceCount = v.Can<CanH265>().maxL1ReferenceCount = 0;
           }},
          {"flags-08347", kEncodeH265,
           [](V v) {
             v.encode_h265_reference.pic_type = kB;
             v.Can<CanH265>().flags &= ~VK_VIDEO_ENCODE_H265_CAPABILITY_B_FRAME_IN_L0_LIST_BIT_KHR;
           }},
          {"flags-08348", kEncodeH265,
           [](V v) {
             v.encode_h265_reference.pic_type = kB, v.h265_lists.RefPicList1[0] = 0;
             v.Can<CanH265>().flags &= ~VK_VIDEO_ENCODE_H265_CAPABILITY_B_FRAME_IN_L1_LIST_BIT_KHR;
           }},
      });
}

TEST_F(EncodingTest, Av1) {
  constexpr auto kIntra = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR;
  constexpr auto kSingle = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_SINGLE_REFERENCE_KHR;
  constexpr auto kOneWay = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_UNIDIRECTIONAL_COMPOUND_KHR;
  constexpr auto kTwoWays = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_BIDIRECTIONAL_COMPOUND_KHR;
  const auto predict = [](VkVideoEncodeAV1PredictionModeKHR mode) {
    return [=](V v) {
      v.Picture<Av1>().predictionMode = mode;
      v.Can<CanAv1>().maxSingleReferenceCount = v.Can<CanAv1>().maxUnidirectionalCompoundReferenceCount =
          v.Can<CanAv1>().maxBidirectionalCompoundReferenceCount = 0;
    };
  };
  const auto refer = [](VkVideoEncodeAV1PredictionModeKHR mode) {
    return [=](V v) {
      v.Picture<Av1>().predictionMode = mode;
      v.Can<CanAv1>().singleReferenceNameMask = v.Can<CanAv1>().unidirectionalCompoundReferenceNameMask =
          v.Can<CanAv1>().bidirectionalCompoundReferenceNameMask = 0;
    };
  };
  const auto lack = [](V v, VkFlags flag) { v.Can<CanAv1>().flags &= ~flag; };
  const auto lack_sizes = [](V v) {
    v.Can<CanAv1>().flags &= ~VK_VIDEO_ENCODE_AV1_CAPABILITY_FRAME_SIZE_OVERRIDE_BIT_KHR;
  };
  Run(kEncode,
      {
          {"", kEncodeAv1, [](V v) { Disable(v), v.Picture<Av1>().constantQIndex = 1; }},
          {"", kEncodeAv1, [](V v) { v.Picture<Av1>().predictionMode = kOneWay; }},
          {"", kEncodeAv1, [](V v) { v.Picture<Av1>().predictionMode = kTwoWays; }},
          {"constantQIndex-10320", kEncodeAv1, [](V v) { v.Picture<Av1>().constantQIndex = 1; }},
          {"constantQIndex-10321", kEncodeAv1, [](V v) { Disable(v), v.Picture<Av1>().constantQIndex = 51; }},
          {"flags-10322", kEncodeAv1, [&](V v) { lack_sizes(v), v.encode_av1.flags.frame_size_override_flag = 1; }},
          {"flags-10323", kEncodeAv1, [&](V v) { lack_sizes(v), v.av1_header.max_frame_width_minus_1 = 31; }},
          {"flags-10324", kEncodeAv1, [&](V v) { lack_sizes(v), v.av1_header.max_frame_height_minus_1 = 31; }},
          {"flags-10325", kEncodeAv1,
           [&](V v) {
             lack(v, VK_VIDEO_ENCODE_AV1_CAPABILITY_MOTION_VECTOR_SCALING_BIT_KHR);
             v.pictures[0].codedExtent.width = 32;
           }},
          {"predictionMode-10326", kEncodeAv1, [](V v) { v.Picture<Av1>().predictionMode = kIntra; }},
          {"pStdPictureInfo-10327", kEncodeAv1, [](V v) { v.encode_av1.frame_type = STD_VIDEO_AV1_FRAME_TYPE_KEY; }},
          {"maxSingleReferenceCount-10328", kEncodeAv1, predict(kSingle)},
          {"predictionMode-10329", kEncodeAv1, refer(kSingle)},
          {"maxUnidirectionalCompoundReferenceCount-10330", kEncodeAv1, predict(kOneWay)},
          {"predictionMode-10331", kEncodeAv1, refer(kOneWay)},
          {"maxBidirectionalCompoundReferenceCount-10332", kEncodeAv1, predict(kTwoWays)},
          {"predictionMode-10333", kEncodeAv1, refer(kTwoWays)},
          {"referenceNameSlotIndices-10334", kEncodeAv1, [](V v) { v.Picture<Av1>().referenceNameSlotIndices[1] = 2; }},
          {"slotIndex-10335 predictionMode-10329", kEncodeAv1,
           [](V v) {
             std::ranges::fill(v.Picture<Av1>().referenceNameSlotIndices, -1), v.encode_av1.primary_ref_frame = 7;
           }},
          {"pExtensionHeader-10336", kEncodeAv1, [](V v) { v.av1_extensions[0].temporal_id = 2; }},
          {"pExtensionHeader-10337", kEncodeAv1, [](V v) { v.av1_extensions[0].spatial_id = 2; }},
          {"pEncodeInfo-10338", kEncodeAv1, [](V v) { v.encode_av1.pExtensionHeader = nullptr; }},
          {"pEncodeInfo-10339", kEncodeAv1,
           [](V v) { v.encode_av1.pExtensionHeader = &v.av1_extensions[1], v.av1_extensions[1].temporal_id = 1; }},
          {"pEncodeInfo-10340", kEncodeAv1,
           [](V v) { v.encode_av1.pExtensionHeader = &v.av1_extensions[1], v.av1_extensions[1].spatial_id = 1; }},
          {"pExtensionHeader-10341", kEncodeAv1, [](V v) { v.av1_extensions[1].temporal_id = 2; }},
          {"pExtensionHeader-10342", kEncodeAv1, [](V v) { v.av1_extensions[1].spatial_id = 2; }},
          {"pTileInfo-10343", kEncodeAv1, [](V v) { v.av1_tiles.TileCols = 0; }},
          {"pTileInfo-10344", kEncodeAv1, [](V v) { v.av1_tiles.TileRows = 0; }},
          {"pTileInfo-10345", kEncodeAv1, [](V v) { v.av1_tiles.TileCols = 3; }},
          {"pTileInfo-10346", kEncodeAv1, [](V v) { v.av1_tiles.TileRows = 3; }},
          {"pTileInfo-10347", kEncodeAv1, [](V v) { v.Can<CanAv1>().maxTileSize.width = 63; }},
          {"pTileInfo-10348", kEncodeAv1, [](V v) { v.Can<CanAv1>().minTileSize.height = 65; }},
          {"pStdPictureInfo-10349", kEncodeAv1, [](V v) { v.encode_av1.flags.segmentation_enabled = 1; }},
          {"pStdPictureInfo-10350", kEncodeAv1, [](V v) { v.encode_av1.pSegmentation = &v.av1_segmentation; }},
          {"VkVideoEncodeAV1PictureInfoKHR-flags-10289", kEncodeAv1,
           [&](V v) {
             lack(v, VK_VIDEO_ENCODE_AV1_CAPABILITY_PRIMARY_REFERENCE_CDF_ONLY_BIT_KHR);
             v.Picture<Av1>().primaryReferenceCdfOnly = VK_TRUE;
           }},
          {"VkVideoEncodeAV1PictureInfoKHR-flags-10292", kEncodeAv1,
           [&](V v) {
             lack(v, VK_VIDEO_ENCODE_AV1_CAPABILITY_GENERATE_OBU_EXTENSION_HEADER_BIT_KHR);
             v.Picture<Av1>().generateObuExtensionHeader = VK_TRUE;
           }},
      });
}

}  // namespace
}  // namespace assay::core
