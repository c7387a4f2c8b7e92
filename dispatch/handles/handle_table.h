// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HANDLES_HANDLE_TABLE_H_
#define ASSAY_DISPATCH_HANDLES_HANDLE_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "dispatch/handles/spin_lock.h"
#include "vk/command_id.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

class Device;
class Instance;

// What the chassis itself keeps for an object: the entries of an update template, a pending deferred operation.
class SlotData {
 public:
  virtual ~SlotData() = default;
};

// One object that the application holds a handle of. A slot is written while its object is created or destroyed, which
// the application synchronizes with every use of the handle, and is only read otherwise; so no access to it takes a
// lock.
//
// The first cache line has all that is read by a look-up, a translation and the checks of a call.
struct alignas(64) Slot {
  // What the application holds: ours (generation and index) for non-dispatchable handles while they are wrapped, else
  // the driver's.
  uint64_t application_handle = 0;
  // The handle that the next layer or driver gave.
  uint64_t driver_handle = 0;
  // The state tracker's object, which owns itself; null when nothing tracks the type.
  void* state = nullptr;
  // Which thread uses the object in which command at this moment, in thread_safety's own encoding; 0 when none does.
  // The one member that threads write without being synchronized by the application.
  std::atomic<uint64_t> thread_use{0};
  Device* device = nullptr;
  // The pool or swapchain that the object is from; parent is its index, see first_child.
  Slot* parent_slot = nullptr;
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  uint32_t index = 0;
  uint32_t parent = 0;
  bool alive = false;
  // Of a command buffer.
  bool is_secondary = false;
  // Whether pAllocator was given when the object was created.
  bool has_allocator = false;
  // Whether threads may use the object at once where others of its type must not be: a descriptor set with a binding
  // that may be updated after it is bound.
  bool is_shareable = false;

  Instance* instance = nullptr;
  // Ends with the object; mostly null.
  std::unique_ptr<SlotData> dispatch_data;
  // Starts at 1 and grows with each object that the slot holds; 0 marks a free slot's handle as never valid.
  uint32_t generation = 0;
  // Descriptor sets of a pool, command buffers of a pool, images of a swapchain: a list through the slots, guarded by
  // the parent's external synchronization. Slot indices; kNone ends it.
  uint32_t first_child = 0;
  uint32_t next_sibling = 0;
  uint32_t previous_sibling = 0;
  // Of the object that the slot held before, while it is remembered: what FindDestroyed tells. Guarded by the table's
  // lock.
  uint32_t destroyed_generation = 0;
  VkObjectType destroyed_type = VK_OBJECT_TYPE_UNKNOWN;
  vk::CommandId destroyed_by{};
  // Whether a command that was given the object has been recorded.
  std::atomic<bool> is_recorded{false};
  // Whether another object was made of this one: a view of an image. Kept by object_lifetimes.
  std::atomic<bool> is_referenced{false};
  // Null when it had no name.
  std::unique_ptr<std::string> destroyed_name;
  // Of a command buffer: what object_lifetimes keeps of what is recorded in it. Ends with the object.
  std::unique_ptr<SlotData> recording;
};

static_assert(offsetof(Slot, instance) == 64 && sizeof(Slot) == 128);

// What is remembered of an object that is no more.
struct DestroyedObject {
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  vk::CommandId destroyed_by{};
  // As the application had named it; mostly empty.
  std::string name;
};

// What the application holds for an object.
enum class HandleKind : uint8_t {
  // A handle of ours that leads to the slot.
  kWrapped,
  // The driver's non-dispatchable handle, found by a hash look-up.
  kUnwrapped,
  // The driver's dispatchable handle, found through the DispatchableTable.
  kDispatchable,
};

// The table of all handles of the process. A non-dispatchable handle given to the application is a generation and an
// index, so that its slot is found by an array access and a stale handle is recognised exactly. With wrapping switched
// off the application holds the driver's handle and the slot is found by a hash look-up.
//
// Bits of a wrapped handle: 0-31 index, 32-55 generation, 56-63 kWrappedTag, which keeps it apart from user-space
// addresses (drivers' handles are mostly those).
class HandleTable {
 public:
  static constexpr uint32_t kNone = 0;

  HandleTable();
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;
  ~HandleTable();

  // The process's own. It is made when the library is loaded and never destroyed: applications call into layers from
  // static destructors.
  static HandleTable& Get() { return *instance_; }

  // Enters a new object and returns its slot, whose application_handle is to be given to the application. driver_handle
  // must not be 0. parent (may be null) becomes its parent in the list of children.
  Slot* Add(VkObjectType type, uint64_t driver_handle, Instance* instance, Device* device, HandleKind handle_kind,
            Slot* parent = nullptr);

  // Takes the object out; its handle is stale from now on. Children must have been removed before. destroyed_by and the
  // object's name are remembered for FindDestroyed.
  void Remove(Slot* slot, vk::CommandId destroyed_by, std::string name = {});

  // Every live slot of the instance and device (null for those of the instance alone).
  std::vector<Slot*> SlotsOf(const Instance* instance, const Device* device) const;

  // The live devices of an instance.
  std::vector<Slot*> DevicesOf(const Instance* instance) const;

  // Some live slot of the type, or null. Looks through the whole table.
  Slot* FindAnyOfType(VkObjectType type) const;

  // The slot of a live wrapped handle, or null when the handle is null, foreign or stale.
  Slot* FindWrapped(uint64_t handle) const {
    const uint32_t index = static_cast<uint32_t>(handle);
    if ((handle >> 56) != kWrappedTag || (index >> kChunkBits) >= kMaxChunks) return nullptr;
    Slot* const chunk = chunks_[index >> kChunkBits].load(std::memory_order_acquire);
    if (chunk == nullptr) return nullptr;
    Slot* const slot = &chunk[index & (kChunkSize - 1)];
    // A stale handle may be looked up while its slot is given to a new object by another thread, so this one member is
    // read atomically.
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

  // The driver's handle for the application's; a handle that is not ours (null, foreign or stale) passes unchanged.
  uint64_t ToDriver(uint64_t handle) const {
    const Slot* slot = FindWrapped(handle);
    return slot != nullptr ? slot->driver_handle : handle;
  }

  // For a wrapped or dispatchable handle that is stale: what is remembered of its object. False for any other handle,
  // and for one whose object was destroyed so long ago that it has been forgotten: of each slot only the last object is
  // remembered.
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
  // A slot is used again only when this many are free, so that a stale handle is told from a live one for long.
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
  // A queue: freed slots at the back, taken again from free_head_.
  std::vector<uint32_t> free_ ABSL_GUARDED_BY(lock_);
  size_t free_head_ ABSL_GUARDED_BY(lock_) = 0;
  absl::flat_hash_map<UnwrappedKey, Slot*> unwrapped_ ABSL_GUARDED_BY(lock_);
  // Of dispatchable handles alone; the slots have the others.
  absl::flat_hash_map<uint64_t, DestroyedObject> destroyed_ ABSL_GUARDED_BY(lock_);
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HANDLES_HANDLE_TABLE_H_
