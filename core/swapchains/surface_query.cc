// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/swapchains/surface_query.h"

#include <algorithm>

namespace assay::core {

bool SurfaceQuery::IsSupportedBy(uint32_t family) const {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceSurfaceSupportKHR>(instance_.next);
  VkBool32 is_supported = VK_TRUE;
  if (ask == nullptr || ask(device_.handle, family, surface_, &is_supported) != VK_SUCCESS) return true;
  return is_supported == VK_TRUE;
}

bool SurfaceQuery::IsSupported() const {
  for (uint32_t family = 0; family < device_.queue_families.size(); ++family) {
    if (IsSupportedBy(family)) return true;
  }
  return device_.queue_families.empty();
}

std::vector<VkSurfaceFormatKHR> SurfaceQuery::Formats() const {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceSurfaceFormatsKHR>(instance_.next);
  if (ask == nullptr) return {};
  return AskArray<VkSurfaceFormatKHR>(
      [&](uint32_t* count, VkSurfaceFormatKHR* formats) { return ask(device_.handle, surface_, count, formats); });
}

std::vector<VkPresentModeKHR> SurfaceQuery::PresentModes() const {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceSurfacePresentModesKHR>(instance_.next);
  if (ask == nullptr) return {};
  return AskArray<VkPresentModeKHR>(
      [&](uint32_t* count, VkPresentModeKHR* modes) { return ask(device_.handle, surface_, count, modes); });
}

std::vector<VkPresentModeKHR> SurfaceQuery::CompatibleModes(VkPresentModeKHR mode) const {
  VkPresentModeKHR modes[32];
  VkSurfacePresentModeCompatibilityEXT answer = {VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_EXT, nullptr,
                                                 std::size(modes), modes};
  if (!Has(vk::ExtensionId::kExtSurfaceMaintenance1) || !Ask(&mode, &answer)) return {};
  return {modes, modes + std::min<size_t>(answer.presentModeCount, std::size(modes))};
}

std::optional<VkSurfaceCapabilitiesKHR> SurfaceQuery::Capabilities() const {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceSurfaceCapabilitiesKHR>(instance_.next);
  VkSurfaceCapabilitiesKHR answer = {};
  if (ask == nullptr || ask(device_.handle, surface_, &answer) != VK_SUCCESS) return std::nullopt;
  return answer;
}

std::optional<VkSurfaceCapabilitiesKHR> SurfaceQuery::Capabilities(VkPresentModeKHR mode) const {
  return Has(vk::ExtensionId::kExtSurfaceMaintenance1) ? Ask(&mode, nullptr) : std::nullopt;
}

VkSurfaceCounterFlagsEXT SurfaceQuery::Counters() const {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceSurfaceCapabilities2EXT>(instance_.next);
  VkSurfaceCapabilities2EXT answer = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_EXT};
  if (ask == nullptr || !Has(vk::ExtensionId::kExtDisplaySurfaceCounter)) return ~VkSurfaceCounterFlagsEXT{0};
  return ask(device_.handle, surface_, &answer) == VK_SUCCESS ? answer.supportedSurfaceCounters
                                                              : ~VkSurfaceCounterFlagsEXT{0};
}

std::optional<VkSurfaceCapabilitiesKHR> SurfaceQuery::Ask(const VkPresentModeKHR* mode, void* chain) const {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceSurfaceCapabilities2KHR>(instance_.next);
  if (ask == nullptr || !Has(vk::ExtensionId::kKhrGetSurfaceCapabilities2)) return std::nullopt;
  VkSurfacePresentModeEXT of_mode = {VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_EXT};
  if (mode != nullptr) of_mode.presentMode = *mode;
  const VkPhysicalDeviceSurfaceInfo2KHR question = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR,
                                                    mode != nullptr ? &of_mode : nullptr, surface_};
  VkSurfaceCapabilities2KHR answer = {VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, chain, {}};
  if (ask(device_.handle, &question, &answer) != VK_SUCCESS) return std::nullopt;
  return answer.surfaceCapabilities;
}

}  // namespace assay::core
