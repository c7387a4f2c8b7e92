// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_QUEUE_TEST_H_
#define ASSAY_STATE_QUEUES_QUEUE_TEST_H_

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dispatch/testing/layer_without_validators.h"
#include "state/state.h"
#include "testing/fixture.h"

// The fixture of the tests of submissions.
namespace assay::state {

using Log = std::vector<std::string>;

// A sub-state of each batch, to count the batches that are kept.
class CountedSubState : public BatchSubState {
 public:
  static constexpr SubStateSlot kSlot = SubStateSlot::kSyncval;
  explicit CountedSubState(std::string of) : name(std::move(of)) { ++live; }
  ~CountedSubState() override { --live; }

  const std::string name;
  static std::atomic<int> live;
};

// Logs the events that it receives. "0:2" is the second batch of the first queue.
class LoggingObserver : public QueueObserver {
 public:
  void OnBatch(SubmittedBatch& batch, uint64_t version) override;
  void OnHostWait(const HostWait& wait) override;
  void OnRetire(Queue& queue, uint64_t serial) override;
  void OnHostSignal(Semaphore& semaphore, uint64_t value) override;
  void OnHostEvent(Event& event, bool is_set) override;
  void OnHostEventFailed(Event& event) override;
  void OnAcquire(const AcquiredImage& image, Semaphore* semaphore, Fence* fence) override;
  void OnUnknownOrder() override;

  // The events since the last call.
  Log Take() { return std::exchange(log, {}); }

  Log log;
  // Called for each batch, before it is logged.
  std::function<void(const SubmittedBatch&)> on_batch;
  uint64_t last_version = 0;
  bool is_logging = true;
};

std::string ToString(QueuePoint point);
// The sources of a batch's waits.
std::string ToString(const SubmittedBatch& batch);

// A device with state alone, an observer, and previews of every submission.
class QueueTest : public test::ValidationTest {
 protected:
  QueueTest();
  ~QueueTest() override;
  void SetUp() override;

  // Queues in the order of their indices.
  VkQueue q(uint32_t index) const { return queues_[index]; }
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value = 0,
                                  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value, stages, 0};
  }
  VkResult SubmitBatch(uint32_t queue, std::vector<VkSemaphoreSubmitInfo> waits,
                       std::vector<VkSemaphoreSubmitInfo> signals, VkFence fence = VK_NULL_HANDLE) {
    return Submit(q(queue), {}, {std::move(waits), std::move(signals), fence});
  }
  void HostSignal(VkSemaphore semaphore, uint64_t value);
  void HostWait(VkSemaphore semaphore, uint64_t value);
  void HostWait(VkFence fence) { EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull), VK_SUCCESS); }

  Log Take() { return observer.Take(); }
  // The result of the last PreviewSubmission(). The observer checks that it came true.
  const SubmissionPreview& preview() const { return preview_; }

  std::optional<DeviceState> state;
  LoggingObserver observer;
  bool previews = true;
  // Called after each preview, before the call is recorded.
  std::function<void()> on_preview;

 private:
  // Takes the place of a validator.
  struct Hooks {
    QueueTest& test;
    template <class C>
      requires requires(DeviceState& s, const C& c) { s.PreviewSubmission(c); }
    void PreCallValidate(const C& call, messages::Report&) {
      if (test.previews) test.preview_ = test.state->PreviewSubmission(call);
      if (test.on_preview) std::exchange(test.on_preview, {})();
    }
    void PostCallRecord(const vk::DestroyDevice&) {
      test.preview_ = {};
      test.state.reset();
    }
  };

  Hooks hooks_{*this};
  SubmissionPreview preview_;
  std::vector<VkQueue> queues_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_QUEUE_TEST_H_
