// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/parameters/structure_addresses.h"

#include <algorithm>

namespace assay::gpuav {

void StructureAddresses::PostCallRecord(const vk::CreateAccelerationStructureKHR& call, VkResult result) {
  if (result != VK_SUCCESS || call.pCreateInfo->type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR) return;
  absl::MutexLock lock(&mutex_);
  unknown_.insert(*call.pAccelerationStructure);
}

void StructureAddresses::PostCallRecord(const vk::GetAccelerationStructureDeviceAddressKHR& call, VkDeviceAddress) {
  absl::MutexLock lock(&mutex_);
  unknown_.erase(call.pInfo->accelerationStructure);
}

void StructureAddresses::PreCallRecord(const vk::DestroyAccelerationStructureKHR& call) {
  {
    absl::MutexLock lock(&mutex_);
    if (unknown_.erase(call.accelerationStructure) != 0) {
      had_unknown_ = submissions_.load(std::memory_order_acquire);
    }
  }
  const auto* structure = state::DeviceState::Get<state::AccelerationStructure>(call.accelerationStructure);
  if (structure == nullptr || structure->device_address == 0) return;
  absl::MutexLock lock(&mutex_);
  destroyed_.push_back({structure->device_address, submissions_.load(std::memory_order_acquire)});
  has_destroyed_.store(true, std::memory_order_relaxed);
}

bool StructureAddresses::Existed(VkDeviceAddress address, uint64_t submission) const {
  {
    absl::MutexLock lock(&mutex_);
    if (!unknown_.empty() || had_unknown_ >= submission) return true;
    const bool was_destroyed_later = std::ranges::any_of(destroyed_, [&](const Destroyed& destroyed) {
      return destroyed.address == address && destroyed.submission >= submission;
    });
    if (was_destroyed_later) return true;
  }
  return std::ranges::any_of(state_.structure_addresses().Find(address),
                             [&](const auto& structure) { return structure->device_address == address; });
}

void StructureAddresses::ForgetUpTo(uint64_t submission) {
  absl::MutexLock lock(&mutex_);
  std::erase_if(destroyed_, [&](const Destroyed& destroyed) { return destroyed.submission <= submission; });
  has_destroyed_.store(!destroyed_.empty(), std::memory_order_relaxed);
}

}  // namespace assay::gpuav
