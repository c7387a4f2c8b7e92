// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What physical devices are asked about surfaces; surfaces of window systems and of displays.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/resources/resource_test.h"

namespace assay::core {
namespace {

class SurfaceTest : public ResourceTest {
 protected:
  // The driver does not get the call.
  void Expect(std::string_view rule, const std::function<void()>& call) {
    SCOPED_TRACE(rule);
    const SkipCalls skip(*this);
    call();
    ExpectMessages({absl::StrCat("VUID-", rule)});
  }
  // Something that is not null.
  template <class T>
  static T Any() {
    static int object;
    if constexpr (std::is_pointer_v<T>) {
      return reinterpret_cast<T>(&object);
    } else {
      return T{1};
    }
  }
  // Surfaces without one of the members.
  template <class Info, class... Member>
  void RunWindows(VkResult (*create)(VkInstance, const Info*, const VkAllocationCallbacks*, VkSurfaceKHR*),
                  std::string_view owner, std::pair<const char*, Member Info::*>... members) {
    Info correct = {.sType = vk::kStructureTypeOf<Info>};
    ((correct.*members.second = Any<Member>()), ...);
    Run(owner, correct, {Case<Info>{members.first, [=](Info& i) { i.*members.second = {}; }}...},
        [&](const Info& info) {
          VkSurfaceKHR surface = VK_NULL_HANDLE;
          create(instance, &info, nullptr, &surface);
          vk.DestroySurfaceKHR(instance, surface, nullptr);
        });
  }

  // The queries of what a surface supports, by the command's name.
  using Query = std::pair<std::string_view, std::function<void(VkSurfaceKHR)>>;
  const std::vector<Query> queries_ = {
      {"vkGetPhysicalDeviceSurfaceCapabilitiesKHR-surface-06211",
       [this](VkSurfaceKHR s) { vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(physical_device, s, &capabilities_); }},
      {"vkGetPhysicalDeviceSurfaceCapabilities2EXT-surface-06211",
       [this](VkSurfaceKHR s) { vk.GetPhysicalDeviceSurfaceCapabilities2EXT(physical_device, s, &counters_); }},
      {"vkGetPhysicalDevicePresentRectanglesKHR-surface-06211",
       [this](VkSurfaceKHR s) { vk.GetPhysicalDevicePresentRectanglesKHR(physical_device, s, &count_, nullptr); }},
      {"vkGetPhysicalDeviceSurfaceFormatsKHR-surface-06525",
       [this](VkSurfaceKHR s) { vk.GetPhysicalDeviceSurfaceFormatsKHR(physical_device, s, &count_, nullptr); }},
      {"vkGetPhysicalDeviceSurfacePresentModesKHR-surface-06525",
       [this](VkSurfaceKHR s) { vk.GetPhysicalDeviceSurfacePresentModesKHR(physical_device, s, &count_, nullptr); }},
      {"vkGetPhysicalDeviceSurfaceCapabilities2KHR-pSurfaceInfo-06522",
       [this](VkSurfaceKHR s) {
         vk.GetPhysicalDeviceSurfaceCapabilities2KHR(physical_device, Info(s), &capabilities2_);
       }},
      {"vkGetPhysicalDeviceSurfaceFormats2KHR-pSurfaceInfo-06522",
       [this](VkSurfaceKHR s) { vk.GetPhysicalDeviceSurfaceFormats2KHR(physical_device, Info(s), &count_, nullptr); }},
      {"vkGetPhysicalDeviceSurfacePresentModes2EXT-pSurfaceInfo-06522",
       [this](VkSurfaceKHR s) {
         vk.GetPhysicalDeviceSurfacePresentModes2EXT(physical_device, Info(s), &count_, nullptr);
       }},
      {"vkGetDeviceGroupSurfacePresentModesKHR-surface-06212",
       [this](VkSurfaceKHR s) { vk.GetDeviceGroupSurfacePresentModesKHR(device, s, &modes_); }},
      {"vkGetDeviceGroupSurfacePresentModes2EXT-pSurfaceInfo-06213",
       [this](VkSurfaceKHR s) { vk.GetDeviceGroupSurfacePresentModes2EXT(device, Info(s), &modes_); }},
  };
  const VkPhysicalDeviceSurfaceInfo2KHR* Info(VkSurfaceKHR surface) {
    info_.surface = surface;
    return &info_;
  }
  void AskFor(void* structure) {
    capabilities2_.pNext = structure;
    vk.GetPhysicalDeviceSurfaceCapabilities2KHR(physical_device, &info_, &capabilities2_);
  }

