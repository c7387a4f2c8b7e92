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
// The presentation engine is modelled as one more queue, which knows presented images alone. It reads an image when the
// image is presented, after the semaphores of vkQueuePresentKHR. vkAcquireNextImageKHR stands for a read too, which
// ends when its semaphore or fence is signalled: a write that does not wait for that conflicts with it. Such a wait
// orders what the last present of the same image waited for, and nothing of other presents: images are acquired in any
// order.
//
// Sparse bindings have a queue of their own for each queue, since only semaphores order vkQueueBindSparse with the
// command buffers of its queue. A binding stands for a write of the range that it binds. The signals of both are still
// in one order ("semaphore signal operations that occur earlier in signal operation order").
//
// Where something is not known, it counts as in order. A wait for a payload that the layer does not see, or that others
// share, is after all earlier work of all queues. Command buffers that other devices of a group execute too are left
// out; on their queue they are as a barrier for everything. Where the host may have learnt anything, all that is later
// is after all that is earlier. A submission that failed or was skipped leaves nothing (OnUndo), unless another thread
// has submitted something since, or has waited for a queue: then its order counts as unknown too.
//
// QueueTracker calls observers with its mutex held, which makes that the one lock of all members. Only the hazards
// found have a lock of their own: see SubmissionHazards.
class QueueSync final : public state::QueueObserver {
 public:
  // stages: those that the application can name, for suggestions.
  explicit QueueSync(VkPipelineStageFlags2 stages) { device_.SetStages(stages); }

  void OnSubmit() override;
  void OnUndo() override;
  void OnBatch(state::SubmittedBatch& batch, uint64_t version) override;
  void OnHostWait(const state::HostWait& wait) override;
  void OnRetire(state::Queue& queue, uint64_t serial) override;
  void OnAcquire(const state::AcquiredImage& acquired, state::Semaphore* semaphore, state::Fence* fence) override;
  // Everything before the set of the event may be complete, and the host knows.
  void OnEventStatusSet(state::Event&) override { OrderEverything(); }
  void OnUnknownOrder() override { OrderEverything(); }
  // Drops what is kept of swapchain images that have been removed. To be called while the queues are held; see
  // state::DeviceState.
  void DropRemovedImages();

  // For tests: all that it knows, as text (syncval/syncval_dump.h). To be called while the queues are held.
  template <class Dump>
  void DumpTo(Dump& dump);

  // The hazards that the calling thread's calls found since its last call of this.
  std::vector<SubmissionHazard> TakeHazards() { return hazards_.Take(); }

  // Adds the races of an access by the host itself that accepts(race) is true for, except for duplicates. To be called
  // while the queues are held; see state::DeviceState.
  using AcceptsRace = absl::FunctionRef<bool(SubmissionHazard&)>;
  void AddHostRaces(
      const RecordedAccess& access, std::vector<SubmissionHazard>& races,
      AcceptsRace accepts = [](SubmissionHazard&) { return true; });

