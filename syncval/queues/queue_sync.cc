// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/queues/queue_sync.h"

#include <algorithm>

#include "syncval/queues/sparse_residency.h"
#include "syncval/recording/heuristics.h"

namespace assay::syncval {
namespace {

// Points of a queue that the host has not waited for.
constexpr size_t kMaxPoints = 4096;

// Kept with a batch: the snapshot of each of its signals.
class SignalSnapshots : public state::BatchSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kSyncval;
  std::vector<std::shared_ptr<const Snapshot>> signals;
  // The earlier signals of the other of the two: the queue's command buffers and its sparse bindings. Null for none.
  std::shared_ptr<const Snapshot> earlier;
};

}  // namespace

void QueueSync::OnBatch(state::SubmittedBatch& batch, uint64_t) {
  const QueueIndex queue = batch.is_present()  ? Presentation()
                           : batch.is_sparse() ? SparseQueueOf(*batch.queue)
                                               : QueueStateOf(*batch.queue).index;
  for (const state::BatchWait& wait : batch.waits) WaitFor(queue, wait);
  for (uint32_t i = 0; i < batch.command_buffers.size(); ++i) Execute(queue, batch, i);
  for (uint32_t i = 0; i < batch.presents.size(); ++i) Present(batch, i);
  if (!batch.sparse_bindings.empty()) Bind(queue, batch);
  if (!batch.signals.empty()) Signal(queue, batch);
  if (!batch.is_present()) AddPoint(batch);
  hazards_.Store(std::exchange(found_, {}));
}

void QueueSync::AddPoint(const state::SubmittedBatch& batch) {
  QueueState& queue_state = QueueStateOf(*batch.queue);
  queue_state.points.push_back({batch.serial, PointOf(queue_state)});
  if (queue_state.points.size() <= kMaxPoints) return;
  device_.HostWait(queue_state.points.front().point);
  queue_state.points.pop_front();
  sources_.DropCompleted(device_.executions());
}

void QueueSync::WaitFor(QueueIndex queue, const state::BatchWait& wait) {
  switch (wait.source.kind) {
    case state::SignalSource::Kind::kComplete:
      return;
    case state::SignalSource::Kind::kAcquire:
      if (const auto found = acquired_.find(wait.source.image.image); found != acquired_.end()) {
        device_.Wait(queue, *found->second, wait.stages);
      }
      return;
    case state::SignalSource::Kind::kBatches:
      for (const state::SignalPoint& signal : wait.source.signals) {
        const auto* known = signal.batch != nullptr ? signal.batch->Sub<SignalSnapshots>() : nullptr;
        if (known != nullptr && signal.index < known->signals.size()) {
          device_.Wait(queue, *known->signals[signal.index], wait.stages);
          if (known->earlier != nullptr) device_.Wait(queue, *known->earlier, wait.stages);
        } else if (signal.point.queue == nullptr || QueueStateOf(*signal.point.queue).retired < signal.point.serial) {
          OrderEverything();
        }
      }
      return;
    case state::SignalSource::Kind::kNone:
    case state::SignalSource::Kind::kUnknown:
      OrderEverything();
  }
}

