// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HANDLES_DISPATCHABLE_TABLE_H_
#define ASSAY_DISPATCH_HANDLES_DISPATCHABLE_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/no_destructor.h"
#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "dispatch/handles/handle_table.h"

namespace assay::dispatch {

// The table that leads from a dispatchable handle (instance, physical device, device, queue, command buffer) to its
// slot. Find takes no lock. For a live handle it costs a multiplication and mostly one probe. Add and Remove take a
// mutex.
class DispatchableTable {
 public:
  DispatchableTable();
  DispatchableTable(const DispatchableTable&) = delete;
  DispatchableTable& operator=(const DispatchableTable&) = delete;
  ~DispatchableTable();

  // The table of the process. It is made when the library is loaded. It is never destroyed, since applications call
  // into layers from static destructors.
  static DispatchableTable& Get() { return *instance_; }

  // handle must not be null. A handle that is in the table gets the new slot.
  void Add(const void* handle, Slot* slot);
  // Does nothing when the handle has another slot by now: a driver may give an address again as soon as its object is
  // destroyed.
  void Remove(const void* handle, const Slot* slot);

  // The slot, or null when the handle is null or unknown.
  Slot* Find(const void* handle) const {
    const Buckets* buckets = buckets_.load(std::memory_order_acquire);
    const uintptr_t key = reinterpret_cast<uintptr_t>(handle);
    for (size_t i = Hash(key) & buckets->mask;; i = (i + 1) & buckets->mask) {
      const Entry& entry = buckets->entries()[i];
      const uintptr_t found = entry.key.load(std::memory_order_acquire);
      if (found == key) return key > kRemoved ? entry.slot.load(std::memory_order_relaxed) : nullptr;
      if (found == 0) return nullptr;
    }
  }

  // The number of buckets, more than twice the number of handles in the table.
  size_t bucket_count() const { return buckets_.load(std::memory_order_acquire)->mask + 1; }

 private:
  // In place, so that nothing is loaded to find it.
  static absl::NoDestructor<DispatchableTable> instance_;

  static constexpr uintptr_t kRemoved = 1;
  struct Entry {
    // 0 for an entry that has never held a handle; kRemoved for one that held a handle before.
    std::atomic<uintptr_t> key{0};
    std::atomic<Slot*> slot{nullptr};
  };
  // Its entries lie behind it, in the same memory.
  struct Buckets {
    size_t mask;
    Entry* entries() { return reinterpret_cast<Entry*>(this + 1); }
    const Entry* entries() const { return reinterpret_cast<const Entry*>(this + 1); }
  };
  static_assert(sizeof(Buckets) % alignof(Entry) == 0);
  struct Deleter {
    void operator()(Buckets* buckets) const { operator delete(buckets); }
  };
  using OwnedBuckets = std::unique_ptr<Buckets, Deleter>;

  // size is a power of two.
  static OwnedBuckets MakeBuckets(size_t size);

  static size_t Hash(uintptr_t key) { return static_cast<size_t>((key * 0x9E3779B97F4A7C15u) >> 40); }
  void Grow() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // True when the entry had never held a handle before.
  static bool Insert(Buckets& buckets, uintptr_t key, Slot* slot);

  std::atomic<Buckets*> buckets_;
  absl::Mutex mutex_;
  // Live and removed entries of the current buckets.
  size_t occupied_ ABSL_GUARDED_BY(mutex_) = 0;
  // All buckets, since a reader may still read old ones. Each is half the size of its successor.
  std::vector<OwnedBuckets> all_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HANDLES_DISPATCHABLE_TABLE_H_
