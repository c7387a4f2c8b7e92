// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/runner/descriptors.h"

#include <map>
#include <utility>

#include "absl/status/status.h"
#include "spirv_instrument/corpus/runner/descriptor_writes.h"

namespace assay::spirv_instrument::corpus {
namespace {

// The bindings of a set, in ascending order.
using Bindings = std::map<uint32_t, const BindingDescription*>;

bool IsInline(const BindingDescription& binding) { return binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK; }

// Only fragment shaders can have input attachments.
VkShaderStageFlags StagesOf(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT ? VkShaderStageFlags{VK_SHADER_STAGE_FRAGMENT_BIT}
                                                     : VkShaderStageFlags{VK_SHADER_STAGE_ALL};
}

absl::StatusOr<VkDescriptorSetLayout> MakeLayout(Objects& objects, const Bindings& bindings) {
  std::vector<VkDescriptorSetLayoutBinding> infos;
  std::vector<VkDescriptorBindingFlags> flags;
  std::vector<VkMutableDescriptorTypeListEXT> types;
  bool has_mutable = false;
  for (const auto& [number, binding] : bindings) {
    infos.push_back({number, binding->type, binding->count, StagesOf(binding->type), nullptr});
    VkDescriptorBindingFlags binding_flags = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
    if (binding->is_variable) binding_flags |= VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    flags.push_back(binding_flags);
    types.push_back({static_cast<uint32_t>(binding->mutable_types.size()), binding->mutable_types.data()});
    has_mutable = has_mutable || !binding->mutable_types.empty();
  }
  VkMutableDescriptorTypeCreateInfoEXT mutable_info = {
      .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
      .mutableDescriptorTypeListCount = static_cast<uint32_t>(types.size()),
      .pMutableDescriptorTypeLists = types.data(),
  };
  VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
      .pNext = has_mutable ? &mutable_info : nullptr,
      .bindingCount = static_cast<uint32_t>(flags.size()),
      .pBindingFlags = flags.data(),
  };
  VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .pNext = &flags_info,
      .bindingCount = static_cast<uint32_t>(infos.size()),
      .pBindings = infos.data(),
  };
  const VkDevice device = objects.device().handle();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  absl::Status status =
      Check(objects.vk().CreateDescriptorSetLayout(device, &info, nullptr, &layout), "vkCreateDescriptorSetLayout");
  if (!status.ok()) return status;
  objects.Defer(
      [&objects, layout] { objects.vk().DestroyDescriptorSetLayout(objects.device().handle(), layout, nullptr); });
  return layout;
}

absl::StatusOr<VkDescriptorPool> MakePool(Objects& objects, const Bindings& bindings) {
  std::vector<VkDescriptorPoolSize> sizes;
  std::vector<VkMutableDescriptorTypeListEXT> types;
  VkDescriptorPoolInlineUniformBlockCreateInfo inline_blocks = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO, .maxInlineUniformBlockBindings = 0};
  bool has_mutable = false;
  for (const auto& [number, binding] : bindings) {
    sizes.push_back({binding->type, binding->count});
    types.push_back({static_cast<uint32_t>(binding->mutable_types.size()), binding->mutable_types.data()});
    has_mutable = has_mutable || !binding->mutable_types.empty();
    if (IsInline(*binding)) ++inline_blocks.maxInlineUniformBlockBindings;
  }
  VkMutableDescriptorTypeCreateInfoEXT mutable_info = {
      .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
      .pNext = &inline_blocks,
      .mutableDescriptorTypeListCount = static_cast<uint32_t>(types.size()),
      .pMutableDescriptorTypeLists = types.data(),
  };
  VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                     .maxSets = 1,
                                     .poolSizeCount = static_cast<uint32_t>(sizes.size()),
                                     .pPoolSizes = sizes.data()};
  if (has_mutable) {
    info.pNext = &mutable_info;
  } else {
    info.pNext = &inline_blocks;
  }
  const VkDevice device = objects.device().handle();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  absl::Status status =
      Check(objects.vk().CreateDescriptorPool(device, &info, nullptr, &pool), "vkCreateDescriptorPool");
  if (!status.ok()) return status;
  objects.Defer([&objects, pool] { objects.vk().DestroyDescriptorPool(objects.device().handle(), pool, nullptr); });
  return pool;
}

