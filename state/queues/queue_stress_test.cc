// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Submissions in great numbers and from several threads.

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <thread>

#include "state/queues/queue_test.h"

namespace assay::state {
namespace {

class QueueStress : public QueueTest {
 protected:
  void SetUp() override {
    QueueTest::SetUp();
    observer.is_logging = false;
    previews = false;
  }
};

constexpr int kMany = 100000;

TEST_F(QueueStress, MemoryStaysFlat) {
  VkSemaphore timeline = MakeTimeline(), binary = MakeSemaphore();
  VkFence fence = MakeFence();
  int most = 0;
  for (uint64_t i = 1; i <= kMany / 2; ++i) {
    const bool fenced = i % 8 == 0;
    SubmitBatch(0, {}, {At(binary), At(timeline, i)});
    SubmitBatch(1, {At(binary), At(timeline, i)}, {}, fenced ? fence : VK_NULL_HANDLE);
    most = std::max(most, CountedSubState::live.load());
    if (!fenced) continue;
    HostWait(fence);
    vk.ResetFences(device, 1, &fence);
  }
  EXPECT_LE(most, 10);
  EXPECT_TRUE(DeviceState::Get(q(1))->progress.dependents.empty());
}

// An application that never waits on the host, since something else limits its speed.
TEST_F(QueueStress, MemoryStaysFlatWithoutHostWaits) {
  VkSemaphore timeline = MakeTimeline();
  for (uint64_t i = 1; i <= kMany / 2; ++i) {
    SubmitBatch(0, {}, {At(timeline, 2 * i)});
    SubmitBatch(1, {At(timeline, 2 * i)}, {At(timeline, 2 * i + 1)});
  }
  EXPECT_LE(CountedSubState::live, 256);
  EXPECT_LE(DeviceState::Get(q(1))->progress.dependents.size(), 1024u);
  // A wait for a very old value is ordered after more batches than necessary, never after fewer.
  observer.is_logging = true;
  SubmitBatch(2, {At(timeline, 3)}, {});
  const std::string log = Take().front();
  EXPECT_NE(log.find("0:"), std::string::npos) << log;
  EXPECT_NE(log.find("1:"), std::string::npos) << log;
  // Retirement comes late, but it comes.
  vk.QueueWaitIdle(q(1));
  EXPECT_EQ(Take(), (Log{"queue idle", "retire 1:50000", "retire 0:50000"}));
  EXPECT_EQ(DeviceState::Get<Semaphore>(timeline)->progress.signals.size(), 256u);
  SubmitBatch(0, {}, {At(timeline, 1000000)});
  EXPECT_EQ(CountedSubState::live, 1);
}

// A model that computes the ready batches from the beginning after each call.
struct Model {
  using SemaphoreInfos = std::vector<VkSemaphoreSubmitInfo>;
  struct Batch {
    SemaphoreInfos waits, signals;
  };
  std::vector<Batch> queues[4];

