// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/queue_sync.h"

#include <algorithm>

#include "syncval/doubts.h"

namespace assay::syncval {
namespace {

// Points of a queue that the host has not waited for, acquires with a fence, and hazards that no hook has come for.
constexpr size_t kMaxPoints = 4096;
constexpr size_t kMaxFences = 64;
constexpr size_t kMaxHazards = 256;

// With a batch: what it knew when it signalled each of its semaphores.
class SignalledKnowledge : public state::BatchSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kSyncval;
  std::vector<std::shared_ptr<const Snapshot>> signals;
};

bool IsShared(VkSwapchainKHR handle) {
  const auto* swapchain = state::DeviceState::Get<state::Swapchain>(handle);
  return swapchain == nullptr || swapchain->is_shared();
}

}  // namespace

// ---- Batches

void QueueSync::OnBatch(state::SubmittedBatch& batch, uint64_t) {
  const QueueIndex queue = batch.is_present() ? Presentation() : LaneOf(*batch.queue).index;
  for (const state::BatchWait& wait : batch.waits) WaitFor(queue, wait);
  for (uint32_t i = 0; i < batch.command_buffers.size(); ++i) Execute(queue, batch, i);
  for (uint32_t i = 0; i < batch.presents.size(); ++i) Present(batch, i);
  if (!batch.signals.empty()) Signal(queue, batch);
  if (!batch.is_present()) {
    std::deque<Point>& points = LaneOf(*batch.queue).points;
    points.push_back({batch.serial, device_.PointOf(queue)});
    if (points.size() > kMaxPoints) {
      device_.HostWait(points.front().point);
      points.pop_front();
      DropForgottenDoers();
    }
  }
  Keep(std::exchange(found_, {}));
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
        const auto* known = signal.batch != nullptr ? signal.batch->Sub<SignalledKnowledge>() : nullptr;
        if (known != nullptr && signal.index < known->signals.size()) {
          device_.Wait(queue, *known->signals[signal.index], wait.stages);
        } else if (signal.point.queue == nullptr || LaneOf(*signal.point.queue).retired < signal.point.serial) {
          Forget();
        }
      }
      return;
    case state::SignalSource::Kind::kNone:
    case state::SignalSource::Kind::kUnknown:
      Forget();
  }
}

// Signals with the same first scope say the same.
void QueueSync::Signal(QueueIndex queue, state::SubmittedBatch& batch) {
  auto knowledge = std::make_unique<SignalledKnowledge>();
  for (size_t i = 0; i < batch.signals.size(); ++i) {
    const VkPipelineStageFlags2 stages = batch.signals[i].stages;
    const bool repeats = i > 0 && batch.signals[i - 1].stages == stages;
    knowledge->signals.push_back(repeats ? knowledge->signals.back() : device_.Signal(queue, stages));
  }
  batch.Attach(SignalledKnowledge::kSlot, std::move(knowledge));
}

void QueueSync::Execute(QueueIndex queue, const state::SubmittedBatch& batch, uint32_t index) {
  const state::SubmittedCommandBuffer& submitted = batch.command_buffers[index];
  SyncRecording* const recording = submitted.state ? submitted.state->Sub<SyncRecording>() : nullptr;
  if (recording == nullptr || submitted.state->recording_state != state::RecordingState::kExecutable) return;
  // Of a device group, where each device has memory of its own.
  if (submitted.device_mask > 1) return Forget();
  const Doer doer{.buffer = submitted.state,
                  .recording = submitted.state->recording,
                  .queue = batch.queue,
                  .serial = batch.serial,
                  .command = batch.command,
                  .batch_index = batch.index,
                  .index = index};
  if (recording->waits_for_host()) {
    std::erase_if(host_event_waits_, [&](const state::QueuePoint& earlier) { return earlier.queue == batch.queue; });
    host_event_waits_.push_back(batch.point());
  }
  const size_t first = found_.size();
  const uint32_t tag_count = recording->command_count() + 1;
  last_unknown_access_ = std::min(last_unknown_access_, device_.executions().next());
  const Tag base =
      device_.Replay(recording->context, MakeExecution(queue, tag_count, doer), [&](const ReplayHazard& found) {
        const RecordedAccess* const access = recording->FindAccess(found.tag, found.access.index, found.access.range);
        if (access == nullptr || MayBeInOrder(found, *recording)) return;
        if (access->is_of_memory() && IsOfSameImage(*access, found.hazard)) return;
        SubmissionHazard hazard{.doer = doer, .access = *access, .tag = found.tag, .hazard = found.hazard};
        hazard.access.range = found.access.range;
        hazard.is_of_other_queue = found.hazard.prior_queue != queue;
        const Tag before{device_.executions().next().value - tag_count};
        hazard.fix = device_.ContextOf(queue).SuggestForReplay(found, before, recording->queue_flags());
        Add(std::move(hazard), first);
      });
  if (recording->HasUnknownAccess()) last_unknown_access_ = Tag{base.value + recording->last_unknown_access().value};
}

// Whether it may be in order after all; see doubts.h.
bool QueueSync::MayBeInOrder(const ReplayHazard& found, const SyncRecording& recording) const {
  const Hazard& hazard = found.hazard;
  const vk::SyncAccessIndex access = found.access.index;
  if (found.transition != nullptr) return false;
  if (recording.IsInResumedInstance(found.tag) && MayShareInstance(hazard.prior_access, access)) return true;
  return CouldBeCarried(hazard, access) &&
         (recording.HasUnknownAccessBefore(found.tag) || last_unknown_access_ > hazard.prior_tag);
}

