// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/device/reserved_set.h"

#include <iterator>

namespace assay::gpuav {

using dispatch::CallNext;
using spirv_instrument::kActionBinding;
using spirv_instrument::kBindingsOfReservedSet;

namespace {

constexpr VkDeviceSize kActionBytes = VkDeviceSize{spirv_instrument::kActionQuads} * 16;

}  // namespace

VkDescriptorType ReservedSet::TypeOf(uint32_t binding) const {
  if (binding != kActionBinding) return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  return kind_ == Kind::kDynamic ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
}

bool ReservedSet::Create() {
  const dispatch::Device& device = context_.device();
  std::array<VkDescriptorSetLayoutBinding, kBindingsOfReservedSet> bindings = {};
  for (uint32_t i = 0; i < bindings.size(); ++i) {
    bindings[i] = {.binding = i, .descriptorType = TypeOf(i), .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_ALL};
  }
  VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                          .bindingCount = kBindingsOfReservedSet,
                                          .pBindings = bindings.data()};
  VkResult result = CallNext(device, vk::CreateDescriptorSetLayout{device.handle, &info, nullptr, &layout_});
  info.bindingCount = 0;
  if (result == VK_SUCCESS && kind_ == Kind::kDynamic) {
    result = CallNext(device, vk::CreateDescriptorSetLayout{device.handle, &info, nullptr, &empty_layout_});
  }
  if (result != VK_SUCCESS) context_.Fail(vk::CommandId::kCreateDescriptorSetLayout, "a descriptor set layout", result);
  return result == VK_SUCCESS;
}

void ReservedSet::Clear() {
  const dispatch::Device& device = context_.device();
  absl::MutexLock lock(&mutex_);
  for (VkDescriptorPool pool : pools_) CallNext(device, vk::DestroyDescriptorPool{device.handle, pool, nullptr});
  pools_.clear();
  free_.clear();
  for (VkDescriptorSetLayout layout : {layout_, empty_layout_}) {
    if (layout == VK_NULL_HANDLE) continue;
    CallNext(device, vk::DestroyDescriptorSetLayout{device.handle, layout, nullptr});
  }
  layout_ = empty_layout_ = VK_NULL_HANDLE;
}

VkDescriptorSet ReservedSet::Allocate(const ReservedRanges& ranges) {
  VkDescriptorSet set = VK_NULL_HANDLE;
  {
    absl::MutexLock lock(&mutex_);
    if (free_.empty() && !AddPool()) return VK_NULL_HANDLE;
    set = free_.back();
    free_.pop_back();
  }
  std::array<VkDescriptorBufferInfo, kBindingsOfReservedSet> infos = {};
  std::array<VkWriteDescriptorSet, kBindingsOfReservedSet> writes = {};
  for (uint32_t i = 0; i < writes.size(); ++i) {
    infos[i] = {ranges[i].buffer, ranges[i].offset, i == kActionBinding ? kActionBytes : ranges[i].size};
    writes[i] = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                 .dstSet = set,
                 .dstBinding = i,
                 .descriptorCount = 1,
                 .descriptorType = TypeOf(i),
                 .pBufferInfo = &infos[i]};
  }
  const dispatch::Device& device = context_.device();
  CallNext(device, vk::UpdateDescriptorSets{device.handle, kBindingsOfReservedSet, writes.data(), 0, nullptr});
  return set;
}

void ReservedSet::Free(VkDescriptorSet set) {
  if (set == VK_NULL_HANDLE) return;
  absl::MutexLock lock(&mutex_);
  free_.push_back(set);
}

bool ReservedSet::AddPool() {
  const dispatch::Device& device = context_.device();
  const VkDescriptorPoolSize sizes[] = {
      {TypeOf(kActionBinding), kSetsOfPool},
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kSetsOfPool * (kBindingsOfReservedSet - 1)},
  };
  const VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                .maxSets = kSetsOfPool,
                                                .poolSizeCount = std::size(sizes),
                                                .pPoolSizes = sizes};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VkResult result = CallNext(device, vk::CreateDescriptorPool{device.handle, &pool_info, nullptr, &pool});
  if (result == VK_SUCCESS) {
    const std::vector<VkDescriptorSetLayout> layouts(kSetsOfPool, layout_);
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = kSetsOfPool,
                                              .pSetLayouts = layouts.data()};
    free_.resize(kSetsOfPool);
    result = CallNext(device, vk::AllocateDescriptorSets{device.handle, &info, free_.data()});
  }
  if (result != VK_SUCCESS) {
    free_.clear();
    CallNext(device, vk::DestroyDescriptorPool{device.handle, pool, nullptr});
    context_.Fail(vk::CommandId::kCreateDescriptorPool, "descriptor sets", result);
    return false;
  }
  pools_.push_back(pool);
  return true;
}

}  // namespace assay::gpuav
