// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Video sessions: what they are created with, their memory, and the profiles of other objects.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/resources/creation_check.h"
#include "core/video/video_facts.h"
#include "core/video/video_ids.h"
#include "core/video/video_rules.h"
#include "vk/chain.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

constexpr VkImageUsageFlags kDecoded = VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR;
constexpr VkImageUsageFlags kDecodedReference = VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR;
constexpr VkImageUsageFlags kEncoded = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
constexpr VkImageUsageFlags kEncodedReference = VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR;

struct SessionFacts {
  static constexpr std::string_view kOwner = "VkVideoSessionCreateInfoKHR";

  const dispatch::Device& device;
  const VkVideoSessionCreateInfoKHR& info;
  const VideoProfile& profile;
  const VideoCapabilities& can;

  bool Has(VkVideoSessionCreateFlagsKHR flag) const { return (info.flags & flag) != 0; }
  bool LacksFormat(VkVideoCodecOperationFlagsKHR operations, VkFormat format, VkImageUsageFlags usage,
                   VkImageUsageFlags with) const {
    if (!profile.Is(operations) || !can.are_known()) return false;
    const std::vector<VideoFormat> formats = VideoFormats(device, *info.pVideoProfile, {usage, usage | with});
    return !formats.empty() && std::ranges::count(formats, format, &VideoFormat::format) == 0;
  }
  template <class Own, class Codec>
  bool ExceedsLevel() const {
    const auto* const own = vk::FindInChain<Own>(info.pNext);
    const auto& most = can.Of<typename Codec::Capabilities>();
    if (own == nullptr || !can.are_known()) return false;
    if constexpr (requires { own->maxLevel; })
      return own->useMaxLevel == VK_TRUE && most.maxLevel != 0 && own->maxLevel > most.maxLevel;
    if constexpr (requires { own->maxLevelIdc; })
      return own->useMaxLevelIdc == VK_TRUE && most.maxLevelIdc != 0 && own->maxLevelIdc > most.maxLevelIdc;
  }
};
using S = const SessionFacts&;

constexpr VkVideoSessionCreateFlagsKHR kDeltaMaps = VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
constexpr VkVideoSessionCreateFlagsKHR kEmphasisMaps = VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_EMPHASIS_MAP_BIT_KHR;

