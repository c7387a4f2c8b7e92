// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/cases/action_calls.h"

#include <cstddef>
#include <functional>

#include "testing/test_device.h"
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
  const VkStridedDeviceAddressRegionKHR generation[4] = {{address, kTableSize, kTableSize}};
  const auto* const tables = numbers.tables != nullptr ? numbers.tables : generation;
  const VkDeviceAddress read = numbers.read != 0 ? numbers.read : address;
  const VkDispatchGraphCountInfoAMDX graph = {1, {.deviceAddress = read}, sizeof(VkDispatchGraphInfoAMDX)};
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
  ASSAY_SET(width, numbers.rays.width);
  ASSAY_SET(height, numbers.rays.height);
  ASSAY_SET(depth, numbers.rays.depth);
  ASSAY_SET(indirectDeviceAddress, numbers.arguments != 0 ? numbers.arguments : address);
  ASSAY_SET(pRaygenShaderBindingTable, &tables[0]);
  ASSAY_SET(pMissShaderBindingTable, &tables[1]);
  ASSAY_SET(pHitShaderBindingTable, &tables[2]);
  ASSAY_SET(pCallableShaderBindingTable, &tables[3]);
  ASSAY_SET(raygenShaderBindingTableBuffer, buffer);
  ASSAY_SET(scratch, numbers.scratch != 0 ? numbers.scratch : address);
  ASSAY_SET(scratchSize, numbers.scratch_size);
  ASSAY_SET(pCountInfo, &graph);
  ASSAY_SET(countInfo, read);
  CallDown(call, reinterpret_cast<typename C::Function>(vk.Find(C::kId)));
}

void RunGenerated(size_t like, const test::Functions& vk, VkCommandBuffer commands, VkBuffer, VkDeviceAddress address,
                  const ActionNumbers& numbers) {
  const GeneratedCall& call = numbers.call;
  const auto pipeline = test::Of<VkGeneratedCommandsPipelineInfoEXT>(numbers.generated);
  const VkGeneratedCommandsInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
      .pNext = &pipeline,
      .shaderStages = call.stages != 0 ? call.stages : kGeneratedStages[like],
      .indirectExecutionSet = call.set,
      .indirectCommandsLayout = call.sequence != VK_NULL_HANDLE ? call.sequence : numbers.sequences[like],
      .indirectAddress = address,
      .indirectAddressSize = kTableSize,
      .maxSequenceCount = 1,
      .maxDrawCount = 1};
  vk.CmdExecuteGeneratedCommandsEXT(commands, call.is_preprocessed, &info);
}
void RunGeneratedNv(size_t like, const test::Functions& vk, VkCommandBuffer commands, VkBuffer buffer, VkDeviceAddress,
                    const ActionNumbers& numbers) {
  const GeneratedCall& call = numbers.call;
  const VkIndirectCommandsStreamNV stream = {buffer, 0};
  const VkGeneratedCommandsInfoNV info = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_NV,
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
      .pipeline = call.pipeline,
      .indirectCommandsLayout = call.sequence_nv != VK_NULL_HANDLE ? call.sequence_nv : numbers.sequences_nv[like],
      .streamCount = 1,
      .pStreams = &stream,
      .sequencesCount = 1,
      .preprocessBuffer = buffer,
      .preprocessSize = kTableSize};
  vk.CmdExecuteGeneratedCommandsNV(commands, call.is_preprocessed, &info);
}

void AddGenerated(std::vector<ActionCall>& calls) {
  const auto add = [&](vk::CommandId id, std::string_view name, size_t like, auto* run) {
    const DrawRecording::BindPoint point = like < 3    ? DrawRecording::kGraphics
                                           : like == 3 ? DrawRecording::kCompute
                                                       : DrawRecording::kRayTracing;
    calls.push_back({id, name, point, kGeneratedLike[like], like == 2, std::bind_front(run, like)});
  };
  for (size_t like = 0; like < std::size(kGeneratedLike); ++like) {
    add(vk::CommandId::kCmdExecuteGeneratedCommandsEXT, "vkCmdExecuteGeneratedCommandsEXT", like, RunGenerated);
    // Its tokens trace no rays, and the command must be inside of a render pass instance.
    if (like < 3)
      add(vk::CommandId::kCmdExecuteGeneratedCommandsNV, "vkCmdExecuteGeneratedCommandsNV", like, RunGeneratedNv);
  }
}

std::vector<ActionCall> MakeCalls() {
  std::vector<ActionCall> calls;
  vk::ForEachCommand([&](auto tag) {
    using C = typename decltype(tag)::Command;
    if constexpr (ActionCommand<C> && !GeneratedCommands<C>) {
      constexpr DrawRecording::BindPoint kPoint = FormOf<C>().point;
      const bool draws_meshes = kPoint == DrawRecording::kGraphics && !HasRule(C::kName, "stage-06481");
      calls.push_back({C::kId, C::kName, kPoint, {}, draws_meshes, RunCall<C>});
    }
  });
  AddGenerated(calls);
  return calls;
}

}  // namespace

const std::vector<ActionCall>& ActionCalls() {
  static const std::vector<ActionCall> calls = MakeCalls();
  return calls;
}

}  // namespace assay::core