  std::array<size_t, 4> Ready(std::map<VkSemaphore, uint64_t> values) const {
    std::array<size_t, 4> ready = {};
    for (bool progress = true; progress;) {
      progress = false;
      for (size_t i = 0; i < 4; ++i) {
        if (ready[i] == queues[i].size()) continue;
        const Batch& next = queues[i][ready[i]];
        const auto has_come = [&](const auto& wait) { return values[wait.semaphore] >= wait.value; };
        if (!std::all_of(next.waits.begin(), next.waits.end(), has_come)) continue;
        for (const auto& signal : next.signals) {
          values[signal.semaphore] = std::max(values[signal.semaphore], signal.value);
        }
        ++ready[i];
        progress = true;
      }
    }
    return ready;
  }
};

TEST_F(QueueStress, RandomStreamsAreReadyWhenTheyCanBe) {
  std::mt19937 random(1);
  const auto below = [&](uint64_t n) { return random() % n; };
  size_t held = 0, observed = 0;
  previews = true;
  observer.on_batch = [&](const SubmittedBatch&) { ++observed; };
  for (int round = 0; round < 40; ++round) {
    Model model;
    std::vector<VkSemaphore> semaphores = {MakeTimeline(), MakeTimeline(), MakeTimeline()};
    std::map<VkSemaphore, uint64_t> last, by_host;
    std::array<uint64_t, 4> first;
    for (uint32_t i = 0; i < 4; ++i) first[i] = DeviceState::Get(q(i))->progress.submitted;
    for (int step = 0; step < 60; ++step) {
      VkSemaphore semaphore = semaphores[below(3)];
      observed = 0;
      if (below(12) == 0) {
        HostSignal(semaphore, by_host[semaphore] = ++last[semaphore]);
      } else {
        const uint32_t queue = static_cast<uint32_t>(below(4));
        Model::Batch batch;
        for (uint64_t n = below(3); n > 0; --n) {
          VkSemaphore of = semaphores[below(3)];
          batch.waits.push_back(At(of, below(last[of] + 3)));
        }
        if (below(4) != 0) batch.signals.push_back(At(semaphore, ++last[semaphore]));
        SubmitBatch(queue, batch.waits, batch.signals);
        model.queues[queue].push_back(batch);
      }
      ASSERT_EQ(observed, preview().ready.size());
      const auto ready = model.Ready(by_host);
      for (uint32_t i = 0; i < 4; ++i) {
        const QueueProgress& progress = DeviceState::Get(q(i))->progress;
        ASSERT_EQ(progress.ready - first[i], ready[i]) << "queue " << i << ", round " << round << ", step " << step;
        ASSERT_EQ(progress.held.size(), model.queues[i].size() - ready[i]);
        held += progress.held.size();
      }
    }
    // Releases the held batches.
    vk.DeviceWaitIdle(device);
  }
  EXPECT_GT(held, 1000u);
}

// One thread's batches wait for the other's and the other way round; waits come before their signals half of the time.
TEST_F(QueueStress, TwoThreads) {
  constexpr uint64_t kRounds = 2000;
  VkSemaphore timelines[] = {MakeTimeline(), MakeTimeline()};
  uint64_t ready[4] = {};
  bool in_order = true;
  observer.on_batch = [&](const SubmittedBatch& batch) {
    in_order = in_order && batch.serial == ready[batch.queue->index] + 1;
    ready[batch.queue->index] = batch.serial;
    for (const BatchWait& wait : batch.waits) {
      for (const SignalPoint& signal : wait.source.signals) {
        in_order = in_order && signal.point.serial <= ready[signal.point.queue->index];
      }
    }
  };
  const auto run = [&](uint32_t me) {
    VkFence fence = VK_NULL_HANDLE;
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    vk.CreateFence(device, &info, nullptr, &fence);
    for (uint64_t i = 1; i <= kRounds; ++i) {
      std::vector<VkSemaphoreSubmitInfo> waits;
      if (me == 1 || i > 1) waits.push_back(At(timelines[1 - me], me == 1 ? i : i - 1));
      SubmitBatch(me, waits, {At(timelines[me], i)}, fence);
      vk.ResetFences(device, 1, &fence);
      uint64_t value;
      vk.GetSemaphoreCounterValue(device, timelines[1 - me], &value);
    }
    vk.DestroyFence(device, fence, nullptr);
  };
  std::thread other(run, 1);
  run(0);
  other.join();
  EXPECT_TRUE(in_order);
  EXPECT_EQ(ready[0], kRounds);
  EXPECT_EQ(ready[1], kRounds);
}

TEST_F(QueueStress, ThreadsGetTheSameQueue) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      VkQueue queue;
      vk.GetDeviceQueue(device, 0, 0, &queue);
      EXPECT_EQ(DeviceState::Get(queue)->index, 0u);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace assay::state
