// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

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
    surface_ = MakeSurface();
    swapchain_ = MakeSwapchain(surface_);
    semaphore_ = MakeSemaphore();
  }
  uint32_t Acquire() { return Acquire(semaphore_, VK_NULL_HANDLE); }
  uint32_t Acquire(VkSemaphore semaphore, VkFence fence) {
    uint32_t image = 0;
    vk.AcquireNextImageKHR(device, swapchain_, UINT64_MAX, semaphore, fence, &image);
    return image;
  }
  uint32_t Acquire2(VkSemaphore semaphore, VkFence fence) {
    const VkAcquireNextImageInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
                                            .swapchain = swapchain_,
                                            .timeout = UINT64_MAX,
                                            .semaphore = semaphore,
                                            .fence = fence,
                                            .deviceMask = 1};
    uint32_t image = 0;
    vk.AcquireNextImage2KHR(device, &info, &image);
    return image;
  }
  static VkSemaphoreSubmitInfo Of(VkSemaphore semaphore) {
    return {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = semaphore,
            .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
  }
  SubmitOptions Waiting() { return {.waits = {Of(semaphore_)}}; }
  SubmitOptions Signaling() { return {.signals = {Of(semaphore_)}}; }

  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
};
class NegativeAcquire : public AcquireTest {};
class PositiveAcquire : public AcquireTest {};

TEST_F(NegativeAcquire, Twice) {
  Acquire();
  ExpectNothing();
  Acquire();
  const std::string text = ExpectMessage(kRule).text;
  EXPECT_NE(text.find("is signaled by the acquisition of image 0"), std::string::npos) << text;
}
TEST_F(NegativeAcquire, SecondCommand) {
  Acquire();
  Acquire2(semaphore_, VK_NULL_HANDLE);
  ExpectMessage("VUID-VkAcquireNextImageInfoKHR-semaphore-01288");
}
TEST_F(NegativeAcquire, SignaledByASubmission) {
  Submit(Queue(), {}, Signaling());
  Acquire();
  const std::string text = ExpectMessage(kRule).text;
  EXPECT_NE(text.find("is signaled by vkQueueSubmit2() to VkQueue"), std::string::npos) << text;
}

TEST_F(NegativeAcquire, WaitIsPending) {
  Acquire();
  Submit(Queue(), {}, Waiting());
  Acquire();
  const std::string text = ExpectMessage("VUID-vkAcquireNextImageKHR-semaphore-01779").text;
  EXPECT_NE(text.find("is waited for by what was submitted to VkQueue"), std::string::npos) << text;
  Submit(Queue(), {}, Waiting());
  Acquire2(semaphore_, VK_NULL_HANDLE);
  ExpectMessage("VUID-VkAcquireNextImageInfoKHR-semaphore-01781");
}
TEST_F(NegativeAcquire, NoSemaphoreAndNoFence) {
  Acquire(VK_NULL_HANDLE, VK_NULL_HANDLE);
  ExpectMessage("VUID-vkAcquireNextImageKHR-semaphore-01780");
  Acquire2(VK_NULL_HANDLE, VK_NULL_HANDLE);
  ExpectMessage("VUID-VkAcquireNextImageInfoKHR-semaphore-01782");
}
TEST_F(NegativeAcquire, TimelineSemaphore) {
  VkSemaphore timeline = MakeTimeline();
  Acquire(timeline, VK_NULL_HANDLE);
  ExpectMessage("VUID-vkAcquireNextImageKHR-semaphore-03265");
  Acquire2(timeline, VK_NULL_HANDLE);
  ExpectMessage("VUID-VkAcquireNextImageInfoKHR-semaphore-03266");
}
TEST_F(NegativeAcquire, RetiredSwapchain) {
  MakeSwapchain(surface_, 3, swapchain_);
  Acquire();
  ExpectMessage("VUID-vkAcquireNextImageKHR-swapchain-01285");
  Acquire2(MakeSemaphore(), VK_NULL_HANDLE);
  ExpectMessage("VUID-VkAcquireNextImageInfoKHR-swapchain-01675");
}
TEST_F(NegativeAcquire, FenceIsSignaled) {
  VkFence fence = MakeFence(VK_FENCE_CREATE_SIGNALED_BIT);
  Acquire(VK_NULL_HANDLE, fence);
  ExpectMessage("VUID-vkAcquireNextImageKHR-fence-01287");
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  Acquire2(VK_NULL_HANDLE, fence);
  ExpectMessage("VUID-VkAcquireNextImageInfoKHR-fence-01289");
}
TEST_F(NegativeAcquire, FenceIsInUse) {
  VkFence fence = MakeFence();
  Acquire(VK_NULL_HANDLE, fence);
  ExpectNothing();
  Acquire(VK_NULL_HANDLE, fence);
  ExpectMessage("VUID-vkAcquireNextImageKHR-fence-10066");
  Acquire2(VK_NULL_HANDLE, fence);
  ExpectMessage("VUID-VkAcquireNextImageInfoKHR-fence-10067");
}

