// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The bytes of buffers that commands access.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

class SyncCopy : public SyncTest {
 protected:
  // A buffer without memory of its own.
  VkBuffer MakeBound(VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = size,
                               .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer buffer = MakeUnboundBuffer(info);
    if (memory != VK_NULL_HANDLE) {
      EXPECT_EQ(vk.BindBufferMemory(device, buffer, memory, offset), VK_SUCCESS);
    }
    return buffer;
  }
};
class NegativeSyncCopy : public SyncCopy {};
class PositiveSyncCopy : public SyncCopy {};

TEST_F(NegativeSyncCopy, SeveralRegions) {
  Buffer a = MakeBuffer(1024), b = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  VkBufferCopy regions[] = {{0, 0, 64}, {64, 256, 64}, {128, 512, 64}};
  vk.CmdCopyBuffer(c, a, b, 3, regions);
  Fill(c, b, 320, 192);
  ExpectNothing();
  Fill(c, b, 316, 4);
  ExpectMessage(kWriteAfterWrite);
  Fill(c, b, 512, 4);
  ExpectMessage(kWriteAfterWrite);
  Fill(c, a, 0, 4);
  ExpectMessage(kWriteAfterRead);
}
TEST_F(PositiveSyncCopy, DisjointRegions) {
  Buffer a = MakeBuffer(1024), b = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  VkBufferCopy first[] = {{0, 0, 64}, {64, 256, 64}}, second[] = {{128, 64, 192}, {320, 320, 64}};
  vk.CmdCopyBuffer(c, a, b, 2, first);
  vk.CmdCopyBuffer(c, a, b, 2, second);
}
TEST_F(PositiveSyncCopy, WithinABuffer) {
  Buffer a = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  Copy(c, a, a, {0, 512, 512});
}
TEST_F(NegativeSyncCopy, WithinABuffer) {
  Buffer a = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  Copy(c, a, a, {0, 512, 256});
  Copy(c, a, a, {512, 768, 4});
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  Barrier(c, fix);
  Copy(c, a, a, {512, 780, 4});
}
// Both ends of a copy conflict with one earlier command: one report with one barrier.
TEST_F(NegativeSyncCopy, BothEndsOfACopy) {
  Buffer a = MakeBuffer(1024);
  const auto record = [&](const Masks* masks) {
    VkCommandBuffer c = Begun();
    Fill(c, a);
    if (masks != nullptr) Barrier(c, *masks);
    Copy(c, a, a, {0, 512, 64});
  };
  record(nullptr);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_access, kRead | kWrite);
  record(&fix);
}

// 4 * 2 + 2 bytes: the last two are not filled.
TEST_F(PositiveSyncCopy, WholeSizeOfAFillIsWholeWords) {
  Buffer a = MakeBuffer(1024), b = MakeBuffer(10);
  VkCommandBuffer c = Begun();
  Fill(c, b);
  Copy(c, a, b, {0, 8, 2});
}
TEST_F(NegativeSyncCopy, WholeSizeOfAFill) {
  Buffer a = MakeBuffer(1024), b = MakeBuffer(10);
  VkCommandBuffer c = Begun();
  Fill(c, b, 4);
  Copy(c, a, b, {0, 0, 4});
  ExpectNothing();
  Copy(c, a, b, {0, 7, 1});
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(NegativeSyncCopy, AliasedBuffers) {
  VkDeviceMemory memory = MakeMemory(4096, 0);
  VkBuffer a = MakeBound(memory, 0, 512), b = MakeBound(memory, 256, 512);
  VkCommandBuffer c = Begun();
  Fill(c, a);
  Fill(c, b, 256);
  ExpectNothing();
  Copy(c, b, MakeBuffer(64), {252, 0, 4});
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_EQ(message.objects.size(), 3u);
}
TEST_F(PositiveSyncCopy, NeighboursInMemory) {
  VkDeviceMemory memory = MakeMemory(4096, 0);
  VkBuffer a = MakeBound(memory, 0, 256), b = MakeBound(memory, 256, 256);
  VkCommandBuffer c = Begun();
  Fill(c, a);
  Fill(c, b);
}
// Neither buffer has known memory.
TEST_F(PositiveSyncCopy, UnboundAndMisbound) {
  VkDeviceMemory memory = MakeMemory(256, 0), next = MakeMemory(256, 0);
  VkBuffer unbound = MakeBound(VK_NULL_HANDLE, 0, 256);
  VkBuffer misbound = MakeBound(memory, 512, 256), too_large = MakeBound(memory, 128, 4096),
           good = MakeBound(next, 0, 256);
  VkCommandBuffer c = Begun();
  Fill(c, unbound);
  Fill(c, unbound);
  Fill(c, good);
  Fill(c, misbound);
  Fill(c, too_large);
}

// Pairs of begin and end timestamps.
TEST_F(PositiveSyncCopy, QueryResultsInterleave) {
  VkQueryPool queries = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 32);
  Buffer b = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  vk.CmdCopyQueryPoolResults(c, queries, 0, 16, b, 0, 16, VK_QUERY_RESULT_64_BIT);
  vk.CmdCopyQueryPoolResults(c, queries, 16, 16, b, 8, 16, VK_QUERY_RESULT_64_BIT);
}
TEST_F(NegativeSyncCopy, QueryResultsWithAvailability) {
  VkQueryPool queries = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 32);
  Buffer b = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  vk.CmdCopyQueryPoolResults(c, queries, 0, 16, b, 0, 16,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  vk.CmdCopyQueryPoolResults(c, queries, 16, 16, b, 8, 16, VK_QUERY_RESULT_64_BIT);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncCopy, QueryResults) {
  VkQueryPool queries = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 32);
  Buffer b = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  vk.CmdCopyQueryPoolResults(c, queries, 0, 16, b, 64, 4, 0);
  Fill(c, b, 0, 64);
  Fill(c, b, 128);
  ExpectNothing();
  Fill(c, b, 124, 4);
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(PositiveSyncCopy, SizesAndOffsetsOutsideOfTheBuffer) {
  Buffer a = MakeBuffer(256), b = MakeBuffer(256);
  VkCommandBuffer c = Begun();
  Copy(c, a, b, {256, 300, 16});
  Copy(c, a, b, {~VkDeviceSize{0}, ~VkDeviceSize{0}, ~VkDeviceSize{0}});
  Fill(c, a, 1024, 64);
  vk.CmdCopyQueryPoolResults(c, VK_NULL_HANDLE, 0, ~0u, b, 256, ~VkDeviceSize{0}, 0);
}

}  // namespace
}  // namespace assay::syncval
