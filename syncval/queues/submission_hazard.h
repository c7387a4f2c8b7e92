// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_QUEUES_SUBMISSION_HAZARD_H_
#define ASSAY_SYNCVAL_QUEUES_SUBMISSION_HAZARD_H_

#include <atomic>
#include <cstddef>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/engine/engine.h"
#include "syncval/queues/usage_source.h"

namespace assay::syncval {

// A hazard between submissions. It is reported when no lock is held.
struct SubmissionHazard {
  UsageSource source;
  // The part of it that conflicts. Its command is that of source.
  RecordedAccess access;
  Tag tag;
  bool is_of_other_queue = false;
  Hazard hazard;
  std::optional<UsageSource> prior;
  Tag prior_tag;
  Suggestion fix;
};

// Hazards between submissions that were found and not reported yet, by the thread that found them. QueueTracker's mutex
// is held when a hazard is found; a later hook of the same call takes and reports it. So each call that may make a
// batch ready must take them.
class SubmissionHazards {
 public:
  void Store(std::vector<SubmissionHazard> found);
  // The calling thread's. Costs no more than a look if there are none at all.
  std::vector<SubmissionHazard> Take();
  // Of all threads.
  size_t size() const { return count_; }

 private:
  std::atomic<size_t> count_ = 0;
  absl::Mutex mutex_;
  std::vector<std::pair<std::thread::id, SubmissionHazard>> hazards_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_SUBMISSION_HAZARD_H_
