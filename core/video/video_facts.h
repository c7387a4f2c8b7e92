// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_VIDEO_VIDEO_FACTS_H_
#define ASSAY_CORE_VIDEO_VIDEO_FACTS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/video/codecs.h"
#include "dispatch/dispatch.h"
#include "state/state.h"
#include "vk/vulkan.h"
#include "vk/walk/video_structs.h"

// Private to the package: what is noted of video sessions and of what they are used with.
namespace assay::core {

// What makes video profiles different, but for hints of their usage.
struct VideoProfile {
  explicit VideoProfile(const VkVideoProfileInfoKHR& info);
  friend bool operator==(const VideoProfile&, const VideoProfile&) = default;

  bool Is(VkVideoCodecOperationFlagsKHR operations) const { return (operation & operations) != 0; }

  VkVideoCodecOperationFlagBitsKHR operation;
  std::array<VkFlags, 3> format;
  // Of the codec's own structure, with the picture layout or the support of film grain.
  std::array<uint32_t, 2> codec = {};
  // Whether it has that structure.
  bool is_complete = false;
};

// What the driver can do with a profile. Where it did not say, all is 0, and nothing is known.
struct VideoCapabilities {
  VideoCapabilities() = default;
  VideoCapabilities(const dispatch::Device& device, const VkVideoProfileInfoKHR& info, const VideoProfile& profile);

  bool are_known() const { return result == VK_SUCCESS && general.maxCodedExtent.width != 0; }
  // Whether it is known that flags of general, decode or encode do not have the bit.
  bool Lack(VkFlags flags, VkFlags bit) const { return are_known() && (flags & bit) == 0; }
  template <class T>
  const T& Of() const {
    return std::get<T>(codecs);
  }
  bool IsUnsupported() const {
    return result == VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR ||
           result == VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR ||
           result == VK_ERROR_VIDEO_PICTURE_LAYOUT_NOT_SUPPORTED_KHR ||
           result == VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
  }

  VkResult result = VK_SUCCESS;
  VkVideoCapabilitiesKHR general{};
  VkVideoDecodeCapabilitiesKHR decode{};
  VkVideoEncodeCapabilitiesKHR encode{};
  std::tuple<VkVideoDecodeH264CapabilitiesKHR, VkVideoDecodeH265CapabilitiesKHR, VkVideoDecodeAV1CapabilitiesKHR,
             VkVideoEncodeH264CapabilitiesKHR, VkVideoEncodeH265CapabilitiesKHR, VkVideoEncodeAV1CapabilitiesKHR>
      codecs{};
};

// The quantization parameters that the driver supports.
struct QpLimits {
  // A driver that has said nothing.
  bool are_known() const { return least != 0 || most != 0; }
  bool Allow(int64_t qp) const { return !are_known() || (qp >= least && qp <= most); }
  int64_t least;
  int64_t most;
};
constexpr QpLimits QpLimitsOf(const VkVideoEncodeAV1CapabilitiesKHR& can) { return {can.minQIndex, can.maxQIndex}; }
constexpr QpLimits QpLimitsOf(const auto& can) { return {can.minQp, can.maxQp}; }

inline constexpr VkImageUsageFlags kQuantizationMaps =
    VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR;

// The properties of formats that the driver supports for a profile and one of the usages.
struct VideoFormat {
  VkFormat format;
  // Of quantization maps.
  VkExtent2D texel_size;
};
std::vector<VideoFormat> VideoFormats(const dispatch::Device& device, const VkVideoProfileInfoKHR& profile,
                                      std::initializer_list<VkImageUsageFlags> usages);

struct VideoSession {
  bool Has(VkVideoSessionCreateFlagsKHR flag) const { return (info.flags & flag) != 0; }
  bool Is(VkVideoCodecOperationFlagsKHR operations) const { return profile.Is(operations); }

  // Without pointers.
  VkVideoSessionCreateInfoKHR info;
  VideoProfile profile;
  VideoCapabilities can;
  // The indices that need memory.
  std::vector<uint32_t> bindings;
  // What quantization maps may have.
  std::vector<VideoFormat> delta_maps;
  std::vector<VideoFormat> emphasis_maps;
};

// Keys of video, sequence and picture parameter sets (vk::KeyOf).
struct ParameterSets {
  static constexpr size_t kVps = 0, kSps = 1, kPps = 2;

  bool Has(size_t kind, uint32_t key) const { return std::ranges::count(keys[kind], key) != 0; }
  void Add(const ParameterSets& others) {
    for (size_t kind = 0; kind < keys.size(); ++kind) {
      for (const uint32_t key : others.keys[kind]) {
        if (!Has(kind, key)) keys[kind].push_back(key);
      }
    }
    pictures.insert(pictures.end(), others.pictures.begin(), others.pictures.end());
  }

