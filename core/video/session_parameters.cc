// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of video sessions: what they are created with, and updates.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/resources/creation_check.h"
#include "core/video/video_facts.h"
#include "core/video/video_ids.h"
#include "core/video/video_rules.h"
#include "vk/chain.h"
#include "vk/families/vuid_families.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using Create = vk::CreateVideoSessionParametersKHR;
using Update = vk::UpdateVideoSessionParametersKHR;
using Get = vk::GetEncodedVideoSessionParametersKHR;
using vk::FamilyVuid;
using vk::kNoVuid;
using vk::Link;
using vk::VuidIndex;

constexpr auto kDecodeH264 = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR;
constexpr auto kDecodeH265 = VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR;
constexpr auto kDecodeAv1 = VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR;
constexpr auto kEncodeH264 = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR;
constexpr auto kEncodeH265 = VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR;
constexpr auto kEncodeAv1 = VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR;
constexpr auto kForMaps = VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR;
constexpr auto kDeltaMaps = VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
constexpr auto kEmphasisMaps = VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_EMPHASIS_MAP_BIT_KHR;

// What parameters of a session are created with, and what their template adds.
VideoParameters Read(const VkVideoSessionParametersCreateInfoKHR& info, std::shared_ptr<const VideoSession> session,
                     const VideoParameters* from) {
  VideoParameters made = {.session = std::move(session), .flags = info.flags};
  if (const auto* level = vk::FindInChain<VkVideoEncodeQualityLevelInfoKHR>(info.pNext))
    made.quality_level = level->qualityLevel;
  if (const auto* maps = vk::FindInChain<VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR>(info.pNext))
    made.texel_size = maps->quantizationMapTexelSize;
  WithCodec(made.session->profile.operation, [&]<class Codec>(Codec) {
    const auto* const own = vk::FindInChain<typename Codec::Parameters>(info.pNext);
    if (own == nullptr) return;
    if constexpr (requires { own->pStdSequenceHeader; }) {
      if (own->pStdSequenceHeader == nullptr) return;
      made.header = *own->pStdSequenceHeader;
      made.header->pColorConfig = nullptr;
      made.header->pTimingInfo = nullptr;
    } else {
      made.most = {0, own->maxStdSPSCount, own->maxStdPPSCount};
      if constexpr (requires { own->maxStdVPSCount; }) made.most[ParameterSets::kVps] = own->maxStdVPSCount;
      made.sets = ReadParameterSets(own->pParametersAddInfo);
    }
  });
  if (from != nullptr) made.sets.Add(from->sets);
  return made;
}

// What an update adds.
ParameterSets Added(const VkVideoSessionParametersUpdateInfoKHR& info, const VideoSession& session) {
  ParameterSets added;
  WithCodec(session.profile.operation, [&]<class Codec>(Codec) {
    if constexpr (requires(typename Codec::Parameters p) { p.pParametersAddInfo; }) {
      using Info = std::remove_cvref_t<decltype(*typename Codec::Parameters{}.pParametersAddInfo)>;
      added = ReadParameterSets(vk::FindInChain<Info>(info.pNext));
    }
  });
  return added;
}

struct ParameterFacts {
  static constexpr std::string_view kOwner = "VkVideoSessionParametersCreateInfoKHR";

  const VkVideoSessionParametersCreateInfoKHR& info;
  const VideoSession& session;
  // Null without a template that is known.
  const VideoParameters* from;
  const VideoParameters& made;

  bool IsForMaps() const { return (info.flags & kForMaps) != 0; }
  // Another rule says that parameters for maps have the structure.
  bool HasTexels() const {
    return IsForMaps() &&
           vk::FindInChain<VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR>(info.pNext) != nullptr;
  }
  bool IsFrom(VkVideoSessionParametersCreateFlagsKHR flags) const {
    return from != nullptr && (from->flags & kForMaps) == flags;
  }
  bool LacksTexels(VkVideoSessionCreateFlagsKHR of, const std::vector<VideoFormat>& formats) const {
    return HasTexels() && session.Has(of) && !formats.empty() &&
           std::ranges::none_of(formats,
                                [&](const VideoFormat& format) { return AreSame(format.texel_size, made.texel_size); });
  }
};
using P = const ParameterFacts&;

