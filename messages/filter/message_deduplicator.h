// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_FILTER_MESSAGE_DEDUPLICATOR_H_
#define ASSAY_MESSAGES_FILTER_MESSAGE_DEDUPLICATOR_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"

namespace assay::messages {

// Passes the first message of each cause (Message::cause) and counts the duplicates. A duplicate costs a look-up and a
// counter. Thread safe. The number of causes is limited; when it is reached, messages of other causes pass.
class MessageDeduplicator {
 public:
  static constexpr size_t kMaxCauses = 4096;

  // The duplicates of one message.
  struct Duplicates {
    std::string id;
    // The place of the message that passed, as text for messages.
    std::string place;
    uint64_t count = 0;
  };

  explicit MessageDeduplicator(size_t max_causes = kMaxCauses) : max_causes_(max_causes) {}

  // If a message of the cause has passed, counts one more, sets *skip to its answer and returns true. Without may_skip,
  // one that skipped its call counts nothing and returns false.
  bool CountIfDuplicate(uint64_t cause, bool may_skip, bool* skip) ABSL_LOCKS_EXCLUDED(mutex_);

  // The same, with may_skip. If none has passed, calls passes() to find whether this one does. If so, records it as the
  // first, with *skip as its answer until SetSkip(). Other messages wait meanwhile, so one of many concurrent messages
  // is the first.
  bool CountIfDuplicateElseAdd(uint64_t cause, Duplicates first, absl::FunctionRef<bool()> passes, bool* skip)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Sets whether the first message of the cause skipped its Vulkan call. Its duplicates have the same answer.
  void SetSkip(uint64_t cause, bool skip) ABSL_LOCKS_EXCLUDED(mutex_);

  // The causes with duplicates, the most frequent first.
  std::vector<Duplicates> Counts() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Entry {
    std::string id;
    std::string place;
    std::atomic<uint64_t> count = 0;
    std::atomic<bool> skip = false;
  };

  bool Count(uint64_t cause, bool may_skip, bool* skip) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  const size_t max_causes_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<uint64_t, std::unique_ptr<Entry>> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_FILTER_MESSAGE_DEDUPLICATOR_H_
