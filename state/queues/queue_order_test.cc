// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The order in which batches become ready, and the sources of their waits.

#include "state/queues/queue_test.h"

namespace assay::state {
namespace {

class QueueOrder : public QueueTest {};

TEST_F(QueueOrder, OneQueue) {
  SubmitBatch(0, {}, {});
  SubmitBatch(0, {}, {});
  EXPECT_EQ(Take(), (Log{"0:1", "0:2"}));
}

TEST_F(QueueOrder, BatchesOfOneCall) {
  VkSemaphore binary = MakeSemaphore();
  VkSemaphoreSubmitInfo at = At(binary);
  VkSubmitInfo2 infos[3] = {
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2},
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .signalSemaphoreInfoCount = 1, .pSignalSemaphoreInfos = &at},
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
       .flags = VK_SUBMIT_PROTECTED_BIT,
       .waitSemaphoreInfoCount = 1,
       .pWaitSemaphoreInfos = &at}};
  std::vector<uint32_t> indices;
  observer.on_batch = [&](const SubmittedBatch& batch) {
    indices.push_back(batch.index);
    EXPECT_EQ(batch.command, vk::CommandId::kQueueSubmit2);
    EXPECT_EQ(batch.is_protected, batch.index == 2);
  };
  vk.QueueSubmit2(q(0), 3, infos, VK_NULL_HANDLE);
  EXPECT_EQ(Take(), (Log{"0:1", "0:2", "0:3 < 0:2"}));
  EXPECT_EQ(indices, (std::vector<uint32_t>{0, 1, 2}));
}

TEST_F(QueueOrder, AFenceAloneIsABatch) {
  vk.QueueSubmit(q(0), 0, nullptr, VK_NULL_HANDLE);
  EXPECT_EQ(Take(), Log{});
  vk.QueueSubmit(q(0), 0, nullptr, MakeFence());
  EXPECT_EQ(Take(), Log{"0:1"});
}

