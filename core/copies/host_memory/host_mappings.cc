// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/host_memory/host_mappings.h"

#include <algorithm>
#include <iterator>

namespace assay::core {
namespace {

uint64_t ToAddress(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

}  // namespace

void HostMappings::Add(const state::DeviceMemory& memory, const state::ByteRange& bytes, const void* data,
                       bool is_placed) {
  absl::MutexLock lock(&mutex_);
  const uint64_t address = ToAddress(data);
  mappings_.insert_or_assign(memory.handle(), Mapping{bytes, address});
  if (!is_placed && !memory.is_imported) ends_.insert_or_assign(address, address + (bytes.end - bytes.begin));
}

void HostMappings::Remove(VkDeviceMemory memory) {
  absl::MutexLock lock(&mutex_);
  const auto found = mappings_.find(reinterpret_cast<uint64_t>(memory));
  if (found == mappings_.end()) return;
  ends_.erase(found->second.address);
  mappings_.erase(found);
}

std::optional<uint64_t> HostMappings::BytesFrom(const void* pointer) const {
  absl::MutexLock lock(&mutex_);
  const uint64_t address = ToAddress(pointer);
  const auto next = ends_.upper_bound(address);
  if (next == ends_.begin() || std::prev(next)->second <= address) return std::nullopt;
  return std::prev(next)->second - address;
}

state::ByteRange HostMappings::Find(const state::DeviceMemory& memory, const void* pointer, uint64_t size) const {
  absl::MutexLock lock(&mutex_);
  const auto found = mappings_.find(memory.handle());
  if (found == mappings_.end()) return {};
  const auto& [bytes, address] = found->second;
  const uint64_t from = ToAddress(pointer);
  const uint64_t begin = std::max(from, address);
  const uint64_t end = std::min(from + size, address + (bytes.end - bytes.begin));
  if (begin >= end) return {};
  const uint64_t first = memory.address + bytes.begin;
  return {first + (begin - address), first + (end - address)};
}

}  // namespace assay::core