 private:
  // Points of a queue that the host has not waited for. Older ones count as complete.
  static constexpr size_t kMaxPoints = 4096;

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
  // An image that the presentation engine has read.
  struct PresentableImage {
    Range range;
    // The signals that its last present waited for, until an acquire is waited for.
    std::vector<std::shared_ptr<const Snapshot>> presented_after;
    // The read that the acquire stands for, until the semaphore of the acquire is waited for.
    std::shared_ptr<const Snapshot> acquired;
    // The last present, unless the image has been acquired since.
    std::optional<UsageSource> present;
  };
  using PresentableImages = absl::flat_hash_map<VkImage, PresentableImage>;
  // The first and the last that are not known to be complete.
  struct SharedTimelineWaits {
    const state::Queue* queue = nullptr;
    uint64_t first = 0;
    uint64_t last = 0;
  };
  // What was at the last OnSubmit, for OnUndo.
  struct QueueStateBefore {
    size_t points = 0;
    std::shared_ptr<const Snapshot> sparse_snapshot;
    uint64_t sparse_serial = 0;
  };
  struct Before {
    std::vector<QueueStateBefore> queue_states;
    // None while they have not changed.
    std::optional<PresentableImages> presentable_images;
    std::vector<state::QueuePoint> host_event_waits;
    std::vector<SharedTimelineWaits> shared_timeline_waits;
    size_t sources = 0;
    Tag last_unknown_access{0};
  };
  // To be called before a batch changes presentable_images_.
  PresentableImages& ChangePresentableImages();
  void NoteSharedTimelineWait(const state::SubmittedBatch& batch);
  QueueState& QueueStateOf(const state::Queue& queue);
  // The queue of the presentation engine.
  QueueIndex Presentation();
  QueueIndex SparseQueueOf(const state::Queue& queue);
  // With the work of the queue's sparse bindings.
  QueuePoint PointOf(const QueueState& queue_state) const;
  void OrderEverything();
  // A signal that a batch waits for, and the stages that wait.
  struct Wait {
    std::shared_ptr<const Snapshot> signal;
    VkPipelineStageFlags2 stages = 0;
    // It is the presentation engine's, of an acquired image.
    bool is_acquire = false;
  };
  // The signals that the batch waits for.
  std::vector<Wait> WaitsOf(const state::SubmittedBatch& batch);
  void AddWaits(const state::BatchWait& wait, std::vector<Wait>& waits);
  // Adds waits for all work so far, of one queue or of all.
  void AddWaitsForAll(const QueueState& queue_state, VkPipelineStageFlags2 stages, std::vector<Wait>& waits);
  void AddWaitsForAll(VkPipelineStageFlags2 stages, std::vector<Wait>& waits);
  void Signal(QueueIndex queue, state::SubmittedBatch& batch);
  void AddPoint(const state::SubmittedBatch& batch);
  void LimitPoints(QueueState& queue_state, size_t limit);
  void Execute(QueueIndex queue, const state::SubmittedBatch& batch, uint32_t index);
  void Present(const state::SubmittedBatch& batch, uint32_t index, const std::vector<Wait>& waits);
  void RepeatPresents();
  void AddAcquireFence(const state::Fence& fence, const Snapshot& signal, const PresentableImage& presentable);
  void RecordPresentationRead(const state::Image& image, UsageSource source, bool reports);
  void Bind(QueueIndex queue, const state::SubmittedBatch& batch);
  void Bind(QueueIndex queue, const state::SparseBinding& binding, UsageSource source);
  bool IsSparseBind(Tag tag) const;
  // Adds a hazard that was found while recording, and is certain now.
  void AddRecordedHazard(const UsageSource& source, const DeferredHazard& found);
  // Whether the earlier access was to memory that a sparse buffer may not have had any more.
  bool IsOutdated(const Hazard& hazard) const;
  // Whether one that is at `first` or later in found_ has the same resource and earlier command.
  bool IsKnown(uint64_t resource, Tag prior_tag, size_t first) const;
  // Adds a hazard, unless it duplicates one that is at `first` or later in found_.
  void Add(SubmissionHazard hazard, size_t first);
  std::optional<UsageSource> FindSource(Tag tag, Tag* in_recording) const {
    return sources_.Find(device_.executions(), tag, in_recording);
  }
  bool MayBeInOrder(const ReplayHazard& found, const SyncRecording& recording) const;
  // Whether work of another queue may be ordered by means that are not seen.
  bool MayBeInOrder(const SubmissionHazard& race) const;
  bool IsOfSameResource(const RecordedAccess& access, const Hazard& hazard) const;
  bool CoversPossibleRead(const RecordedAccess& access, const Hazard& hazard) const;

  DeviceContext device_;
  // By state::Queue::index.
  std::vector<std::optional<QueueState>> queue_states_;
  std::optional<QueueIndex> presentation_;
  // The accesses of a present, an acquire or a binding; reset for each.
  AccessContext accesses_;
  // Batches that wait for the host to set an event. Before it sets the event, the host may wait for anything that was
  // submitted earlier or is submitted meanwhile, on any queue.
  std::vector<state::QueuePoint> host_event_waits_;
  PresentableImages presentable_images_;
  // Batches that wait for a timeline semaphore that others share. A batch that is submitted later may signal it.
  // So the order of a queue's batches among those of other queues is unknown from the first of them on.
  std::vector<SharedTimelineWaits> shared_timeline_waits_;
  // By handle of the fence.
  std::vector<std::pair<uint64_t, QueuePoint>> acquire_fences_;
  UsageSources sources_;
  Tag last_unknown_access_{0};
  Before before_;
  std::vector<SubmissionHazard> found_;
  SubmissionHazards hazards_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_QUEUE_SYNC_H_
