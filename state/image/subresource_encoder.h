// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_IMAGE_SUBRESOURCE_ENCODER_H_
#define ASSAY_STATE_IMAGE_SUBRESOURCE_ENCODER_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "vk/vulkan.h"

// The idealized address space of an image.
//
// Only the driver knows how an optimally tiled image lies in memory, yet two accesses to it conflict only if they share
// a texel. So each image gets a flat region of bytes of its own, in which every texel block has a place:
//
//     [aspect or plane][mip level][array layer][z][y][x]
//
// With this order, frequent accesses are one range: the image, an aspect, whole mip levels, neighbouring layers of a
// level, a slice, rows of full width. The samples of a texel share its place, since every access covers them all.
namespace assay::state {

// [begin, end), in bytes from the start of the image's address space.
struct ByteRange {
  uint64_t begin;
  uint64_t end;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

using ByteRanges = absl::InlinedVector<ByteRange, 4>;

// Texels of one aspect or plane of one mip level.
struct TexelBox {
  // One bit. Of a multi-planar image it is VK_IMAGE_ASPECT_PLANE_i_BIT, and coordinates are texels of that plane.
  VkImageAspectFlags aspect;
  uint32_t level;
  // Array layers, and x, y and z: each is [begin, end).
  uint32_t first_layer;
  uint32_t end_layer;
  std::array<uint32_t, 3> begin;
  std::array<uint32_t, 3> end;
  // Size of the level in x, y and z.
  std::array<uint32_t, 3> extent;
};

// The unit of baseArrayLayer and layerCount in a subresource range.
enum class LayerUnit : uint8_t {
  kArrayLayers,
  // The z of a VK_IMAGE_TYPE_3D image: in a view of type 2D or 2D_ARRAY, and in a barrier since maintenance9. The same
  // as kArrayLayers for other images.
  kDepthSlices,
};

// Maps subresources and texels of an image to its address space.
//
// Every Append adds sorted, non-empty ranges. It joins ranges that touch, also with the last range in `out`. It clamps
// its parameters to the image: aspects, levels, layers and texels that the image does not have are left out. Counts may
// be VK_REMAINING_MIP_LEVELS and VK_REMAINING_ARRAY_LAYERS.
//
// VK_IMAGE_ASPECT_COLOR_BIT of a multi-planar image means all planes, and coordinates are then texels of the image;
// with VK_IMAGE_ASPECT_PLANE_i_BIT they are texels of that plane, as for copies. Rounding, to blocks and to subsampled
// texels, is outward.
class ImageSubresourceEncoder {
 public:
  // Needs only the members of the structure itself, not its chain. An image that cannot exist has size 0.
  explicit ImageSubresourceEncoder(const VkImageCreateInfo& create_info);

  // Bytes.
  uint64_t size() const { return level_begins_.back(); }

  // The aspects in the form of TexelBox::aspect: for a multi-planar image, the bits of all planes.
  VkImageAspectFlags aspects() const;

  void AppendRanges(const VkImageSubresourceRange& range, ByteRanges& out,
                    LayerUnit unit = LayerUnit::kArrayLayers) const;

  // A box of texels in each of the layers, as in copies, blits and resolves. `offset` and `extent` are in texels of the
  // mip level.
  void AppendRegion(const VkImageSubresourceLayers& layers, const VkOffset3D& offset, const VkExtent3D& extent,
                    ByteRanges& out) const;

  // A rectangle in each of the levels and layers of `range`, like the render area of an attachment. For a
  // VK_IMAGE_TYPE_3D image with LayerUnit::kArrayLayers it covers the whole depth.
  void AppendArea(const VkImageSubresourceRange& range, const VkRect2D& area, ByteRanges& out,
                  LayerUnit unit = LayerUnit::kArrayLayers) const;

  // The texels of a range, for messages: for each plane and level the smallest box of texels that contains them.
  std::vector<TexelBox> BoxesOf(const ByteRange& range) const;

 private:
  static constexpr uint32_t kMaxPlanes = 3;

  // An aspect, or a plane of a multi-planar image.
  struct Plane {
    // The aspect bits that include this plane; VK_IMAGE_ASPECT_COLOR_BIT includes every plane.
    VkImageAspectFlags aspects = 0;
    // Texels of the image per texel of the plane: x, y, z.
    std::array<uint8_t, 3> divisor = {1, 1, 1};
    // Texels of the plane: x, y, z.
    std::array<uint8_t, 3> block_extent = {1, 1, 1};
    // Bytes.
    uint16_t block_size = 1;
  };

  // [begin, end), in any unit.
  struct Interval {
    uint64_t begin;
    uint64_t end;

    bool empty() const { return begin >= end; }
    uint64_t length() const { return end - begin; }
  };

  // Texels: x, y, z. Each level clamps the box to its own size.
  using Box = std::array<Interval, 3>;

  // Texels of the image in a level: x, y, z.
  using Extent = std::array<uint32_t, 3>;

  static Interval Resolve(uint32_t base, uint32_t count, uint32_t limit);
  static Interval Texels(int32_t offset, uint32_t extent);

  void AddAspects(VkFormat format);
  void AddLevels();
  Extent LevelExtent(uint32_t level) const;
  Extent LevelBlocks(const Plane& plane, const Extent& extent) const;
  Interval LayersOf(const VkImageSubresourceRange& range, LayerUnit unit) const;
  Interval DepthOf(const VkImageSubresourceRange& range, LayerUnit unit) const;
  void AppendBox(VkImageAspectFlags aspects, Interval levels, Interval layers, const Box& box, ByteRanges& out) const;
  TexelBox BoxOf(uint32_t plane_index, uint32_t level, Interval bytes) const;
  void AppendLevelBox(uint32_t plane_index, uint32_t level, Interval layers, Box box, bool in_plane_texels,
                      ByteRanges& out) const;

  // `level` may be one past the last: this gives the begin of the next plane, or the end of the image.
  uint64_t LevelBegin(uint32_t plane_index, uint64_t level) const {
    return level_begins_[uint64_t{plane_index} * level_count_ + level];
  }

  uint32_t plane_count_ = 0;
  uint32_t level_count_ = 0;
  uint32_t layer_count_ = 0;
  Extent extent_ = {};
  bool is_3d_ = false;
  bool is_corner_sampled_ = false;
  std::array<Plane, kMaxPlanes> planes_;
  // Bytes: level_count_ offsets for each plane, then the size of the image. For most images they need no allocation.
  absl::InlinedVector<uint64_t, 8> level_begins_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_IMAGE_SUBRESOURCE_ENCODER_H_
