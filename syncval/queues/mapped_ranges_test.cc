// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the host's accesses to mapped memory race with, where syncval_mapped_ranges takes the application at its word.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr char kWriteRacingRead[] = "SYNC-HAZARD-WRITE-RACING-READ";
constexpr char kWriteRacingWrite[] = "SYNC-HAZARD-WRITE-RACING-WRITE";
constexpr char kReadRacingWrite[] = "SYNC-HAZARD-READ-RACING-WRITE";
// nonCoherentAtomSize of the mock driver, in bytes.
constexpr VkDeviceSize kAtom = 64;

class SyncMapped : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.settings.emplace_back("syncval_mapped_ranges", true);
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    VkPhysicalDeviceProperties properties;
    vk.GetPhysicalDeviceProperties(physical_device, &properties);
    ASSERT_EQ(properties.limits.nonCoherentAtomSize, kAtom);
    staging_ = MakeMapped(1024);
    mesh_ = MakeBuffer(1024);
  }
  void* Map(VkDeviceMemory memory, VkDeviceSize offset = 0, VkDeviceSize size = VK_WHOLE_SIZE) {
    void* bytes = nullptr;
    EXPECT_EQ(vk.MapMemory(device, memory, offset, size, 0, &bytes), VK_SUCCESS);
    return bytes;
  }
  Buffer MakeMapped(VkDeviceSize size) {
    Buffer buffer = MakeBuffer(size);
    Map(buffer.memory);
    return buffer;
  }
  // At an offset of memory that others are bound to as well.
  Buffer MakeBound(VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = size,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    const Buffer buffer = {MakeUnboundBuffer(info), memory, size};
    EXPECT_EQ(vk.BindBufferMemory(device, buffer, memory, offset), VK_SUCCESS);
    return buffer;
  }
  static VkMappedMemoryRange Bytes(VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
    return {VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, nullptr, memory, offset, size};
  }
  void Flush(const Buffer& buffer, VkDeviceSize offset = 0, VkDeviceSize size = VK_WHOLE_SIZE) {
    const VkMappedMemoryRange range = Bytes(buffer.memory, offset, size);
    EXPECT_EQ(vk.FlushMappedMemoryRanges(device, 1, &range), VK_SUCCESS);
  }
  void Invalidate(const Buffer& buffer, VkDeviceSize offset = 0, VkDeviceSize size = VK_WHOLE_SIZE) {
    const VkMappedMemoryRange range = Bytes(buffer.memory, offset, size);
    EXPECT_EQ(vk.InvalidateMappedMemoryRanges(device, 1, &range), VK_SUCCESS);
  }
  VkCommandBuffer Upload(VkDeviceSize offset = 0, VkDeviceSize size = 1024, uint32_t family = 0) {
    return Record([&](VkCommandBuffer c) { Copy(c, staging_, mesh_, {offset, offset, size}); }, family);
  }
  VkCommandBuffer Readback(VkDeviceSize offset = 0, VkDeviceSize size = 1024, uint32_t family = 0) {
    return Record([&](VkCommandBuffer c) { Copy(c, mesh_, staging_, {offset, offset, size}); }, family);
  }
  static void ExpectPart(const test::Message& message, const std::string& part) {
    EXPECT_NE(message.text.find(part), std::string::npos) << message.text;
  }
  Buffer staging_, mesh_;
};
class NegativeSyncMapped : public SyncMapped {};
class PositiveSyncMapped : public SyncMapped {};

// ---- Which submissions

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
// It is not begun before the host signals the semaphore.
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