constexpr CreationRule<SessionFacts> kSessionRules[] = {
    {"protectedMemory-07189", "flags", "the feature protectedMemory and VkVideoCapabilitiesKHR.flags",
     [](S s) {
       return s.Has(VK_VIDEO_SESSION_CREATE_PROTECTED_CONTENT_BIT_KHR) &&
              (!s.device.HasFeature(vk::FeatureId::kProtectedMemory) ||
               s.can.Lack(s.can.general.flags, VK_VIDEO_CAPABILITY_PROTECTED_CONTENT_BIT_KHR));
     }},
    {"flags-10399", "flags", "a profile that encodes",
     [](S s) {
       return s.Has(VK_VIDEO_SESSION_CREATE_INLINE_SESSION_PARAMETERS_BIT_KHR) && s.profile.Is(vk::kEncodes);
     }},
    {"flags-10265", "flags", "a profile that decodes",
     [](S s) { return s.Has(kDeltaMaps | kEmphasisMaps) && s.profile.Is(vk::kDecodes); }},
    {"flags-10267", "flags", "VkVideoEncodeCapabilitiesKHR::flags",
     [](S s) {
       return s.Has(kDeltaMaps) && s.profile.Is(vk::kEncodes) &&
              s.can.Lack(s.can.encode.flags, VK_VIDEO_ENCODE_CAPABILITY_QUANTIZATION_DELTA_MAP_BIT_KHR);
     }},
    {"flags-10268", "flags", "VkVideoEncodeCapabilitiesKHR::flags",
     [](S s) {
       return s.Has(kEmphasisMaps) && s.profile.Is(vk::kEncodes) &&
              s.can.Lack(s.can.encode.flags, VK_VIDEO_ENCODE_CAPABILITY_EMPHASIS_MAP_BIT_KHR);
     }},
    {"pVideoProfile-04845", "pVideoProfile", "what the driver supports", [](S s) { return s.can.IsUnsupported(); }},
    {"maxDpbSlots-04850", "maxDpbSlots", "maxActiveReferencePictures",
     [](S s) { return (s.info.maxDpbSlots == 0) != (s.info.maxActiveReferencePictures == 0); }},
    {"maxDpbSlots-04847", "maxDpbSlots", "VkVideoCapabilitiesKHR.maxDpbSlots",
     [](S s) { return s.can.general.maxDpbSlots != 0 && s.info.maxDpbSlots > s.can.general.maxDpbSlots; }},
    {"maxActiveReferencePictures-04849", "maxActiveReferencePictures",
     "VkVideoCapabilitiesKHR.maxActiveReferencePictures",
     [](S s) {
       const uint32_t most = s.can.general.maxActiveReferencePictures;
       return most != 0 && s.info.maxActiveReferencePictures > most;
     }},
    {"maxCodedExtent-04851", "maxCodedExtent",
     "VkVideoCapabilitiesKHR.minCodedExtent and VkVideoCapabilitiesKHR.maxCodedExtent",
     [](S s) {
       const VkVideoCapabilitiesKHR& can = s.can.general;
       return s.can.are_known() && !IsBetween(s.info.maxCodedExtent, can.minCodedExtent, can.maxCodedExtent);
     }},
    {"pictureFormat-04853", "pictureFormat", "the formats that the driver decodes to",
     [](S s) { return s.LacksFormat(vk::kDecodes, s.info.pictureFormat, kDecoded, kDecodedReference); }},
    {"pictureFormat-04854", "pictureFormat", "the formats that the driver encodes",
     [](S s) { return s.LacksFormat(vk::kEncodes, s.info.pictureFormat, kEncoded, kEncodedReference); }},
    {"referencePictureFormat-04852", "referencePictureFormat", "the formats of references that the driver decodes with",
     [](S s) {
       return s.info.maxActiveReferencePictures != 0 &&
              s.LacksFormat(vk::kDecodes, s.info.referencePictureFormat, kDecodedReference, kDecoded);
     }},
    {"referencePictureFormat-06814", "referencePictureFormat", "the formats of references that the driver encodes with",
     [](S s) {
       return s.info.maxActiveReferencePictures != 0 &&
              s.LacksFormat(vk::kEncodes, s.info.referencePictureFormat, kEncodedReference, kEncoded);
     }},
    {"pStdHeaderVersion-07190", "pStdHeaderVersion", "VkVideoCapabilitiesKHR.stdHeaderVersion",
     [](S s) {
       const std::string_view name = NameOf(s.can.general.stdHeaderVersion);
       return !name.empty() && NameOf(*s.info.pStdHeaderVersion) != name;
     }},
    {"pStdHeaderVersion-07191", "pStdHeaderVersion", "VkVideoCapabilitiesKHR.stdHeaderVersion",
     [](S s) {
       const uint32_t most = s.can.general.stdHeaderVersion.specVersion;
       return most != 0 && s.info.pStdHeaderVersion->specVersion > most;
     }},
    {"pVideoProfile-08251", "VkVideoEncodeH264SessionCreateInfoKHR.maxLevelIdc", "what the driver supports",
     [](S s) { return s.ExceedsLevel<VkVideoEncodeH264SessionCreateInfoKHR, EncodeH264>(); }},
    {"pVideoProfile-08252", "VkVideoEncodeH265SessionCreateInfoKHR.maxLevelIdc", "what the driver supports",
     [](S s) { return s.ExceedsLevel<VkVideoEncodeH265SessionCreateInfoKHR, EncodeH265>(); }},
    {"pVideoProfile-10270", "VkVideoEncodeAV1SessionCreateInfoKHR.maxLevel", "what the driver supports",
     [](S s) { return s.ExceedsLevel<VkVideoEncodeAV1SessionCreateInfoKHR, EncodeAV1>(); }},
};

