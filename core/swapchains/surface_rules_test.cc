// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What physical devices are asked about surfaces, and surfaces of displays. See also layer/violated_surface_rules_test.

#include "core/resources/resource_test.h"

namespace assay::core {
namespace {

using SurfaceTest = ResourceTest;
using Mode = VkDisplayModeCreateInfoKHR;
using Plane = VkDisplaySurfaceCreateInfoKHR;

struct Query {
  VkPhysicalDeviceSurfaceInfo2KHR info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR};
  VkSurfaceCapabilities2KHR answer = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR};
};
using Q = Query;
using OfMode = VkSurfacePresentModeEXT;
using Compatibility = VkSurfacePresentModeCompatibilityEXT;
using Scaling = VkSurfacePresentScalingCapabilitiesEXT;
using Exclusive = VkSurfaceFullScreenExclusiveInfoEXT;

TEST_F(SurfaceTest, Chains) {
  Start();
  constexpr auto kApplication = VK_FULL_SCREEN_EXCLUSIVE_APPLICATION_CONTROLLED_EXT;
  const auto set_mode = [&](Q& q) { Chain<OfMode>(q.info).presentMode = VK_PRESENT_MODE_FIFO_KHR; };
  Query correct;
  correct.info.surface = MakeWindowSurface();
  const std::vector<Case<Q>> cases = {
      {"pNext-02671", [&](Q& q) { Chain<VkSurfaceCapabilitiesFullScreenExclusiveEXT>(q.answer); }},
      {"pNext-07776", [&](Q& q) { Chain<Compatibility>(q.answer); }},
      {"pNext-07777", [&](Q& q) { Chain<Scaling>(q.answer); }},
      {"", [&](Q& q) { Chain<Scaling>(q.answer), set_mode(q); }},
      {"pNext-07778", [&](Q& q) { Chain<Compatibility>(q.answer), set_mode(q), q.info.surface = {}; }},
      {"pNext-07779", [&](Q& q) { Chain<Scaling>(q.answer), set_mode(q), q.info.surface = {}; }},
      {"VkSurfacePresentModeEXT-presentMode-07780",
       [&](Q& q) { Chain<OfMode>(q.info).presentMode = VK_PRESENT_MODE_FIFO_LATEST_READY_EXT; }},
      {"VkPhysicalDeviceSurfaceInfo2KHR-pNext-02672",
       [&](Q& q) { Chain<Exclusive>(q.info).fullScreenExclusive = kApplication; }},
      {"",
       [&](Q& q) {
         Chain<Exclusive>(q.info).fullScreenExclusive = kApplication;
         Chain<VkSurfaceFullScreenExclusiveWin32InfoEXT>(q.info).hmonitor = reinterpret_cast<HMONITOR>(this);
       }},
  };
  Run("vkGetPhysicalDeviceSurfaceCapabilities2KHR", correct, cases,
      [this](Query q) { vk.GetPhysicalDeviceSurfaceCapabilities2KHR(physical_device, &q.info, &q.answer); });
}

TEST_F(SurfaceTest, FormatsOfADeviceWithoutCompression) {
  driver().config().disabled_extensions.insert("VK_EXT_image_compression_control_swapchain");
  Create({.instance_extensions = {"VK_KHR_get_surface_capabilities2"}});
  Query query;
  query.info.surface = MakeSurface();
  const VkSurfaceFormat2KHR correct = {.sType = VK_STRUCTURE_TYPE_SURFACE_FORMAT_2_KHR};
  const std::vector<Case<VkSurfaceFormat2KHR>> cases = {
      {"pNext-06750", [&](auto& i) { Chain<VkImageCompressionPropertiesEXT>(i); }}};
  Run("VkSurfaceFormat2KHR", correct, cases, [&](VkSurfaceFormat2KHR format) {
    uint32_t count = 1;
    vk.GetPhysicalDeviceSurfaceFormats2KHR(physical_device, &query.info, &count, &format);
  });
}

