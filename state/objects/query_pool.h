// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_QUERY_POOL_H_
#define ASSAY_STATE_OBJECTS_QUERY_POOL_H_

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

#include "state/objects/object.h"
#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::state {

// A set of queries of one pool, which only grows. Thread-safe.
class QuerySet {
 public:
  explicit QuerySet(uint32_t count)
      : words_(count <= kMaxTracked ? std::make_unique<std::atomic<uint64_t>[]>(WordsFor(count)) : nullptr),
        count_(count) {}

  // Queries that the pool does not have are left out.
  void Add(uint32_t first, uint32_t count) {
    if (words_ == nullptr) return;
    ForEachWord(first, count, [&](uint32_t word, uint64_t bits) {
      if ((words_[word].load(std::memory_order_relaxed) & bits) != bits) words_[word].fetch_or(bits);
      return true;
    });
  }
  // The first query of a range that is not in the set, as far as the pool has the range; `first + count` if all are. A
  // pool with more queries than any program uses is taken to have all in the set.
  uint32_t FirstMissing(uint32_t first, uint32_t count) const {
    uint32_t missing = first + count;
    if (words_ == nullptr) return missing;
    ForEachWord(first, count, [&](uint32_t word, uint64_t bits) {
      const uint64_t absent = bits & ~words_[word].load(std::memory_order_relaxed);
      if (absent != 0) missing = word * 64 + static_cast<uint32_t>(std::countr_zero(absent));
      return absent == 0;
    });
    return missing;
  }
  bool HasAll(uint32_t first, uint32_t count) const { return FirstMissing(first, count) == first + count; }

 private:
  static constexpr uint32_t kMaxTracked = 1u << 20;
  static constexpr size_t WordsFor(uint32_t count) { return (size_t{count} + 63) / 64; }

  // Calls f(word, bits) for the words of a range, until one returns false.
  template <class F>
  void ForEachWord(uint32_t first, uint32_t count, const F& f) const {
    const auto end = static_cast<uint32_t>(std::min<uint64_t>(uint64_t{first} + count, count_));
    for (uint32_t query = first; query < end;) {
      const uint32_t next = std::min(end, (query / 64 + 1) * 64);
      const uint64_t bits = (~uint64_t{0} >> (64 - (next - query))) << (query % 64);
      if (!f(query / 64, bits)) return;
      query = next;
    }
  }

  // Null if there are too many.
  const std::unique_ptr<std::atomic<uint64_t>[]> words_;
  const uint32_t count_;
};

class QueryPool : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_QUERY_POOL;
  QueryPool(uint64_t handle, const VkQueryPoolCreateInfo& info)
      : Object(kType, handle),
        query_type(info.queryType),
        query_count(info.queryCount),
        statistics(info.queryType == VK_QUERY_TYPE_PIPELINE_STATISTICS ? info.pipelineStatistics : 0),
        feedback(info.queryType == VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR ? FeedbackOf(info) : 0),
        counter_count(CountersOf(info).counterIndexCount),
        counter_family(CountersOf(info).queueFamilyIndex),
        reset(info.queryCount),
        written(info.queryCount) {}

  const VkQueryType query_type;
  const uint32_t query_count;
  // 0 for other types of queries.
  const VkQueryPipelineStatisticFlags statistics;
  const VkVideoEncodeFeedbackFlagsKHR feedback;
  // Of performance queries: the number of counters, and their queue family. 0 for others.
  const uint32_t counter_count;
  const uint32_t counter_family;
  // The queries that a command which resets them was ever recorded for, and that the host has reset.
  QuerySet reset;
  // The queries that a command which makes them available was ever recorded for. With multiview, the host does not know
  // how many a command writes, so that there may be more here.
  QuerySet written;

 private:
  static VkVideoEncodeFeedbackFlagsKHR FeedbackOf(const VkQueryPoolCreateInfo& info) {
    const auto* own = vk::FindInChain<VkQueryPoolVideoEncodeFeedbackCreateInfoKHR>(info.pNext);
    return own != nullptr ? own->encodeFeedbackFlags : 0;
  }
  static VkQueryPoolPerformanceCreateInfoKHR CountersOf(const VkQueryPoolCreateInfo& info) {
    const auto* own = vk::FindInChain<VkQueryPoolPerformanceCreateInfoKHR>(info.pNext);
    const bool has_counters = own != nullptr && info.queryType == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR;
    return has_counters ? *own : VkQueryPoolPerformanceCreateInfoKHR{};
  }
};

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_QUERY_POOL_H_
