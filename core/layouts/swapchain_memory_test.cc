// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of core does not grow with the number of swapchains.

#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

// Of the process.
size_t AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

class SwapchainMemory : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.settings = {{"stateless_param", false},
                         {"thread_safety", false},
                         {"object_lifetime", false},
                         {"validate_core", true},
                         {"validate_sync", false}}};
  }
  void SetUp() override {
    ValidationTest::SetUp();
    surface_ = MakeSurface();
    commands_ = MakeCommandBuffer();
  }

  // Makes a swapchain, releases its images to another queue family, and destroys it.
  void UseSwapchain() {
    const VkSwapchainKHR swapchain = MakeSwapchain(surface_);
    std::vector<VkImageMemoryBarrier2> barriers;
    for (VkImage image : SwapchainImages(swapchain)) {
      barriers.push_back({.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                          .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                          .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                          .srcQueueFamilyIndex = 0,
                          .dstQueueFamilyIndex = 1,
                          .image = image,
                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}});
    }
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .imageMemoryBarrierCount = static_cast<uint32_t>(barriers.size()),
                                         .pImageMemoryBarriers = barriers.data()};
    Begin(commands_);
    vk.CmdPipelineBarrier2(commands_, &dependency);
    End(commands_);
    Submit(Queue(), {commands_});
    vk.DeviceWaitIdle(device);
    DestroyNow(swapchain);
  }

  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

TEST_F(SwapchainMemory, DoesNotGrow) {
  constexpr int kSwapchains = 6000;
  // Fills the queue of free slots, which a process keeps.
  for (int i = 0; i < kSwapchains; ++i) UseSwapchain();
  const size_t before = AllocatedBytes();
  for (int i = 0; i < kSwapchains; ++i) UseSwapchain();
  const size_t after = AllocatedBytes();
  EXPECT_LT(after, before + 8 * kSwapchains)
      << static_cast<double>(after - before) / kSwapchains << " bytes a swapchain";
}

}  // namespace
}  // namespace assay::core
