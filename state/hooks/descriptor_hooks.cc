// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceState's hooks for descriptors, shader modules and pipeline layouts.

#include "dispatch/translation/update_template.h"
#include "state/hooks/registration.h"
#include "state/objects/items.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

template <class H>
uint64_t ToInteger(H handle) {
  return reinterpret_cast<uint64_t>(handle);
}

}  // namespace

std::vector<Ref<DescriptorSetLayout>> DeviceState::SetLayouts(const VkDescriptorSetLayout* layouts, uint32_t count) {
  std::vector<Ref<DescriptorSetLayout>> found;
  for (VkDescriptorSetLayout layout : Items(layouts, count))
    found.push_back(Ref<DescriptorSetLayout>(Get<DescriptorSetLayout>(layout)));
  return found;
}

void DeviceState::QueryBindingOffsets(DescriptorSetLayout& layout) const {
  const auto get = dispatch::Next<vk::GetDescriptorSetLayoutBindingOffsetEXT>(device_.next);
  if (get == nullptr) return;
  const auto handle = reinterpret_cast<VkDescriptorSetLayout>(dispatch::HandleTable::Get().ToDriver(layout.handle()));
  layout.SetBufferOffsets([&](uint32_t binding) {
    VkDeviceSize offset = 0;
    get(device_.handle, handle, binding, &offset);
    return offset;
  });
}
void DeviceState::PostCallRecord(const vk::CreateSampler& call, VkResult result) {
  if (result == VK_SUCCESS) Add<Sampler>(*call.pSampler, ToInteger(*call.pSampler), *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::DestroySampler& call) { Remove<Sampler>(call.sampler); }

void DeviceState::PostCallRecord(const vk::CreateDescriptorSetLayout& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkDescriptorSetLayoutCreateInfo& info = *call.pCreateInfo;
  auto* layout = Add<DescriptorSetLayout>(*call.pSetLayout, ToInteger(*call.pSetLayout), info);
  if (layout == nullptr) return;
  layout->SetImmutableSamplers(info, [](VkSampler handle) { return Ref<Sampler>(Get<Sampler>(handle)); });
  const bool is_for_buffers = (info.flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
  if (is_for_buffers) QueryBindingOffsets(*layout);
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
  const auto* pool = Get<DescriptorPool>(info.descriptorPool);
  for (uint32_t i = 0; i < info.descriptorSetCount; ++i) {
    auto* layout = Get<DescriptorSetLayout>(info.pSetLayouts[i]);
    if (layout == nullptr) continue;
    const VkDescriptorSet set = call.pDescriptorSets[i];
    Add<DescriptorSet>(set, ToInteger(set), Ref<DescriptorSetLayout>(layout),
                       i < variable_counts.size() ? variable_counts[i] : 0, pool != nullptr ? pool->flags : 0);
  }
}
void DeviceState::PreCallRecord(const vk::FreeDescriptorSets& call) {
  for (VkDescriptorSet set : Items(call.pDescriptorSets, call.descriptorSetCount)) Remove<DescriptorSet>(set);
}

void DeviceState::PreCallRecord(const vk::UpdateDescriptorSets& call) {
  // Neighbouring writes often go to the same set.
  VkDescriptorSet last = VK_NULL_HANDLE;
  DescriptorSet* set = nullptr;
  for (const auto& write : Items(call.pDescriptorWrites, call.descriptorWriteCount)) {
    if (write.dstSet != last) set = Get<DescriptorSet>(write.dstSet);
    last = write.dstSet;
    if (set != nullptr) set->contents.Write(write);
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
  if (result != VK_SUCCESS) return;
  Add<ShaderModule>(*call.pShaderModule, ToInteger(*call.pShaderModule), FindCode(*call.pCreateInfo, shader_codes_));
}
void DeviceState::PreCallRecord(const vk::DestroyShaderModule& call) { Remove<ShaderModule>(call.shaderModule); }

void DeviceState::PostCallRecord(const vk::CreatePipelineLayout& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkPipelineLayoutCreateInfo& info = *call.pCreateInfo;
  Add<PipelineLayout>(*call.pPipelineLayout, ToInteger(*call.pPipelineLayout),
                      SetLayouts(info.pSetLayouts, info.setLayoutCount),
                      ItemList(info.pPushConstantRanges, info.pushConstantRangeCount));
}
void DeviceState::PreCallRecord(const vk::DestroyPipelineLayout& call) { Remove<PipelineLayout>(call.pipelineLayout); }

void DeviceState::PostCallRecord(const vk::CreateDescriptorUpdateTemplate& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkDescriptorUpdateTemplateCreateInfo& info = *call.pCreateInfo;
  // Ignored for a template that updates sets, so that it may be anything.
  const bool pushes = info.templateType == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS;
  auto* const layout = pushes ? Get<PipelineLayout>(info.pipelineLayout) : nullptr;
  Add<DescriptorUpdateTemplate>(*call.pDescriptorUpdateTemplate, ToInteger(*call.pDescriptorUpdateTemplate), info,
                                Ref<PipelineLayout>(layout));
}
void DeviceState::PreCallRecord(const vk::DestroyDescriptorUpdateTemplate& call) {
  Remove<DescriptorUpdateTemplate>(call.descriptorUpdateTemplate);
}

}  // namespace assay::state
