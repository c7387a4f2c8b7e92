// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/parameters/depth_regions.h"

#include <algorithm>
#include <bit>
#include <string>

#include "absl/strings/str_format.h"

namespace assay::gpuav {
namespace {

using vk::Vuid;
using vk::VuidIndex;

constexpr VuidIndex kCopy = Vuid("VUID-vkCmdCopyBufferToImage-pRegions-07931");
constexpr VuidIndex kCopy2 = Vuid("VUID-VkCopyBufferToImageInfo2-pRegions-07931");

constexpr VkDeviceSize kTexelBytes = sizeof(float);

std::string TextOf(const DepthRegion& region, float depth, const VkOffset3D& texel, uint32_t layer) {
  return absl::StrFormat(
      "pRegions[%u] copies the depth %.9g, which is not between 0 and 1, to texel (%d, %d, %d) of mip level %u, array "
      "layer %u.",
      region.index, depth, texel.x, texel.y, texel.z, region.mip_level, layer);
}

void FindInRegion(VuidIndex vuid, const DepthRegion& region, absl::Span<const uint32_t> words, FaultList& faults) {
  const uint64_t slices = uint64_t{region.extent.depth} * region.layers;
  for (uint64_t slice = 0; slice < slices; ++slice) {
    for (uint64_t y = 0; y < region.extent.height; ++y) {
      const uint64_t begin = (slice * region.image_height + y) * region.row_length;
      if (begin >= words.size()) return;
      const absl::Span<const uint32_t> row = words.subspan(begin, region.extent.width);
      for (size_t x = 0; x < row.size(); ++x) {
        const auto depth = std::bit_cast<float>(row[x]);
        if (depth >= 0 && depth <= 1) continue;
        faults.Add(vuid, region.index, region.offset + (begin + x) * kTexelBytes, [&] {
          const auto layer = static_cast<uint32_t>(slice / region.extent.depth);
          return TextOf(region, depth,
                        {region.origin.x + static_cast<int32_t>(x), region.origin.y + static_cast<int32_t>(y),
                         region.origin.z + static_cast<int32_t>(slice % region.extent.depth)},
                        region.first_layer + layer);
        });
      }
    }
  }
}

}  // namespace

bool HasFloatDepths(VkFormat format) {
  return format == VK_FORMAT_D32_SFLOAT || format == VK_FORMAT_D32_SFLOAT_S8_UINT;
}

std::optional<DepthRegion> DepthRegionOf(const VkBufferImageCopy& region, uint32_t index,
                                         const VkImageCreateInfo& image, VkDeviceSize buffer_size) {
  const VkImageSubresourceLayers& target = region.imageSubresource;
  const VkExtent3D& extent = region.imageExtent;
  if (target.aspectMask != VK_IMAGE_ASPECT_DEPTH_BIT || region.bufferOffset % kTexelBytes != 0 ||
      region.bufferOffset > buffer_size || target.baseArrayLayer >= image.arrayLayers) {
    return std::nullopt;
  }
  const uint32_t rest = image.arrayLayers - target.baseArrayLayer;
  DepthRegion result = {
      .index = index,
      .offset = region.bufferOffset,
      .row_length = region.bufferRowLength != 0 ? region.bufferRowLength : extent.width,
      .image_height = region.bufferImageHeight != 0 ? region.bufferImageHeight : extent.height,
      .origin = region.imageOffset,
      .extent = extent,
      .layers = target.layerCount == VK_REMAINING_ARRAY_LAYERS ? rest : target.layerCount,
      .first_layer = target.baseArrayLayer,
      .mip_level = target.mipLevel,
  };
  const uint64_t slices = uint64_t{extent.depth} * result.layers;
  const bool is_one_dimension = extent.depth == 1 || result.layers == 1;
  if (extent.width == 0 || extent.height == 0 || slices == 0 || !is_one_dimension || result.layers > rest ||
      result.row_length < extent.width || result.image_height < extent.height) {
    return std::nullopt;
  }
  const uint64_t texels = (buffer_size - region.bufferOffset) / kTexelBytes;
  const uint64_t rows = (slices - 1) * result.image_height + extent.height;
  if (texels < extent.width || rows - 1 > (texels - extent.width) / result.row_length) return std::nullopt;
  result.bytes = ((rows - 1) * result.row_length + extent.width) * kTexelBytes;
  return result;
}

std::vector<ParameterFault> FindDepthFaults(vk::CommandId command, absl::Span<const DepthRegion> regions,
                                            absl::Span<const uint32_t> words) {
  FaultList faults;
  const VuidIndex vuid = command == vk::CmdCopyBufferToImage2::kId ? kCopy2 : kCopy;
  for (const DepthRegion& region : regions) {
    const size_t count = region.bytes / kTexelBytes;
    FindInRegion(vuid, region, words.subspan(0, count), faults);
    words.remove_prefix(std::min(count, words.size()));
  }
  return faults.Take();
}

}  // namespace assay::gpuav
