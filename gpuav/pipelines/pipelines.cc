// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/pipelines.h"

#include <algorithm>
#include <atomic>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gpuav/pipelines/create_infos.h"
#include "gpuav/pipelines/stages.h"
#include "messages/messages.h"
#include "vk/chain.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;

// What a call of this thread has made, from the call down to PostCallRecord.
thread_local std::vector<MadePipeline> made_by_call;

// Whether pipelines of the call may be there twice.
template <class C>
constexpr bool kMayBeTwo = !std::is_same_v<C, vk::CreateRayTracingPipelinesKHR>;

// Whether an execution set may have it.
template <class I>
bool IsIndirectBindable(const I& info) {
  return (FlagsOf(info.flags, info.pNext) & VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT) != 0;
}

const PipelineData* DataOf(VkPipeline handle) {
  const auto* pipeline = state::DeviceState::Get<state::Pipeline>(handle);
  return pipeline != nullptr ? pipeline->Sub<PipelineData>() : nullptr;
}

bool IsTwo(VkPipeline handle) {
  const PipelineData* const data = DataOf(handle);
  return data != nullptr && data->two();
}

bool HasOriginalShadersAlone(VkPipeline handle) {
  const auto* pipeline = state::DeviceState::Get<state::Pipeline>(handle);
  return pipeline != nullptr && !pipeline->stages.empty() && !IsTwo(handle);
}

// Replaces libraries by their second ones. False if the chain cannot be changed.
template <class I>
bool LinkSeconds(absl::Span<const VkPipeline> libraries, I& info, dispatch::Rewriter& rewriter) {
  if (std::ranges::none_of(libraries, IsTwo)) return true;
  auto* const linked = rewriter.CopyLinked<VkPipelineLibraryCreateInfoKHR>(info);
  if (linked == nullptr) return false;
  VkPipeline* const handles = rewriter.Copy(linked->pLibraries, linked->libraryCount);
  for (size_t i = 0; i < libraries.size(); ++i) {
    const PipelineData* const data = DataOf(libraries[i]);
    if (data != nullptr && data->two()) handles[i] = data->two().instrumented;
  }
  return true;
}

}  // namespace

template <class I>
bool Pipelines::MayBeInSets(const I& info) const {
  if (keeps_originals_ || !IsIndirectBindable(info) || !MayBeInExecutionSets(context_, BindPointOf(info))) return false;
  const state::PipelineLayout* const layout = state::DeviceState::Get<state::PipelineLayout>(info.layout);
  const LayoutData* const data = layout != nullptr ? layout->Sub<LayoutData>() : nullptr;
  return data != nullptr && (data->fixed() != VK_NULL_HANDLE || !data->has_reserved_set());
}

