// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PARAMETERS_INDIRECT_COMMAND_H_
#define ASSAY_GPUAV_PARAMETERS_INDIRECT_COMMAND_H_

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "gpuav/parameters/parameter_rules.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// Where a command reads its parameters.
struct IndirectCommand {
  vk::CommandId command;
  ParameterKind kind;
  // Null if there is an address.
  VkBuffer buffer = VK_NULL_HANDLE;
  // Bytes, in the buffer.
  VkDeviceSize offset = 0;
  // Of the first word of the parameters, if there is no buffer.
  VkDeviceAddress address = 0;
  // Bytes from one structure to the next.
  uint32_t stride = 0;
  // How many structures it reads at most.
  uint32_t most = 1;
  // Where it reads how many; null if it does not.
  VkBuffer count_buffer = VK_NULL_HANDLE;
  VkDeviceSize count_offset = 0;
};

template <class C, class... Cs>
concept AnyOf = (std::same_as<C, Cs> || ...);

template <class C>
concept IndirectDraws =
    AnyOf<C, vk::CmdDrawIndirect, vk::CmdDrawIndirectCount, vk::CmdDrawIndexedIndirect, vk::CmdDrawIndexedIndirectCount,
          vk::CmdDrawMeshTasksIndirectEXT, vk::CmdDrawMeshTasksIndirectCountEXT>;
template <class C>
concept IndirectDispatches = std::same_as<C, vk::CmdDispatchIndirect>;
template <class C>
concept IndirectTraces = AnyOf<C, vk::CmdTraceRaysIndirectKHR, vk::CmdTraceRaysIndirect2KHR>;

// Draws of mesh shaders count as those of a pipeline without a task shader.
template <IndirectDraws C>
IndirectCommand IndirectCommandOf(const C& call) {
  IndirectCommand command = {.command = C::kId,
                             .kind = ParameterKind::kDraw,
                             .buffer = call.buffer,
                             .offset = call.offset,
                             .stride = call.stride};
  if constexpr (AnyOf<C, vk::CmdDrawIndexedIndirect, vk::CmdDrawIndexedIndirectCount>) {
    command.kind = ParameterKind::kDrawIndexed;
  } else if constexpr (AnyOf<C, vk::CmdDrawMeshTasksIndirectEXT, vk::CmdDrawMeshTasksIndirectCountEXT>) {
    command.kind = ParameterKind::kDrawMeshes;
  }
  if constexpr (requires { call.countBuffer; }) {
    command.most = call.maxDrawCount;
    command.count_buffer = call.countBuffer;
    command.count_offset = call.countBufferOffset;
  } else {
    command.most = call.drawCount;
  }
  return command;
}

inline IndirectCommand IndirectCommandOf(const vk::CmdDispatchIndirect& call) {
  return {.command = vk::CmdDispatchIndirect::kId,
          .kind = ParameterKind::kDispatch,
          .buffer = call.buffer,
          .offset = call.offset};
}
inline IndirectCommand IndirectCommandOf(const vk::CmdTraceRaysIndirectKHR& call) {
  return {.command = vk::CmdTraceRaysIndirectKHR::kId,
          .kind = ParameterKind::kTraceRays,
          .address = call.indirectDeviceAddress};
}
inline IndirectCommand IndirectCommandOf(const vk::CmdTraceRaysIndirect2KHR& call) {
  return {.command = vk::CmdTraceRaysIndirect2KHR::kId,
          .kind = ParameterKind::kTraceRays2,
          .address = call.indirectDeviceAddress + offsetof(VkTraceRaysIndirectCommand2KHR, width)};
}

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PARAMETERS_INDIRECT_COMMAND_H_
