// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/object_names.h"

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "absl/synchronization/mutex.h"

namespace assay::messages {

void ObjectNames::Set(ObjectRef object, std::string_view name) {
  if (name.empty()) {
    Remove(object);
    return;
  }
  absl::MutexLock lock(&mutex_);
  names_.insert_or_assign(object, std::string(name));
  size_.store(names_.size(), std::memory_order_relaxed);
}

std::string ObjectNames::Get(ObjectRef object) const {
  if (size_.load(std::memory_order_relaxed) == 0) return {};
  absl::ReaderMutexLock lock(&mutex_);
  const auto found = names_.find(object);
  return found == names_.end() ? std::string() : found->second;
}

// The relaxed load is enough. The specification requires that the application synchronizes naming an object with
// destroying it, so the removed name was set before.
std::string ObjectNames::Take(ObjectRef object) {
  if (size_.load(std::memory_order_relaxed) == 0) return {};
  absl::MutexLock lock(&mutex_);
  const auto found = names_.find(object);
  if (found == names_.end()) return {};
  std::string name = std::move(found->second);
  names_.erase(found);
  size_.store(names_.size(), std::memory_order_relaxed);
  return name;
}

}  // namespace assay::messages