std::vector<VideoProfile> ProfilesIn(const void* chain) {
  std::vector<VideoProfile> profiles;
  const auto* const list = vk::FindInChain<VkVideoProfileListInfoKHR>(chain);
  for (uint32_t i = 0; list != nullptr && list->pProfiles != nullptr && i < list->profileCount; ++i)
    profiles.emplace_back(list->pProfiles[i]);
  return profiles;
}

}  // namespace

void AddVideoSessionIds(std::vector<vk::VuidIndex>& ids) { AddIds(kSessionRules, ids); }

VideoRules::VideoRules(const dispatch::Device& device)
    : device_(device), has_video_(device.IsEnabled(vk::ExtensionId::kKhrVideoQueue)) {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceQueueFamilyProperties2>(device.instance.next);
  if (!has_video_ || ask == nullptr) return;
  uint32_t count = 0;
  ask(device.physical_device->handle, &count, nullptr);
  // A driver that does not know the structure leaves it as it is.
  constexpr VkBool32 kUnknown = 2;
  std::vector<VkQueueFamilyQueryResultStatusPropertiesKHR> status(
      count, {VK_STRUCTURE_TYPE_QUEUE_FAMILY_QUERY_RESULT_STATUS_PROPERTIES_KHR, nullptr, kUnknown});
  std::vector<VkQueueFamilyVideoPropertiesKHR> video;
  video.reserve(count);
  for (auto& link : status) video.push_back({VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR, &link, 0});
  std::vector<VkQueueFamilyProperties2> families;
  families.reserve(count);
  for (auto& link : video) families.push_back({VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, &link, {}});
  ask(device.physical_device->handle, &count, families.data());
  for (uint32_t i = 0; i < count; ++i) {
    const VkBool32 has_queries = status[i].queryResultStatusSupport;
    families_.push_back({video[i].videoCodecOperations, has_queries == kUnknown || video[i].videoCodecOperations == 0
                                                            ? std::nullopt
                                                            : std::optional(has_queries == VK_TRUE)});
  }
}

void VideoRules::PreCallValidate(const vk::CreateVideoSessionKHR& call, messages::Report& report) const {
  if (call.pCreateInfo == nullptr || call.pCreateInfo->pVideoProfile == nullptr ||
      call.pCreateInfo->pStdHeaderVersion == nullptr)
    return;
  const VkVideoSessionCreateInfoKHR& info = *call.pCreateInfo;
  const VideoProfile profile(*info.pVideoProfile);
  const VideoCapabilities can(device_, *info.pVideoProfile, profile);
  const messages::Location command = report.location();
  const messages::Location where = command.Dot("pCreateInfo");
  CreationCheck check(device_, messages::Object(call.device), "VkVideoSessionCreateInfoKHR", &info, where, report);
  check.Name("VkVideoCapabilitiesKHR", "VkVideoCapabilitiesKHR", &can.general);
  check.Run(kSessionRules, SessionFacts{device_, info, profile, can});
}

void VideoRules::PostCallRecord(const vk::CreateVideoSessionKHR& call, VkResult result) {
  if (result != VK_SUCCESS || call.pCreateInfo->pVideoProfile == nullptr) return;
  const VkVideoProfileInfoKHR& info = *call.pCreateInfo->pVideoProfile;
  const VideoProfile profile(info);
  auto session = std::make_shared<VideoSession>(
      VideoSession{*call.pCreateInfo, profile, VideoCapabilities(device_, info, profile), {}, {}, {}});
  session->info.pNext = nullptr;
  session->info.pVideoProfile = nullptr;
  session->info.pStdHeaderVersion = nullptr;
  if (session->Has(kDeltaMaps))
    session->delta_maps = VideoFormats(device_, info, {VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR});
  if (session->Has(kEmphasisMaps))
    session->emphasis_maps = VideoFormats(device_, info, {VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR});
  const VkVideoSessionKHR handle = dispatch::DriverHandle(*call.pVideoSession);
  uint32_t count = 0;
  dispatch::CallNext(device_, vk::GetVideoSessionMemoryRequirementsKHR{device_.handle, handle, &count, nullptr});
  std::vector<VkVideoSessionMemoryRequirementsKHR> needs(
      count, {.sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_MEMORY_REQUIREMENTS_KHR});
  dispatch::CallNext(device_, vk::GetVideoSessionMemoryRequirementsKHR{device_.handle, handle, &count, needs.data()});
  for (uint32_t i = 0; i < count; ++i) session->bindings.push_back(needs[i].memoryBindIndex);
  noted_.sessions.Set(*call.pVideoSession, std::move(session));
  noted_.bound.Set(*call.pVideoSession, std::vector<uint32_t>());
}

