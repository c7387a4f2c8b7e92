// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/reports/cause_limits.h"

#include <algorithm>

namespace assay::gpuav {

bool CauseLimits::IsWithin(uint64_t command, uint64_t cause) {
  absl::MutexLock lock(&mutex_);
  if (commands_.size() >= kMaxCommands && !commands_.contains(command)) commands_.clear();
  auto& causes = commands_[command];
  if (std::ranges::find(causes, cause) != causes.end()) return true;
  if (causes.size() >= kCausesOfCommand) return false;
  causes.push_back(cause);
  return true;
}

}  // namespace assay::gpuav
