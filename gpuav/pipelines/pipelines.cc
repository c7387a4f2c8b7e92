// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/pipelines.h"

#include <algorithm>
#include <atomic>
#include <concepts>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gpuav/pipelines/stages.h"
#include "messages/messages.h"
#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;

// What a call of this thread has made, from the call down to PostCallRecord.
thread_local std::vector<MadePipeline> made_pipelines;

std::shared_ptr<state::ShaderCode> CodeOf(const VkPipelineShaderStageCreateInfo& stage) {
  if (stage.module != VK_NULL_HANDLE) {
    const auto* module = state::DeviceState::Get<state::ShaderModule>(stage.module);
    return module != nullptr ? module->code : nullptr;
  }
  const auto* info = vk::FindInChain<VkShaderModuleCreateInfo>(stage.pNext);
  if (info == nullptr || info->pCode == nullptr) return nullptr;
  return std::make_shared<state::ShaderCode>(absl::MakeSpan(info->pCode, info->codeSize / sizeof(uint32_t)));
}

VkPipelineCreateFlags2 FlagsOf(VkPipelineCreateFlags flags, const void* chain) {
  const auto* more = vk::FindInChain<VkPipelineCreateFlags2CreateInfo>(chain);
  return more != nullptr ? more->flags : flags;
}

// A library whose layout has sets of other libraries left out, and one without shaders, need no layout.
VkGraphicsPipelineLibraryFlagsEXT LibraryPartsOf(const VkGraphicsPipelineCreateInfo& info) {
  const auto* library = vk::FindInChain<VkGraphicsPipelineLibraryCreateInfoEXT>(info.pNext);
  if (library != nullptr) return library->flags;
  // What is linked brings all parts with it.
  const auto* linked = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(info.pNext);
  if (linked != nullptr && linked->libraryCount != 0) return 0;
  return VK_GRAPHICS_PIPELINE_LIBRARY_FLAG_BITS_MAX_ENUM_EXT;
}

bool HasShaders(const VkComputePipelineCreateInfo&) { return true; }
bool HasShaders(const VkRayTracingPipelineCreateInfoKHR&) { return true; }
bool HasShaders(const VkGraphicsPipelineCreateInfo& info) {
  constexpr VkGraphicsPipelineLibraryFlagsEXT kWithShaders =
      VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
      VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
  return (LibraryPartsOf(info) & kWithShaders) != 0;
}

// What the stage says counts before what the pipeline says, and that before the feature.
bool HasRobustBuffers(const dispatch::Device& device, const void* stage_chain, const void* pipeline_chain) {
  for (const void* chain : {stage_chain, pipeline_chain}) {
    const auto* info = vk::FindInChain<VkPipelineRobustnessCreateInfo>(chain);
    if (info == nullptr) continue;
    if (info->storageBuffers == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED) return false;
    if (info->storageBuffers != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT) return true;
  }
  return device.HasFeature(vk::FeatureId::kRobustBufferAccess);
}

bool HasRobustVertexInputs(const dispatch::Device& device, const void* pipeline_chain) {
  const auto* info = vk::FindInChain<VkPipelineRobustnessCreateInfo>(pipeline_chain);
  if (info != nullptr && info->vertexInputs != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT) {
    return info->vertexInputs != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED;
  }
  return device.HasFeature(vk::FeatureId::kRobustBufferAccess);
}

absl::Span<const VkPipeline> Libraries(const VkPipelineLibraryCreateInfoKHR* info) {
  return info == nullptr ? absl::Span<const VkPipeline>() : absl::MakeSpan(info->pLibraries, info->libraryCount);
}
absl::Span<const VkPipeline> LibrariesOf(const VkComputePipelineCreateInfo&) { return {}; }
absl::Span<const VkPipeline> LibrariesOf(const VkGraphicsPipelineCreateInfo& info) {
  return Libraries(vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(info.pNext));
}
absl::Span<const VkPipeline> LibrariesOf(const VkRayTracingPipelineCreateInfoKHR& info) {
  return Libraries(info.pLibraryInfo);
}

}  // namespace

