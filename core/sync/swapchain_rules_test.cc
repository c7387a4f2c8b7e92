// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr char kRule[] = "VUID-vkAcquireNextImageKHR-semaphore-01286";

class AcquireTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}}}; }
  void SetUp() override {
    ValidationTest::SetUp();
    swapchain_ = MakeSwapchain(MakeSurface());
    semaphore_ = MakeSemaphore();
  }
  uint32_t Acquire() {
    uint32_t image = 0;
    vk.AcquireNextImageKHR(device, swapchain_, UINT64_MAX, semaphore_, VK_NULL_HANDLE, &image);
    return image;
  }
  SubmitOptions Waiting() { return {.waits = {OfSemaphore()}}; }
  SubmitOptions Signaling() { return {.signals = {OfSemaphore()}}; }

  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;

 private:
  VkSemaphoreSubmitInfo OfSemaphore() const {
    return {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = semaphore_,
            .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
  }
};
class NegativeAcquire : public AcquireTest {};
class PositiveAcquire : public AcquireTest {};

TEST_F(NegativeAcquire, Twice) {
  Acquire();
  ExpectNothing();
  Acquire();
  const std::string text = ExpectMessage(kRule).text;
  EXPECT_NE(text.find("is signaled by vkAcquireNextImageKHR()"), std::string::npos) << text;
}
TEST_F(NegativeAcquire, SecondCommand) {
  Acquire();
  VkAcquireNextImageInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
                                    .swapchain = swapchain_,
                                    .timeout = UINT64_MAX,
                                    .semaphore = semaphore_,
                                    .deviceMask = 1};
  uint32_t image = 0;
  vk.AcquireNextImage2KHR(device, &info, &image);
  ExpectMessage("VUID-VkAcquireNextImageInfoKHR-semaphore-01288");
}
TEST_F(NegativeAcquire, SignaledByASubmission) {
  Submit(Queue(), {}, Signaling());
  Acquire();
  const std::string text = ExpectMessage(kRule).text;
  EXPECT_NE(text.find("is signaled by vkQueueSubmit2()"), std::string::npos) << text;
}

TEST_F(PositiveAcquire, WaitedForByASubmission) {
  for (int i = 0; i < 3; ++i) {
    Acquire();
    Submit(Queue(), {}, Waiting());
    vk.QueueWaitIdle(Queue());
  }
}
TEST_F(PositiveAcquire, WaitedForByAPresentation) {
  // The image is not drawn, which is nobody's concern here.
  for (int i = 0; i < 3; ++i) {
    const uint32_t image = Acquire();
    const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &semaphore_,
                                   .swapchainCount = 1,
                                   .pSwapchains = &swapchain_,
                                   .pImageIndices = &image};
    vk.QueuePresentKHR(Queue(), &info);
    vk.QueueWaitIdle(Queue());
  }
}
TEST_F(PositiveAcquire, NothingWasAcquired) {
  driver().FailNext<vk::AcquireNextImageKHR>(VK_TIMEOUT);
  Acquire();
  driver().FailNext<vk::AcquireNextImageKHR>(VK_ERROR_OUT_OF_DATE_KHR);
  Acquire();
  Acquire();
}
TEST_F(PositiveAcquire, AnotherSemaphoreOfTheSameHandle) {
  Acquire();
  DestroyNow(swapchain_);
  DestroyNow(semaphore_);
  swapchain_ = MakeSwapchain(MakeSurface());
  semaphore_ = MakeSemaphore();
  Acquire();
}

}  // namespace
}  // namespace assay::core
