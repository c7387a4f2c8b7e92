// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/copied_image.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "vk/enum_info.h"
#include "vk/enum_to_string.h"

namespace assay::core {
namespace {

using messages::Location;

constexpr VkImageAspectFlags kPlanes =
    VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT;
constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};
constexpr std::array<std::string_view, 3> kSizes = {"width", "height", "depth"};

// The planes that one aspect each names: index of the plane; nothing for other aspects.
std::optional<size_t> PlaneOf(VkImageAspectFlags aspects) {
  switch (aspects) {
    case VK_IMAGE_ASPECT_PLANE_0_BIT:
      return 0;
    case VK_IMAGE_ASPECT_PLANE_1_BIT:
      return 1;
    case VK_IMAGE_ASPECT_PLANE_2_BIT:
      return 2;
    default:
      return std::nullopt;
  }
}

std::string AspectNames(VkImageAspectFlags aspects) {
  return vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, aspects);
}

// Which rule of the usage is violated.
vk::VuidIndex MissingUsage(const CopiedImage& image, VkImageAspectFlags aspects) {
  const CopiedImageIds& ids = image.ids;
  const VkImageUsageFlags needed = image.needed.usage;
  if (ids.stencil_usage == vk::kNoVuid) return (image.state->usage & needed) == 0 ? ids.resource.usage : vk::kNoVuid;
  const auto& separate = image.state->stencil_usage;
  const bool is_stencil = aspects == VK_IMAGE_ASPECT_STENCIL_BIT;
  if ((!separate.has_value() || !is_stencil) && (image.info().usage & needed) == 0) {
    return is_stencil && ids.shared_stencil_usage != vk::kNoVuid ? ids.shared_stencil_usage : ids.resource.usage;
  }
  const bool needs_stencil = separate.has_value() && (aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0;
  return needs_stencil && (*separate & needed) == 0 ? ids.stencil_usage : vk::kNoVuid;
}

void CheckFeatures(const CopyCheck& check, const CopiedImage& image, const Location& parameter) {
  const bool is_transfer = image.needed.features == VK_FORMAT_FEATURE_TRANSFER_SRC_BIT ||
                           image.needed.features == VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
  if (image.ids.features == vk::kNoVuid || image.format == nullptr ||
      (is_transfer && !check.facts().has_transfer_features))
    return;
  const auto features = check.facts().features.Of(*image.format, image.info().tiling);
  if (!features.has_value() || (*features & image.needed.features) != 0) [[likely]]
    return;
  ImageReports(check, image, parameter).Must(false, image.ids.features, image.names.image, [&] {
    return absl::StrCat(check.report().reporter().Describe(image.object), " has the format ", image.format->name,
                        ", whose features are without ", vk::ToString(image.needed.features), ".");
  });
}

// Whether [offset, offset + extent) is of whole transfers.
bool IsGranular(int64_t offset, int64_t extent, int64_t limit, int64_t unit) {
  if (unit == 0) return offset == 0 && extent == limit;
  return offset % unit == 0 && (extent % unit == 0 || offset + extent == limit);
}

void CheckGranularity(const CopyCheck& check, const ImageReports& reports, const CopiedImage& image,
                      const ImageBox& box, const std::array<int64_t, 3>& limit, const vk::FormatInfo* format) {
  const VkExtent3D unit = check.granularity();
  if ((unit.width == 1 && unit.height == 1 && unit.depth == 1) || format == nullptr || box.is_converted) [[likely]]
    return;
  const std::array<int64_t, 3> units = {int64_t{unit.width} * format->block_extent[0],
                                        int64_t{unit.height} * format->block_extent[1],
                                        int64_t{unit.depth} * format->block_extent[2]};
  for (size_t i = 0; i < 3; ++i) {
    if (IsGranular(box.offset[i], box.extent[i], limit[i], units[i])) continue;
    return reports.Must(false, image.ids.granularity, image.names.offset, [&] {
      return absl::StrCat("has the ", kAxes[i], " ", box.offset[i], ", with the ", kSizes[i], " ", box.extent[i],
                          " of ", limit[i], " in ", reports.Describe(), ". The queue family transfers ",
                          units[i] == 0 ? "whole levels." : absl::StrCat("multiples of ", units[i], " texels."));
    });
  }
}

// One axis that has texels: whether these are inside of the level.
bool CheckAxis(const ImageReports& reports, const CopiedImage& image, size_t axis, const ImageBox& box, int64_t limit,
               int64_t block) {
  const int64_t offset = box.offset[axis];
  const int64_t extent = box.extent[axis];
  const int64_t allowed = box.is_converted ? (limit + block - 1) / block * block : limit;
  if (offset < 0 || offset + extent > allowed) {
    reports.Must(false, image.ids.range[axis], image.names.offset, [&] {
      return absl::StrCat("has the ", kAxes[axis], " ", offset, ", from which ", extent,
                          " texels are not inside of the level of ", reports.Describe(), ", which has the ",
                          kSizes[axis], " ", limit, ".");
    });
    return false;
  }
  reports.Must(offset % block == 0, image.ids.block_offset[axis], image.names.offset, [&] {
    return absl::StrCat("has the ", kAxes[axis], " ", offset, ", which is not a multiple of the ", kSizes[axis], " (",
                        block, ") of the texel blocks of ", reports.Describe(), ".");
  });
  const bool is_whole = extent % block == 0 || offset + extent == limit || box.is_converted;
  reports.Must(is_whole, image.ids.block_extent[axis], image.names.extent, [&] {
    return absl::StrCat("has the ", kSizes[axis], " ", extent, ", which is not a multiple of the ", kSizes[axis], " (",
                        block, ") of the texel blocks of ", reports.Describe(), ", and does not reach to the end (",
                        limit, ") of the level.");
  });
  return true;
}

}  // namespace

