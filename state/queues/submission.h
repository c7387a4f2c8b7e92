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
#include "state/memory/memory.h"
#include "state/objects/event.h"
#include "state/objects/object.h"
#include "state/objects/queue.h"
#include "state/objects/sync_objects.h"
#include "state/recording/command_buffer.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// What is submitted to a queue, in one form for all commands that submit, and who is told of it.
namespace assay::state {

// What a validator keeps with a batch, for the batches that wait for it. It goes when nothing can wait for the batch
// any more, on any thread and with or without QueueTracker's mutex held, so its end must touch nothing else.
class BatchSubState {
 public:
  virtual ~BatchSubState() = default;
};

struct BatchWait {
  VkSemaphore handle = VK_NULL_HANDLE;
  // Null when the handle leads to nothing.
  Ref<Semaphore> semaphore;
  // Of a timeline semaphore.
  uint64_t value = 0;
  // Of the second synchronization scope; 0 for none.
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  uint32_t device_index = 0;
  // Complete once the batch is ready.
  SignalSource source;
};

struct BatchSignal {
  VkSemaphore handle = VK_NULL_HANDLE;
  Ref<Semaphore> semaphore;
  uint64_t value = 0;
  // Of the first synchronization scope; 0 for none.
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  uint32_t device_index = 0;
};

struct SubmittedCommandBuffer {
  VkCommandBuffer handle = VK_NULL_HANDLE;
  Ref<CommandBuffer> state;
  uint32_t device_mask = 0;
};

struct PresentedImage {
  VkSwapchainKHR handle = VK_NULL_HANDLE;
  Ref<Swapchain> swapchain;
  uint32_t index = 0;
  // Null until the application has asked for the swapchain's images.
  VkImage image = VK_NULL_HANDLE;
  // VK_KHR_present_id; 0 for none.
  uint64_t present_id = 0;
};

// Memory that vkQueueBindSparse binds to a part of a buffer or an image, or takes off it. Once batch and observers are
// done with it, SparseMemory has it.
struct SparseBinding {
  // One of the two.
  Ref<Buffer> buffer;
  Ref<Image> image;
  // Of VkBindSparseInfo, e.g. "pBufferBinds", and which of its elements.
  const char* member = nullptr;
  uint32_t index = 0;
  // As SparseMemory counts them; empty for VkSparseImageMemoryBind, and for an image's metadata.
  ByteRange bytes{};
  // The same in the AddressSpace; none for an opaque binding of an image, of which only the driver knows what it holds.
  ByteRanges ranges;
  // Null where memory is taken off.
  Ref<DeviceMemory> memory;
  VkDeviceSize memory_offset = 0;
};

// One element of what vkQueueSubmit, vkQueueSubmit2 or vkQueueBindSparse take, all of vkQueuePresentKHR, or a fence
// that is submitted alone.
//
// A batch is *held* until the order among queues is known: all of its waits, and those of the batches before it on its
// queue, have their signal operation. Then it is *ready*, and QueueObserver::OnBatch is told. Later it *retires*.
class SubmittedBatch {
 public:
  SubmittedBatch() = default;
  // Without what validators attached.
  SubmittedBatch(const SubmittedBatch& other) { *this = other; }
  SubmittedBatch& operator=(const SubmittedBatch& other);

  QueuePoint point() const { return {queue, serial}; }
  bool is_present() const { return command == vk::CommandId::kQueuePresentKHR; }
  // As BatchSignal's, for what waits for the batch.
  bool is_sparse() const { return command == vk::CommandId::kQueueBindSparse; }

  Queue* queue = nullptr;
  // On its queue; grows, not always by one.
  uint64_t serial = 0;
  // The command that submitted it, and which of its elements it was.
  vk::CommandId command{};
  uint32_t index = 0;
  bool is_protected = false;

  // These last until OnBatch returns.
  std::vector<BatchWait> waits;
  absl::InlinedVector<SubmittedCommandBuffer, 2> command_buffers;
  std::vector<BatchSignal> signals;
  std::vector<PresentedImage> presents;
  std::vector<SparseBinding> sparse_bindings;
  // Of the last batch of a call, the call's; of a present, one for each image. Some may be null.
  absl::InlinedVector<Ref<Fence>, 1> fences;

  // A validator's data; null when it has attached none. T::kSlot says which.
  template <class T>
  T* Sub() const {
    return static_cast<T*>(subs_[static_cast<size_t>(T::kSlot)].get());
  }
  void Attach(SubStateSlot slot, std::unique_ptr<BatchSubState> sub) {
    subs_[static_cast<size_t>(slot)] = std::move(sub);
  }

  // Drops what lasts until OnBatch returns.
  void DropReferences();

 private:
  std::array<std::unique_ptr<BatchSubState>, kSubStateSlots> subs_;
};

using BatchRef = std::shared_ptr<SubmittedBatch>;
using Batches = std::vector<BatchRef>;

// What a call would make ready if it were recorded now; see QueueTracker.
struct SubmissionPreview {
  // In an order in which every wait comes after its signal. The call's own, and those of other queues that it releases.
  Batches ready;
  // How many of the call's own stay held.
  size_t held = 0;
  // What QueueObserver::OnBatch is going to say if nothing comes in between.
  uint64_t version = 0;
};

// How the host came to know that work is complete.
struct HostWait {
  enum class Kind : uint8_t { kFence, kSemaphore, kQueueIdle, kDeviceIdle, kPresent };
  Kind kind;
  // The fence, semaphore, queue or swapchain; 0 for a device.
  uint64_t handle = 0;
  // The semaphore's value or the present's id.
  uint64_t value = 0;
};

// Is told of what happens on the queues of a device, in one order that is right for all of them.
//
// Calls come with QueueTracker's mutex held, one at a time from any thread. So they must not call QueueTracker, nor the
// application: what is to be reported is noted down, and reported by the validator's own hook for the same call, which
// comes after.
class QueueObserver {
 public:
  // A batch became ready; every batch that it waits for was told of before. version is SubmissionPreview::version of a
  // call whose resolution was exactly this.
  virtual void OnBatch(SubmittedBatch& batch, uint64_t version) = 0;
  // Before the retirements that follow from it.
  virtual void OnHostWait(const HostWait&) {}
  // The host knows that everything up to serial on the queue is complete, except for presents. Numbers only grow.
  virtual void OnRetire(Queue&, uint64_t) {}
  // Before the batches that it releases.
  virtual void OnHostSignal(Semaphore&, uint64_t) {}
  // vkSetEvent or vkResetEvent.
  virtual void OnHostEvent(Event&, bool) {}
  // vkGetEventStatus said that it is set.
  virtual void OnEventStatusSet(Event&) {}
  virtual void OnAcquire(const AcquiredImage&, Semaphore*, Fence*) {}
  // Everything that was told of so far may be ordered before everything that follows, in ways that the layer does not
  // see: a payload that is shared with others, a call that failed, a lost device.
  virtual void OnUnknownOrder() {}

 protected:
  ~QueueObserver() = default;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_SUBMISSION_H_
