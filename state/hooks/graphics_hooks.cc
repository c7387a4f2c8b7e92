// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceState's hooks for pipelines of all kinds and shader objects.

#include "state/hooks/registration.h"
#include "state/objects/items.h"
#include "state/pipelines/pipeline_reader.h"

namespace assay::state {

// Some objects may have been created even if the call failed; the others are VK_NULL_HANDLE.
template <class C>
void DeviceState::AddPipelines(const C& call) {
  const auto handles = Items(call.pPipelines, call.createInfoCount);
  for (size_t i = 0; i < handles.size(); ++i) {
    if (handles[i] != VK_NULL_HANDLE)
      AddState<Pipeline>(handles[i], ReadPipeline(handles[i], call.pCreateInfos[i], shader_codes_));
  }
}

void DeviceState::PostCallRecord(const vk::CreateComputePipelines& call, VkResult) { AddPipelines(call); }
void DeviceState::PostCallRecord(const vk::CreateGraphicsPipelines& call, VkResult) { AddPipelines(call); }
void DeviceState::PostCallRecord(const vk::CreateRayTracingPipelinesKHR& call, VkResult) { AddPipelines(call); }
void DeviceState::PostCallRecord(const vk::CreateRayTracingPipelinesNV& call, VkResult) { AddPipelines(call); }
void DeviceState::PostCallRecord(const vk::CreateExecutionGraphPipelinesAMDX& call, VkResult) { AddPipelines(call); }
void DeviceState::PreCallRecord(const vk::DestroyPipeline& call) { Remove<Pipeline>(call.pipeline); }

void DeviceState::PostCallRecord(const vk::CreateShadersEXT& call, VkResult) {
  const auto handles = Items(call.pShaders, call.createInfoCount);
  const auto is_linked = [](const VkShaderCreateInfoEXT& info) {
    return (info.flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT) != 0;
  };
  const auto linked = std::make_shared<LinkedShaders>();
  for (const VkShaderCreateInfoEXT& info : Items(call.pCreateInfos, call.createInfoCount)) {
    if (is_linked(info)) linked->stages |= info.stage;
  }
  for (size_t i = 0; i < handles.size(); ++i) {
    const VkShaderCreateInfoEXT& info = call.pCreateInfos[i];
    if (handles[i] == VK_NULL_HANDLE) continue;
    Add<Shader>(handles[i], reinterpret_cast<uint64_t>(handles[i]), info,
                SetLayouts(info.pSetLayouts, info.setLayoutCount), is_linked(info) ? linked : nullptr, shader_codes_);
  }
}
void DeviceState::PreCallRecord(const vk::DestroyShaderEXT& call) { Remove<Shader>(call.shader); }

}  // namespace assay::state