const vk::FormatInfo* CopiedImage::FormatOf(VkImageAspectFlags aspects) const {
  const auto plane = PlaneOf(aspects);
  if (format == nullptr || !plane.has_value() || *plane >= format->planes.size()) return format;
  return vk::GetFormatInfo(format->planes[*plane].compatible);
}

std::array<int64_t, 3> CopiedImage::LevelExtent(uint32_t level, VkImageAspectFlags aspects) const {
  const auto size = [&](uint32_t extent) { return int64_t{std::max(extent >> level, uint32_t{1})}; };
  std::array<int64_t, 3> extent = {size(info().extent.width), size(info().extent.height), size(info().extent.depth)};
  const auto plane = PlaneOf(aspects);
  if (format != nullptr && plane.has_value() && *plane < format->planes.size()) {
    const vk::FormatPlane& of = format->planes[*plane];
    extent[0] = (extent[0] + of.width_divisor - 1) / of.width_divisor;
    extent[1] = (extent[1] + of.height_divisor - 1) / of.height_divisor;
  }
  return extent;
}

std::string ImageReports::Describe() const {
  return absl::StrCat(image_.names.image, " ", check_.report().reporter().Describe(image_.object));
}

void CheckRows(const ImageReports& reports, const vk::FormatInfo& format, const TexelRows& rows, const RowIds& ids) {
  const auto check_block = [&](uint32_t value, size_t axis, vk::VuidIndex rule, std::string_view name) {
    reports.Must(value % format.block_extent[axis] == 0, rule, name, [&] {
      return absl::StrCat("(", value, ") is not a multiple of the ", kSizes[axis], " (", format.block_extent[axis],
                          ") of the texel blocks of ", reports.Describe(), ".");
    });
  };
  check_block(rows.length, 0, ids.length, rows.length_name);
  check_block(rows.image_height, 1, ids.image_height, rows.height_name);
  const uint64_t bytes = uint64_t{rows.length} / format.block_extent[0] * format.block_size;
  reports.Must(bytes <= 0x7fffffff, ids.bytes, rows.length_name, [&] {
    return absl::StrCat("(", rows.length, ") makes rows of ", bytes, " bytes for ", reports.Describe(),
                        "; they must have at most 2147483647.");
  });
}

