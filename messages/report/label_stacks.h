// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_REPORT_LABEL_STACKS_H_
#define ASSAY_MESSAGES_REPORT_LABEL_STACKS_H_

#include <atomic>
#include <cstddef>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "messages/message/message.h"
#include "messages/message/object_ref.h"

namespace assay::messages {

// The debug labels that are open on each queue and in each command buffer that is being recorded
// (vkQueueBeginDebugUtilsLabelEXT, vkCmdBeginDebugUtilsLabelEXT, vkCmdDebugMarkerBeginEXT). Thread safe. The lock is
// held for one look-up and never while other code runs.
class LabelStacks {
 public:
  void Begin(ObjectRef object, Label label);
  // Does nothing when no label is open.
  void End(ObjectRef object);
  // To be called when a command buffer is begun, reset or freed. Costs one relaxed load while no label is open at all.
  void Clear(ObjectRef object);

  // Outermost first.
  std::vector<Label> Get(ObjectRef object) const;

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<ObjectRef, std::vector<Label>> stacks_ ABSL_GUARDED_BY(mutex_);
  // stacks_.size(), readable without the lock.
  std::atomic<size_t> size_ = 0;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_REPORT_LABEL_STACKS_H_
