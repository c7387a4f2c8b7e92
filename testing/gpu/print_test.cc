// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Dispatches what prints, twice: print_program.

#include "gtest/gtest.h"
#include "testing/gpu/shaders/print_comp.h"
#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"

namespace assay::test {
namespace {

TEST(Print, EachInvocationPrintsALine) {
  const SystemLoader loader;
  MessageLog log;
  TestDevice device(loader, log);
  device.Create();
  log.Take();
  const VkPipeline pipeline =
      device.MakeComputePipeline(device.MakePipelineLayout({}), device.MakeShader(k_print_comp));
  const VkCommandBuffer commands = device.Record([&](VkCommandBuffer recording) {
    device.vk.CmdBindPipeline(recording, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    device.vk.CmdDispatch(recording, 1, 1, 1);
  });
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(device.Submit(device.Queue(), {commands}), VK_SUCCESS);
    EXPECT_EQ(device.vk.QueueWaitIdle(device.Queue()), VK_SUCCESS);
  }
  device.Destroy();
  log.ExpectNothing();
}

}  // namespace
}  // namespace assay::test
