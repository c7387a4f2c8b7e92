// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceState's hooks for descriptors, shaders and pipelines.

#include "dispatch/update_template.h"
#include "state/items.h"
#include "state/registration.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

template <class H>
uint64_t ToInteger(H handle) {
  return reinterpret_cast<uint64_t>(handle);
}

// Whether a module declares that it accesses memory by device address. Its capabilities come first.
bool UsesAddresses(absl::Span<const uint32_t> words) {
  constexpr uint32_t kOpCapability = 17;
  constexpr uint32_t kPhysicalStorageBufferAddresses = 5347;
  constexpr size_t kHeaderWords = 5;
  for (size_t i = kHeaderWords; i + 1 < words.size() && words[i] == (2u << 16 | kOpCapability); i += 2) {
    if (words[i + 1] == kPhysicalStorageBufferAddresses) return true;
  }
  return false;
}

// The stage of a pipeline with what it statically uses. The code comes from a module or, without one, from the stage's
// own chain.
PipelineStage ReflectStage(const VkPipelineShaderStageCreateInfo& info) {
  absl::Span<const uint32_t> words;
  if (const auto* module = DeviceState::Get<ShaderModule>(info.module)) {
    words = module->words;
  } else if (const auto* inline_module = vk::FindInChain<VkShaderModuleCreateInfo>(info.pNext)) {
    words = Items(inline_module->pCode, inline_module->codeSize / sizeof(uint32_t));
  }
  return {info.stage, ReflectEntryPoint(words, info.pName != nullptr ? info.pName : "", info.stage),
          UsesAddresses(words)};
}

}  // namespace

void DeviceState::PostCallRecord(const vk::CreateDescriptorSetLayout& call, VkResult result) {
  if (result == VK_SUCCESS) Add<DescriptorSetLayout>(*call.pSetLayout, ToInteger(*call.pSetLayout), *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::DestroyDescriptorSetLayout& call) {
  Remove<DescriptorSetLayout>(call.descriptorSetLayout);
}

void DeviceState::PostCallRecord(const vk::CreateDescriptorPool& call, VkResult result) {
  if (result == VK_SUCCESS)
    Add<DescriptorPool>(*call.pDescriptorPool, ToInteger(*call.pDescriptorPool), *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::ResetDescriptorPool& call) {
  RemoveChildren(VK_OBJECT_TYPE_DESCRIPTOR_POOL, ToInteger(call.descriptorPool));
}
void DeviceState::PreCallRecord(const vk::DestroyDescriptorPool& call) {
  RemoveChildren(VK_OBJECT_TYPE_DESCRIPTOR_POOL, ToInteger(call.descriptorPool));
  Remove<DescriptorPool>(call.descriptorPool);
}

void DeviceState::PostCallRecord(const vk::AllocateDescriptorSets& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkDescriptorSetAllocateInfo& info = *call.pAllocateInfo;
  const auto* variable = vk::FindInChain<VkDescriptorSetVariableDescriptorCountAllocateInfo>(info.pNext);
  const auto variable_counts = variable != nullptr ? Items(variable->pDescriptorCounts, variable->descriptorSetCount)
                                                   : absl::Span<const uint32_t>();
  for (uint32_t i = 0; i < info.descriptorSetCount; ++i) {
    auto* layout = Get<DescriptorSetLayout>(info.pSetLayouts[i]);
    if (layout == nullptr) continue;
    const VkDescriptorSet set = call.pDescriptorSets[i];
    Add<DescriptorSet>(set, ToInteger(set), Ref<DescriptorSetLayout>(layout),
                       i < variable_counts.size() ? variable_counts[i] : 0);
  }
}
void DeviceState::PreCallRecord(const vk::FreeDescriptorSets& call) {
  for (VkDescriptorSet set : Items(call.pDescriptorSets, call.descriptorSetCount)) Remove<DescriptorSet>(set);
}

void DeviceState::PreCallRecord(const vk::UpdateDescriptorSets& call) {
  for (const auto& write : Items(call.pDescriptorWrites, call.descriptorWriteCount)) {
    if (auto* set = Get<DescriptorSet>(write.dstSet)) set->contents.Write(write);
  }
  for (const auto& copy : Items(call.pDescriptorCopies, call.descriptorCopyCount)) {
    auto* target = Get<DescriptorSet>(copy.dstSet);
    const auto* source = Get<DescriptorSet>(copy.srcSet);
    if (target != nullptr && source != nullptr) target->contents.Copy(copy, source->contents);
  }
}
void DeviceState::PreCallRecord(const vk::UpdateDescriptorSetWithTemplate& call) {
  const dispatch::UpdateTemplate* entries = dispatch::GetUpdateTemplate(call.descriptorUpdateTemplate);
  auto* set = Get<DescriptorSet>(call.descriptorSet);
  if (set != nullptr && entries != nullptr) set->contents.Write(entries->entries(), call.pData);
}

void DeviceState::PostCallRecord(const vk::CreateShaderModule& call, VkResult result) {
  if (result == VK_SUCCESS) Add<ShaderModule>(*call.pShaderModule, ToInteger(*call.pShaderModule), *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::DestroyShaderModule& call) { Remove<ShaderModule>(call.shaderModule); }

void DeviceState::PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  std::vector<Ref<DescriptorSetLayout>> sets;
  for (VkDescriptorSetLayout layout : Items(call.pCreateInfo->pSetLayouts, call.pCreateInfo->setLayoutCount)) {
    sets.push_back(Ref<DescriptorSetLayout>(Get<DescriptorSetLayout>(layout)));
  }
  Add<PipelineLayout>(*call.pPipelineLayout, ToInteger(*call.pPipelineLayout), std::move(sets));
}
void DeviceState::PreCallRecord(const vk::DestroyPipelineLayout& call) { Remove<PipelineLayout>(call.pipelineLayout); }

void DeviceState::PostCallRecord(const vk::CreateComputePipelines& call, VkResult) {
  // Even on failure some of the pipelines may have been created; the others are VK_NULL_HANDLE, which no slot is found
  // for.
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    const VkPipeline pipeline = call.pPipelines[i];
    const VkComputePipelineCreateInfo& info = call.pCreateInfos[i];
    if (pipeline == VK_NULL_HANDLE) continue;
    Add<Pipeline>(pipeline, ToInteger(pipeline), VK_PIPELINE_BIND_POINT_COMPUTE,
                  Ref<PipelineLayout>(Get<PipelineLayout>(info.layout)),
                  std::vector<PipelineStage>{ReflectStage(info.stage)});
  }
}
void DeviceState::PreCallRecord(const vk::DestroyPipeline& call) { Remove<Pipeline>(call.pipeline); }

}  // namespace assay::state
