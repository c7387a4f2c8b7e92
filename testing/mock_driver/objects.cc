// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/mock_driver/objects.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_set>

#include "testing/mock_driver/mock_driver.h"

namespace assay::test {
namespace {

void AddHandleMisuse(std::string_view command, uint64_t handle, VkObjectType type) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(handle));
  MockDriver::Get().AddMisuse(std::string(command) + "(): " + text + " is not a live object of VkObjectType " +
                              std::to_string(type) + ".");
}

// ICD_LOADER_MAGIC of vk_icd.h. Other includes of that header need the headers of window systems.
constexpr uintptr_t kLoaderMagic = 0x01CDC0DE;

// Dispatchable objects are few and rarely made, so a lock and a set are enough.
struct Dispatchables {
  std::mutex mutex;
  std::unordered_set<const void*> live;
};

Dispatchables& GetDispatchables() {
  static auto* dispatchables = new Dispatchables;
  return *dispatchables;
}

}  // namespace

ObjectTable& ObjectTable::Get() {
  static auto* table = new ObjectTable;
  return *table;
}

uint64_t ObjectTable::Create(VkObjectType type, Object** object) {
  std::lock_guard lock(mutex_);
  uint32_t index = slot_count_;
  if (!free_.empty()) {
    index = free_.back();
    free_.pop_back();
  } else {
    if (index % kChunkSize == 0) {
      if (index / kChunkSize == kMaxChunks) std::abort();
      chunks_[index / kChunkSize].store(new Slot[kChunkSize], std::memory_order_release);
    }
    ++slot_count_;
  }
  Slot& slot = chunks_[index / kChunkSize].load(std::memory_order_relaxed)[index % kChunkSize];
  slot.object.type = type;
  uint32_t generation = slot.generation.load(std::memory_order_relaxed) + 1;
  slot.generation.store(generation, std::memory_order_release);
  ++counts_[type];
  if (object != nullptr) *object = &slot.object;
  return kTag | static_cast<uint64_t>(generation & 0xffffff) << 32 | index;
}

ObjectTable::Slot* ObjectTable::FindSlot(uint64_t handle) {
  uint32_t index = static_cast<uint32_t>(handle);
  if ((handle >> 56) != (kTag >> 56) || index / kChunkSize >= kMaxChunks) return nullptr;
  Slot* chunk = chunks_[index / kChunkSize].load(std::memory_order_acquire);
  if (chunk == nullptr) return nullptr;
  Slot& slot = chunk[index % kChunkSize];
  uint32_t generation = slot.generation.load(std::memory_order_acquire) & 0xffffff;
  return generation % 2 == 1 && generation == ((handle >> 32) & 0xffffff) ? &slot : nullptr;
}

Object* ObjectTable::Find(uint64_t handle) {
  Slot* slot = FindSlot(handle);
  return slot != nullptr ? &slot->object : nullptr;
}

void ObjectTable::Destroy(uint64_t handle, VkObjectType type, std::string_view command) {
  if (handle == 0) return;
  Slot* slot = FindSlot(handle);
  if (slot == nullptr || slot->object.type != type) return AddHandleMisuse(command, handle, type);
  Object& object = slot->object;
  DestroyChildren(object, command);
  object.parent = 0;
  object.size = 0;
  object.value = 0;
  object.address = 0;
  object.bytes.reset();
  std::lock_guard lock(mutex_);
  slot->generation.fetch_add(1, std::memory_order_release);
  --counts_[type];
  free_.push_back(static_cast<uint32_t>(handle));
}

void ObjectTable::DestroyChildren(Object& object, std::string_view command) {
  VkObjectType type = object.type == VK_OBJECT_TYPE_DESCRIPTOR_POOL ? VK_OBJECT_TYPE_DESCRIPTOR_SET
                      : object.type == VK_OBJECT_TYPE_COMMAND_POOL  ? VK_OBJECT_TYPE_COMMAND_BUFFER
                                                                    : VK_OBJECT_TYPE_IMAGE;
  for (uint64_t child : object.children) {
    if (type == VK_OBJECT_TYPE_COMMAND_BUFFER) {
      DestroyDispatchable(reinterpret_cast<void*>(child), type, command);
    } else {
      Destroy(child, type, command);
    }
  }
  object.children.clear();
}

size_t ObjectTable::Count(VkObjectType type) const {
  std::lock_guard lock(mutex_);
  auto found = counts_.find(type);
  return found != counts_.end() ? found->second : 0;
}

DispatchableObject* CreateDispatchable(VkObjectType type, uint32_t index, uint64_t parent) {
  auto* object = new DispatchableObject{kLoaderMagic, type, index, parent, {}};
  Dispatchables& all = GetDispatchables();
  std::lock_guard lock(all.mutex);
  all.live.insert(object);
  return object;
}

void DestroyDispatchable(void* handle, VkObjectType type, std::string_view command) {
  if (handle == nullptr) return;
  if (!IsDispatchable(handle, type)) return AddHandleMisuse(command, reinterpret_cast<uint64_t>(handle), type);
  auto* object = static_cast<DispatchableObject*>(handle);
  for (DispatchableObject* child : object->children) DestroyDispatchable(child, child->type, command);
  Dispatchables& all = GetDispatchables();
  {
    std::lock_guard lock(all.mutex);
    all.live.erase(handle);
  }
  delete object;
}

bool IsDispatchable(const void* handle, VkObjectType type) {
  Dispatchables& all = GetDispatchables();
  std::lock_guard lock(all.mutex);
  return all.live.contains(handle) && static_cast<const DispatchableObject*>(handle)->type == type;
}

size_t CountDispatchable(VkObjectType type) {
  Dispatchables& all = GetDispatchables();
  std::lock_guard lock(all.mutex);
  size_t count = 0;
  for (const void* handle : all.live) count += static_cast<const DispatchableObject*>(handle)->type == type;
  return count;
}

}  // namespace assay::test
