// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/parameters/build_ranges.h"

#include <cstring>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "vk/format_info.h"

namespace assay::gpuav {
namespace {

using vk::Vuid;
using vk::VuidIndex;
using Range = VkAccelerationStructureBuildRangeInfoKHR;

constexpr VuidIndex kCount = Vuid("VUID-vkCmdBuildAccelerationStructuresIndirectKHR-ppMaxPrimitiveCounts-03653");
constexpr VuidIndex kVertices = Vuid("VUID-VkAccelerationStructureBuildRangeInfoKHR-vertexData-10418");
constexpr VuidIndex kIndices = Vuid("VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03656");
constexpr VuidIndex kFormat = Vuid("VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03657");
constexpr VuidIndex kTransform = Vuid("VUID-VkAccelerationStructureBuildRangeInfoKHR-transformOffset-03658");
constexpr VuidIndex kBoxes = Vuid("VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03659");
constexpr VuidIndex kInstances = Vuid("VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03660");

constexpr uint32_t kTransformAlignment = 16;
constexpr uint32_t kRangeWords = sizeof(Range) / sizeof(uint32_t);

uint32_t BytesOfIndex(VkIndexType type) {
  switch (type) {
    case VK_INDEX_TYPE_UINT8:
      return 1;
    case VK_INDEX_TYPE_UINT16:
      return 2;
    case VK_INDEX_TYPE_UINT32:
      return 4;
    default:
      return 0;
  }
}

// Bytes of a texel of a packed format, or of a component of another one; 0 if that is not known.
uint32_t AlignmentOf(VkFormat format) {
  const vk::FormatInfo* const info = vk::GetFormatInfo(format);
  if (info == nullptr || info->components.empty()) return 0;
  if (info->name.find("_PACK") != std::string_view::npos) return info->block_size;
  return info->components[0].bits / 8;
}

void SetAlignment(uint32_t alignment, VuidIndex vuid, BuildGeometry& to) {
  if (alignment == 0) return;
  to.alignment = alignment;
  to.alignment_vuid = vuid;
}

void ReadTriangles(const VkAccelerationStructureGeometryTrianglesDataKHR& triangles, BuildGeometry& to) {
  to.has_transform = triangles.transformData.deviceAddress != 0;
  if (triangles.indexType != VK_INDEX_TYPE_NONE_KHR) {
    return SetAlignment(BytesOfIndex(triangles.indexType), kIndices, to);
  }
  SetAlignment(AlignmentOf(triangles.vertexFormat), kFormat, to);
  // With a stride of 0, all triangles have the same vertex.
  if (triangles.vertexStride != 0) to.vertices = uint64_t{triangles.maxVertex} + 1;
}

class Finder {
 public:
  void Find(const BuildGeometry& geometry, const Range& range, uint32_t index, uint64_t byte) {
    if (range.primitiveCount > geometry.max_primitives) {
      faults_.Add(kCount, index, byte, [&] {
        return absl::StrCat("primitiveCount is ", range.primitiveCount, ", which is more than the ",
                            geometry.max_primitives, " of ppMaxPrimitiveCounts[", geometry.info, "][", geometry.index,
                            "].");
      });
    }
    if (geometry.alignment_vuid != vk::kNoVuid && range.primitiveOffset % geometry.alignment != 0) {
      faults_.Add(geometry.alignment_vuid, index, byte,
                  [&] { return NotAMultiple("primitiveOffset", range.primitiveOffset, geometry.alignment); });
    }
    if (geometry.has_transform && range.transformOffset % kTransformAlignment != 0) {
      faults_.Add(kTransform, index, byte,
                  [&] { return NotAMultiple("transformOffset", range.transformOffset, kTransformAlignment); });
    }
    const uint64_t vertices = uint64_t{3} * range.primitiveCount;
    if (geometry.vertices && vertices > *geometry.vertices) {
      faults_.Add(kVertices, index, byte, [&] {
        return absl::StrCat("primitiveCount is ", range.primitiveCount, ", so that ", vertices,
                            " vertices are read, and by maxVertex, vertexData has ", *geometry.vertices, ".");
      });
    }
  }

  std::vector<ParameterFault> Take() { return faults_.Take(); }

 private:
  static std::string NotAMultiple(std::string_view name, uint32_t offset, uint32_t alignment) {
    return absl::StrCat(name, " is ", offset, ", which is not a multiple of ", alignment, ".");
  }

  FaultList faults_;
};

}  // namespace

BuildGeometry BuildGeometryOf(const VkAccelerationStructureGeometryKHR& geometry, uint32_t info, uint32_t index,
                              uint32_t max_primitives) {
  BuildGeometry result = {.info = info, .index = index, .max_primitives = max_primitives};
  switch (geometry.geometryType) {
    case VK_GEOMETRY_TYPE_TRIANGLES_KHR:
      ReadTriangles(geometry.geometry.triangles, result);
      break;
    case VK_GEOMETRY_TYPE_AABBS_KHR:
      SetAlignment(8, kBoxes, result);
      break;
    case VK_GEOMETRY_TYPE_INSTANCES_KHR:
      SetAlignment(16, kInstances, result);
      break;
    default:
      break;
  }
  return result;
}

std::vector<ParameterFault> FindBuildRangeFaults(absl::Span<const BuildGeometry> geometries,
                                                 absl::Span<const uint32_t> words, uint32_t stride) {
  Finder finder;
  for (size_t i = 0; i < geometries.size() && i * stride + kRangeWords <= words.size(); ++i) {
    Range range;
    std::memcpy(&range, &words[i * stride], sizeof(range));
    if (range.primitiveCount == 0) continue;
    finder.Find(geometries[i], range, static_cast<uint32_t>(i), i * stride * sizeof(uint32_t));
  }
  return finder.Take();
}

}  // namespace assay::gpuav
