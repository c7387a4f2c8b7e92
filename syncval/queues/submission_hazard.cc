// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/queues/submission_hazard.h"

namespace assay::syncval {

void SubmissionHazards::Store(std::vector<SubmissionHazard> found) {
  if (found.empty()) return;
  absl::MutexLock lock(&mutex_);
  for (SubmissionHazard& hazard : found) hazards_.emplace_back(std::this_thread::get_id(), std::move(hazard));
  count_.store(hazards_.size(), std::memory_order_relaxed);
}

std::vector<SubmissionHazard> SubmissionHazards::Take() {
  std::vector<SubmissionHazard> taken;
  if (count_.load(std::memory_order_relaxed) == 0) return taken;
  absl::MutexLock lock(&mutex_);
  std::erase_if(hazards_, [&](std::pair<std::thread::id, SubmissionHazard>& hazard) {
    if (hazard.first != std::this_thread::get_id()) return false;
    taken.push_back(std::move(hazard.second));
    return true;
  });
  count_.store(hazards_.size(), std::memory_order_relaxed);
  return taken;
}

}  // namespace assay::syncval
