// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/filter/message_id_filter.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vk/vuid.h"

namespace assay::messages {
namespace {

// What shaders print is output that the user asked for.
constexpr std::string_view kWithoutLimit = "WARNING-DEBUG-PRINTF";

}  // namespace

MessageIdFilter::Verdict MessageIdFilter::Pass(std::string_view id) {
  if (id.empty() || (id == kWithoutLimit && !IsMuted(id))) return Verdict::kPass;
  Counter& counter = *FindOrAdd(vk::VuidHash(id), id);
  const uint64_t seen = counter.seen.fetch_add(1, std::memory_order_relaxed) + 1;
  if (counter.is_muted) return Verdict::kMuted;
  if (limit_ == 0 || seen < limit_) return Verdict::kPass;
  return seen == limit_ ? Verdict::kPassLast : Verdict::kOverLimit;
}

MessageIdFilter::Verdict MessageIdFilter::CountIfFiltered(uint64_t id_hash) {
  Counter* counter = Find(id_hash);
  if (counter == nullptr) return Verdict::kPass;
  if (counter->is_muted) return Verdict::kMuted;
  if (limit_ == 0 || counter->seen.load(std::memory_order_relaxed) < limit_) return Verdict::kPass;
  counter->seen.fetch_add(1, std::memory_order_relaxed);
  return Verdict::kOverLimit;
}

bool MessageIdFilter::IsMuted(std::string_view id) const {
  return std::ranges::any_of(muted_, [id](const IdPattern& pattern) { return pattern.Matches(id); });
}

std::vector<MessageIdFilter::OverLimitCount> MessageIdFilter::CountsOverLimit() const {
  std::vector<OverLimitCount> result;
  {
    absl::ReaderMutexLock lock(&mutex_);
    for (const auto& [hash, counter] : counters_) {
      const uint64_t seen = counter->seen.load(std::memory_order_relaxed);
      if (!counter->is_muted && limit_ != 0 && seen > limit_) result.push_back({counter->id, seen - limit_});
    }
  }
  std::ranges::sort(result, {}, &OverLimitCount::id);
  return result;
}

MessageIdFilter::Counter* MessageIdFilter::Find(uint64_t id_hash) const {
  absl::ReaderMutexLock lock(&mutex_);
  const auto found = counters_.find(id_hash);
  return found == counters_.end() ? nullptr : found->second.get();
}

MessageIdFilter::Counter* MessageIdFilter::FindOrAdd(uint64_t id_hash, std::string_view id) {
  if (Counter* counter = Find(id_hash)) return counter;
  auto added = std::make_unique<Counter>(std::string(id), IsMuted(id));
  absl::MutexLock lock(&mutex_);
  return counters_.try_emplace(id_hash, std::move(added)).first->second.get();
}

}  // namespace assay::messages
