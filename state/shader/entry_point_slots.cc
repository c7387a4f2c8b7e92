// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/entry_point_slots.h"

#include <memory>
#include <utility>

namespace assay::state {

EntryPointSlots::~EntryPointSlots() {
  for (EntryPoint* entry_point = first_.load(); entry_point != nullptr;) {
    const std::unique_ptr<EntryPoint> ended(entry_point);
    entry_point = ended->next_;
  }
}

EntryPointSlots::EntryPoint* EntryPointSlots::Search(std::string_view name, VkShaderStageFlagBits stage) const {
  EntryPoint* entry_point = first_.load(std::memory_order_acquire);
  while (entry_point != nullptr && (entry_point->stage_ != stage || entry_point->name_ != name))
    entry_point = entry_point->next_;
  return entry_point;
}

EntryPointSlots::EntryPoint* EntryPointSlots::Find(std::string_view name, VkShaderStageFlagBits stage) {
  if (EntryPoint* found = Search(name, stage)) return found;
  absl::MutexLock lock(&mutex_);
  if (EntryPoint* found = Search(name, stage)) return found;
  if (count_ == kMaxEntryPoints) return nullptr;
  auto added = std::make_unique<EntryPoint>(name, stage, first_.load(std::memory_order_relaxed));
  ++count_;
  first_.store(added.get(), std::memory_order_release);
  return added.release();
}

const EntryPointSlots::Value& EntryPointSlots::Set(EntryPoint& entry_point, size_t slot, Value value) {
  absl::MutexLock lock(&mutex_);
  Value& kept = entry_point.kept_[slot];
  if (entry_point.values_[slot].load(std::memory_order_relaxed) == nullptr) {
    kept = std::move(value);
    entry_point.values_[slot].store(&kept, std::memory_order_release);
  }
  return kept;
}

}  // namespace assay::state
