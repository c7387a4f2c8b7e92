// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// vkQueueBindSparse as the work of a queue of its own.

#include <utility>

#include "syncval/queues/queue_sync.h"
#include "syncval/queues/sparse_residency.h"

namespace assay::syncval {
namespace {

// The write that stands for a binding: one that every semaphore covers.
constexpr vk::SyncAccessIndex kSparseBindWrite = vk::kSyncCopyTransferWrite;

// Without its range.
RecordedAccess AccessOf(const state::SparseBinding& binding) {
  const bool is_image = static_cast<bool>(binding.image);
  return {.resource = is_image ? binding.image->handle() : binding.buffer->handle(),
          .resource_type = is_image ? state::Image::kType : state::Buffer::kType,
          .index = kNoIndex,
          .access = kSparseBindWrite,
          .region = is_image ? binding.image->address : binding.buffer->address};
}

}  // namespace

QueueIndex QueueSync::SparseQueueOf(const state::Queue& queue) {
  std::optional<QueueIndex>& sparse_queue = QueueStateOf(queue).sparse_queue;
  if (!sparse_queue.has_value()) sparse_queue = device_.AddQueue(queue.flags);
  return *sparse_queue;
}

bool QueueSync::IsSparseBind(Tag tag) const {
  Tag in_recording;
  const std::optional<UsageSource> source = FindSource(tag, &in_recording);
  return source.has_value() && source->kind == UsageSource::Kind::kSparseBind;
}

void QueueSync::Bind(QueueIndex queue, const state::SubmittedBatch& batch) {
  for (const state::SparseBinding& binding : batch.sparse_bindings) {
    Bind(queue, binding,
         {.kind = UsageSource::Kind::kSparseBind,
          .queue = batch.queue,
          .serial = batch.serial,
          .command = batch.command,
          .batch_index = batch.index,
          .index = binding.index,
          .member = binding.member});
  }
}

void QueueSync::Bind(QueueIndex queue, const state::SparseBinding& binding, UsageSource source) {
  RecordedAccess access = AccessOf(binding);
  state::ByteRanges ranges = binding.ranges;
  if (BindsEntireImage(binding)) ranges = {{access.region, access.region + binding.image->encoder.size()}};
  if (ranges.empty()) return;
  accesses_.Reset();
  for (const state::ByteRange& range : ranges) {
    accesses_.Update({.range = {range.begin, range.end}, .index = kSparseBindWrite, .region = access.region}, Tag{0});
  }
  const size_t first = found_.size();
  device_.Replay(accesses_, sources_.MakeExecution(queue, 1, source), [&](const ReplayHazard& found) {
    // Sparse batches of one queue have no order either, but drivers keep it, and programs rely on that.
    if (found.hazard.prior_queue == queue || !MustBeBound(access, found.hazard.prior_access)) return;
    SubmissionHazard hazard{.source = source, .access = access, .tag = found.tag, .hazard = found.hazard};
    hazard.access.range = found.access.range;
    hazard.is_of_other_queue = true;
    Add(std::move(hazard), first);
  });
}

}  // namespace assay::syncval
