// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/queues/queue_sync.h"

#include <algorithm>

#include "syncval/queues/resolve_late_accesses.h"
#include "syncval/queues/sparse_residency.h"
#include "syncval/recording/heuristics.h"
#include "syncval/recording/possible_reads.h"

namespace assay::syncval {
namespace {

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
  const std::vector<Wait> waits = WaitsOf(batch);
  if (!batch.is_present()) {
    for (const Wait& wait : waits) device_.Wait(queue, *wait.signal, wait.stages);
  }
  for (uint32_t i = 0; i < batch.command_buffers.size(); ++i) Execute(queue, batch, i);
  for (uint32_t i = 0; i < batch.presents.size(); ++i) Present(batch, i, waits);
  if (!batch.sparse_bindings.empty()) Bind(queue, batch);
  if (!batch.signals.empty()) Signal(queue, batch);
  if (!batch.is_present()) AddPoint(batch);
  hazards_.Store(std::exchange(found_, {}));
}

void QueueSync::AddPoint(const state::SubmittedBatch& batch) {
  QueueState& queue_state = QueueStateOf(*batch.queue);
  queue_state.points.push_back({batch.serial, PointOf(queue_state)});
  // OnSubmit does it, unless one submission has as many batches.
  LimitPoints(queue_state, 2 * kMaxPoints);
}

void QueueSync::LimitPoints(QueueState& queue_state, size_t limit) {
  if (queue_state.points.size() <= limit) return;
  for (; queue_state.points.size() > limit; queue_state.points.pop_front())
    device_.HostWait(queue_state.points.front().point);
  sources_.DropCompleted(device_.executions());
}

std::vector<QueueSync::Wait> QueueSync::WaitsOf(const state::SubmittedBatch& batch) {
  std::vector<Wait> waits;
  for (const state::BatchWait& wait : batch.waits) {
    AddWaits(wait, waits);
    if (wait.semaphore && wait.semaphore->is_timeline && wait.semaphore->progress.is_external)
      NoteSharedTimelineWait(batch);
  }
  return waits;
}

void QueueSync::NoteSharedTimelineWait(const state::SubmittedBatch& batch) {
  const auto known = std::ranges::find(shared_timeline_waits_, batch.queue, &SharedTimelineWaits::queue);
  if (known == shared_timeline_waits_.end()) {
    shared_timeline_waits_.push_back({batch.queue, batch.serial, batch.serial});
  } else {
    known->last = batch.serial;
  }
}

void QueueSync::AddWaits(const state::BatchWait& wait, std::vector<Wait>& waits) {
  switch (wait.source.kind) {
    case state::SignalSource::Kind::kComplete:
      return;
    case state::SignalSource::Kind::kAcquire:
      if (presentable_images_.contains(wait.source.image.image)) {
        PresentableImage& image = ChangePresentableImages()[wait.source.image.image];
        for (auto& signal : std::exchange(image.presented_after, {})) waits.push_back({std::move(signal), wait.stages});
        if (image.acquired != nullptr) waits.push_back({std::exchange(image.acquired, nullptr), wait.stages, true});
      }
      return;
    case state::SignalSource::Kind::kBatches:
      for (const state::SignalPoint& signal : wait.source.signals) {
        const auto* known = signal.batch != nullptr ? signal.batch->Sub<SignalSnapshots>() : nullptr;
        if (known != nullptr && signal.index < known->signals.size()) {
          waits.push_back({known->signals[signal.index], wait.stages});
          if (known->earlier != nullptr) waits.push_back({known->earlier, wait.stages});
        } else if (signal.point.queue == nullptr) {
          AddWaitsForAll(wait.stages, waits);
        } else if (QueueState& queue_state = QueueStateOf(*signal.point.queue);
                   queue_state.retired < signal.point.serial) {
          AddWaitsForAll(queue_state, wait.stages, waits);
        }
      }
      return;
    case state::SignalSource::Kind::kNone:
    case state::SignalSource::Kind::kUnknown:
      AddWaitsForAll(wait.stages, waits);
  }
}

void QueueSync::AddWaitsForAll(const QueueState& queue_state, VkPipelineStageFlags2 stages, std::vector<Wait>& waits) {
  constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  waits.push_back({device_.Signal(queue_state.index, kAll), stages});
  if (queue_state.sparse_queue.has_value()) waits.push_back({device_.Signal(*queue_state.sparse_queue, kAll), stages});
}

void QueueSync::AddWaitsForAll(VkPipelineStageFlags2 stages, std::vector<Wait>& waits) {
  for (const std::optional<QueueState>& queue_state : queue_states_) {
    if (queue_state.has_value()) AddWaitsForAll(*queue_state, stages, waits);
  }
  if (presentation_.has_value())
    waits.push_back({device_.Signal(*presentation_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT), stages});
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
  if (submitted.device_mask > 1) return device_.OrderEverything(queue);
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
  PossibleReadParts parts;
  AccessContext& replayed = ResolveLateAccesses(*recording);
  const Tag base = device_.Replay(replayed, sources_.MakeExecution(queue, tag_count, source), [&](ReplayHazard found) {
    const bool is_possible_read = found.access.ordering == OrderingRule::kPossible;
    const RecordedAccess* const access =
        is_possible_read ? recording->FindPossibleRead(found.tag, found.access.index, found.access.range)
                         : recording->FindAccess(found.tag, found.access.index, found.access.range);
    if (access == nullptr || MayBeInOrder(found, *recording)) return;
    if (found.hazard.is_prior_possible && !CoversPossibleRead(*access, found.hazard)) return;
    if (is_possible_read) {
      if (!parts.Add(found.tag, access->range, found.access.range)) return;
      found.access.range = access->range;
    }
    if (access->is_queue_family_acquire && found.hazard.kind < HazardKind::kReadRacingWrite) return;
    if (access->is_of_shared_memory() && IsOfSameResource(*access, found.hazard)) return;
    if (recording->IsOutdated(*access) || IsOutdated(found.hazard)) return;
    if (IsSparseBind(found.hazard.prior_tag) && IsBound(*access, found)) return;
    // Before the search for a suggestion, which takes its time.
    if (IsKnown(access->resource, found.hazard.prior_tag, first)) return;
    SubmissionHazard hazard{.source = source, .access = *access, .tag = found.tag, .hazard = found.hazard};
    hazard.access.range = found.access.range;
    hazard.is_of_other_queue = found.hazard.prior_queue != queue;
    const Tag before{device_.executions().next().value - tag_count};
    hazard.fix = device_.ContextOf(queue).SuggestForReplay(found, before, recording->queue_flags());
    Add(std::move(hazard), first);
  });
  for (const DeferredHazard& found : recording->deferred_hazards()) AddRecordedHazard(source, found);
  if (!recording->late_accesses().empty()) {
    for (const DeferredHazard& found : recording->GetLateResolution().hazards) AddRecordedHazard(source, found);
  }
  if (recording->HasUnknownAccess()) last_unknown_access_ = Tag{base.value + recording->last_unknown_access().value};
}

void QueueSync::AddRecordedHazard(const UsageSource& source, const DeferredHazard& found) {
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
  return access != nullptr && access->may_be_outdated();
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

// Whether the access is to all of the range of the possible read that it conflicts with. False if that recording is
// gone.
bool QueueSync::CoversPossibleRead(const RecordedAccess& access, const Hazard& hazard) const {
  Tag prior_tag;
  const std::optional<UsageSource> prior = FindSource(hazard.prior_tag, &prior_tag);
  const SyncRecording* const recording = prior.has_value() ? prior->Recording() : nullptr;
  return recording != nullptr && syncval::CoversPossibleRead(*recording, prior_tag, hazard, access);
}

bool QueueSync::IsKnown(uint64_t resource, Tag prior_tag, size_t first) const {
  return std::any_of(found_.begin() + static_cast<ptrdiff_t>(first), found_.end(), [&](const SubmissionHazard& known) {
    return known.access.resource == resource && known.hazard.prior_tag == prior_tag;
  });
}

void QueueSync::Add(SubmissionHazard hazard, size_t first) {
  if (hazard.is_of_other_queue && MayBeInOrder(hazard)) return;
  if (IsKnown(hazard.access.resource, hazard.hazard.prior_tag, first)) return;
  hazard.prior = FindSource(hazard.hazard.prior_tag, &hazard.prior_tag);
  found_.push_back(std::move(hazard));
}

bool QueueSync::MayBeInOrder(const SubmissionHazard& race) const {
  if (!host_event_waits_.empty()) return true;
  if (shared_timeline_waits_.empty()) return false;
  Tag tag;
  const std::optional<UsageSource> prior = FindSource(race.hazard.prior_tag, &tag);
  return prior.has_value() && std::ranges::any_of(shared_timeline_waits_, [&](const SharedTimelineWaits& waits) {
           return waits.queue == prior->queue && waits.first <= prior->serial;
         });
}

}  // namespace assay::syncval
