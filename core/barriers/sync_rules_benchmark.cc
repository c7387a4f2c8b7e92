// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the rules cost a correct vkCmdPipelineBarrier2 with one image barrier.

#include "benchmark/benchmark.h"
#include "core/test_cases/sync_test_device.h"

namespace assay::core {
namespace {

void PipelineBarrier2(benchmark::State& state) {
  SyncTestDevice device{{}};
  const VkImageCreateInfo image_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                        .imageType = VK_IMAGE_TYPE_2D,
                                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                                        .extent = {64, 64, 1},
                                        .mipLevels = 1,
                                        .arrayLayers = 1,
                                        .samples = VK_SAMPLE_COUNT_1_BIT,
                                        .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT};
  const VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                         .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                         .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                         .dstStageMask = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                                         .dstAccessMask = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                                         .oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                         .newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .image = device.MakeImage(image_info),
                                         .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  const VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
  const vk::CmdPipelineBarrier2 call = {device.MakeCommands(), &info};
  for (auto _ : state) device.Call(call);
  if (!device.ids().empty()) state.SkipWithError("The barrier is not right.");
}
BENCHMARK(PipelineBarrier2);

}  // namespace
}  // namespace assay::core
