// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What presents and other commands need of swapchains and their surfaces.

#include <functional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/resources/resource_test.h"

namespace assay::core {
namespace {

using I = VkPresentInfoKHR;
using test::Of;

class PresentedSurfaces : public ResourceTest {
 protected:
  void SetUp() override {
    driver().config().display_planes = {{}};
    ChangeProperties<VkDeviceGroupPresentCapabilitiesKHR>([](auto& s) { s.presentMask[0] = 1; });
    Start();
    uint32_t count = 1;
    vk.GetPhysicalDeviceDisplayPropertiesKHR(physical_device, &count, &display_);
    const auto mode = Of<VkDisplayModeCreateInfoKHR>(0u, VkDisplayModeParametersKHR{{320, 240}, 60000});
    VkDisplayModeKHR modes[2] = {};
    for (auto& each : modes) vk.CreateDisplayModeKHR(physical_device, display_.display, &mode, nullptr, &each);
    const auto stereo = Of<VkDisplaySurfaceStereoCreateInfoNV>(VK_DISPLAY_SURFACE_STEREO_TYPE_INBAND_DISPLAYPORT_NV);
    swapchains_[0] = other_stereo_[0] = MakeOnDisplay(modes[0]);
    swapchains_[1] = MakeOnDisplay(modes[1]);
    other_stereo_[1] = MakeOnDisplay(modes[0], &stereo);
  }
  VkSwapchainKHR MakeOnDisplay(VkDisplayModeKHR mode, const void* next = nullptr) {
    const auto info = test::Typed(VkDisplaySurfaceCreateInfoKHR{.pNext = next,
                                                                .displayMode = mode,
                                                                .transform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                                                                .alphaMode = VK_DISPLAY_PLANE_ALPHA_OPAQUE_BIT_KHR,
                                                                .imageExtent = {640, 480}});
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    vk.CreateDisplayPlaneSurfaceKHR(instance, &info, nullptr, &surface);
    Defer(surface, [=, this] { vk.DestroySurfaceKHR(instance, surface, nullptr); });
    return MakeSwapchain(surface, 3, VK_NULL_HANDLE, &group_);
  }
  uint32_t Acquire(VkSwapchainKHR swapchain) {
    const VkFence fence = MakeFence();
    uint32_t index = 0;
    vk.AcquireNextImageKHR(device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index);
    vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
    return index;
  }
  void Present(I info, uint32_t family = 0) {
    uint32_t indices[2] = {};
    for (uint32_t i = 0; i < info.swapchainCount; ++i) indices[i] = Acquire(info.pSwapchains[i]);
    info.pImageIndices = indices;
    vk.QueuePresentKHR(Queue(family), &info);
  }
  void RunPresents(const std::vector<Case<I>>& cases) {
    Run("vkQueuePresentKHR", correct_, cases, [this](const I& info) { Present(info); });
  }
  void Expect(std::string_view rule, const std::function<void()>& call) {
    SCOPED_TRACE(rule);
    const SkipCalls skip(*this);
    call();
    ExpectMessages({absl::StrCat("VUID-", rule)});
  }
  void SetRects(I& i, const VkRect2D& from, const VkRect2D& to, VkBool32 persistent = VK_FALSE) {
    Chain<VkDisplayPresentInfoKHR>(i, {.srcRect = from, .dstRect = to, .persistent = persistent});
  }
  void SetRectangle(I& i, const VkRectLayerKHR& rectangle) {
    const VkPresentRegionKHR region = {1, Keep(rectangle)};
    Chain<VkPresentRegionsKHR>(i, {.swapchainCount = 1, .pRegions = Keep(region)});
  }
  void SetGroup(I& i, VkDeviceGroupPresentModeFlagBitsKHR mode, uint32_t mask) {
    Chain<VkDeviceGroupPresentInfoKHR>(i, {.swapchainCount = 1, .pDeviceMasks = Keep(mask), .mode = mode});
  }
  void SetId(I& i, uint64_t id) { Chain<VkPresentIdKHR>(i, {.swapchainCount = 1, .pPresentIds = Keep(id)}); }