void CheckRange(const ImageReports& reports, const CopiedImage& image, const VkImageSubresourceRange& range,
                const RangeIds& ids) {
  const auto past = [&](std::string_view unit, uint32_t base, uint32_t count, uint32_t limit) {
    return absl::StrCat("names ", count, " from ", base, ", past the end of the ", limit, " ", unit, " of ",
                        reports.Describe(), ".");
  };
  const uint32_t level_limit = image.info().mipLevels;
  const uint32_t layer_limit = image.info().arrayLayers;
  const uint32_t level = range.baseMipLevel;
  const uint32_t layer = range.baseArrayLayer;
  const auto levels = [&] { return past("levels", level, range.levelCount, level_limit); };
  const auto layers = [&] { return past("layers", layer, range.layerCount, layer_limit); };
  reports.Must(level < level_limit, ids.level, "baseMipLevel", levels);
  const bool has_levels =
      range.levelCount == VK_REMAINING_MIP_LEVELS || level >= level_limit || range.levelCount <= level_limit - level;
  reports.Must(has_levels, ids.level_count, "levelCount", levels);
  reports.Must(layer < layer_limit, ids.layer, "baseArrayLayer", layers);
  const bool has_layers =
      range.layerCount == VK_REMAINING_ARRAY_LAYERS || layer >= layer_limit || range.layerCount <= layer_limit - layer;
  reports.Must(has_layers, ids.layer_count, "layerCount", layers);
}

void CheckHostLayout(const ImageReports& reports, VkImageLayout layout, const std::vector<VkImageLayout>& allowed,
                     vk::VuidIndex rule, std::string_view member) {
  const bool is_source = member.starts_with("src") || member.starts_with("old");
  reports.Must(allowed.empty() || std::ranges::find(allowed, layout) != allowed.end(), rule, member, [&] {
    return absl::StrCat("(", vk::ToString(layout), ") is not in ", is_source ? "pCopySrcLayouts" : "pCopyDstLayouts",
                        " of VkPhysicalDeviceHostImageCopyProperties, for ", reports.Describe(), ".");
  });
}

