// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Where video coding scopes begin and end, and what controls them.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/video/coding_command.h"
#include "core/video/video_facts.h"
#include "core/video/video_rules.h"
#include "vk/chain.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using vk::Link;
using vk::Vuid;

constexpr PictureRules kPictures = {
    .offset = Vuid("VUID-VkVideoBeginCodingInfoKHR-pPictureResource-07242"),
    .extent = Vuid("VUID-VkVideoBeginCodingInfoKHR-pPictureResource-07243"),
    .format = Vuid("VUID-VkVideoBeginCodingInfoKHR-pPictureResource-07241"),
    .profile = Vuid("VUID-VkVideoBeginCodingInfoKHR-pPictureResource-07240"),
    .unprotected = Vuid("VUID-vkCmdBeginVideoCodingKHR-commandBuffer-07235"),
    .is_protected = Vuid("VUID-vkCmdBeginVideoCodingKHR-commandBuffer-07236"),
};

// Sessions that need parameters; those that decode, without videoMaintenance2.
struct ParameterNeed {
  VkVideoCodecOperationFlagsKHR operation;
  vk::VuidIndex rule;
};
constexpr ParameterNeed kNeeds[] = {
    {VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, Vuid("VUID-VkVideoBeginCodingInfoKHR-videoSession-07247")},
    {VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR, Vuid("VUID-VkVideoBeginCodingInfoKHR-videoSession-07248")},
    {VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR, Vuid("VUID-VkVideoBeginCodingInfoKHR-videoSession-09261")},
    {VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, Vuid("VUID-VkVideoBeginCodingInfoKHR-videoSession-07249")},
    {VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, Vuid("VUID-VkVideoBeginCodingInfoKHR-videoSession-07250")},
    {VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, Vuid("VUID-VkVideoBeginCodingInfoKHR-videoSession-10283")},
};

constexpr vk::CodecLink kRemainingFrames[] = {
    Link<VkVideoEncodeH264GopRemainingFrameInfoKHR>(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
                                                    Vuid("VUID-vkCmdBeginVideoCodingKHR-pBeginInfo-08255")),
    Link<VkVideoEncodeH265GopRemainingFrameInfoKHR>(VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR,
                                                    Vuid("VUID-vkCmdBeginVideoCodingKHR-pBeginInfo-08256")),
    Link<VkVideoEncodeAV1GopRemainingFrameInfoKHR>(VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR,
                                                   Vuid("VUID-vkCmdBeginVideoCodingKHR-pBeginInfo-10282")),
};

VkVideoEncodeRateControlModeFlagBitsKHR RateControlIn(const void* chain) {
  const auto* const info = vk::FindInChain<VkVideoEncodeRateControlInfoKHR>(chain);
  return info != nullptr ? info->rateControlMode : VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR;
}
bool NeedsRemainingFrames(const VideoSession& session, const void* chain) {
  const auto mode = RateControlIn(chain);
  bool needs = false;
  WithCodec(session.profile.operation, [&]<class Codec>(Codec) {
    if constexpr (requires(typename Codec::Capabilities can) { can.requiresGopRemainingFrames; })
      needs = session.can.Of<typename Codec::Capabilities>().requiresGopRemainingFrames == VK_TRUE;
  });
  return needs && mode != VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR &&
         mode != VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
}