  VkDisplayPropertiesKHR display_ = {};
  VkDeviceGroupSwapchainCreateInfoKHR group_ = {VK_STRUCTURE_TYPE_DEVICE_GROUP_SWAPCHAIN_CREATE_INFO_KHR, nullptr, 15};
  // On one display, with different modes and stereo types.
  VkSwapchainKHR swapchains_[2] = {}, other_stereo_[2] = {};
  I correct_ = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, .swapchainCount = 1, .pSwapchains = swapchains_};
};

TEST_F(PresentedSurfaces, Presents) {
  constexpr auto kLocal = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR,
                 kRemote = VK_DEVICE_GROUP_PRESENT_MODE_REMOTE_BIT_KHR;
  const VkRect2D all = {{0, 0}, {640, 480}}, half = {{0, 0}, {320, 240}};
  const VkSwapchainKHR plain = MakeSwapchain(MakeSurface());
  RunPresents({
      {"pSwapchains-01293", [](I& i) { i.swapchainCount = 2; }},
      {"pSwapchains-10285", [&](I& i) { i.swapchainCount = 2, i.pSwapchains = other_stereo_; }},
      {"VkDisplayPresentInfoKHR-srcRect-01257", [&](I& i) { SetRects(i, {{1, 0}, {640, 480}}, half); }},
      {"VkDisplayPresentInfoKHR-dstRect-01258", [&](I& i) { SetRects(i, all, {{0, -1}, {320, 240}}); }},
      {"VkDisplayPresentInfoKHR-persistentContent-01259", [&](I& i) { SetRects(i, all, half, VK_TRUE); }},
      {"", [&](I& i) { SetRects(i, all, half); }},
      {"VkRectLayerKHR-offset-04864", [&](I& i) { SetRectangle(i, {{1, 0}, {640, 480}, 0}); }},
      {"VkRectLayerKHR-layer-01262", [&](I& i) { SetRectangle(i, {{0, 0}, {640, 480}, 1}); }},
      {"", [&](I& i) { SetRectangle(i, {{0, 0}, {640, 480}, 0}); }},
      {"VkDeviceGroupPresentInfoKHR-mode-01298", [&](I& i) { SetGroup(i, kLocal, 2); }},
      {"VkDeviceGroupPresentInfoKHR-mode-01299", [&](I& i) { SetGroup(i, kRemote, 2); }},
      {"VkDeviceGroupPresentInfoKHR-mode-01300",
       [&](I& i) { SetGroup(i, VK_DEVICE_GROUP_PRESENT_MODE_SUM_BIT_KHR, 3); }},
      {"VkDeviceGroupPresentInfoKHR-mode-01301",
       [&](I& i) { SetGroup(i, VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_MULTI_DEVICE_BIT_KHR, 3); }},
      {"VkDeviceGroupPresentInfoKHR-mode-01303", [&](I& i) { i.pSwapchains = &plain, SetGroup(i, kRemote, 1); }},
      {"", [&](I& i) { SetGroup(i, kRemote, 1); }},
      {"", [&](I& i) { SetId(i, 5); }},
      {"VkPresentIdKHR-presentIds-04999", [&](I& i) { SetId(i, 5); }},
      {"", [&](I& i) { SetId(i, 6); }},
  });
}

TEST_F(PresentedSurfaces, OtherFamily) {
  driver().config().presenting_families = 2;
  Present(correct_, 1);
  Expect("vkQueuePresentKHR-pSwapchains-01292", [&] { Present(correct_); });
}

TEST_F(PresentedSurfaces, OtherCommands) {
  const VkSwapchainKHR swapchain = swapchains_[0];
  uint64_t counter = 0;
  const auto get = [&] { vk.GetSwapchainCounterEXT(device, swapchain, VK_SURFACE_COUNTER_VBLANK_BIT_EXT, &counter); };
  Expect("vkGetSwapchainCounterEXT-swapchain-01245", get);
  Present(correct_);
  get();
  Expect("vkSetLocalDimmingAMD-localDimmingSupport-04618", [&] { vk.SetLocalDimmingAMD(device, swapchain, VK_TRUE); });
  const auto sleep = Of<VkLatencySleepInfoNV>(MakeSemaphore(), 1u);
  Expect("VkLatencySleepInfoNV-signalSemaphore-09361", [&] { vk.LatencySleepNV(device, swapchain, &sleep); });
  const uint32_t image = Acquire(swapchain);
  const auto release = Of<VkReleaseSwapchainImagesInfoEXT>(swapchain, 1u, &image);
  const auto release_image = [&] { vk.ReleaseSwapchainImagesEXT(device, &release); };
  release_image();
  Expect("VkReleaseSwapchainImagesInfoEXT-pImageIndices-07785", release_image);
  const auto acquire = Of<VkAcquireNextImageInfoKHR>(swapchain, UINT64_MAX, VK_NULL_HANDLE, MakeFence(), 2u);
  uint32_t index = 0;
  Expect("VkAcquireNextImageInfoKHR-deviceMask-01290", [&] { vk.AcquireNextImage2KHR(device, &acquire, &index); });
}

TEST_F(PresentedSurfaces, ExclusiveAccess) {
  const VkSurfaceKHR surface = MakeSurface();
  const auto exclusive = Of<VkSurfaceFullScreenExclusiveInfoEXT>(VK_FULL_SCREEN_EXCLUSIVE_APPLICATION_CONTROLLED_EXT);
  const VkSwapchainKHR swapchain = MakeSwapchain(surface, 3, VK_NULL_HANDLE, &exclusive);
  const auto acquire = [&](VkSwapchainKHR handle) { vk.AcquireFullScreenExclusiveModeEXT(device, handle); };
  const auto release = [&](VkSwapchainKHR handle) { vk.ReleaseFullScreenExclusiveModeEXT(device, handle); };
  acquire(swapchain);
  release(swapchain);
  Expect("vkAcquireFullScreenExclusiveModeEXT-swapchain-02675", [&] { acquire(swapchains_[0]); });
  Expect("vkReleaseFullScreenExclusiveModeEXT-swapchain-02678", [&] { release(swapchains_[0]); });
  MakeSwapchain(surface, 3, swapchain);
  Expect("vkAcquireFullScreenExclusiveModeEXT-swapchain-02674", [&] { acquire(swapchain); });
  Expect("vkReleaseFullScreenExclusiveModeEXT-swapchain-02677", [&] { release(swapchain); });
}

}  // namespace
}  // namespace assay::core