TEST_F(QueueOrder, OldStructures) {
  VkSemaphore binary = MakeSemaphore(), timeline = MakeTimeline();
  SubmitBatch(1, {}, {At(binary)});
  VkCommandBuffer commands = Record([](VkCommandBuffer) {});
  const uint64_t values[] = {0, 7};
  const uint32_t wait_devices[] = {0}, signal_devices[] = {0, 0}, mask = 1;
  VkDeviceGroupSubmitInfo group = {
      VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO, nullptr, 1, wait_devices, 1, &mask, 2, signal_devices};
  VkTimelineSemaphoreSubmitInfo more = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO, &group, 1, values, 2, values};
  VkProtectedSubmitInfo is_protected = {VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO, &more, VK_TRUE};
  VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  VkSemaphore signals[] = {binary, timeline};
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO, &is_protected, 1, &binary, &stages, 1, &commands, 2, signals};
  bool seen = false;
  observer.on_batch = [&](const SubmittedBatch& batch) {
    seen = true;
    EXPECT_TRUE(batch.is_protected);
    ASSERT_EQ(batch.waits.size(), 1u);
    EXPECT_EQ(batch.waits[0].stages, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
    EXPECT_EQ(batch.waits[0].handle, binary);
    ASSERT_EQ(batch.command_buffers.size(), 1u);
    EXPECT_EQ(batch.command_buffers[0].state.get(), DeviceState::Get(commands));
    EXPECT_EQ(batch.command_buffers[0].device_mask, 1u);
    ASSERT_EQ(batch.signals.size(), 2u);
    EXPECT_EQ(batch.signals[1].value, 7u);
    EXPECT_EQ(batch.signals[1].stages, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  };
  vk.QueueSubmit(q(0), 1, &info, VK_NULL_HANDLE);
  EXPECT_TRUE(seen);
  observer.on_batch = {};
  SubmitBatch(2, {At(timeline, 7)}, {});
  EXPECT_EQ(Take(), (Log{"1:1", "0:1 < 1:1", "2:1 < 0:1"}));
}

TEST_F(QueueOrder, WaitsMayComeBeforeTheirSignals) {
  VkSemaphore a = MakeTimeline(), b = MakeTimeline();
  SubmitBatch(2, {At(b, 1)}, {});
  SubmitBatch(2, {}, {});
  SubmitBatch(1, {At(a, 5)}, {At(b, 1)});
  EXPECT_EQ(Take(), Log{});
  EXPECT_EQ(preview().held, 1u);
  SubmitBatch(0, {}, {At(a, 5)});
  EXPECT_EQ(Take(), (Log{"0:1", "1:1 < 0:1", "2:1 < 1:1", "2:2"}));
}

TEST_F(QueueOrder, HoldsBatchesOfTheSameCallBack) {
  VkSemaphore a = MakeTimeline(), b = MakeTimeline();
  // The signal that the first batch's wait needs is behind it on the same queue: never ready.
  SubmitBatch(0, {At(a, 1)}, {At(b, 1)});
  SubmitBatch(0, {}, {At(a, 1)});
  SubmitBatch(1, {At(b, 1)}, {});
  EXPECT_EQ(Take(), Log{});
  HostSignal(a, 1);
  EXPECT_EQ(Take(), (Log{"signal 1", "0:1 < complete", "0:2", "1:1 < 0:1"}));
}

TEST_F(QueueOrder, HostSignalReleases) {
  VkSemaphore gate = MakeTimeline(3);
  SubmitBatch(0, {At(gate, 3)}, {});
  SubmitBatch(0, {At(gate, 5)}, {});
  EXPECT_EQ(Take(), Log{"0:1 < complete"});
  HostSignal(gate, 4);
  EXPECT_EQ(Take(), Log{"signal 4"});
  HostSignal(gate, 9);
  EXPECT_EQ(Take(), (Log{"signal 9", "0:2 < complete"}));
}

TEST_F(QueueOrder, BinaryAndTimeline) {
  VkSemaphore binary = MakeSemaphore(), timeline = MakeTimeline();
  SubmitBatch(0, {}, {At(binary), At(timeline, 1)});
  SubmitBatch(1, {At(binary), At(timeline, 2)}, {});
  EXPECT_EQ(Take(), Log{"0:1"});
  // The held wait has taken the signal nevertheless.
  SubmitBatch(0, {}, {At(binary)});
  SubmitBatch(2, {At(binary)}, {At(timeline, 2)});
  EXPECT_EQ(Take(), (Log{"0:2", "2:1 < 0:2", "1:1 < 0:1, 2:1+0:1"}));
}

TEST_F(QueueOrder, BinarySignalOfABatchThatIsHeld) {
  VkSemaphore binary = MakeSemaphore(), gate = MakeTimeline();
  SubmitBatch(0, {At(gate, 1)}, {At(binary)});
  SubmitBatch(1, {At(binary)}, {});
  EXPECT_EQ(Take(), Log{});
  SubmitBatch(2, {}, {At(gate, 1)});
  EXPECT_EQ(Take(), (Log{"2:1", "0:1 < 2:1", "1:1 < 0:1"}));
}

TEST_F(QueueOrder, BinaryWaitsTakeTheirSignal) {
  VkSemaphore binary = MakeSemaphore();
  SubmitBatch(0, {}, {At(binary)});
  SubmitBatch(1, {At(binary)}, {});
  SubmitBatch(1, {At(binary)}, {});
  EXPECT_EQ(Take(), (Log{"0:1", "1:1 < 0:1", "1:2 < unknown"}));
}

// The smallest value that ends the wait counts, and all signals up to it.
TEST_F(QueueOrder, SignalsUpToTheValue) {
  VkSemaphore timeline = MakeTimeline();
  SubmitBatch(0, {}, {At(timeline, 2, VK_PIPELINE_STAGE_2_COPY_BIT)});
  SubmitBatch(0, {}, {At(timeline, 4, VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT)});
  SubmitBatch(1, {}, {At(timeline, 6)});
  SubmitBatch(1, {}, {At(timeline, 8)});
  SubmitBatch(0, {}, {At(timeline, 10, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT)});
  Take();
  SubmitBatch(2, {At(timeline, 1)}, {});
  SubmitBatch(2, {At(timeline, 3)}, {});
  SubmitBatch(2, {At(timeline, 7)}, {});
  // The compute stage of the last does not cover what was signalled after copies.
  SubmitBatch(2, {At(timeline, 10)}, {});
  EXPECT_EQ(Take(), (Log{"2:1 < 0:1", "2:2 < 0:2", "2:3 < 1:2+0:2", "2:4 < 0:3+1:2+0:2"}));
}

// Signals of vkQueueBindSparse have nothing before them in their first scope but signals.
TEST_F(QueueOrder, SparseBinding) {
  VkSemaphore timeline = MakeTimeline();
  const uint64_t one = 1, two = 2;
  SubmitBatch(0, {}, {At(timeline, 1)});
  VkBuffer buffer = MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
                                       .size = 1024,
                                       .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT});
  VkDeviceMemory memory = MakeMemory(4096, 0);
  VkSparseMemoryBind binds[] = {{256, 512, memory, 1024, 0}, {2000, 1, memory, 0, 0}};
  VkSparseBufferMemoryBindInfo buffer_bind = {buffer, 2, binds};
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO, nullptr, 1, &one, 1, &two};
  VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                           .pNext = &values,
                           .waitSemaphoreCount = 1,
                           .pWaitSemaphores = &timeline,
                           .bufferBindCount = 1,
                           .pBufferBinds = &buffer_bind,
                           .signalSemaphoreCount = 1,
                           .pSignalSemaphores = &timeline};
  observer.on_batch = [&](const SubmittedBatch& batch) {
    EXPECT_TRUE(batch.is_sparse());
    ASSERT_EQ(batch.sparse_bindings.size(), 1u);
    const uint64_t address = DeviceState::Get<Buffer>(buffer)->address;
    EXPECT_EQ(batch.sparse_bindings[0].ranges, (ByteRanges{{address + 256, address + 768}}));
    EXPECT_EQ(batch.sparse_bindings[0].memory.get(), DeviceState::Get<DeviceMemory>(memory));
    EXPECT_EQ(batch.sparse_bindings[0].memory_offset, 1024u);
    // Observers see the bindings before the batch.
    EXPECT_FALSE(DeviceState::Get<Buffer>(buffer)->sparse->HasAll({256, 257}));
  };
  vk.QueueBindSparse(q(0), 1, &info, VK_NULL_HANDLE);
  observer.on_batch = {};
  EXPECT_TRUE(DeviceState::Get<Buffer>(buffer)->sparse->HasAll({256, 768}));
  SubmitBatch(1, {At(timeline, 2)}, {});
  EXPECT_EQ(Take(), (Log{"0:1", "0:2 < 0:1", "1:1 < 0:2+0:1"}));
}

