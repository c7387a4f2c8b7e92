// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/interpreter/texels.h"

#include <algorithm>

#include "spirv_instrument/model/interpreter/value.h"

namespace assay::spirv_instrument::model {
namespace {

struct Extent {
  uint64_t width = 1;
  uint64_t height = 1;
  // Slices of a 3D image, layers of others.
  uint64_t depth_or_layers = 1;

  uint64_t Texels() const { return width * height * depth_or_layers; }
};

Extent ExtentOfLevel(const corpus::ImageDescription& image, uint32_t level) {
  const auto reduced = [level](uint32_t size) { return std::max(size >> level, 1u); };
  const bool is_3d = image.type == VK_IMAGE_VIEW_TYPE_3D;
  return {reduced(image.extent.width), reduced(image.extent.height),
          is_3d ? reduced(image.extent.depth) : image.layers};
}

// Where a coordinate of a view of this type counts layers or slices; 0 if it has no such coordinate.
uint32_t DepthCoordinate(VkImageViewType type) {
  if (type == VK_IMAGE_VIEW_TYPE_1D || type == VK_IMAGE_VIEW_TYPE_2D) return 0;
  return type == VK_IMAGE_VIEW_TYPE_1D_ARRAY ? 1 : 2;
}

bool Has(uint64_t size, int64_t coordinate) { return coordinate >= 0 && static_cast<uint64_t>(coordinate) < size; }

}  // namespace

std::optional<TexelFormat> FindTexelFormat(VkFormat format) {
  switch (format) {
    case VK_FORMAT_R8_UINT:
      return TexelFormat{1, 8};
    case VK_FORMAT_R8_SINT:
      return TexelFormat{1, 8, true};
    case VK_FORMAT_R8G8B8A8_UINT:
      return TexelFormat{4, 8};
    case VK_FORMAT_R8G8B8A8_SINT:
      return TexelFormat{4, 8, true};
    case VK_FORMAT_R16_UINT:
      return TexelFormat{1, 16};
    case VK_FORMAT_R16_SINT:
      return TexelFormat{1, 16, true};
    case VK_FORMAT_R16G16B16A16_UINT:
      return TexelFormat{4, 16};
    case VK_FORMAT_R16G16B16A16_SINT:
      return TexelFormat{4, 16, true};
    case VK_FORMAT_R32_UINT:
      return TexelFormat{1, 32};
    case VK_FORMAT_R32_SINT:
      return TexelFormat{1, 32, true};
    case VK_FORMAT_R32_SFLOAT:
      return TexelFormat{1, 32, true, true};
    case VK_FORMAT_R32G32_UINT:
      return TexelFormat{2, 32};
    case VK_FORMAT_R32G32_SINT:
      return TexelFormat{2, 32, true};
    case VK_FORMAT_R32G32_SFLOAT:
      return TexelFormat{2, 32, true, true};
    case VK_FORMAT_R32G32B32A32_UINT:
      return TexelFormat{4, 32};
    case VK_FORMAT_R32G32B32A32_SINT:
      return TexelFormat{4, 32, true};
    case VK_FORMAT_R32G32B32A32_SFLOAT:
      return TexelFormat{4, 32, true, true};
    default:
      return std::nullopt;
  }
}

std::array<uint32_t, 4> ReadTexel(const std::vector<uint8_t>& bytes, uint64_t offset, const TexelFormat& format) {
  constexpr uint32_t kFloatOne = 0x3f800000;
  std::array<uint32_t, 4> components = {0, 0, 0, format.is_float ? kFloatOne : 1};
  for (uint32_t i = 0; i < format.components; ++i) {
    const uint64_t bits = ReadBits(bytes, offset + i * format.width / 8, format.width);
    components[i] =
        static_cast<uint32_t>(format.is_signed ? static_cast<uint64_t>(SignExtend(bits, format.width)) : bits);
  }
  return components;
}

void WriteTexel(std::vector<uint8_t>& bytes, uint64_t offset, const TexelFormat& format,
                const std::array<uint32_t, 4>& components) {
  for (uint32_t i = 0; i < format.components; ++i) {
    WriteBits(bytes, offset + i * format.width / 8, format.width, components[i]);
  }
}

std::optional<uint64_t> FindTexel(const Descriptor& descriptor, const TexelFormat& format,
                                  const TexelAddress& address) {
  if (descriptor.buffer != nullptr) {
    if (!Has(descriptor.range / format.bytes(), address.coordinates[0])) return std::nullopt;
    return descriptor.offset + static_cast<uint64_t>(address.coordinates[0]) * format.bytes();
  }
  const corpus::ImageDescription& image = descriptor.image->description;
  if (address.level >= descriptor.levels || address.sample >= static_cast<uint32_t>(image.samples)) {
    return std::nullopt;
  }
  const uint32_t level = descriptor.first_level + address.level;
  const Extent extent = ExtentOfLevel(image, level);
  const uint32_t depth_coordinate = DepthCoordinate(descriptor.view_type);
  const bool has_rows = depth_coordinate != 1 && descriptor.view_type != VK_IMAGE_VIEW_TYPE_1D;
  const int64_t x = address.coordinates[0];
  const int64_t y = has_rows ? address.coordinates[1] : 0;
  const int64_t z = depth_coordinate != 0 ? address.coordinates[depth_coordinate] : 0;
  if (!Has(extent.width, x) || !Has(extent.height, y) || !Has(extent.depth_or_layers, z)) return std::nullopt;
  // All samples of all texels are the same: see ImageDescription.
  if (image.samples != VK_SAMPLE_COUNT_1_BIT) return 0;
  uint64_t texel = 0;
  for (uint32_t i = 0; i < level; ++i) texel += ExtentOfLevel(image, i).Texels();
  texel +=
      (static_cast<uint64_t>(z) * extent.height + static_cast<uint64_t>(y)) * extent.width + static_cast<uint64_t>(x);
  return texel * format.bytes();
}

uint64_t BytesOfImage(const corpus::ImageDescription& description, const TexelFormat& format) {
  uint64_t texels = 0;
  for (uint32_t i = 0; i < description.levels; ++i) texels += ExtentOfLevel(description, i).Texels();
  return texels * format.bytes();
}

}  // namespace assay::spirv_instrument::model