void CheckSlots(const CodingCommand& check, const VkVideoBeginCodingInfoKHR& info, const Location& where) {
  const VideoSession& session = check.session;
  const auto slots = SlotsOf(info);
  const bool decodes = session.Is(vk::kDecodes);
  const state::Image* first = nullptr;
  check.RequireUnique(slots, Vuid("VUID-VkVideoBeginCodingInfoKHR-pPictureResource-07238"), where);
  for (uint32_t i = 0; i < slots.size(); ++i) {
    const Location at = where.Dot("pReferenceSlots", i);
    const bool has_slot = slots[i].slotIndex >= 0;
    check.Require(
        !has_slot || static_cast<uint32_t>(slots[i].slotIndex) < session.info.maxDpbSlots,
        Vuid("VUID-VkVideoBeginCodingInfoKHR-slotIndex-04856"), at.Dot("slotIndex"),
        absl::StrCat("(", slots[i].slotIndex, ") is not less than maxDpbSlots (", session.info.maxDpbSlots, ")."));
    if (slots[i].pPictureResource == nullptr) continue;
    PictureRules rules = kPictures;
    // Of operations that the registry does not have, it is not known which usage is right.
    if (has_slot && (decodes || session.Is(vk::kEncodes)))
      rules.usage = decodes ? Vuid("VUID-VkVideoBeginCodingInfoKHR-slotIndex-07245")
                            : Vuid("VUID-VkVideoBeginCodingInfoKHR-slotIndex-07246");
    const VideoPicture picture(*slots[i].pPictureResource);
    const Location resource = at.Dot("pPictureResource");
    check.CheckPicture(picture, rules,
                       decodes ? VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR : VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR,
                       session.info.referencePictureFormat, resource);
    if (!picture.is_known()) continue;
    if (first == nullptr) first = picture.view->image.get();
    check.Require(
        first == picture.view->image.get() ||
            !session.can.Lack(session.can.general.flags, VK_VIDEO_CAPABILITY_SEPARATE_REFERENCE_IMAGES_BIT_KHR),
        Vuid("VUID-VkVideoBeginCodingInfoKHR-flags-07244"), resource.Dot("imageViewBinding"),
        "is of another image than the first, but the driver does not support separate reference images.");
  }
}

}  // namespace

void VideoRules::PreCallValidate(const vk::CmdBeginVideoCodingKHR& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  const auto session = call.pBeginInfo != nullptr ? noted_.Session(call.pBeginInfo->videoSession) : nullptr;
  if (buffer == nullptr || session == nullptr) return;
  const VkVideoBeginCodingInfoKHR& info = *call.pBeginInfo;
  const CodingCommand check(device_, noted_, *buffer, *session, report);
  const Location command = report.location();
  const Location where = command.Dot("pBeginInfo");
  const Location of_session = where.Dot("videoSession");
  const uint32_t family = buffer->pool.queue_family;
  const VkVideoCodecOperationFlagsKHR operations = family < families_.size() ? families_[family].operations : 0;
  check.Require(operations == 0 || session->Is(operations), Vuid("VUID-vkCmdBeginVideoCodingKHR-commandBuffer-07231"),
                of_session, absl::StrCat("has a codec operation that queue family ", family, " does not support."));
  const auto* const recording = buffer->Sub<RecordingScope>();
  check.Require(recording == nullptr || recording->active_queries.empty(),
                Vuid("VUID-vkCmdBeginVideoCodingKHR-None-07232"), command, "A query is active.");
  check.RequireProtection(session->Has(VK_VIDEO_SESSION_CREATE_PROTECTED_CONTENT_BIT_KHR),
                          Vuid("VUID-vkCmdBeginVideoCodingKHR-commandBuffer-07233"),
                          Vuid("VUID-vkCmdBeginVideoCodingKHR-commandBuffer-07234"), of_session);
  const auto bound = noted_.bound.Find(info.videoSession).value_or(std::nullopt);
  const auto has_memory = [&](uint32_t index) { return std::ranges::count(*bound, index) != 0; };
  check.Require(!bound || std::ranges::all_of(session->bindings, has_memory),
                Vuid("VUID-VkVideoBeginCodingInfoKHR-videoSession-07237"), of_session, "does not have all its memory.");
  CheckSlots(check, info, where);
  const bool needs_none = session->Is(vk::kDecodes) && device_.HasFeature(vk::FeatureId::kVideoMaintenance2);
  for (const ParameterNeed& need : kNeeds) {
    check.Require(info.videoSessionParameters != VK_NULL_HANDLE || needs_none || !session->Is(need.operation),
                  need.rule, where.Dot("videoSessionParameters"), "is VK_NULL_HANDLE.");
  }
  if (NeedsRemainingFrames(*session, info.pNext)) check.RequireLinks(kRemainingFrames, info.pNext, where);
  if (session->Is(vk::kEncodes)) check.CheckRateControl(info.pNext, where);
}

