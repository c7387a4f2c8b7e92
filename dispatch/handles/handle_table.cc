// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/handles/handle_table.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace assay::dispatch {

HandleTable::HandleTable() : shard_of_chunk_(new uint8_t[kMaxChunks]), shards_(new Shard[kShards]) {}

HandleTable::~HandleTable() {
  for (const auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
}

absl::NoDestructor<HandleTable> HandleTable::instance_;

HandleTable::Shard& HandleTable::ShardOfThread() {
  static std::atomic<uint32_t> threads{0};
  static thread_local const uint32_t number = threads.fetch_add(1, std::memory_order_relaxed);
  return shards_[number % kShards];
}

Slot* HandleTable::TakeFreeSlot(Shard& shard, bool may_grow) {
  if (shard.free_count > (may_grow ? kMinFree : 0)) {
    Slot* const slot = AtIndex(shard.first_free);
    shard.first_free = slot->next_sibling;
    --shard.free_count;
    return slot;
  }
  return shard.next_unused < shard.end_unused ? AtIndex(shard.next_unused++) : nullptr;
}

bool HandleTable::Grow(Shard& shard) {
  std::unique_ptr<Slot[]> chunk(new (std::nothrow) Slot[kChunkSize]);
  if (chunk == nullptr) return false;
  SpinLockHolder hold(shard.lock);
  // Another thread of the shard may have been faster.
  if (shard.next_unused < shard.end_unused) return true;
  const uint32_t number = chunk_count_.load(std::memory_order_relaxed) < kMaxChunks
                              ? chunk_count_.fetch_add(1, std::memory_order_relaxed)
                              : kMaxChunks;
  if (number >= kMaxChunks) return false;
  const uint32_t first = number << kChunkBits;
  for (uint32_t i = 0; i < kChunkSize; ++i) chunk[i].index = first + i;
  shard_of_chunk_[number] = static_cast<uint8_t>(&shard - shards_.get());
  chunks_[number].store(chunk.release(), std::memory_order_release);
  shard.next_unused = first == kNone ? 1 : first;
  shard.end_unused = first + kChunkSize;
  return true;
}

Slot* HandleTable::Add(VkObjectType type, uint64_t driver_handle, Instance* instance, Device* device,
                       HandleKind handle_kind, Slot* parent) {
  Shard& shard = ShardOfThread();
  Slot* slot = nullptr;
  for (bool may_grow = true;;) {
    {
      SpinLockHolder hold(shard.lock);
      slot = TakeFreeSlot(shard, may_grow);
      if (slot != nullptr) Fill(*slot, type, driver_handle, instance, device, handle_kind, parent);
    }
    if (slot != nullptr) break;
    if (!may_grow) return nullptr;
    // Outside of the lock, since it allocates.
    may_grow = Grow(shard);
  }
  if (handle_kind == HandleKind::kUnwrapped) {
    any_unwrapped_.store(true, std::memory_order_relaxed);
    absl::MutexLock lock(&maps_mutex_);
    unwrapped_[{type, driver_handle}].push_back(slot);
  }
  if (parent != nullptr) {
    SpinLockHolder hold(ShardOf(*parent).lock);
    slot->next_sibling = parent->first_child;
    if (parent->first_child != kNone) AtIndex(parent->first_child)->previous_sibling = slot->index;
    parent->first_child = slot->index;
  }
  return slot;
}

void HandleTable::Fill(Slot& slot, VkObjectType type, uint64_t driver_handle, Instance* instance, Device* device,
                       HandleKind handle_kind, Slot* parent) {
  slot.generation = (slot.generation + 1) & kGenerationMask;
  if (slot.generation == 0) slot.generation = 1;
  const uint64_t application_handle = handle_kind == HandleKind::kWrapped
                                          ? (kWrappedTag << 56) | (uint64_t{slot.generation} << 32) | slot.index
                                          : driver_handle;
  slot.driver_handle = driver_handle;
  // Another thread may read it with a stale handle, as in FindWrapped().
  std::atomic_ref(slot.state).store(nullptr, std::memory_order_relaxed);
  slot.thread_use.store(0, std::memory_order_relaxed);
  slot.device = device;
  slot.instance = instance;
  slot.type = type;
  slot.alive = true;
  slot.is_secondary = false;
  slot.has_allocator = false;
  slot.allows_concurrent_update = false;
  slot.has_several_physical_devices = false;
  slot.is_recorded.store(false, std::memory_order_relaxed);
  slot.is_referenced.store(false, std::memory_order_relaxed);
  slot.first_child = slot.previous_sibling = slot.next_sibling = kNone;
  slot.parent = parent != nullptr ? parent->index : kNone;
  slot.parent_slot = parent;
  std::atomic_ref(slot.application_handle).store(application_handle, std::memory_order_relaxed);
}

uint64_t HandleTable::EndObject(Slot& slot, vk::CommandId destroyed_by, std::unique_ptr<std::string>& name,
                                uint64_t expected) {
  const uint64_t handle = slot.application_handle;
  // An application that destroys an object twice at a time, or a parent with its child, gets here twice.
  if (!slot.alive || (expected != 0 && handle != expected)) return 0;
  std::atomic_ref(slot.application_handle).store(0, std::memory_order_relaxed);
  slot.alive = false;
  std::atomic_ref(slot.state).store(nullptr, std::memory_order_relaxed);
  if (LooksWrapped(handle)) {
    slot.destroyed_generation = slot.generation;
    slot.destroyed_type = slot.type;
    slot.destroyed_by = destroyed_by;
    std::swap(slot.destroyed_name, name);
  }
  return handle;
}

void HandleTable::Free(Shard& shard, Slot& slot) {
  slot.next_sibling = kNone;
  (shard.free_count == 0 ? shard.first_free : AtIndex(shard.last_free)->next_sibling) = slot.index;
  shard.last_free = slot.index;
  ++shard.free_count;
}

bool HandleTable::Remove(Slot* slot, vk::CommandId destroyed_by, std::string name, uint64_t expected) {
  auto kept_name = name.empty() ? nullptr : std::make_unique<std::string>(name);
  Shard& shard = ShardOf(*slot);
  uint64_t handle = 0;
  {
    SpinLockHolder hold(shard.lock);
    handle = EndObject(*slot, destroyed_by, kept_name, expected);
  }
  if (handle == 0) return false;
  Unlink(*slot);
  slot->dispatch_data.reset();
  slot->recording.reset();
  if (!LooksWrapped(handle)) RemoveFromMaps(*slot, handle, destroyed_by, std::move(name));
  SpinLockHolder hold(shard.lock);
  Free(shard, *slot);
  return true;
}

size_t HandleTable::TakeChildren(Slot& parent, absl::Span<Child> children) {
  size_t count = 0;
  SpinLockHolder hold(ShardOf(parent).lock);
  while (parent.first_child != kNone && count < children.size()) {
    Slot& child = *AtIndex(parent.first_child);
    parent.first_child = child.next_sibling;
    child.parent = child.previous_sibling = child.next_sibling = kNone;
    // 0 when another thread is removing it.
    const uint64_t handle = std::atomic_ref(child.application_handle).load(std::memory_order_relaxed);
    if (handle != 0) children[count++] = {&child, handle};
  }
  if (parent.first_child != kNone) AtIndex(parent.first_child)->previous_sibling = kNone;
  return count;
}

void HandleTable::Remove(absl::Span<const Child> children, vk::CommandId destroyed_by, absl::Span<std::string> names) {
  // The last records' names are freed at the end, outside of locks.
  std::array<std::unique_ptr<std::string>, kMaxTaken> kept_names;
  for (size_t i = 0; i < children.size(); ++i) {
    if (!names[i].empty()) kept_names[i] = std::make_unique<std::string>(names[i]);
  }
  // Those that have more to free than their slots.
  std::array<size_t, kMaxTaken> others = {};
  size_t other_count = 0;
  for (size_t i = 0; i < children.size();) {
    // Children mostly are of one thread, and so of one shard.
    Shard& shard = ShardOf(*children[i].slot);
    SpinLockHolder hold(shard.lock);
    for (; i < children.size() && &ShardOf(*children[i].slot) == &shard; ++i) {
      Slot& slot = *children[i].slot;
      if (EndObject(slot, destroyed_by, kept_names[i], children[i].handle) == 0) continue;
      if (slot.dispatch_data == nullptr && slot.recording == nullptr && LooksWrapped(children[i].handle)) {
        Free(shard, slot);
      } else {
        others[other_count++] = i;
      }
    }
  }
  for (size_t k = 0; k < other_count; ++k) {
    const auto& [slot, handle] = children[others[k]];
    slot->dispatch_data.reset();
    slot->recording.reset();
    if (!LooksWrapped(handle)) RemoveFromMaps(*slot, handle, destroyed_by, std::move(names[others[k]]));
    Shard& shard = ShardOf(*slot);
    SpinLockHolder hold(shard.lock);
    Free(shard, *slot);
  }
}

void HandleTable::Unlink(Slot& slot) {
  const uint32_t parent_index = slot.parent;
  if (parent_index == kNone) return;
  Slot& parent = *AtIndex(parent_index);
  SpinLockHolder hold(ShardOf(parent).lock);
  // Another thread has taken it off the list.
  if (slot.parent == kNone) return;
  if (slot.previous_sibling != kNone) {
    AtIndex(slot.previous_sibling)->next_sibling = slot.next_sibling;
  } else if (parent.first_child == slot.index) {
    parent.first_child = slot.next_sibling;
  }
  if (slot.next_sibling != kNone) AtIndex(slot.next_sibling)->previous_sibling = slot.previous_sibling;
}

void HandleTable::RemoveFromMaps(Slot& slot, uint64_t handle, vk::CommandId destroyed_by, std::string name) {
  absl::MutexLock lock(&maps_mutex_);
  if (vk::FindHandle(slot.type)->dispatchable) {
    destroyed_.Add(handle, {slot.type, destroyed_by, std::move(name)});
    return;
  }
  const auto found = unwrapped_.find({slot.type, handle});
  if (found == unwrapped_.end()) return;
  auto& slots = found->second;
  slots.erase(std::remove(slots.begin(), slots.end(), &slot), slots.end());
  if (slots.empty()) unwrapped_.erase(found);
}

Slot* HandleTable::FindUnwrapped(VkObjectType type, uint64_t handle) const {
  absl::ReaderMutexLock lock(&maps_mutex_);
  auto found = unwrapped_.find({type, handle});
  return found == unwrapped_.end() ? nullptr : found->second.back();
}

template <class F>
void HandleTable::ForEachLive(F&& visit) const {
  const uint32_t count = std::min(chunk_count_.load(std::memory_order_relaxed), kMaxChunks);
  for (uint32_t number = 0; number < count; ++number) {
    Slot* const chunk = chunks_[number].load(std::memory_order_acquire);
    if (chunk == nullptr) continue;
    SpinLockHolder hold(ShardOf(*chunk).lock);
    for (uint32_t i = 0; i < kChunkSize; ++i) {
      if (chunk[i].alive) visit(&chunk[i]);
    }
  }
}

std::vector<Slot*> HandleTable::SlotsOf(const Instance* instance, const Device* device) const {
  std::vector<Slot*> result;
  ForEachLive([&](Slot* slot) {
    if (slot->instance == instance && slot->device == device) result.push_back(slot);
  });
  return result;
}

std::vector<Slot*> HandleTable::DevicesOf(const Instance* instance) const {
  std::vector<Slot*> result;
  ForEachLive([&](Slot* slot) {
    if (slot->instance == instance && slot->type == VK_OBJECT_TYPE_DEVICE) result.push_back(slot);
  });
  return result;
}

Slot* HandleTable::FindAnyOfType(VkObjectType type) const {
  Slot* result = nullptr;
  ForEachLive([&](Slot* slot) {
    if (slot->type == type && result == nullptr) result = slot;
  });
  return result;
}

void HandleTable::InspectAnyOfType(VkObjectType type, absl::FunctionRef<void(const Slot&)> inspect) const {
  bool found = false;
  ForEachLive([&](Slot* slot) {
    if (slot->type == type && !std::exchange(found, true)) inspect(*slot);
  });
}

bool HandleTable::FindDestroyed(uint64_t handle, DestroyedObject* object) const {
  if (!LooksWrapped(handle)) {
    absl::ReaderMutexLock lock(&maps_mutex_);
    const DestroyedObject* found = destroyed_.Find(handle);
    if (found != nullptr) *object = *found;
    return found != nullptr;
  }
  const auto index = static_cast<uint32_t>(handle);
  const auto generation = static_cast<uint32_t>(handle >> 32) & kGenerationMask;
  if (index == kNone || (index >> kChunkBits) >= kMaxChunks) return false;
  Slot* const chunk = chunks_[index >> kChunkBits].load(std::memory_order_acquire);
  if (chunk == nullptr) return false;
  const Slot& slot = chunk[index & (kChunkSize - 1)];
  SpinLockHolder hold(ShardOf(slot).lock);
  if (generation == 0 || slot.destroyed_generation != generation) return false;
  *object = {slot.destroyed_type, slot.destroyed_by, slot.destroyed_name != nullptr ? *slot.destroyed_name : ""};
  return true;
}

}  // namespace assay::dispatch
