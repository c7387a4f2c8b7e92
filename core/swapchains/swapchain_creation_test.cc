// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What swapchains are created with.

#include <algorithm>
#include <vector>

#include "core/resources/resource_test.h"
#include "vk/chain.h"

namespace assay::core {
namespace {

using I = VkSwapchainCreateInfoKHR;
using Exclusive = VkSurfaceFullScreenExclusiveInfoEXT;
using Scaling = VkSwapchainPresentScalingCreateInfoEXT;

// Of this format there are no images.
constexpr VkFormat kNothing = VK_FORMAT_R8G8B8A8_SNORM;
constexpr VkFormat kFormat = VK_FORMAT_B8G8R8A8_UNORM;
constexpr auto kFifo = VK_PRESENT_MODE_FIFO_KHR, kMailbox = VK_PRESENT_MODE_MAILBOX_KHR,
               kImmediate = VK_PRESENT_MODE_IMMEDIATE_KHR, kShared = VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR;

class SwapchainCreation : public ResourceTest {
 protected:
  // FIFO and MAILBOX are compatible; MAILBOX does not scale. IMMEDIATE has other numbers of images.
  void SetUp() override {
    auto& config = driver().config();
    config.formats[kNothing] = {VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
    config.surface_formats.push_back({kNothing, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR});
    config.present_modes.push_back(kShared);
    ChangeProperties<VkSurfaceCapabilities2KHR>([this](auto& s) {
      if (asked_ == kImmediate) s.surfaceCapabilities.minImageCount = 1;
    });
    ChangeProperties<VkSharedPresentSurfaceCapabilitiesKHR>(
        [](auto& s) { s.sharedPresentSupportedUsageFlags = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT; });
    ChangeProperties<VkSurfacePresentModeCompatibilityEXT>([](auto& s) {
      s.presentModeCount = 2;
      std::copy_n(std::data({kFifo, kMailbox}), 2, s.pPresentModes);
    });
    ChangeProperties<VkSurfacePresentScalingCapabilitiesEXT>([this](auto& s) {
      s.maxScaledImageExtent = {8192, 8192};
      if (asked_ == kMailbox) return;
      s.supportedPresentScaling = VK_PRESENT_SCALING_ONE_TO_ONE_BIT_EXT;
      s.supportedPresentGravityX = s.supportedPresentGravityY = VK_PRESENT_GRAVITY_MIN_BIT_EXT;
    });
    Start();
    driver().Observe<vk::GetPhysicalDeviceSurfaceCapabilities2KHR>([this](const auto& call) {
      const auto* const of = vk::FindInChain<VkSurfacePresentModeEXT>(call.pSurfaceInfo->pNext);
      asked_ = of != nullptr ? of->presentMode : kFifo;
    });
    correct_.surface = MakeSurface();
  }
  void RunSwapchains(const std::vector<Case<I>>& cases, std::string_view owner = "VkSwapchainCreateInfoKHR") {
    Run(owner, correct_, cases, vk.CreateSwapchainKHR, vk.DestroySwapchainKHR);
  }
  void SetModes(I& i, const std::vector<VkPresentModeKHR>& modes) {
    const auto count = static_cast<uint32_t>(modes.size());
    Chain<VkSwapchainPresentModesCreateInfoEXT>(i, {.presentModeCount = count, .pPresentModes = Keep(modes)->data()});
  }
  void SetViews(I& i, VkSwapchainCreateFlagsKHR flags, const std::vector<VkFormat>& views) {
    i.flags = flags;
    SetViewFormats(i, views);
  }
  void SetScaling(I& i, VkFlags scaling, VkFlags x, VkFlags y, const std::vector<VkPresentModeKHR>& modes = {}) {
    if (!modes.empty()) SetModes(i, modes);
    Chain<Scaling>(i, {.scalingBehavior = scaling, .presentGravityX = x, .presentGravityY = y});
  }

  VkPresentModeKHR asked_ = kFifo;
  I correct_ = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                .minImageCount = 2,
                .imageFormat = kFormat,
                .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
                .imageExtent = {640, 480},
                .imageArrayLayers = 1,
                .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                .presentMode = kFifo};
};

TEST_F(SwapchainCreation, Surface) {
  const VkSwapchainKHR retired = MakeSwapchain(correct_.surface);
  MakeSwapchain(correct_.surface, 3, retired);
  static constexpr uint32_t kFamilies[] = {1, 1, 0};
  const auto share = [](I& i, const uint32_t* two_families) {
    i.imageSharingMode = VK_SHARING_MODE_CONCURRENT;
    i.queueFamilyIndexCount = 2, i.pQueueFamilyIndices = two_families;
  };
  RunSwapchains({
      {"imageExtent-01689", [](I& i) { i.imageExtent.width = 0; }},
      {"pNext-07781", [](I& i) { i.imageExtent.width = 16385; }},
      {"minImageCount-01272", [](I& i) { i.minImageCount = 9; }},
      {"presentMode-02839", [](I& i) { i.minImageCount = 1; }},
      {"", [](I& i) { i.minImageCount = 1, i.presentMode = kShared; }},
      {"", [](I& i) { i.minImageCount = 1, i.presentMode = kImmediate; }},
      {"imageFormat-01273", [](I& i) { i.imageFormat = VK_FORMAT_R5G6B5_UNORM_PACK16; }},
      {"imageFormat-01273", [](I& i) { i.imageColorSpace = VK_COLOR_SPACE_HDR10_ST2084_EXT; }},
      {"imageFormat-01778", [](I& i) { i.imageFormat = kNothing; }},
      {"imageArrayLayers-01275", [](I& i) { i.imageArrayLayers = 2; }},
      {"presentMode-01427", [](I& i) { i.imageUsage |= VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT; }},
      {"imageUsage-01384",
       [](I& i) { i.minImageCount = 1, i.presentMode = kShared, i.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT; }},
      {"imageSharingMode-01428", [&](I& i) { share(i, kFamilies); }},
      {"", [&](I& i) { share(i, kFamilies + 1); }},
      {"preTransform-01279", [](I& i) { i.preTransform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR; }},
      {"compositeAlpha-01280", [](I& i) { i.compositeAlpha = VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR; }},
      {"presentMode-01281", [](I& i) { i.presentMode = VK_PRESENT_MODE_FIFO_LATEST_READY_EXT; }},
      {"physicalDeviceCount-01429", [](I& i) { i.flags = VK_SWAPCHAIN_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT_KHR; }},
      {"flags-03187", [](I& i) { i.flags = VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR; }},
      {"oldSwapchain-01933", [&](I& i) { i.oldSwapchain = retired; }},
  });
}

TEST_F(SwapchainCreation, Chains) {
  constexpr auto kMutable = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR;
  constexpr VkFlags kOne = VK_PRESENT_SCALING_ONE_TO_ONE_BIT_EXT, kStretch = VK_PRESENT_SCALING_STRETCH_BIT_EXT;
  constexpr VkFlags kMin = VK_PRESENT_GRAVITY_MIN_BIT_EXT, kMax = VK_PRESENT_GRAVITY_MAX_BIT_EXT;
  const VkSurfaceKHR of_window = MakeWindowSurface();
  driver().config().surface_capabilities.maxImageExtent = {4096, 4096};
  RunSwapchains({
      {"flags-03168", [](I& i) { i.flags = kMutable; }},
      {"flags-04100", [&](I& i) { SetViews(i, 0, {kFormat, VK_FORMAT_B8G8R8A8_SRGB}); }},
      {"pNext-04099", [&](I& i) { SetViews(i, kMutable, {kFormat, VK_FORMAT_R16_UNORM}); }},
      {"", [&](I& i) { SetViews(i, kMutable, {kFormat, VK_FORMAT_B8G8R8A8_SRGB}); }},
      {"pNext-02679",
       [&](I& i) {
         i.surface = of_window;
         Chain<Exclusive>(i).fullScreenExclusive = VK_FULL_SCREEN_EXCLUSIVE_APPLICATION_CONTROLLED_EXT;
       }},
      {"VkSurfaceFullScreenExclusiveWin32InfoEXT-hmonitor-02673",
       [&](I& i) { Chain<VkSurfaceFullScreenExclusiveWin32InfoEXT>(i).hmonitor = nullptr; }},
      {"VkSwapchainDisplayNativeHdrCreateInfoAMD-localDimmingEnable-04449",
       [&](I& i) { Chain<VkSwapchainDisplayNativeHdrCreateInfoAMD>(i).localDimmingEnable = VK_TRUE; }},
      {"VkSwapchainCounterCreateInfoEXT-surfaceCounters-01244",
       [&](I& i) { Chain<VkSwapchainCounterCreateInfoEXT>(i).surfaceCounters = VK_SURFACE_COUNTER_VBLANK_BIT_EXT; }},
      {"VkSwapchainPresentModesCreateInfoEXT-None-07762",
       [&](I& i) { SetModes(i, {kFifo, VK_PRESENT_MODE_FIFO_LATEST_READY_EXT}); }},
      {"VkSwapchainPresentModesCreateInfoEXT-pPresentModes-07763", [&](I& i) { SetModes(i, {kFifo, kImmediate}); }},
      {"VkSwapchainPresentModesCreateInfoEXT-presentMode-07764", [&](I& i) { SetModes(i, {kMailbox}); }},
      {"", [&](I& i) { SetModes(i, {kFifo, kMailbox}); }},
      {"", [&](I& i) { SetScaling(i, kOne, kMin, kMin, {kFifo}), i.imageExtent.width = 8192; }},
      {"pNext-07782", [&](I& i) { SetScaling(i, kOne, 0, 0), i.imageExtent.width = 8193; }},
  });
  RunSwapchains(
      {
          {"scalingBehavior-07767", [&](I& i) { SetScaling(i, kOne | kStretch, 0, 0); }},
          {"presentGravityX-07768", [&](I& i) { SetScaling(i, 0, kMin | kMax, kMin); }},
          {"presentGravityY-07769", [&](I& i) { SetScaling(i, 0, kMin, kMin | kMax); }},
          {"scalingBehavior-07770", [&](I& i) { SetScaling(i, kStretch, 0, 0); }},
          {"presentGravityX-07772", [&](I& i) { SetScaling(i, 0, kMax, kMin); }},
          {"presentGravityY-07774", [&](I& i) { SetScaling(i, 0, kMin, kMax); }},
          {"scalingBehavior-07771", [&](I& i) { SetScaling(i, kOne, 0, 0, {kFifo, kMailbox}); }},
      },
      "VkSwapchainPresentScalingCreateInfoEXT");
  const auto create = [this](const I& info) {
    VkSwapchainKHR swapchain = VK_NULL_HANDLE;
    const SkipCalls skip(*this);
    vk.CreateSharedSwapchainsKHR(device, 1, &info, nullptr, &swapchain);
  };
  I info = correct_;
  SetScaling(info, 0, kMin, kMin, {kFifo, kMailbox});
  create(info);
  ExpectMessages({"VUID-VkSwapchainPresentScalingCreateInfoEXT-presentGravityX-07773",
                  "VUID-VkSwapchainPresentScalingCreateInfoEXT-presentGravityY-07775"});
  driver().config().presenting_families = 0;
  correct_.surface = MakeSurface();
  create(correct_);
  ExpectMessages({"VUID-VkSwapchainCreateInfoKHR-surface-01270"});
}

// A window is resized, moved to another screen or closed between the last query and the creation.
TEST_F(SwapchainCreation, WindowThatChanges) {
  auto& config = driver().config();
  VkSurfaceCapabilitiesKHR told = {};
  VkSurfaceFormatKHR formats[8];
  VkPresentModeKHR modes[8];
  uint32_t format_count = 8, mode_count = 8;
  vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(physical_device, correct_.surface, &told);
  vk.GetPhysicalDeviceSurfaceFormatsKHR(physical_device, correct_.surface, &format_count, formats);
  vk.GetPhysicalDeviceSurfacePresentModesKHR(physical_device, correct_.surface, &mode_count, modes);
  config.surface_capabilities.minImageExtent = config.surface_capabilities.maxImageExtent = {320, 240};
  config.surface_formats = {{VK_FORMAT_R5G6B5_UNORM_PACK16, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR}};
  config.present_modes = {kFifo};
  RunSwapchains({{"", [](I& i) { i.imageExtent = {320, 240}; }},
                 {"", [](I& i) { i.presentMode = kMailbox; }},
                 {"", [](I& i) { i.imageFormat = VK_FORMAT_R5G6B5_UNORM_PACK16; }}});
  vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(physical_device, correct_.surface, &told);
  correct_.imageExtent = {320, 240};
  RunSwapchains({{"pNext-07781", [](I& i) { i.imageExtent = {640, 480}; }}});
  driver().FailNext<vk::GetPhysicalDeviceSurfaceFormatsKHR>(VK_ERROR_SURFACE_LOST_KHR, 2);
  RunSwapchains({{"", [](I& i) { i.imageFormat = VK_FORMAT_R8_UNORM; }}});
}

}  // namespace
}  // namespace assay::core
