// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Command buffers with many small commands: what a command takes to be recorded, executed and thrown away.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "testing/gpu/cost/drawing.h"
#include "testing/gpu/cost/measured_device.h"
#include "testing/gpu/cost/median.h"
#include "testing/gpu/cost/shaders/small_comp.h"
#include "testing/gpu/cost/shaders/small_frag.h"
#include "testing/gpu/cost/shaders/triangle_vert.h"

namespace assay::test {
namespace {

using Commands = std::function<void(VkCommandBuffer)>;
using Clock = std::chrono::steady_clock;

double Nanoseconds(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double, std::nano>(end - begin).count();
}

// `begin`, then many commands of `record`, then `end`. Times are for each of the commands. vkEndCommandBuffer counts as
// recording, and execution begins with vkQueueSubmit2.
void Measure(MeasuredDevice& device, const std::string& name, const Commands& begin, const Commands& record,
             const Commands& end) {
  TestDevice& vulkan = device.device();
  const VkCommandPool pool = vulkan.MakeCommandPool();
  const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
  VkCommandBuffer command_buffer = VK_NULL_HANDLE;
  device.vk().AllocateCommandBuffers(vulkan.device, &info, &command_buffer);
  constexpr uint32_t kWarmUps = 3;
  const double count = device.sizes().commands;
  std::vector<double> recordings;
  std::vector<double> executions;
  std::vector<double> resets;
  for (uint32_t i = 0; i < device.sizes().runs + kWarmUps; ++i) {
    vulkan.Begin(command_buffer);
    begin(command_buffer);
    const Clock::time_point recorded = Clock::now();
    record(command_buffer);
    end(command_buffer);
    device.vk().EndCommandBuffer(command_buffer);
    const Clock::time_point submitted = Clock::now();
    device.SubmitAndWait(command_buffer);
    const Clock::time_point completed = Clock::now();
    device.vk().ResetCommandPool(vulkan.device, pool, 0);
    const Clock::time_point reset = Clock::now();
    if (i < kWarmUps) continue;
    recordings.push_back(Nanoseconds(recorded, submitted) / count);
    executions.push_back(Nanoseconds(submitted, completed) / count);
    resets.push_back(Nanoseconds(completed, reset) / count);
  }
  PrintResult("record_" + name, Median(std::move(recordings)), "ns");
  PrintResult("execute_" + name, Median(std::move(executions)), "ns");
  PrintResult("reset_" + name, Median(std::move(resets)), "ns");
}

void MeasureDispatches(MeasuredDevice& device) {
  TestDevice& vulkan = device.device();
  const Functions& vk = device.vk();
  const VkDescriptorSetLayout set_layout = vulkan.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
  const VkPipelineLayout layout = vulkan.MakePipelineLayout({set_layout});
  const VkPipeline pipeline = vulkan.MakeComputePipeline(layout, vulkan.MakeShader(k_small_comp));
  const VkDescriptorSet sets[] = {vulkan.MakeSet(set_layout), vulkan.MakeSet(set_layout)};
  for (VkDescriptorSet set : sets) {
    vulkan.WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, device.MakeLocalBuffer(256));
  }
  const auto bind_set = [&](VkCommandBuffer commands, const VkDescriptorSet& set) {
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  };
  const auto bind = [&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    bind_set(commands, sets[0]);
  };
  const auto nothing = [](VkCommandBuffer) {};
  const auto dispatch = [&](VkCommandBuffer commands) {
    for (uint32_t i = 0; i < device.sizes().commands; ++i) vk.CmdDispatch(commands, 1, 1, 1);
  };
  const auto bind_and_dispatch = [&](VkCommandBuffer commands) {
    for (uint32_t i = 0; i < device.sizes().commands; ++i) {
      bind_set(commands, sets[i % 2]);
      vk.CmdDispatch(commands, 1, 1, 1);
    }
  };
  Measure(device, "dispatch", bind, dispatch, nothing);
  Measure(device, "set_and_dispatch", bind, bind_and_dispatch, nothing);
}

void MeasureDraws(MeasuredDevice& device) {
  TestDevice& vulkan = device.device();
  const Functions& vk = device.vk();
  const VkDescriptorSetLayout set_layout = vulkan.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}});
  const VkPipelineLayout layout = vulkan.MakePipelineLayout({set_layout});
  const VkPipeline pipeline = vulkan.MakeGraphicsPipeline(
      layout, {.vertex = vulkan.MakeShader(k_triangle_vert), .fragment = vulkan.MakeShader(k_small_frag)});
  const VkDescriptorSet set = vulkan.MakeSet(set_layout);
  vulkan.WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                     device.MakeLocalBuffer(16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT));
  const DrawTarget target(device, 16);
  const auto begin = [&](VkCommandBuffer commands) {
    target.Begin(commands);
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, nullptr);
  };
  const auto draw = [&](VkCommandBuffer commands) {
    for (uint32_t i = 0; i < device.sizes().commands; ++i) vk.CmdDraw(commands, 3, 1, 0, 0);
  };
  Measure(device, "draw", begin, draw, [&](VkCommandBuffer commands) { vk.CmdEndRendering(commands); });
}

}  // namespace

void MeasureRecording(MeasuredDevice& device) {
  MeasureDispatches(device);
  MeasureDraws(device);
}

}  // namespace assay::test
