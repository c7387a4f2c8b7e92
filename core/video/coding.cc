// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What vkCmdDecodeVideoKHR and vkCmdEncodeVideoKHR have in common.

#include "core/video/coding.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>

#include "core/video/video_rules.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::kNoVuid;
using vk::Vuid;
using vk::VuidIndex;

// What the chains of a command, of the slot that it sets up, and of the slots that it refers to must have.
struct CodecLinks {
  vk::CodecLink picture, setup, slot;
};
template <class Codec>
consteval CodecLinks LinksOf(VuidIndex picture, VuidIndex setup, VuidIndex slot) {
  return {vk::Link<typename Codec::Picture>(Codec::kOperation, picture),
          vk::Link<typename Codec::Slot>(Codec::kOperation, setup),
          vk::Link<typename Codec::Slot>(Codec::kOperation, slot)};
}
constexpr CodecLinks kLinks[] = {
    LinksOf<DecodeH264>(Vuid("VUID-vkCmdDecodeVideoKHR-pNext-07152"),
                        Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07156"),
                        Vuid("VUID-vkCmdDecodeVideoKHR-pNext-07157")),
    LinksOf<DecodeH265>(Vuid("VUID-vkCmdDecodeVideoKHR-pNext-07158"),
                        Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07163"),
                        Vuid("VUID-vkCmdDecodeVideoKHR-pNext-07164")),
    LinksOf<DecodeAV1>(Vuid("VUID-vkCmdDecodeVideoKHR-pNext-09250"), Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-09254"),
                       Vuid("VUID-vkCmdDecodeVideoKHR-pNext-09255")),
    LinksOf<EncodeH264>(Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08225"),
                        Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08228"),
                        Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08229")),
    LinksOf<EncodeH265>(Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08230"),
                        Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08234"),
                        Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08235")),
    LinksOf<EncodeAV1>(Vuid("VUID-vkCmdEncodeVideoKHR-pNext-10317"), Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-10318"),
                       Vuid("VUID-vkCmdEncodeVideoKHR-pNext-10319")),
};
consteval std::array<vk::CodecLink, std::size(kLinks)> Each(vk::CodecLink CodecLinks::* link) {
  std::array<vk::CodecLink, std::size(kLinks)> links{};
  for (size_t i = 0; i < links.size(); ++i) links[i] = kLinks[i].*link;
  return links;
}
constexpr auto kPictureLinks = Each(&CodecLinks::picture), kSetupLinks = Each(&CodecLinks::setup),
               kSlotLinks = Each(&CodecLinks::slot);

// Returns the id that is of the command with this structure.
template <class Info>
consteval VuidIndex ByCommand(VuidIndex of_decode, VuidIndex of_encode) {
  return std::is_same_v<Info, VkVideoDecodeInfoKHR> ? of_decode : of_encode;
}

// The rules that both commands have.
template <class Info>
struct CodingRules {
  static constexpr VuidIndex kSession =
      ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-None-08249"), Vuid("VUID-vkCmdEncodeVideoKHR-None-08250"));
  static constexpr VuidIndex kActiveQuery =
      ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-opCount-07134"), Vuid("VUID-vkCmdEncodeVideoKHR-opCount-07174"));
  static constexpr CodingCommand::BitstreamRules kBitstream = {
      .profile = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07135"),
                                 Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08201")),
      .unprotected = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-commandBuffer-07136"),
                                     Vuid("VUID-vkCmdEncodeVideoKHR-commandBuffer-08202")),
      .is_protected = ByCommand<Info>(kNoVuid, Vuid("VUID-vkCmdEncodeVideoKHR-commandBuffer-08203")),
      .offset = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07138"),
                                Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08204")),
      .range = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07139"),
                               Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08205")),
  };
  static constexpr CodingCommand::QueryRules kInlineQuery = {
      .count =
          ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pNext-08365"), Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08360")),
      .type = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-queryType-08367"),
                              Vuid("VUID-vkCmdEncodeVideoKHR-queryType-08362")),
      .profile = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-queryPool-08368"),
                                 Vuid("VUID-vkCmdEncodeVideoKHR-queryPool-08363")),
      .support = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-queryType-08369"),
                                 Vuid("VUID-vkCmdEncodeVideoKHR-queryType-08364")),
  };
  static constexpr PictureRules kPicture = {
      .offset = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07144"),
                                Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08208")),
      .extent = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07145"),
                                Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08209")),
      .format = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07143"),
                                Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08207")),
      .profile = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07142"),
                                 Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08206")),
      .usage = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07146"),
                               Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08210")),
      .unprotected = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-commandBuffer-07147"),
                                     Vuid("VUID-vkCmdEncodeVideoKHR-commandBuffer-08211")),
      .is_protected = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-commandBuffer-07148"), kNoVuid),
  };
  static constexpr ReferenceRules kReferences = {
      .no_setup = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-08376"),
                                  Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08377")),
      .setup_slot = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07170"),
                                    Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08213")),
      .setup_offset = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07173"),
                                      Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08214")),
      .setup_bound = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07149"),
                                     Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08215")),
      .count = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-activeReferencePictureCount-07150"),
                               Vuid("VUID-vkCmdEncodeVideoKHR-activeReferencePictureCount-08216")),
      .slot = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-slotIndex-07256"),
                              Vuid("VUID-vkCmdEncodeVideoKHR-slotIndex-08217")),
      .offset = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-codedOffset-07257"),
                                Vuid("VUID-vkCmdEncodeVideoKHR-codedOffset-08218")),
      .bound = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07151"),
                               Vuid("VUID-vkCmdEncodeVideoKHR-pPictureResource-08219")),
      .unique = ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-pDecodeInfo-07264"),
                                Vuid("VUID-vkCmdEncodeVideoKHR-pPictureResource-08220")),
      .uses = {ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-dpbFrameUseCount-07176"),
                               Vuid("VUID-vkCmdEncodeVideoKHR-dpbFrameUseCount-08221")),
               ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-dpbTopFieldUseCount-07177"), kNoVuid),
               ByCommand<Info>(Vuid("VUID-vkCmdDecodeVideoKHR-dpbBottomFieldUseCount-07178"), kNoVuid)},
      .setup_links = kSetupLinks,
      .slot_links = kSlotLinks,
  };
};

}  // namespace

