// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_VIDEO_SESSIONS_H_
#define ASSAY_OBJECT_LIFETIMES_VIDEO_SESSIONS_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace assay::object_lifetimes {

// The session that each VkVideoSessionParametersKHR was created from, by application handles. One for the process. Thread safe.
class VideoSessions {
 public:
  static VideoSessions& Get() {
    static VideoSessions* const sessions = new VideoSessions;
    return *sessions;
  }

  void Add(uint64_t parameters, uint64_t session) {
    absl::MutexLock lock(&mutex_);
    sessions_[parameters] = session;
  }
  void Remove(uint64_t parameters) {
    absl::MutexLock lock(&mutex_);
    sessions_.erase(parameters);
  }
  // 0 when it is not known.
  uint64_t SessionOf(uint64_t parameters) const {
    absl::ReaderMutexLock lock(&mutex_);
    const auto found = sessions_.find(parameters);
    return found == sessions_.end() ? 0 : found->second;
  }

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<uint64_t, uint64_t> sessions_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_VIDEO_SESSIONS_H_
