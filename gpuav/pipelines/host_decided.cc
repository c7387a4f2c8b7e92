// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/host_decided.h"

#include <algorithm>

#include "gpuav/descriptors/descriptor_state.h"
#include "gpuav/pipelines/stages.h"
#include "gpuav/shaders/shader_way.h"
#include "vk/commands.h"

namespace assay::gpuav {
namespace {

using dispatch::CallNext;
using spirv_instrument::HostCondition;
using spirv_instrument::HostLimit;

constexpr size_t kMaxHostSets = 32;

bool StaysWhenBound(const state::DescriptorSetLayout& layout) {
  constexpr VkDescriptorBindingFlags kMayChange =
      VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT;
  return std::ranges::none_of(layout.bindings(), [](const auto& binding) { return (binding.flags & kMayChange) != 0; });
}

const state::DescriptorContents* ContentsOf(const state::BindPointState& bindings, uint32_t set) {
  if (set >= bindings.sets.size()) return nullptr;
  const state::BoundSet& bound = bindings.sets[set];
  if (bound.pushed != nullptr) return bound.pushed.get();
  const auto* state = state::DeviceState::Get<state::DescriptorSet>(bound.set);
  return state != nullptr ? &state->contents : nullptr;
}

// A copy of a structure of a chain, without what is behind it.
template <class T>
bool Keep(const VkBaseInStructure* link, std::optional<T>& kept) {
  kept = *reinterpret_cast<const T*>(link);
  kept->pNext = nullptr;
  return true;
}

// What says nothing of the pipeline.
bool IsForToolsAlone(VkStructureType type) {
  return type == VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO ||
         type == VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT ||
         type == VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT ||
         type == VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
}

template <class F>
bool KeepChain(const void* chain, const F& keep) {
  for (const auto* link = static_cast<const VkBaseInStructure*>(chain); link != nullptr; link = link->pNext) {
    if (!IsForToolsAlone(link->sType) && !keep(link)) return false;
  }
  return true;
}

}  // namespace

uint32_t SetsTheHostKnows(const state::PipelineLayout& layout) {
  uint32_t sets = 0;
  for (size_t i = 0; i < std::min(layout.set_layouts.size(), kMaxHostSets); ++i) {
    if (layout.set_layouts[i] && StaysWhenBound(*layout.set_layouts[i])) sets |= 1u << i;
  }
  return sets;
}

bool Holds(const HostCondition& condition, const state::BindPointState& bindings) {
  const state::DescriptorContents* const contents = ContentsOf(bindings, condition.set);
  if (contents == nullptr) return false;
  const state::DescriptorSetLayout::Binding* const binding = contents->layout().Find(condition.binding);
  if (binding == nullptr || condition.index >= CountOf(*contents, *binding)) return false;
  const spirv_instrument::DescriptorState descriptor = StateOf(*contents, *binding, condition.index);
  if (!descriptor.is_written || descriptor.is_destroyed) return false;
  if (condition.types != 0 && ((condition.types >> static_cast<uint32_t>(descriptor.type)) & 1) == 0) return false;
  return condition.kind == HostCondition::Kind::kDescriptorIsValid || descriptor.is_null ||
         descriptor.size >= condition.bytes;
}

std::optional<ComputePipelineSource> ComputePipelineSource::Of(const VkComputePipelineCreateInfo& info,
                                                               VkPipelineLayout layout) {
  ComputePipelineSource source;
  source.flags_ = info.flags;
  source.stage_flags_ = info.stage.flags;
  source.layout_ = layout;
  source.entry_point_ = info.stage.pName != nullptr ? info.stage.pName : "";
  const bool is_kept = KeepChain(info.pNext, [&source](const VkBaseInStructure* link) {
    if (link->sType == VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO) return Keep(link, source.robustness_);
    if (link->sType != VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO) return false;
    source.has_flags2_ = true;
    source.flags_ = reinterpret_cast<const VkPipelineCreateFlags2CreateInfo*>(link)->flags;
    return true;
  });
  const bool is_stage_kept = KeepChain(info.stage.pNext, [&source](const VkBaseInStructure* link) {
    if (link->sType == VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO) return Keep(link, source.stage_robustness_);
    if (link->sType == VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO) {
      return Keep(link, source.subgroup_size_);
    }
    // Our module has all that matters of it.
    return link->sType == VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  });
  if (!is_kept || !is_stage_kept) return std::nullopt;
  source.flags_ = SecondPipelines::IndependentFlags(source.flags_);
  if (const VkSpecializationInfo* const specialization = info.stage.pSpecializationInfo; specialization != nullptr) {
    source.has_specialization_ = true;
    source.constants_.assign(specialization->pMapEntries, specialization->pMapEntries + specialization->mapEntryCount);
    const auto* const data = static_cast<const uint8_t*>(specialization->pData);
    source.constant_data_.assign(data, data + specialization->dataSize);
  }
  return source;
}

VkPipeline ComputePipelineSource::Make(SecondPipelines& pipelines, VkShaderModule module) {
  const VkPipelineCreateFlags2CreateInfo flags2 = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
                                                   .flags = flags_};
  const VkSpecializationInfo specialization = {.mapEntryCount = static_cast<uint32_t>(constants_.size()),
                                               .pMapEntries = constants_.data(),
                                               .dataSize = constant_data_.size(),
                                               .pData = constant_data_.data()};
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .flags = has_flags2_ ? 0 : static_cast<VkPipelineCreateFlags>(flags_),
                                      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                .flags = stage_flags_,
                                                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                .module = module,
                                                .pName = entry_point_.c_str(),
                                                .pSpecializationInfo = has_specialization_ ? &specialization : nullptr},
                                      .layout = layout_};
  const auto link = [](const void*& chain, auto& structure) {
    structure.pNext = chain;
    chain = &structure;
  };
  if (robustness_) link(info.pNext, *robustness_);
  VkPipelineCreateFlags2CreateInfo more = flags2;
  if (has_flags2_) link(info.pNext, more);
  if (stage_robustness_) link(info.stage.pNext, *stage_robustness_);
  if (subgroup_size_) {
    subgroup_size_->pNext = const_cast<void*>(info.stage.pNext);
    info.stage.pNext = &*subgroup_size_;
  }
  return pipelines.Create(VK_NULL_HANDLE, info);
}

