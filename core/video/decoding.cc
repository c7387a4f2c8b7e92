// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// vkCmdDecodeVideoKHR.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/video/coding_command.h"
#include "core/video/parameter_set_use.h"
#include "core/video/video_rules.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::kNoVuid;
using vk::Link;
using vk::Vuid;
using vk::VuidIndex;

constexpr auto kH264 = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR;
constexpr auto kH265 = VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR;
constexpr auto kAv1 = VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR;

constexpr PictureRules kOutput = {
    .offset = Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07144"),
    .extent = Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07145"),
    .format = Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07143"),
    .profile = Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07142"),
    .usage = Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07146"),
    .unprotected = Vuid("VUID-vkCmdDecodeVideoKHR-commandBuffer-07147"),
    .is_protected = Vuid("VUID-vkCmdDecodeVideoKHR-commandBuffer-07148"),
};
constexpr CodingCommand::QueryRules kQueries = {
    Vuid("VUID-vkCmdDecodeVideoKHR-pNext-08365"), Vuid("VUID-vkCmdDecodeVideoKHR-queryType-08367"),
    Vuid("VUID-vkCmdDecodeVideoKHR-queryPool-08368"), Vuid("VUID-vkCmdDecodeVideoKHR-queryType-08369")};
// Of the command, of the slot that it sets up, and of the slots that it refers to.
constexpr vk::CodecLink kPictureLinks[] = {
    Link<DecodeH264::Picture>(kH264, Vuid("VUID-vkCmdDecodeVideoKHR-pNext-07152")),
    Link<DecodeH265::Picture>(kH265, Vuid("VUID-vkCmdDecodeVideoKHR-pNext-07158")),
    Link<DecodeAV1::Picture>(kAv1, Vuid("VUID-vkCmdDecodeVideoKHR-pNext-09250")),
};
constexpr vk::CodecLink kSetupLinks[] = {
    Link<DecodeH264::Slot>(kH264, Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07156")),
    Link<DecodeH265::Slot>(kH265, Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07163")),
    Link<DecodeAV1::Slot>(kAv1, Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-09254")),
};
constexpr vk::CodecLink kSlotLinks[] = {
    Link<DecodeH264::Slot>(kH264, Vuid("VUID-vkCmdDecodeVideoKHR-pNext-07157")),
    Link<DecodeH265::Slot>(kH265, Vuid("VUID-vkCmdDecodeVideoKHR-pNext-07164")),
    Link<DecodeAV1::Slot>(kAv1, Vuid("VUID-vkCmdDecodeVideoKHR-pNext-09255")),
};
constexpr ReferenceRules kReferences = {
    .no_setup = Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-08376"),
    .setup_slot = Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07170"),
    .setup_offset = Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07173"),
    .setup_bound = Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07149"),
    .count = Vuid("VUID-vkCmdDecodeVideoKHR-activeReferencePictureCount-07150"),
    .slot = Vuid("VUID-vkCmdDecodeVideoKHR-slotIndex-07256"),
    .offset = Vuid("VUID-vkCmdDecodeVideoKHR-codedOffset-07257"),
    .bound = Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07151"),
    .unique = Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07264"),
    .uses = {Vuid("VUID-vkCmdDecodeVideoKHR-dpbFrameUseCount-07176"),
             Vuid("VUID-vkCmdDecodeVideoKHR-dpbTopFieldUseCount-07177"),
             Vuid("VUID-vkCmdDecodeVideoKHR-dpbBottomFieldUseCount-07178")},
    .setup_links = kSetupLinks,
    .slot_links = kSlotLinks,
};

// Offsets into the bitstream buffer, from srcBufferOffset on.
void RequireInRange(const CodingCommand& check, const uint32_t* offsets, uint32_t count, VkDeviceSize range,
                    VuidIndex rule, const Location& where) {
  for (uint32_t i = 0; offsets != nullptr && i < count; ++i)
    if (!check.Require(
            offsets[i] < range, rule, where,
            absl::StrCat("has an offset (", offsets[i], ") that is not less than srcBufferRange (", range, ").")))
      return;
}

// Which pictures are frames, and which are fields.
void CheckFields(const CodingCommand& check, const VkVideoDecodeInfoKHR& info,
                 const StdVideoDecodeH264PictureInfoFlags& output, const Location& where) {
  const auto* const setup = info.pSetupReferenceSlot;
  const Location of_setup = where.Dot("pSetupReferenceSlot");
  // A picture with both flags may be either.
  const auto is_field = [](Field field) { return field == Field::kTop || field == Field::kBottom; };
  if (check.session.profile.codec[1] == VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_PROGRESSIVE_KHR) {
    constexpr std::string_view kText = "is a field, but the session has no interlaced frames.";
    check.Require(output.field_pic_flag == 0, Vuid("VUID-vkCmdDecodeVideoKHR-None-07258"), where, kText);
    check.Require(setup == nullptr || !is_field(FieldOf(*setup)), Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07259"),
                  of_setup, kText);
    const auto slots = SlotsOf(info);
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

void CheckCodec(const CodingCommand& check, const VkVideoDecodeInfoKHR& info, const DecodeH264::Picture& picture,
                const ParameterSetUse& sets, const Location& where) {
  RequireInRange(check, picture.pSliceOffsets, picture.sliceCount, info.srcBufferRange,
                 Vuid("VUID-vkCmdDecodeVideoKHR-pSliceOffsets-07153"), where);
  const StdVideoDecodeH264PictureInfo* const std_info = picture.pStdPictureInfo;
  if (std_info == nullptr) return;
  CheckFields(check, info, std_info->flags, where);
  const auto* const own = sets.Inline<VkVideoDecodeH264InlineSessionParametersInfoKHR>(info.pNext);
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

void CheckCodec(const CodingCommand& check, const VkVideoDecodeInfoKHR& info, const DecodeH265::Picture& picture,
                const ParameterSetUse& sets, const Location& where) {
  RequireInRange(check, picture.pSliceSegmentOffsets, picture.sliceSegmentCount, info.srcBufferRange,
                 Vuid("VUID-vkCmdDecodeVideoKHR-pSliceSegmentOffsets-07159"), where);
  const StdVideoDecodeH265PictureInfo* const std_info = picture.pStdPictureInfo;
  if (std_info == nullptr) return;
  const auto* const own = sets.Inline<VkVideoDecodeH265InlineSessionParametersInfoKHR>(info.pNext);
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

bool HasFilmGrain(const DecodeAV1::Picture& picture) {
  return picture.pStdPictureInfo != nullptr && picture.pStdPictureInfo->flags.apply_grain != 0;
}

void CheckCodec(const CodingCommand& check, const VkVideoDecodeInfoKHR& info, const DecodeAV1::Picture& picture,
                const ParameterSetUse& sets, const Location& where) {
  const VkDeviceSize range = info.srcBufferRange;
  const auto* const own = sets.Inline<VkVideoDecodeAV1InlineSessionParametersInfoKHR>(info.pNext);
  sets.RequireParameters(own != nullptr && own->pStdSequenceHeader != nullptr,
                         Vuid("VUID-vkCmdDecodeVideoKHR-None-10407"));
  RequireInRange(check, &picture.frameHeaderOffset, 1, range, Vuid("VUID-vkCmdDecodeVideoKHR-frameHeaderOffset-09251"),
                 where);
  RequireInRange(check, picture.pTileOffsets, picture.tileCount, range,
                 Vuid("VUID-vkCmdDecodeVideoKHR-pTileOffsets-09253"), where);
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
  check.CheckNames(picture.referenceNameSlotIndices, SlotsOf(info),
                   Vuid("VUID-vkCmdDecodeVideoKHR-referenceNameSlotIndices-09262"),
                   Vuid("VUID-vkCmdDecodeVideoKHR-slotIndex-09263"), where);
}

// The output picture and that of the slot that is set up: one picture, or two.
void CheckCoincidence(const CodingCommand& check, const VkVideoDecodeInfoKHR& info, const Location& where) {
  if (info.pSetupReferenceSlot == nullptr || info.pSetupReferenceSlot->pPictureResource == nullptr) return;
  const VideoPicture output(info.dstPictureResource), setup(*info.pSetupReferenceSlot->pPictureResource);
  if (!output.is_known() || !setup.is_known()) return;
  const bool matches = output.Matches(setup);
  const auto* const av1 = vk::FindInChain<DecodeAV1::Picture>(info.pNext);
  const bool has_grain = check.session.Is(kAv1) && av1 != nullptr && HasFilmGrain(*av1);
  const Location at = where.Dot("dstPictureResource");
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

}  // namespace

void VideoRules::PreCallValidate(const vk::CmdDecodeVideoKHR& call, dispatch::Slot& slot, Report& report) const {
  auto* const scope = ScopeOf(slot);
  if (scope == nullptr || call.pDecodeInfo == nullptr) return;
  const VkVideoDecodeInfoKHR& info = *call.pDecodeInfo;
  const VideoSession& session = *scope->session;
  const CodingCommand check(device_, noted_, *state::DeviceState::CommandBufferIn(slot), session, report);
  const Location command = report.location();
  const Location where = command.Dot("pDecodeInfo");
  if (session.Is(vk::kEncodes))
    return check.Error(Vuid("VUID-vkCmdDecodeVideoKHR-None-08249"), command, "The video session encodes.");
  check.CheckBitstream(
      info.srcBuffer, info.srcBufferOffset, info.srcBufferRange,
      {Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07135"), Vuid("VUID-vkCmdDecodeVideoKHR-commandBuffer-07136"),
       kNoVuid, Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07138"), Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07139")},
      "src", where);
  check.CheckActiveQuery(*scope, Vuid("VUID-vkCmdDecodeVideoKHR-opCount-07134"), command);
  const uint32_t family = check.buffer.pool.queue_family;
  check.CheckInlineQuery(info.pNext, kQueries,
                         family < families_.size() ? families_[family].has_status_queries : std::nullopt, where);
  check.CheckPicture(VideoPicture(info.dstPictureResource), kOutput, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR,
                     session.info.pictureFormat, where.Dot("dstPictureResource"));
  CheckCoincidence(check, info, where);
  check.CheckReferences(info.pSetupReferenceSlot, SlotsOf(info), *scope, kReferences, where);
  check.RequireLinks(kPictureLinks, info.pNext, where);
  const auto parameters = noted_.Parameters(scope->parameters);
  const ParameterSetUse sets = {check, parameters.get(), scope->parameters != VK_NULL_HANDLE, where};
  WithCodec(session.profile.operation, [&]<class Codec>(Codec) {
    const auto* const picture = vk::FindInChain<typename Codec::Picture>(info.pNext);
    if constexpr (requires { CheckCodec(check, info, *picture, sets, where); })
      if (picture != nullptr) CheckCodec(check, info, *picture, sets, where);
  });
}

}  // namespace assay::core
