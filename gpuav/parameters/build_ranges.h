// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PARAMETERS_BUILD_RANGES_H_
#define ASSAY_GPUAV_PARAMETERS_BUILD_RANGES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "gpuav/parameters/parameter_faults.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// The rules of VkAccelerationStructureBuildRangeInfoKHR where an indirect build reads it from a buffer.
namespace assay::gpuav {

// What these rules depend on, of the geometry that the structure is for.
struct BuildGeometry {
  // Its indices in ppMaxPrimitiveCounts, and what stands there.
  uint32_t info = 0;
  uint32_t index = 0;
  uint32_t max_primitives = 0;
  // Bytes that primitiveOffset is to be a multiple of; kNoVuid if there is no such rule.
  uint32_t alignment = 1;
  vk::VuidIndex alignment_vuid = vk::kNoVuid;
  // Of triangles: whether each vertex is transformed.
  bool has_transform = false;
  // Of triangles without indices: how many vertices there are.
  std::optional<uint64_t> vertices;
};

BuildGeometry BuildGeometryOf(const VkAccelerationStructureGeometryKHR& geometry, uint32_t info, uint32_t index,
                              uint32_t max_primitives);

// The rules that are violated, each once. `words` has a structure for each geometry, one after `stride` words. One of
// no primitives violates none.
std::vector<ParameterFault> FindBuildRangeFaults(absl::Span<const BuildGeometry> geometries,
                                                 absl::Span<const uint32_t> words, uint32_t stride);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PARAMETERS_BUILD_RANGES_H_