TEST_F(QueueOrder, PreviewComesTrue) {
  VkSemaphore a = MakeTimeline(), b = MakeTimeline();
  SubmitBatch(1, {At(a, 1)}, {At(b, 1)});
  SubmitBatch(2, {At(b, 1)}, {});
  Take();
  std::vector<std::string> observed;
  observer.on_batch = [&](const SubmittedBatch& batch) {
    // No batch comes that the preview does not have.
    ASSERT_LT(observed.size(), preview().ready.size());
    const SubmittedBatch& previewed = *preview().ready[observed.size()];
    EXPECT_NE(&previewed, &batch);
    EXPECT_EQ(ToString(previewed), ToString(batch));
    observed.push_back(ToString(batch));
  };
  SubmitBatch(0, {}, {At(a, 1)});
  EXPECT_EQ(observed, (Log{"0:1", "1:1 < 0:1", "2:1 < 1:1"}));
  EXPECT_EQ(preview().version, observer.last_version);
  EXPECT_EQ(preview().held, 0u);
  // Within the preview, the sources of waits are batches of the preview.
  EXPECT_EQ(preview().ready[1]->waits[0].source.signals[0].batch, preview().ready[0]);
}

TEST_F(QueueOrder, PreviewOfAHostSignal) {
  VkSemaphore a = MakeTimeline(), b = MakeTimeline();
  SubmitBatch(0, {At(a, 2)}, {At(b, 1)});
  SubmitBatch(1, {At(b, 1)}, {});
  HostSignal(a, 1);
  EXPECT_EQ(preview().ready.size(), 0u);
  HostSignal(a, 2);
  ASSERT_EQ(preview().ready.size(), 2u);
  EXPECT_EQ(ToString(*preview().ready[1]), "1:1 < 0:1");
  EXPECT_EQ(preview().version, observer.last_version);
}

