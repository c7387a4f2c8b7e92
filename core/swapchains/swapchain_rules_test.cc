// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using test::Of;
using ::testing::HasSubstr;

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
    const auto info = Of<VkAcquireNextImageInfoKHR>(swapchain_, UINT64_MAX, semaphore, fence, 1u);
    uint32_t image = 0;
    vk.AcquireNextImage2KHR(device, &info, &image);
    return image;
  }
  // Calls both commands, which break one rule each. Returns the message of the first one.
  test::Message ExpectBoth(const char* rule, const char* rule2, VkSemaphore semaphore, VkFence fence = VK_NULL_HANDLE) {
    const SkipCalls skip(*this);
    Acquire(semaphore, fence);
    const test::Message message = ExpectMessage(std::string("VUID-vkAcquireNextImageKHR-") + rule);
    Acquire2(semaphore, fence);
    ExpectMessage(std::string("VUID-VkAcquireNextImageInfoKHR-") + rule2);
    return message;
  }
  // Images of swapchain_, but for those of other swapchains, which come first.
  void Present(const std::vector<uint32_t>& images, const void* next = nullptr,
               const std::vector<VkSemaphore>& waits = {}, std::vector<VkSwapchainKHR> swapchains = {}) {
    swapchains.resize(images.size(), swapchain_);
    const auto wait_count = static_cast<uint32_t>(waits.size()), count = static_cast<uint32_t>(images.size());
    const VkPresentInfoKHR info = {
        VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, next, wait_count, waits.data(), count, swapchains.data(), images.data()};
    vk.QueuePresentKHR(Queue(), &info);
  }
  // The presentation breaks that rule.
  void Expect(const char* rule, const std::vector<uint32_t>& images, const void* next = nullptr,
              const std::vector<VkSemaphore>& waits = {}) {
    SCOPED_TRACE(rule);
    Present(images, next, waits);
    ExpectMessage(rule);
  }
  SubmitOptions Waiting() { return {.waits = {At(semaphore_)}}; }
  SubmitOptions Signaling() { return {.signals = {At(semaphore_)}}; }

  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
};
class NegativeAcquire : public AcquireTest {};
class PositiveAcquire : public AcquireTest {};

TEST_F(NegativeAcquire, Twice) {
  Acquire();
  ExpectNothing();
  EXPECT_THAT(ExpectBoth("semaphore-01286", "semaphore-01288", semaphore_).text,
              HasSubstr("is signaled by the acquisition of image 0"));
}
TEST_F(NegativeAcquire, SignaledByASubmission) {
  Submit(Queue(), {}, Signaling());
  EXPECT_THAT(ExpectBoth("semaphore-01286", "semaphore-01288", semaphore_).text,
              HasSubstr("is signaled by vkQueueSubmit2() to VkQueue"));
}
TEST_F(NegativeAcquire, WaitIsPending) {
  Acquire();
  Submit(Queue(), {}, Waiting());
  EXPECT_THAT(ExpectBoth("semaphore-01779", "semaphore-01781", semaphore_).text,
              HasSubstr("is waited for by what was submitted to VkQueue"));
}
TEST_F(NegativeAcquire, OtherSemaphores) {
  ExpectBoth("semaphore-01780", "semaphore-01782", VK_NULL_HANDLE);
  ExpectBoth("semaphore-03265", "semaphore-03266", MakeTimeline());
}
TEST_F(NegativeAcquire, RetiredSwapchain) {
  MakeSwapchain(surface_, 3, swapchain_);
  ExpectBoth("swapchain-01285", "swapchain-01675", semaphore_);
}
TEST_F(NegativeAcquire, Fences) {
  ExpectBoth("fence-01287", "fence-01289", VK_NULL_HANDLE, MakeFence(VK_FENCE_CREATE_SIGNALED_BIT));
  const VkFence fence = MakeFence();
  Acquire(VK_NULL_HANDLE, fence);
  ExpectNothing();
  ExpectBoth("fence-10066", "fence-10067", VK_NULL_HANDLE, fence);
}