void VideoRules::PostCallRecord(const vk::CmdBeginVideoCodingKHR& call, dispatch::Slot& slot) {
  RecordingScope* const recording = RecordingOf(slot);
  if (recording == nullptr) return;
  recording->coding = nullptr;
  auto session = call.pBeginInfo != nullptr ? noted_.Session(call.pBeginInfo->videoSession) : nullptr;
  if (session == nullptr) return;
  const VkVideoBeginCodingInfoKHR& info = *call.pBeginInfo;
  auto scope = std::make_shared<CodingScope>();
  scope->session = std::move(session);
  scope->parameters = info.videoSessionParameters;
  scope->rate_control = RateControlIn(info.pNext);
  for (const VkVideoReferenceSlotInfoKHR& reference : SlotsOf(info)) {
    if (reference.pPictureResource != nullptr)
      scope->bound.push_back({reference.slotIndex, *reference.pPictureResource});
  }
  recording->coding = std::move(scope);
}

void VideoRules::PreCallValidate(const vk::CmdEndVideoCodingKHR&, dispatch::Slot& slot, Report& report) const {
  const RecordingScope* const recording = RecordingOf(slot);
  if (recording == nullptr || recording->active_queries.empty()) return;
  report.Error(Vuid("VUID-vkCmdEndVideoCodingKHR-None-07251"),
               {{VK_OBJECT_TYPE_COMMAND_BUFFER, DeviceState::CommandBufferIn(slot)->handle()}}, report.location(),
               "A query is active.");
}

void VideoRules::PreCallValidate(const vk::CmdControlVideoCodingKHR& call, dispatch::Slot& slot, Report& report) const {
  constexpr VkVideoCodingControlFlagsKHR kOfEncoders =
      VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR | VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR;
  auto* const scope = ScopeOf(slot);
  if (scope == nullptr || call.pCodingControlInfo == nullptr) return;
  const VkVideoCodingControlInfoKHR& info = *call.pCodingControlInfo;
  const CodingCommand check(device_, noted_, *DeviceState::CommandBufferIn(slot), *scope->session, report);
  const Location command = report.location();
  const Location where = command.Dot("pCodingControlInfo");
  if (!scope->session->Is(vk::kEncodes)) {
    check.Require((info.flags & kOfEncoders) == 0 || !scope->session->Is(vk::kDecodes),
                  Vuid("VUID-vkCmdControlVideoCodingKHR-pCodingControlInfo-08243"), where.Dot("flags"),
                  "are for a session that encodes.");
    return;
  }
  if ((info.flags & VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR) != 0)
    check.CheckRateControl(info.pNext, where);
  if ((info.flags & VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR) != 0)
    check.CheckQualityLevel(info.pNext, where);
}

void VideoRules::PostCallRecord(const vk::CmdEndVideoCodingKHR&, dispatch::Slot& slot) {
  if (RecordingScope* const recording = RecordingOf(slot)) recording->coding = nullptr;
}

void VideoRules::PostCallRecord(const vk::CmdControlVideoCodingKHR& call, dispatch::Slot& slot) {
  CodingScope* const scope = ScopeOf(slot);
  if (scope == nullptr || call.pCodingControlInfo == nullptr) return;
  const VkVideoCodingControlInfoKHR& info = *call.pCodingControlInfo;
  if ((info.flags & VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR) != 0) {
    scope->rate_control = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR;
    scope->quality_level = 0;
  }
  if ((info.flags & VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR) != 0)
    scope->rate_control = RateControlIn(info.pNext);
  const auto* const quality = vk::FindInChain<VkVideoEncodeQualityLevelInfoKHR>(info.pNext);
  if ((info.flags & VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR) != 0 && quality != nullptr)
    scope->quality_level = quality->qualityLevel;
}

}  // namespace assay::core