void CheckCopiedImage(const CopyCheck& check, const CopiedImage& image, VkImageAspectFlags aspects,
                      const Location& parameter) {
  if (!image.is_known()) return;
  const vk::VuidIndex missing = MissingUsage(image, aspects);
  ResourceIds ids = image.ids.resource;
  ids.usage = missing;
  CheckResource(check, ids,
                {.object = image.object,
                 .name = image.names.image,
                 .has_usage = missing == vk::kNoVuid,
                 .usage = vk::ToString(image.needed.usage),
                 .is_bound = image.state->memory || image.state->is_sparse() || image.state->is_presentable,
                 .is_protected = (image.info().flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0},
                parameter);
  CheckFeatures(check, image, parameter);
  const ImageReports reports(check, image, parameter);
  const auto describe = [&] { return check.report().reporter().Describe(image.object); };
  reports.Must(image.info().samples == VK_SAMPLE_COUNT_1_BIT, image.ids.one_sample, image.names.image,
               [&] { return absl::StrCat(describe(), " has ", vk::ToString(image.info().samples), "."); });
  reports.Must((image.info().flags & VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT) == 0, image.ids.subsampled, image.names.image,
               [&] { return absl::StrCat(describe(), " was created with VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT."); });
  // With VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT, only the driver knows where the texels are.
  const bool has_never_memory =
      image.state->is_sparse() && !image.state->is_partially_resident() && image.state->sparse->last_change() == 0;
  reports.Must(!has_never_memory, image.ids.sparse_bound, image.names.image,
               [&] { return absl::StrCat(describe(), " is a sparse image without memory."); });
}

bool CheckSubresource(const CopyCheck& check, const CopiedImage& image, const VkImageSubresourceLayers& layers,
                      const Location& region) {
  return CheckLayers(check, image, layers, region.Dot(image.names.subresource));
}

bool CheckLayers(const CopyCheck& check, const CopiedImage& image, const VkImageSubresourceLayers& layers,
                 const Location& where) {
  if (!image.is_known()) return false;
  const ImageReports reports(check, image, where);
  const VkImageCreateInfo& info = image.info();
  const bool has_level = layers.mipLevel < info.mipLevels;
  reports.Must(has_level, image.ids.level, "mipLevel", [&] {
    return absl::StrCat("(", layers.mipLevel, ") is not less than the ", info.mipLevels, " levels of ",
                        reports.Describe(), ".");
  });
  const bool is_rest = layers.layerCount == VK_REMAINING_ARRAY_LAYERS;
  const uint64_t end = uint64_t{layers.baseArrayLayer} + (is_rest ? 0 : layers.layerCount);
  const bool is_3d = info.imageType == VK_IMAGE_TYPE_3D;
  const bool is_slice = layers.baseArrayLayer == 0 && image.LayerCount(layers) == 1;
  const bool has_layers = end <= info.arrayLayers && !(is_rest && end == info.arrayLayers);
  if (is_3d && image.ids.no_layers != vk::kNoVuid) {
    reports.Must(is_slice, image.ids.no_layers,
                 is_slice || layers.baseArrayLayer == 0 ? "layerCount" : "baseArrayLayer", [&] {
                   return absl::StrCat("is wrong: ", reports.Describe(),
                                       " is a 3D image, of which baseArrayLayer must be 0 (it is ",
                                       layers.baseArrayLayer, ") and layerCount 1 (it is ", layers.layerCount, ").");
                 });
  } else {
    reports.Must(has_layers || is_rest, image.ids.layers, "layerCount", [&] {
      return absl::StrCat("(", layers.layerCount, ") from baseArrayLayer (", layers.baseArrayLayer,
                          ") is past the end of the ", info.arrayLayers, " layers of ", reports.Describe(), ".");
    });
    reports.Must(has_layers || !is_rest, image.ids.contained, "baseArrayLayer", [&] {
      return absl::StrCat("(", layers.baseArrayLayer, ") is not less than the ", info.arrayLayers, " layers of ",
                          reports.Describe(), ", so that no layers are left for VK_REMAINING_ARRAY_LAYERS.");
    });
  }
  if (image.format == nullptr) return false;
  const VkImageAspectFlags missing = layers.aspectMask & ~image.format->aspects;
  if (image.has_planes() && image.ids.one_plane != vk::kNoVuid) {
    const bool is_plane = std::popcount(layers.aspectMask) == 1 && (layers.aspectMask & kPlanes) != 0 && missing == 0;
    reports.Must(is_plane, image.ids.one_plane, "aspectMask", [&] {
      return absl::StrCat("(", AspectNames(layers.aspectMask), ") is not one of the ", image.format->planes.size(),
                          " planes of ", reports.Describe(), ".");
    });
    return has_level && has_layers && is_plane;
  }
  reports.Must(missing == 0, image.ids.aspects, "aspectMask", [&] {
    return absl::StrCat("(", AspectNames(layers.aspectMask), ") has aspects that are not in the format ",
                        image.format->name, " of ", reports.Describe(), ".");
  });
  return has_level && has_layers && missing == 0;
}

bool CheckBox(const CopyCheck& check, const CopiedImage& image, const VkImageSubresourceLayers& layers,
              const ImageBox& box, const Location& region) {
  const ImageReports reports(check, image, region);
  const CopiedImageIds& ids = image.ids;
  const auto limit = image.LevelExtent(layers.mipLevel, layers.aspectMask);
  const vk::FormatInfo* format = image.FormatOf(layers.aspectMask);
  const VkImageType type = image.info().imageType;
  const auto check_flat = [&](size_t axis, vk::VuidIndex rule, bool has_extent) {
    const bool holds = box.offset[axis] == 0 && (!has_extent || box.extent[axis] == 1);
    reports.Must(holds, rule, image.names.offset, [&] {
      return absl::StrCat("has the ", kAxes[axis], " ", box.offset[axis], ", with the ", kSizes[axis], " ",
                          box.extent[axis], ". ", reports.Describe(), " is a ", type == VK_IMAGE_TYPE_1D ? "1D" : "2D",
                          " image: they must be 0 and 1.");
    });
    return holds;
  };
  const auto block = [&](size_t axis) { return int64_t{format != nullptr ? format->block_extent[axis] : uint8_t{1}}; };
  bool is_inside = CheckAxis(reports, image, 0, box, limit[0], block(0));
  is_inside &= type == VK_IMAGE_TYPE_1D ? check_flat(1, ids.y_of_1d, true)
                                        : CheckAxis(reports, image, 1, box, limit[1], block(1));
  if (type == VK_IMAGE_TYPE_3D) {
    is_inside &= CheckAxis(reports, image, 2, box, limit[2], block(2));
  } else if (type == VK_IMAGE_TYPE_2D) {
    is_inside &= check_flat(2, ids.z_of_2d, ids.z_of_1d == ids.z_of_2d);
  } else {
    is_inside &= check_flat(2, ids.z_of_1d, true);
  }
  if (is_inside && (type != VK_IMAGE_TYPE_2D || box.extent[2] == 1))
    CheckGranularity(check, reports, image, box, limit, format);
  return is_inside;
}

}  // namespace assay::core