constexpr char kTexels[] = "VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR.quantizationMapTexelSize";
constexpr CreationRule<ParameterFacts> kRules[] = {
    {"videoSessionParametersTemplate-08310", "videoSessionParametersTemplate", "another quality level",
     [](P p) {
       return p.from != nullptr && p.session.Is(vk::kEncodes) && p.from->quality_level != p.made.quality_level;
     }},
    {"videoSession-09258", "videoSessionParametersTemplate", "a session that decodes AV1",
     [](P p) { return p.session.Is(kDecodeAv1) && p.info.videoSessionParametersTemplate != VK_NULL_HANDLE; }},
    {"videoSession-10278", "videoSessionParametersTemplate", "a session that encodes AV1",
     [](P p) { return p.session.Is(kEncodeAv1) && p.info.videoSessionParametersTemplate != VK_NULL_HANDLE; }},
    {"flags-10271", "flags", "a session that allows no quantization maps",
     [](P p) { return p.IsForMaps() && !p.session.Has(kDeltaMaps | kEmphasisMaps); }},
    {"videoSessionParametersTemplate-10275", "videoSessionParametersTemplate", "flags",
     [](P p) { return p.IsForMaps() && p.IsFrom(0); }},
    {"videoSessionParametersTemplate-10277", "videoSessionParametersTemplate", "flags",
     [](P p) { return !p.IsForMaps() && p.IsFrom(kForMaps); }},
    {"videoSessionParametersTemplate-10276", "videoSessionParametersTemplate", kTexels,
     [](P p) { return p.HasTexels() && p.IsFrom(kForMaps) && !AreSame(p.from->texel_size, p.made.texel_size); }},
    {"flags-10273", kTexels, "the quantization delta maps that the driver supports",
     [](P p) { return p.LacksTexels(kDeltaMaps, p.session.delta_maps); }},
    {"flags-10274", kTexels, "the emphasis maps that the driver supports",
     [](P p) { return p.LacksTexels(kEmphasisMaps, p.session.emphasis_maps); }},
    {"videoSession-10280", "VkVideoEncodeAV1SessionParametersCreateInfoKHR.stdOperatingPointCount",
     "what the driver supports",
     [](P p) {
       const auto* const own = vk::FindInChain<VkVideoEncodeAV1SessionParametersCreateInfoKHR>(p.info.pNext);
       const uint32_t most = p.session.can.Of<EncodeAV1::Capabilities>().maxOperatingPoints;
       return own != nullptr && most != 0 && own->stdOperatingPointCount > most;
     }},
};

constexpr vk::CodecLink kLinks[] = {
    Link<DecodeH264::Parameters>(kDecodeH264, FamilyVuid<Create>("videoSession-07203")),
    Link<DecodeH265::Parameters>(kDecodeH265, FamilyVuid<Create>("videoSession-07206")),
    Link<DecodeAV1::Parameters>(kDecodeAv1, FamilyVuid<Create>("videoSession-09259")),
    Link<EncodeH264::Parameters>(kEncodeH264, FamilyVuid<Create>("videoSession-07210")),
    Link<EncodeH265::Parameters>(kEncodeH265, FamilyVuid<Create>("videoSession-07211")),
    Link<EncodeAV1::Parameters>(kEncodeAv1, FamilyVuid<Create>("videoSession-10279")),
};
constexpr vk::CodecLink kGetLinks[] = {
    Link<VkVideoEncodeH264SessionParametersGetInfoKHR>(kEncodeH264,
                                                       FamilyVuid<Get>("pVideoSessionParametersInfo-08262")),
    Link<VkVideoEncodeH265SessionParametersGetInfoKHR>(kEncodeH265,
                                                       FamilyVuid<Get>("pVideoSessionParametersInfo-08265")),
};