TEST_F(QueueOrder, PreviewAloneChangesNothing) {
  VkSemaphore a = MakeTimeline(), binary = MakeSemaphore();
  SubmitBatch(0, {}, {At(binary)});
  SubmitBatch(1, {At(a, 1)}, {});
  VkSemaphoreSubmitInfo wait = At(binary), signal = At(a, 1);
  VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                        .waitSemaphoreInfoCount = 1,
                        .pWaitSemaphoreInfos = &wait,
                        .signalSemaphoreInfoCount = 1,
                        .pSignalSemaphoreInfos = &signal};
  Take();
  for (int i = 0; i < 2; ++i) {
    const SubmissionPreview preview_before = state->PreviewSubmission(vk::QueueSubmit2{q(0), 1, &info, VK_NULL_HANDLE});
    ASSERT_EQ(preview_before.ready.size(), 2u);
    EXPECT_EQ(ToString(*preview_before.ready[0]), "0:2 < 0:1");
    EXPECT_EQ(ToString(*preview_before.ready[1]), "1:1 < 0:2");
  }
  EXPECT_EQ(Take(), Log{});
  SubmitBatch(2, {At(binary)}, {});
  EXPECT_EQ(Take(), Log{"2:1 < 0:1"});
}

// The call of another thread.
TEST_F(QueueOrder, ACallBetweenThePreviewAndTheCall) {
  VkSemaphore a = MakeTimeline();
  uint64_t previewed = 0;
  on_preview = [&] {
    EXPECT_EQ(preview().ready.size(), 0u);
    previewed = preview().version;
    SubmitBatch(1, {}, {At(a, 1)});
  };
  SubmitBatch(0, {At(a, 1)}, {});
  EXPECT_EQ(Take(), (Log{"1:1", "0:1 < 1:1"}));
  EXPECT_NE(observer.last_version, previewed);
}

TEST_F(QueueOrder, TheLastBatchHasTheFence) {
  VkFence fence = MakeFence();
  VkSubmitInfo infos[2] = {{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO}, {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO}};
  std::vector<size_t> fences;
  observer.on_batch = [&](const SubmittedBatch& batch) { fences.push_back(batch.fences.size()); };
  vk.QueueSubmit(q(0), 2, infos, fence);
  EXPECT_EQ(fences, (std::vector<size_t>{0, 1}));
}

TEST_F(QueueOrder, WaitsFindSubStatesOfBatches) {
  VkSemaphore timeline = MakeTimeline();
  SubmitBatch(0, {}, {});
  SubmitBatch(0, {}, {At(timeline, 1)});
  std::string found;
  observer.on_batch = [&](const SubmittedBatch& batch) {
    found = batch.waits[0].source.signals[0].batch->Sub<CountedSubState>()->name;
  };
  SubmitBatch(1, {At(timeline, 1)}, {});
  EXPECT_EQ(found, "0:2");
  // Nothing waits for the others any more.
  EXPECT_EQ(CountedSubState::live, 1);
}