class PresentTest : public AcquireTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = AcquireTest::Options();
    options.device_extensions = {VK_KHR_PRESENT_ID_EXTENSION_NAME, VK_KHR_PRESENT_WAIT_EXTENSION_NAME,
                                 VK_KHR_INCREMENTAL_PRESENT_EXTENSION_NAME, VK_GOOGLE_DISPLAY_TIMING_EXTENSION_NAME,
                                 VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME};
    options.features = &maintenance_;
    return options;
  }
  void SetUp() override {
    AcquireTest::SetUp();
    for (VkImage image : SwapchainImages(swapchain_)) MakePresentable(image);
  }
  void MakePresentable(VkImage image) {
    const VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                           .newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                                           .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .image = image,
                                           .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    Submit(Queue(), {Record([&](VkCommandBuffer c) { vk.CmdPipelineBarrier2(c, &info); })});
    vk.QueueWaitIdle(Queue());
  }
  void Present(std::vector<uint32_t> images, const void* next = nullptr, std::vector<VkSemaphore> waits = {}) {
    const std::vector<VkSwapchainKHR> swapchains(images.size(), swapchain_);
    const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .pNext = next,
                                   .waitSemaphoreCount = static_cast<uint32_t>(waits.size()),
                                   .pWaitSemaphores = waits.data(),
                                   .swapchainCount = static_cast<uint32_t>(images.size()),
                                   .pSwapchains = swapchains.data(),
                                   .pImageIndices = images.data()};
    vk.QueuePresentKHR(Queue(), &info);
  }
  // A swapchain whose only present mode is VK_PRESENT_MODE_FIFO_KHR.
  VkSwapchainKHR MakeSwapchainWithModes() {
    const VkPresentModeKHR mode = VK_PRESENT_MODE_FIFO_KHR;
    const VkSwapchainPresentModesCreateInfoEXT modes = {VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODES_CREATE_INFO_EXT,
                                                        nullptr, 1, &mode};
    const VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface(), 3, VK_NULL_HANDLE, &modes);
    for (VkImage image : SwapchainImages(swapchain)) MakePresentable(image);
    return swapchain;
  }
  VkPhysicalDevicePresentWaitFeaturesKHR present_wait_ = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR,
                                                          nullptr, VK_TRUE};
  VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT maintenance_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_EXT, &present_wait_, VK_TRUE};
  // The semaphore is waited for.
  uint32_t AcquireAndWait() {
    const uint32_t image = Acquire();
    Submit(Queue(), {}, Waiting());
    vk.QueueWaitIdle(Queue());
    return image;
  }
};
class NegativePresent : public PresentTest {};
class PositivePresent : public PresentTest {};

