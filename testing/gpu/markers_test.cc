// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Programs run with markers as they do without.

#include <cstdint>

#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"

namespace assay::test {
namespace {

class MarkersTest : public GpuavTest {
 protected:
  void SetUp() override { Create({.settings = {{"gpuav_markers", true}}}); }
};

TEST_F(MarkersTest, FaultsAreReportedInEachExecution) {
  const VkPipeline pipeline = MakePipeline();
  SetIndex(16);
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer command_buffer) {
    device_.vk.CmdFillBuffer(command_buffer, data_, 0, 64, 1);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT};
    device_.vk.CmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                  0, 1, &barrier, 0, nullptr, 0, nullptr);
    Dispatch(command_buffer, pipeline);
  });
  for (int i = 0; i < 3; ++i) {
    SubmitAndWait(commands);
    log_.Expect(kStorageBounds);
    log_.ExpectNothing();
  }
  EXPECT_EQ(static_cast<uint32_t*>(Map(data_))[3], 1u);
}

TEST_F(MarkersTest, SecondaryCommandBuffers) {
  const VkPipeline pipeline = MakePipeline();
  const VkCommandBuffer secondary = device_.MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .pInheritanceInfo = &inheritance};
  EXPECT_EQ(device_.vk.BeginCommandBuffer(secondary, &begin), VK_SUCCESS);
  Dispatch(secondary, pipeline);
  EXPECT_EQ(device_.vk.EndCommandBuffer(secondary), VK_SUCCESS);
  const VkCommandBuffer primary = device_.Record(
      [&](VkCommandBuffer command_buffer) { device_.vk.CmdExecuteCommands(command_buffer, 1, &secondary); });
  SetIndex(16);
  SubmitAndWait(primary);
  log_.Expect(kStorageBounds);
}

TEST_F(MarkersTest, SubmissionsThatRunNoShaders) {
  const VkCommandBuffer commands = device_.Record(
      [&](VkCommandBuffer command_buffer) { device_.vk.CmdFillBuffer(command_buffer, data_, 0, 64, 7); });
  const VkCommandBuffer empty = device_.Record([](VkCommandBuffer) {});
  EXPECT_EQ(device_.Submit(device_.Queue(), {empty}), VK_SUCCESS);
  SubmitAndWait(commands);
  EXPECT_EQ(static_cast<uint32_t*>(Map(data_))[15], 7u);
}

}  // namespace
}  // namespace assay::test