// ---- Which bytes

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
    Submit(Queue(), {Record([&](VkCommandBuffer c) {
             Copy(c, staging_, target, {offset, 0, kFrame});
           })},
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
// Three atoms, of which the copies reach one byte at the most into those at the ends.
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
// Whichever byte it was.
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
// What lies behind the buffer is nobody's.
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
TEST_F(PositiveSyncMapped, NothingGiven) {
  Submit(Queue(), {Upload()});
  vk.FlushMappedMemoryRanges(device, 0, nullptr);
  const VkMappedMemoryRange none = Bytes(VK_NULL_HANDLE, 0, VK_WHOLE_SIZE);
  vk.InvalidateMappedMemoryRanges(device, 1, &none);
}

// ---- Descriptors

// A part of the buffer for each frame; the shader is told which by other means.
TEST_F(PositiveSyncMapped, PartOfWhatADescriptorLeadsTo) {
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, staging_);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
  Flush(staging_, 512, 512);
}
// So that it is not certain of the copy either.
TEST_F(PositiveSyncMapped, PartOfAnAtomThatADescriptorLeadsTo) {
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, staging_);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); }), Upload(4 * kAtom, 10)});
  Flush(staging_, 4 * kAtom, kAtom);
}
TEST_F(NegativeSyncMapped, AllThatADescriptorLeadsTo) {
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, staging_, 512, 200);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
  Flush(staging_, 512, 256);
  ExpectPart(ExpectMessage(kWriteRacingRead), "through the descriptor at set 0, binding 0");
}
TEST_F(NegativeSyncMapped, InvalidateWhatAShaderWrites) {
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

// ---- Images

class SyncMappedImage : public SyncMapped {
 protected:
  // 64 bytes a row.
  VkImageCreateInfo ImageInfo(VkImageTiling tiling, uint32_t height = 16) {
    return {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
            .imageType = VK_IMAGE_TYPE_2D,
            .format = VK_FORMAT_R8G8B8A8_UNORM,
            .extent = {16, height, 1},
            .mipLevels = 1,
            .arrayLayers = 1,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .tiling = tiling,
            .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
            .initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED};
  }
  VkImage MakeBoundImage(VkDeviceMemory memory, VkDeviceSize offset, VkImageTiling tiling, uint32_t height = 16) {
    const VkImage image = MakeUnboundImage(ImageInfo(tiling, height));
    EXPECT_EQ(vk.BindImageMemory(device, image, memory, offset), VK_SUCCESS);
    return image;
  }
  // Of one row.
  VkCommandBuffer ReadRow(VkImage image, int32_t row) {
    return Record([&](VkCommandBuffer c) {
      const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                        .imageOffset = {0, row, 0},
                                        .imageExtent = {16, 1, 1}};
      vk.CmdCopyImageToBuffer(c, image, VK_IMAGE_LAYOUT_GENERAL, mesh_, 1, &region);
    });
  }
};
class NegativeSyncMappedImage : public SyncMappedImage {};
class PositiveSyncMappedImage : public SyncMappedImage {};

TEST_F(NegativeSyncMappedImage, WholeLinearImage) {
  const VkDeviceMemory memory = MakeMemory(4096, 3);
  Map(memory);
  const VkImage image = MakeBoundImage(memory, 1024, VK_IMAGE_TILING_LINEAR);
  Submit(Queue(), {ReadRow(image, 3)});
  Flush({.memory = memory}, 1024, 1024);
  const test::Message message = ExpectMessage(kWriteRacingRead);
  ExpectPart(message, "The host writes texels (0, 3) to (15, 3) of VkImage");
}
TEST_F(PositiveSyncMappedImage, PartOfALinearImage) {
  const VkDeviceMemory memory = MakeMemory(4096, 3);
  Map(memory);
  const VkImage image = MakeBoundImage(memory, 1024, VK_IMAGE_TILING_LINEAR);
  Submit(Queue(), {ReadRow(image, 3)});
  Flush({.memory = memory}, 1024, 1024 - kAtom);
  Flush({.memory = memory}, 1024 + kAtom, 1024);
}
TEST_F(PositiveSyncMappedImage, LinearImageWithANeighbourInItsAtom) {
  const VkDeviceMemory memory = MakeMemory(4096, 3);
  Map(memory);
  const VkImage image = MakeBoundImage(memory, 1024 + 32, VK_IMAGE_TILING_LINEAR);
  MakeBound(memory, 1024, 32);
  Submit(Queue(), {ReadRow(image, 0)});
  Flush({.memory = memory}, 1024, 1024 + kAtom);
}
TEST_F(PositiveSyncMappedImage, OptimalImage) {
  const VkDeviceMemory memory = MakeMemory(4096, 3);
  Map(memory);
  const VkImage image = MakeBoundImage(memory, 1024, VK_IMAGE_TILING_OPTIMAL);
  Submit(Queue(), {ReadRow(image, 3)});
  Flush({.memory = memory});
}
// As bytes of the memory, and once.
TEST_F(NegativeSyncMappedImage, ImageThatSharesMemory) {
  const VkDeviceMemory memory = MakeMemory(4096, 3);
  Map(memory);
  MakeBound(memory, 0, 4096);
  const VkImage image = MakeBoundImage(memory, 1024, VK_IMAGE_TILING_LINEAR);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Clear(c, image, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}); })});
  Flush({.memory = memory});
  ExpectPart(ExpectMessage(kWriteRacingWrite), "bytes 1024 to 2047 of VkDeviceMemory");
  ExpectNothing();
}

// ---- The setting

class SyncMappedOff : public SyncMapped {
 protected:
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

}  // namespace
}  // namespace assay::syncval
