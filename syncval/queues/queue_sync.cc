// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/queues/queue_sync.h"

#include <algorithm>

#include "syncval/recording/heuristics.h"

namespace assay::syncval {
namespace {

// Points of a queue that the host has not waited for, acquires with a fence, and hazards that no hook has come for.
constexpr size_t kMaxPoints = 4096;
constexpr size_t kMaxFences = 64;
constexpr size_t kMaxHazards = 256;

// The read that stands for a present or an acquire is one that every semaphore covers: the presentation engine's own is
// in no stage. Likewise the write that stands for a binding.
constexpr vk::SyncAccessIndex kPresentationRead = vk::kSyncCopyTransferRead;
constexpr vk::SyncAccessIndex kSparseBindWrite = vk::kSyncCopyTransferWrite;

// With a batch: what it knew when it signalled each of its semaphores.
class SignalSnapshots : public state::BatchSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kSyncval;
  std::vector<std::shared_ptr<const Snapshot>> signals;
  // What had been signalled before by the other of a queue's command buffers and its bindings; null for nothing.
  std::shared_ptr<const Snapshot> earlier;
};

bool IsShared(VkSwapchainKHR handle) {
  const auto* swapchain = state::DeviceState::Get<state::Swapchain>(handle);
  return swapchain == nullptr || swapchain->is_shared();
}

// Whether the access is an error where no memory is bound, or might not be yet. Shaders and attachments of a resource
// that is resident in part may keep off the parts that are not, in ways that nobody can see.
bool MustBeBound(const RecordedAccess& access, vk::SyncAccessIndex index) {
  constexpr VkPipelineStageFlags2 kExact = VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |
                                           VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT |
                                           VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
  if ((vk::SyncStageAccesses()[index].stage & kExact) != 0) return true;
  if (access.resource_type == state::Buffer::kType) {
    const auto* buffer = state::DeviceState::Get<state::Buffer>(access.resource);
    return buffer != nullptr && !buffer->is_partially_resident();
  }
  const auto* image = state::DeviceState::Get<state::Image>(access.resource);
  return image != nullptr && !image->is_partially_resident();
}

// Whether the access can count on a binding before it. That writes nothing, so to come after it is enough.
bool IsBound(const RecordedAccess& access, const ReplayHazard& found) {
  return !MustBeBound(access, found.access.index) ||
         (found.hazard.ordered_stages & vk::SyncStageAccesses()[found.access.index].stage) != 0;
}

// An image without sparse residency must have all of its memory before any of it is used. So to bind or take off what
// lies nobody knows where, other than in exchange for memory that was there, concerns all of it.
bool BindsEntireImage(const state::SparseBinding& binding) {
  return binding.image && binding.bytes.begin < binding.bytes.end && !binding.image->is_partially_resident() &&
         (!binding.memory || !binding.image->sparse->HasAll(binding.bytes));
}

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

// ---- Batches

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
  StoreHazards(std::exchange(found_, {}));
}