// Consecutive signals with the same first scope share a snapshot.
void QueueSync::Signal(QueueIndex queue, state::SubmittedBatch& batch) {
  auto snapshots = std::make_unique<SignalSnapshots>();
  for (size_t i = 0; i < batch.signals.size(); ++i) {
    const VkPipelineStageFlags2 stages = batch.signals[i].stages;
    const bool repeats = i > 0 && batch.signals[i - 1].stages == stages;
    snapshots->signals.push_back(repeats ? snapshots->signals.back() : device_.Signal(queue, stages));
  }
  QueueState& queue_state = QueueStateOf(*batch.queue);
  if (batch.is_sparse()) {
    snapshots->earlier = device_.Signal(queue_state.index, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    queue_state.sparse_snapshot = snapshots->signals.back();
    queue_state.sparse_serial = batch.serial;
  } else {
    snapshots->earlier = queue_state.sparse_snapshot;
  }
  batch.Attach(SignalSnapshots::kSlot, std::move(snapshots));
}

void QueueSync::Execute(QueueIndex queue, const state::SubmittedBatch& batch, uint32_t index) {
  const state::SubmittedCommandBuffer& submitted = batch.command_buffers[index];
  SyncRecording* const recording = submitted.state ? submitted.state->Sub<SyncRecording>() : nullptr;
  if (recording == nullptr || submitted.state->recording_state != state::RecordingState::kExecutable) return;
  // In a device group each device has memory of its own.
  if (submitted.device_mask > 1) return OrderEverything();
  const UsageSource source{.buffer = submitted.state,
                           .recording = submitted.state->recording,
                           .queue = batch.queue,
                           .serial = batch.serial,
                           .command = batch.command,
                           .batch_index = batch.index,
                           .index = index,
                           .has_outdated_bindings = recording->HasOutdatedBindings()};
  if (recording->waits_for_host()) {
    std::erase_if(host_event_waits_, [&](const state::QueuePoint& earlier) { return earlier.queue == batch.queue; });
    host_event_waits_.push_back(batch.point());
  }
  const size_t first = found_.size();
  const uint32_t tag_count = recording->command_count() + 1;
  last_unknown_access_ = std::min(last_unknown_access_, device_.executions().next());
  const Tag base = device_.Replay(
      recording->context, sources_.MakeExecution(queue, tag_count, source), [&](const ReplayHazard& found) {
        const RecordedAccess* const access = recording->FindAccess(found.tag, found.access.index, found.access.range);
        if (access == nullptr || MayBeInOrder(found, *recording)) return;
        if (access->is_of_shared_memory() && IsOfSameResource(*access, found.hazard)) return;
        if (recording->IsOutdated(*access) || IsOutdated(found.hazard)) return;
        if (IsSparseBind(found.hazard.prior_tag) && IsBound(*access, found)) return;
        SubmissionHazard hazard{.source = source, .access = *access, .tag = found.tag, .hazard = found.hazard};
        hazard.access.range = found.access.range;
        hazard.is_of_other_queue = found.hazard.prior_queue != queue;
        const Tag before{device_.executions().next().value - tag_count};
        hazard.fix = device_.ContextOf(queue).SuggestForReplay(found, before, recording->queue_flags());
        Add(std::move(hazard), first);
      });
  for (const SparseMemoryHazard& found : recording->sparse_memory_hazards()) AddRecordedHazard(source, found);
  if (recording->HasUnknownAccess()) last_unknown_access_ = Tag{base.value + recording->last_unknown_access().value};
}

void QueueSync::AddRecordedHazard(const UsageSource& source, const SparseMemoryHazard& found) {
  const SyncRecording& recording = *source.Recording();
  const RecordedAccess* const prior =
      recording.FindAccess(found.hazard.prior_tag, found.hazard.prior_access, found.hazard.range);
  if (prior == nullptr || recording.IsOutdated(found.access) || recording.IsOutdated(*prior)) return;
  SubmissionHazard hazard{.source = source, .access = found.access, .tag = found.tag, .hazard = found.hazard};
  hazard.prior = source;
  hazard.prior_tag = found.hazard.prior_tag;
  hazard.fix = found.fix;
  found_.push_back(std::move(hazard));
}

bool QueueSync::IsOutdated(const Hazard& hazard) const {
  Tag tag;
  const std::optional<UsageSource> prior = FindSource(hazard.prior_tag, &tag);
  if (!prior.has_value() || !prior->has_outdated_bindings || prior->Recording() == nullptr) return false;
  const RecordedAccess* const access = prior->Recording()->FindAccess(tag, hazard.prior_access, hazard.range);
  return access != nullptr && access->is_of_sparse_memory;
}

// Whether the accesses may be in order after all; see heuristics.h.
bool QueueSync::MayBeInOrder(const ReplayHazard& found, const SyncRecording& recording) const {
  const Hazard& hazard = found.hazard;
  const vk::SyncAccessIndex access = found.access.index;
  if (found.transition != nullptr) return false;
  if (recording.IsInResumedInstance(found.tag) && MayShareInstance(hazard.prior_access, access)) return true;
  return UnknownReadMayOrder(hazard, access) &&
         (recording.HasUnknownAccessBefore(found.tag) || last_unknown_access_ > hazard.prior_tag);
}

// SyncRecording::IsOfSameResource; also true if the recording is gone.
bool QueueSync::IsOfSameResource(const RecordedAccess& access, const Hazard& hazard) const {
  Tag prior_tag;
  const std::optional<UsageSource> prior = FindSource(hazard.prior_tag, &prior_tag);
  const SyncRecording* const recording = prior.has_value() ? prior->Recording() : nullptr;
  return recording == nullptr || recording->IsOfSameResource(access, prior_tag, hazard);
}

void QueueSync::Add(SubmissionHazard hazard, size_t first) {
  if (hazard.is_of_other_queue && !host_event_waits_.empty()) return;
  for (size_t i = first; i < found_.size(); ++i) {
    const SubmissionHazard& known = found_[i];
    if (known.access.resource == hazard.access.resource && known.hazard.prior_tag == hazard.hazard.prior_tag) return;
  }
  hazard.prior = FindSource(hazard.hazard.prior_tag, &hazard.prior_tag);
  found_.push_back(std::move(hazard));
}

}  // namespace assay::syncval