  uint32_t count_ = 0;
  VkDeviceGroupPresentModeFlagsKHR modes_ = 0;
  VkSurfaceCapabilitiesKHR capabilities_ = {};
  VkSurfaceCapabilities2EXT counters_ = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_EXT};
  VkSurfaceCapabilities2KHR capabilities2_ = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR};
  VkPhysicalDeviceSurfaceInfo2KHR info_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR};
  VkSurfaceFullScreenExclusiveInfoEXT exclusive_ = {VK_STRUCTURE_TYPE_SURFACE_FULL_SCREEN_EXCLUSIVE_INFO_EXT, nullptr,
                                                    VK_FULL_SCREEN_EXCLUSIVE_APPLICATION_CONTROLLED_EXT};
  VkSurfaceFullScreenExclusiveWin32InfoEXT win32_ = {
      VK_STRUCTURE_TYPE_SURFACE_FULL_SCREEN_EXCLUSIVE_WIN32_INFO_EXT, nullptr, Any<HMONITOR>()};
  VkSurfacePresentModeEXT mode_ = {VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_EXT, nullptr, VK_PRESENT_MODE_FIFO_KHR};
};

TEST_F(SurfaceTest, OfNoFamily) {
  driver().config().presenting_families = 0;
  Start();
  const VkSurfaceKHR surface = MakeSurface();
  for (const auto& [rule, query] : queries_) Expect(rule, [&] { query(surface); });
  driver().config().presenting_families = 4;
  for (const auto& [rule, query] : queries_) query(surface);
}

TEST_F(SurfaceTest, IsNull) {
  Create({.instance_extensions = {"VK_KHR_get_surface_capabilities2", "VK_EXT_surface_maintenance1"},
          .device_extensions = {"VK_EXT_full_screen_exclusive"}});
  for (const size_t i : {3, 4, 5, 6, 7}) {
    const std::string_view command = queries_[i].first.substr(0, queries_[i].first.find('-'));
    Expect(absl::StrCat(command, i < 5 ? "-surface-06524" : "-pSurfaceInfo-06521"),
           [&] { queries_[i].second(VK_NULL_HANDLE); });
  }
}

TEST_F(SurfaceTest, Families) {
  Start();
  const VkSurfaceKHR surface = MakeSurface();
  VkBool32 is_supported = VK_FALSE;
  vk.GetPhysicalDeviceSurfaceSupportKHR(physical_device, 2, surface, &is_supported);
  constexpr uint32_t kWrong = 3;
  Expect("vkGetPhysicalDeviceSurfaceSupportKHR-queueFamilyIndex-01269",
         [&] { vk.GetPhysicalDeviceSurfaceSupportKHR(physical_device, kWrong, surface, &is_supported); });
  Expect("vkGetPhysicalDeviceWaylandPresentationSupportKHR-queueFamilyIndex-01306",
         [&] { vk.GetPhysicalDeviceWaylandPresentationSupportKHR(physical_device, kWrong, Any<wl_display*>()); });
  Expect("vkGetPhysicalDeviceWin32PresentationSupportKHR-queueFamilyIndex-01309",
         [&] { vk.GetPhysicalDeviceWin32PresentationSupportKHR(physical_device, kWrong); });
  Expect("vkGetPhysicalDeviceXcbPresentationSupportKHR-queueFamilyIndex-01312",
         [&] { vk.GetPhysicalDeviceXcbPresentationSupportKHR(physical_device, kWrong, Any<xcb_connection_t*>(), 1); });
  Expect("vkGetPhysicalDeviceXlibPresentationSupportKHR-queueFamilyIndex-01315",
         [&] { vk.GetPhysicalDeviceXlibPresentationSupportKHR(physical_device, kWrong, Any<Display*>(), 1); });
  Expect("vkGetPhysicalDeviceDirectFBPresentationSupportEXT-queueFamilyIndex-04119",
         [&] { vk.GetPhysicalDeviceDirectFBPresentationSupportEXT(physical_device, kWrong, Any<IDirectFB*>()); });
  Expect("vkGetPhysicalDeviceScreenPresentationSupportQNX-queueFamilyIndex-04743",
         [&] { vk.GetPhysicalDeviceScreenPresentationSupportQNX(physical_device, kWrong, Any<_screen_window*>()); });
}

