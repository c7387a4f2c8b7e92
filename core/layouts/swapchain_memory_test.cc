// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of core does not grow with the number of swapchains.

#include "core/layouts/layout_test.h"

namespace assay::core {
namespace {

class SwapchainMemory : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return OnlyValidator("validate_core"); }
  void SetUp() override {
    ValidationTest::SetUp();
    surface_ = MakeSurface();
    commands_ = MakeCommandBuffer();
  }

  // Makes a swapchain, releases its images to another queue family, and destroys it.
  void UseSwapchain() {
    const VkSwapchainKHR swapchain = MakeSwapchain(surface_);
    Begin(commands_);
    for (VkImage image : SwapchainImages(swapchain)) {
      VkImageMemoryBarrier2 barrier = BarrierOf(image, kUndefined, kGeneral, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1});
      barrier.srcQueueFamilyIndex = 0, barrier.dstQueueFamilyIndex = 1;
      PipelineBarrier(commands_, barrier);
    }
    End(commands_);
    Submit(Queue(), {commands_});
    vk.DeviceWaitIdle(device);
    DestroyNow(swapchain);
  }

  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

TEST_F(SwapchainMemory, DoesNotGrow) {
  ExpectNoGrowth(6000, 8, [this] { UseSwapchain(); });
}

}  // namespace
}  // namespace assay::core