absl::StatusOr<VkDescriptorSet> Allocate(Objects& objects, const Bindings& bindings, VkDescriptorSetLayout layout) {
  absl::StatusOr<VkDescriptorPool> pool = MakePool(objects, bindings);
  if (!pool.ok()) return pool.status();
  // Only the last binding can be variable.
  const BindingDescription& last = *bindings.rbegin()->second;
  const uint32_t variable_count = static_cast<uint32_t>(last.elements.size());
  VkDescriptorSetVariableDescriptorCountAllocateInfo variable = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
      .descriptorSetCount = 1,
      .pDescriptorCounts = &variable_count,
  };
  VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                      .pNext = last.is_variable ? &variable : nullptr,
                                      .descriptorPool = *pool,
                                      .descriptorSetCount = 1,
                                      .pSetLayouts = &layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  absl::Status status =
      Check(objects.vk().AllocateDescriptorSets(objects.device().handle(), &info, &set), "vkAllocateDescriptorSets");
  if (!status.ok()) return status;
  return set;
}

// Descriptors that were not written hold what memory held before. lavapipe executes both sides of a branch under a
// mask, and loads of a uniform buffer at an index that is the same for all invocations without looking at the mask. So
// a shader that does not access such a descriptor can crash there; a null descriptor in its place does no harm.
absl::Status WriteNullUniformBuffers(Objects& objects, const Resources& resources, VkDescriptorSet set,
                                     const BindingDescription& binding) {
  const bool is_uniform =
      binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  if (!is_uniform || !objects.device().Has(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME)) return absl::OkStatus();
  const auto written = static_cast<uint32_t>(binding.elements.size());
  const Element null = {.state = Element::State::kNull, .type = binding.type};
  for (uint32_t i = 0; i < (binding.is_variable ? written : binding.count); ++i) {
    if (i < written && binding.elements[i].state != Element::State::kUnwritten) continue;
    absl::Status status = WriteDescriptor(objects, resources, set, binding.binding, i, null);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status WriteBinding(Objects& objects, Objects& doomed, const Resources& resources, VkDescriptorSet set,
                          const BindingDescription& binding) {
  if (IsInline(binding)) return WriteInlineBlock(objects, resources, set, binding);
  if (absl::Status status = WriteNullUniformBuffers(objects, resources, set, binding); !status.ok()) return status;
  for (uint32_t i = 0; i < binding.elements.size(); ++i) {
    const Element& element = binding.elements[i];
    if (element.state == Element::State::kUnwritten) continue;
    Objects& owner = element.state == Element::State::kDestroyed ? doomed : objects;
    absl::Status status = WriteDescriptor(owner, resources, set, binding.binding, i, element);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

void AddDynamicOffsets(const BindingDescription& binding, std::vector<uint32_t>& offsets) {
  if (binding.type != VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC &&
      binding.type != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC) {
    return;
  }
  for (uint32_t i = 0; i < binding.count; ++i) {
    offsets.push_back(i < binding.elements.size() ? binding.elements[i].dynamic_offset : 0);
  }
}

absl::StatusOr<DescriptorSet> MakeDescriptorSet(Objects& objects, Objects& doomed, const Resources& resources,
                                                uint32_t number, const Bindings& bindings) {
  DescriptorSet result = {.number = number};
  absl::StatusOr<VkDescriptorSetLayout> layout = MakeLayout(objects, bindings);
  if (!layout.ok()) return layout.status();
  absl::StatusOr<VkDescriptorSet> set = Allocate(objects, bindings, *layout);
  if (!set.ok()) return set.status();
  result.layout = *layout;
  result.set = *set;
  for (const auto& [binding_number, binding] : bindings) {
    absl::Status status = WriteBinding(objects, doomed, resources, *set, *binding);
    if (!status.ok()) return status;
    AddDynamicOffsets(*binding, result.dynamic_offsets);
  }
  return result;
}

}  // namespace

absl::StatusOr<std::vector<DescriptorSet>> MakeDescriptorSets(Objects& objects, Objects& doomed, const Setup& setup,
                                                              const Resources& resources) {
  std::map<uint32_t, Bindings> bindings;
  for (const BindingDescription& binding : setup.bindings) bindings[binding.set][binding.binding] = &binding;
  std::vector<DescriptorSet> sets;
  for (const auto& [number, of_set] : bindings) {
    absl::StatusOr<DescriptorSet> set = MakeDescriptorSet(objects, doomed, resources, number, of_set);
    if (!set.ok()) return set.status();
    sets.push_back(*std::move(set));
  }
  return sets;
}

}  // namespace assay::spirv_instrument::corpus
