// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SWAPCHAINS_SURFACE_QUERY_H_
#define ASSAY_CORE_SWAPCHAINS_SURFACE_QUERY_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dispatch/dispatch.h"
#include "vk/commands.h"
#include "vk/extension_info.h"
#include "vk/struct_traits.h"
#include "vk/vulkan.h"

// Private to the package: what the driver says of a surface now.
namespace assay::core {

// Asks the driver. All handles are the driver's.
template <class C, class... Arguments>
VkResult AskDriver(const dispatch::Instance& instance, Arguments... arguments) {
  const auto ask = dispatch::Next<C>(instance.next);
  return ask != nullptr ? ask(arguments...) : VK_ERROR_EXTENSION_NOT_PRESENT;
}
// The same for an array whose count and items come last. Empty if the driver does not say.
template <class C, class T, class... Arguments>
std::vector<T> AskForArray(const dispatch::Instance& instance, const T& empty, Arguments... arguments) {
  uint32_t count = 0;
  if (AskDriver<C>(instance, arguments..., &count, static_cast<T*>(nullptr)) != VK_SUCCESS) return {};
  std::vector<T> items(count, empty);
  if (AskDriver<C>(instance, arguments..., &count, items.data()) != VK_SUCCESS) return {};
  items.resize(count, empty);
  return items;
}

// A surface and a physical device. It asks when it is called. A surface may be lost, and every failure of the driver
// means that it does not say.
class SurfaceQuery {
 public:
  SurfaceQuery(const dispatch::Instance& instance, VkPhysicalDevice device, VkSurfaceKHR surface)
      : instance_(instance), device_(device), surface_(dispatch::DriverHandle(surface)) {}

  // Whether a queue family, or any of so many, can present to the surface. True if the driver does not say.
  bool IsSupportedBy(uint32_t family) const {
    VkBool32 answer = VK_TRUE;
    return AskDriver<vk::GetPhysicalDeviceSurfaceSupportKHR>(instance_, device_, family, surface_, &answer) !=
               VK_SUCCESS ||
           answer == VK_TRUE;
  }
  bool IsSupportedByAny(size_t families) const {
    bool is_supported = families == 0;
    for (uint32_t i = 0; i < families && !is_supported; ++i) is_supported = IsSupportedBy(i);
    return is_supported;
  }
  std::vector<VkSurfaceFormatKHR> Formats() const {
    return AskForArray<vk::GetPhysicalDeviceSurfaceFormatsKHR>(instance_, VkSurfaceFormatKHR{}, device_, surface_);
  }
  std::vector<VkPresentModeKHR> PresentModes() const {
    return AskForArray<vk::GetPhysicalDeviceSurfacePresentModesKHR>(instance_, VkPresentModeKHR{}, device_, surface_);
  }
  std::optional<VkSurfaceCapabilitiesKHR> Capabilities() const {
    VkSurfaceCapabilitiesKHR answer = {};
    const VkResult result =
        AskDriver<vk::GetPhysicalDeviceSurfaceCapabilitiesKHR>(instance_, device_, surface_, &answer);
    return result == VK_SUCCESS ? std::optional(answer) : std::nullopt;
  }
  VkSurfaceCounterFlagsEXT Counters() const {
    VkSurfaceCapabilities2EXT answer = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_EXT};
    const VkResult result =
        AskDriver<vk::GetPhysicalDeviceSurfaceCapabilities2EXT>(instance_, device_, surface_, &answer);
    return result == VK_SUCCESS ? answer.supportedSurfaceCounters : ~VkSurfaceCounterFlagsEXT{0};
  }
  // Whether a display can dim locally.
  bool CanDim() const {
    return Chained(VkDisplayNativeHdrSurfaceCapabilitiesAMD{.localDimmingSupport = VK_TRUE}).localDimmingSupport !=
           VK_FALSE;
  }

  // Of swapchains that have the present mode, and with a structure of the chain, if they are not null.
  std::optional<VkSurfaceCapabilitiesKHR> Ask(const VkPresentModeKHR* mode, void* chain) const {
    const auto has = [&](vk::ExtensionId each) { return instance_.enabled_extensions[static_cast<size_t>(each)]; };
    if (!has(vk::ExtensionId::kKhrGetSurfaceCapabilities2)) return std::nullopt;
    if (mode != nullptr && !has(vk::ExtensionId::kExtSurfaceMaintenance1)) return std::nullopt;
    const VkSurfacePresentModeEXT of_mode = {VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_EXT, nullptr,
                                             mode != nullptr ? *mode : VkPresentModeKHR{}};
    const VkPhysicalDeviceSurfaceInfo2KHR question = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR,
                                                      mode != nullptr ? &of_mode : nullptr, surface_};
    VkSurfaceCapabilities2KHR answer = {VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, chain, {}};
    const VkResult result =
        AskDriver<vk::GetPhysicalDeviceSurfaceCapabilities2KHR>(instance_, device_, &question, &answer);
    return result == VK_SUCCESS ? std::optional(answer.surfaceCapabilities) : std::nullopt;
  }
  // Such a structure; `answer` is what shall hold if the driver does not say.
  template <class T>
  T Chained(T answer, const VkPresentModeKHR* mode = nullptr) const {
    T filled = answer;
    filled.sType = vk::kStructureTypeOf<T>;
    return Ask(mode, &filled) ? filled : answer;
  }

 private:
  const dispatch::Instance& instance_;
  const VkPhysicalDevice device_;
  // The driver's handle.
  const VkSurfaceKHR surface_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SWAPCHAINS_SURFACE_QUERY_H_