TEST_F(NegativePresent, NotAcquired) {
  const uint32_t image = AcquireAndWait();
  Present({image + 1});
  ExpectMessage("VUID-VkPresentInfoKHR-pImageIndices-01430");
  Present({image});
  ExpectNothing();
  Present({image});
  ExpectMessage("VUID-VkPresentInfoKHR-pImageIndices-01430");
}
TEST_F(NegativePresent, SameSwapchainTwice) {
  const uint32_t first = AcquireAndWait(), second = AcquireAndWait();
  Present({first, second});
  ExpectMessage("VUID-VkPresentInfoKHR-pSwapchain-09231");
}
TEST_F(NegativePresent, WaitsForTimeline) {
  Present({AcquireAndWait()}, nullptr, {MakeTimeline(1)});
  ExpectMessage("VUID-vkQueuePresentKHR-pWaitSemaphores-03267");
}
TEST_F(NegativePresent, WaitsForNothing) {
  Present({AcquireAndWait()}, nullptr, {semaphore_});
  ExpectMessage("VUID-vkQueuePresentKHR-pWaitSemaphores-03268");
}
TEST_F(NegativePresent, AnotherQueueWaits) {
  const uint32_t image = AcquireAndWait();
  Submit(Queue(), {}, Signaling());
  Submit(Queue(1), {}, Waiting());
  Present({image}, nullptr, {semaphore_});
  ExpectMessage("VUID-vkQueuePresentKHR-pWaitSemaphores-01294");
}
TEST_F(NegativePresent, IdWithoutFeature) {
  const uint64_t id = 1;
  const VkPresentIdKHR ids = {VK_STRUCTURE_TYPE_PRESENT_ID_KHR, nullptr, 1, &id};
  Present({AcquireAndWait()}, &ids);
  ExpectMessage("VUID-VkPresentInfoKHR-pNext-06235");
}
TEST_F(NegativePresent, Fences) {
  VkFence fences[] = {MakeFence(), MakeFence(VK_FENCE_CREATE_SIGNALED_BIT)};
  VkSwapchainPresentFenceInfoEXT info = {VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT, nullptr, 1, fences};
  Present({AcquireAndWait()}, &info);
  ExpectNothing();
  Present({AcquireAndWait()}, &info);
  ExpectMessage("VUID-VkSwapchainPresentFenceInfoEXT-pFences-07759");
  info.pFences = &fences[1];
  Present({AcquireAndWait()}, &info);
  ExpectMessage("VUID-VkSwapchainPresentFenceInfoEXT-pFences-07758");
}
TEST_F(NegativePresent, OtherCountThanSwapchains) {
  const VkFence fences[] = {MakeFence(), MakeFence()};
  const VkPresentModeKHR modes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_FIFO_KHR};
  const uint64_t ids[] = {0, 0};
  const uint32_t masks[] = {1, 1};
  const VkSwapchainPresentFenceInfoEXT with_fences = {VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT, nullptr, 2,
                                                      fences};
  const VkPresentIdKHR with_ids = {VK_STRUCTURE_TYPE_PRESENT_ID_KHR, nullptr, 2, ids};
  const VkPresentRegionsKHR with_regions = {VK_STRUCTURE_TYPE_PRESENT_REGIONS_KHR, nullptr, 2, nullptr};
  const VkPresentTimesInfoGOOGLE with_times = {VK_STRUCTURE_TYPE_PRESENT_TIMES_INFO_GOOGLE, nullptr, 2, nullptr};
  VkDeviceGroupPresentInfoKHR with_masks = {VK_STRUCTURE_TYPE_DEVICE_GROUP_PRESENT_INFO_KHR, nullptr, 2, masks,
                                            VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR};
  const VkSwapchainPresentModeInfoEXT with_modes = {VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_EXT, nullptr, 2,
                                                    modes};
  swapchain_ = MakeSwapchainWithModes();
  for (const auto& [next, rule] : std::initializer_list<std::pair<const void*, const char*>>{
           {&with_fences, "VUID-VkSwapchainPresentFenceInfoEXT-swapchainCount-07757"},
           {&with_ids, "VUID-VkPresentIdKHR-swapchainCount-04998"},
           {&with_regions, "VUID-VkPresentRegionsKHR-swapchainCount-01260"},
           {&with_times, "VUID-VkPresentTimesInfoGOOGLE-swapchainCount-01247"},
           {&with_masks, "VUID-VkDeviceGroupPresentInfoKHR-swapchainCount-01297"},
           {&with_modes, "VUID-VkSwapchainPresentModeInfoEXT-swapchainCount-07760"}}) {
    SCOPED_TRACE(rule);
    Present({AcquireAndWait()}, next);
    ExpectMessage(rule);
  }
  with_masks.swapchainCount = 0;
  Present({AcquireAndWait()}, &with_masks);
}
TEST_F(NegativePresent, OtherMode) {
  const VkPresentModeKHR mode = VK_PRESENT_MODE_IMMEDIATE_KHR;
  const VkSwapchainPresentModeInfoEXT modes = {VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_EXT, nullptr, 1, &mode};
  swapchain_ = MakeSwapchainWithModes();
  Present({AcquireAndWait()}, &modes);
  const std::string text = ExpectMessage("VUID-VkSwapchainPresentModeInfoEXT-pPresentModes-07761").text;
  EXPECT_NE(text.find("pPresentModes[0] (VK_PRESENT_MODE_IMMEDIATE_KHR) is not among those that VkSwapchainKHR"),
            std::string::npos)
      << text;
}
TEST_F(NegativePresent, SwapchainsWithAndWithoutModes) {
  const uint32_t first = AcquireAndWait();
  const VkSwapchainKHR swapchains[] = {swapchain_, MakeSwapchainWithModes()};
  swapchain_ = swapchains[1];
  const uint32_t images[] = {first, AcquireAndWait()};
  const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                 .swapchainCount = 2,
                                 .pSwapchains = swapchains,
                                 .pImageIndices = images};
  vk.QueuePresentKHR(Queue(), &info);
  ExpectMessage("VUID-VkPresentInfoKHR-pSwapchains-09199");
}
TEST_F(NegativePresent, WaitsForARetiredSwapchain) {
  MakeSwapchain(surface_, 3, swapchain_);
  vk.WaitForPresentKHR(device, swapchain_, 1, 0);
  ExpectMessage("VUID-vkWaitForPresentKHR-swapchain-04997");
}
TEST_F(PositivePresent, WithAMode) {
  const VkPresentModeKHR mode = VK_PRESENT_MODE_FIFO_KHR;
  const VkSwapchainPresentModeInfoEXT modes = {VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_EXT, nullptr, 1, &mode};
  swapchain_ = MakeSwapchainWithModes();
  Present({AcquireAndWait()}, &modes);
  vk.WaitForPresentKHR(device, swapchain_, 1, 0);
}

