// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_HANDLES_ORIGINS_H_
#define ASSAY_OBJECT_LIFETIMES_HANDLES_ORIGINS_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace assay::object_lifetimes {

// The origins of objects: the surface of a swapchain, and the video session of video session parameters. Rules compare
// the origin with another member of the call. The keys are application handles. Thread safe.
class Origins {
 public:
  // One table for each of the two kinds; they live as long as the process.
  static Origins& OfSwapchains() {
    static Origins* const origins = new Origins;
    return *origins;
  }
  static Origins& OfVideoSessionParameters() {
    static Origins* const origins = new Origins;
    return *origins;
  }

  void Add(uint64_t object, uint64_t origin) {
    absl::MutexLock lock(&mutex_);
    origins_[object] = origin;
  }
  void Remove(uint64_t object) {
    absl::MutexLock lock(&mutex_);
    origins_.erase(object);
  }
  // The origin; 0 if it is unknown.
  uint64_t Of(uint64_t object) const {
    absl::ReaderMutexLock lock(&mutex_);
    const auto found = origins_.find(object);
    return found == origins_.end() ? 0 : found->second;
  }
  // The objects that have the origin.
  std::vector<uint64_t> From(uint64_t origin) const {
    absl::ReaderMutexLock lock(&mutex_);
    std::vector<uint64_t> objects;
    for (const auto& [object, its_origin] : origins_) {
      if (its_origin == origin) objects.push_back(object);
    }
    return objects;
  }

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<uint64_t, uint64_t> origins_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_HANDLES_ORIGINS_H_
