// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/queues/queue_test.h"

namespace assay::state {
namespace {

std::string Join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "+") + part;
  return text;
}

std::string ToString(const SignalSource& source) {
  std::vector<std::string> signals;
  for (const SignalPoint& signal : source.signals) signals.push_back(ToString(signal.point));
  switch (source.kind) {
    case SignalSource::Kind::kNone:
      return "none";
    case SignalSource::Kind::kBatches:
      return Join(signals);
    case SignalSource::Kind::kComplete:
      return "complete";
    case SignalSource::Kind::kAcquire:
      return "image " + std::to_string(source.image.index) + (signals.empty() ? "" : " after " + Join(signals));
    case SignalSource::Kind::kUnknown:
      return "unknown";
  }
  return {};
}

}  // namespace

std::atomic<int> CountedSubState::live = 0;

std::string ToString(QueuePoint point) {
  return std::to_string(point.queue->index) + ":" + std::to_string(point.serial);
}

std::string ToString(const SubmittedBatch& batch) {
  std::string text = ToString(batch.point());
  for (size_t i = 0; i < batch.waits.size(); ++i) text += (i == 0 ? " < " : ", ") + ToString(batch.waits[i].source);
  return text;
}

void LoggingObserver::OnBatch(SubmittedBatch& batch, uint64_t version) {
  last_version = version;
  if (on_batch) on_batch(batch);
  batch.Attach(CountedSubState::kSlot, std::make_unique<CountedSubState>(ToString(batch.point())));
  if (is_logging) log.push_back(ToString(batch));
}
void LoggingObserver::OnHostWait(const state::HostWait& wait) {
  static constexpr const char* kNames[] = {"fence", "semaphore", "queue idle", "device idle", "present"};
  if (is_logging) log.push_back(kNames[static_cast<int>(wait.kind)]);
}
void LoggingObserver::OnRetire(Queue& queue, uint64_t serial) {
  if (is_logging) log.push_back("retire " + ToString(QueuePoint{&queue, serial}));
}
void LoggingObserver::OnHostSignal(Semaphore&, uint64_t value) {
  if (is_logging) log.push_back("signal " + std::to_string(value));
}
void LoggingObserver::OnHostEvent(Event&, bool is_set) {
  if (is_logging) log.push_back(is_set ? "event set" : "event reset");
}
void LoggingObserver::OnHostEventFailed(Event&) {
  if (is_logging) log.push_back("event failed");
}
void LoggingObserver::OnAcquire(const AcquiredImage& image, Semaphore*, Fence*) {
  if (is_logging) log.push_back("acquire " + std::to_string(image.index));
}
void LoggingObserver::OnUnknownOrder() {
  if (is_logging) log.push_back("unknown order");
}

QueueTest::QueueTest() {
  dispatch::SetTestValidators([this](dispatch::Device& created, dispatch::HookBuilder& builder) {
    state.emplace(created);
    state->AttachToQueues(observer);
    builder.Attach(*state, dispatch::RecordOrder::kFirstButDestroysLast);
    builder.Attach(hooks_);
  });
}

QueueTest::~QueueTest() { dispatch::SetTestValidators({}); }

void QueueTest::SetUp() {
  ValidationTest::SetUp();
  queues_ = {Queue(0, 0), Queue(0, 1), Queue(1, 0), Queue(2, 0)};
}

void QueueTest::HostSignal(VkSemaphore semaphore, uint64_t value) {
  VkSemaphoreSignalInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, value};
  EXPECT_EQ(vk.SignalSemaphore(device, &info), VK_SUCCESS);
}

void QueueTest::HostWait(VkSemaphore semaphore, uint64_t value) {
  VkSemaphoreWaitInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &semaphore, &value};
  EXPECT_EQ(vk.WaitSemaphores(device, &info, ~0ull), VK_SUCCESS);
}

}  // namespace assay::state
