// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_FILTER_MESSAGE_ID_FILTER_H_
#define ASSAY_MESSAGES_FILTER_MESSAGE_ID_FILTER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "messages/filter/pattern.h"

namespace assay::messages {

// Passes the messages of each id up to the limit, and no message of a muted id. An id that was seen before costs a
// look-up by its hash and a counter. Thread safe.
class MessageIdFilter {
 public:
  enum class Verdict : uint8_t {
    kPass,
    // The last one that passes.
    kPassLast,
    kOverLimit,
    kMuted,
  };
  struct OverLimitCount {
    std::string id;
    uint64_t count;
  };

  // A limit of 0 means no limit.
  MessageIdFilter(uint32_t limit, std::vector<IdPattern> muted) : limit_(limit), muted_(std::move(muted)) {}

  // Counts one message. Messages without an id pass, and so does what shaders print unless it is muted.
  Verdict Pass(std::string_view id);

  // If messages of the id, given by its vk::VuidHash(), no longer pass, counts one and returns the reason. Otherwise
  // counts nothing and returns kPass.
  Verdict CountIfFiltered(uint64_t id_hash);

  bool IsMuted(std::string_view id) const;

  // The ids with messages over the limit and their counts, by id.
  std::vector<OverLimitCount> CountsOverLimit() const;

  uint32_t limit() const { return limit_; }

 private:
  struct Counter {
    std::string id;
    bool is_muted;
    std::atomic<uint64_t> seen = 0;
  };

  Counter* Find(uint64_t id_hash) const ABSL_LOCKS_EXCLUDED(mutex_);
  Counter* FindOrAdd(uint64_t id_hash, std::string_view id) ABSL_LOCKS_EXCLUDED(mutex_);

  const uint32_t limit_;
  const std::vector<IdPattern> muted_;
  mutable absl::Mutex mutex_;
  // Counters do not move, and are incremented without the lock.
  absl::flat_hash_map<uint64_t, std::unique_ptr<Counter>> counters_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_FILTER_MESSAGE_ID_FILTER_H_
