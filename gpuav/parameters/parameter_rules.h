// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PARAMETERS_PARAMETER_RULES_H_
#define ASSAY_GPUAV_PARAMETERS_PARAMETER_RULES_H_

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "gpuav/parameters/parameter_faults.h"
#include "vk/vuid.h"

// The rules of what commands read from a buffer: the parameters of indirect draws, dispatches and traces, and their
// number; the instances of acceleration structures. build_ranges.h and depth_regions.h have those of other kinds.
namespace assay::gpuav {

// The structures in such a buffer, and what their rules depend on.
enum class ParameterKind : uint8_t {
  kDraw,
  kDrawIndexed,
  // VkDrawMeshTasksIndirectCommandEXT of a pipeline with a task shader, and of one without.
  kDrawTasks,
  kDrawMeshes,
  kDispatch,
  kTraceRays,
  // The size of VkTraceRaysIndirectCommand2KHR, which stands at its end.
  kTraceRays2,
  // VkAccelerationStructureInstanceKHR.
  kInstances,
  // Their addresses (VkAccelerationStructureGeometryInstancesDataKHR::arrayOfPointers).
  kInstancePointers,
  // VkAccelerationStructureBuildRangeInfoKHR.
  kBuildRanges,
  // Depths that are copied to an image.
  kDepths,
};

inline constexpr uint32_t kNoLimit = std::numeric_limits<uint32_t>::max();

// What the device allows, and the state of the command.
struct ParameterLimits {
  // Of draws: whether firstInstance may be another number than 0.
  bool allows_first_instance = true;
  // Of kDrawIndexed: how many indices the index buffer has; nothing if it does not matter.
  std::optional<uint64_t> indices;
  // Of all kinds that have a size: in each dimension and in all.
  std::array<uint64_t, 3> size = {kNoLimit, kNoLimit, kNoLimit};
  uint64_t total_size = std::numeric_limits<uint64_t>::max();
  // maxDrawIndirectCount.
  uint32_t draws = kNoLimit;
};

// What a command has read.
struct Parameters {
  ParameterKind kind = ParameterKind::kDraw;
  // The name of the command: "vkCmdDrawIndirect".
  std::string_view command;
  ParameterLimits limits;
  // The structures, as far as they are known.
  absl::Span<const uint32_t> words;
  // From one structure to the next, in words.
  uint32_t stride = 0;
  // How many structures the command may have read at most.
  uint32_t most = 1;
  // How many it was to read, if a buffer says so.
  std::optional<uint32_t> count;
  // Of kInstances: whether the command had 0 in the place of references that no acceleration structure has.
  bool is_replaced = false;
  // Of kInstances: whether an acceleration structure has this address.
  std::function<bool(uint64_t)> has_structure;
};

// The words that a structure of this kind has.
uint32_t ParameterWords(ParameterKind kind);

// The rules that are violated, each once. A structure that makes the command do nothing, such as a draw of no vertices,
// violates none: programs leave those that they have culled behind with anything in them.
std::vector<ParameterFault> FindParameterFaults(const Parameters& parameters);

// The last part of the rule about the number of draws, whose ids have the command's name.
inline constexpr std::string_view kDrawCountRule = "countBuffer-02717";

// The last parts of rules about instances, whose ids have the command's name.
inline constexpr std::string_view kInstanceReferenceRule = "pInfos-06707";
inline constexpr std::string_view kInstancePointerRule = "pInfos-03717";

// The ids of the rules of a kind, for //tools/coverage; those that commands share are not among them.
std::vector<vk::VuidIndex> ParameterVuidsOf(ParameterKind kind);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PARAMETERS_PARAMETER_RULES_H_
