// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What commands need of the surfaces of swapchains: support, displays, exclusive access, device groups.

#include <algorithm>
#include <bit>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/swapchains/surface_notes.h"
#include "core/swapchains/surface_query.h"
#include "core/swapchains/swapchain_rules.h"
#include "dispatch/dispatch.h"
#include "vk/enum_info.h"

namespace assay::core {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using state::Items;
using vk::Vuid;

namespace {

bool IsInside(const VkOffset2D& offset, const VkExtent2D& extent, uint32_t width, uint32_t height) {
  const auto is = [](int64_t from, uint32_t size, uint32_t end) { return from >= 0 && from + size <= end; };
  return is(offset.x, extent.width, width) && is(offset.y, extent.height, height);
}
std::string Text(const VkOffset2D& offset, const VkExtent2D& extent) {
  return absl::StrCat("(", extent.width, " x ", extent.height, " at ", offset.x, ", ", offset.y, ")");
}

}  // namespace

uint32_t SwapchainRules::GroupSize() const {
  const dispatch::Instance& instance = state_.device().instance;
  const auto ask = dispatch::Next<vk::EnumeratePhysicalDeviceGroups>(instance.next);
  const auto extension = static_cast<size_t>(vk::ExtensionId::kKhrDeviceGroupCreation);
  if (ask == nullptr || (instance.api_version < VK_API_VERSION_1_1 && !instance.enabled_extensions[extension]))
    return VK_MAX_DEVICE_GROUP_SIZE;
  uint32_t count = 0;
  if (ask(instance.handle, &count, nullptr) != VK_SUCCESS) return VK_MAX_DEVICE_GROUP_SIZE;
  std::vector<VkPhysicalDeviceGroupProperties> groups(count, {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES});
  if (ask(instance.handle, &count, groups.data()) != VK_SUCCESS) return VK_MAX_DEVICE_GROUP_SIZE;
  for (const auto& group : groups) {
    const auto devices = Items(group.physicalDevices, group.physicalDeviceCount);
    if (std::ranges::count(devices, state_.device().physical_device->handle) != 0) return group.physicalDeviceCount;
  }
  return VK_MAX_DEVICE_GROUP_SIZE;
}

void SwapchainRules::CheckSurfaces(const VkPresentInfoKHR& info, VkQueue handle, const Location& where,
                                   Report& report) const {
  const auto* const queue = DeviceState::Get(handle);
  const dispatch::Device& device = state_.device();
  const SurfaceNotes* first = nullptr;
  for (uint32_t i = 0; VkSwapchainKHR swapchain : Items(info.pSwapchains, info.swapchainCount)) {
    const Location element = where.Dot("pSwapchains", i++);
    const auto notes = notes_.Find(swapchain);
    const SurfaceNotes* const surface = notes ? SurfaceNotes::Of(notes->surface) : nullptr;
    if (surface == nullptr) continue;
    if (queue != nullptr && (notes->families & BitOf(*queue)) == 0 &&
        !SurfaceQuery(device.instance, *device.physical_device, notes->surface).IsSupportedBy(queue->family)) {
      report.Error(Vuid("VUID-vkQueuePresentKHR-pSwapchains-01292"), {Object(swapchain), Object(handle)}, element,
                   absl::StrCat("(", report.reporter().Describe(Object(swapchain)), ") is for ",
                                report.reporter().Describe(Object(notes->surface)), ", to which queue family ",
                                queue->family, " cannot present."),
                   "Ask vkGetPhysicalDeviceSurfaceSupportKHR(), and present from a queue that can.");
    }
    if (!surface->mode) continue;
    if (first == nullptr) first = surface;
    if (first->mode->display != surface->mode->display) continue;
    const auto require = [&](bool holds, vk::VuidIndex id, std::string_view what) {
      if (holds) return;
      report.Error(id, {Object(swapchain)}, element,
                   absl::StrCat("(", report.reporter().Describe(Object(swapchain)), ") has another ", what,
                                " of the same display than an earlier element."));
    };
    require(first->mode_handle == surface->mode_handle, Vuid("VUID-vkQueuePresentKHR-pSwapchains-01293"), "mode");
    require(first->stereo_type == surface->stereo_type, Vuid("VUID-vkQueuePresentKHR-pSwapchains-10285"),
            "stereoType");
  }
  if (info.pNext == nullptr) return;
  CheckDisplay(info, where, report);
  CheckRegions(info, where, report);
  CheckGroup(info, where, report);
}

void SwapchainRules::CheckDisplay(const VkPresentInfoKHR& info, const Location& where, Report& report) const {
  constexpr std::string_view kName = "VkDisplayPresentInfoKHR";
  const auto* const display = vk::FindInChain<VkDisplayPresentInfoKHR>(info.pNext);
  if (display == nullptr) return;
  for (VkSwapchainKHR handle : Items(info.pSwapchains, info.swapchainCount)) {
    const auto* const swapchain = DeviceState::Get<state::Swapchain>(handle);
    const auto notes = notes_.Find(handle);
    if (swapchain == nullptr || !notes) continue;
    const VkExtent3D& extent = swapchain->image_create_info.extent;
    const VkRect2D &from = display->srcRect, &to = display->dstRect;
    if (!IsInside(from.offset, from.extent, extent.width, extent.height)) {
      report.Error(Vuid("VUID-VkDisplayPresentInfoKHR-srcRect-01257"), {Object(handle)}, where.Next(kName, "srcRect"),
                   absl::StrCat(Text(from.offset, from.extent), " is not inside of the image (", extent.width, " x ",
                                extent.height, ")."));
    }
    const SurfaceNotes* const surface = SurfaceNotes::Of(notes->surface);
    if (surface == nullptr || !surface->mode) continue;
    const VkExtent2D& region = surface->mode->parameters.visibleRegion;
    if (!IsInside(to.offset, to.extent, region.width, region.height)) {
      report.Error(Vuid("VUID-VkDisplayPresentInfoKHR-dstRect-01258"), {Object(handle)}, where.Next(kName, "dstRect"),
                   absl::StrCat(Text(to.offset, to.extent), " is not inside of the display mode's region (",
                                region.width, " x ", region.height, ")."));
    }
    if (display->persistent == VK_TRUE && !surface->may_persist) {
      report.Error(Vuid("VUID-VkDisplayPresentInfoKHR-persistentContent-01259"), {Object(handle)},
                   where.Next(kName, "persistent"), "is VK_TRUE, but the display does not keep its content.");
    }
  }
}

void SwapchainRules::CheckRegions(const VkPresentInfoKHR& info, const Location& where, Report& report) const {
  const auto* const regions = vk::FindInChain<VkPresentRegionsKHR>(info.pNext);
  if (regions == nullptr || regions->swapchainCount != info.swapchainCount) return;
  const Location array = where.Next("VkPresentRegionsKHR", "pRegions");
  for (uint32_t i = 0; const VkPresentRegionKHR& region : Items(regions->pRegions, regions->swapchainCount)) {
    const Location element = array.At(i);
    const VkSwapchainKHR handle = info.pSwapchains != nullptr ? info.pSwapchains[i] : VK_NULL_HANDLE;
    ++i;
    const auto* const swapchain = DeviceState::Get<state::Swapchain>(handle);
    const auto notes = notes_.Find(handle);
    if (swapchain == nullptr || !notes) continue;
    const VkImageCreateInfo& image = swapchain->image_create_info;
    for (uint32_t j = 0; const VkRectLayerKHR& rectangle : Items(region.pRectangles, region.rectangleCount)) {
      const Location at = element.Dot("pRectangles", j++);
      if (rectangle.layer >= image.arrayLayers) {
        report.Error(Vuid("VUID-VkRectLayerKHR-layer-01262"), {Object(handle)}, at.Dot("layer"),
                     absl::StrCat("(", rectangle.layer, ") is not less than imageArrayLayers (", image.arrayLayers,
                                  ")."));
      }
      // The rectangle is that of the surface: turned, if the image is.
      if (notes->transform != VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR) continue;
      if (rectangle.offset.x + int64_t{rectangle.extent.width} <= image.extent.width &&
          rectangle.offset.y + int64_t{rectangle.extent.height} <= image.extent.height)
        continue;
      report.Error(Vuid("VUID-VkRectLayerKHR-offset-04864"), {Object(handle)}, at,
                   absl::StrCat(Text(rectangle.offset, rectangle.extent), " is larger than imageExtent (",
                                image.extent.width, " x ", image.extent.height, ")."));
    }
  }
}

void SwapchainRules::CheckGroup(const VkPresentInfoKHR& info, const Location& where, Report& report) const {
  constexpr std::string_view kName = "VkDeviceGroupPresentInfoKHR";
  const auto* const group = vk::FindInChain<VkDeviceGroupPresentInfoKHR>(info.pNext);
  if (group == nullptr) return;
  const VkDeviceGroupPresentModeFlagBitsKHR mode = group->mode;
  for (VkSwapchainKHR swapchain : Items(info.pSwapchains, info.swapchainCount)) {
    const auto notes = notes_.Find(swapchain);
    if (!notes || (notes->group_modes & mode) != 0) continue;
    return report.Error(Vuid("VUID-VkDeviceGroupPresentInfoKHR-mode-01303"), {Object(swapchain)},
                        where.Next(kName, "mode"),
                        absl::StrCat("(", vk::ToString(mode), ") is not among those that ",
                                     report.reporter().Describe(Object(swapchain)), " was created with."),
                        "Name it in VkDeviceGroupSwapchainCreateInfoKHR::modes.");
  }
  const auto ask = dispatch::Next<vk::GetDeviceGroupPresentCapabilitiesKHR>(state_.device().next);
  VkDeviceGroupPresentCapabilitiesKHR answer = {VK_STRUCTURE_TYPE_DEVICE_GROUP_PRESENT_CAPABILITIES_KHR};
  if (ask == nullptr || ask(state_.device().handle, &answer) != VK_SUCCESS) return;
  const absl::Span<const uint32_t> masks = answer.presentMask;
  // A driver that did not fill it.
  if (std::ranges::count(masks, 0U) == VK_MAX_DEVICE_GROUP_SIZE) return;
  // All devices that can present.
  uint32_t presenting = 0;
  for (uint32_t i = 0; i < VK_MAX_DEVICE_GROUP_SIZE; ++i) presenting |= masks[i] != 0 ? 1U << i : 0U;
  const auto any = [&](uint32_t mask) {
    return std::ranges::any_of(masks, [&](uint32_t each) { return (mask & ~each) == 0; });
  };
  const Location array = where.Next(kName, "pDeviceMasks");
  for (uint32_t i = 0; const uint32_t mask : Items(group->pDeviceMasks, group->swapchainCount)) {
    const Location element = array.At(i++);
    const auto require = [&](bool holds, vk::VuidIndex id) {
      if (holds) return;
      report.Error(id, {}, element,
                   absl::StrCat("(0x", absl::Hex(mask), ") does not go with mode (", vk::ToString(mode),
                                ") and VkDeviceGroupPresentCapabilitiesKHR::presentMask."));
    };
    if (mode == VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR) {
      require(std::has_single_bit(mask) && (mask & presenting) != 0,
              Vuid("VUID-VkDeviceGroupPresentInfoKHR-mode-01298"));
    } else if (mode == VK_DEVICE_GROUP_PRESENT_MODE_REMOTE_BIT_KHR) {
      require(std::has_single_bit(mask) && any(mask), Vuid("VUID-VkDeviceGroupPresentInfoKHR-mode-01299"));
    } else if (mode == VK_DEVICE_GROUP_PRESENT_MODE_SUM_BIT_KHR) {
      require(any(mask), Vuid("VUID-VkDeviceGroupPresentInfoKHR-mode-01300"));
    } else if (mode == VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_MULTI_DEVICE_BIT_KHR) {
      require((mask & ~presenting) == 0, Vuid("VUID-VkDeviceGroupPresentInfoKHR-mode-01301"));
    }
  }
}

// Of all physical devices of a group, the device's own alone is asked about.
void SwapchainRules::CheckSupport(VkSurfaceKHR surface, vk::VuidIndex id, const Location& where,
                                  Report& report) const {
  const dispatch::Device& device = state_.device();
  SurfaceNotes* const notes = SurfaceNotes::Of(surface);
  if (notes == nullptr ||
      notes->IsSupportedBy(device.physical_device->handle,
                           SurfaceQuery(device.instance, *device.physical_device, surface))) {
    return;
  }
  report.Error(id, {Object(surface)}, where,
               absl::StrCat("(", report.reporter().Describe(Object(surface)),
                            ") is not supported by any queue family of the device."),
               "Ask vkGetPhysicalDeviceSurfaceSupportKHR() first.");
}

void SwapchainRules::PreCallValidate(const vk::GetDeviceGroupSurfacePresentModesKHR& call, Report& report) const {
  CheckSupport(call.surface, Vuid("VUID-vkGetDeviceGroupSurfacePresentModesKHR-surface-06212"),
               report.location().Dot("surface"), report);
}
void SwapchainRules::PreCallValidate(const vk::GetDeviceGroupSurfacePresentModes2EXT& call, Report& report) const {
  if (call.pSurfaceInfo == nullptr) return;
  const Location command = report.location();
  CheckSupport(call.pSurfaceInfo->surface, Vuid("VUID-vkGetDeviceGroupSurfacePresentModes2EXT-pSurfaceInfo-06213"),
               command.Dot("pSurfaceInfo").Dot("surface"), report);
}

void SwapchainRules::CheckExclusive(VkSwapchainKHR handle, vk::VuidIndex retired, vk::VuidIndex other,
                                    Report& report) const {
  const auto* const swapchain = DeviceState::Get<state::Swapchain>(handle);
  const auto notes = notes_.Find(handle);
  if (swapchain == nullptr || !notes) return;
  const auto require = [&](bool holds, vk::VuidIndex id, std::string_view text) {
    if (!holds) report.Error(id, {Object(handle)}, report.location().Dot("swapchain"), std::string(text));
  };
  require(!swapchain->is_retired, retired, "is retired: another swapchain was created with it as oldSwapchain.");
  require(notes->is_exclusive, other,
          "was created without VK_FULL_SCREEN_EXCLUSIVE_APPLICATION_CONTROLLED_EXT.");
}
void SwapchainRules::PreCallValidate(const vk::AcquireFullScreenExclusiveModeEXT& call, Report& report) const {
  CheckExclusive(call.swapchain, Vuid("VUID-vkAcquireFullScreenExclusiveModeEXT-swapchain-02674"),
                 Vuid("VUID-vkAcquireFullScreenExclusiveModeEXT-swapchain-02675"), report);
}
void SwapchainRules::PreCallValidate(const vk::ReleaseFullScreenExclusiveModeEXT& call, Report& report) const {
  CheckExclusive(call.swapchain, Vuid("VUID-vkReleaseFullScreenExclusiveModeEXT-swapchain-02677"),
                 Vuid("VUID-vkReleaseFullScreenExclusiveModeEXT-swapchain-02678"), report);
}

void SwapchainRules::PreCallValidate(const vk::GetSwapchainCounterEXT& call, Report& report) const {
  const auto notes = notes_.Find(call.swapchain);
  if (!notes || notes->families != 0) return;
  report.Error(Vuid("VUID-vkGetSwapchainCounterEXT-swapchain-01245"), {Object(call.swapchain)},
               report.location().Dot("swapchain"), "has not been presented yet.");
}

void SwapchainRules::PreCallValidate(const vk::SetLocalDimmingAMD& call, Report& report) const {
  const dispatch::Device& device = state_.device();
  const auto notes = notes_.Find(call.swapChain);
  if (!notes || SurfaceQuery(device.instance, *device.physical_device, notes->surface).CanDim()) return;
  report.Error(Vuid("VUID-vkSetLocalDimmingAMD-localDimmingSupport-04618"), {Object(call.swapChain)},
               report.location().Dot("swapChain"), "is for a surface that does not support local dimming.");
}

void SwapchainRules::PreCallValidate(const vk::LatencySleepNV& call, Report& report) const {
  if (call.pSleepInfo == nullptr) return;
  const auto* const semaphore = DeviceState::Get<state::Semaphore>(call.pSleepInfo->signalSemaphore);
  if (semaphore == nullptr || semaphore->is_timeline) return;
  const Location command = report.location();
  report.Error(Vuid("VUID-VkLatencySleepInfoNV-signalSemaphore-09361"), {Object(call.pSleepInfo->signalSemaphore)},
               command.Dot("pSleepInfo").Dot("signalSemaphore"), "is a binary semaphore.");
}

}  // namespace assay::core
