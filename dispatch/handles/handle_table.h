// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HANDLES_HANDLE_TABLE_H_
#define ASSAY_DISPATCH_HANDLES_HANDLE_TABLE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/no_destructor.h"
#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "dispatch/handles/destroyed_handles.h"
#include "dispatch/handles/slot.h"  // IWYU pragma: export
#include "dispatch/handles/spin_lock.h"
#include "vk/command_id.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

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
// Slots come in chunks. Each chunk belongs to a shard, and each thread takes slots from one shard, so that threads
// which create and destroy objects of their own do not meet at one lock.
//
// The application must synchronize the creation and destruction of an object with every other use of it. If it does
// not, the table stays intact: of two threads that remove an object, one does.
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
  // returns destroyed_by and name from now on. False, and no effect, when the slot holds no object, or one whose handle
  // is not `expected`, unless that is 0.
  bool Remove(Slot* slot, vk::CommandId destroyed_by, std::string name = {}, uint64_t expected = 0);

  // A child that has been taken off its parent's list, and its handle then.
  struct Child {
    Slot* slot = nullptr;
    uint64_t handle = 0;
  };
  // Takes as many children off the parent's list as there is room for. Returns their number; 0 when there are none.
  static constexpr size_t kMaxTaken = 64;
  size_t TakeChildren(Slot& parent, absl::Span<Child> children);
  // Unregisters taken children, kMaxTaken at most, as Remove() does, with few locks for all of them. names[i], which
  // may be empty, is the name of children[i].
  void Remove(absl::Span<const Child> children, vk::CommandId destroyed_by, absl::Span<std::string> names);

  // Every live slot of the instance and device. With a null device: those of the instance alone.
  std::vector<Slot*> SlotsOf(const Instance* instance, const Device* device) const;

  // The live devices of an instance.
  std::vector<Slot*> DevicesOf(const Instance* instance) const;

  // Any live slot of the type, or null. Searches the whole table.
  Slot* FindAnyOfType(VkObjectType type) const;
  // Calls inspect() with such a slot, if there is one. Its object is not removed meanwhile. inspect() must be short and
  // must not use the table.
  void InspectAnyOfType(VkObjectType type, absl::FunctionRef<void(const Slot&)> inspect) const;

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

  // The driver's handle for the application's. A handle that is null or foreign is returned unchanged. One that has the
  // form of a wrapped handle and is stale becomes VK_NULL_HANDLE, which drivers survive more often.
  uint64_t ToDriver(uint64_t handle) const {
    const Slot* slot = FindWrapped(handle);
    if (slot != nullptr) [[likely]]
      return slot->driver_handle;
    return LooksWrapped(handle) ? 0 : handle;
  }

  // The record of the object of a wrapped or dispatchable handle that is stale. False for any other handle, and when
  // the record has been dropped: each slot has the record of its last object alone, and DestroyedHandles those of some
  // dispatchable ones.
  bool FindDestroyed(uint64_t handle, DestroyedObject* object) const;

  // Whether the value has the form of a wrapped handle, live or stale.
  static bool LooksWrapped(uint64_t handle) { return (handle >> 56) == kWrappedTag; }

 private:
  // In place, so that nothing is loaded to find it.
  static absl::NoDestructor<HandleTable> instance_;

  static constexpr uint64_t kWrappedTag = 0xA5;
  static constexpr uint32_t kChunkBits = 12;
  static constexpr uint32_t kChunkSize = 1u << kChunkBits;
  static constexpr uint32_t kMaxChunks = 1u << 14;
  static constexpr uint32_t kGenerationMask = 0xffffffu;
  // A slot holds another object only when this many are free in its shard, so that its records and generations last.
  static constexpr size_t kMinFree = 4096;
  static constexpr uint32_t kShards = 16;

  struct alignas(64) Shard {
    SpinLock lock;
    // A queue of free slots, linked by Slot::next_sibling: Remove appends at the back, Add takes from the front.
    uint32_t first_free ABSL_GUARDED_BY(lock) = 0;
    uint32_t last_free ABSL_GUARDED_BY(lock) = 0;
    size_t free_count ABSL_GUARDED_BY(lock) = 0;
    // Slots of the last chunk that have never held an object.
    uint32_t next_unused ABSL_GUARDED_BY(lock) = 0;
    uint32_t end_unused ABSL_GUARDED_BY(lock) = 0;
  };

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
  Shard& ShardOf(const Slot& slot) const { return shards_[shard_of_chunk_[slot.index >> kChunkBits]]; }
  Shard& ShardOfThread();
  // Null when there is none, or none that may be used again yet while the shard may grow.
  Slot* TakeFreeSlot(Shard& shard, bool may_grow) ABSL_EXCLUSIVE_LOCKS_REQUIRED(shard.lock);
  // Adds a chunk. False when there is no memory, or no number for it.
  bool Grow(Shard& shard);
  static void Fill(Slot& slot, VkObjectType type, uint64_t driver_handle, Instance* instance, Device* device,
                   HandleKind handle_kind, Slot* parent);
  // Takes the slot out of its parent's list of children.
  void Unlink(Slot& slot);
  // Marks the object of the slot as destroyed; its handle, or 0 and no effect as described at Remove(). Swaps name,
  // null for an empty one, with that of the slot's last record.
  static uint64_t EndObject(Slot& slot, vk::CommandId destroyed_by, std::unique_ptr<std::string>& name,
                            uint64_t expected);
  // Adds a slot without object and data to the free ones.
  void Free(Shard& shard, Slot& slot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(shard.lock);
  void RemoveFromMaps(Slot& slot, uint64_t handle, vk::CommandId destroyed_by, std::string name);
  // Calls visit(slot) for each live slot, with the lock of its shard held.
  template <class F>
  void ForEachLive(F&& visit) const;

  std::array<std::atomic<Slot*>, kMaxChunks> chunks_{};
  std::atomic<bool> any_unwrapped_{false};

  // The shard of each chunk that there is.
  std::unique_ptr<uint8_t[]> shard_of_chunk_;
  std::atomic<uint32_t> chunk_count_{0};
  std::unique_ptr<Shard[]> shards_;

  mutable absl::Mutex maps_mutex_;
  // A driver may give several live objects one handle. The last is the one that is found.
  absl::flat_hash_map<UnwrappedKey, absl::InlinedVector<Slot*, 1>> unwrapped_ ABSL_GUARDED_BY(maps_mutex_);
  // Records of dispatchable handles; the slots have those of wrapped ones.
  DestroyedHandles destroyed_ ABSL_GUARDED_BY(maps_mutex_);
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HANDLES_HANDLE_TABLE_H_
