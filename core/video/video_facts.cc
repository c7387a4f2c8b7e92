// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/video/video_facts.h"

#include <type_traits>

#include "vk/chain.h"
#include "vk/commands.h"
#include "vk/struct_traits.h"

namespace assay::core {
namespace {

template <class T>
void Chain(T& link, VkVideoCapabilitiesKHR& to) {
  link.sType = vk::kStructureTypeOf<T>;
  link.pNext = to.pNext;
  to.pNext = &link;
}

}  // namespace

VideoProfile::VideoProfile(const VkVideoProfileInfoKHR& info)
    : operation(info.videoCodecOperation), format{info.chromaSubsampling, info.lumaBitDepth, info.chromaBitDepth} {
  WithCodec(operation, [&]<class Codec>(Codec) {
    const auto* const own = vk::FindInChain<typename Codec::Profile>(info.pNext);
    is_complete = own != nullptr;
    if (own == nullptr) return;
    if constexpr (requires { own->stdProfile; }) codec[0] = own->stdProfile;
    if constexpr (requires { own->stdProfileIdc; }) codec[0] = own->stdProfileIdc;
    if constexpr (requires { own->pictureLayout; }) codec[1] = own->pictureLayout;
    if constexpr (requires { own->filmGrainSupport; }) codec[1] = own->filmGrainSupport;
  });
}

VideoCapabilities::VideoCapabilities(const dispatch::Device& device, const VkVideoProfileInfoKHR& info,
                                     const VideoProfile& profile) {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceVideoCapabilitiesKHR>(device.instance.next);
  // A profile that is not complete would be wrong to ask about.
  if (ask == nullptr || !profile.is_complete) return;
  general.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR;
  WithCodec(profile.operation, [&]<class Codec>(Codec) {
    Chain(std::get<typename Codec::Capabilities>(codecs), general);
    profile.Is(vk::kDecodes) ? Chain(decode, general) : Chain(encode, general);
    result = ask(device.physical_device->handle, &info, &general);
  });
  general.pNext = nullptr;
}

std::vector<VideoFormat> VideoFormats(const dispatch::Device& device, const VkVideoProfileInfoKHR& profile,
                                      std::initializer_list<VkImageUsageFlags> usages) {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceVideoFormatPropertiesKHR>(device.instance.next);
  std::vector<VideoFormat> all;
  if (ask == nullptr) return all;
  const VkVideoProfileListInfoKHR list = {VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR, nullptr, 1, &profile};
  for (const VkImageUsageFlags usage : usages) {
    const VkPhysicalDeviceVideoFormatInfoKHR info = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR, &list,
                                                     usage};
    uint32_t count = 0;
    if (ask(device.physical_device->handle, &info, &count, nullptr) != VK_SUCCESS) continue;
    std::vector<VkVideoFormatQuantizationMapPropertiesKHR> maps(
        count, {.sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_QUANTIZATION_MAP_PROPERTIES_KHR});
    std::vector<VkVideoFormatPropertiesKHR> formats;
    formats.reserve(count);
    const bool are_maps = (usage & kQuantizationMaps) != 0;
    for (auto& map : maps)
      formats.push_back({.sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR, .pNext = are_maps ? &map : nullptr});
    if (ask(device.physical_device->handle, &info, &count, formats.data()) != VK_SUCCESS) continue;
    for (uint32_t i = 0; i < count; ++i) all.push_back({formats[i].format, maps[i].quantizationMapTexelSize});
  }
  return all;
}

}  // namespace assay::core
