// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Races with the host's accesses to mapped memory, as the setting syncval_mapped_ranges has them reported: buffers.

#include "syncval/queues/mapped_ranges_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

class NegativeSyncMapped : public SyncMapped {};
class PositiveSyncMapped : public SyncMapped {};

TEST_F(NegativeSyncMapped, FlushDuringARead) {
  Flush(staging_);
  Submit(Queue(), {Upload()});
  Flush(staging_);
  const test::Message message = ExpectMessage(kWriteRacingRead);
  ExpectPart(message, "vkFlushMappedMemoryRanges(): pMemoryRanges[0]");
  ExpectPart(message, "bytes 0 to 1023 of VkBuffer");
  ExpectPart(message, "Before the host writes what this vkFlushMappedMemoryRanges() flushes, wait for batch 1 of");
}
TEST_F(NegativeSyncMapped, FlushDuringAWrite) {
  Submit(Queue(), {Readback()});
  Flush(staging_);
  ExpectMessage(kWriteRacingWrite);
}
TEST_F(NegativeSyncMapped, InvalidateDuringAWrite) {
  Submit(Queue(2), {Readback(0, 1024, 2)});
  Invalidate(staging_);
  ExpectPart(ExpectMessage(kReadRacingWrite), "Before this vkInvalidateMappedMemoryRanges(), wait for batch 1 of");
}
TEST_F(PositiveSyncMapped, InvalidateDuringARead) {
  Submit(Queue(), {Upload()});
  Invalidate(staging_);
}
TEST_F(NegativeSyncMapped, FenceOfAnotherSubmission) {
  VkFence fence = MakeFence();
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Fill(c, MakeBuffer(64)); })}, {.fence = fence});
  Submit(Queue(), {Upload()});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
  Flush(staging_);
  ExpectMessage(kWriteRacingRead);
}
TEST_F(PositiveSyncMapped, WaitedFence) {
  VkFence fence = MakeFence();
  Submit(Queue(), {Upload(0, 512), Readback(512, 512)}, {.fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
  Flush(staging_, 0, 512);
  Invalidate(staging_, 512, 512);
}
TEST_F(PositiveSyncMapped, WaitedTimelineValue) {
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(), {Upload()},
         {.signals = {{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, 1,
                       VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}}});
  const uint64_t value = 1;
  const VkSemaphoreWaitInfo wait = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 1, .pSemaphores = &timeline, .pValues = &value};
  vk.WaitSemaphores(device, &wait, ~0ull);
  Flush(staging_);
}
// The submission begins after the host signals the semaphore.
TEST_F(PositiveSyncMapped, BeforeASignalOfTheHost) {
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(), {Upload()},
         {.waits = {{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, 1,
                     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}}});
  Flush(staging_);
  const VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, 1};
  vk.SignalSemaphore(device, &signal);
}
TEST_F(PositiveSyncMapped, BeforeTheSubmission) {
  const VkCommandBuffer upload = Upload();
  Flush(staging_);
  Submit(Queue(), {upload});
}

