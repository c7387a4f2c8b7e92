// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Where queries must not be active, through the whole layer.

#include "core/queries/query_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

class ActiveQueries : public Queries {
 protected:
  void Execute(VkCommandBuffer c) {
    const VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const auto inherited = Typed(VkCommandBufferInheritanceInfo{.occlusionQueryEnable = allows_occlusion_});
    const auto info = Typed(VkCommandBufferBeginInfo{.pInheritanceInfo = &inherited});
    EXPECT_EQ(vk.BeginCommandBuffer(secondary, &info), VK_SUCCESS);
    End(secondary);
    vk.CmdExecuteCommands(c, 1, &secondary);
  }

  VkBool32 allows_occlusion_ = VK_TRUE;
};

TEST_F(ActiveQueries, AtTheEndOfTheRecording) {
  const VkQueryPool pool = Make({});
  Record([&](VkCommandBuffer c) { vk.CmdBeginQuery(c, pool, 2, 0); });
  EXPECT_THAT(ExpectMessage("VUID-vkEndCommandBuffer-commandBuffer-00061").text,
              HasSubstr("has query 2 of VkQueryPool"));
  Record([&](VkCommandBuffer c) { vk.CmdBeginQuery(c, pool, 2, 0), vk.CmdEndQuery(c, pool, 2); });
}

TEST_F(ActiveQueries, AtTheEndOfRenderPasses) {
  const VkQueryPool pool = Make({});
  const VkRenderPass render_pass = MakeRenderPass({}, {VkSubpassDescription2{}});
  const VkRenderPassBeginInfo begin = BeginInfo(render_pass, MakeFramebuffer(render_pass, {}, 16, 16), 16);
  const auto end = Typed(VkSubpassEndInfo());
  const VkCommandBuffer c = MakeCommandBuffer();
  Begin(c);
  // It may last longer than the render pass instance.
  vk.CmdBeginQuery(c, pool, 0, 0);
  vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vk.CmdEndRenderPass(c);
  vk.CmdEndQuery(c, pool, 0);
  ExpectNothing();
  vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vk.CmdBeginQuery(c, pool, 0, 0);
  Expect("vkCmdEndRenderPass-None-07004", vk.CmdEndRenderPass, c);
  vk.CmdEndQuery(c, pool, 0);
  vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vk.CmdBeginQuery(c, pool, 0, 0);
  Expect("vkCmdEndRenderPass2-None-07005", vk.CmdEndRenderPass2, c, &end);
}

TEST_F(ActiveQueries, WhileOthersAreExecuted) {
  const VkQueryPool samples = Make({}), streams = Make({.type = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT});
  Record([&](VkCommandBuffer c) {
    vk.CmdBeginQuery(c, samples, 0, 0);
    Execute(c);
    ExpectNothing();
    vk.CmdBeginQuery(c, streams, 0, 0);
    Execute(c);
    ExpectMessage("VUID-vkCmdExecuteCommands-commandBuffer-07594");
    vk.CmdEndQuery(c, streams, 0);
    vk.CmdEndQuery(c, samples, 0);
  });
}

class NoInheritedQueries : public ActiveQueries {
 protected:
  NoInheritedQueries() {
    has_core_features_ = false;
    allows_occlusion_ = VK_FALSE;
  }
};

TEST_F(NoInheritedQueries, AreReported) {
  const VkQueryPool pool = Make({});
  Record([&](VkCommandBuffer c) {
    Execute(c);
    vk.CmdBeginQuery(c, pool, 0, 0);
    ExpectNothing();
    Execute(c);
    ExpectMessage("VUID-vkCmdExecuteCommands-commandBuffer-00101");
    vk.CmdEndQuery(c, pool, 0);
  });
}

}  // namespace
}  // namespace assay::core
