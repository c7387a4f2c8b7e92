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
  device_.Replay(accesses_, sources_.MakeExecution(*presentation_, 1, source), [&](const ReplayHazard& found) {
    if (!reports) return;
    SubmissionHazard hazard{.source = source, .access = access, .tag = found.tag, .hazard = found.hazard};
    hazard.access.range = found.access.range;
    hazard.is_of_other_queue = true;
    Add(std::move(hazard), first);
  });
}

}  // namespace assay::syncval