TEST_F(PositiveSyncMapped, RingBuffer) {
  constexpr VkDeviceSize kFrame = 256;
  VkFence fences[4];
  for (VkDeviceSize frame = 0; frame < 12; ++frame) {
    VkFence& fence = fences[frame % 4];
    if (frame < 4) {
      fence = MakeFence();
    } else {
      vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
      vk.ResetFences(device, 1, &fence);
    }
    const VkDeviceSize offset = frame % 4 * kFrame;
    Flush(staging_, offset, kFrame);
    Buffer target = MakeBuffer(kFrame);
    Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, staging_, target, {offset, 0, kFrame}); })},
           {.fence = fence});
  }
}
TEST_F(NegativeSyncMapped, RingBufferThatIsTooShort) {
  constexpr VkDeviceSize kFrame = 512;
  for (VkDeviceSize frame = 0; frame < 3; ++frame) {
    const VkDeviceSize offset = frame % 2 * kFrame;
    Flush(staging_, offset, kFrame);
    Buffer target = MakeBuffer(kFrame);
    Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, staging_, target, {offset, 0, kFrame}); })});
  }
  ExpectPart(ExpectMessage(kWriteRacingRead), "bytes 0 to 511 of VkBuffer");
}
// Three atoms. The copies access at most one byte of the first and of the last.
TEST_F(PositiveSyncMapped, NeighboursInTheAtomsAtTheEnds) {
  Submit(Queue(), {Upload(0, 4 * kAtom + 1), Upload(7 * kAtom - 1, 100)});
  Flush(staging_, 4 * kAtom, 3 * kAtom);
}
TEST_F(NegativeSyncMapped, AtomBetweenThoseAtTheEnds) {
  Submit(Queue(), {Upload(5 * kAtom, 1)});
  Flush(staging_, 4 * kAtom, 3 * kAtom);
  ExpectPart(ExpectMessage(kWriteRacingRead), "bytes 320 to 320 of VkBuffer");
}
TEST_F(PositiveSyncMapped, OneAtomWithANeighbour) {
  Submit(Queue(), {Upload(4 * kAtom, kAtom - 1)});
  Flush(staging_, 4 * kAtom, kAtom);
}
// Each byte of the atom would race.
TEST_F(NegativeSyncMapped, OneAtomThroughout) {
  Submit(Queue(), {Upload(4 * kAtom, 10), Upload(4 * kAtom + 10, kAtom)});
  Flush(staging_, 4 * kAtom, kAtom);
  ExpectMessages({kWriteRacingRead, kWriteRacingRead});
}
TEST_F(NegativeSyncMapped, OneAtomThroughoutByOneCopy) {
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           const VkBufferCopy regions[] = {{4 * kAtom, 0, 10}, {4 * kAtom + 10, 10, kAtom - 10}};
           vk.CmdCopyBuffer(c, staging_, mesh_, 2, regions);
         })});
  Flush(staging_, 4 * kAtom, kAtom);
  ExpectPart(ExpectMessage(kWriteRacingRead), "bytes 256 to 265 of VkBuffer");
  ExpectNothing();
}
TEST_F(PositiveSyncMapped, TwoAtomsWithNeighbours) {
  Submit(Queue(), {Upload(0, kAtom - 1), Upload(kAtom + 1, kAtom)});
  Flush(staging_, 0, 2 * kAtom);
}
TEST_F(NegativeSyncMapped, SecondOfTwoAtoms) {
  Submit(Queue(), {Upload(kAtom, 2 * kAtom)});
  Flush(staging_, 0, 2 * kAtom);
  ExpectPart(ExpectMessage(kWriteRacingRead), "bytes 64 to 127 of VkBuffer");
}
// The bytes behind the buffer belong to no resource.
TEST_F(NegativeSyncMapped, AtomThatABufferEndsIn) {
  staging_ = MakeMapped(24);
  Submit(Queue(), {Upload(0, 24)});
  Flush(staging_);
  ExpectPart(ExpectMessage(kWriteRacingRead), "bytes 0 to 23 of VkBuffer");
}
TEST_F(PositiveSyncMapped, AtomOfTwoBuffers) {
  const VkDeviceMemory memory = MakeMemory(1024, 3);
  Map(memory);
  staging_ = MakeBound(memory, 0, 32);
  const Buffer neighbour = MakeBound(memory, 32, 32);
  Submit(Queue(), {Upload(0, 32)});
  Flush(neighbour, 0, kAtom);
}
TEST_F(NegativeSyncMapped, BufferInSharedMemory) {
  const VkDeviceMemory memory = MakeMemory(1024, 3);
  Map(memory, 256);
  MakeBound(memory, 0, 256);
  staging_ = MakeBound(memory, 256, 512);
  Submit(Queue(), {Upload(128, 256)});
  Flush(staging_, 256);
  ExpectPart(ExpectMessage(kWriteRacingRead), "bytes 128 to 383 of VkBuffer");
}
TEST_F(PositiveSyncMapped, BytesThatAreNotMapped) {
  const VkDeviceMemory memory = MakeMemory(1024, 3);
  Map(memory, 256, 256);
  staging_ = MakeBound(memory, 0, 1024);
  Submit(Queue(), {Upload(0, 256), Upload(512, 512)});
  Flush(staging_, 256);
  vk.UnmapMemory(device, memory);
  Flush(staging_, 0);
}
TEST_F(NegativeSyncMapped, OneMessageForTheRangesOfOneCopy) {
  Submit(Queue(), {Upload()});
  const VkMappedMemoryRange ranges[] = {Bytes(staging_.memory, 512, 256), Bytes(staging_.memory, 0, 256)};
  vk.FlushMappedMemoryRanges(device, 2, ranges);
  ExpectPart(ExpectMessage(kWriteRacingRead), "pMemoryRanges[0]");
  ExpectNothing();
}
TEST_F(PositiveSyncMapped, NullParameters) {
  Submit(Queue(), {Upload()});
  vk.FlushMappedMemoryRanges(device, 0, nullptr);
  const VkMappedMemoryRange none = Bytes(VK_NULL_HANDLE, 0, VK_WHOLE_SIZE);
  vk.InvalidateMappedMemoryRanges(device, 1, &none);
}