// By kind: video, sequence and picture parameter sets. `created` and `updated` say how many there may be, `again` that
// they may not be there already.
struct SetRules {
  VkVideoCodecOperationFlagsKHR operation;
  std::array<VuidIndex, 3> created, updated, again;
};
#define ASSAY_CREATED(number) FamilyVuid<Create>("videoSession-" number)
#define ASSAY_UPDATED(number) FamilyVuid<Update>("videoSessionParameters-" number)
constexpr SetRules kSetRules[] = {
    {kDecodeH264,
     {kNoVuid, ASSAY_CREATED("07204"), ASSAY_CREATED("07205")},
     {kNoVuid, ASSAY_UPDATED("07217"), ASSAY_UPDATED("07219")},
     {kNoVuid, ASSAY_UPDATED("07216"), ASSAY_UPDATED("07218")}},
    {kDecodeH265,
     {ASSAY_CREATED("07207"), ASSAY_CREATED("07208"), ASSAY_CREATED("07209")},
     {ASSAY_UPDATED("07221"), ASSAY_UPDATED("07223"), ASSAY_UPDATED("07225")},
     {ASSAY_UPDATED("07220"), ASSAY_UPDATED("07222"), ASSAY_UPDATED("07224")}},
    {kEncodeH264,
     {kNoVuid, ASSAY_CREATED("04839"), ASSAY_CREATED("04840")},
     {kNoVuid, ASSAY_UPDATED("06441"), ASSAY_UPDATED("06442")},
     {kNoVuid, ASSAY_UPDATED("07226"), ASSAY_UPDATED("07227")}},
    {kEncodeH265,
     {ASSAY_CREATED("04841"), ASSAY_CREATED("04842"), ASSAY_CREATED("04843")},
     {ASSAY_UPDATED("06443"), ASSAY_UPDATED("06444"), ASSAY_UPDATED("06445")},
     {ASSAY_UPDATED("07228"), ASSAY_UPDATED("07229"), ASSAY_UPDATED("07230")}},
};
constexpr VuidIndex kCreatedTiles[] = {ASSAY_CREATED("08319"), ASSAY_CREATED("08320")};
constexpr VuidIndex kUpdatedTiles[] = {ASSAY_UPDATED("08321"), ASSAY_UPDATED("08322")};
#undef ASSAY_CREATED
#undef ASSAY_UPDATED
constexpr std::string_view kSetNames[] = {"video", "sequence", "picture"};

// A call about parameters of a session.
struct ParameterCheck {
  void Error(VuidIndex rule, std::string_view text) const {
    if (rule != kNoVuid) report.Error(rule, {object}, where, std::string(text));
  }
  void RequireLinks(std::span<const vk::CodecLink> links, const VideoSession& session, const void* chain) const {
    vk::ForEachMissing(links, session.profile.operation, chain, [&](VuidIndex rule, std::string_view name) {
      Error(rule, absl::StrCat("does not have a ", name, " in its chain."));
    });
  }
  void RequireCounts(const std::array<VuidIndex, 3>& rules, const ParameterSets& sets,
                     const std::array<uint32_t, 3>& most) const {
    for (size_t kind = 0; kind < most.size(); ++kind) {
      const size_t count = sets.keys[kind].size();
      if (count <= most[kind]) continue;
      Error(rules[kind],
            absl::StrCat("makes ", count, " ", kSetNames[kind], " parameter sets of at most ", most[kind], "."));
    }
  }
  void RequireTiles(const VuidIndex (&rules)[2], const ParameterSets& sets, const VideoSession& session) const {
    const VkExtent2D most = session.can.Of<EncodeH265::Capabilities>().maxTiles;
    for (const ParameterSets::Picture& set : sets.pictures) {
      const std::string_view text = "has a picture parameter set with more tiles than the driver supports.";
      if (most.width != 0 && set.tiles.width > most.width) Error(rules[0], text);
      if (most.height != 0 && set.tiles.height > most.height) Error(rules[1], text);
    }
  }

  const messages::ObjectRef object;
  const messages::Location& where;
  messages::Report& report;
};

const SetRules* FindSetRules(const VideoSession& session) {
  const auto found =
      std::ranges::find_if(kSetRules, [&](const SetRules& rules) { return session.Is(rules.operation); });
  return found != std::end(kSetRules) ? &*found : nullptr;
}

}  // namespace

