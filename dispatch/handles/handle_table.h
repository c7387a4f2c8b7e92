// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HANDLES_HANDLE_TABLE_H_
#define ASSAY_DISPATCH_HANDLES_HANDLE_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "dispatch/handles/slot.h"  // IWYU pragma: export
#include "dispatch/handles/spin_lock.h"
#include "vk/command_id.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// The record of an object that has been destroyed.
struct DestroyedObject {
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  vk::CommandId destroyed_by{};
  // The name that the application had given it; mostly empty.
  std::string name;
};

// The kind of handle that the application holds for an object.
enum class HandleKind : uint8_t {
  // A handle of the layer's own, which leads to the slot.
  kWrapped,
  // The driver's non-dispatchable handle, found by a hash look-up.
  kUnwrapped,
  // The driver's dispatchable handle, found through the DispatchableTable.
  kDispatchable,
};

// The table of all handles of the process.
//
// A wrapped handle is a generation and an index. The index leads to the slot by an array access, and the generation
// distinguishes a stale handle from a live one. When wrapping is off the application holds the driver's
// non-dispatchable handles, and a hash look-up finds their slots.
//
// Bits of a wrapped handle: 0-31 index, 32-55 generation, 56-63 kWrappedTag. The tag keeps it apart from user-space
// addresses, which most drivers' handles are.
class HandleTable {
 public:
  static constexpr uint32_t kNone = 0;

  HandleTable();
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;
  ~HandleTable();

  // The table of the process. It is made when the library is loaded. It is never destroyed, since applications call
  // into layers from static destructors.
  static HandleTable& Get() { return *instance_; }

  // Registers a new object and returns its slot. The application receives the slot's application_handle. driver_handle
  // must not be 0. parent may be null; otherwise the object joins its list of children. Null when the table is full.
  Slot* Add(VkObjectType type, uint64_t driver_handle, Instance* instance, Device* device, HandleKind handle_kind,
            Slot* parent = nullptr);

  // Unregisters the object; its handle is stale from now on. Children must have been removed before. FindDestroyed
  // returns destroyed_by and name from now on.
  void Remove(Slot* slot, vk::CommandId destroyed_by, std::string name = {});

  // Every live slot of the instance and device. With a null device: those of the instance alone.
  std::vector<Slot*> SlotsOf(const Instance* instance, const Device* device) const;

  // The live devices of an instance.
  std::vector<Slot*> DevicesOf(const Instance* instance) const;

  // Any live slot of the type, or null. Searches the whole table.
  Slot* FindAnyOfType(VkObjectType type) const;

  // The slot of a live wrapped handle, or null when the handle is null, foreign or stale.
  Slot* FindWrapped(uint64_t handle) const {
    const uint32_t index = static_cast<uint32_t>(handle);
    if ((handle >> 56) != kWrappedTag || (index >> kChunkBits) >= kMaxChunks) return nullptr;
    Slot* const chunk = chunks_[index >> kChunkBits].load(std::memory_order_acquire);
    if (chunk == nullptr) return nullptr;
    Slot* const slot = &chunk[index & (kChunkSize - 1)];
    // Another thread may give the slot to a new object while a stale handle is looked up, so this one member is read
    // atomically.
    const uint64_t found = std::atomic_ref(slot->application_handle).load(std::memory_order_relaxed);
    return found == handle ? slot : nullptr;
  }

  // The slot of a live non-dispatchable handle of that type, wrapped or not, or null.
  Slot* Find(VkObjectType type, uint64_t handle) const {
    if (Slot* slot = FindWrapped(handle)) return slot->type == type ? slot : nullptr;
    return any_unwrapped_.load(std::memory_order_relaxed) ? FindUnwrapped(type, handle) : nullptr;
  }

  Slot* AtIndex(uint32_t index) const {
    return &chunks_[index >> kChunkBits].load(std::memory_order_acquire)[index & (kChunkSize - 1)];
  }

  // The driver's handle for the application's. A handle that is null, foreign or stale is returned unchanged.
  uint64_t ToDriver(uint64_t handle) const {
    const Slot* slot = FindWrapped(handle);
    return slot != nullptr ? slot->driver_handle : handle;
  }

  // The record of the object of a wrapped or dispatchable handle that is stale. False for any other handle, and when
  // the record has been dropped: each slot has the record of its last object alone.
  bool FindDestroyed(uint64_t handle, DestroyedObject* object) const;

  // Whether the value has the form of a wrapped handle, live or stale.
  static bool LooksWrapped(uint64_t handle) { return (handle >> 56) == kWrappedTag; }

 private:
  static HandleTable* const instance_;

  static constexpr uint64_t kWrappedTag = 0xA5;
  static constexpr uint32_t kChunkBits = 12;
  static constexpr uint32_t kChunkSize = 1u << kChunkBits;
  static constexpr uint32_t kMaxChunks = 1u << 14;
  static constexpr uint32_t kGenerationMask = 0xffffffu;
  // A slot holds another object only when this many are free, so that its records and generations last.
  static constexpr size_t kMinFree = 4096;

  struct UnwrappedKey {
    VkObjectType type;
    uint64_t handle;
    bool operator==(const UnwrappedKey&) const = default;
    template <class H>
    friend H AbslHashValue(H h, const UnwrappedKey& key) {
      return H::combine(std::move(h), static_cast<int>(key.type), key.handle);
    }
  };

  Slot* FindUnwrapped(VkObjectType type, uint64_t handle) const;
  Slot* TakeFreeSlot() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void RecordDestroyed(Slot& slot, vk::CommandId destroyed_by, std::string name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);

  std::unique_ptr<std::atomic<Slot*>[]> chunks_;
  std::atomic<bool> any_unwrapped_{false};

  mutable SpinLock lock_;
  uint32_t slot_count_ ABSL_GUARDED_BY(lock_) = 1;
  // A queue of free slots: Remove appends at the back, Add takes from free_head_.
  std::vector<uint32_t> free_ ABSL_GUARDED_BY(lock_);
  size_t free_head_ ABSL_GUARDED_BY(lock_) = 0;
  absl::flat_hash_map<UnwrappedKey, Slot*> unwrapped_ ABSL_GUARDED_BY(lock_);
  // Records of dispatchable handles; the slots have those of wrapped ones.
  absl::flat_hash_map<uint64_t, DestroyedObject> destroyed_ ABSL_GUARDED_BY(lock_);
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HANDLES_HANDLE_TABLE_H_
