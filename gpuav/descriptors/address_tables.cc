// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/descriptors/address_tables.h"

#include <utility>

#include "absl/status/statusor.h"
#include "dispatch/dispatch.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/feature_info.h"

namespace assay::gpuav {

void AddressTables::Add(VkBuffer handle) {
  const auto* buffer = state::DeviceState::Get<state::Buffer>(handle);
  const dispatch::Device& device = context_.device();
  if (buffer == nullptr || (buffer->usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) == 0) return;
  if (!device.HasFeature(vk::FeatureId::kBufferDeviceAddress) ||
      !dispatch::HasNext<vk::GetBufferDeviceAddress>(device)) {
    return;
  }
  const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = dispatch::DriverHandle(handle)};
  const VkDeviceAddress address = dispatch::CallNext(device, vk::GetBufferDeviceAddress{device.handle, &info});
  if (address == 0) return;
  absl::MutexLock lock(&mutex_);
  ranges_[handle] = {address, buffer->size};
  is_behind_ = true;
}

void AddressTables::PostCallRecord(const vk::CreateBuffer& call, VkResult result) {
  // A sparse buffer needs no memory for its address.
  if (result == VK_SUCCESS && (call.pCreateInfo->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) != 0) Add(*call.pBuffer);
}

void AddressTables::PostCallRecord(const vk::BindBufferMemory& call, VkResult result) {
  if (result == VK_SUCCESS) Add(call.buffer);
}

void AddressTables::PostCallRecord(const vk::BindBufferMemory2& call, VkResult result) {
  for (uint32_t i = 0; i < call.bindInfoCount; ++i) {
    const auto* const status = vk::FindInChain<VkBindMemoryStatus>(call.pBindInfos[i].pNext);
    const bool is_bound = status != nullptr && status->pResult != nullptr && *status->pResult == VK_SUCCESS;
    if (result == VK_SUCCESS || is_bound) Add(call.pBindInfos[i].buffer);
  }
}

void AddressTables::PreCallRecord(const vk::DestroyBuffer& call) {
  absl::MutexLock lock(&mutex_);
  if (ranges_.erase(call.buffer) != 0) is_behind_ = true;
}

spirv_instrument::AddressRange AddressTables::RangeOf(VkBuffer buffer) {
  absl::MutexLock lock(&mutex_);
  const auto found = ranges_.find(buffer);
  return found != ranges_.end() ? found->second : spirv_instrument::AddressRange();
}

AddressTables::Place AddressTables::Follow(uint64_t last, uint64_t read) {
  absl::MutexLock lock(&mutex_);
  std::erase_if(old_, [&](const Old& old) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (old.submission > read) return false;
    tables_.Free(old.place.offset, old.place.quads);
    return true;
  });
  if (!std::exchange(is_behind_, false)) return place_;
  if (place_.offset != 0) old_.push_back({place_, last});
  place_ = {};
  std::vector<spirv_instrument::AddressRange> ranges;
  ranges.reserve(ranges_.size());
  for (const auto& [buffer, range] : ranges_) ranges.push_back(range);
  const absl::StatusOr<std::vector<uint32_t>> words = spirv_instrument::MakeAddressTable(ranges);
  // Without a table, addresses are not checked.
  if (!words.ok()) return place_;
  const auto quads = static_cast<uint32_t>((words->size() + 3) / 4);
  const uint32_t offset = tables_.Allocate(quads);
  if (offset == 0) return place_;
  tables_.Write(offset, 0, *words);
  place_ = {offset, quads};
  return place_;
}

}  // namespace assay::gpuav
