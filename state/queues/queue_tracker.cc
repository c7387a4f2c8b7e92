// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/queues/queue_tracker.h"

#include <algorithm>
#include <utility>

#include "state/queues/queue_points.h"

namespace assay::state {
namespace {

// The number of signals of one timeline semaphore, waits of one queue and presents of one swapchain that are kept while
// the host does not know them to be complete.
constexpr size_t kMaxSignals = 256;
constexpr size_t kMaxDependents = 1024;
constexpr size_t kMaxPresents = 64;
// Images that are tracked for a swapchain before vkGetSwapchainImagesKHR.
constexpr uint32_t kMaxUnknownImages = 64;

QueuePoints WaitedFor(const SubmittedBatch& batch) {
  QueuePoints points;
  for (const BatchWait& wait : batch.waits) {
    for (const SignalPoint& signal : wait.source.signals) Merge(signal.point, &points);
  }
  return points;
}

void AddSignal(SemaphoreProgress::Signal signal, SemaphoreProgress* progress) {
  DropComplete(progress);
  auto& signals = progress->signals;
  const auto after = [](uint64_t value, const SemaphoreProgress::Signal& other) { return value < other.value; };
  signals.insert(std::upper_bound(signals.begin(), signals.end(), signal.value, after), std::move(signal));
  if (signals.size() <= kMaxSignals) return;
  Merge(signals.front().signal.point, &progress->merged_points);
  signals.erase(signals.begin());
}

// A present need not be complete when later work on its queue is, so its waits have no dependent.
void AddDependent(const SubmittedBatch& batch) {
  if (batch.is_present()) return;
  QueuePoints after = WaitedFor(batch);
  after.erase(std::remove_if(after.begin(), after.end(), [&](QueuePoint point) { return point.queue == batch.queue; }),
              after.end());
  if (after.empty()) return;
  auto& dependents = batch.queue->progress.dependents;
  dependents.push_back({batch.serial, std::move(after)});
  if (dependents.size() <= kMaxDependents) return;
  Merge(dependents[0].after, &dependents[1].after);
  dependents[1].first = dependents[0].first;
  dependents.pop_front();
}

SwapchainProgress::Image* FindImage(SwapchainProgress& progress, uint32_t index) {
  if (index >= progress.images.size()) {
    if (progress.is_complete || index >= kMaxUnknownImages) return nullptr;
    progress.images.resize(index + 1);
  }
  return &progress.images[index];
}

void NameImages(SubmittedBatch& batch) {
  for (PresentedImage& present : batch.presents) {
    if (!present.swapchain || present.index >= present.swapchain->progress.images.size()) continue;
    present.image = present.swapchain->progress.images[present.index].image;
  }
}

// Whether the batch signals a payload that may be shared outside of the device. A wait brings the permanent payload of
// a semaphore back, but nobody can tell when a wait is over.
bool SignalsShared(const SubmittedBatch& batch) {
  const auto is_shared_fence = [](const Ref<Fence>& fence) {
    return fence && (fence->progress.is_external || fence->progress.is_unknown);
  };
  const auto is_shared_semaphore = [](const BatchSignal& signal) {
    return signal.semaphore && (signal.semaphore->progress.is_external || signal.semaphore->progress.was_replaced);
  };
  return std::ranges::any_of(batch.fences, is_shared_fence) || std::ranges::any_of(batch.signals, is_shared_semaphore);
}

void Bind(const SparseBinding& binding) {
  const std::unique_ptr<SparseMemory>& sparse = binding.buffer ? binding.buffer->sparse : binding.image->sparse;
  if (binding.bytes.begin < binding.bytes.end) sparse->Bind(binding.bytes, binding.memory.get(), binding.memory_offset);
}

}  // namespace

QueueTracker::~QueueTracker() {
  // A held batch and the semaphore that it signals refer to each other.
  for (Queue* queue : queues_) {
    for (const BatchRef& batch : queue->progress.held) batch->DropReferences();
  }
}

void QueueTracker::Add(Ref<Queue> queue) {
  absl::MutexLock lock(&mutex_);
  queues_.push_back(queue.get());
  pending_.AddQueue(*queue);
  owned_.push_back(std::move(queue));
  last_.emplace_back();
}

uint32_t QueueTracker::queue_count() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<uint32_t>(queues_.size());
}

uint64_t QueueTracker::Prepare(Queue& queue, const Batches& batches, BinarySemaphoreLinks* links) {
  uint64_t serial = queue.progress.submitted;
  for (const BatchRef& batch : batches) {
    batch->queue = &queue;
    batch->serial = ++serial;
    links->Link(batch);
    NameImages(*batch);
  }
  return serial;
}

SubmissionPreview QueueTracker::Preview(Queue& queue, const Batches& batches) const {
  absl::MutexLock lock(&mutex_);
  if (is_lost_) return {.held = batches.size()};
  BinarySemaphoreLinks links;
  Prepare(queue, batches, &links);
  BatchResolver resolver(queues_, BatchResolver::HeldBatches::kCopy);
  resolver.Append(queue, batches);
  resolver.Run();
  const BatchResolver::QueueState& queue_state = resolver.QueueStateOf(queue);
  return {resolver.order(), std::min(batches.size(), queue_state.batches.size() - queue_state.next), version_};
}

