// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What threads share: pipelines that leave checks to the host, the words of shaders, tables of descriptors, memory of
// recordings, and what is read of executions. Over the mock driver; for the thread sanitizer, too.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "gpuav/driver_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::gpuav {
namespace {

constexpr int kThreads = 4;
constexpr int kFrames = 40;

class ThreadsTest : public GpuavDriverTest {
 protected:
  void SetUp() override {
    driver().SetObserver([this](vk::CommandId id, const void*) {
      if (id == vk::CommandId::kCreateComputePipelines) pipelines_.fetch_add(1, std::memory_order_relaxed);
    });
    GpuavDriverTest::SetUp();
  }

  // What one thread has for itself.
  struct Own {
    VkCommandBuffer commands;
    VkDescriptorSet set;
    VkBuffer large;
    VkBuffer small;
  };
  // Each command buffer is of a pool of its own.
  Own MakeOwn() { return {MakeCommandBuffer(), MakeSet(set_layout_), MakeBuffer(64), MakeBuffer(2)}; }

  void Write(const Own& own, VkBuffer buffer) {
    const VkDescriptorBufferInfo info = {.buffer = buffer, .range = VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = own.set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &info};
    vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }

  VkPipeline MakeTemporary(VkShaderModule shader) {
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = shader,
                                                        .pName = "main"},
                                              .layout = layout_};
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    return pipeline;
  }

  // Records, submits, and waits: with a buffer that holds the access or with one that does not, in turns.
  void RunFrames(const Own& own, const std::vector<VkPipeline>& pipelines, VkShaderModule shader) {
    for (int frame = 0; frame < kFrames; ++frame) {
      Write(own, frame % 2 == 0 ? own.large : own.small);
      const VkPipeline temporary = MakeTemporary(shader);
      const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
      EXPECT_EQ(vk.BeginCommandBuffer(own.commands, &begin), VK_SUCCESS);
      for (const VkPipeline pipeline : {pipelines[0], pipelines[1], temporary}) {
        vk.CmdBindPipeline(own.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vk.CmdBindDescriptorSets(own.commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &own.set, 0, nullptr);
        vk.CmdDispatch(own.commands, 1, 1, 1);
      }
      EXPECT_EQ(vk.EndCommandBuffer(own.commands), VK_SUCCESS);
      {
        const std::lock_guard<std::mutex> lock(queue_mutex_);
        EXPECT_EQ(Submit(Queue(), {own.commands}), VK_SUCCESS);
        EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
      }
      vk.DestroyPipeline(device, temporary, nullptr);
    }
  }

  std::mutex queue_mutex_;
  std::atomic<int> pipelines_{0};
};

TEST_F(ThreadsTest, RecordAndSubmit) {
  MakeLayout();
  const VkShaderModule constant = MakeShader(test::ComputeShader({.writes = {0}}));
  const std::vector<VkPipeline> pipelines = {MakeComputePipeline(layout_, constant),
                                             MakeComputePipeline(layout_, MakeWriter())};
  std::vector<Own> owns;
  owns.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) owns.push_back(MakeOwn());
  pipelines_ = 0;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (const Own& own : owns) {
    threads.emplace_back([&] { RunFrames(own, pipelines, constant); });
  }
  for (std::thread& thread : threads) thread.join();
  // Those that check everything: one that threads share, and one for each of the others that a small buffer was bound
  // with.
  EXPECT_EQ(pipelines_, kThreads * kFrames + 1 + kThreads * kFrames / 2);
  ExpectNothing();
}

}  // namespace
}  // namespace assay::gpuav
