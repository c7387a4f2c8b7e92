// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/accesses/resource_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "state/state.h"
#include "vk/enum_info.h"

namespace assay::syncval {
namespace {

using messages::Properties;
using messages::PropertyValue;
using state::DeviceState;
using state::TexelBox;

Range Hull(absl::Span<const Range> ranges) {
  Range all = ranges.front();
  for (const Range& range : ranges) all = {std::min(all.begin, range.begin), std::max(all.end, range.end)};
  return all;
}

// For a buffer, or memory, that begins at this address.
std::string PartOfBytes(uint64_t address, absl::Span<const Range> ranges) {
  const Range all = Hull(ranges);
  const bool has_gaps = ranges.size() > 1;
  return absl::StrCat(has_gaps ? "parts of " : "", "bytes ", all.begin - address, " to ", all.end - address - 1,
                      " of ");
}

void Unite(TexelBox& box, const TexelBox& other) {
  box.first_layer = std::min(box.first_layer, other.first_layer);
  box.end_layer = std::max(box.end_layer, other.end_layer);
  for (size_t i = 0; i < box.begin.size(); ++i) {
    box.begin[i] = std::min(box.begin[i], other.begin[i]);
    box.end[i] = std::max(box.end[i], other.end[i]);
  }
}

// One for each aspect and mip level. None for bytes of memory that the image shares with other resources: their texels
// are unknown.
std::vector<TexelBox> BoxesOf(const state::Image& image, absl::Span<const Range> ranges) {
  std::vector<TexelBox> boxes;
  for (const Range& range : ranges) {
    if (range.begin < image.address || range.end > image.address + image.encoder.size()) continue;
    for (const TexelBox& box : image.encoder.BoxesOf({range.begin - image.address, range.end - image.address})) {
      const auto same = [&](const TexelBox& other) { return other.aspect == box.aspect && other.level == box.level; };
      const auto found = std::find_if(boxes.begin(), boxes.end(), same);
      if (found == boxes.end()) {
        boxes.push_back(box);
      } else {
        Unite(*found, box);
      }
    }
  }
  return boxes;
}

std::string Texels(const TexelBox& box, bool is_3d) {
  const auto point = [&](uint32_t x, uint32_t y, uint32_t z) {
    return is_3d ? absl::StrCat("(", x, ", ", y, ", ", z, ")") : absl::StrCat("(", x, ", ", y, ")");
  };
  return absl::StrCat("texels ", point(box.begin[0], box.begin[1], box.begin[2]), " to ",
                      point(box.end[0] - 1, box.end[1] - 1, box.end[2] - 1), " of ");
}

const char* AspectName(VkImageAspectFlags aspect) {
  switch (aspect) {
    case VK_IMAGE_ASPECT_COLOR_BIT:
      return "the color aspect";
    case VK_IMAGE_ASPECT_DEPTH_BIT:
      return "the depth aspect";
    case VK_IMAGE_ASPECT_STENCIL_BIT:
      return "the stencil aspect";
    case VK_IMAGE_ASPECT_PLANE_0_BIT:
      return "plane 0";
    case VK_IMAGE_ASPECT_PLANE_1_BIT:
      return "plane 1";
    default:
      return "plane 2";
  }
}

// "mip level 2", "array layers 0 to 5"; empty for all of them.
std::string Interval(const char* name, uint32_t first, uint32_t end, uint32_t count) {
  if (end - first == count) return "";
  return end - first == 1 ? absl::StrCat(name, " ", first) : absl::StrCat(name, "s ", first, " to ", end - 1);
}

std::string PartOfImage(const state::Image& image, absl::Span<const Range> ranges) {
  const std::vector<TexelBox> boxes = BoxesOf(image, ranges);
  if (boxes.empty()) return "";
  TexelBox all = boxes.front();
  VkImageAspectFlags aspects = 0;
  uint32_t end_level = 0;
  for (const TexelBox& box : boxes) {
    aspects |= box.aspect;
    all.level = std::min(all.level, box.level);
    end_level = std::max(end_level, box.level + 1);
    all.first_layer = std::min(all.first_layer, box.first_layer);
    all.end_layer = std::max(all.end_layer, box.end_layer);
  }
  const bool is_3d = image.create_info.imageType == VK_IMAGE_TYPE_3D;
  std::vector<std::string> parts;
  const auto add = [&](std::string part) {
    if (!part.empty()) parts.push_back(std::move(part));
  };
  const bool has_other_aspects = image.encoder.aspects() != aspects && std::popcount(aspects) == 1;
  add(Interval("mip level", all.level, end_level, image.create_info.mipLevels));
  if (!is_3d) add(Interval("array layer", all.first_layer, all.end_layer, image.create_info.arrayLayers));
  const bool is_whole = all.begin == std::array<uint32_t, 3>{} && all.end == all.extent;
  const std::string texels = boxes.size() == 1 && !is_whole ? Texels(all, is_3d) : "";
  return absl::StrCat(texels, parts.empty() ? "" : absl::StrCat(absl::StrJoin(parts, ", "), " of "),
                      has_other_aspects ? absl::StrCat(AspectName(aspects), " of ") : "");
}

std::string Handle(uint64_t handle) { return absl::StrCat("0x", absl::Hex(handle)); }

std::vector<PropertyValue> BytesOf(uint64_t address, absl::Span<const Range> ranges) {
  std::vector<PropertyValue> list;
  for (const Range& range : ranges) {
    list.push_back(Properties{{"offset", range.begin - address}, {"size", range.end - range.begin}});
  }
  return list;
}

// The address of a buffer or memory. None for an image, for a resource that is gone, and for bytes of memory that a
// sparse buffer shares with others: their offset in the buffer may change.
std::optional<uint64_t> AddressOfBytes(VkObjectType type, uint64_t resource, absl::Span<const Range> ranges) {
  if (ranges.empty()) return std::nullopt;
  const Range all = Hull(ranges);
  const auto begin_of = [&](const auto* owner) {
    const bool has_all = owner != nullptr && all.begin >= owner->address && all.end <= owner->address + owner->size;
    return has_all ? std::optional(owner->address) : std::nullopt;
  };
  if (type == state::Buffer::kType) return begin_of(DeviceState::Get<state::Buffer>(resource));
  if (type == state::DeviceMemory::kType) return begin_of(DeviceState::Get<state::DeviceMemory>(resource));
  return std::nullopt;
}

Properties SubresourceRange(VkImageAspectFlags aspects, const VkImageSubresourceRange& range) {
  return {{"aspectMask", vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, aspects)},
          {"baseMipLevel", uint64_t{range.baseMipLevel}},
          {"levelCount", uint64_t{range.levelCount}},
          {"baseArrayLayer", uint64_t{range.baseArrayLayer}},
          {"layerCount", uint64_t{range.layerCount}}};
}

PropertyValue Triple(const std::array<uint32_t, 3>& values) {
  return std::vector<PropertyValue>{uint64_t{values[0]}, uint64_t{values[1]}, uint64_t{values[2]}};
}

Properties TexelsOf(const TexelBox& box) {
  Properties properties = SubresourceRange(box.aspect, {.baseMipLevel = box.level,
                                                        .levelCount = 1,
                                                        .baseArrayLayer = box.first_layer,
                                                        .layerCount = box.end_layer - box.first_layer});
  if (box.begin == std::array<uint32_t, 3>{} && box.end == box.extent) return properties;
  std::array<uint32_t, 3> size = box.end;
  for (size_t i = 0; i < size.size(); ++i) size[i] -= box.begin[i];
  properties.push_back({"offset", Triple(box.begin)});
  properties.push_back({"extent", Triple(size)});
  return properties;
}

// A barrier for an image with depth and stencil names both aspects, unless a feature is enabled. One for an image with
// several planes names the color aspect, unless the planes are disjoint.
VkImageAspectFlags AspectsOfBarrier(const state::Image& image) {
  const VkImageAspectFlags aspects = image.encoder.aspects();
  constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;
  constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  return (aspects & kDepthStencil) != 0 ? aspects & kDepthStencil : kColor;
}

Properties BarrierOfImage(const state::Image& image, absl::Span<const Range> ranges) {
  const std::vector<TexelBox> boxes = BoxesOf(image, ranges);
  if (boxes.empty()) return {};
  TexelBox all = boxes.front();
  uint32_t end_level = 0;
  for (const TexelBox& box : boxes) {
    all.level = std::min(all.level, box.level);
    end_level = std::max(end_level, box.level + 1);
    all.first_layer = std::min(all.first_layer, box.first_layer);
    all.end_layer = std::max(all.end_layer, box.end_layer);
  }
  return {
      {"structure", "VkImageMemoryBarrier2"},
      {"oldLayout", "VK_IMAGE_LAYOUT_GENERAL"},
      {"newLayout", "VK_IMAGE_LAYOUT_GENERAL"},
      {"srcQueueFamilyIndex", "VK_QUEUE_FAMILY_IGNORED"},
      {"dstQueueFamilyIndex", "VK_QUEUE_FAMILY_IGNORED"},
      {"image", Handle(image.handle())},
      {"subresourceRange", SubresourceRange(AspectsOfBarrier(image), {.baseMipLevel = all.level,
                                                                      .levelCount = end_level - all.level,
                                                                      .baseArrayLayer = all.first_layer,
                                                                      .layerCount = all.end_layer - all.first_layer})}};
}

Properties BarrierOfBuffer(uint64_t buffer, uint64_t address, absl::Span<const Range> ranges) {
  const Range all = Hull(ranges);
  return {{"structure", "VkBufferMemoryBarrier2"},
          {"srcQueueFamilyIndex", "VK_QUEUE_FAMILY_IGNORED"},
          {"dstQueueFamilyIndex", "VK_QUEUE_FAMILY_IGNORED"},
          {"buffer", Handle(buffer)},
          {"offset", all.begin - address},
          {"size", all.end - all.begin}};
}

}  // namespace

