// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Hazards between vkQueueBindSparse and command buffers that access the same resource.

#include "syncval/queues/sparse_test.h"

namespace assay::syncval {
namespace {

class NegativeSyncSparse : public SyncSparse {};
class PositiveSyncSparse : public SyncSparse {};

// A queue's command buffers are not ordered after its bindings.
TEST_F(NegativeSyncSparse, AccessWithoutSemaphore) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4);
  Submit(Queue(), {FillBlock(buffer, 1)});
  ExpectMessage(kWriteRacingWrite);
}
TEST_F(PositiveSyncSparse, AccessAfterSemaphore) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4, {.signal = semaphore_});
  Submit(Queue(), {FillBlock(buffer, 1)}, {.waits = {At(semaphore_, kAll)}});
}
TEST_F(PositiveSyncSparse, AccessToAnotherBlock) {
  VkBuffer buffer = SparseBuffer(VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT);
  Bind(buffer, 0, 1);
  Submit(Queue(), {FillBlock(buffer, 1)});
}
TEST_F(NegativeSyncSparse, SemaphoreForAnotherStage) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4, {.signal = semaphore_});
  Submit(Queue(), {FillBlock(buffer, 1)}, {.waits = {At(semaphore_, kCompute)}});
  ExpectMessage(kWriteAfterWrite);
}
// A binding need not be made available and visible.
TEST_F(PositiveSyncSparse, ExecutionDependency) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4, {.signal = semaphore_});
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           Barrier(c, {kCopy, 0, kClear, 0});
           Fill(c, buffer, kBlock, kBlock);
         })},
         {.waits = {At(semaphore_, kCopy)}});
}
TEST_F(NegativeSyncSparse, ExecutionDependencyOfAnotherStage) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4, {.signal = semaphore_});
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           Barrier(c, {kCompute, 0, kClear, 0});
           Fill(c, buffer, kBlock, kBlock);
         })},
         {.waits = {At(semaphore_, kCopy)}});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncSparse, AccessAfterFence) {
  VkBuffer buffer = SparseBuffer();
  VkFence fence = MakeFence();
  Bind(buffer, 0, 4, {.fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
  Submit(Queue(), {FillBlock(buffer, 1)});
}
TEST_F(PositiveSyncSparse, AccessAfterIdle) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4);
  vk.QueueWaitIdle(Queue());
  Submit(Queue(), {FillBlock(buffer, 1)});
}

// Nor are its bindings ordered after its command buffers.
TEST_F(NegativeSyncSparse, RebindWhileInUse) {
  VkBuffer buffer = SparseBuffer();
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, buffer, other_); })});
  Bind(buffer, 0, 1);
  const test::Message message = ExpectMessage(kWriteRacingRead);
  EXPECT_NE(message.text.find("pBindInfo[0].pBufferBinds[0]"), std::string::npos) << message.text;
}
TEST_F(PositiveSyncSparse, RebindAfterAccess) {
  VkBuffer buffer = SparseBuffer();
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, buffer, other_); })}, {.signals = {At(semaphore_, kAll)}});
  Bind(buffer, 0, 1, {.wait = semaphore_});
}
// The wait applies to the binding alone. The binding's signal does not cover earlier submissions without a signal.
TEST_F(NegativeSyncSparse, WaitOfTheBindingIsItsOwn) {
  VkSemaphore bound = MakeSemaphore();
  VkBuffer buffer = SparseBuffer();
  Submit(Queue(2), {Record([&](VkCommandBuffer c) { Fill(c, other_); }, 2)}, {.signals = {At(semaphore_, kAll)}});
  Bind(buffer, 0, 4, {.wait = semaphore_, .signal = bound});
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, other_, buffer); })});
  ExpectMessage(kReadRacingWrite);
  ExpectMessage(kWriteRacingWrite);
}
// The signals of a queue are in one order: a later signal than the binding's is after the binding too.
TEST_F(PositiveSyncSparse, LaterSignalOfTheQueue) {
  VkSemaphore later = MakeSemaphore();
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4, {.signal = semaphore_});
  Submit(Queue(), {}, {.signals = {At(later, kAll)}});
  Submit(Queue(2), {Record([&](VkCommandBuffer c) { Fill(c, buffer, 0, kBlock); }, 2)}, {.waits = {At(later, kAll)}});
}
TEST_F(PositiveSyncSparse, BindingAfterASignal) {
  VkSemaphore bound = MakeSemaphore();
  VkBuffer buffer = SparseBuffer();
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Fill(c, other_); })}, {.signals = {At(semaphore_, kAll)}});
  Bind(buffer, 0, 4, {.signal = bound});
  Submit(Queue(2), {Record([&](VkCommandBuffer c) { Copy(c, other_, buffer); }, 2)}, {.waits = {At(bound, kAll)}});
}
TEST_F(PositiveSyncSparse, BindingsOfOneQueue) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4);
  Bind(buffer, 0, 4);
}
TEST_F(NegativeSyncSparse, BindingsOfTwoQueues) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4);
  Bind(buffer, 1, 1, {}, Queue(0, 1));
  ExpectMessage(kWriteRacingWrite);
}

