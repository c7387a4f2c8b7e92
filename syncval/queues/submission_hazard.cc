// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/queues/submission_hazard.h"

#include <cstddef>

namespace assay::syncval {
namespace {

// Hazards beyond that, which no hook took, are dropped: the oldest first.
constexpr size_t kMaxHazards = 256;

}  // namespace

void SubmissionHazards::Store(std::vector<SubmissionHazard> found) {
  if (found.empty()) return;
  absl::MutexLock lock(&mutex_);
  for (SubmissionHazard& hazard : found) hazards_.emplace_back(std::this_thread::get_id(), std::move(hazard));
  if (hazards_.size() > kMaxHazards) hazards_.erase(hazards_.begin(), hazards_.end() - kMaxHazards);
}

std::vector<SubmissionHazard> SubmissionHazards::Take() {
  std::vector<SubmissionHazard> taken;
  absl::MutexLock lock(&mutex_);
  std::erase_if(hazards_, [&](std::pair<std::thread::id, SubmissionHazard>& hazard) {
    if (hazard.first != std::this_thread::get_id()) return false;
    taken.push_back(std::move(hazard.second));
    return true;
  });
  return taken;
}

}  // namespace assay::syncval
