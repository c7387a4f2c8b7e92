// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The fixture under the layer: a hazard, its silent twin, and the driver's own handles reaching the driver.

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::test {
namespace {

class LayerTest : public ValidationTest {
 protected:
  void CopyTwice(bool with_barrier) {
    Buffer a = MakeBuffer(1024), b = MakeBuffer(1024), c = MakeBuffer(1024);
    VkBufferCopy region = {0, 0, 1024};
    VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                               VK_ACCESS_TRANSFER_READ_BIT};
    Record([&](VkCommandBuffer commands) {
      vk.CmdCopyBuffer(commands, a, b, 1, &region);
      if (with_barrier) {
        vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier,
                              0, nullptr, 0, nullptr);
      }
      vk.CmdCopyBuffer(commands, b, c, 1, &region);
    });
  }
};

TEST_F(LayerTest, ReportsAMissingBarrier) {
  CopyTwice(false);
  ExpectMessage("SYNC-HAZARD-READ-AFTER-WRITE");
}

TEST_F(LayerTest, IsSilentWithTheBarrier) { CopyTwice(true); }

TEST_F(LayerTest, GivesTheDriverItsOwnHandles) {
  Buffer a = MakeBuffer(64), b = MakeBuffer(64);
  VkBuffer seen = VK_NULL_HANDLE;
  driver().Observe<vk::CmdCopyBuffer>([&](const vk::CmdCopyBuffer& call) { seen = call.srcBuffer; });
  VkBufferCopy region = {0, 0, 64};
  VkCommandBuffer commands = Record([&](VkCommandBuffer recorded) { vk.CmdCopyBuffer(recorded, a, b, 1, &region); });
  EXPECT_NE(seen, VkBuffer{VK_NULL_HANDLE});
  EXPECT_NE(seen, a.handle);
  EXPECT_EQ(Submit(Queue(), {commands}), VK_SUCCESS);
}

}  // namespace
}  // namespace assay::test
