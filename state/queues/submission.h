// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_SUBMISSION_H_
#define ASSAY_STATE_QUEUES_SUBMISSION_H_

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "state/objects/fence.h"
#include "state/objects/object.h"
#include "state/objects/queue.h"
#include "state/queues/batch_operations.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// Batches: submissions to a queue, in one form for all commands that submit.
namespace assay::state {

// A validator's data of a batch, for the batches that wait for it. It is destroyed when nothing can wait for the batch
// any more, on any thread, with or without QueueTracker's mutex held. So the destructor must touch nothing else.
class BatchSubState {
 public:
  virtual ~BatchSubState() = default;
};

// A batch: one element of the array that vkQueueSubmit, vkQueueSubmit2 or vkQueueBindSparse take, a whole
// vkQueuePresentKHR, or a fence that is submitted alone.
//
// A batch is *held* until the order among queues is known: all of its waits, and those of the batches before it on its
// queue, have their signal operation. Then it is *ready*, and QueueTracker calls QueueObserver::OnBatch. Later it
// *retires*.
class SubmittedBatch {
 public:
  SubmittedBatch() = default;
  // Copies all but the data of validators.
  SubmittedBatch(const SubmittedBatch& other) { *this = other; }
  SubmittedBatch& operator=(const SubmittedBatch& other);

  QueuePoint point() const { return {queue, serial}; }
  bool is_present() const { return command == vk::CommandId::kQueuePresentKHR; }
  bool is_sparse() const { return command == vk::CommandId::kQueueBindSparse; }

  Queue* queue = nullptr;
  // Number on its queue; grows, not always by one.
  uint64_t serial = 0;
  // The command that submitted the batch, and the index of its element.
  vk::CommandId command{};
  uint32_t index = 0;
  bool is_protected = false;

  // These members last until OnBatch returns.
  std::vector<BatchWait> waits;
  absl::InlinedVector<SubmittedCommandBuffer, 2> command_buffers;
  std::vector<BatchSignal> signals;
  std::vector<PresentedImage> presents;
  std::vector<SparseBinding> sparse_bindings;
  // The last batch of a call has the fence of the call; a present has one for each image. Some may be null.
  absl::InlinedVector<Ref<Fence>, 1> fences;

  // The data of the validator with the slot T::kSlot; null if it has attached none.
  template <class T>
  T* Sub() const {
    return static_cast<T*>(subs_[static_cast<size_t>(T::kSlot)].get());
  }
  void Attach(SubStateSlot slot, std::unique_ptr<BatchSubState> sub) {
    subs_[static_cast<size_t>(slot)] = std::move(sub);
  }

  // Drops the members that last until OnBatch returns.
  void DropReferences();

 private:
  std::array<std::unique_ptr<BatchSubState>, kSubStateSlots> subs_;
};

using BatchRef = std::shared_ptr<SubmittedBatch>;
using Batches = std::vector<BatchRef>;

// The batches that a call would make ready if it were recorded now; see QueueTracker.
struct SubmissionPreview {
  // The call's own batches, and those of other queues that it releases. Every wait comes after its signal.
  Batches ready;
  // Number of the call's own batches that stay held.
  size_t held = 0;
  // The version that QueueObserver::OnBatch receives if nothing happens in between.
  uint64_t version = 0;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_SUBMISSION_H_
