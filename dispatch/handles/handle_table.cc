// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/handles/handle_table.h"

#include <utility>

namespace assay::dispatch {
namespace {

// The most records of destroyed dispatchable objects. All are dropped together then, so that memory stays bounded.
constexpr size_t kMaxDestroyed = 1 << 16;

}  // namespace

HandleTable::HandleTable() : chunks_(new std::atomic<Slot*>[kMaxChunks]) {
  for (uint32_t i = 0; i < kMaxChunks; ++i) chunks_[i].store(nullptr, std::memory_order_relaxed);
}

HandleTable::~HandleTable() {
  for (uint32_t i = 0; i < kMaxChunks; ++i) delete[] chunks_[i].load(std::memory_order_relaxed);
}

HandleTable* const HandleTable::instance_ = new HandleTable;

Slot* HandleTable::TakeFreeSlot() {
  if (free_.size() - free_head_ > kMinFree) {
    Slot* slot = AtIndex(free_[free_head_++]);
    if (free_head_ > 4 * kMinFree) {
      free_.erase(free_.begin(), free_.begin() + static_cast<ptrdiff_t>(free_head_));
      free_head_ = 0;
    }
    return slot;
  }
  const uint32_t chunk = slot_count_ >> kChunkBits;
  if (chunk >= kMaxChunks) {
    if (free_head_ == free_.size()) return nullptr;
    return AtIndex(free_[free_head_++]);
  }
  if (chunks_[chunk].load(std::memory_order_relaxed) == nullptr) {
    chunks_[chunk].store(new Slot[kChunkSize], std::memory_order_release);
  }
  Slot* slot = AtIndex(slot_count_);
  slot->index = slot_count_++;
  return slot;
}

Slot* HandleTable::Add(VkObjectType type, uint64_t driver_handle, Instance* instance, Device* device,
                       HandleKind handle_kind, Slot* parent) {
  SpinLockHolder hold(lock_);
  Slot* const slot = TakeFreeSlot();
  if (slot == nullptr) return nullptr;
  if (handle_kind == HandleKind::kUnwrapped) {
    any_unwrapped_.store(true, std::memory_order_relaxed);
    unwrapped_[{type, driver_handle}] = slot;
  }
  slot->generation = (slot->generation + 1) & kGenerationMask;
  if (slot->generation == 0) slot->generation = 1;
  const uint64_t application_handle = handle_kind == HandleKind::kWrapped
                                          ? (kWrappedTag << 56) | (uint64_t{slot->generation} << 32) | slot->index
                                          : driver_handle;
  std::atomic_ref(slot->application_handle).store(application_handle, std::memory_order_relaxed);
  slot->driver_handle = driver_handle;
  slot->state = nullptr;
  slot->thread_use.store(0, std::memory_order_relaxed);
  slot->device = device;
  slot->instance = instance;
  slot->type = type;
  slot->alive = true;
  slot->is_secondary = false;
  slot->has_allocator = false;
  slot->allows_concurrent_update = false;
  slot->has_several_physical_devices = false;
  slot->is_recorded.store(false, std::memory_order_relaxed);
  slot->is_referenced.store(false, std::memory_order_relaxed);
  slot->first_child = kNone;
  slot->previous_sibling = kNone;
  slot->next_sibling = kNone;
  slot->parent = kNone;
  slot->parent_slot = parent;
  if (parent != nullptr) {
    slot->parent = parent->index;
    slot->next_sibling = parent->first_child;
    if (parent->first_child != kNone) AtIndex(parent->first_child)->previous_sibling = slot->index;
    parent->first_child = slot->index;
  }
  return slot;
}

void HandleTable::Remove(Slot* slot, vk::CommandId destroyed_by, std::string name) {
  if (slot->previous_sibling != kNone) {
    AtIndex(slot->previous_sibling)->next_sibling = slot->next_sibling;
  } else if (slot->parent != kNone) {
    AtIndex(slot->parent)->first_child = slot->next_sibling;
  }
  if (slot->next_sibling != kNone) AtIndex(slot->next_sibling)->previous_sibling = slot->previous_sibling;
  slot->dispatch_data.reset();
  slot->recording.reset();
  SpinLockHolder hold(lock_);
  const uint64_t handle = slot->application_handle;
  std::atomic_ref(slot->application_handle).store(0, std::memory_order_relaxed);
  slot->alive = false;
  slot->state = nullptr;
  if (LooksWrapped(handle)) {
    RecordDestroyed(*slot, destroyed_by, std::move(name));
  } else if (vk::FindHandle(slot->type)->dispatchable) {
    if (destroyed_.size() >= kMaxDestroyed) destroyed_.clear();
    destroyed_[handle] = {slot->type, destroyed_by, std::move(name)};
  } else {
    auto found = unwrapped_.find({slot->type, handle});
    if (found != unwrapped_.end() && found->second == slot) unwrapped_.erase(found);
  }
  free_.push_back(slot->index);
}

void HandleTable::RecordDestroyed(Slot& slot, vk::CommandId destroyed_by, std::string name) {
  slot.destroyed_generation = slot.generation;
  slot.destroyed_type = slot.type;
  slot.destroyed_by = destroyed_by;
  if (!name.empty()) {
    slot.destroyed_name = std::make_unique<std::string>(std::move(name));
  } else if (slot.destroyed_name != nullptr) {
    slot.destroyed_name.reset();
  }
}

Slot* HandleTable::FindUnwrapped(VkObjectType type, uint64_t handle) const {
  SpinLockHolder hold(lock_);
  auto found = unwrapped_.find({type, handle});
  return found == unwrapped_.end() ? nullptr : found->second;
}

std::vector<Slot*> HandleTable::SlotsOf(const Instance* instance, const Device* device) const {
  SpinLockHolder hold(lock_);
  std::vector<Slot*> result;
  for (uint32_t i = 1; i < slot_count_; ++i) {
    Slot* const slot = AtIndex(i);
    if (slot->alive && slot->instance == instance && slot->device == device) result.push_back(slot);
  }
  return result;
}

std::vector<Slot*> HandleTable::DevicesOf(const Instance* instance) const {
  SpinLockHolder hold(lock_);
  std::vector<Slot*> result;
  for (uint32_t i = 1; i < slot_count_; ++i) {
    Slot* const slot = AtIndex(i);
    if (slot->alive && slot->instance == instance && slot->type == VK_OBJECT_TYPE_DEVICE) result.push_back(slot);
  }
  return result;
}

Slot* HandleTable::FindAnyOfType(VkObjectType type) const {
  SpinLockHolder hold(lock_);
  for (uint32_t i = 1; i < slot_count_; ++i) {
    Slot* const slot = AtIndex(i);
    if (slot->alive && slot->type == type) return slot;
  }
  return nullptr;
}

bool HandleTable::FindDestroyed(uint64_t handle, DestroyedObject* object) const {
  SpinLockHolder hold(lock_);
  if (!LooksWrapped(handle)) {
    auto found = destroyed_.find(handle);
    if (found == destroyed_.end()) return false;
    *object = found->second;
    return true;
  }
  const auto index = static_cast<uint32_t>(handle);
  const auto generation = static_cast<uint32_t>(handle >> 32) & kGenerationMask;
  if (index == kNone || index >= slot_count_) return false;
  const Slot& slot = *AtIndex(index);
  if (generation == 0 || slot.destroyed_generation != generation) return false;
  *object = {slot.destroyed_type, slot.destroyed_by, slot.destroyed_name != nullptr ? *slot.destroyed_name : ""};
  return true;
}

}  // namespace assay::dispatch