class PresentTest : public AcquireTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options =
        features_.EnableOnly({VK_KHR_PRESENT_ID_EXTENSION_NAME, VK_KHR_PRESENT_WAIT_EXTENSION_NAME,
                              VK_KHR_INCREMENTAL_PRESENT_EXTENSION_NAME, VK_GOOGLE_DISPLAY_TIMING_EXTENSION_NAME,
                              VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME},
                             {"presentId"});
    options.settings = AcquireTest::Options().settings;
    return options;
  }
  void SetUp() override {
    AcquireTest::SetUp();
    MakePresentable(swapchain_);
  }
  void MakePresentable(VkSwapchainKHR swapchain) {
    for (const VkImage image : SwapchainImages(swapchain)) {
      const auto barrier =
          test::Typed(VkImageMemoryBarrier2{.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                                            .image = image,
                                            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}});
      Submit(Queue(), {Record([&](VkCommandBuffer c) { PipelineBarrier(c, barrier); })});
    }
    vk.QueueWaitIdle(Queue());
  }
  // A swapchain whose only present mode is VK_PRESENT_MODE_FIFO_KHR.
  VkSwapchainKHR MakeSwapchainWithModes() {
    const VkPresentModeKHR mode = VK_PRESENT_MODE_FIFO_KHR;
    const auto modes = Of<VkSwapchainPresentModesCreateInfoEXT>(1u, &mode);
    const VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface(), 3, VK_NULL_HANDLE, &modes);
    MakePresentable(swapchain);
    return swapchain;
  }
  // A presentation with that mode, of such a swapchain.
  void PresentWith(VkPresentModeKHR mode) {
    const auto modes = Of<VkSwapchainPresentModeInfoEXT>(1u, &mode);
    swapchain_ = MakeSwapchainWithModes();
    Present({AcquireAndWait()}, &modes);
  }
  // The semaphore is waited for.
  uint32_t AcquireAndWait() {
    const uint32_t image = Acquire();
    Submit(Queue(), {}, Waiting());
    vk.QueueWaitIdle(Queue());
    return image;
  }

  test::ExtensionFeatures features_;
};
class NegativePresent : public PresentTest {};
class PositivePresent : public PresentTest {};

