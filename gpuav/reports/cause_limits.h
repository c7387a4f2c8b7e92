// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_REPORTS_CAUSE_LIMITS_H_
#define ASSAY_GPUAV_REPORTS_CAUSE_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/synchronization/mutex.h"

namespace assay::gpuav {

// Limits how many different faults of a command have a message. A command is the same in each frame. Thread-safe.
class CauseLimits {
 public:
  static constexpr size_t kCausesOfCommand = 8;

  // Whether the cause is one of the first of its command. Both are hashes.
  bool IsWithin(uint64_t command, uint64_t cause);

 private:
  // With more commands, they are forgotten, and each begins anew.
  static constexpr size_t kMaxCommands = 4096;

  absl::Mutex mutex_;
  absl::flat_hash_map<uint64_t, absl::InlinedVector<uint64_t, 2>> commands_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_REPORTS_CAUSE_LIMITS_H_
