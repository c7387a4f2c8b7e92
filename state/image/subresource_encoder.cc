// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/image/subresource_encoder.h"

#include <algorithm>
#include <bit>

#include "vk/format_info.h"

namespace assay::state {
namespace {

// Far above every device's limits, and low enough that no size overflows 64 bits and no loop over rows runs away.
constexpr uint32_t kMaxExtent = 1u << 17;
constexpr uint32_t kMaxLayers = 1u << 16;
constexpr uint32_t kMaxLevels = 18;

// Past the end of everything, and far enough from overflow to be rounded up.
constexpr uint64_t kEnd = uint64_t{1} << 40;

uint64_t DivideUp(uint64_t value, uint64_t divisor) { return (value + divisor - 1) / divisor; }

void Append(uint64_t begin, uint64_t end, ByteRanges& out) {
  if (!out.empty() && out.back().end == begin) {
    out.back().end = end;
  } else {
    out.push_back({begin, end});
  }
}

uint16_t AspectSize(const vk::FormatInfo& info, VkImageAspectFlagBits aspect) {
  if (info.aspects == static_cast<VkImageAspectFlags>(aspect)) return std::max<uint16_t>(info.block_size, 1);
  const char name = aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? 'D' : 'S';
  uint32_t bits = 0;
  for (const vk::FormatComponent& component : info.components) {
    if (component.name == name) bits += component.bits;
  }
  return static_cast<uint16_t>(std::max<uint64_t>(DivideUp(bits, 8), 1));
}

}  // namespace

ImageSubresourceEncoder::ImageSubresourceEncoder(const VkImageCreateInfo& create_info)
    : is_3d_(create_info.imageType == VK_IMAGE_TYPE_3D),
      is_corner_sampled_((create_info.flags & VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV) != 0) {
  const bool is_1d = create_info.imageType == VK_IMAGE_TYPE_1D;
  extent_ = {create_info.extent.width, is_1d ? 1 : create_info.extent.height, is_3d_ ? create_info.extent.depth : 1};
  layer_count_ = is_3d_ ? 1 : create_info.arrayLayers;
  level_count_ = std::min(create_info.mipLevels, kMaxLevels);
  const auto [smallest, largest] = std::minmax_element(extent_.begin(), extent_.end());
  const bool exists = *smallest > 0 && *largest <= kMaxExtent && layer_count_ > 0 && layer_count_ <= kMaxLayers;
  if (exists && level_count_ > 0) AddAspects(create_info.format);
  AddLevels();
}

void ImageSubresourceEncoder::AddAspects(VkFormat format) {
  const vk::FormatInfo* info = vk::GetFormatInfo(format);
  if (info == nullptr) {
    planes_[plane_count_++].aspects = VK_IMAGE_ASPECT_COLOR_BIT;
    return;
  }
  static constexpr VkImageAspectFlagBits kPlaneAspects[kMaxPlanes] = {
      VK_IMAGE_ASPECT_PLANE_0_BIT, VK_IMAGE_ASPECT_PLANE_1_BIT, VK_IMAGE_ASPECT_PLANE_2_BIT};
  for (size_t i = 0; i < info->planes.size() && i < kMaxPlanes; ++i) {
    Plane& plane = planes_[plane_count_++];
    plane.aspects = VK_IMAGE_ASPECT_COLOR_BIT | kPlaneAspects[i];
    plane.divisor = {info->planes[i].width_divisor, info->planes[i].height_divisor, 1};
    const vk::FormatInfo* compatible = vk::GetFormatInfo(info->planes[i].compatible);
    if (compatible == nullptr) continue;
    plane.block_extent = compatible->block_extent;
    plane.block_size = compatible->block_size;
  }
  if (plane_count_ > 0) return;
  for (VkImageAspectFlagBits aspect :
       {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT}) {
    if ((info->aspects & aspect) == 0) continue;
    Plane& plane = planes_[plane_count_++];
    plane.aspects = aspect;
    plane.block_extent = info->block_extent;
    plane.block_size = AspectSize(*info, aspect);
  }
}

void ImageSubresourceEncoder::AddLevels() {
  uint64_t end = 0;
  level_begins_.reserve(plane_count_ * level_count_ + 1);
  for (uint32_t i = 0; i < plane_count_; ++i) {
    for (uint32_t level = 0; level < level_count_; ++level) {
      level_begins_.push_back(end);
      const Extent blocks = LevelBlocks(planes_[i], LevelExtent(level));
      end += uint64_t{blocks[0]} * blocks[1] * blocks[2] * planes_[i].block_size * layer_count_;
    }
  }
  level_begins_.push_back(end);
}

ImageSubresourceEncoder::Extent ImageSubresourceEncoder::LevelExtent(uint32_t level) const {
  Extent extent;
  for (size_t i = 0; i < extent.size(); ++i) {
    if (is_corner_sampled_) {
      // Vulkan, "Image Mip Level Sizing": half of each dimension, rounded up, and no less than 2.
      extent[i] = std::max((extent_[i] + (1u << level) - 1) >> level, std::min(extent_[i], 2u));
    } else {
      extent[i] = std::max(extent_[i] >> level, 1u);
    }
  }
  return extent;
}

ImageSubresourceEncoder::Extent ImageSubresourceEncoder::LevelBlocks(const Plane& plane, const Extent& extent) const {
  Extent blocks;
  for (size_t i = 0; i < blocks.size(); ++i) {
    blocks[i] = static_cast<uint32_t>(DivideUp(DivideUp(extent[i], plane.divisor[i]), plane.block_extent[i]));
  }
  return blocks;
}

ImageSubresourceEncoder::Interval ImageSubresourceEncoder::Resolve(uint32_t base, uint32_t count, uint32_t limit) {
  static_assert(VK_REMAINING_MIP_LEVELS == VK_REMAINING_ARRAY_LAYERS);
  const uint64_t end = count == VK_REMAINING_MIP_LEVELS ? limit : uint64_t{base} + count;
  return {base, std::min<uint64_t>(end, limit)};
}

ImageSubresourceEncoder::Interval ImageSubresourceEncoder::Texels(int32_t offset, uint32_t extent) {
  const int64_t begin = offset;
  const int64_t end = begin + extent;
  return {static_cast<uint64_t>(std::max<int64_t>(begin, 0)), static_cast<uint64_t>(std::max<int64_t>(end, 0))};
}

ImageSubresourceEncoder::Interval ImageSubresourceEncoder::LayersOf(const VkImageSubresourceRange& range,
                                                                    LayerUnit unit) const {
  if (is_3d_ && unit == LayerUnit::kDepthSlices) return {0, layer_count_};
  return Resolve(range.baseArrayLayer, range.layerCount, layer_count_);
}

ImageSubresourceEncoder::Interval ImageSubresourceEncoder::DepthOf(const VkImageSubresourceRange& range,
                                                                   LayerUnit unit) const {
  if (!is_3d_ || unit != LayerUnit::kDepthSlices) return {0, kEnd};
  // Levels differ in depth: each clamps this to its own.
  return Resolve(range.baseArrayLayer, range.layerCount, kMaxExtent);
}

void ImageSubresourceEncoder::AppendRanges(const VkImageSubresourceRange& range, ByteRanges& out,
                                           LayerUnit unit) const {
  const Interval levels = Resolve(range.baseMipLevel, range.levelCount, level_count_);
  const Interval layers = LayersOf(range, unit);
  if (is_3d_ && unit == LayerUnit::kDepthSlices) {
    const Box box = {Interval{0, kEnd}, Interval{0, kEnd}, DepthOf(range, unit)};
    return AppendBox(range.aspectMask, levels, layers, box, out);
  }
  if (levels.empty() || layers.empty()) return;
  for (uint32_t i = 0; i < plane_count_; ++i) {
    if ((planes_[i].aspects & range.aspectMask) == 0) continue;
    if (layers.length() == layer_count_) {
      Append(LevelBegin(i, levels.begin), LevelBegin(i, levels.end), out);
      continue;
    }
    for (uint64_t level = levels.begin; level < levels.end; ++level) {
      const uint64_t begin = LevelBegin(i, level);
      const uint64_t layer_size = (LevelBegin(i, level + 1) - begin) / layer_count_;
      Append(begin + layers.begin * layer_size, begin + layers.end * layer_size, out);
    }
  }
}

VkImageAspectFlags ImageSubresourceEncoder::aspects() const {
  VkImageAspectFlags aspects = 0;
  for (uint32_t i = 0; i < plane_count_; ++i) aspects |= std::bit_floor(planes_[i].aspects);
  return aspects;
}

std::vector<TexelBox> ImageSubresourceEncoder::BoxesOf(const ByteRange& range) const {
  std::vector<TexelBox> boxes;
  for (uint32_t i = 0; i < plane_count_; ++i) {
    for (uint32_t level = 0; level < level_count_; ++level) {
      const Interval bytes = {std::max(range.begin, LevelBegin(i, level)),
                              std::min(range.end, LevelBegin(i, level + 1))};
      if (!bytes.empty()) boxes.push_back(BoxOf(i, level, bytes));
    }
  }
  return boxes;
}

TexelBox ImageSubresourceEncoder::BoxOf(uint32_t plane_index, uint32_t level, Interval bytes) const {
  const Plane& plane = planes_[plane_index];
  const Extent extent = LevelExtent(level);
  const Extent blocks = LevelBlocks(plane, extent);
  uint64_t first = (bytes.begin - LevelBegin(plane_index, level)) / plane.block_size;
  uint64_t last = (bytes.end - 1 - LevelBegin(plane_index, level)) / plane.block_size;
  const uint64_t blocks_of_layer = uint64_t{blocks[0]} * blocks[1] * blocks[2];
  TexelBox box = {};
  // The highest bit identifies the plane: COLOR is a bit of every plane.
  box.aspect = std::bit_floor(plane.aspects);
  box.level = level;
  box.first_layer = static_cast<uint32_t>(first / blocks_of_layer);
  box.end_layer = static_cast<uint32_t>(last / blocks_of_layer) + 1;
  bool is_one = box.end_layer == box.first_layer + 1;
  first %= blocks_of_layer;
  last %= blocks_of_layer;
  uint64_t stride = blocks_of_layer;
  for (size_t axis = 3; axis-- > 0;) {
    stride /= blocks[axis];
    // A range over several rows, slices or layers can contain every position in the dimension below.
    const uint64_t begin = is_one ? first / stride % blocks[axis] : 0;
    const uint64_t end = is_one ? last / stride % blocks[axis] + 1 : blocks[axis];
    const uint32_t limit = static_cast<uint32_t>(DivideUp(extent[axis], plane.divisor[axis]));
    box.begin[axis] = static_cast<uint32_t>(begin * plane.block_extent[axis]);
    box.end[axis] = std::min(static_cast<uint32_t>(end * plane.block_extent[axis]), limit);
    box.extent[axis] = limit;
    is_one &= end == begin + 1;
  }
  return box;
}

void ImageSubresourceEncoder::AppendRegion(const VkImageSubresourceLayers& layers, const VkOffset3D& offset,
                                           const VkExtent3D& extent, ByteRanges& out) const {
  const Box box = {Texels(offset.x, extent.width), Texels(offset.y, extent.height), Texels(offset.z, extent.depth)};
  AppendBox(layers.aspectMask, Resolve(layers.mipLevel, 1, level_count_),
            Resolve(layers.baseArrayLayer, layers.layerCount, layer_count_), box, out);
}

void ImageSubresourceEncoder::AppendArea(const VkImageSubresourceRange& range, const VkRect2D& area, ByteRanges& out,
                                         LayerUnit unit) const {
  const Box box = {Texels(area.offset.x, area.extent.width), Texels(area.offset.y, area.extent.height),
                   DepthOf(range, unit)};
  AppendBox(range.aspectMask, Resolve(range.baseMipLevel, range.levelCount, level_count_), LayersOf(range, unit), box,
            out);
}

void ImageSubresourceEncoder::AppendBox(VkImageAspectFlags aspects, Interval levels, Interval layers, const Box& box,
                                        ByteRanges& out) const {
  if (layers.empty()) return;
  const bool in_plane_texels = (aspects & VK_IMAGE_ASPECT_COLOR_BIT) == 0;
  for (uint32_t i = 0; i < plane_count_; ++i) {
    if ((planes_[i].aspects & aspects) == 0) continue;
    for (uint64_t level = levels.begin; level < levels.end; ++level) {
      AppendLevelBox(i, static_cast<uint32_t>(level), layers, box, in_plane_texels, out);
    }
  }
}

void ImageSubresourceEncoder::AppendLevelBox(uint32_t plane_index, uint32_t level, Interval layers, Box box,
                                             bool in_plane_texels, ByteRanges& out) const {
  const Plane& plane = planes_[plane_index];
  const Extent extent = LevelExtent(level);
  const Extent blocks = LevelBlocks(plane, extent);
  for (size_t i = 0; i < box.size(); ++i) {
    const uint64_t limit = in_plane_texels ? DivideUp(extent[i], plane.divisor[i]) : extent[i];
    box[i].end = std::min(box[i].end, limit);
    // Empty boxes must be found before rounding, which would enlarge them.
    if (box[i].empty()) return;
    const uint64_t texels_per_block = uint64_t{plane.block_extent[i]} * (in_plane_texels ? 1 : plane.divisor[i]);
    box[i] = {box[i].begin / texels_per_block, DivideUp(box[i].end, texels_per_block)};
  }

  // Dimensions from the innermost, the layer being the outermost; strides in bytes.
  const std::array<Interval, 4> spans = {box[0], box[1], box[2], layers};
  const std::array<uint64_t, 4> counts = {blocks[0], blocks[1], blocks[2], layer_count_};
  std::array<uint64_t, 4> strides = {plane.block_size};
  for (size_t i = 1; i < strides.size(); ++i) strides[i] = strides[i - 1] * counts[i - 1];

  // One run goes through all dimensions that are covered from end to end, and the first that is not.
  size_t run_dimension = 0;
  while (run_dimension < 3 && spans[run_dimension].length() == counts[run_dimension]) ++run_dimension;
  const uint64_t run_size = spans[run_dimension].length() * strides[run_dimension];

  uint64_t first = LevelBegin(plane_index, level);
  std::array<uint64_t, 4> repeats;
  for (size_t i = 0; i < spans.size(); ++i) {
    first += spans[i].begin * strides[i];
    repeats[i] = i > run_dimension ? spans[i].length() : 1;
  }
  for (uint64_t layer = 0; layer < repeats[3]; ++layer) {
    for (uint64_t z = 0; z < repeats[2]; ++z) {
      for (uint64_t y = 0; y < repeats[1]; ++y) {
        const uint64_t begin = first + layer * strides[3] + z * strides[2] + y * strides[1];
        Append(begin, begin + run_size, out);
      }
    }
  }
}

}  // namespace assay::state
