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

// Vulkan's way to return an array: ask(&count, items). Empty if the driver does not say.
template <class T, class Ask>
std::vector<T> AskArray(const Ask& ask) {
  uint32_t count = 0;
  if (ask(&count, nullptr) != VK_SUCCESS) return {};
  std::vector<T> items(count);
  if (ask(&count, items.data()) != VK_SUCCESS) return {};
  items.resize(count);
  return items;
}

// A surface and a physical device. It asks when it is called. A surface may be lost, and every failure of the driver
// means that it does not say.
class SurfaceQuery {
 public:
  SurfaceQuery(const dispatch::Instance& instance, const dispatch::PhysicalDevice& device, VkSurfaceKHR surface)
      : instance_(instance), device_(device), surface_(dispatch::DriverHandle(surface)) {}

  // Whether a queue family, or any, can present to the surface. True if the driver does not say.
  bool IsSupportedBy(uint32_t family) const;
  bool IsSupported() const;
  std::vector<VkSurfaceFormatKHR> Formats() const;
  std::vector<VkPresentModeKHR> PresentModes() const;
  // Present modes between which a swapchain of the mode may switch.
  std::vector<VkPresentModeKHR> CompatibleModes(VkPresentModeKHR mode) const;
  std::optional<VkSurfaceCapabilitiesKHR> Capabilities() const;
  // Of swapchains that have the present mode only.
  std::optional<VkSurfaceCapabilitiesKHR> Capabilities(VkPresentModeKHR mode) const;
  VkSurfaceCounterFlagsEXT Counters() const;
  // Whether a display can dim locally.
  bool CanDim() const {
    return Chained(VkDisplayNativeHdrSurfaceCapabilitiesAMD{.localDimmingSupport = VK_TRUE}).localDimmingSupport !=
           VK_FALSE;
  }

  // What vkGetPhysicalDeviceSurfaceCapabilities2KHR says in a structure of its chain, for one present mode or for any.
  // `answer` is what shall hold if the driver does not say.
  template <class T>
  T Chained(T answer, const VkPresentModeKHR* mode = nullptr) const {
    T filled = answer;
    filled.sType = vk::kStructureTypeOf<T>;
    return Ask(mode, &filled) ? filled : answer;
  }

 private:
  bool Has(vk::ExtensionId extension) const { return instance_.enabled_extensions[static_cast<size_t>(extension)]; }
  std::optional<VkSurfaceCapabilitiesKHR> Ask(const VkPresentModeKHR* mode, void* chain) const;

  const dispatch::Instance& instance_;
  const dispatch::PhysicalDevice& device_;
  // The driver's handle.
  const VkSurfaceKHR surface_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SWAPCHAINS_SURFACE_QUERY_H_