TEST_F(SurfaceTest, Displays) {
  auto& config = driver().config();
  config.display.supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  config.display_planes = {{VK_NULL_HANDLE, 1}, {VK_NULL_HANDLE, 0}};
  config.display_plane_capabilities.supportedAlpha = VK_DISPLAY_PLANE_ALPHA_GLOBAL_BIT_KHR;
  Start();
  uint32_t count = 1;
  VkDisplayPropertiesKHR display = {};
  vk.GetPhysicalDeviceDisplayPropertiesKHR(physical_device, &count, &display);
  Run<uint32_t>("vkGetDisplayPlaneSupportedDisplaysKHR", 1, {{"planeIndex-01249", [](uint32_t& i) { i = 2; }}},
                [&](uint32_t i) { vk.GetDisplayPlaneSupportedDisplaysKHR(physical_device, i, &count, nullptr); });
  VkDisplayModeStereoPropertiesNV stereo = {VK_STRUCTURE_TYPE_DISPLAY_MODE_STEREO_PROPERTIES_NV};
  VkDisplayModeProperties2KHR told = {VK_STRUCTURE_TYPE_DISPLAY_MODE_PROPERTIES_2_KHR, &stereo, {}};
  count = 1;
  vk.GetDisplayModeProperties2KHR(physical_device, display.display, &count, &told);
  VkDisplayModeKHR mode = VK_NULL_HANDLE;
  Run<Mode>(
      "VkDisplayModeParametersKHR", {VK_STRUCTURE_TYPE_DISPLAY_MODE_CREATE_INFO_KHR, nullptr, 0, {{640, 480}, 60000}},
      {{"width-01990", [](Mode& i) { i.parameters.visibleRegion.width = 0; }},
       {"height-01991", [](Mode& i) { i.parameters.visibleRegion.height = 0; }},
       {"refreshRate-01992", [](Mode& i) { i.parameters.refreshRate = 0; }}},
      [&](const Mode& info) { vk.CreateDisplayModeKHR(physical_device, display.display, &info, nullptr, &mode); });

  const auto run = [&](const std::vector<Case<Plane>>& cases) {
    const Plane correct = {.sType = VK_STRUCTURE_TYPE_DISPLAY_SURFACE_CREATE_INFO_KHR,
                           .displayMode = told.displayModeProperties.displayMode,
                           .planeStackIndex = 1,
                           .transform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                           .globalAlpha = 1,
                           .alphaMode = VK_DISPLAY_PLANE_ALPHA_GLOBAL_BIT_KHR,
                           .imageExtent = {640, 480}};
    Run("VkDisplaySurfaceCreateInfoKHR", correct, cases, [&](const Plane& info) {
      VkSurfaceKHR surface = VK_NULL_HANDLE;
      vk.CreateDisplayPlaneSurfaceKHR(instance, &info, nullptr, &surface);
      vk.DestroySurfaceKHR(instance, surface, nullptr);
    });
  };
  run({{"planeIndex-01252", [](Plane& i) { i.planeIndex = 2; }},
       {"planeReorderPossible-01253", [](Plane& i) { i.planeStackIndex = 0; }},
       {"alphaMode-01254", [](Plane& i) { i.globalAlpha = 2; }},
       {"alphaMode-01255", [](Plane& i) { i.alphaMode = VK_DISPLAY_PLANE_ALPHA_PER_PIXEL_BIT_KHR; }},
       {"transform-06740", [](Plane& i) { i.transform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR; }},
       {"width-01256", [](Plane& i) { i.imageExtent.width = 16385; }},
       {"pNext-10284", [&](Plane& i) {
          Chain<VkDisplaySurfaceStereoCreateInfoNV>(i).stereoType = VK_DISPLAY_SURFACE_STEREO_TYPE_HDMI_3D_NV;
        }}});
  config.display.planeReorderPossible = VK_TRUE;
  run({{"", [](Plane& i) { i.planeStackIndex = 0; }},
       {"planeReorderPossible-01253", [](Plane& i) { i.planeStackIndex = 2; }}});
}

}  // namespace
}  // namespace assay::core
