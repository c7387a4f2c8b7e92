// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/descriptors/address_tables.h"

#include <utility>

#include "absl/status/statusor.h"
#include "state/state.h"

namespace assay::gpuav {

void AddressTables::PostCallRecord(const vk::GetBufferDeviceAddress& call, VkDeviceAddress address) {
  const auto* buffer = state::DeviceState::Get<state::Buffer>(call.pInfo->buffer);
  if (address == 0 || buffer == nullptr) return;
  absl::MutexLock lock(&mutex_);
  const auto [found, is_new] = ranges_.try_emplace(call.pInfo->buffer);
  if (!is_new && found->second.begin == address) return;
  found->second = {address, buffer->size};
  is_behind_ = true;
}

void AddressTables::PreCallRecord(const vk::DestroyBuffer& call) {
  absl::MutexLock lock(&mutex_);
  if (ranges_.erase(call.buffer) != 0) is_behind_ = true;
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
