// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_QUEUES_QUEUE_SYNC_H_
#define ASSAY_SYNCVAL_QUEUES_QUEUE_SYNC_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "state/state.h"
#include "syncval/recording/recording.h"

namespace assay::syncval {

// Who did an access on a queue, in words a report can use.
struct UsageSource {
  enum class Kind : uint8_t { kCommandBuffer, kPresent, kAcquire, kSparseBind };
  Kind kind = Kind::kCommandBuffer;
  state::Ref<state::CommandBuffer> buffer;
  // As CommandBuffer::recording: what is recorded there now may be another.
  uint64_t recording = 0;
  // Of a batch; null for an acquire.
  const state::Queue* queue = nullptr;
  uint64_t serial = 0;
  vk::CommandId command{};
  // Of the batch in its call, and of the command buffer, presented image or element of member in the batch.
  uint32_t batch_index = 0;
  uint32_t index = 0;
  // As state::SparseBinding::member; null for others.
  const char* member = nullptr;
  // Whether it was recorded when sparse buffers that share pages had others, so that nobody knows what it accesses.
  bool has_outdated_bindings = false;

  // Null if what it did is not there to be read any more.
  const SyncRecording* Recording() const {
    return buffer && buffer->recording == recording ? buffer->Sub<SyncRecording>() : nullptr;
  }
};

// A hazard between submissions, to be reported when no lock is held.
struct SubmissionHazard {
  UsageSource source;
  // The part of it that conflicts. Its command is that of source.
  RecordedAccess access;
  Tag tag;
  bool is_of_other_queue = false;
  Hazard hazard;
  std::optional<UsageSource> prior;
  Tag prior_tag;
  Suggestion fix;
};

// Follows what the queues of a device execute, and finds what conflicts. Batches come in the order in which
// state::QueueTracker makes them ready, semaphores as it resolves them.
//
// The presentation engine is a queue more: it reads an image when it is presented, waiting for the semaphores of
// vkQueuePresentKHR. vkAcquireNextImageKHR stands for a read too, which ends when its semaphore or fence is signalled:
// so what is written without a wait for that conflicts with it.
//
// vkQueueBindSparse does not follow upon the command buffers of its queue, nor they upon it, except by semaphores. So
// what a queue binds is done by a queue of its own: a binding stands for a write of what it is to. What the two signal
// is one order all the same ("semaphore signal operations that occur earlier in signal operation order").
//
// What is not known (a failed call, a payload that others share, device masks) orders everything.
//
// Observers are told with QueueTracker's mutex held, which makes it the one lock of all of this. Only what was found is
// handed over under a lock of its own, to the hook of the call that comes next on the same thread.
class QueueSync : public state::QueueObserver {
 public:
  QueueSync() = default;

  void OnBatch(state::SubmittedBatch& batch, uint64_t version) override;
  void OnHostWait(const state::HostWait& wait) override;
  void OnRetire(state::Queue& queue, uint64_t serial) override;
  void OnAcquire(const state::AcquiredImage& image, state::Semaphore* semaphore, state::Fence* fence) override;
  // The host may know from this that what was before the set is complete.
  void OnEventStatusSet(state::Event&) override { OrderEverything(); }
  void OnUnknownOrder() override { OrderEverything(); }

  // What the calling thread's calls have found since this was last called.
  std::vector<SubmissionHazard> TakeHazards();

  // Adds what an access by the host itself races with, as far as accepts(race) and no other race says the same. To be
  // called while the queues are held; see state::DeviceState.
  using AcceptsRace = absl::FunctionRef<bool(SubmissionHazard&)>;
  void AddHostRaces(
      const RecordedAccess& access, std::vector<SubmissionHazard>& races,
      AcceptsRace accepts = [](SubmissionHazard&) { return true; });

 private:
  struct Point {
    uint64_t serial;
    QueuePoint point;
  };
  struct QueueState {
    QueueIndex index;
    std::deque<Point> points;
    uint64_t retired = 0;
    // Which does what vkQueueBindSparse does, once there is any; what that knew at its last signals, and the batch.
    std::optional<QueueIndex> sparse_queue;
    std::shared_ptr<const Snapshot> sparse_snapshot;
    uint64_t sparse_serial = 0;
  };
  QueueState& QueueStateOf(const state::Queue& queue);
  QueueIndex Presentation();
  QueueIndex SparseQueueOf(const state::Queue& queue);
  QueuePoint PointOf(const QueueState& queue_state) const;
  void OrderEverything();
  void WaitFor(QueueIndex queue, const state::BatchWait& wait);
  void Signal(QueueIndex queue, state::SubmittedBatch& batch);
  void AddPoint(const state::SubmittedBatch& batch);
  void Execute(QueueIndex queue, const state::SubmittedBatch& batch, uint32_t index);
  void Present(const state::SubmittedBatch& batch, uint32_t index);
  void RecordPresentationRead(const state::Image& image, UsageSource source, bool reports);
  void Bind(QueueIndex queue, const state::SubmittedBatch& batch);
  void Bind(QueueIndex queue, const state::SparseBinding& binding, UsageSource source);
  bool IsSparseBind(Tag tag) const;
  // What was found while recording, and is certain now.
  void AddRecordedHazard(const UsageSource& source, const SparseMemoryHazard& found);
  bool IsOutdated(const Hazard& hazard) const;
  Execution MakeExecution(QueueIndex queue, uint32_t tag_count, UsageSource source);
  void DropCompletedSources();
  // Adds a hazard, unless it says what one of the same execution said.
  void Add(SubmissionHazard hazard, size_t first);
  std::optional<UsageSource> FindSource(Tag tag, Tag* in_recording) const;
  bool MayBeInOrder(const ReplayHazard& found, const SyncRecording& recording) const;
  bool IsOfSameResource(const RecordedAccess& access, const Hazard& hazard) const;
  void StoreHazards(std::vector<SubmissionHazard> found);

  DeviceContext device_;
  // By state::Queue::index.
  std::vector<std::optional<QueueState>> queue_states_;
  std::optional<QueueIndex> presentation_;
  // Of what is no command buffer; made anew for each.
  AccessContext accesses_;
  // Batches that wait for the host to set an event. Before it does so, the host may wait for anything that was
  // submitted earlier or is submitted meanwhile, on whichever queue.
  std::vector<state::QueuePoint> host_event_waits_;
  // Of the last acquire of each image.
  absl::flat_hash_map<VkImage, std::shared_ptr<const Snapshot>> acquired_;
  std::vector<std::pair<uint64_t, QueuePoint>> acquire_fences_;
  // Of device_.executions(), in the same order.
  std::deque<UsageSource> sources_;
  uint64_t next_source_ = 0;
  Tag last_unknown_access_{0};
  std::vector<SubmissionHazard> found_;

  absl::Mutex mutex_;
  std::vector<std::pair<std::thread::id, SubmissionHazard>> hazards_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_QUEUE_SYNC_H_
