// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SET_LAYOUTS_HANDLE_MAP_H_
#define ASSAY_CORE_SET_LAYOUTS_HANDLE_MAP_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace assay::core {

// What a validator notes of objects when they are created, where the state tracker has no room for it. By handle; for
// commands that create and destroy, not for those that are recorded. Threads may share it. While it is empty, as most
// are, nothing is locked.
template <class T>
class HandleMap {
 public:
  template <class H>
  void Set(H handle, T value) {
    absl::MutexLock lock(&mutex_);
    values_.insert_or_assign(reinterpret_cast<uint64_t>(handle), std::move(value));
    is_empty_.store(false, std::memory_order_relaxed);
  }
  template <class H>
  void Erase(H handle) {
    if (is_empty_.load(std::memory_order_relaxed)) return;
    absl::MutexLock lock(&mutex_);
    values_.erase(reinterpret_cast<uint64_t>(handle));
    is_empty_.store(values_.empty(), std::memory_order_relaxed);
  }
  // Nothing for an object that is not known.
  template <class H>
  std::optional<T> Find(H handle) const {
    if (is_empty_.load(std::memory_order_relaxed)) return std::nullopt;
    absl::MutexLock lock(&mutex_);
    const auto found = values_.find(reinterpret_cast<uint64_t>(handle));
    return found != values_.end() ? std::optional<T>(found->second) : std::nullopt;
  }

 private:
  // What creates an object has returned before another thread names it.
  std::atomic<bool> is_empty_ = true;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<uint64_t, T> values_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SET_LAYOUTS_HANDLE_MAP_H_
