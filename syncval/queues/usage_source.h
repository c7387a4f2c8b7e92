// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_QUEUES_USAGE_SOURCE_H_
#define ASSAY_SYNCVAL_QUEUES_USAGE_SOURCE_H_

#include <cstdint>
#include <deque>
#include <optional>

#include "state/state.h"
#include "syncval/engine/engine.h"
#include "syncval/recording/recording.h"
#include "vk/command_id.h"

namespace assay::syncval {

// The source of an access on a queue, for reports: a command buffer of a submission, a present, an acquire or a sparse
// binding.
struct UsageSource {
  enum class Kind : uint8_t { kCommandBuffer, kPresent, kAcquire, kSparseBind };
  Kind kind = Kind::kCommandBuffer;
  state::Ref<state::CommandBuffer> buffer;
  // CommandBuffer::recording at the submission. The command buffer may hold another recording by now.
  uint64_t recording = 0;
  // The batch's; null for an acquire.
  const state::Queue* queue = nullptr;
  uint64_t serial = 0;
  vk::CommandId command{};
  // Of the batch in its call, and of the command buffer, presented image or element of `member` in the batch.
  uint32_t batch_index = 0;
  uint32_t index = 0;
  // state::SparseBinding::member; null for other kinds.
  const char* member = nullptr;
  // Whether sparse buffers that share sparse blocks of memory were bound anew since the recording. Then it is unknown
  // what the recording accesses.
  bool has_outdated_bindings = false;
  // Whether the host may know that the batch is complete. Then it may be recording the command buffer anew.
  bool is_over = false;

  // Sets is_over. To be called while the queues are held; see state::DeviceState.
  void Refresh();
  // Null if the command buffer may not hold the recording any more. After Refresh(), the recording may be read while
  // the queues are held: until then, the host does not learn that the batch is complete, and the command buffer is
  // pending.
  const SyncRecording* Recording() const {
    return buffer && !is_over && buffer->recording == recording ? buffer->Sub<SyncRecording>() : nullptr;
  }
};

// The sources of the executions of a device, in the order of its ExecutionTable.
class UsageSources {
 public:
  // An execution by the source, to be replayed next.
  Execution MakeExecution(QueueIndex queue, uint32_t tag_count, UsageSource source);
  // The source of the command with this tag, whose tag in its recording becomes *in_recording; none if it was dropped.
  // To be called while the queues are held: it has been refreshed.
  std::optional<UsageSource> Find(const ExecutionTable& executions, Tag tag, Tag* in_recording) const;
  // Takes back all but the first `size`.
  void ShrinkTo(size_t size);
  size_t size() const { return sources_.size(); }
  // Drops the sources of executions that the table dropped.
  void DropCompleted(const ExecutionTable& executions);

 private:
  std::deque<UsageSource> sources_;
  uint64_t next_ = 0;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_USAGE_SOURCE_H_