HostDecided::~HostDecided() {
  absl::MutexLock lock(&mutex_);
  if (pipeline_ != VK_NULL_HANDLE) pipelines_.Destroy(pipeline_);
}

std::optional<HostKnowledge> HostDecided::Know(const state::BindPointState& bindings) const {
  for (const HostCondition& condition : words_->conditions) {
    if (!Holds(condition, bindings)) return std::nullopt;
  }
  HostKnowledge knowledge;
  for (const HostLimit& limit : words_->limits) {
    const state::DescriptorContents* const contents = ContentsOf(bindings, limit.set);
    const auto* const binding = contents != nullptr ? contents->layout().Find(limit.binding) : nullptr;
    if (binding == nullptr) return std::nullopt;
    std::optional<spirv_instrument::LimitFacts> facts = FactsOf(
        limit, CountOf(*contents, *binding), [&](uint32_t index) { return StateOf(*contents, *binding, index); });
    if (!facts) return std::nullopt;
    knowledge.push_back(*std::move(facts));
  }
  return knowledge;
}

VkPipeline HostDecided::SelfChecking() {
  absl::MutexLock lock(&mutex_);
  if (!std::exchange(is_made_, true)) pipeline_ = Make();
  return pipeline_;
}

VkPipeline HostDecided::Make() {
  const std::shared_ptr<const InstrumentedWords> words =
      instrumenter_.Instrument(shader_.code, ShaderWay::kReservedSet, {});
  if (words == nullptr || words->words.empty()) return VK_NULL_HANDLE;
  const std::optional<InstrumentedModule> made = MakeModule(context_, registry_, *words, std::move(shader_));
  if (!made) return VK_NULL_HANDLE;
  own_ = std::make_unique<OwnedShaders>(registry_, std::vector<uint32_t>{made->id}, submissions_);
  const VkPipeline pipeline = source_.Make(pipelines_, made->module);
  const dispatch::Device& device = context_.device();
  CallNext(device, vk::DestroyShaderModule{device.handle, made->module, nullptr});
  return pipeline;
}

}  // namespace assay::gpuav
