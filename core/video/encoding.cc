// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// vkCmdEncodeVideoKHR.

#include "core/video/encoding.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
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

constexpr auto kH264 = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR;
constexpr auto kH265 = VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR;
constexpr auto kAv1 = VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR;

constexpr PictureRules kInput = {
    .offset = Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08208"),
    .extent = Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08209"),
    .format = Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08207"),
    .profile = Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08206"),
    .usage = Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08210"),
    .unprotected = Vuid("VUID-vkCmdEncodeVideoKHR-commandBuffer-08211"),
};
constexpr CodingCommand::QueryRules kQueries = {
    Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08360"), Vuid("VUID-vkCmdEncodeVideoKHR-queryType-08362"),
    Vuid("VUID-vkCmdEncodeVideoKHR-queryPool-08363"), Vuid("VUID-vkCmdEncodeVideoKHR-queryType-08364")};
// Of the command, of the slot that it sets up, and of the slots that it refers to.
constexpr vk::CodecLink kPictureLinks[] = {
    Link<EncodeH264::Picture>(kH264, Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08225")),
    Link<EncodeH265::Picture>(kH265, Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08230")),
    Link<EncodeAV1::Picture>(kAv1, Vuid("VUID-vkCmdEncodeVideoKHR-pNext-10317")),
};
constexpr vk::CodecLink kSetupLinks[] = {
    Link<EncodeH264::Slot>(kH264, Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08228")),
    Link<EncodeH265::Slot>(kH265, Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08234")),
    Link<EncodeAV1::Slot>(kAv1, Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-10318")),
};
constexpr vk::CodecLink kSlotLinks[] = {
    Link<EncodeH264::Slot>(kH264, Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08229")),
    Link<EncodeH265::Slot>(kH265, Vuid("VUID-vkCmdEncodeVideoKHR-pNext-08235")),
    Link<EncodeAV1::Slot>(kAv1, Vuid("VUID-vkCmdEncodeVideoKHR-pNext-10319")),
};
constexpr ReferenceRules kReferences = {
    .no_setup = Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08377"),
    .setup_slot = Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08213"),
    .setup_offset = Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08214"),
    .setup_bound = Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08215"),
    .count = Vuid("VUID-vkCmdEncodeVideoKHR-activeReferencePictureCount-08216"),
    .slot = Vuid("VUID-vkCmdEncodeVideoKHR-slotIndex-08217"),
    .offset = Vuid("VUID-vkCmdEncodeVideoKHR-codedOffset-08218"),
    .bound = Vuid("VUID-vkCmdEncodeVideoKHR-pPictureResource-08219"),
    .unique = Vuid("VUID-vkCmdEncodeVideoKHR-pPictureResource-08220"),
    .uses = {Vuid("VUID-vkCmdEncodeVideoKHR-dpbFrameUseCount-08221"), kNoVuid, kNoVuid},
    .setup_links = kSetupLinks,
    .slot_links = kSlotLinks,
};

constexpr auto kWithDelta = VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR;
constexpr auto kWithEmphasis = VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR;

// The image view of a quantization map.
void CheckMapView(const Encoding& encoding, const VkVideoEncodeQuantizationMapInfoKHR& map, const Location& where) {
  const CodingCommand& check = encoding.check;
  const auto* const view = state::DeviceState::Get<state::ImageView>(map.quantizationMap);
  if (view == nullptr || !view->image) return;
  const VkFlags flags = encoding.info.flags;
  const VkImageCreateInfo& image = view->image->create_info;
  check.Require((flags & (kWithDelta | kWithEmphasis)) == 0 ||
                    (image.flags & VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR) != 0 ||
                    !check.HasOtherProfile(check.noted.images.Find(view->image->handle())),
                Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-10310"), where,
                "is of an image that was not created with the profile of the session.");
  check.Require(
      (flags & kWithDelta) == 0 || (view->usage & VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR) != 0,
      Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-10311"), where, "was not created as a quantization delta map.");
  check.Require((flags & kWithEmphasis) == 0 || (view->usage & VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR) != 0,
                Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-10312"), where, "was not created as an emphasis map.");
  check.RequireProtection((image.flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0,
                          Vuid("VUID-vkCmdEncodeVideoKHR-pNext-10313"), kNoVuid, where);
  const auto require = [&](uint32_t size, uint32_t of_image, vk::VuidIndex rule, std::string_view text) {
    const uint32_t most = std::max(of_image >> view->subresource_range.baseMipLevel, 1U);
    check.Require(
        size <= most, rule, where,
        absl::StrCat("has a ", text, " (", most, ") that is less than that of quantizationMapExtent (", size, ")."));
  };
  require(map.quantizationMapExtent.width, image.extent.width,
          Vuid("VUID-VkVideoEncodeQuantizationMapInfoKHR-quantizationMapExtent-10352"), "width");
  require(map.quantizationMapExtent.height, image.extent.height,
          Vuid("VUID-VkVideoEncodeQuantizationMapInfoKHR-quantizationMapExtent-10353"), "height");
}

void CheckMap(const Encoding& encoding) {
  const CodingCommand& check = encoding.check;
  const VkFlags flags = encoding.info.flags;
  const Location of_flags = encoding.where.Dot("flags");
  const auto mode = encoding.scope.rate_control;
  check.Require((flags & kWithDelta) == 0 ||
                    check.session.Has(VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR),
                Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-10306"), of_flags,
                "names a quantization delta map, which the session does not allow.");
  check.Require(
      (flags & kWithEmphasis) == 0 || check.session.Has(VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_EMPHASIS_MAP_BIT_KHR),
      Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-10307"), of_flags,
      "names an emphasis map, which the session does not allow.");
  check.Require(
      (flags & kWithEmphasis) == 0 || (mode != VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR && !IsDisabled(mode)),
      Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-10308"), of_flags,
      "names an emphasis map, but there is no rate control.");
  const auto* const map = vk::FindInChain<VkVideoEncodeQuantizationMapInfoKHR>(encoding.info.pNext);
  const bool has_map = map != nullptr && map->quantizationMap != VK_NULL_HANDLE;
  check.Require(has_map || (flags & (kWithDelta | kWithEmphasis)) == 0,
                Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-10309"), of_flags, "names a map, but there is none.");
  if (!has_map) return;
  const Location where = encoding.where.Next("VkVideoEncodeQuantizationMapInfoKHR", "quantizationMap");
  CheckMapView(encoding, *map, where);
  if (encoding.parameters == nullptr) return;
  const bool is_for_maps =
      (encoding.parameters->flags & VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR) != 0;
  check.Require(is_for_maps, Vuid("VUID-vkCmdEncodeVideoKHR-pNext-10315"), where,
                "does not go with the session parameters, which were not created for maps.");
  const VkExtent2D extent = encoding.info.srcPictureResource.codedExtent, texel = encoding.parameters->texel_size;
  if (!is_for_maps || texel.width == 0 || texel.height == 0) return;
  const VkExtent2D needed = {(extent.width + texel.width - 1) / texel.width,
                             (extent.height + texel.height - 1) / texel.height};
  check.Require(AreSame(map->quantizationMapExtent, needed), Vuid("VUID-vkCmdEncodeVideoKHR-pNext-10316"), where,
                absl::StrCat("has a quantizationMapExtent that is not (", needed.width, ", ", needed.height, ")."));
}

}  // namespace

void VideoRules::PreCallValidate(const vk::CmdEncodeVideoKHR& call, dispatch::Slot& slot, Report& report) const {
  auto* const scope = ScopeOf(slot);
  if (scope == nullptr || call.pEncodeInfo == nullptr) return;
  const VkVideoEncodeInfoKHR& info = *call.pEncodeInfo;
  const VideoSession& session = *scope->session;
  const CodingCommand check(device_, noted_, *state::DeviceState::CommandBufferIn(slot), session, report);
  const Location command = report.location();
  const Location where = command.Dot("pEncodeInfo");
  if (session.Is(vk::kDecodes))
    return check.Error(Vuid("VUID-vkCmdEncodeVideoKHR-None-08250"), command, "The video session decodes.");
  check.CheckBitstream(
      info.dstBuffer, info.dstBufferOffset, info.dstBufferRange,
      {Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08201"), Vuid("VUID-vkCmdEncodeVideoKHR-commandBuffer-08202"),
       Vuid("VUID-vkCmdEncodeVideoKHR-commandBuffer-08203"), Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08204"),
       Vuid("VUID-vkCmdEncodeVideoKHR-pEncodeInfo-08205")},
      "dst", where);
  check.CheckActiveQuery(*scope, Vuid("VUID-vkCmdEncodeVideoKHR-opCount-07174"), command);
  const uint32_t family = check.buffer.pool.queue_family;
  check.CheckInlineQuery(info.pNext, kQueries,
                         family < families_.size() ? families_[family].has_status_queries : std::nullopt, where);
  check.CheckPicture(VideoPicture(info.srcPictureResource), kInput, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR,
                     session.info.pictureFormat, where.Dot("srcPictureResource"));
  check.CheckReferences(info.pSetupReferenceSlot, SlotsOf(info), *scope, kReferences, where);
  check.RequireLinks(kPictureLinks, info.pNext, where);
  const auto parameters = noted_.Parameters(scope->parameters);
  check.Require(parameters == nullptr || !scope->quality_level || *scope->quality_level == parameters->quality_level,
                Vuid("VUID-vkCmdEncodeVideoKHR-None-08318"), command,
                "The session parameters were created with another quality level than is set.");
  const Encoding encoding = {check, info, *scope, parameters.get(), where, report};
  CheckMap(encoding);
  WithCodec(session.profile.operation, [&]<class Codec>(Codec) {
    const auto* const picture = vk::FindInChain<typename Codec::Picture>(info.pNext);
    if constexpr (requires { CheckEncoding(encoding, *picture); })
      if (picture != nullptr) CheckEncoding(encoding, *picture);
  });
}

}  // namespace assay::core
