// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What only vkCmdDecodeVideoKHR has.

#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/video/coding.h"
#include "core/video/parameter_set_use.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::Vuid;
using vk::VuidIndex;

// The parameter sets of the command.
ParameterSetUse SetsOf(const Decoding& decoding) {
  return {decoding.check, decoding.parameters, decoding.scope.parameters != VK_NULL_HANDLE, decoding.where};
}

// Offsets into the bitstream buffer, from srcBufferOffset on.
void RequireInRange(const Decoding& decoding, const uint32_t* offsets, uint32_t count, VuidIndex rule) {
  const VkDeviceSize range = decoding.info.srcBufferRange;
  for (uint32_t i = 0; offsets != nullptr && i < count; ++i)
    if (!decoding.check.Require(
            offsets[i] < range, rule, decoding.where,
            absl::StrCat("has an offset (", offsets[i], ") that is not less than srcBufferRange (", range, ").")))
      return;
}

// Which pictures are frames, and which are fields.
void CheckFields(const Decoding& decoding, const StdVideoDecodeH264PictureInfoFlags& output) {
  const CodingCommand& check = decoding.check;
  const Location& where = decoding.where;
  const auto* const setup = decoding.info.pSetupReferenceSlot;
  const Location of_setup = where.Dot("pSetupReferenceSlot");
  // A picture with both flags may be either.
  const auto is_field = [](Field field) { return field == Field::kTop || field == Field::kBottom; };
  if (check.session.profile.codec[1] == VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_PROGRESSIVE_KHR) {
    constexpr std::string_view kText = "is a field, but the session has no interlaced frames.";
    check.Require(output.field_pic_flag == 0, Vuid("VUID-vkCmdDecodeVideoKHR-None-07258"), where, kText);
    check.Require(setup == nullptr || !is_field(FieldOf(*setup)), Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07259"),
                  of_setup, kText);
    const auto slots = SlotsOf(decoding.info);
    for (uint32_t i = 0; i < slots.size(); ++i)
      check.Require(!is_field(FieldOf(slots[i])), Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07260"),
                    where.Dot("pReferenceSlots", i), kText);
    return;
  }
  if (setup == nullptr) return;
  constexpr std::string_view kText = "is not of the same kind as the decode output picture.";
  const Field field = FieldOf(*setup);
  if (output.field_pic_flag == 0) {
    check.Require(!is_field(field), Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07261"), of_setup, kText);
  } else if (output.bottom_field_flag == 0) {
    check.Require(field == Field::kTop || field == Field::kBoth, Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07262"),
                  of_setup, kText);
  } else {
    check.Require(field == Field::kBottom || field == Field::kBoth, Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07263"),
                  of_setup, kText);
  }
}

bool HasFilmGrain(const DecodeAV1::Picture& picture) {
  return picture.pStdPictureInfo != nullptr && picture.pStdPictureInfo->flags.apply_grain != 0;
}

}  // namespace

void CheckCodec(const Decoding& decoding, const DecodeH264::Picture& picture) {
  RequireInRange(decoding, picture.pSliceOffsets, picture.sliceCount,
                 Vuid("VUID-vkCmdDecodeVideoKHR-pSliceOffsets-07153"));
  const StdVideoDecodeH264PictureInfo* const std_info = picture.pStdPictureInfo;
  if (std_info == nullptr) return;
  CheckFields(decoding, std_info->flags);
  const ParameterSetUse sets = SetsOf(decoding);
  const auto* const own = sets.Inline<VkVideoDecodeH264InlineSessionParametersInfoKHR>(decoding.info.pNext);
  const auto* const sps = own != nullptr ? own->pStdSPS : nullptr;
  const auto* const pps = own != nullptr ? own->pStdPPS : nullptr;
  if (!sets.RequireParameters(sps != nullptr && pps != nullptr, Vuid("VUID-vkCmdDecodeVideoKHR-None-10400"))) return;
  sets.Require(ParameterSets::kSps, vk::ParameterSetKey(std_info->seq_parameter_set_id), sps,
               Vuid("VUID-vkCmdDecodeVideoKHR-StdVideoH264SequenceParameterSet-07154"),
               Vuid("VUID-vkCmdDecodeVideoKHR-pNext-10401"));
  sets.Require(ParameterSets::kPps, vk::ParameterSetKey(std_info->seq_parameter_set_id, std_info->pic_parameter_set_id),
               pps, Vuid("VUID-vkCmdDecodeVideoKHR-StdVideoH264PictureParameterSet-07155"),
               Vuid("VUID-vkCmdDecodeVideoKHR-pNext-10402"));
}

