// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/filter/message_deduplicator.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace assay::messages {

bool MessageDeduplicator::CountIfDuplicate(uint64_t cause, bool may_skip, bool* skip) {
  absl::ReaderMutexLock lock(&mutex_);
  return Count(cause, may_skip, skip);
}

bool MessageDeduplicator::CountIfDuplicateElseAdd(uint64_t cause, Duplicates first, absl::FunctionRef<bool()> passes,
                                                  bool* skip) {
  absl::MutexLock lock(&mutex_);
  if (Count(cause, true, skip)) return true;
  if (passes() && entries_.size() < max_causes_) {
    auto entry = std::make_unique<Entry>();
    entry->id = std::move(first.id);
    entry->place = std::move(first.place);
    entry->skip = *skip;
    entries_.emplace(cause, std::move(entry));
  }
  return false;
}

void MessageDeduplicator::SetSkip(uint64_t cause, bool skip) {
  absl::ReaderMutexLock lock(&mutex_);
  const auto found = entries_.find(cause);
  if (found != entries_.end()) found->second->skip.store(skip, std::memory_order_relaxed);
}

std::vector<MessageDeduplicator::Duplicates> MessageDeduplicator::Counts() const {
  std::vector<Duplicates> result;
  {
    absl::ReaderMutexLock lock(&mutex_);
    for (const auto& [cause, entry] : entries_) {
      const uint64_t count = entry->count.load(std::memory_order_relaxed);
      if (count != 0) result.push_back({entry->id, entry->place, count});
    }
  }
  std::ranges::sort(result, [](const Duplicates& a, const Duplicates& b) {
    return std::tie(b.count, a.id, a.place) < std::tie(a.count, b.id, b.place);
  });
  return result;
}

bool MessageDeduplicator::Count(uint64_t cause, bool may_skip, bool* skip) const {
  const auto found = entries_.find(cause);
  if (found == entries_.end()) return false;
  const bool skips = found->second->skip.load(std::memory_order_relaxed);
  if (skips && !may_skip) return false;
  found->second->count.fetch_add(1, std::memory_order_relaxed);
  *skip = skips;
  return true;
}

}  // namespace assay::messages