// A part of the buffer for each frame; the shader gets the index by other means.
TEST_F(PositiveSyncMapped, PartOfTheRangeOfADescriptor) {
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, staging_);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
  Flush(staging_, 512, 512);
}
// So the copy does not certainly race either.
TEST_F(PositiveSyncMapped, PartOfAnAtomInTheRangeOfADescriptor) {
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, staging_);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); }), Upload(4 * kAtom, 10)});
  Flush(staging_, 4 * kAtom, kAtom);
}
TEST_F(NegativeSyncMapped, WholeRangeOfADescriptor) {
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, staging_, 512, 200);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
  Flush(staging_, 512, 256);
  ExpectPart(ExpectMessage(kWriteRacingRead), "through the descriptor at set 0, binding 0");
}
TEST_F(NegativeSyncMapped, InvalidateDuringAShaderWrite) {
  staging_ = MakeMapped(1000);
  const Compute compute = MakeStorageCompute({}, {0});
  WriteStorage(compute, 0, staging_);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
  Invalidate(staging_);
  ExpectPart(ExpectMessage(kReadRacingWrite), "bytes 0 to 999 of VkBuffer");
}
// The other descriptor of the same dispatch decides.
TEST_F(NegativeSyncMapped, OneDescriptorOfTwo) {
  const VkDeviceMemory memory = MakeMemory(2048, 3);
  Map(memory);
  const Buffer objects = MakeBound(memory, 0, 1024), constants = MakeBound(memory, 1024, 256);
  const Compute compute = MakeStorageCompute({0, 1}, {});
  WriteStorage(compute, 0, objects);
  WriteStorage(compute, 1, constants);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
  Flush(objects, 512, 768);
  const test::Message message = ExpectMessage(kWriteRacingRead);
  ExpectPart(message, "bytes 0 to 255 of VkBuffer");
  ExpectPart(message, "through the descriptor at set 0, binding 1");
  ExpectNothing();
}

class SyncMappedOff : public SyncMapped {
 protected:
  // NOLINTNEXTLINE(bugprone-parent-virtual-call): without the setting of SyncMapped.
  test::DeviceOptions Options() override { return SyncTest::Options(); }
};
TEST_F(SyncMappedOff, NothingIsReported) {
  Submit(Queue(), {Upload()});
  Flush(staging_);
  Invalidate(staging_);
}

class SyncMappedWithoutSubmissions : public SyncMapped {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncMapped::Options();
    options.settings.emplace_back("syncval_submit_time_validation", false);
    return options;
  }
};
TEST_F(SyncMappedWithoutSubmissions, NothingIsReported) {
  Submit(Queue(), {Upload()});
  Flush(staging_);
}

// The host looks at a marker to see how far the queue has come.
class PositiveSyncMappedMarker : public SyncMapped {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncMapped::Options();
    options.device_extensions = {VK_AMD_BUFFER_MARKER_EXTENSION_NAME};
    return options;
  }
};
TEST_F(PositiveSyncMappedMarker, InvalidateDuringAMarker) {
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           vk.CmdWriteBufferMarker2AMD(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, staging_, 512, 1);
         })});
  Invalidate(staging_);
}

}  // namespace
}  // namespace assay::syncval