void AddVideoParameterIds(std::vector<VuidIndex>& ids) {
  AddIds(kRules, ids);
  for (const auto& link : kLinks) ids.push_back(link.rule);
  for (const auto& link : kGetLinks) ids.push_back(link.rule);
  for (const SetRules& rules : kSetRules) {
    for (const auto& of : {rules.created, rules.updated, rules.again})
      std::ranges::copy_if(of, std::back_inserter(ids), [](VuidIndex id) { return id != kNoVuid; });
  }
  ids.insert(ids.end(), std::begin(kCreatedTiles), std::end(kCreatedTiles));
  ids.insert(ids.end(), std::begin(kUpdatedTiles), std::end(kUpdatedTiles));
}

void VideoRules::PreCallValidate(const Create& call, messages::Report& report) const {
  const auto session = call.pCreateInfo != nullptr ? noted_.Session(call.pCreateInfo->videoSession) : nullptr;
  if (session == nullptr) return;
  const VkVideoSessionParametersCreateInfoKHR& info = *call.pCreateInfo;
  const auto from = noted_.Parameters(info.videoSessionParametersTemplate);
  const VideoParameters made = Read(info, session, from.get());
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pCreateInfo");
  const messages::ObjectRef object = messages::Object(info.videoSession);
  CreationCheck(device_, object, "VkVideoSessionParametersCreateInfoKHR", &info, where, report)
      .Run(kRules, ParameterFacts{info, *session, from.get(), made});
  const ParameterCheck check = {object, where, report};
  check.RequireLinks(kLinks, *session, info.pNext);
  if (session->Is(kEncodeH265)) check.RequireTiles(kCreatedTiles, made.sets, *session);
  const SetRules* const rules = FindSetRules(*session);
  bool is_complete = false;
  WithCodec(session->profile.operation, [&]<class Codec>(Codec) {
    is_complete = vk::FindInChain<typename Codec::Parameters>(info.pNext) != nullptr;
  });
  if (rules != nullptr && is_complete) check.RequireCounts(rules->created, made.sets, made.most);
}

void VideoRules::PostCallRecord(const Create& call, VkResult result) {
  auto session = noted_.Session(call.pCreateInfo->videoSession);
  if (result != VK_SUCCESS || session == nullptr) return;
  const auto from = noted_.Parameters(call.pCreateInfo->videoSessionParametersTemplate);
  noted_.parameters.Set(*call.pVideoSessionParameters, std::make_shared<const VideoParameters>(
                                                           Read(*call.pCreateInfo, std::move(session), from.get())));
}

void VideoRules::PreCallRecord(const vk::DestroyVideoSessionParametersKHR& call) {
  noted_.parameters.Erase(call.videoSessionParameters);
}

void VideoRules::PreCallValidate(const Update& call, messages::Report& report) const {
  const auto parameters = noted_.Parameters(call.videoSessionParameters);
  if (parameters == nullptr || call.pUpdateInfo == nullptr) return;
  const VideoSession& session = *parameters->session;
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pUpdateInfo");
  const ParameterCheck check = {messages::Object(call.videoSessionParameters), where, report};
  if (session.Is(kDecodeAv1 | kEncodeAv1)) {
    return check.Error(session.Is(kDecodeAv1)
                           ? vk::Vuid("VUID-vkUpdateVideoSessionParametersKHR-videoSessionParameters-09260")
                           : vk::Vuid("VUID-vkUpdateVideoSessionParametersKHR-videoSessionParameters-10281"),
                       "is for parameters of an AV1 session.");
  }
  if (call.pUpdateInfo->updateSequenceCount != parameters->updates + 1) {
    check.Error(vk::Vuid("VUID-vkUpdateVideoSessionParametersKHR-pUpdateInfo-07215"),
                absl::StrCat("has updateSequenceCount (", call.pUpdateInfo->updateSequenceCount, "), which is not ",
                             parameters->updates + 1, "."));
  }
  const ParameterSets added = Added(*call.pUpdateInfo, session);
  const SetRules* const rules = FindSetRules(session);
  if (rules == nullptr) return;
  if (session.Is(kEncodeH265)) check.RequireTiles(kUpdatedTiles, added, session);
  for (size_t kind = 0; kind < rules->again.size(); ++kind) {
    const auto is_there = [&](uint32_t key) { return parameters->sets.Has(kind, key); };
    if (std::ranges::any_of(added.keys[kind], is_there))
      return check.Error(rules->again[kind], absl::StrCat("has a ", kSetNames[kind],
                                                          " parameter set with the ids of one that is there already."));
  }
  ParameterSets sets = parameters->sets;
  sets.Add(added);
  check.RequireCounts(rules->updated, sets, parameters->most);
}

