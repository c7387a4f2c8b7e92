// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/parameters/structure_addresses.h"

#include <algorithm>

namespace assay::gpuav {

void StructureAddresses::PreCallRecord(const vk::DestroyAccelerationStructureKHR& call) {
  const auto* structure = state::DeviceState::Get<state::AccelerationStructure>(call.accelerationStructure);
  if (structure == nullptr || structure->device_address == 0) return;
  absl::MutexLock lock(&mutex_);
  destroyed_.push_back({structure->device_address, submissions_.load(std::memory_order_acquire)});
  has_destroyed_.store(true, std::memory_order_relaxed);
}

bool StructureAddresses::Existed(VkDeviceAddress address, uint64_t submission) const {
  {
    absl::MutexLock lock(&mutex_);
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
