// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_QUEUES_QUEUE_SYNC_H_
#define ASSAY_SYNCVAL_QUEUES_QUEUE_SYNC_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "state/state.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/engine/engine.h"
#include "syncval/queues/submission_hazard.h"
#include "syncval/queues/usage_source.h"
#include "syncval/recording/recording.h"

namespace assay::syncval {

// Tracks what the queues of a device execute, and finds hazards between submissions. Batches come in the order in which
// state::QueueTracker makes them ready, semaphores as it resolves them.
//
// The presentation engine is modelled as one more queue. It reads an image when the image is presented, after the
// semaphores of vkQueuePresentKHR. vkAcquireNextImageKHR stands for a read too, which ends when its semaphore or fence
// is signalled: a write that does not wait for that conflicts with it.
//
// Sparse bindings have a queue of their own for each queue, since only semaphores order vkQueueBindSparse with the
// command buffers of its queue. A binding stands for a write of the range that it binds. The signals of both are still
// in one order ("semaphore signal operations that occur earlier in signal operation order").
//
// Unknown order (a failed call, a payload that others share, device masks) orders everything.
//
// QueueTracker calls observers with its mutex held, which makes that the one lock of all members. Only the hazards
// found have a lock of their own: see SubmissionHazards.
class QueueSync : public state::QueueObserver {
 public:
  QueueSync() = default;

  void OnBatch(state::SubmittedBatch& batch, uint64_t version) override;
  void OnHostWait(const state::HostWait& wait) override;
  void OnRetire(state::Queue& queue, uint64_t serial) override;
  void OnAcquire(const state::AcquiredImage& acquired, state::Semaphore* semaphore, state::Fence* fence) override;
  // Everything before the set of the event may be complete, and the host knows.
  void OnEventStatusSet(state::Event&) override { OrderEverything(); }
  void OnUnknownOrder() override { OrderEverything(); }

  // The hazards that the calling thread's calls found since its last call of this.
  std::vector<SubmissionHazard> TakeHazards() { return hazards_.Take(); }

  // Adds the races of an access by the host itself that accepts(race) is true for, except for duplicates. To be called
  // while the queues are held; see state::DeviceState.
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
    // The queue of the sparse bindings, once there are any; its snapshot at its last signals, and the serial of that
    // batch.
    std::optional<QueueIndex> sparse_queue;
    std::shared_ptr<const Snapshot> sparse_snapshot;
    uint64_t sparse_serial = 0;
  };
  QueueState& QueueStateOf(const state::Queue& queue);
  // The queue of the presentation engine.
  QueueIndex Presentation();
  QueueIndex SparseQueueOf(const state::Queue& queue);
  // With the work of the queue's sparse bindings.
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
  // Adds a hazard that was found while recording, and is certain now.
  void AddRecordedHazard(const UsageSource& source, const SparseMemoryHazard& found);
  // Whether the earlier access was to memory that a sparse buffer may not have had any more.
  bool IsOutdated(const Hazard& hazard) const;
  // Adds a hazard, unless it duplicates one that is at `first` or later in found_.
  void Add(SubmissionHazard hazard, size_t first);
  std::optional<UsageSource> FindSource(Tag tag, Tag* in_recording) const {
    return sources_.Find(device_.executions(), tag, in_recording);
  }
  bool MayBeInOrder(const ReplayHazard& found, const SyncRecording& recording) const;
  bool IsOfSameResource(const RecordedAccess& access, const Hazard& hazard) const;

  DeviceContext device_;
  // By state::Queue::index.
  std::vector<std::optional<QueueState>> queue_states_;
  std::optional<QueueIndex> presentation_;
  // The accesses of a present, an acquire or a binding; reset for each.
  AccessContext accesses_;
  // Batches that wait for the host to set an event. Before it sets the event, the host may wait for anything that was
  // submitted earlier or is submitted meanwhile, on any queue.
  std::vector<state::QueuePoint> host_event_waits_;
  // The snapshot at the last acquire of each image.
  absl::flat_hash_map<VkImage, std::shared_ptr<const Snapshot>> acquired_;
  // By handle of the fence.
  std::vector<std::pair<uint64_t, QueuePoint>> acquire_fences_;
  UsageSources sources_;
  Tag last_unknown_access_{0};
  std::vector<SubmissionHazard> found_;
  SubmissionHazards hazards_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_QUEUE_SYNC_H_