TEST_F(NegativePresent, NotAcquired) {
  const uint32_t image = AcquireAndWait();
  Expect("VUID-VkPresentInfoKHR-pImageIndices-01430", {image + 1});
  Present({image});
  ExpectNothing();
  Expect("VUID-VkPresentInfoKHR-pImageIndices-01430", {image});
}
TEST_F(NegativePresent, SameSwapchainTwice) {
  const uint32_t first = AcquireAndWait(), second = AcquireAndWait();
  Expect("VUID-VkPresentInfoKHR-pSwapchain-09231", {first, second});
}
TEST_F(NegativePresent, WaitsForTimelineOrNothing) {
  Expect("VUID-vkQueuePresentKHR-pWaitSemaphores-03267", {AcquireAndWait()}, nullptr, {MakeTimeline(1)});
  Expect("VUID-vkQueuePresentKHR-pWaitSemaphores-03268", {AcquireAndWait()}, nullptr, {semaphore_});
}
TEST_F(NegativePresent, AnotherQueueWaits) {
  const uint32_t image = AcquireAndWait();
  Submit(Queue(), {}, Signaling());
  Submit(Queue(1), {}, Waiting());
  Expect("VUID-vkQueuePresentKHR-pWaitSemaphores-01294", {image}, nullptr, {semaphore_});
}
TEST_F(NegativePresent, IdWithoutFeature) {
  const uint64_t id = 1;
  const auto ids = Of<VkPresentIdKHR>(1u, &id);
  Expect("VUID-VkPresentInfoKHR-pNext-06235", {AcquireAndWait()}, &ids);
}
TEST_F(NegativePresent, Fences) {
  const VkFence fences[] = {MakeFence(), MakeFence(VK_FENCE_CREATE_SIGNALED_BIT)};
  auto info = Of<VkSwapchainPresentFenceInfoEXT>(1u, fences);
  Present({AcquireAndWait()}, &info);
  ExpectNothing();
  Expect("VUID-VkSwapchainPresentFenceInfoEXT-pFences-07759", {AcquireAndWait()}, &info);
  info.pFences = &fences[1];
  Expect("VUID-VkSwapchainPresentFenceInfoEXT-pFences-07758", {AcquireAndWait()}, &info);
}
TEST_F(NegativePresent, OtherCountThanSwapchains) {
  const VkFence fences[] = {MakeFence(), MakeFence()};
  const VkPresentModeKHR modes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_FIFO_KHR};
  const uint64_t ids[] = {0, 0};
  const uint32_t masks[] = {1, 1};
  const auto with_fences = Of<VkSwapchainPresentFenceInfoEXT>(2u, fences);
  const auto with_ids = Of<VkPresentIdKHR>(2u, ids);
  const auto with_regions = Of<VkPresentRegionsKHR>(2u, nullptr);
  const auto with_times = Of<VkPresentTimesInfoGOOGLE>(2u, nullptr);
  auto with_masks = Of<VkDeviceGroupPresentInfoKHR>(2u, masks, VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR);
  const auto with_modes = Of<VkSwapchainPresentModeInfoEXT>(2u, modes);
  swapchain_ = MakeSwapchainWithModes();
  for (const auto& [next, rule] : std::initializer_list<std::pair<const void*, const char*>>{
           {&with_fences, "VUID-VkSwapchainPresentFenceInfoEXT-swapchainCount-07757"},
           {&with_ids, "VUID-VkPresentIdKHR-swapchainCount-04998"},
           {&with_regions, "VUID-VkPresentRegionsKHR-swapchainCount-01260"},
           {&with_times, "VUID-VkPresentTimesInfoGOOGLE-swapchainCount-01247"},
           {&with_masks, "VUID-VkDeviceGroupPresentInfoKHR-swapchainCount-01297"},
           {&with_modes, "VUID-VkSwapchainPresentModeInfoEXT-swapchainCount-07760"}})
    Expect(rule, {AcquireAndWait()}, next);
  with_masks.swapchainCount = 0;
  Present({AcquireAndWait()}, &with_masks);
}
TEST_F(NegativePresent, OtherMode) {
  PresentWith(VK_PRESENT_MODE_IMMEDIATE_KHR);
  EXPECT_THAT(ExpectMessage("VUID-VkSwapchainPresentModeInfoEXT-pPresentModes-07761").text,
              HasSubstr("pPresentModes[0] (VK_PRESENT_MODE_IMMEDIATE_KHR) is not among those that VkSwapchainKHR"));
}
TEST_F(NegativePresent, SwapchainsWithAndWithoutModes) {
  const uint32_t first = AcquireAndWait();
  const VkSwapchainKHR without_modes = std::exchange(swapchain_, MakeSwapchainWithModes());
  Present({first, AcquireAndWait()}, nullptr, {}, {without_modes});
  ExpectMessage("VUID-VkPresentInfoKHR-pSwapchains-09199");
}
TEST_F(NegativePresent, WaitsForARetiredSwapchain) {
  MakeSwapchain(surface_, 3, swapchain_);
  vk.WaitForPresentKHR(device, swapchain_, 1, 0);
  ExpectMessage("VUID-vkWaitForPresentKHR-swapchain-04997");
}
TEST_F(PositivePresent, WithAMode) {
  PresentWith(VK_PRESENT_MODE_FIFO_KHR);
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
    Submit(Queue(), {}, {.waits = {At(acquired[slot])}, .signals = {At(rendered[image])}, .fence = fences[slot]});
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
    Present({Acquire()}, nullptr, {semaphore_});
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
