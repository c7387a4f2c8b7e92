// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Certain accesses of ray tracing commands: to the record of the ray generation shader, to the arguments of indirect
// commands, and through the descriptors of the ray generation shader if the pipeline has only one. The rays decide
// which other shaders run, and so which other records are read. With syncval_shader_accesses_heuristic all shaders of
// the pipeline count as run.

#include "syncval/commands/check.h"
#include "syncval/commands/device_address_range.h"
#include "syncval/commands/shader_accesses.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

void CollectShaders(AccessCollector& collector, const state::BindPointState& bindings) {
  const auto* pipeline = state::DeviceState::Get<state::Pipeline>(bindings.pipeline);
  if (pipeline == nullptr) return;
  if (collector.takes_uncertain_accesses()) {
    for (const state::PipelineStage& stage : pipeline->stages) CollectStage(collector, bindings, stage);
    return;
  }
  const state::PipelineStage* only = nullptr;
  for (const state::PipelineStage& stage : pipeline->stages) {
    if (stage.stage != VK_SHADER_STAGE_RAYGEN_BIT_KHR) continue;
    if (only != nullptr) return;
    only = &stage;
  }
  if (only != nullptr) CollectStage(collector, bindings, *only);
}

template <class C>
void CollectTraceRays(AccessCollector& collector, const state::DeviceState& state, const dispatch::Slot& slot,
                      const C& call) {
  collector.AddUnknown();
  CollectShaders(collector, state::DeviceState::CommandBufferIn(slot)->At(VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR));
  if constexpr (requires { call.pRaygenShaderBindingTable; }) {
    if (call.pRaygenShaderBindingTable == nullptr) return;
    const VkStridedDeviceAddressRegionKHR& table = *call.pRaygenShaderBindingTable;
    DeviceAddressRange(state, table.deviceAddress)
        .AddPossibleRead(collector, 0, table.size, vk::kSyncRayTracingShaderShaderBindingTableRead,
                         {"pRaygenShaderBindingTable", kNoIndex});
  }
}

template <class C>
void CollectIndirect(AccessCollector& collector, const state::DeviceState& state, const C& call, VkDeviceSize size) {
  DeviceAddressRange(state, call.indirectDeviceAddress)
      .Add(collector, 0, size, vk::kSyncDrawIndirectIndirectCommandRead, {"indirectDeviceAddress", kNoIndex});
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdTraceRaysKHR& call, dispatch::Slot& slot, messages::Report& report) {
  if (call.width == 0 || call.height == 0 || call.depth == 0) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) { CollectTraceRays(c, state_, slot, call); });
}
// Arguments of 0 trace nothing; only the execution shows that.
void SyncValidator::PreCallValidate(const vk::CmdTraceRaysIndirectKHR& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    CollectTraceRays(c, state_, slot, call);
    CollectIndirect(c, state_, call, sizeof(VkTraceRaysIndirectCommandKHR));
  });
}
// The arguments hold the tables.
void SyncValidator::PreCallValidate(const vk::CmdTraceRaysIndirect2KHR& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    CollectTraceRays(c, state_, slot, call);
    CollectIndirect(c, state_, call, sizeof(VkTraceRaysIndirectCommand2KHR));
  });
}

}  // namespace assay::syncval