void QueueSync::AddPoint(const state::SubmittedBatch& batch) {
  QueueState& queue_state = QueueStateOf(*batch.queue);
  queue_state.points.push_back({batch.serial, PointOf(queue_state)});
  if (queue_state.points.size() <= kMaxPoints) return;
  device_.HostWait(queue_state.points.front().point);
  queue_state.points.pop_front();
  DropCompletedSources();
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

// Signals with the same first scope say the same.
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
  // Of a device group, where each device has memory of its own.
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
  const Tag base =
      device_.Replay(recording->context, MakeExecution(queue, tag_count, source), [&](const ReplayHazard& found) {
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

// Whether the earlier access was of memory that a sparse buffer may not have had any more.
bool QueueSync::IsOutdated(const Hazard& hazard) const {
  Tag tag;
  const std::optional<UsageSource> prior = FindSource(hazard.prior_tag, &tag);
  if (!prior.has_value() || !prior->has_outdated_bindings || prior->Recording() == nullptr) return false;
  const RecordedAccess* const access = prior->Recording()->FindAccess(tag, hazard.prior_access, hazard.range);
  return access != nullptr && access->is_of_sparse_memory;
}

// Whether it may be in order after all; see heuristics.h.
bool QueueSync::MayBeInOrder(const ReplayHazard& found, const SyncRecording& recording) const {
  const Hazard& hazard = found.hazard;
  const vk::SyncAccessIndex access = found.access.index;
  if (found.transition != nullptr) return false;
  if (recording.IsInResumedInstance(found.tag) && MayShareInstance(hazard.prior_access, access)) return true;
  return UnknownReadMayOrder(hazard, access) &&
         (recording.HasUnknownAccessBefore(found.tag) || last_unknown_access_ > hazard.prior_tag);
}

// As SyncRecording::IsOfSameResource; also where what was recorded is not known any more.
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

// ---- Presentation

QueueIndex QueueSync::Presentation() {
  if (!presentation_.has_value()) {
    presentation_ = device_.AddQueue(VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT);
  }
  return *presentation_;
}

void QueueSync::Present(const state::SubmittedBatch& batch, uint32_t index) {
  const state::PresentedImage& present = batch.presents[index];
  const auto* image = state::DeviceState::Get<state::Image>(present.image);
  if (image == nullptr || IsShared(present.handle)) return;
  RecordPresentationRead(*image,
                         {.kind = UsageSource::Kind::kPresent,
                          .queue = batch.queue,
                          .serial = batch.serial,
                          .command = batch.command,
                          .batch_index = batch.index,
                          .index = index},
                         true);
}

void QueueSync::OnAcquire(const state::AcquiredImage& acquired, state::Semaphore*, state::Fence* fence) {
  const auto* image = state::DeviceState::Get<state::Image>(acquired.image);
  if (image == nullptr || IsShared(acquired.swapchain)) return;
  const QueueIndex queue = Presentation();
  RecordPresentationRead(*image, {.kind = UsageSource::Kind::kAcquire}, false);
  acquired_[acquired.image] = device_.Signal(queue, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  if (fence == nullptr) return;
  acquire_fences_.emplace_back(fence->handle(), device_.PointOf(queue));
  if (acquire_fences_.size() <= kMaxFences) return;
  device_.HostWait(acquire_fences_.front().second);
  acquire_fences_.erase(acquire_fences_.begin());
}

void QueueSync::RecordPresentationRead(const state::Image& image, UsageSource source, bool reports) {
  const Range range{image.address, image.address + image.encoder.size()};
  if (range.begin == range.end) return;
  accesses_.Reset();
  accesses_.Update({.range = range, .index = kPresentationRead, .region = image.address}, Tag{0});
  const RecordedAccess access{.range = range,
                              .resource = image.handle(),
                              .resource_type = state::Image::kType,
                              .index = kNoIndex,
                              .access = vk::kSyncPresentEnginePresented,
                              .region = image.address};
  const size_t first = found_.size();
  device_.Replay(accesses_, MakeExecution(*presentation_, 1, source), [&](const ReplayHazard& found) {
    if (!reports) return;
    SubmissionHazard hazard{.source = source, .access = access, .tag = found.tag, .hazard = found.hazard};
    hazard.access.range = found.access.range;
    hazard.is_of_other_queue = true;
    Add(std::move(hazard), first);
  });
}

// ---- Sparse memory

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
  device_.Replay(accesses_, MakeExecution(queue, 1, source), [&](const ReplayHazard& found) {
    // Batches of one queue that bind have no order either, but drivers keep it, and programs count on that.
    if (found.hazard.prior_queue == queue || !MustBeBound(access, found.hazard.prior_access)) return;
    SubmissionHazard hazard{.source = source, .access = access, .tag = found.tag, .hazard = found.hazard};
    hazard.access.range = found.access.range;
    hazard.is_of_other_queue = true;
    Add(std::move(hazard), first);
  });
}

// ---- The host

void QueueSync::AddHostRaces(const RecordedAccess& access, std::vector<SubmissionHazard>& races, AcceptsRace accepts) {
  // What waits for the host to set an event may do so still.
  if (!host_event_waits_.empty()) return;
  device_.DetectHostRaces(access, [&](const ReplayHazard& found) {
    SubmissionHazard race{.source = {}, .access = access, .hazard = found.hazard};
    race.access.range = found.access.range;
    race.prior = FindSource(found.hazard.prior_tag, &race.prior_tag);
    if (!race.prior.has_value() || race.prior->kind != UsageSource::Kind::kCommandBuffer) return;
    if (access.is_of_shared_memory() && IsOfSameResource(access, found.hazard)) return;
    if (IsOutdated(found.hazard) || !accepts(race)) return;
    const bool is_known = std::ranges::any_of(races, [&](const SubmissionHazard& known) {
      return known.access.resource == race.access.resource && known.hazard.prior_tag == race.hazard.prior_tag;
    });
    if (!is_known) races.push_back(std::move(race));
  });
}

// ---- Who did what

Execution QueueSync::MakeExecution(QueueIndex queue, uint32_t tag_count, UsageSource source) {
  sources_.push_back(std::move(source));
  return {.tag_count = tag_count, .queue = queue, .submission = next_source_++};
}

std::optional<UsageSource> QueueSync::FindSource(Tag tag, Tag* in_recording) const {
  const Execution* const execution = device_.executions().Find(tag);
  const uint64_t first = next_source_ - sources_.size();
  if (execution == nullptr || execution->submission < first) return std::nullopt;
  *in_recording = execution->CommandOf(tag);
  return sources_[execution->submission - first];
}

void QueueSync::DropCompletedSources() {
  while (sources_.size() > device_.executions().size()) sources_.pop_front();
}

// ---- Completion

QueuePoint QueueSync::PointOf(const QueueState& queue_state) const {
  QueuePoint point = device_.PointOf(queue_state.index);
  if (queue_state.sparse_queue.has_value()) point.known.Extend(device_.PointOf(*queue_state.sparse_queue).known);
  return point;
}

QueueSync::QueueState& QueueSync::QueueStateOf(const state::Queue& queue) {
  if (queue.index >= queue_states_.size()) queue_states_.resize(queue.index + 1);
  std::optional<QueueState>& queue_state = queue_states_[queue.index];
  if (!queue_state.has_value()) queue_state = QueueState{.index = device_.AddQueue(queue.flags)};
  return *queue_state;
}

void QueueSync::OnRetire(state::Queue& queue, uint64_t serial) {
  QueueState& queue_state = QueueStateOf(queue);
  queue_state.retired = serial;
  if (queue_state.sparse_serial <= serial) queue_state.sparse_snapshot.reset();
  std::erase_if(host_event_waits_,
                [&](const state::QueuePoint& waiting) { return waiting.queue == &queue && waiting.serial <= serial; });
  std::optional<QueuePoint> last;
  while (!queue_state.points.empty() && queue_state.points.front().serial <= serial) {
    last = std::move(queue_state.points.front().point);
    queue_state.points.pop_front();
  }
  if (!last.has_value()) return;
  device_.HostWait(*last);
  DropCompletedSources();
}

// That the device is idle does not say that the presentation engine is, but applications take it for that, and there
// is no better way before VK_EXT_swapchain_maintenance1.
void QueueSync::OnHostWait(const state::HostWait& wait) {
  if (wait.kind == state::HostWait::Kind::kDeviceIdle && presentation_.has_value()) {
    device_.HostWait(device_.PointOf(*presentation_));
    acquired_.clear();
    acquire_fences_.clear();
  }
  if (wait.kind != state::HostWait::Kind::kFence) return;
  std::erase_if(acquire_fences_, [&](const std::pair<uint64_t, QueuePoint>& acquired) {
    if (acquired.first != wait.handle) return false;
    device_.HostWait(acquired.second);
    return true;
  });
  DropCompletedSources();
}

void QueueSync::OrderEverything() {
  for (std::optional<QueueState>& queue_state : queue_states_) {
    if (!queue_state.has_value()) continue;
    device_.HostWait(PointOf(*queue_state));
    queue_state->points.clear();
    queue_state->sparse_snapshot.reset();
  }
  if (presentation_.has_value()) device_.HostWait(device_.PointOf(*presentation_));
  DropCompletedSources();
}

// ---- What was found

void QueueSync::StoreHazards(std::vector<SubmissionHazard> found) {
  if (found.empty()) return;
  absl::MutexLock lock(&mutex_);
  for (SubmissionHazard& hazard : found) hazards_.emplace_back(std::this_thread::get_id(), std::move(hazard));
  if (hazards_.size() > kMaxHazards) hazards_.erase(hazards_.begin(), hazards_.end() - kMaxHazards);
}

std::vector<SubmissionHazard> QueueSync::TakeHazards() {
  std::vector<SubmissionHazard> taken;
  absl::MutexLock lock(&mutex_);
  std::erase_if(hazards_, [&](std::pair<std::thread::id, SubmissionHazard>& hazard) {
    if (hazard.first != std::this_thread::get_id()) return false;
    taken.push_back(std::move(hazard.second));
    return true;
  });
  return taken;
}

}  // namespace assay::syncval
