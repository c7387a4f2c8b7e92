// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Eight threads, each with objects of its own, with all validators on. No message is reported. With --config=tsan this
// also finds data races in the layer.

#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::thread_safety {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 40;

class OwnObjects : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.settings = {{"object_lifetime", true}, {"thread_safety", true}, {"validate_sync", true}}};
  }

  struct Objects {
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkBuffer buffers[2];
    VkDeviceMemory memory;
    VkDescriptorPool descriptor_pool;
    VkDescriptorSet set;
    VkFence fence;
  };

  Objects Make() {
    Objects o;
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    vk.CreateCommandPool(device, &pool_info, nullptr, &o.pool);
    VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, o.pool,
                                            VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    vk.AllocateCommandBuffers(device, &allocate, &o.commands);
    VkMemoryAllocateInfo memory_info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 65536, 3};
    vk.AllocateMemory(device, &memory_info, nullptr, &o.memory);
    VkBufferCreateInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = 1024,
                                      .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    for (VkBuffer& buffer : o.buffers) {
      vk.CreateBuffer(device, &buffer_info, nullptr, &buffer);
      vk.BindBufferMemory(device, buffer, o.memory, &buffer == o.buffers ? 0 : 32768);
    }
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo descriptor_pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    vk.CreateDescriptorPool(device, &descriptor_pool_info, nullptr, &o.descriptor_pool);
    VkDescriptorSetAllocateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, o.descriptor_pool,
                                            1, &layout_};
    vk.AllocateDescriptorSets(device, &set_info, &o.set);
    VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    vk.CreateFence(device, &fence_info, nullptr, &o.fence);
    return o;
  }

  void RecordAndSubmit(const Objects& o, VkQueue queue) {
    VkDescriptorBufferInfo buffer = {o.buffers[0], 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = o.set,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &buffer};
    vk.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    vk.BeginCommandBuffer(o.commands, &begin);
    VkBufferCopy region = {0, 0, 1024};
    vk.CmdCopyBuffer(o.commands, o.buffers[0], o.buffers[1], 1, &region);
    vk.CmdBindDescriptorSets(o.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout_, 0, 1, &o.set, 0, nullptr);
    vk.EndCommandBuffer(o.commands);
    if (queue == VK_NULL_HANDLE) return;
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &o.commands};
    vk.QueueSubmit(queue, 1, &submit, o.fence);
    vk.WaitForFences(device, 1, &o.fence, VK_TRUE, UINT64_MAX);
  }

  void DestroyObjects(const Objects& o) {
    vk.DestroyFence(device, o.fence, nullptr);
    vk.DestroyDescriptorPool(device, o.descriptor_pool, nullptr);
    for (VkBuffer buffer : o.buffers) vk.DestroyBuffer(device, buffer, nullptr);
    vk.FreeMemory(device, o.memory, nullptr);
    vk.FreeCommandBuffers(device, o.pool, 1, &o.commands);
    vk.DestroyCommandPool(device, o.pool, nullptr);
  }

  VkDescriptorSetLayout layout_ = VK_NULL_HANDLE;
  VkPipelineLayout pipeline_layout_ = VK_NULL_HANDLE;
};

TEST_F(OwnObjects, EightThreads) {
  // The driver's checks of handles take locks, which would hide races.
  driver().CheckHandles(false);
  layout_ = MakeSetLayout({{0}});
  pipeline_layout_ = MakePipelineLayout({layout_});
  VkQueue queues[] = {Queue(0, 0), Queue(0, 1)};
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < kRounds; ++round) {
        const Objects objects = Make();
        // All pools are of queue family 0.
        RecordAndSubmit(objects, i < 2 ? queues[i] : VK_NULL_HANDLE);
        DestroyObjects(objects);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace assay::thread_safety
