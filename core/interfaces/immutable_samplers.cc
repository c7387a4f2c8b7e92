// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/interfaces/immutable_samplers.h"

#include <algorithm>
#include <utility>

#include "state/state.h"
#include "vk/chain.h"

namespace assay::core {

using state::Items;

void ImmutableSamplers::Add(const vk::CreateSampler& call) {
  Sampler sampler = {.info = *call.pCreateInfo, .window = std::nullopt, .window_mode = {}};
  sampler.info.pNext = nullptr;
  if (const auto* window = vk::FindInChain<VkSamplerBlockMatchWindowCreateInfoQCOM>(call.pCreateInfo->pNext)) {
    sampler.window = window->windowExtent;
    sampler.window_mode = window->windowCompareMode;
  }
  absl::MutexLock lock(&mutex_);
  samplers_[*call.pSampler] = std::make_shared<const Sampler>(sampler);
}

void ImmutableSamplers::Add(const vk::CreateDescriptorSetLayout& call) {
  std::map<uint32_t, std::shared_ptr<const Sampler>> bindings;
  absl::MutexLock lock(&mutex_);
  for (const VkDescriptorSetLayoutBinding& binding :
       Items(call.pCreateInfo->pBindings, call.pCreateInfo->bindingCount)) {
    const bool has_samplers = binding.descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                              binding.descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    if (!has_samplers || binding.pImmutableSamplers == nullptr || binding.descriptorCount == 0) continue;
    const auto found = samplers_.find(binding.pImmutableSamplers[0]);
    if (found != samplers_.end()) bindings[binding.binding] = found->second;
  }
  if (bindings.empty()) return;
  sets_[*call.pSetLayout] =
      std::make_shared<const std::map<uint32_t, std::shared_ptr<const Sampler>>>(std::move(bindings));
}

void ImmutableSamplers::Add(const vk::CreatePipelineLayout& call) {
  std::vector<Set> sets;
  absl::MutexLock lock(&mutex_);
  for (VkDescriptorSetLayout layout : Items(call.pCreateInfo->pSetLayouts, call.pCreateInfo->setLayoutCount)) {
    sets.push_back(Find(layout));
  }
  const bool has_any = std::any_of(sets.begin(), sets.end(), [](const Set& set) { return set != nullptr; });
  if (has_any) layouts_[*call.pPipelineLayout] = std::move(sets);
}

void ImmutableSamplers::Remove(VkSampler sampler) {
  absl::MutexLock lock(&mutex_);
  samplers_.erase(sampler);
}
void ImmutableSamplers::Remove(VkDescriptorSetLayout layout) {
  absl::MutexLock lock(&mutex_);
  sets_.erase(layout);
}
void ImmutableSamplers::Remove(VkPipelineLayout layout) {
  absl::MutexLock lock(&mutex_);
  layouts_.erase(layout);
}

ImmutableSamplers::Set ImmutableSamplers::Find(VkDescriptorSetLayout layout) const {
  const auto found = sets_.find(layout);
  return found != sets_.end() ? found->second : nullptr;
}

ImmutableSamplers::Set ImmutableSamplers::Of(VkDescriptorSetLayout layout) const {
  absl::ReaderMutexLock lock(&mutex_);
  return Find(layout);
}

std::vector<ImmutableSamplers::Set> ImmutableSamplers::Of(VkPipelineLayout layout) const {
  absl::ReaderMutexLock lock(&mutex_);
  const auto found = layouts_.find(layout);
  return found != layouts_.end() ? found->second : std::vector<Set>();
}

}  // namespace assay::core