TEST_F(SurfaceTest, Chains) {
  driver().config().disabled_extensions = {"VK_EXT_image_compression_control_swapchain"};
  Start({"VK_EXT_image_compression_control_swapchain"});
  VkSurfaceCapabilitiesFullScreenExclusiveEXT exclusive = {
      VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_FULL_SCREEN_EXCLUSIVE_EXT};
  VkSurfacePresentModeCompatibilityEXT compatible = {VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_EXT};
  VkSurfacePresentScalingCapabilitiesEXT scaling = {VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_EXT};
  info_.surface = MakeSurface();
  constexpr std::string_view kCommand = "vkGetPhysicalDeviceSurfaceCapabilities2KHR-pNext-";
  Expect(absl::StrCat(kCommand, "02671"), [&] { AskFor(&exclusive); });
  Expect(absl::StrCat(kCommand, "07776"), [&] { AskFor(&compatible); });
  Expect(absl::StrCat(kCommand, "07777"), [&] { AskFor(&scaling); });
  info_.pNext = &mode_;
  for (void* structure : std::initializer_list<void*>{&compatible, &scaling}) AskFor(structure);
  mode_.presentMode = VK_PRESENT_MODE_FIFO_LATEST_READY_EXT;
  Expect("VkSurfacePresentModeEXT-presentMode-07780", [&] { AskFor(&scaling); });
  info_.surface = VK_NULL_HANDLE;
  Expect(absl::StrCat(kCommand, "07778"), [&] { AskFor(&compatible); });
  Expect(absl::StrCat(kCommand, "07779"), [&] { AskFor(&scaling); });

  VkImageCompressionPropertiesEXT compression = {VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT};
  VkSurfaceFormat2KHR format = {VK_STRUCTURE_TYPE_SURFACE_FORMAT_2_KHR, &compression, {}};
  count_ = 1;
  Expect("VkSurfaceFormat2KHR-pNext-06750", [&] {
    info_.pNext = nullptr;
    vk.GetPhysicalDeviceSurfaceFormats2KHR(physical_device, Info(MakeSurface()), &count_, &format);
  });
}

TEST_F(SurfaceTest, Windows) {
  Start();
  RunWindows(vk.CreateAndroidSurfaceKHR, "VkAndroidSurfaceCreateInfoKHR",
             std::pair{"window-01248", &VkAndroidSurfaceCreateInfoKHR::window});
  RunWindows(vk.CreateDirectFBSurfaceEXT, "VkDirectFBSurfaceCreateInfoEXT",
             std::pair{"dfb-04117", &VkDirectFBSurfaceCreateInfoEXT::dfb},
             std::pair{"surface-04118", &VkDirectFBSurfaceCreateInfoEXT::surface});
  RunWindows(vk.CreateImagePipeSurfaceFUCHSIA, "VkImagePipeSurfaceCreateInfoFUCHSIA",
             std::pair{"imagePipeHandle-04863", &VkImagePipeSurfaceCreateInfoFUCHSIA::imagePipeHandle});
  RunWindows(vk.CreateScreenSurfaceQNX, "VkScreenSurfaceCreateInfoQNX",
             std::pair{"context-04741", &VkScreenSurfaceCreateInfoQNX::context},
             std::pair{"window-04742", &VkScreenSurfaceCreateInfoQNX::window});
  RunWindows(vk.CreateViSurfaceNN, "VkViSurfaceCreateInfoNN",
             std::pair{"window-01318", &VkViSurfaceCreateInfoNN::window});
  RunWindows(vk.CreateWaylandSurfaceKHR, "VkWaylandSurfaceCreateInfoKHR",
             std::pair{"display-01304", &VkWaylandSurfaceCreateInfoKHR::display},
             std::pair{"surface-01305", &VkWaylandSurfaceCreateInfoKHR::surface});
  RunWindows(vk.CreateWin32SurfaceKHR, "VkWin32SurfaceCreateInfoKHR",
             std::pair{"hinstance-01307", &VkWin32SurfaceCreateInfoKHR::hinstance},
             std::pair{"hwnd-01308", &VkWin32SurfaceCreateInfoKHR::hwnd});
  RunWindows(vk.CreateXcbSurfaceKHR, "VkXcbSurfaceCreateInfoKHR",
             std::pair{"connection-01310", &VkXcbSurfaceCreateInfoKHR::connection},
             std::pair{"window-01311", &VkXcbSurfaceCreateInfoKHR::window});
  RunWindows(vk.CreateXlibSurfaceKHR, "VkXlibSurfaceCreateInfoKHR",
             std::pair{"dpy-01313", &VkXlibSurfaceCreateInfoKHR::dpy},
             std::pair{"window-01314", &VkXlibSurfaceCreateInfoKHR::window});
}

TEST_F(SurfaceTest, FullScreenOfWindows) {
  Start();
  const VkWin32SurfaceCreateInfoKHR window = {VK_STRUCTURE_TYPE_WIN32_SURFACE_CREATE_INFO_KHR, nullptr, 0,
                                              Any<HINSTANCE>(), Any<HWND>()};
  vk.CreateWin32SurfaceKHR(instance, &window, nullptr, &info_.surface);
  Defer(info_.surface, [=, this, surface = info_.surface] { vk.DestroySurfaceKHR(instance, surface, nullptr); });
  info_.pNext = &exclusive_;
  Expect("VkPhysicalDeviceSurfaceInfo2KHR-pNext-02672", [&] { AskFor(nullptr); });
  exclusive_.pNext = &win32_;
  AskFor(nullptr);
}