// Shaders may know which sparse blocks are bound.
TEST_F(PositiveSyncSparse, ShaderWithPartiallyResidentBuffer) {
  VkBuffer buffer = SparseBuffer(VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT);
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, buffer);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
  Bind(buffer, 0, 1);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
}
TEST_F(NegativeSyncSparse, ShaderWithFullyResidentBuffer) {
  VkBuffer buffer = SparseBuffer();
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, buffer);
  Bind(buffer, 0, 4);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
  ExpectMessage(kReadRacingWrite);
}

TEST_F(NegativeSyncSparse, TileInUse) {
  const test::Image image = SparseImage(VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT);
  BindTile(image, {128, 0, 0}, {128, 128, 1});
  Submit(Queue(), {CopyToTexels(image, {192, 64, 0}, {8, 8, 1})});
  ExpectMessage(kWriteRacingWrite);
}
TEST_F(PositiveSyncSparse, AnotherTile) {
  const test::Image image = SparseImage(VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT);
  BindTile(image, {128, 0, 0}, {128, 128, 1});
  Submit(Queue(), {CopyToTexels(image, {64, 64, 0}, {8, 8, 1})});
}
TEST_F(PositiveSyncSparse, MipTail) {
  const test::Image image = SparseImage(VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT);
  BindOpaque(image, 0, kBlock, memory_);
  Submit(Queue(), {CopyToTexels(image, {64, 64, 0}, {8, 8, 1})});
}

// All of an image must be bound before any of it is accessed.
TEST_F(NegativeSyncSparse, OpaqueBindingOfAPart) {
  const test::Image image = SparseImage();
  BindOpaque(image, 0, kBlock, memory_);
  Submit(Queue(), {CopyToTexels(image, {64, 64, 0}, {8, 8, 1})});
  ExpectMessage(kWriteRacingWrite);
}
TEST_F(PositiveSyncSparse, OpaqueBindingInExchange) {
  const test::Image image = SparseImage();
  BindOpaque(image, 0, 4 * kBlock, memory_);
  vk.QueueWaitIdle(Queue());
  BindOpaque(image, kBlock, kBlock, memory_);
  Submit(Queue(), {CopyToTexels(image, {64, 64, 0}, {8, 8, 1})});
}
TEST_F(NegativeSyncSparse, OpaqueBindingTakenOff) {
  const test::Image image = SparseImage();
  BindOpaque(image, 0, 4 * kBlock, memory_);
  vk.QueueWaitIdle(Queue());
  BindOpaque(image, kBlock, kBlock, VK_NULL_HANDLE);
  Submit(Queue(), {CopyToTexels(image, {64, 64, 0}, {8, 8, 1})});
  ExpectMessage(kWriteRacingWrite);
}

// Without the flag no two buffers have the same memory at the same time.
TEST_F(PositiveSyncSparse, BlocksThatAreNotShared) {
  VkBuffer a = SparseBuffer(), b = SparseBuffer();
  Bind(a, 0, 4);
  Bind(b, 0, 4);
  vk.QueueWaitIdle(Queue());
  Submit(Queue(), {FillBlock(a, 0)});
  Submit(Queue(), {FillBlock(b, 0)});
}

}  // namespace
}  // namespace assay::syncval
