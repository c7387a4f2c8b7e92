// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/copy_transforms.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "vk/enum_to_string.h"

namespace assay::core {
namespace {

constexpr VkSurfaceTransformFlagsKHR k90 = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR;
constexpr VkSurfaceTransformFlagsKHR k180 = VK_SURFACE_TRANSFORM_ROTATE_180_BIT_KHR;
constexpr VkSurfaceTransformFlagsKHR k270 = VK_SURFACE_TRANSFORM_ROTATE_270_BIT_KHR;

// What must be a multiple of the texel block's extent: where the turned region begins or ends, or how long it is. An
// end, and what reaches to it, may be that of the level instead.
enum class Part { kBegin, kEnd, kLength };
struct BlockRule {
  VkSurfaceTransformFlagsKHR transforms;
  size_t axis;
  Part part;
};
// In the order of TurnedIds::blocks.
constexpr std::array<BlockRule, 8> kBlockRules = {{
    {k90 | k180, 0, Part::kEnd},
    {k180 | k270, 1, Part::kEnd},
    {k90, 0, Part::kBegin},
    {k180, 0, Part::kBegin},
    {k270, 0, Part::kLength},
    {k90, 1, Part::kLength},
    {k180, 1, Part::kBegin},
    {k270, 1, Part::kBegin},
}};

}  // namespace

void CheckTurnedBox(const CopyCheck& check, const CopiedImage& image, const VkImageSubresourceLayers& layers,
                    const ImageBox& box, VkSurfaceTransformFlagBitsKHR transform, const TurnedIds& ids,
                    const messages::Location& region) {
  const messages::Location where = region.Next(kTransformInfo);
  const ImageReports reports(check, image, where);
  const auto text = [&] {
    return absl::StrCat("(", vk::ToString(transform), ") is not allowed for ", reports.Describe(), ".");
  };
  reports.Must(image.info().imageType == VK_IMAGE_TYPE_2D, ids.is_2d, "transform", text);
  reports.Must(!image.has_planes(), ids.one_plane, "transform", text);
  if (image.format == nullptr || image.has_planes()) return;
  const auto& block = image.format->block_extent;
  reports.Must(block[0] == 1 && block[1] == 1 && block[2] == 1, ids.no_blocks, "transform", text);

  const bool is_swapped = (transform & (k90 | k270)) != 0;
  const std::array<int64_t, 2> length = {box.extent[is_swapped ? 1 : 0], box.extent[is_swapped ? 0 : 1]};
  const std::array<int64_t, 2> begin = {box.offset[0] - ((transform & (k90 | k180)) != 0 ? length[0] : 0),
                                        box.offset[1] - ((transform & (k180 | k270)) != 0 ? length[1] : 0)};
  const auto limit = image.LevelExtent(layers.mipLevel, layers.aspectMask);
  for (size_t i = 0; i < 2; ++i) {
    if (begin[i] >= 0 && begin[i] + length[i] <= limit[i]) continue;
    return ImageReports(check, image, region).Must(false, ids.inside, image.names.offset, [&] {
      return absl::StrCat("is turned by ", vk::ToString(transform), " to a region from ", begin[i], " to ",
                          begin[i] + length[i], " on the ", i == 0 ? "x" : "y", " axis of ", reports.Describe(),
                          ", which has ", limit[i], " texels there.");
    });
  }
  for (size_t i = 0; i < kBlockRules.size(); ++i) {
    const auto& [transforms, axis, part] = kBlockRules[i];
    if ((transforms & transform) == 0) continue;
    const int64_t end = begin[axis] + length[axis];
    const int64_t value = part == Part::kBegin ? begin[axis] : part == Part::kEnd ? end : length[axis];
    const bool is_to_end = part != Part::kBegin && end == limit[axis];
    ImageReports(check, image, region)
        .Must(is_to_end || value % block[axis] == 0, ids.blocks[i], image.names.offset, [&] {
          return absl::StrCat("is turned by ", vk::ToString(transform), " to a region from ", begin[axis], " to ", end,
                              " on the ", axis == 0 ? "x" : "y", " axis, which is not made of the texel blocks of ",
                              reports.Describe(), ".");
        });
  }
}

}  // namespace assay::core