template <class Info>
void VideoRules::CheckCoding(const Info* info, std::string_view name, const dispatch::Slot& slot,
                             Report& report) const {
  constexpr bool kDecodes = std::is_same_v<Info, VkVideoDecodeInfoKHR>;
  using Rules = CodingRules<Info>;
  const auto* const scope = ScopeOf(slot);
  if (scope == nullptr || info == nullptr) return;
  const VideoSession& session = *scope->session;
  const CodingCommand check(device_, noted_, *state::DeviceState::CommandBufferIn(slot), session, report);
  const Location command = report.location();
  const Location where = command.Dot(name);
  if (session.Is(kDecodes ? vk::kEncodes : vk::kDecodes)) {
    return check.Error(Rules::kSession, command,
                       kDecodes ? "The video session encodes." : "The video session decodes.");
  }
  if constexpr (kDecodes)
    check.CheckBitstream(info->srcBuffer, info->srcBufferOffset, info->srcBufferRange, Rules::kBitstream, "src", where);
  else
    check.CheckBitstream(info->dstBuffer, info->dstBufferOffset, info->dstBufferRange, Rules::kBitstream, "dst", where);
  check.CheckActiveQuery(*scope, Rules::kActiveQuery, command);
  const uint32_t family = check.buffer.pool.queue_family;
  check.CheckInlineQuery(info->pNext, Rules::kInlineQuery,
                         family < families_.size() ? families_[family].has_status_queries : std::nullopt, where);
  const auto parameters = noted_.Parameters(scope->parameters);
  const Coding<Info> coding = {check, *info, *scope, parameters.get(), command, where, report};
  if constexpr (kDecodes) {
    check.CheckPicture(VideoPicture(info->dstPictureResource), Rules::kPicture, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR,
                       session.info.pictureFormat, where.Dot("dstPictureResource"));
    CheckCoincidence(coding);
  } else {
    check.CheckPicture(VideoPicture(info->srcPictureResource), Rules::kPicture, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR,
                       session.info.pictureFormat, where.Dot("srcPictureResource"));
  }
  check.CheckReferences(info->pSetupReferenceSlot, SlotsOf(*info), *scope, Rules::kReferences, where);
  check.RequireLinks(kPictureLinks, info->pNext, where);
  if constexpr (!kDecodes) {
    CheckSessionParameters(coding);
    CheckMap(coding);
  }
  WithCodec(session.profile.operation, [&]<class Codec>(Codec) {
    const auto* const picture = vk::FindInChain<typename Codec::Picture>(info->pNext);
    if constexpr (requires { CheckCodec(coding, *picture); })
      if (picture != nullptr) CheckCodec(coding, *picture);
  });
}

void VideoRules::PreCallValidate(const vk::CmdDecodeVideoKHR& call, dispatch::Slot& slot, Report& report) const {
  CheckCoding(call.pDecodeInfo, "pDecodeInfo", slot, report);
}
void VideoRules::PreCallValidate(const vk::CmdEncodeVideoKHR& call, dispatch::Slot& slot, Report& report) const {
  CheckCoding(call.pEncodeInfo, "pEncodeInfo", slot, report);
}

}  // namespace assay::core
