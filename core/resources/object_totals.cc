// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/resources/object_totals.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using state::DeviceState;
using vk::Vuid;

constexpr struct {
  vk::VuidIndex rule;
  std::string_view limit;
} kTotals[] = {
    {Vuid("VUID-vkCreateSampler-maxSamplerAllocationCount-04110"), "maxSamplerAllocationCount"},
    {Vuid("VUID-VkSamplerCreateInfo-None-04012"), "maxCustomBorderColorSamplers"},
    {Vuid("VUID-VkBufferCreateInfo-usage-08097"), "samplerDescriptorBufferAddressSpaceSize"},
    {Vuid("VUID-VkBufferCreateInfo-usage-08098"), "resourceDescriptorBufferAddressSpaceSize"},
};

VkBufferUsageFlags UsageOf(const VkBufferCreateInfo& info) {
  const auto* const wide = vk::FindInChain<VkBufferUsageFlags2CreateInfo>(info.pNext);
  return wide != nullptr ? static_cast<VkBufferUsageFlags>(wide->usage) : info.usage;
}

}  // namespace

ObjectTotals::ObjectTotals(const dispatch::Device& device) {
  const dispatch::PhysicalDevice& limits = *device.physical_device;
  const auto* const colors = limits.Find<VkPhysicalDeviceCustomBorderColorPropertiesEXT>();
  const auto* const buffers = limits.Find<VkPhysicalDeviceDescriptorBufferPropertiesEXT>();
  limits_ = {limits.limits.maxSamplerAllocationCount, colors != nullptr ? colors->maxCustomBorderColorSamplers : 0,
             buffers != nullptr ? buffers->samplerDescriptorBufferAddressSpaceSize : 0,
             buffers != nullptr ? buffers->resourceDescriptorBufferAddressSpaceSize : 0};
}

ObjectTotals::Amounts ObjectTotals::OfSampler(VkBorderColor color) {
  return {1, color == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || color == VK_BORDER_COLOR_INT_CUSTOM_EXT};
}
ObjectTotals::Amounts ObjectTotals::OfBuffer(VkDeviceSize size, VkBufferUsageFlags usage) {
  return {0, 0, (usage & VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT) != 0 ? size : 0,
          (usage & VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT) != 0 ? size : 0};
}

void ObjectTotals::Check(const Amounts& added, messages::Report& report) const {
  for (size_t i = 0; i < added.size(); ++i) {
    const uint64_t total = totals_[i].load(std::memory_order_relaxed);
    if (added[i] == 0 || limits_[i] == 0 || (total <= limits_[i] && added[i] <= limits_[i] - total)) continue;
    report.Error(kTotals[i].rule, {}, report.location().Dot("pCreateInfo"),
                 absl::StrCat("adds ", added[i], " to the ", total, " that there are, but ", kTotals[i].limit, " is ",
                              limits_[i], "."));
  }
}
void ObjectTotals::Add(const Amounts& amounts) {
  for (size_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i] != 0) totals_[i].fetch_add(amounts[i], std::memory_order_relaxed);
  }
}
void ObjectTotals::Remove(const Amounts& amounts) {
  for (size_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i] != 0) totals_[i].fetch_sub(amounts[i], std::memory_order_relaxed);
  }
}

void ObjectTotals::PreCallValidate(const vk::CreateSampler& call, messages::Report& report) const {
  if (call.pCreateInfo != nullptr) Check(OfSampler(call.pCreateInfo->borderColor), report);
}
void ObjectTotals::PostCallRecord(const vk::CreateSampler& call, VkResult result) {
  if (result == VK_SUCCESS) Add(OfSampler(call.pCreateInfo->borderColor));
}
void ObjectTotals::PreCallRecord(const vk::DestroySampler& call) {
  const auto* const sampler = DeviceState::Get<state::Sampler>(call.sampler);
  if (sampler != nullptr) Remove(OfSampler(sampler->create_info.borderColor));
}
void ObjectTotals::PreCallValidate(const vk::CreateBuffer& call, messages::Report& report) const {
  if (call.pCreateInfo != nullptr) Check(OfBuffer(call.pCreateInfo->size, UsageOf(*call.pCreateInfo)), report);
}
void ObjectTotals::PostCallRecord(const vk::CreateBuffer& call, VkResult result) {
  const auto* const buffer = result == VK_SUCCESS ? DeviceState::Get<state::Buffer>(*call.pBuffer) : nullptr;
  if (buffer != nullptr) Add(OfBuffer(buffer->size, buffer->usage));
}
void ObjectTotals::PreCallRecord(const vk::DestroyBuffer& call) {
  const auto* const buffer = DeviceState::Get<state::Buffer>(call.buffer);
  if (buffer != nullptr) Remove(OfBuffer(buffer->size, buffer->usage));
}

}  // namespace assay::core