template <class I>
Pipelines::Way Pipelines::WayOf(const I& info) {
  if (!context_.is_enabled() || !HasShaders(info)) return {};
  const VkPipelineCreateFlags2 flags = FlagsOf(info.flags, info.pNext);
  const auto* binaries = vk::FindInChain<VkPipelineBinaryInfoKHR>(info.pNext);
  if ((flags & VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV) != 0) return {};
  if (binaries != nullptr && binaries->binaryCount != 0) return {};
  if (IsIndirectBindable(info) && !MayBeInSets(info)) return {};
  if (has_binaries_ && IsOneForBinaries(info)) return {};
  const state::PipelineLayout* const layout = state::DeviceState::Get<state::PipelineLayout>(info.layout);
  const LayoutData* const data = layout != nullptr ? layout->Sub<LayoutData>() : nullptr;
  if (data == nullptr) return {};
  // What a library is linked with may have another layout, with another way.
  const bool is_library = (flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0;
  if (is_library && data->has_independent_sets() && context_.may_use_every_set()) return {};
  const bool has_descriptor_buffers = (flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
  if (data->has_reserved_set() && !has_descriptor_buffers) return {ShaderWay::kReservedSet, VK_SHADER_STAGE_ALL};
  if (is_library) return {};
  if (data->address().stages == 0 && !has_descriptor_buffers) ReportNoRoom(*layout);
  return {has_descriptor_buffers ? ShaderWay::kDescriptorBuffers : ShaderWay::kPushedAddress, data->address().stages};
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
    absl::StrAppend(&text,
                    ", and shaders get no address instead: the device has no bufferDeviceAddress, or has "
                    "pipelineBinaries enabled.");
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

std::optional<ComputePipelineSource> Pipelines::SourceOf(const VkComputePipelineCreateInfo& info, ShaderWay way) const {
  // The application's pipelines are as it made them, or it wants to see so many checks in the shader.
  if (keeps_originals_ || context_.settings().gpuav_debug_max_instrumentations_count != 0) return std::nullopt;
  // A generated command runs whichever pipeline of an execution set it names.
  if (IsIndirectBindable(info)) return std::nullopt;
  const auto* layout = state::DeviceState::Get<state::PipelineLayout>(info.layout);
  if (way != ShaderWay::kReservedSet || layout == nullptr) return std::nullopt;
  return ComputePipelineSource::Of(info, layout->Sub<LayoutData>()->layout());
}

ShaderTerms Pipelines::TermsOf(VkPipelineLayout layout, bool has_robust_buffers) const {
  const dispatch::Settings& settings = context_.settings();
  // Where robust access makes faults harmless, and nobody wants to know, they would hide others.
  const bool has_harmless_faults = has_robust_buffers && !settings.gpuav_warn_on_robust_oob;
  return {.host_sets = SetsTheHostKnows(*state::DeviceState::Get<state::PipelineLayout>(layout)),
          .reports_at_end = !has_harmless_faults && !settings.gpuav_report_at_once};
}

template <class Info>
void Pipelines::RewriteStage(const Info& pipeline, const VkPipelineShaderStageCreateInfo& stage,
                             VkPipelineShaderStageCreateInfo& down, dispatch::Rewriter& rewriter, Making& making,
                             MadePipeline& made, ShaderWay way) {
  if (!IsWanted(stage)) return;
  const bool has_robust_buffers = HasRobustBuffers(context_.device(), stage.pNext, pipeline.pNext);
  std::shared_ptr<state::ShaderCode> code = CodeOf(stage);
  if (code == nullptr) return;
  const std::string name = choice_.chooses_all() ? "" : context_.reporter().Name(messages::Object(stage.module));
  if (!choice_.Chooses(name, stage.pName, code->words())) return;
  ShaderTerms terms;
  std::optional<ComputePipelineSource> source;
  if constexpr (std::same_as<Info, VkComputePipelineCreateInfo>) {
    source = SourceOf(pipeline, way);
    if (source) terms = TermsOf(pipeline.layout, has_robust_buffers);
  }
  const std::shared_ptr<const InstrumentedWords> instrumented = instrumenter_.Instrument(code, way, terms);
  if (instrumented == nullptr) return;
  InstrumentedShader shader = {.code = std::move(code),
                               .module = stage.module,
                               .stage = stage.stage,
                               .entry_point = stage.pName != nullptr ? stage.pName : "",
                               .has_robust_buffers = has_robust_buffers};
  if (source && (!instrumented->conditions.empty() || instrumented->reports_at_end)) {
    const auto has_faults = std::make_shared<std::atomic<bool>>(false);
    made.host = std::make_unique<HostDecided>(context_, seconds_, instrumenter_, registry_, submissions_,
                                              *std::move(source), shader, instrumented, has_faults);
    if (instrumented->reports_at_end) shader.has_faults = has_faults;
  }
  // The host decides all.
  if (instrumented->words.empty()) return;
  if (!instrumented->limited_checks.empty()) {
    shader.limited_checks = {instrumented, &instrumented->limited_checks};
  }
  const std::optional<InstrumentedModule> module = MakeModule(context_, registry_, *instrumented, std::move(shader));
  if (!module) return;
  making.modules.push_back(module->module);
  made.shader_ids.push_back(module->id);
  if (made.host != nullptr) made.host->set_shader_id(module->id);
  if (down.module == VK_NULL_HANDLE) rewriter.Unlink<VkShaderModuleCreateInfo>(down);
  down.module = module->module;
  if (instrumenter_.prints()) ReportFormats(context_, registry_, module->id);
}

void Pipelines::FinishAfterCall(dispatch::Rewriter& rewriter, const std::shared_ptr<Making>& making) {
  rewriter.AfterCall([this, making](VkResult) {
    const dispatch::Device& device = context_.device();
    for (VkShaderModule module : making->modules) {
      CallNext(device, vk::DestroyShaderModule{device.handle, module, nullptr});
    }
    made_by_call = std::move(making->made);
  });
}

template <class I>
bool Pipelines::NeedsSecond(const I& info, bool is_instrumented) {
  if (!context_.is_enabled()) return false;
  const absl::Span<const VkPipeline> libraries = LibrariesOf(info);
  // Those that are linked all have the layout with our set, or all have the application's.
  if (has_binaries_ && std::ranges::any_of(libraries, HasOriginalShadersAlone)) return false;
  if (is_instrumented || std::ranges::any_of(libraries, IsTwo)) return true;
  return has_binaries_ && (FlagsOf(info.flags, info.pNext) & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0 &&
         WayOf(info).stages != 0;
}

template <class C, class I>
void Pipelines::Part(const C& call, C& down, I* infos, dispatch::Rewriter& rewriter, Making& making) {
  I* const originals = rewriter.Copy(down.pCreateInfos, call.createInfoCount);
  for (size_t i = 0; i < call.createInfoCount; ++i) {
    const I& info = call.pCreateInfos[i];
    if (IsIndirectBindable(info)) {
      const VkPipelineLayout layout = ExecutionSetLayout(context_, info.layout, BindPointOf(info));
      if (layout != VK_NULL_HANDLE) originals[i].layout = layout;
    } else if (const VkPipelineLayout layout = OriginalLayout(info.layout)) {
      originals[i].layout = layout;
    }
    if (!NeedsSecond(info, !making.made[i].shader_ids.empty())) continue;
    if (SecondPipelines::MakeIndependent(infos[i], rewriter) && LinkSeconds(LibrariesOf(info), infos[i], rewriter)) {
      making.pairs.push_back(i);
    }
  }
}

template <class C, class F>
void Pipelines::RewriteEach(const C& call, C& down, dispatch::Rewriter& rewriter, const F& stages_of) {
  auto making = std::make_shared<Making>();
  making->made.resize(call.createInfoCount);
  auto copied = down.pCreateInfos;
  auto* const infos = rewriter.Copy(copied, call.createInfoCount);
  if constexpr (kMayBeTwo<C>) {
    // Before what follows frees the modules.
    rewriter.AfterCall([this, making, call, infos, cache = down.pipelineCache](VkResult result) {
      if (result < VK_SUCCESS) return;
      for (const size_t i : making->pairs) {
        if (call.pPipelines[i] != VK_NULL_HANDLE) making->made[i].second = seconds_.Create(cache, infos[i]);
      }
    });
  }
  FinishAfterCall(rewriter, making);
  for (size_t i = 0; i < call.createInfoCount; ++i) {
    const auto& info = call.pCreateInfos[i];
    if (MayBeInSets(info)) {
      const VkPipelineLayout layout = ExecutionSetLayout(context_, info.layout, BindPointOf(info));
      if (layout != VK_NULL_HANDLE) infos[i].layout = layout;
    }
    const Way way = WayOf(info);
    if (way.stages == 0) continue;
    const auto [stages, copies] = stages_of(info, infos[i]);
    for (size_t j = 0; j < stages.size(); ++j) {
      if ((way.stages & stages[j].stage) == 0) continue;
      RewriteStage(info, stages[j], copies[j], rewriter, *making, making->made[i], way.way);
    }
  }
  if constexpr (kMayBeTwo<C>) {
    if (keeps_originals_) return Part(call, down, infos, rewriter, *making);
  } else if (has_binaries_) {
    for (size_t i = 0; i < call.createInfoCount; ++i) {
      const VkPipelineLayout layout = OriginalLayout(call.pCreateInfos[i].layout);
      if (layout != VK_NULL_HANDLE && making->made[i].shader_ids.empty()) infos[i].layout = layout;
    }
  }
  down.pCreateInfos = copied;
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
  std::vector<MadePipeline> made = std::exchange(made_by_call, {});
  made.resize(call.createInfoCount);
  for (size_t i = 0; i < call.createInfoCount; ++i) {
    PipelineData::Two two;
    if (made[i].second != VK_NULL_HANDLE) two = {dispatch::DriverHandle(call.pPipelines[i]), made[i].second};
    PipelineData::Shaders shaders;
    const bool may_be_in_sets = MayBeInSets(call.pCreateInfos[i]);
    if (may_be_in_sets && call.pPipelines[i] != VK_NULL_HANDLE) {
      for (const uint32_t id : made[i].shader_ids) registry_.SetPipeline(id, call.pPipelines[i]);
    }
    if (auto own = Own(std::move(made[i].shader_ids))) shaders.push_back(std::move(own));
    std::unique_ptr<HostDecided> host = std::move(made[i].host);
    state::Pipeline* const pipeline = state::DeviceState::Get<state::Pipeline>(call.pPipelines[i]);
    // After a failure, the application's array may still have handles of before.
    if (pipeline == nullptr || pipeline->Sub<PipelineData>() != nullptr) {
      if (two) seconds_.Destroy(two.instrumented);
      continue;
    }
    bool is_robust = HasRobustVertexInputs(context_.device(), call.pCreateInfos[i].pNext);
    for (VkPipeline library : LibrariesOf(call.pCreateInfos[i])) {
      const PipelineData* const data = DataOf(library);
      if (data == nullptr) continue;
      shaders.insert(shaders.end(), data->shaders().begin(), data->shaders().end());
      is_robust |= data->has_robust_vertex_inputs();
    }
    // Without the second one, none of them runs.
    if (kMayBeTwo<C> && keeps_originals_ && !two) shaders.clear();
    // A library without shaders may have the vertex inputs.
    const bool is_library = (pipeline->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0;
    if (shaders.empty() && host == nullptr && !two && !(is_library && is_robust) && !may_be_in_sets) continue;
    const PipelineData::Facts facts = {.has_robust_vertex_inputs = is_robust, .may_be_in_sets = may_be_in_sets};
    pipeline->Attach(std::make_unique<PipelineData>(std::move(shaders), std::move(host), facts, seconds_, two));
  }
}

template void Pipelines::Attach(const vk::CreateComputePipelines&);
template void Pipelines::Attach(const vk::CreateGraphicsPipelines&);
template void Pipelines::Attach(const vk::CreateRayTracingPipelinesKHR&);

}  // namespace assay::gpuav