TEST_F(PositivePresent, FramesInFlight) {
  const VkSemaphore acquired[] = {MakeSemaphore(), MakeSemaphore()};
  const VkSemaphore rendered[] = {MakeSemaphore(), MakeSemaphore(), MakeSemaphore()};
  const VkFence fences[] = {MakeFence(VK_FENCE_CREATE_SIGNALED_BIT), MakeFence(VK_FENCE_CREATE_SIGNALED_BIT)};
  for (int frame = 0; frame < 7; ++frame) {
    const int slot = frame % 2;
    vk.WaitForFences(device, 1, &fences[slot], VK_TRUE, UINT64_MAX);
    vk.ResetFences(device, 1, &fences[slot]);
    const uint32_t image = Acquire(acquired[slot], VK_NULL_HANDLE);
    SubmitOptions options = {.waits = {Of(acquired[slot])}, .signals = {Of(rendered[image])}, .fence = fences[slot]};
    Submit(Queue(), {}, options);
    Present({image}, nullptr, {rendered[image]});
  }
}
TEST_F(PositivePresent, ImageIsReleased) {
  const uint32_t image = AcquireAndWait();
  driver().FailNext<vk::QueuePresentKHR>(VK_ERROR_OUT_OF_HOST_MEMORY);
  Present({image});
  Present({image});
  const uint32_t other = AcquireAndWait();
  driver().FailNext<vk::QueuePresentKHR>(VK_ERROR_OUT_OF_DATE_KHR);
  Present({other});
}

TEST_F(PositiveAcquire, WaitedForByASubmission) {
  for (int i = 0; i < 3; ++i) {
    Acquire();
    Submit(Queue(), {}, Waiting());
    vk.QueueWaitIdle(Queue());
  }
}
TEST_F(PositiveAcquire, WaitedForByAPresentation) {
  // The image is not drawn; these rules do not need it.
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
  swapchain_ = MakeSwapchain(surface_);
  semaphore_ = MakeSemaphore();
  Acquire();
}

}  // namespace
}  // namespace assay::core