// As SyncRecording::IsOfSameImage; also where what was recorded is not known any more.
bool QueueSync::IsOfSameImage(const RecordedAccess& access, const Hazard& hazard) const {
  Tag prior_tag;
  const std::optional<Doer> prior = FindDoer(hazard.prior_tag, &prior_tag);
  const SyncRecording* const recording = prior.has_value() ? prior->Recording() : nullptr;
  return recording == nullptr || recording->IsOfSameImage(access, prior_tag, hazard);
}

void QueueSync::Add(SubmissionHazard hazard, size_t first) {
  if (hazard.is_of_other_queue && !host_event_waits_.empty()) return;
  for (size_t i = first; i < found_.size(); ++i) {
    const SubmissionHazard& known = found_[i];
    if (known.access.resource == hazard.access.resource && known.hazard.prior_tag == hazard.hazard.prior_tag) return;
  }
  hazard.prior = FindDoer(hazard.hazard.prior_tag, &hazard.prior_tag);
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
  ReadForPresentation(*image,
                      {.kind = Doer::Kind::kPresent,
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
  ReadForPresentation(*image, {.kind = Doer::Kind::kAcquire}, false);
  acquired_[acquired.image] = device_.Signal(queue, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  if (fence == nullptr) return;
  acquire_fences_.emplace_back(fence->handle(), device_.PointOf(queue));
  if (acquire_fences_.size() <= kMaxFences) return;
  device_.HostWait(acquire_fences_.front().second);
  acquire_fences_.erase(acquire_fences_.begin());
}

void QueueSync::ReadForPresentation(const state::Image& image, Doer doer, bool reports) {
  const Range range{image.address, image.address + image.layout.size()};
  if (range.begin == range.end) return;
  presentation_read_.Reset();
  presentation_read_.Update({.range = range, .index = kPresentationRead, .region = image.address}, Tag{0});
  const RecordedAccess access{.range = range,
                              .resource = image.handle(),
                              .resource_type = state::Image::kType,
                              .index = kNoIndex,
                              .access = vk::kSyncPresentEnginePresented,
                              .region = image.address};
  const size_t first = found_.size();
  device_.Replay(presentation_read_, MakeExecution(*presentation_, 1, doer), [&](const ReplayHazard& found) {
    if (!reports) return;
    SubmissionHazard hazard{.doer = doer, .access = access, .tag = found.tag, .hazard = found.hazard};
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
    SubmissionHazard race{.doer = {}, .access = access, .hazard = found.hazard};
    race.access.range = found.access.range;
    race.prior = FindDoer(found.hazard.prior_tag, &race.prior_tag);
    if (!race.prior.has_value() || race.prior->kind != Doer::Kind::kCommandBuffer) return;
    if (access.is_of_memory() && IsOfSameImage(access, found.hazard)) return;
    if (!accepts(race)) return;
    const bool is_known = std::ranges::any_of(races, [&](const SubmissionHazard& known) {
      return known.access.resource == race.access.resource && known.hazard.prior_tag == race.hazard.prior_tag;
    });
    if (!is_known) races.push_back(std::move(race));
  });
}

// ---- Who did what

Execution QueueSync::MakeExecution(QueueIndex queue, uint32_t tag_count, Doer doer) {
  doers_.push_back(std::move(doer));
  return {.tag_count = tag_count, .queue = queue, .submission = next_doer_++};
}

std::optional<Doer> QueueSync::FindDoer(Tag tag, Tag* in_recording) const {
  const Execution* const execution = device_.executions().Find(tag);
  const uint64_t first = next_doer_ - doers_.size();
  if (execution == nullptr || execution->submission < first) return std::nullopt;
  *in_recording = execution->CommandOf(tag);
  return doers_[execution->submission - first];
}

void QueueSync::DropForgottenDoers() {
  while (doers_.size() > device_.executions().size()) doers_.pop_front();
}

// ---- Completion

QueueSync::Lane& QueueSync::LaneOf(const state::Queue& queue) {
  if (queue.index >= lanes_.size()) lanes_.resize(queue.index + 1);
  std::optional<Lane>& lane = lanes_[queue.index];
  if (!lane.has_value()) lane = Lane{.index = device_.AddQueue(queue.flags)};
  return *lane;
}

void QueueSync::OnRetire(state::Queue& queue, uint64_t serial) {
  Lane& lane = LaneOf(queue);
  lane.retired = serial;
  std::erase_if(host_event_waits_,
                [&](const state::QueuePoint& waiting) { return waiting.queue == &queue && waiting.serial <= serial; });
  std::optional<QueuePoint> last;
  while (!lane.points.empty() && lane.points.front().serial <= serial) {
    last = std::move(lane.points.front().point);
    lane.points.pop_front();
  }
  if (!last.has_value()) return;
  device_.HostWait(*last);
  DropForgottenDoers();
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
  DropForgottenDoers();
}

void QueueSync::Forget() {
  for (std::optional<Lane>& lane : lanes_) {
    if (!lane.has_value()) continue;
    device_.HostWait(device_.PointOf(lane->index));
    lane->points.clear();
  }
  if (presentation_.has_value()) device_.HostWait(device_.PointOf(*presentation_));
  DropForgottenDoers();
}

// ---- What was found

void QueueSync::Keep(std::vector<SubmissionHazard> found) {
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
