// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_DRAW_CALLS_H_
#define ASSAY_SYNCVAL_COMMANDS_DRAW_CALLS_H_

#include <cstdint>

#include "syncval/accesses/draw_arguments.h"
#include "syncval/commands/sync_validator.h"
#include "syncval/recording/fast_paths.h"
#include "vk/commands.h"

// The parameters of draw commands, in the terms of draw_arguments.h and fast_paths.h. Private to the folder.
namespace assay::syncval {

// What a draw command draws: vertices, indices or workgroups.
inline DrawArguments ArgumentsOf(const vk::CmdDraw& call) {
  return {{call.firstVertex, call.vertexCount}, {call.firstInstance, call.instanceCount}};
}
inline DrawArguments ArgumentsOf(const vk::CmdDrawIndexed& call) {
  return {{call.firstIndex, call.indexCount}, {call.firstInstance, call.instanceCount}, call.vertexOffset, true};
}
// The arguments of all draws together.
inline DrawArguments ArgumentsOf(const vk::CmdDrawMultiEXT& call) {
  return {{0, call.drawCount}, {call.firstInstance, call.instanceCount}};
}
inline DrawArguments ArgumentsOf(const vk::CmdDrawMultiIndexedEXT& call) {
  return {{0, call.drawCount}, {call.firstInstance, call.instanceCount}, 0, true};
}
inline DrawArguments ArgumentsOf(const vk::CmdDrawMeshTasksEXT& call) {
  return DrawArguments::Workgroups(uint64_t{call.groupCountX} * call.groupCountY * call.groupCountZ);
}
inline DrawArguments ArgumentsOf(const vk::CmdDrawMeshTasksNV& call) {
  return DrawArguments::Workgroups(call.taskCount);
}
inline DrawArguments ArgumentsOf(const vk::CmdDrawClusterHUAWEI& call) {
  return DrawArguments::Workgroups(uint64_t{call.groupCountX} * call.groupCountY * call.groupCountZ);
}
template <class C>
concept DrawsCount = requires(const C& call) { call.maxDrawCount; };
template <class C>
concept DrawsMeshes =
    OneOf<C, vk::CmdDrawMeshTasksIndirectEXT, vk::CmdDrawMeshTasksIndirectNV, vk::CmdDrawMeshTasksIndirectCountEXT,
          vk::CmdDrawMeshTasksIndirectCountNV, vk::CmdDrawClusterIndirectHUAWEI>;
template <class C>
concept DrawsIndexedIndirect = OneOf<C, vk::CmdDrawIndexedIndirect, vk::CmdDrawIndexedIndirectCount>;
// Indirect draws of vertices, of indices and of meshes.
template <class C>
DrawArguments ArgumentsOf(const C& call) {
  if constexpr (requires { call.drawCount; }) {
    if (call.drawCount == 0) return {};
  }
  if constexpr (DrawsCount<C>) {
    if (call.maxDrawCount == 0) return {};
  }
  DrawArguments arguments = DrawArguments::Unknown(DrawsIndexedIndirect<C>);
  arguments.has_vertices = !DrawsMeshes<C>;
  return arguments;
}

constexpr uint64_t Pair(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }

// The parameters of a draw command as words, to recognize the same draw again.
template <class... A>
DrawParameters Parameters(vk::CommandId id, A... words) {
  return {static_cast<uint64_t>(id) + 1, {words...}};
}
inline DrawParameters ParametersOf(const vk::CmdDraw& call) {
  return Parameters(call.kId, Pair(call.vertexCount, call.instanceCount), Pair(call.firstVertex, call.firstInstance));
}
inline DrawParameters ParametersOf(const vk::CmdDrawIndexed& call) {
  return Parameters(call.kId, Pair(call.indexCount, call.instanceCount), Pair(call.firstIndex, call.firstInstance),
                    uint64_t{static_cast<uint32_t>(call.vertexOffset)});
}
template <class C>
DrawParameters ParametersOf(const C& call) {
  if constexpr (DrawsCount<C>) {
    constexpr uint64_t kSpread = 0x9E3779B97F4A7C15u;
    return Parameters(C::kId, reinterpret_cast<uint64_t>(call.buffer), call.offset,
                      (reinterpret_cast<uint64_t>(call.countBuffer) ^ call.countBufferOffset * kSpread) * kSpread,
                      Pair(call.maxDrawCount, call.stride));
  } else if constexpr (requires {
                         call.buffer;
                         call.drawCount;
                       }) {
    return Parameters(C::kId, reinterpret_cast<uint64_t>(call.buffer), call.offset, Pair(call.drawCount, call.stride));
  } else if constexpr (OneOf<C, vk::CmdDrawMeshTasksEXT, vk::CmdDrawMeshTasksNV, vk::CmdDrawClusterHUAWEI>) {
    // The number of workgroups does not change what they read.
    return Parameters(C::kId);
  } else {
    return {};
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_DRAW_CALLS_H_
