// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What only vkCmdEncodeVideoKHR has, of all codecs.

#include "core/video/coding.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::kNoVuid;
using vk::Vuid;

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

}  // namespace

void CheckSessionParameters(const Encoding& encoding) {
  const auto* const parameters = encoding.parameters;
  const auto& level = encoding.scope.quality_level;
  encoding.check.Require(parameters == nullptr || !level || *level == parameters->quality_level,
                         Vuid("VUID-vkCmdEncodeVideoKHR-None-08318"), encoding.command,
                         "The session parameters were created with another quality level than is set.");
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

}  // namespace assay::core