SubmissionPreview QueueTracker::Preview(const Semaphore& semaphore, uint64_t host_signal) const {
  absl::MutexLock lock(&mutex_);
  BatchResolver resolver(queues_, BatchResolver::HeldBatches::kCopy);
  resolver.AssumeHostSignal(semaphore, host_signal);
  resolver.Run();
  return {resolver.order(), 0, version_};
}

void QueueTracker::Submit(Queue& queue, const Batches& batches, Fence* fence) {
  absl::MutexLock lock(&mutex_);
  if (is_lost_) return;
  const uint64_t version = version_++;
  LastSubmission& last = last_[queue.index];
  last = {.number = BeginSubmission(), .first_serial = queue.progress.submitted + 1};
  BinarySemaphoreLinks links;
  queue.progress.submitted = Prepare(queue, batches, &links);
  links.Write();
  last.links = std::move(links.changes());
  if (fence != nullptr) {
    last.fences.emplace_back(fence, fence->progress);
    fence->progress.points = {{&queue, queue.progress.submitted}};
    fence->progress.status = FenceProgress::Status::kSubmitted;
  }
  last.is_counted = batches.empty() || !batches[0]->is_present() || !batches[0]->fences.empty();
  if (last.is_counted) ++queue.progress.submissions;
  for (const BatchRef& batch : batches) {
    for (const BatchSignal& signal : batch->signals) {
      if (signal.semaphore && signal.semaphore->is_timeline) last.timelines.push_back(signal.semaphore);
    }
    last.is_sparse |= batch->is_sparse();
    if (batch->is_present()) RecordPresents(*batch);
    AddPending(*batch);
  }
  BatchResolver resolver(queues_, BatchResolver::HeldBatches::kShare);
  resolver.Append(queue, batches);
  Advance(resolver, version);
}

void QueueTracker::SetDeviceLost() {
  absl::MutexLock lock(&mutex_);
  if (std::exchange(is_lost_, true)) return;
  ++version_;
  NotifyUnknownOrder();
  released_.clear();
  for (Queue* queue : queues_) {
    QueueProgress& progress = queue->progress;
    for (const BatchRef& batch : std::exchange(progress.held, {})) batch->DropReferences();
    progress.dependents.clear();
    last_[queue->index] = {};
    progress.ready = progress.completed = progress.submitted;
    pending_.Undo(*queue, 0);
    for (QueueObserver* observer : observers_) observer->OnRetire(*queue, progress.completed);
  }
}

void QueueTracker::RecordPresents(const SubmittedBatch& batch) {
  const QueuePoints after = WaitedFor(batch);
  LastSubmission& last = last_[batch.queue->index];
  for (size_t i = 0; i < batch.presents.size(); ++i) {
    const PresentedImage& present = batch.presents[i];
    if (i < batch.fences.size() && batch.fences[i]) {
      last.fences.emplace_back(batch.fences[i], batch.fences[i]->progress);
      batch.fences[i]->progress.points = after;
      batch.fences[i]->progress.status = FenceProgress::Status::kPresentation;
    }
    if (!present.swapchain) continue;
    SwapchainProgress& progress = present.swapchain->progress;
    PresentChange& change = last.presents.emplace_back();
    change.swapchain = present.swapchain;
    change.index = present.index;
    change.has_id = present.present_id != 0;
    if (SwapchainProgress::Image* image = FindImage(progress, present.index)) {
      change.presented = std::exchange(image->presented, batch.point());
      change.after = std::exchange(image->after, after);
    }
    if (present.present_id == 0) continue;
    progress.presents.push_back({present.present_id, after});
    if (progress.presents.size() <= kMaxPresents) continue;
    Merge(progress.presents[0].after, &progress.presents[1].after);
    progress.presents[1].first_id = progress.presents[0].first_id;
    progress.presents.pop_front();
  }
}

void QueueTracker::Advance(BatchResolver& resolver, uint64_t version) {
  resolver.Run();
  if (version != kNoVersion) {
    released_ = std::move(resolver.released());
  } else if (!resolver.order().empty()) {
    // What the host has waited for is not undone, nor what was submitted before.
    ++submissions_;
  }
  for (const BatchResolver::QueueState& queue_state : resolver.queue_states()) {
    QueueProgress& progress = queue_state.queue->progress;
    progress.held.assign(queue_state.batches.begin() + static_cast<ptrdiff_t>(queue_state.next),
                         queue_state.batches.end());
    progress.ready = progress.held.empty() ? progress.submitted : progress.held.front()->serial - 1;
  }
  if (!resolver.order().empty()) ++version_;
  for (const BatchRef& batch : resolver.order()) MakeReady(batch, version);
  DropCompletePending();
}

