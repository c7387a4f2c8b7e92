// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/parameters/structure_addresses.h"

#include <algorithm>

#include "dispatch/dispatch.h"
#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

// Whether a structure there has an address that may be asked for (VUID-vkGetAccelerationStructureDeviceAddressKHR-
// pInfo-09541 and -09542).
bool HasAddress(const state::AccelerationStructure& structure) {
  constexpr VkDeviceSize kAlignment = 256;
  constexpr VkBufferUsageFlags kUsage =
      VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  const state::Buffer* const buffer = structure.buffer.get();
  return buffer != nullptr && !buffer->is_sparse() && buffer->memory && (buffer->usage & kUsage) == kUsage &&
         structure.offset % kAlignment == 0 && structure.size != 0;
}

}  // namespace

StructureAddresses::StructureAddresses(const Context& context, const std::atomic<uint64_t>& submissions, Memory& memory)
    : context_(context),
      submissions_(submissions),
      has_hidden_(context.device().HasFeature(vk::FeatureId::kClusterAccelerationStructure)),
      table_(memory) {}

VkDeviceAddress StructureAddresses::Ask(VkAccelerationStructureKHR handle) const {
  const dispatch::Device& device = context_.device();
  const auto* structure = state::DeviceState::Get<state::AccelerationStructure>(handle);
  if (structure == nullptr || !HasAddress(*structure) || !device.HasFeature(vk::FeatureId::kAccelerationStructure) ||
      !device.HasFeature(vk::FeatureId::kBufferDeviceAddress) ||
      !dispatch::HasNext<vk::GetAccelerationStructureDeviceAddressKHR>(device)) {
    return 0;
  }
  const VkAccelerationStructureDeviceAddressInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
      .accelerationStructure = dispatch::DriverHandle(handle)};
  return dispatch::CallNext(device, vk::GetAccelerationStructureDeviceAddressKHR{device.handle, &info});
}

void StructureAddresses::Add(VkAccelerationStructureKHR handle, VkDeviceAddress address) {
  if (!live_.try_emplace(handle, address).second) return;
  if (++counts_[address] == 1) table_.Add(address);
}

void StructureAddresses::RemoveUnknown(VkAccelerationStructureKHR handle) {
  if (unknown_.erase(handle) == 0) return;
  had_unknown_ = submissions_.load(std::memory_order_acquire);
  has_unknown_.store(!unknown_.empty(), std::memory_order_relaxed);
  table_.SetUnknown(!unknown_.empty());
}

void StructureAddresses::AskIn(VkBuffer buffer) {
  absl::MutexLock lock(&mutex_);
  const std::vector<VkAccelerationStructureKHR> unknown(unknown_.begin(), unknown_.end());
  for (VkAccelerationStructureKHR handle : unknown) {
    const auto* structure = state::DeviceState::Get<state::AccelerationStructure>(handle);
    if (structure == nullptr || structure->buffer.get() != state::DeviceState::Get<state::Buffer>(buffer)) continue;
    const VkDeviceAddress address = Ask(handle);
    if (address == 0) continue;
    Add(handle, address);
    RemoveUnknown(handle);
  }
}

void StructureAddresses::PostCallRecord(const vk::CreateAccelerationStructureKHR& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkAccelerationStructureKHR handle = *call.pAccelerationStructure;
  const VkDeviceAddress address = Ask(handle);
  absl::MutexLock lock(&mutex_);
  if (address != 0) return Add(handle, address);
  if (call.pCreateInfo->type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR) return;
  unknown_.insert(handle);
  has_unknown_.store(true, std::memory_order_relaxed);
  table_.SetUnknown(true);
}

void StructureAddresses::PostCallRecord(const vk::GetAccelerationStructureDeviceAddressKHR& call,
                                        VkDeviceAddress address) {
  const VkAccelerationStructureKHR handle = call.pInfo->accelerationStructure;
  absl::MutexLock lock(&mutex_);
  if (address != 0) Add(handle, address);
  RemoveUnknown(handle);
}

void StructureAddresses::PreCallRecord(const vk::DestroyAccelerationStructureKHR& call) {
  absl::MutexLock lock(&mutex_);
  RemoveUnknown(call.accelerationStructure);
  const auto found = live_.find(call.accelerationStructure);
  if (found == live_.end()) return;
  const VkDeviceAddress address = found->second;
  live_.erase(found);
  if (--counts_[address] == 0) {
    counts_.erase(address);
    table_.Remove(address);
  }
  destroyed_.push_back({address, submissions_.load(std::memory_order_acquire)});
  has_destroyed_.store(true, std::memory_order_relaxed);
}

bool StructureAddresses::Existed(VkDeviceAddress address, uint64_t submission) const {
  if (has_hidden_) return true;
  absl::MutexLock lock(&mutex_);
  if (!unknown_.empty() || had_unknown_ >= submission || counts_.contains(address)) return true;
  return std::ranges::any_of(destroyed_, [&](const Destroyed& destroyed) {
    return destroyed.address == address && destroyed.submission >= submission;
  });
}

void StructureAddresses::ForgetUpTo(uint64_t submission) {
  absl::MutexLock lock(&mutex_);
  std::erase_if(destroyed_, [&](const Destroyed& destroyed) { return destroyed.submission <= submission; });
  has_destroyed_.store(!destroyed_.empty(), std::memory_order_relaxed);
}

VkDeviceAddress StructureAddresses::Table() {
  absl::MutexLock lock(&mutex_);
  if (!table_.is_made()) {
    if (!table_.Make()) return 0;
    for (const auto& [address, count] : counts_) table_.Add(address);
    table_.SetUnknown(!unknown_.empty());
  }
  return table_.address();
}

}  // namespace assay::gpuav