Pipelines::Way Pipelines::WayOf(VkPipelineLayout layout, VkPipelineCreateFlags2 flags, const void* chain) {
  if (!context_.is_enabled()) return {};
  constexpr VkPipelineCreateFlags2 kElsewhere = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR |
                                                VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT |
                                                VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV;
  const auto* binaries = vk::FindInChain<VkPipelineBinaryInfoKHR>(chain);
  if ((flags & kElsewhere) != 0 || (binaries != nullptr && binaries->binaryCount != 0)) return {};
  const auto* state = state::DeviceState::Get<state::PipelineLayout>(layout);
  const LayoutData* data = state != nullptr ? state->Sub<LayoutData>() : nullptr;
  if (data == nullptr) return {};
  // What a library is linked with may have another layout, with another way.
  const bool is_library = (flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0;
  if (is_library && data->has_independent_sets() && context_.may_use_every_set()) return {};
  const bool has_descriptor_buffers = (flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
  if (data->has_reserved_set() && !has_descriptor_buffers) return {ShaderWay::kReservedSet, VK_SHADER_STAGE_ALL};
  if (is_library) return {};
  if (data->address().stages == 0 && !has_descriptor_buffers) ReportNoRoom(*state);
  return {has_descriptor_buffers ? ShaderWay::kPushedAddressOnly : ShaderWay::kPushedAddress, data->address().stages};
}

void Pipelines::ReportNoRoom(const state::PipelineLayout& layout) {
  if (layout.set_layouts.size() <= context_.reserved_set()) return;
  if (has_reported_no_room_.exchange(true, std::memory_order_relaxed)) return;
  const auto object = messages::Object(reinterpret_cast<VkPipelineLayout>(layout.handle()));
  std::string text =
      absl::StrCat("Pipelines with ", context_.reporter().Describe(object),
                   " are not instrumented: it leaves no descriptor set for GPU-assisted validation, since it has ",
                   layout.set_layouts.size());
  if (context_.pushes_addresses()) {
    absl::StrAppend(&text, ", and no room for an address behind its push constants (maxPushConstantsSize is ",
                    context_.device().physical_device->limits.maxPushConstantsSize, ").");
  } else if (context_.may_use_every_set()) {
    absl::StrAppend(&text, ", and the device has no bufferDeviceAddress, by which shaders would do without a set.");
  } else {
    absl::StrAppend(&text, ", one more than the limit. They are with gpuav_reserve_binding_slot = false.");
  }
  messages::Report report(context_.reporter(), vk::CommandId::kCreatePipelineLayout);
  report.Deliver({.severity = messages::Severity::kWarning,
                  .id = "ASSAY-gpuav-not-instrumented",
                  .text = std::move(text),
                  .objects = {object}});
}

bool Pipelines::IsWanted(const VkPipelineShaderStageCreateInfo& stage) {
  if (context_.settings().gpuav_select_instrumented_shaders) {
    const auto* info = vk::FindInChain<VkShaderModuleCreateInfo>(stage.pNext);
    absl::MutexLock lock(&mutex_);
    if (stage.module != VK_NULL_HANDLE ? !chosen_.contains(stage.module) : info == nullptr || !IsChosen(info->pNext)) {
      return false;
    }
  }
  return stages_.Has(stage.stage);
}

void Pipelines::PostCallRecord(const vk::CreateShaderModule& call, VkResult result) {
  if (result != VK_SUCCESS || !context_.settings().gpuav_select_instrumented_shaders) return;
  if (!IsChosen(call.pCreateInfo->pNext)) return;
  absl::MutexLock lock(&mutex_);
  chosen_.insert(*call.pShaderModule);
}

void Pipelines::PreCallRecord(const vk::DestroyShaderModule& call) {
  if (!context_.settings().gpuav_select_instrumented_shaders) return;
  absl::MutexLock lock(&mutex_);
  chosen_.erase(call.shaderModule);
}

uint32_t Pipelines::HostSets(const VkComputePipelineCreateInfo& info, ShaderWay way) const {
  // The application wants to see so many checks in the shader.
  if (way != ShaderWay::kReservedSet || context_.settings().gpuav_debug_max_instrumentations_count != 0) return 0;
  const auto* layout = state::DeviceState::Get<state::PipelineLayout>(info.layout);
  const bool can_be_made_anew = ComputePipelineSource::Of(info, VK_NULL_HANDLE).has_value();
  return layout != nullptr && can_be_made_anew ? SetsTheHostKnows(*layout) : 0;
}

std::unique_ptr<HostDecided> Pipelines::Decide(const VkComputePipelineCreateInfo& info,
                                               const InstrumentedWords& instrumented, InstrumentedShader shader) {
  if (instrumented.conditions.empty()) return nullptr;
  const auto* layout = state::DeviceState::Get<state::PipelineLayout>(info.layout);
  auto source = ComputePipelineSource::Of(info, layout->Sub<LayoutData>()->layout());
  return std::make_unique<HostDecided>(context_, instrumenter_, registry_, submissions_, *std::move(source),
                                       std::move(shader), instrumented.conditions);
}

template <class Info>
void Pipelines::RewriteStage(const Info& pipeline, const VkPipelineShaderStageCreateInfo& stage,
                             VkPipelineShaderStageCreateInfo& down, dispatch::Rewriter& rewriter, Made& made,
                             MadePipeline& made_pipeline, ShaderWay way) {
  if (!IsWanted(stage)) return;
  const bool has_robust_buffers = HasRobustBuffers(context_.device(), stage.pNext, pipeline.pNext);
  std::shared_ptr<state::ShaderCode> code = CodeOf(stage);
  if (code == nullptr) return;
  const std::string name = choice_.chooses_all() ? "" : context_.reporter().Name(messages::Object(stage.module));
  if (!choice_.Chooses(name, stage.pName, code->words())) return;
  uint32_t host_sets = 0;
  if constexpr (std::same_as<Info, VkComputePipelineCreateInfo>) host_sets = HostSets(pipeline, way);
  const std::shared_ptr<const InstrumentedWords> instrumented = instrumenter_.Instrument(code, way, host_sets);
  if (instrumented == nullptr) return;
  const InstrumentedShader shader = {.code = std::move(code),
                                     .module = stage.module,
                                     .stage = stage.stage,
                                     .entry_point = stage.pName != nullptr ? stage.pName : "",
                                     .has_robust_buffers = has_robust_buffers};
  if constexpr (std::same_as<Info, VkComputePipelineCreateInfo>) {
    made_pipeline.host = Decide(pipeline, *instrumented, shader);
  }
  // The host decides all.
  if (instrumented->words.empty()) return;
  const std::optional<InstrumentedModule> module = MakeModule(context_, registry_, *instrumented, shader);
  if (!module) return;
  made.modules.push_back(module->module);
  made_pipeline.shader_ids.push_back(module->id);
  if (down.module == VK_NULL_HANDLE) rewriter.Unlink<VkShaderModuleCreateInfo>(down);
  down.module = module->module;
  if (instrumenter_.prints()) ReportFormats(context_, registry_, module->id);
}

void Pipelines::FinishAfterCall(dispatch::Rewriter& rewriter, const std::shared_ptr<Made>& made) {
  rewriter.AfterCall([this, made](VkResult) {
    const dispatch::Device& device = context_.device();
    for (VkShaderModule module : made->modules) {
      CallNext(device, vk::DestroyShaderModule{device.handle, module, nullptr});
    }
    made_pipelines = std::move(made->pipelines);
  });
}

template <class C, class F>
void Pipelines::RewriteEach(const C& call, C& down, dispatch::Rewriter& rewriter, const F& stages_of) {
  auto made = std::make_shared<Made>();
  made->pipelines.resize(call.createInfoCount);
  FinishAfterCall(rewriter, made);
  auto* const infos = rewriter.Copy(down.pCreateInfos, call.createInfoCount);
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    const auto& info = call.pCreateInfos[i];
    if (!HasShaders(info)) continue;
    const Way way = WayOf(info.layout, FlagsOf(info.flags, info.pNext), info.pNext);
    if (way.stages == 0) continue;
    const auto [stages, copies] = stages_of(info, infos[i]);
    for (size_t j = 0; j < stages.size(); ++j) {
      if ((way.stages & stages[j].stage) == 0) continue;
      RewriteStage(info, stages[j], copies[j], rewriter, *made, made->pipelines[i], way.way);
    }
  }
}

void Pipelines::Rewrite(const vk::CreateComputePipelines& call, vk::CreateComputePipelines& down,
                        dispatch::Rewriter& rewriter) {
  RewriteEach(call, down, rewriter,
              [](const auto& info, auto& copy) { return std::pair(absl::MakeConstSpan(&info.stage, 1), &copy.stage); });
}

void Pipelines::Rewrite(const vk::CreateGraphicsPipelines& call, vk::CreateGraphicsPipelines& down,
                        dispatch::Rewriter& rewriter) {
  RewriteEach(call, down, rewriter, [&rewriter](const auto& info, auto& copy) {
    return std::pair(absl::MakeConstSpan(info.pStages, info.stageCount), rewriter.Copy(copy.pStages, info.stageCount));
  });
}

void Pipelines::Rewrite(const vk::CreateRayTracingPipelinesKHR& call, vk::CreateRayTracingPipelinesKHR& down,
                        dispatch::Rewriter& rewriter) {
  RewriteEach(call, down, rewriter, [&rewriter](const auto& info, auto& copy) {
    return std::pair(absl::MakeConstSpan(info.pStages, info.stageCount), rewriter.Copy(copy.pStages, info.stageCount));
  });
}

std::shared_ptr<const OwnedShaders> Pipelines::Own(std::vector<uint32_t> ids) const {
  return ids.empty() ? nullptr : std::make_shared<OwnedShaders>(registry_, std::move(ids), submissions_);
}

template <class C>
void Pipelines::Attach(const C& call) {
  std::vector<MadePipeline> made = std::exchange(made_pipelines, {});
  for (size_t i = 0; i < call.createInfoCount; ++i) {
    PipelineData::Shaders shaders;
    std::unique_ptr<HostDecided> host;
    if (i < made.size()) {
      if (auto own = Own(std::move(made[i].shader_ids))) shaders.push_back(std::move(own));
      host = std::move(made[i].host);
    }
    state::Pipeline* const pipeline = state::DeviceState::Get<state::Pipeline>(call.pPipelines[i]);
    if (pipeline == nullptr) continue;
    bool is_robust = HasRobustVertexInputs(context_.device(), call.pCreateInfos[i].pNext);
    for (VkPipeline library : LibrariesOf(call.pCreateInfos[i])) {
      const state::Pipeline* const state = state::DeviceState::Get<state::Pipeline>(library);
      const auto* data = state != nullptr ? state->Sub<PipelineData>() : nullptr;
      if (data == nullptr) continue;
      shaders.insert(shaders.end(), data->shaders().begin(), data->shaders().end());
      is_robust |= data->has_robust_vertex_inputs();
    }
    // A library without shaders may have the vertex inputs.
    const bool is_library = (pipeline->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0;
    if (shaders.empty() && host == nullptr && !(is_library && is_robust)) continue;
    // After a failure, the application's array may still have handles of before.
    if (pipeline->Sub<PipelineData>() != nullptr) continue;
    pipeline->Attach(std::make_unique<PipelineData>(std::move(shaders), std::move(host), is_robust));
  }
}

template void Pipelines::Attach(const vk::CreateComputePipelines&);
template void Pipelines::Attach(const vk::CreateGraphicsPipelines&);
template void Pipelines::Attach(const vk::CreateRayTracingPipelinesKHR&);

}  // namespace assay::gpuav
