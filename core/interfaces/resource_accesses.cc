// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Notes them when pipelines and shader objects are made.

#include "core/interfaces/resource_accesses.h"

#include <algorithm>

#include "core/interfaces/interface_rules.h"
#include "core/interfaces/pipeline_stages.h"
#include "state/pipelines/create_info.h"
#include "vk/chain.h"

namespace assay::core {
namespace {

using state::DeviceState;
using state::Items;

constexpr uint32_t kTraversals = kTracesRay | kTracesRayInMotion | kTracesHitObjectInMotion | kQueriesRay;

void AddLibraries(const void* chain, ResourceAccesses& out) {
  const auto* const linked = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(chain);
  if (linked == nullptr) return;
  for (VkPipeline handle : Items(linked->pLibraries, linked->libraryCount)) {
    const auto* const library = DeviceState::Get<state::Pipeline>(handle);
    if (library != nullptr) out.Add(library->core_resources.get());
  }
}

// Null where there are none.
std::shared_ptr<const ResourceAccesses> Noted(ResourceAccesses accesses) {
  const bool has_facts = accesses.has_ray_queries || accesses.mesh_model != spv::ExecutionModel::Max;
  if (!has_facts && accesses.stages.empty() && accesses.vertex == nullptr && accesses.fragment == nullptr)
    return nullptr;
  return std::make_shared<const ResourceAccesses>(std::move(accesses));
}

}  // namespace

void ResourceAccesses::Add(std::shared_ptr<const ShaderInterface> shader, bool runs) {
  has_ray_queries |= shader->has_ray_queries;
  if (shader->stage == VK_SHADER_STAGE_MESH_BIT_EXT) mesh_model = shader->model;
  if (shader->stage == VK_SHADER_STAGE_VERTEX_BIT && !shader->inputs.elements.empty()) vertex = shader;
  const bool has_outputs = shader->primitive != OutputPrimitive::kOther || shader->writes_shading_rate;
  if (shader->resources.empty() && shader->push_constant_members.empty() && !has_outputs) return;
  const auto traverses = [](const ResourceVariable& resource) { return (resource.accesses & kTraversals) != 0; };
  has_traversals |= runs && std::ranges::any_of(shader->resources, traverses);
  const auto accesses = [](const ResourceVariable& resource) {
    return (resource.accesses != 0 && resource.dim != spv::Dim::Max) || resource.largest_index.has_value();
  };
  const bool accesses_images = runs && std::ranges::any_of(shader->resources, accesses);
  stages.push_back({std::move(shader), runs, accesses_images});
}

void ResourceAccesses::Add(const state::ObjectSubState* other) {
  if (other == nullptr) return;
  const auto& from = static_cast<const ResourceAccesses&>(*other);
  stages.insert(stages.end(), from.stages.begin(), from.stages.end());
  has_traversals |= from.has_traversals;
  has_ray_queries |= from.has_ray_queries;
  if (from.mesh_model != spv::ExecutionModel::Max) mesh_model = from.mesh_model;
  if (from.vertex != nullptr) vertex = from.vertex;
  if (from.fragment != nullptr) fragment = from.fragment;
  if (from.fragment_facts != nullptr) fragment_facts = from.fragment_facts;
}

void InterfaceRules::AddAccesses(const VkPipelineShaderStageCreateInfo& stage, bool runs, ResourceAccesses& out) const {
  const auto code = state::CodeOf(stage, codes_);
  if (code == nullptr) return;
  auto shader = cache_.Get(*code, stage.pName, stage.stage, stage.pSpecializationInfo, InterfaceReader{stage.stage});
  if (stage.stage == VK_SHADER_STAGE_FRAGMENT_BIT && shader->is_known) {
    out.fragment = shader;
    if (needs_facts_) out.fragment_facts = facts_.Get(stage);
  }
  out.Add(std::move(shader), runs);
}

void InterfaceRules::PostCallRecord(const vk::CreateGraphicsPipelines& call, VkResult) {
  for (uint32_t i = 0; call.pPipelines != nullptr && i < call.createInfoCount; ++i) {
    auto* const pipeline = DeviceState::Get<state::Pipeline>(call.pPipelines[i]);
    const VkGraphicsPipelineCreateInfo& info = call.pCreateInfos[i];
    if (pipeline == nullptr || state::HasBinaries(info.pNext)) continue;
    const state::UsedStages used(info);
    ResourceAccesses accesses;
    for (const auto& stage : Items(info.pStages, info.stageCount)) {
      if (used.Has(stage.stage)) AddAccesses(stage, true, accesses);
    }
    AddLibraries(info.pNext, accesses);
    pipeline->core_resources = Noted(std::move(accesses));
  }
}

void InterfaceRules::PostCallRecord(const vk::CreateComputePipelines& call, VkResult) {
  for (uint32_t i = 0; call.pPipelines != nullptr && i < call.createInfoCount; ++i) {
    auto* const pipeline = DeviceState::Get<state::Pipeline>(call.pPipelines[i]);
    if (pipeline == nullptr || state::HasBinaries(call.pCreateInfos[i].pNext)) continue;
    ResourceAccesses accesses;
    AddAccesses(call.pCreateInfos[i].stage, true, accesses);
    pipeline->core_resources = Noted(std::move(accesses));
  }
}

template <class C>
void InterfaceRules::NoteRayTracing(const C& call) {
  for (uint32_t i = 0; call.pPipelines != nullptr && i < call.createInfoCount; ++i) {
    auto* const pipeline = DeviceState::Get<state::Pipeline>(call.pPipelines[i]);
    const auto& info = call.pCreateInfos[i];
    if (pipeline == nullptr || state::HasBinaries(info.pNext)) continue;
    // Those of libraries are among them.
    const auto generates = [](const auto& stage) { return stage.stage == VK_SHADER_STAGE_RAYGEN_BIT_KHR; };
    const bool has_one = std::ranges::count_if(pipeline->stages, generates) == 1;
    ResourceAccesses accesses;
    for (const auto& stage : Items(info.pStages, info.stageCount)) AddAccesses(stage, generates(stage), accesses);
    AddLibraries(info.pNext, accesses);
    if (!has_one) {
      for (ResourceAccesses::Stage& stage : accesses.stages) stage.runs = stage.accesses_images = false;
      accesses.has_traversals = false;
    }
    pipeline->core_resources = Noted(std::move(accesses));
  }
}
void InterfaceRules::PostCallRecord(const vk::CreateRayTracingPipelinesKHR& call, VkResult) { NoteRayTracing(call); }
void InterfaceRules::PostCallRecord(const vk::CreateRayTracingPipelinesNV& call, VkResult) { NoteRayTracing(call); }

// Which nodes of a graph run is not known, unless there is only one.
void InterfaceRules::PostCallRecord(const vk::CreateExecutionGraphPipelinesAMDX& call, VkResult) {
  for (uint32_t i = 0; call.pPipelines != nullptr && i < call.createInfoCount; ++i) {
    auto* const pipeline = DeviceState::Get<state::Pipeline>(call.pPipelines[i]);
    if (pipeline == nullptr) continue;
    const VkExecutionGraphPipelineCreateInfoAMDX& info = call.pCreateInfos[i];
    ResourceAccesses accesses;
    for (const auto& stage : Items(info.pStages, info.stageCount))
      AddAccesses(stage, pipeline->stages.size() == 1, accesses);
    pipeline->core_resources = Noted(std::move(accesses));
  }
}

void InterfaceRules::PostCallRecord(const vk::CreateShadersEXT& call, VkResult) {
  for (uint32_t i = 0; call.pShaders != nullptr && i < call.createInfoCount; ++i) {
    auto* const shader = DeviceState::Get<state::Shader>(call.pShaders[i]);
    const VkShaderCreateInfoEXT& info = call.pCreateInfos[i];
    if (shader == nullptr || info.codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT) continue;
    const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = info.codeSize,
                                             .pCode = static_cast<const uint32_t*>(info.pCode)};
    const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                   .pNext = &module,
                                                   .stage = info.stage,
                                                   .pName = info.pName,
                                                   .pSpecializationInfo = info.pSpecializationInfo};
    ResourceAccesses accesses;
    AddAccesses(stage, true, accesses);
    shader->core_resources = Noted(std::move(accesses));
  }
}

}  // namespace assay::core
