// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/object_names.h"

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "absl/synchronization/mutex.h"

namespace assay::messages {
namespace {

constexpr uint16_t kMaxCount = 0xffff;

}  // namespace

void ObjectNames::Set(ObjectRef object, std::string_view name) {
  if (name.empty()) {
    Remove(object);
    return;
  }
  absl::MutexLock lock(&mutex_);
  const bool is_new = names_.insert_or_assign(object, std::string(name)).second;
  std::atomic<uint16_t>& count = CountOf(object);
  const uint16_t before = count.load(std::memory_order_relaxed);
  if (is_new && before != kMaxCount) count.store(before + 1, std::memory_order_relaxed);
}

std::string ObjectNames::Get(ObjectRef object) const {
  if (CountOf(object).load(std::memory_order_relaxed) == 0) return {};
  absl::ReaderMutexLock lock(&mutex_);
  const auto found = names_.find(object);
  return found == names_.end() ? std::string() : found->second;
}

// The relaxed load is enough. The specification requires that the application synchronizes naming an object with
// destroying it, so the removed name was set before.
std::string ObjectNames::Take(ObjectRef object) {
  if (CountOf(object).load(std::memory_order_relaxed) == 0) return {};
  absl::MutexLock lock(&mutex_);
  const auto found = names_.find(object);
  if (found == names_.end()) return {};
  std::string name = std::move(found->second);
  names_.erase(found);
  std::atomic<uint16_t>& count = CountOf(object);
  const uint16_t before = count.load(std::memory_order_relaxed);
  if (before != kMaxCount) count.store(before - 1, std::memory_order_relaxed);
  return name;
}

}  // namespace assay::messages