void QueueTracker::MakeReady(const BatchRef& batch, uint64_t version) {
  AddDependent(*batch);
  if (SignalsShared(*batch)) AssumeMaybeComplete(batch->point());
  for (uint32_t i = 0; i < batch->signals.size(); ++i) {
    const BatchSignal& signal = batch->signals[i];
    if (!signal.semaphore || !signal.semaphore->is_timeline || signal.semaphore->progress.is_external) continue;
    AddSignal({signal.value, {batch->point(), signal.stages, i, batch}}, &signal.semaphore->progress);
  }
  for (QueueObserver* observer : observers_) observer->OnBatch(*batch, version);
  for (const SparseBinding& binding : batch->sparse_bindings) Bind(binding);
  batch->DropReferences();
}

void QueueTracker::WithLock(absl::FunctionRef<void()> f) {
  absl::MutexLock lock(&mutex_);
  f();
}

void QueueTracker::Inspect(absl::FunctionRef<void()> f) const {
  absl::MutexLock lock(&mutex_);
  if (!is_lost_) f();
}

VkImage QueueTracker::ImageOf(const Swapchain& swapchain, uint32_t index) const {
  absl::MutexLock lock(&mutex_);
  const auto& images = swapchain.progress.images;
  return index < images.size() ? images[index].image : VK_NULL_HANDLE;
}

void QueueTracker::SetImages(Swapchain& swapchain, absl::Span<const VkImage> images) {
  absl::MutexLock lock(&mutex_);
  SwapchainProgress& progress = swapchain.progress;
  if (progress.images.size() < images.size()) progress.images.resize(images.size());
  for (size_t i = 0; i < images.size(); ++i) progress.images[i].image = images[i];
  progress.is_complete = true;
}

void QueueTracker::Acquire(Swapchain& swapchain, uint32_t index, Semaphore* semaphore, Fence* fence) {
  absl::MutexLock lock(&mutex_);
  if (is_lost_) return;
  ++version_;
  if (fence != nullptr) fence->progress.status = FenceProgress::Status::kPresentation;
  AcquiredImage acquired = {reinterpret_cast<VkSwapchainKHR>(swapchain.handle()), index};
  SignalPoints after;
  if (SwapchainProgress::Image* image = FindImage(swapchain.progress, index)) {
    image->is_acquired = true;
    acquired.image = image->image;
    acquired.presented = image->presented;
    for (const QueuePoint& point : image->after) after.push_back({.point = point});
    // The presentation engine released the image, so the image had been rendered before.
    if (fence != nullptr) fence->progress.points = image->after;
  }
  if (semaphore != nullptr && !semaphore->is_timeline) {
    semaphore->progress.pending = {SignalSource::Kind::kAcquire, std::move(after), acquired};
  }
  for (QueueObserver* observer : observers_) observer->OnAcquire(acquired, semaphore, fence);
}

void QueueTracker::Release(Swapchain& swapchain, uint32_t index) {
  absl::MutexLock lock(&mutex_);
  SwapchainProgress::Image* image = FindImage(swapchain.progress, index);
  if (image != nullptr && !swapchain.is_shared()) image->is_acquired = false;
}

void QueueTracker::Share(Semaphore& semaphore) {
  ++version_;
  AssumeMaybeReached(semaphore);
  semaphore.progress.is_external = true;
  semaphore.progress.pending = {};
  semaphore.progress.signals.clear();
  semaphore.progress.merged_points.clear();
  BatchResolver resolver(queues_, BatchResolver::HeldBatches::kShare);
  Advance(resolver, kNoVersion);
}

void QueueTracker::Import(Semaphore& semaphore, Permanence permanence) {
  absl::MutexLock lock(&mutex_);
  if (permanence == Permanence::kPermanent) return Share(semaphore);
  ++version_;
  semaphore.progress.was_replaced = true;
  semaphore.progress.pending = {.kind = SignalSource::Kind::kUnknown};
}

void QueueTracker::Import(Fence& fence, Permanence permanence) {
  absl::MutexLock lock(&mutex_);
  fence.progress.points.clear();
  fence.progress.signaled_by = {};
  (permanence == Permanence::kPermanent ? fence.progress.is_external : fence.progress.is_unknown) = true;
}

void QueueTracker::Export(Semaphore& semaphore, Transference transference) {
  absl::MutexLock lock(&mutex_);
  if (transference == Transference::kReference) return Share(semaphore);
  ++version_;
  AssumeMaybeReached(semaphore);
  semaphore.progress.pending = {};
  DropCompletePending();
}

void QueueTracker::Export(Fence& fence, Transference transference) {
  absl::MutexLock lock(&mutex_);
  for (QueuePoint point : fence.progress.points) AssumeMaybeComplete(point);
  DropCompletePending();
  if (transference == Transference::kReference) {
    fence.progress.is_external = true;
  } else {
    fence.progress.points.clear();
    fence.progress.signaled_by = {};
    fence.progress.status = FenceProgress::Status::kUnsignaled;
    fence.progress.is_unknown = false;
  }
}

void QueueTracker::NotifyUnknownOrder() {
  ++version_;
  for (QueueObserver* observer : observers_) observer->OnUnknownOrder();
}

void QueueTracker::NotifyHostWait(const HostWait& wait) {
  for (QueueObserver* observer : observers_) observer->OnHostWait(wait);
}

}  // namespace assay::state
