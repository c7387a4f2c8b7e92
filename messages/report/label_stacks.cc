// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/label_stacks.h"

#include <atomic>
#include <utility>
#include <vector>

namespace assay::messages {

void LabelStacks::Begin(ObjectRef object, Label label) {
  absl::MutexLock lock(&mutex_);
  stacks_[object].push_back(std::move(label));
  size_.store(stacks_.size(), std::memory_order_relaxed);
}

void LabelStacks::End(ObjectRef object) {
  absl::MutexLock lock(&mutex_);
  const auto found = stacks_.find(object);
  if (found == stacks_.end()) return;
  found->second.pop_back();
  if (found->second.empty()) stacks_.erase(found);
  size_.store(stacks_.size(), std::memory_order_relaxed);
}

void LabelStacks::Clear(ObjectRef object) {
  if (size_.load(std::memory_order_relaxed) == 0) return;
  absl::MutexLock lock(&mutex_);
  stacks_.erase(object);
  size_.store(stacks_.size(), std::memory_order_relaxed);
}

std::vector<Label> LabelStacks::Get(ObjectRef object) const {
  if (size_.load(std::memory_order_relaxed) == 0) return {};
  absl::MutexLock lock(&mutex_);
  const auto found = stacks_.find(object);
  return found == stacks_.end() ? std::vector<Label>() : found->second;
}

}  // namespace assay::messages
