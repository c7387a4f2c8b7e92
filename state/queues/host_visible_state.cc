// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/queues/host_visible_state.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vk/chain.h"

namespace assay::state {
namespace {

using dispatch::Recording;
using dispatch::VisibleChange;
using Kind = VisibleChange::Kind;

uint32_t ValuesOf(const VkQueryPoolCreateInfo& info) {
  switch (info.queryType) {
    case VK_QUERY_TYPE_PIPELINE_STATISTICS:
      return static_cast<uint32_t>(std::popcount(info.pipelineStatistics));
    case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
      return 2;
    case VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR:
      return 0;
    case VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR: {
      const auto* feedback = vk::FindInChain<VkQueryPoolVideoEncodeFeedbackCreateInfoKHR>(info.pNext);
      return feedback != nullptr ? static_cast<uint32_t>(std::popcount(feedback->encodeFeedbackFlags)) : 0;
    }
    case VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR:
    case VK_QUERY_TYPE_PERFORMANCE_QUERY_INTEL:
      return HostVisibleState::kUnknownValues;
    default:
      return 1;
  }
}

// Calls f(query) for the queries of a range that the pool has.
template <class F>
void ForEachQuery(uint32_t first, uint32_t count, uint32_t size, const F& f) {
  const uint64_t end = std::min<uint64_t>(uint64_t{first} + count, size);
  for (uint64_t query = first; query < end; ++query) f(static_cast<uint32_t>(query));
}

// The availability or status that follows the values of each query.
bool ReadAvailability(const vk::GetQueryPoolResults& call, uint32_t values, uint32_t index) {
  const size_t word = (call.flags & VK_QUERY_RESULT_64_BIT) != 0 ? 8 : 4;
  const size_t offset = index * call.stride + values * word;
  if (call.pData == nullptr || offset + word > call.dataSize) return false;
  uint64_t value = 0;
  std::memcpy(&value, static_cast<const char*>(call.pData) + offset, word);
  return value != 0;
}

}  // namespace

void HostVisibleState::Add(VkQueryPool pool, const VkQueryPoolCreateInfo& info) {
  pools_[pool] = {.size = info.queryCount, .values = ValuesOf(info), .available = {}};
}

void HostVisibleState::HostReset(VkQueryPool pool, uint32_t first, uint32_t count) {
  const auto found = pools_.find(pool);
  if (found == pools_.end() || found->second.available.empty()) return;
  ForEachQuery(first, count, found->second.size, [&](uint32_t query) { found->second.available[query] = false; });
}

void HostVisibleState::Apply(const Recording& recording) {
  recording.ForEachChange([&](const VisibleChange& change) {
    switch (change.kind) {
      case Kind::kWriteQueries: {
        const auto found = pools_.find(reinterpret_cast<VkQueryPool>(change.handle));
        if (found == pools_.end()) return;
        Pool& pool = found->second;
        if (pool.available.empty()) pool.available.resize(pool.size);
        ForEachQuery(change.first, change.count, pool.size, [&](uint32_t query) { pool.available[query] = true; });
        return;
      }
      case Kind::kResetQueries:
        return HostReset(reinterpret_cast<VkQueryPool>(change.handle), change.first, change.count);
      case Kind::kSetEvent:
        return HostChange(reinterpret_cast<VkEvent>(change.handle), true);
      case Kind::kResetEvent:
        return HostChange(reinterpret_cast<VkEvent>(change.handle), false);
      case Kind::kSecondary:
        return;
    }
  });
}

HostVisibleState::Pool* HostVisibleState::Find(VkQueryPool pool) {
  const auto found = pools_.find(pool);
  return found != pools_.end() ? &found->second : nullptr;
}

bool HostVisibleState::IsVerified(const dispatch::ObjectId& object, uint64_t batch) const {
  if (object.type != VK_OBJECT_TYPE_QUERY_POOL) return false;
  const auto found = pools_.find(reinterpret_cast<VkQueryPool>(object.handle));
  return found != pools_.end() && batch <= found->second.verified;
}

bool FoundAll(const vk::GetQueryPoolResults& call, VkResult result) {
  return result == VK_SUCCESS &&
         ((call.flags & VK_QUERY_RESULT_WAIT_BIT) != 0 || (call.flags & VK_QUERY_RESULT_PARTIAL_BIT) == 0);
}

// Where not all queries are available, the application may ask for the availability of each.
NewlyAvailable::NewlyAvailable(const vk::GetQueryPoolResults& call, VkResult result, const HostVisibleState::Pool& pool)
    : pool_(reinterpret_cast<uint64_t>(call.queryPool)), first_(call.firstQuery) {
  constexpr VkQueryResultFlags kWithAvailability =
      VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR;
  const bool all = FoundAll(call, result);
  const bool each = !all && (call.flags & kWithAvailability) != 0 && pool.values != HostVisibleState::kUnknownValues;
  if ((!all && !each) || result < 0) return;
  ForEachQuery(call.firstQuery, call.queryCount, pool.size, [&](uint32_t query) {
    const bool is_available = all || ReadAvailability(call, pool.values, query - first_);
    const bool is_new = is_available && (pool.available.empty() || !pool.available[query]);
    queries_.push_back(is_new);
    count_ += is_new ? 1 : 0;
  });
}

bool NewlyAvailable::TakeWrittenBy(const Recording& recording) {
  const size_t before = count_;
  recording.ForEachChange([&](const VisibleChange& change) {
    if (change.kind != Kind::kWriteQueries || change.handle != pool_) return;
    const uint64_t end = std::min<uint64_t>(uint64_t{change.first} + change.count, uint64_t{first_} + queries_.size());
    for (uint64_t query = std::max(change.first, first_); query < end; ++query) {
      if (!queries_[query - first_]) continue;
      queries_[query - first_] = false;
      --count_;
    }
  });
  return count_ != before;
}

bool Sets(const Recording& recording, VkEvent event) {
  bool sets = false;
  recording.ForEachChange([&](const VisibleChange& change) {
    sets |= change.kind == Kind::kSetEvent && change.handle == reinterpret_cast<uint64_t>(event);
  });
  return sets;
}

}  // namespace assay::state
