// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The presentation engine as one more queue.

#include <utility>

#include "syncval/queues/queue_sync.h"

namespace assay::syncval {
namespace {

// Acquires with a fence that the host has not waited for.
constexpr size_t kMaxFences = 64;

// The read that stands for a present or an acquire: one that every semaphore covers. The presentation engine's own read
// is in no stage.
constexpr vk::SyncAccessIndex kPresentationRead = vk::kSyncCopyTransferRead;

Range RangeOf(const state::Image& image) { return {image.address, image.address + image.encoder.size()}; }

bool IsShared(VkSwapchainKHR handle) {
  const auto* swapchain = state::DeviceState::Get<state::Swapchain>(handle);
  return swapchain == nullptr || swapchain->is_shared();
}

}  // namespace

QueueIndex QueueSync::Presentation() {
  if (!presentation_.has_value()) {
    presentation_ = device_.AddQueue(VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT);
  }
  return *presentation_;
}

void QueueSync::Present(const state::SubmittedBatch& batch, uint32_t index, const std::vector<Wait>& waits) {
  const state::PresentedImage& present = batch.presents[index];
  const auto* image = state::DeviceState::Get<state::Image>(present.image);
  if (image == nullptr || IsShared(present.handle) || image->encoder.size() == 0) return;
  const UsageSource source{.kind = UsageSource::Kind::kPresent,
                           .queue = batch.queue,
                           .serial = batch.serial,
                           .command = batch.command,
                           .batch_index = batch.index,
                           .index = index};
  PresentableImage& presented = ChangePresentableImages()[present.image];
  presented.range = RangeOf(*image);
  presented.presented_after.clear();
  for (const Wait& wait : waits) {
    device_.Wait(Presentation(), *wait.signal, wait.stages, presented.range);
    if (!wait.is_acquire) presented.presented_after.push_back(wait.signal);
  }
  RecordPresentationRead(*image, source, true);
  // A present that was held back may come after the next acquire of the image.
  if (presented.acquired != nullptr) {
    presented.acquired = device_.SignalWithin(Presentation(), presented.range);
  } else {
    presented.present = source;
  }
}

void QueueSync::OnAcquire(const state::AcquiredImage& acquired, state::Semaphore* semaphore, state::Fence* fence) {
  const auto* image = state::DeviceState::Get<state::Image>(acquired.image);
  if (image == nullptr || IsShared(acquired.swapchain) || image->encoder.size() == 0) return;
  device_.EndUndoable();
  PresentableImage& presentable = presentable_images_[acquired.image];
  presentable.range = RangeOf(*image);
  presentable.present.reset();
  RecordPresentationRead(*image, {.kind = UsageSource::Kind::kAcquire}, false);
  std::shared_ptr<const Snapshot> signal = device_.SignalWithin(Presentation(), presentable.range);
  if (fence != nullptr) AddAcquireFence(*fence, *signal, presentable);
  presentable.acquired = semaphore != nullptr ? std::move(signal) : nullptr;
  RepeatPresents();
}

// By its vector clock the acquire is after all earlier reads of the presentation engine. It is not after those of other
// images that are presented: these are repeated, as if each had come later.
void QueueSync::RepeatPresents() {
  for (const auto& [handle, presentable] : presentable_images_) {
    const auto* image = state::DeviceState::Get<state::Image>(handle);
    if (image != nullptr && presentable.present.has_value()) {
      RecordPresentationRead(*image, *presentable.present, false);
    }
  }
}

void QueueSync::AddAcquireFence(const state::Fence& fence, const Snapshot& signal,
                                const PresentableImage& presentable) {
  QueuePoint point = signal.point;
  for (const std::shared_ptr<const Snapshot>& waited : presentable.presented_after)
    device_.Extend(point, waited->point);
  acquire_fences_.emplace_back(fence.handle(), std::move(point));
  if (acquire_fences_.size() <= kMaxFences) return;
  device_.HostWait(acquire_fences_.front().second);
  acquire_fences_.erase(acquire_fences_.begin());
}

void QueueSync::DropRemovedImages() {
  absl::erase_if(presentable_images_, [this](const std::pair<const VkImage, PresentableImage>& known) {
    if (state::DeviceState::Get<state::Image>(known.first) != nullptr) return false;
    device_.Forget(Presentation(), known.second.range);
    return true;
  });
}

void QueueSync::RecordPresentationRead(const state::Image& image, UsageSource source, bool reports) {
  const Range range = RangeOf(image);
  accesses_.Reset();
  accesses_.Update({.range = range, .index = kPresentationRead, .region = image.address}, Tag{0});
  const RecordedAccess access{.range = range,
                              .resource = image.handle(),
                              .resource_type = state::Image::kType,
                              .index = kNoIndex,
                              .access = vk::kSyncPresentEnginePresented,
                              .region = image.address};
  const size_t first = found_.size();
  device_.Replay(accesses_, sources_.MakeExecution(Presentation(), 1, source), [&](const ReplayHazard& found) {
    if (!reports) return;
    SubmissionHazard hazard{.source = source, .access = access, .tag = found.tag, .hazard = found.hazard};
    hazard.access.range = found.access.range;
    hazard.is_of_other_queue = true;
    Add(std::move(hazard), first);
  });
}

}  // namespace assay::syncval