TEST_F(QueueOrder, FailedSubmitsAreUndone) {
  VkSemaphore binary = MakeSemaphore(), other = MakeSemaphore(), timeline = MakeTimeline();
  VkFence fence = MakeFence();
  SubmitBatch(0, {}, {At(binary)});
  Take();
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  VkSemaphoreSubmitInfo wait = At(binary), signals[] = {At(other), At(timeline, 1)};
  VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                        .waitSemaphoreInfoCount = 1,
                        .pWaitSemaphoreInfos = &wait,
                        .signalSemaphoreInfoCount = 2,
                        .pSignalSemaphoreInfos = signals};
  EXPECT_EQ(vk.QueueSubmit2(q(1), 1, &info, fence), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(Take(), (Log{"1:1 < 0:1", "unknown order"}));
  // The signal that it would have taken is pending again, and its own signals are not.
  SubmitBatch(2, {At(binary), At(other)}, {});
  SubmitBatch(2, {At(timeline, 1)}, {});
  EXPECT_EQ(Take(), Log{"2:1 < 0:1, unknown"});
  // Its serial is not given again.
  SubmitBatch(1, {}, {At(timeline, 1)});
  EXPECT_EQ(Take(), (Log{"1:2", "2:2 < 1:2"}));
}

TEST_F(QueueOrder, FailedSubmitThatWasHeld) {
  VkSemaphore timeline = MakeTimeline();
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
  VkSemaphoreSubmitInfo wait = At(timeline, 1);
  VkSubmitInfo2 info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .waitSemaphoreInfoCount = 1, .pWaitSemaphoreInfos = &wait};
  vk.QueueSubmit2(q(0), 1, &info, VK_NULL_HANDLE);
  SubmitBatch(0, {}, {});
  EXPECT_EQ(Take(), (Log{"unknown order", "0:2"}));
}

TEST_F(QueueOrder, FailedSubmitHoldsAgainWhatItReleased) {
  VkSemaphore timeline = MakeTimeline(), released = MakeTimeline();
  SubmitBatch(0, {At(timeline, 1)}, {At(released, 1)});
  SubmitBatch(2, {At(released, 1)}, {});
  SubmitBatch(0, {}, {});
  EXPECT_EQ(Take(), Log{});
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
  VkSemaphoreSubmitInfo signal = At(timeline, 1);
  VkSubmitInfo2 info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .signalSemaphoreInfoCount = 1, .pSignalSemaphoreInfos = &signal};
  vk.QueueSubmit2(q(1), 1, &info, VK_NULL_HANDLE);
  EXPECT_EQ(Take(), (Log{"1:1", "0:1 < 1:1", "0:2", "2:1 < 0:1", "unknown order"}));
  SubmitBatch(1, {}, {At(timeline, 1)});
  EXPECT_EQ(Take(), (Log{"1:2", "0:1 < 1:2", "0:2", "2:1 < 0:1"}));
}

TEST_F(QueueOrder, LostDevice) {
  VkSemaphore timeline = MakeTimeline(), binary = MakeSemaphore();
  SubmitBatch(0, {}, {});
  SubmitBatch(1, {At(timeline, 1)}, {At(binary)});
  Take();
  driver().FailNext<vk::QueueWaitIdle>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.QueueWaitIdle(q(0)), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(Take(), (Log{"unknown order", "retire 0:1", "retire 1:1", "retire 2:0", "retire 3:0"}));
  SubmitBatch(0, {}, {At(timeline, 1)});
  vk.DeviceWaitIdle(device);
  EXPECT_EQ(Take(), Log{});
}

TEST_F(QueueOrder, BadInput) {
  VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .waitSemaphoreInfoCount = 3};
  vk.QueueSubmit2(q(0), 1, &info, VK_NULL_HANDLE);
  EXPECT_EQ(Take(), Log{"0:1"});
  SubmitBatch(0, {At(VK_NULL_HANDLE)}, {At(VK_NULL_HANDLE)});
  EXPECT_EQ(Take(), Log{"0:2 < unknown"});
  VkSemaphore timeline = MakeTimeline();
  SubmitBatch(0, {At(timeline, ~0ull)}, {});
  DestroyNow(timeline);
}

}  // namespace
}  // namespace assay::state
