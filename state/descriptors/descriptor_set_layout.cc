// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/descriptors/descriptor_set_layout.h"

#include <algorithm>
#include <map>

#include "absl/hash/hash.h"
#include "absl/types/span.h"
#include "state/objects/items.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

bool IsDynamic(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

bool MayHaveImmutableSamplers(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

// The types that a binding's mutable descriptors can have, in order of their numbers.
std::vector<VkDescriptorType> MutableTypes(const VkDescriptorSetLayoutCreateInfo& info, size_t binding) {
  const auto* lists = vk::FindInChain<VkMutableDescriptorTypeCreateInfoEXT>(info.pNext);
  if (lists == nullptr || binding >= lists->mutableDescriptorTypeListCount) return {};
  const VkMutableDescriptorTypeListEXT& list = lists->pMutableDescriptorTypeLists[binding];
  const auto types = Items(list.pDescriptorTypes, list.descriptorTypeCount);
  std::vector<VkDescriptorType> sorted(types.begin(), types.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

size_t DefinitionOf(const VkDescriptorSetLayoutCreateInfo& info) {
  const auto* flags = vk::FindInChain<VkDescriptorSetLayoutBindingFlagsCreateInfo>(info.pNext);
  const auto binding_flags = flags != nullptr ? Items(flags->pBindingFlags, flags->bindingCount)
                                              : absl::Span<const VkDescriptorBindingFlags>();
  // By number, whatever their order in the array.
  std::map<uint32_t, size_t> bindings;
  const auto all = Items(info.pBindings, info.bindingCount);
  for (size_t i = 0; i < all.size(); ++i) {
    const VkDescriptorSetLayoutBinding& binding = all[i];
    if (binding.descriptorCount == 0) continue;
    const bool has_samplers = MayHaveImmutableSamplers(binding.descriptorType) && binding.pImmutableSamplers != nullptr;
    bindings[binding.binding] =
        absl::HashOf(binding.descriptorType, binding.descriptorCount, binding.stageFlags, has_samplers,
                     i < binding_flags.size() ? binding_flags[i] : 0, MutableTypes(info, i));
  }
  return absl::HashOf(info.flags, bindings);
}

}  // namespace

DescriptorSetLayout::DescriptorSetLayout(uint64_t handle, const VkDescriptorSetLayoutCreateInfo& info)
    : Object(kType, handle), is_push_((info.flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT) != 0) {
  create_flags_ = info.flags;
  const auto* flags = vk::FindInChain<VkDescriptorSetLayoutBindingFlagsCreateInfo>(info.pNext);
  const auto binding_flags = flags != nullptr ? Items(flags->pBindingFlags, flags->bindingCount)
                                              : absl::Span<const VkDescriptorBindingFlags>();
  for (const VkDescriptorSetLayoutBinding& binding : Items(info.pBindings, info.bindingCount)) {
    const size_t i = bindings_.size();
    bindings_.push_back({binding.binding,
                         binding.descriptorType,
                         binding.descriptorCount,
                         binding.stageFlags,
                         i < binding_flags.size() ? binding_flags[i] : 0,
                         0,
                         0,
                         MayHaveImmutableSamplers(binding.descriptorType) && binding.pImmutableSamplers != nullptr,
                         {},
                         std::nullopt});
    has_update_after_bind_ |= bindings_.back().is_update_after_bind();
  }
  std::sort(bindings_.begin(), bindings_.end(),
            [](const Binding& a, const Binding& b) { return a.binding < b.binding; });
  definition_ = DefinitionOf(info);
  for (Binding& binding : bindings_) {
    binding.first = descriptor_count_;
    binding.first_dynamic = dynamic_count_;
    // The bytes of an inline uniform block are one descriptor here.
    const uint32_t count = binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 1 : binding.count;
    descriptor_count_ += std::min(count, kMaxDescriptors - descriptor_count_);
    if (IsDynamic(binding.type)) dynamic_count_ += std::min(count, kMaxDescriptors - dynamic_count_);
  }
}

void DescriptorSetLayout::SetImmutableSamplers(const VkDescriptorSetLayoutCreateInfo& info,
                                               absl::FunctionRef<Ref<Sampler>(VkSampler)> sampler_of) {
  for (const VkDescriptorSetLayoutBinding& from : Items(info.pBindings, info.bindingCount)) {
    if (!MayHaveImmutableSamplers(from.descriptorType)) continue;
    std::vector<Ref<Sampler>>& samplers = bindings_[Find(from.binding) - bindings_.data()].immutable_samplers;
    for (VkSampler sampler : Items(from.pImmutableSamplers, from.descriptorCount))
      samplers.push_back(sampler_of(sampler));
  }
}

size_t DescriptorSetLayout::DescriptorCount(uint32_t variable_count) const {
  if (variable_count == 0 || bindings_.empty()) return descriptor_count_;
  const Binding& last = bindings_.back();
  if ((last.flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT) == 0) return descriptor_count_;
  return std::min<size_t>(descriptor_count_, size_t{last.first} + variable_count);
}

const DescriptorSetLayout::Binding* DescriptorSetLayout::Search(uint32_t binding) const {
  auto found = std::lower_bound(bindings_.begin(), bindings_.end(), binding,
                                [](const Binding& a, uint32_t number) { return a.binding < number; });
  return found != bindings_.end() && found->binding == binding ? &*found : nullptr;
}

bool AreDefinedAlike(absl::Span<const Ref<DescriptorSetLayout>> a, absl::Span<const Ref<DescriptorSetLayout>> b) {
  return std::ranges::equal(
      a, b, [](const auto& one, const auto& other) { return !one || !other || one->IsDefinedAs(*other); });
}

bool AreAlike(absl::Span<const VkPushConstantRange> a, absl::Span<const VkPushConstantRange> b) {
  return std::ranges::is_permutation(a, b, [](const VkPushConstantRange& one, const VkPushConstantRange& other) {
    return one.stageFlags == other.stageFlags && one.offset == other.offset && one.size == other.size;
  });
}

}  // namespace assay::state