void CheckCodec(const Decoding& decoding, const DecodeH265::Picture& picture) {
  RequireInRange(decoding, picture.pSliceSegmentOffsets, picture.sliceSegmentCount,
                 Vuid("VUID-vkCmdDecodeVideoKHR-pSliceSegmentOffsets-07159"));
  const StdVideoDecodeH265PictureInfo* const std_info = picture.pStdPictureInfo;
  if (std_info == nullptr) return;
  const ParameterSetUse sets = SetsOf(decoding);
  const auto* const own = sets.Inline<VkVideoDecodeH265InlineSessionParametersInfoKHR>(decoding.info.pNext);
  const auto* const vps = own != nullptr ? own->pStdVPS : nullptr;
  const auto* const sps = own != nullptr ? own->pStdSPS : nullptr;
  const auto* const pps = own != nullptr ? own->pStdPPS : nullptr;
  const bool is_complete = vps != nullptr && sps != nullptr && pps != nullptr;
  if (!sets.RequireParameters(is_complete, Vuid("VUID-vkCmdDecodeVideoKHR-None-10403"))) return;
  const uint8_t of_vps = std_info->sps_video_parameter_set_id, of_sps = std_info->pps_seq_parameter_set_id;
  sets.Require(ParameterSets::kVps, vk::ParameterSetKey(of_vps), vps,
               Vuid("VUID-vkCmdDecodeVideoKHR-StdVideoH265VideoParameterSet-07160"),
               Vuid("VUID-vkCmdDecodeVideoKHR-pNext-10404"));
  sets.Require(ParameterSets::kSps, vk::ParameterSetKey(of_vps, of_sps), sps,
               Vuid("VUID-vkCmdDecodeVideoKHR-StdVideoH265SequenceParameterSet-07161"),
               Vuid("VUID-vkCmdDecodeVideoKHR-pNext-10405"));
  sets.Require(ParameterSets::kPps, vk::ParameterSetKey(of_vps, of_sps, std_info->pps_pic_parameter_set_id), pps,
               Vuid("VUID-vkCmdDecodeVideoKHR-StdVideoH265PictureParameterSet-07162"),
               Vuid("VUID-vkCmdDecodeVideoKHR-pNext-10406"));
}

void CheckCodec(const Decoding& decoding, const DecodeAV1::Picture& picture) {
  const CodingCommand& check = decoding.check;
  const Location& where = decoding.where;
  const ParameterSetUse sets = SetsOf(decoding);
  const VkDeviceSize range = decoding.info.srcBufferRange;
  const auto* const own = sets.Inline<VkVideoDecodeAV1InlineSessionParametersInfoKHR>(decoding.info.pNext);
  sets.RequireParameters(own != nullptr && own->pStdSequenceHeader != nullptr,
                         Vuid("VUID-vkCmdDecodeVideoKHR-None-10407"));
  RequireInRange(decoding, &picture.frameHeaderOffset, 1, Vuid("VUID-vkCmdDecodeVideoKHR-frameHeaderOffset-09251"));
  RequireInRange(decoding, picture.pTileOffsets, picture.tileCount,
                 Vuid("VUID-vkCmdDecodeVideoKHR-pTileOffsets-09253"));
  for (uint32_t i = 0; picture.pTileOffsets != nullptr && picture.pTileSizes != nullptr && i < picture.tileCount; ++i) {
    const VkDeviceSize offset = picture.pTileOffsets[i];
    if (!check.Require(offset >= range || offset + picture.pTileSizes[i] <= range,
                       Vuid("VUID-vkCmdDecodeVideoKHR-pTileOffsets-09252"), where,
                       absl::StrCat("has a tile that ends after srcBufferRange (", range, ").")))
      break;
  }
  const bool supports_grain = check.session.profile.codec[1] == VK_TRUE;
  check.Require(supports_grain || !HasFilmGrain(picture), Vuid("VUID-vkCmdDecodeVideoKHR-filmGrainSupport-09248"),
                where, "has film grain, which the session does not support.");
  check.CheckNames(picture.referenceNameSlotIndices, SlotsOf(decoding.info),
                   Vuid("VUID-vkCmdDecodeVideoKHR-referenceNameSlotIndices-09262"),
                   Vuid("VUID-vkCmdDecodeVideoKHR-slotIndex-09263"), where);
}

void CheckCoincidence(const Decoding& decoding) {
  const CodingCommand& check = decoding.check;
  const VkVideoDecodeInfoKHR& info = decoding.info;
  if (info.pSetupReferenceSlot == nullptr || info.pSetupReferenceSlot->pPictureResource == nullptr) return;
  const VideoPicture output(info.dstPictureResource), setup(*info.pSetupReferenceSlot->pPictureResource);
  if (!output.is_known() || !setup.is_known()) return;
  const bool matches = output.Matches(setup);
  const auto* const av1 = vk::FindInChain<DecodeAV1::Picture>(info.pNext);
  const bool has_grain = check.session.Is(DecodeAV1::kOperation) && av1 != nullptr && HasFilmGrain(*av1);
  const Location at = decoding.where.Dot("dstPictureResource");
  if (matches && has_grain) {
    return check.Error(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-09249"), at,
                       "is the reconstructed picture, but film grain is applied to it.");
  }
  const VkVideoDecodeCapabilityFlagsKHR flags = check.session.can.decode.flags;
  if (flags == 0 || has_grain) return;
  check.Require(!matches || (flags & VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_COINCIDE_BIT_KHR) != 0,
                Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07140"), at,
                "is the reconstructed picture, which the driver does not support.");
  check.Require(matches || (flags & VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_DISTINCT_BIT_KHR) != 0,
                Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07141"), at,
                "is not the reconstructed picture, which the driver does not support.");
}

}  // namespace assay::core
