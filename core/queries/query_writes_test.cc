// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that write and reset queries, through the whole layer.

#include <functional>
#include <string>

#include "core/queries/query_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

class WrittenQueries : public Queries {
 protected:
  static constexpr VkPipelineStageFlagBits kStage = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
  static constexpr VkPipelineStageFlags2 kStage2 = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;

  // Their rules are only known when they are submitted.
  void Run(const std::string& rule, const std::function<void(VkCommandBuffer)>& commands) {
    Submit(Queue(), {Record(commands)});
    ExpectAlone(rule.empty() ? "" : "VUID-" + rule);
  }
};

TEST_F(WrittenQueries, Timestamps) {
  const VkQueryPool pool = Make({.type = VK_QUERY_TYPE_TIMESTAMP}), other = Make({});
  Record([&](VkCommandBuffer c) {
    vk.CmdWriteTimestamp(c, kStage, pool, 3);
    vk.CmdWriteTimestamp2(c, kStage2, pool, 3);
    Expect("vkCmdWriteTimestamp-query-04904", vk.CmdWriteTimestamp, c, kStage, pool, 4);
    Expect("vkCmdWriteTimestamp2-query-04903", vk.CmdWriteTimestamp2, c, kStage2, pool, 4);
    Expect("vkCmdWriteTimestamp-queryPool-01416", vk.CmdWriteTimestamp, c, kStage, other, 0);
    Expect("vkCmdWriteTimestamp2-queryPool-03861", vk.CmdWriteTimestamp2, c, kStage2, other, 0);
    BeginRendering(c, 3);
    vk.CmdWriteTimestamp(c, kStage, pool, 2);
    vk.CmdWriteTimestamp2(c, kStage2, pool, 2);
    Expect("vkCmdWriteTimestamp-query-00831", vk.CmdWriteTimestamp, c, kStage, pool, 3);
    Expect("vkCmdWriteTimestamp2-query-03865", vk.CmdWriteTimestamp2, c, kStage2, pool, 3);
    vk.CmdEndRendering(c);
  });
}

TEST_F(WrittenQueries, Resets) {
  const VkQueryPool pool = Make({});
  Record([&](VkCommandBuffer c) {
    vk.CmdResetQueryPool(c, pool, 0, 4);
    vk.CmdBeginQuery(c, pool, 1, 0);
    vk.CmdResetQueryPool(c, pool, 2, 2);
    Expect("vkCmdResetQueryPool-None-02841", vk.CmdResetQueryPool, c, pool, 0, 2);
    vk.CmdEndQuery(c, pool, 1);
    vk.CmdResetQueryPool(c, pool, 0, 2);
    Expect("vkCmdResetQueryPool-firstQuery-09436", vk.CmdResetQueryPool, c, pool, 4, 1);
    Expect("vkCmdResetQueryPool-firstQuery-09437", vk.CmdResetQueryPool, c, pool, 3, 2);
  });
}

// Commands that write queries which nothing resets.
TEST_F(WrittenQueries, NeverReset) {
  const VkQueryPool times = Make({.type = VK_QUERY_TYPE_TIMESTAMP}), samples = Make({});
  Run("vkCmdWriteTimestamp-None-00830", [&](VkCommandBuffer c) { vk.CmdWriteTimestamp(c, kStage, times, 0); });
  Run("vkCmdWriteTimestamp2-None-03864", [&](VkCommandBuffer c) { vk.CmdWriteTimestamp2(c, kStage2, times, 0); });
  Run("vkCmdBeginQuery-None-00807",
      [&](VkCommandBuffer c) { vk.CmdBeginQuery(c, samples, 0, 0), vk.CmdEndQuery(c, samples, 0); });
  Run("vkCmdBeginQueryIndexedEXT-None-00807", [&](VkCommandBuffer c) {
    vk.CmdBeginQueryIndexedEXT(c, samples, 0, 0, 0), vk.CmdEndQueryIndexedEXT(c, samples, 0, 0);
  });
  vk.ResetQueryPool(device, times, 0, 4);
  Run("", [&](VkCommandBuffer c) {
    vk.CmdResetQueryPool(c, samples, 0, 4);
    vk.CmdWriteTimestamp(c, kStage, times, 0);
    vk.CmdWriteTimestamp2(c, kStage2, times, 1);
    vk.CmdBeginQuery(c, samples, 0, 0);
    vk.CmdEndQuery(c, samples, 0);
  });
}

}  // namespace
}  // namespace assay::core
