// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_REPORT_LABEL_STACKS_H_
#define ASSAY_MESSAGES_REPORT_LABEL_STACKS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "messages/message/message.h"
#include "messages/message/object_ref.h"

namespace assay::messages {

// The debug labels of each queue and of each command buffer that is being recorded: those that are open
// (vkQueueBeginDebugUtilsLabelEXT, vkCmdBeginDebugUtilsLabelEXT, vkCmdDebugMarkerBeginEXT), and the last one that was
// inserted since the last of these began or ended (vkCmdInsertDebugUtilsLabelEXT and its like). Thread safe. A lock is
// held for one look-up and never while other code runs. Objects share locks by their handles, so threads that record
// different command buffers rarely meet. An object's memory is kept for its next labels.
class LabelStacks {
 public:
  // name may be null.
  void Begin(ObjectRef object, const char* name, const float (&color)[4]);
  // Does nothing when no label is open.
  void End(ObjectRef object);
  // Replaces the label that was inserted before.
  void Insert(ObjectRef object, const char* name, const float (&color)[4]);
  // To be called when a command buffer is begun. Costs one relaxed load while no object has had a label.
  void Clear(ObjectRef object);
  // To be called when a command buffer is freed. The same.
  void Remove(ObjectRef object);

  // The open labels, outermost first, then the inserted one.
  std::vector<Label> Get(ObjectRef object) const;

 private:
  struct Stack {
    // The first `depth` are open; the one after them is the inserted one, if there is one.
    std::vector<Label> labels;
    size_t depth = 0;
    bool has_inserted = false;

    void Set(size_t index, const char* name, const float (&color)[4]);
  };
  struct alignas(64) Shard {
    mutable absl::Mutex mutex;
    absl::flat_hash_map<ObjectRef, Stack> stacks ABSL_GUARDED_BY(mutex);
  };
  static constexpr size_t kShards = 32;

  // Dispatchable handles are addresses: the low bits say little.
  static size_t ShardIndexOf(ObjectRef object) { return (object.handle >> 6 ^ object.handle >> 12) % kShards; }
  Shard& ShardOf(ObjectRef object) { return shards_[ShardIndexOf(object)]; }

  std::array<Shard, kShards> shards_;
  // Whether any object has had a label.
  std::atomic<bool> is_used_ = false;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_REPORT_LABEL_STACKS_H_
