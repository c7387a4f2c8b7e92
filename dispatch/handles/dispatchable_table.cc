// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/handles/dispatchable_table.h"

#include <memory>
#include <new>
#include <utility>

namespace assay::dispatch {

DispatchableTable::DispatchableTable() {
  absl::MutexLock lock(&mutex_);
  all_.push_back(MakeBuckets(1024));
  buckets_.store(all_.back().get(), std::memory_order_release);
}

DispatchableTable::~DispatchableTable() = default;

absl::NoDestructor<DispatchableTable> DispatchableTable::instance_;

DispatchableTable::OwnedBuckets DispatchableTable::MakeBuckets(size_t size) {
  OwnedBuckets buckets(new (operator new(sizeof(Buckets) + size * sizeof(Entry))) Buckets{.mask = size - 1});
  std::uninitialized_value_construct_n(buckets->entries(), size);
  return buckets;
}

bool DispatchableTable::Insert(Buckets& buckets, uintptr_t key, Slot* slot) {
  for (size_t i = Hash(key) & buckets.mask;; i = (i + 1) & buckets.mask) {
    Entry& entry = buckets.entries()[i];
    const uintptr_t found = entry.key.load(std::memory_order_relaxed);
    if (found != 0 && found != kRemoved && found != key) continue;
    entry.slot.store(slot, std::memory_order_relaxed);
    entry.key.store(key, std::memory_order_release);
    return found == 0;
  }
}

void DispatchableTable::Grow() {
  const Buckets& old = *buckets_.load(std::memory_order_relaxed);
  auto grown = MakeBuckets((old.mask + 1) * 2);
  occupied_ = 0;
  for (size_t i = 0; i <= old.mask; ++i) {
    const uintptr_t key = old.entries()[i].key.load(std::memory_order_relaxed);
    if (key == 0 || key == kRemoved) continue;
    Insert(*grown, key, old.entries()[i].slot.load(std::memory_order_relaxed));
    ++occupied_;
  }
  buckets_.store(grown.get(), std::memory_order_release);
  all_.push_back(std::move(grown));
}

void DispatchableTable::Add(const void* handle, Slot* slot) {
  absl::MutexLock lock(&mutex_);
  const uintptr_t key = reinterpret_cast<uintptr_t>(handle);
  if (Find(handle) != nullptr) {
    Buckets* buckets = buckets_.load(std::memory_order_relaxed);
    for (size_t i = Hash(key) & buckets->mask;; i = (i + 1) & buckets->mask) {
      if (buckets->entries()[i].key.load(std::memory_order_relaxed) != key) continue;
      buckets->entries()[i].slot.store(slot, std::memory_order_release);
      return;
    }
  }
  if (occupied_ * 2 > buckets_.load(std::memory_order_relaxed)->mask) Grow();
  if (Insert(*buckets_.load(std::memory_order_relaxed), key, slot)) ++occupied_;
}

void DispatchableTable::Remove(const void* handle, const Slot* slot) {
  absl::MutexLock lock(&mutex_);
  Buckets* buckets = buckets_.load(std::memory_order_relaxed);
  const uintptr_t key = reinterpret_cast<uintptr_t>(handle);
  for (size_t i = Hash(key) & buckets->mask;; i = (i + 1) & buckets->mask) {
    Entry& entry = buckets->entries()[i];
    const uintptr_t found = entry.key.load(std::memory_order_relaxed);
    if (found == 0) return;
    if (found != key) continue;
    if (entry.slot.load(std::memory_order_relaxed) != slot) return;
    entry.key.store(kRemoved, std::memory_order_release);
    // A run of removed entries that ends at a free one is on no live key's probe path, so these become free again. Only
    // removed entries inside a cluster of live ones stay. So a program that allocates and frees for hours does not make
    // the table grow.
    while (buckets->entries()[(i + 1) & buckets->mask].key.load(std::memory_order_relaxed) == 0 &&
           buckets->entries()[i].key.load(std::memory_order_relaxed) == kRemoved) {
      buckets->entries()[i].key.store(0, std::memory_order_release);
      --occupied_;
      i = (i - 1) & buckets->mask;
    }
    return;
  }
}

}  // namespace assay::dispatch
