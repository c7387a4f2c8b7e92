// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/cases/action_calls.h"

#include "vk/commands.h"

namespace assay::core {
namespace {

constexpr VkDeviceSize kTableSize = 64;

// Sets a parameter, if the command has it.
#define ASSAY_SET(parameter, value) \
  if constexpr (requires { call.parameter; }) call.parameter = value

template <class C>
void RunCall(const test::Functions& vk, VkCommandBuffer commands, VkBuffer buffer, VkDeviceAddress address,
             const ActionNumbers& numbers) {
  const VkMultiDrawInfoEXT draw = {0, 3};
  const VkMultiDrawIndexedInfoEXT indexed = {numbers.first_index, 3, 0};
  const VkStridedDeviceAddressRegionKHR generation = {address, kTableSize, kTableSize};
  const VkStridedDeviceAddressRegionKHR none = {};
  C call = {};
  call.commandBuffer = commands;
  ASSAY_SET(vertexCount, 3);
  ASSAY_SET(indexCount, 3);
  ASSAY_SET(instanceCount, 1);
  ASSAY_SET(firstIndex, numbers.first_index);
  ASSAY_SET(firstInstance, numbers.first_instance);
  ASSAY_SET(buffer, buffer);
  ASSAY_SET(countBuffer, buffer);
  ASSAY_SET(counterBuffer, buffer);
  ASSAY_SET(vertexStride, 4);
  ASSAY_SET(drawCount, 1);
  ASSAY_SET(maxDrawCount, 1);
  ASSAY_SET(stride, 32);
  ASSAY_SET(pVertexInfo, &draw);
  ASSAY_SET(pIndexInfo, &indexed);
  ASSAY_SET(groupCountX, 1);
  ASSAY_SET(groupCountY, 1);
  ASSAY_SET(groupCountZ, 1);
  ASSAY_SET(taskCount, 1);
  ASSAY_SET(width, 1);
  ASSAY_SET(height, 1);
  ASSAY_SET(depth, 1);
  ASSAY_SET(indirectDeviceAddress, address);
  ASSAY_SET(pRaygenShaderBindingTable, &generation);
  ASSAY_SET(pMissShaderBindingTable, &none);
  ASSAY_SET(pHitShaderBindingTable, &none);
  ASSAY_SET(pCallableShaderBindingTable, &none);
  ASSAY_SET(raygenShaderBindingTableBuffer, buffer);
  CallDown(call, reinterpret_cast<typename C::Function>(vk.Find(C::kId)));
}

std::vector<ActionCall> MakeCalls() {
  std::vector<ActionCall> calls;
  vk::ForEachCommand([&](auto tag) {
    using C = typename decltype(tag)::Command;
    if constexpr (ActionCommand<C>) {
      constexpr DrawRecording::BindPoint kPoint = BindPointOf<C>();
      const bool draws_meshes = kPoint == DrawRecording::kGraphics && !HasRule(C::kName, "stage-06481");
      calls.push_back({C::kId, C::kName, kPoint, draws_meshes, RunCall<C>});
    }
  });
  return calls;
}

}  // namespace

const std::vector<ActionCall>& ActionCalls() {
  static const std::vector<ActionCall> calls = MakeCalls();
  return calls;
}

}  // namespace assay::core