void VideoRules::PreCallRecord(const vk::DestroyVideoSessionKHR& call) {
  noted_.sessions.Erase(call.videoSession);
  noted_.bound.Erase(call.videoSession);
}

void VideoRules::PreCallValidate(const vk::BindVideoSessionMemoryKHR& call, messages::Report& report) const {
  const auto bound = noted_.bound.Find(call.videoSession).value_or(std::nullopt);
  if (!bound || call.pBindSessionMemoryInfos == nullptr) return;
  const messages::Location command = report.location();
  for (uint32_t i = 0; i < call.bindSessionMemoryInfoCount; ++i) {
    const uint32_t index = call.pBindSessionMemoryInfos[i].memoryBindIndex;
    if (std::ranges::count(*bound, index) == 0) continue;
    report.Error(vk::Vuid("VUID-vkBindVideoSessionMemoryKHR-videoSession-07195"), {messages::Object(call.videoSession)},
                 command.Dot("pBindSessionMemoryInfos", i).Dot("memoryBindIndex"),
                 absl::StrCat("(", index, ") has memory already."));
  }
}

void VideoRules::PostCallRecord(const vk::BindVideoSessionMemoryKHR& call, VkResult result) {
  auto bound = noted_.bound.Find(call.videoSession).value_or(std::nullopt);
  if (!bound || call.pBindSessionMemoryInfos == nullptr) return;
  for (uint32_t i = 0; i < call.bindSessionMemoryInfoCount; ++i)
    bound->push_back(call.pBindSessionMemoryInfos[i].memoryBindIndex);
  if (result != VK_SUCCESS) bound.reset();
  noted_.bound.Set(call.videoSession, std::move(bound));
}

void VideoRules::PostCallRecord(const vk::CreateImage& call, VkResult result) {
  if (result == VK_SUCCESS && has_video_) noted_.images.Set(*call.pImage, ProfilesIn(call.pCreateInfo->pNext));
}
void VideoRules::PreCallRecord(const vk::DestroyImage& call) {
  if (has_video_) noted_.images.Erase(call.image);
}
void VideoRules::PostCallRecord(const vk::CreateBuffer& call, VkResult result) {
  if (result == VK_SUCCESS && has_video_) noted_.buffers.Set(*call.pBuffer, ProfilesIn(call.pCreateInfo->pNext));
}
void VideoRules::PreCallRecord(const vk::DestroyBuffer& call) {
  if (has_video_) noted_.buffers.Erase(call.buffer);
}
void VideoRules::PostCallRecord(const vk::CreateQueryPool& call, VkResult result) {
  if (result != VK_SUCCESS || !has_video_) return;
  const auto* const profile = vk::FindInChain<VkVideoProfileInfoKHR>(call.pCreateInfo->pNext);
  noted_.pools.Set(*call.pQueryPool,
                   profile != nullptr ? std::vector{VideoProfile(*profile)} : std::vector<VideoProfile>());
}
void VideoRules::PreCallRecord(const vk::DestroyQueryPool& call) {
  if (has_video_) noted_.pools.Erase(call.queryPool);
}

}  // namespace assay::core