void VideoRules::PostCallRecord(const Update& call, VkResult result) {
  const auto parameters = noted_.Parameters(call.videoSessionParameters);
  if (parameters == nullptr || result != VK_SUCCESS) return;
  auto updated = std::make_shared<VideoParameters>(*parameters);
  updated->updates = call.pUpdateInfo->updateSequenceCount;
  updated->sets.Add(Added(*call.pUpdateInfo, *parameters->session));
  noted_.parameters.Set(call.videoSessionParameters, std::move(updated));
}

void VideoRules::PreCallValidate(const Get& call, messages::Report& report) const {
  const auto* const info = call.pVideoSessionParametersInfo;
  const auto parameters = info != nullptr ? noted_.Parameters(info->videoSessionParameters) : nullptr;
  if (parameters == nullptr) return;
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pVideoSessionParametersInfo");
  const ParameterCheck check = {messages::Object(info->videoSessionParameters), where, report};
  if (parameters->session->Is(vk::kDecodes)) {
    return check.Error(vk::Vuid("VUID-vkGetEncodedVideoSessionParametersKHR-pVideoSessionParametersInfo-08359"),
                       "is for parameters of a session that decodes.");
  }
  check.RequireLinks(kGetLinks, *parameters->session, info->pNext);
  const auto require = [&](VkBool32 writes, size_t kind, uint32_t key, VuidIndex rule) {
    if (writes == VK_TRUE && !parameters->sets.Has(kind, key))
      check.Error(rule, absl::StrCat("names a ", kSetNames[kind], " parameter set that is not there."));
  };
  const auto key = [](uint32_t first, uint32_t second = 0, uint32_t third = 0) {
    const bool fits = (first | second | third) < 256;
    return fits ? first << 16 | second << 8 | third : ~uint32_t{0};
  };
  const VideoSession& session = *parameters->session;
  if (const auto* h264 = vk::FindInChain<VkVideoEncodeH264SessionParametersGetInfoKHR>(info->pNext);
      h264 != nullptr && session.Is(kEncodeH264)) {
    require(h264->writeStdSPS, ParameterSets::kSps, key(h264->stdSPSId),
            vk::Vuid("VUID-vkGetEncodedVideoSessionParametersKHR-pVideoSessionParametersInfo-08263"));
    require(h264->writeStdPPS, ParameterSets::kPps, key(h264->stdSPSId, h264->stdPPSId),
            vk::Vuid("VUID-vkGetEncodedVideoSessionParametersKHR-pVideoSessionParametersInfo-08264"));
  }
  if (const auto* h265 = vk::FindInChain<VkVideoEncodeH265SessionParametersGetInfoKHR>(info->pNext);
      h265 != nullptr && session.Is(kEncodeH265)) {
    require(h265->writeStdVPS, ParameterSets::kVps, key(h265->stdVPSId),
            vk::Vuid("VUID-vkGetEncodedVideoSessionParametersKHR-pVideoSessionParametersInfo-08266"));
    require(h265->writeStdSPS, ParameterSets::kSps, key(h265->stdVPSId, h265->stdSPSId),
            vk::Vuid("VUID-vkGetEncodedVideoSessionParametersKHR-pVideoSessionParametersInfo-08267"));
    require(h265->writeStdPPS, ParameterSets::kPps, key(h265->stdVPSId, h265->stdSPSId, h265->stdPPSId),
            vk::Vuid("VUID-vkGetEncodedVideoSessionParametersKHR-pVideoSessionParametersInfo-08268"));
  }
}

}  // namespace assay::core