std::vector<PropertyValue> RangeProperties(VkObjectType type, uint64_t resource, absl::Span<const Range> ranges) {
  if (const auto address = AddressOfBytes(type, resource, ranges)) return BytesOf(*address, ranges);
  std::vector<PropertyValue> list;
  if (type != state::Image::kType) return list;
  if (const auto* image = DeviceState::Get<state::Image>(resource)) {
    for (const TexelBox& box : BoxesOf(*image, ranges)) list.push_back(TexelsOf(box));
  }
  return list;
}

Properties BarrierProperties(VkObjectType type, uint64_t resource, absl::Span<const Range> ranges) {
  if (ranges.empty()) return {};
  if (type == state::Buffer::kType) {
    const auto address = AddressOfBytes(type, resource, ranges);
    return address.has_value() ? BarrierOfBuffer(resource, *address, ranges) : Properties();
  }
  const auto* image = DeviceState::Get<state::Image>(resource);
  return image != nullptr ? BarrierOfImage(*image, ranges) : Properties();
}

std::string RangesText(VkObjectType type, uint64_t resource, absl::Span<const Range> ranges) {
  if (ranges.empty()) return "";
  if (const auto address = AddressOfBytes(type, resource, ranges)) return PartOfBytes(*address, ranges);
  const auto* image = type == state::Image::kType ? DeviceState::Get<state::Image>(resource) : nullptr;
  return image != nullptr ? PartOfImage(*image, ranges) : "";
}

}  // namespace assay::syncval
