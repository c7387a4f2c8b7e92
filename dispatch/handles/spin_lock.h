// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HANDLES_SPIN_LOCK_H_
#define ASSAY_DISPATCH_HANDLES_SPIN_LOCK_H_

#include <sched.h>

#include <atomic>

#include "absl/base/thread_annotations.h"

namespace assay::dispatch {

// A lock that is held for a few instructions. Its own cost shows in the cost of a call, so it is as cheap as possible.
// A thread that waits long yields the processor, since the holder may have been interrupted.
class ABSL_LOCKABLE SpinLock {
 public:
  SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() {
    for (int tries = 0; held_.exchange(true, std::memory_order_acquire); ++tries) {
      while (held_.load(std::memory_order_relaxed)) {
        __builtin_ia32_pause();
        if (++tries > kPatience) sched_yield();
      }
    }
  }
  void Unlock() ABSL_UNLOCK_FUNCTION() { held_.store(false, std::memory_order_release); }

 private:
  static constexpr int kPatience = 100;

  std::atomic<bool> held_{false};
};

class ABSL_SCOPED_LOCKABLE SpinLockHolder {
 public:
  explicit SpinLockHolder(SpinLock& lock) ABSL_EXCLUSIVE_LOCK_FUNCTION(lock) : lock_(lock) { lock_.Lock(); }
  ~SpinLockHolder() ABSL_UNLOCK_FUNCTION() { lock_.Unlock(); }
  SpinLockHolder(const SpinLockHolder&) = delete;
  SpinLockHolder& operator=(const SpinLockHolder&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HANDLES_SPIN_LOCK_H_