  std::array<std::vector<uint32_t>, 3> keys;
  // What is noted of picture parameter sets. The first one of a key counts.
  struct Picture {
    uint32_t key;
    // Whether P and B slices use explicit weighted sample prediction.
    bool has_weights, has_bidirectional_weights;
    VkExtent2D tiles;
    bool has_tiles;
  };
  const Picture* FindPicture(uint32_t key) const {
    const auto found = std::ranges::find(pictures, key, &Picture::key);
    return found != pictures.end() ? &*found : nullptr;
  }
  std::vector<Picture> pictures;
};
// What a structure of the codec adds: VkVideoDecodeH264SessionParametersAddInfoKHR and its like, or null.
template <class Added>
ParameterSets ReadParameterSets(const Added* added) {
  ParameterSets sets;
  const auto read = [&](size_t kind, const auto* first, uint32_t count) {
    for (uint32_t i = 0; first != nullptr && i < count; ++i) sets.keys[kind].push_back(vk::KeyOf(first[i]));
  };
  if (added == nullptr) return sets;
  read(ParameterSets::kSps, added->pStdSPSs, added->stdSPSCount);
  read(ParameterSets::kPps, added->pStdPPSs, added->stdPPSCount);
  if constexpr (requires { added->stdVPSCount; }) read(ParameterSets::kVps, added->pStdVPSs, added->stdVPSCount);
  for (uint32_t i = 0; added->pStdPPSs != nullptr && i < added->stdPPSCount; ++i) {
    const auto& set = added->pStdPPSs[i];
    ParameterSets::Picture picture = {vk::KeyOf(set), set.flags.weighted_pred_flag != 0, false, {1, 1}, false};
    if constexpr (requires { set.weighted_bipred_idc; }) {
      picture.has_bidirectional_weights = set.weighted_bipred_idc == STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_EXPLICIT;
    } else {
      picture.has_bidirectional_weights = set.flags.weighted_bipred_flag != 0;
      picture.tiles = {set.num_tile_columns_minus1 + uint32_t{1}, set.num_tile_rows_minus1 + uint32_t{1}};
      picture.has_tiles = set.flags.tiles_enabled_flag != 0;
    }
    sets.pictures.push_back(picture);
  }
  return sets;
}

struct VideoParameters {
  std::shared_ptr<const VideoSession> session;
  VkVideoSessionParametersCreateFlagsKHR flags = 0;
  uint32_t quality_level = 0;
  VkExtent2D texel_size = {};
  uint32_t updates = 0;
  std::array<uint32_t, 3> most = {};
  ParameterSets sets;
  // Of AV1; without pointers.
  std::optional<StdVideoAV1SequenceHeader> header;
};

inline bool IsBetween(const VkExtent2D& extent, const VkExtent2D& least, const VkExtent2D& most) {
  return extent.width >= least.width && extent.width <= most.width && extent.height >= least.height &&
         extent.height <= most.height;
}
inline std::string_view NameOf(const VkExtensionProperties& extension) { return extension.extensionName; }
inline bool AreSame(const VkExtent2D& a, const VkExtent2D& b) { return a.width == b.width && a.height == b.height; }

// A picture resource that a command names. For the duration of the command.
struct VideoPicture {
  explicit VideoPicture(const VkVideoPictureResourceInfoKHR& resource)
      : info(resource), view(state::DeviceState::Get<state::ImageView>(resource.imageViewBinding)) {}

  bool is_known() const { return view != nullptr && view->image; }
  bool is_protected() const { return (view->image->create_info.flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0; }
  bool HasSubresourceOf(const VideoPicture& other) const {
    return is_known() && other.is_known() && view->image.get() == other.view->image.get() &&
           view->subresource_range.baseMipLevel == other.view->subresource_range.baseMipLevel &&
           layer() == other.layer();
  }
  bool Matches(const VideoPicture& other) const {
    return HasSubresourceOf(other) && info.codedOffset.x == other.info.codedOffset.x &&
           info.codedOffset.y == other.info.codedOffset.y && AreSame(info.codedExtent, other.info.codedExtent);
  }

  const VkVideoPictureResourceInfoKHR& info;
  const state::ImageView* view;

 private:
  uint32_t layer() const { return view->subresource_range.baseArrayLayer + info.baseArrayLayer; }
};

// A video coding scope that is being recorded. Its command buffer is externally synchronized.
struct CodingScope {
  std::shared_ptr<const VideoSession> session;
  VkVideoSessionParametersKHR parameters = VK_NULL_HANDLE;
  // The bound reference picture resources, with their slots.
  struct Bound {
    int32_t slot;
    VkVideoPictureResourceInfoKHR picture;
  };
  std::vector<Bound> bound;
  // The rate control mode that the scope began with or has set.
  VkVideoEncodeRateControlModeFlagBitsKHR rate_control = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR;
  // If the scope has set it.
  std::optional<uint32_t> quality_level;
  // The active query that an operation has used.
  std::optional<std::pair<VkQueryPool, uint32_t>> counted;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_VIDEO_VIDEO_FACTS_H_