TEST_F(SurfaceTest, Displays) {
  auto& config = driver().config();
  config.display.supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  config.display_planes = {{VK_NULL_HANDLE, 1}, {VK_NULL_HANDLE, 0}};
  config.display_plane_capabilities.supportedAlpha = VK_DISPLAY_PLANE_ALPHA_GLOBAL_BIT_KHR;
  Start();
  VkDisplayPropertiesKHR display = {};
  count_ = 1;
  vk.GetPhysicalDeviceDisplayPropertiesKHR(physical_device, &count_, &display);
  VkDisplayModeKHR mode = VK_NULL_HANDLE;
  using Mode = VkDisplayModeCreateInfoKHR;
  const Mode right_mode = {VK_STRUCTURE_TYPE_DISPLAY_MODE_CREATE_INFO_KHR, nullptr, 0, {{640, 480}, 60000}};
  Run<Mode>("VkDisplayModeParametersKHR", right_mode,
            {{"width-01990", [](Mode& i) { i.parameters.visibleRegion.width = 0; }},
             {"height-01991", [](Mode& i) { i.parameters.visibleRegion.height = 0; }},
             {"refreshRate-01992", [](Mode& i) { i.parameters.refreshRate = 0; }}},
            [&](const Mode& info) { vk.CreateDisplayModeKHR(physical_device, display.display, &info, nullptr, &mode); });
  VkDisplayModePropertiesKHR unused = {};
  vk.CreateDisplayModeKHR(physical_device, display.display, &right_mode, nullptr, &mode);
  vk.GetDisplayModePropertiesKHR(physical_device, display.display, &(count_ = 1), &unused);
  Expect("vkGetDisplayPlaneSupportedDisplaysKHR-planeIndex-01249",
         [&] { vk.GetDisplayPlaneSupportedDisplaysKHR(physical_device, 2, &count_, nullptr); });

  using I = VkDisplaySurfaceCreateInfoKHR;
  const I correct = {.sType = VK_STRUCTURE_TYPE_DISPLAY_SURFACE_CREATE_INFO_KHR,
                     .displayMode = mode,
                     .planeStackIndex = 1,
                     .transform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                     .globalAlpha = 1,
                     .alphaMode = VK_DISPLAY_PLANE_ALPHA_GLOBAL_BIT_KHR,
                     .imageExtent = {640, 480}};
  const auto create = [&](const I& info) {
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    vk.CreateDisplayPlaneSurfaceKHR(instance, &info, nullptr, &surface);
    vk.DestroySurfaceKHR(instance, surface, nullptr);
  };
  Run<I>("VkDisplaySurfaceCreateInfoKHR", correct,
         {{"planeIndex-01252", [](I& i) { i.planeIndex = 2; }},
          {"planeReorderPossible-01253", [](I& i) { i.planeStackIndex = 0; }},
          {"alphaMode-01254", [](I& i) { i.globalAlpha = 2; }},
          {"alphaMode-01255", [](I& i) { i.alphaMode = VK_DISPLAY_PLANE_ALPHA_PER_PIXEL_BIT_KHR; }},
          {"transform-06740", [](I& i) { i.transform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR; }},
          {"width-01256", [](I& i) { i.imageExtent.width = 16385; }}},
         create);
  VkDisplayModeStereoPropertiesNV stereo = {VK_STRUCTURE_TYPE_DISPLAY_MODE_STEREO_PROPERTIES_NV};
  VkDisplayModeProperties2KHR told = {VK_STRUCTURE_TYPE_DISPLAY_MODE_PROPERTIES_2_KHR, &stereo, {}};
  vk.GetDisplayModeProperties2KHR(physical_device, display.display, &(count_ = 1), &told);
  I of_told = correct;
  of_told.displayMode = told.displayModeProperties.displayMode;
  Run<I>("VkDisplaySurfaceCreateInfoKHR", of_told,
         {{"pNext-10284",
           [&](I& i) {
             Chain<VkDisplaySurfaceStereoCreateInfoNV>(i).stereoType = VK_DISPLAY_SURFACE_STEREO_TYPE_HDMI_3D_NV;
           }}},
         create);
  config.display.planeReorderPossible = VK_TRUE;
  Run<I>("VkDisplaySurfaceCreateInfoKHR", correct,
         {{"", [](I& i) { i.planeStackIndex = 0; }},
          {"planeReorderPossible-01253", [](I& i) { i.planeStackIndex = 2; }}},
         create);
}

}  // namespace
}  // namespace assay::core
