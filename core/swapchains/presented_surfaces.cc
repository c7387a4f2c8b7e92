// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What commands need of swapchains and their surfaces: support, displays, exclusive access, device groups.

#include <algorithm>
#include <bit>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/resources/creation_check.h"
#include "core/swapchains/surface_ids.h"
#include "core/swapchains/surface_notes.h"
#include "core/swapchains/surface_query.h"
#include "core/swapchains/swapchain_rules.h"
#include "dispatch/dispatch.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using state::Items;
using vk::Vuid;

bool IsInside(const VkRect2D& rect, uint32_t width, uint32_t height) {
  const auto is = [](int64_t from, uint32_t size, uint32_t end) { return from >= 0 && from + size <= end; };
  return is(rect.offset.x, rect.extent.width, width) && is(rect.offset.y, rect.extent.height, height);
}

// One of the swapchains that are presented.
struct PresentFacts {
  static constexpr std::string_view kOwner = "vkQueuePresentKHR";

  const VkPresentInfoKHR& info;
  const uint32_t index;
  const SwapchainNotes& notes;
  const VkImageCreateInfo& image;
  const SurfaceNotes& surface;
  // Null if no earlier swapchain is for a display.
  const SurfaceNotes* first;
  const bool can_present;
  // Whether the feature presentId is enabled.
  const bool has_ids;
  // All zero if the driver did not fill it.
  absl::Span<const uint32_t> present_masks;
  const VkDisplayPresentInfoKHR* display = vk::FindInChain<VkDisplayPresentInfoKHR>(info.pNext);
  const VkDeviceGroupPresentInfoKHR* group = vk::FindInChain<VkDeviceGroupPresentInfoKHR>(info.pNext);

  bool IsOnDisplayOfFirst() const {
    return first != nullptr && surface.mode && first->mode->display == surface.mode->display;
  }
  template <class F>
  bool AnyRectangle(const F& test) const {
    const auto* const regions = vk::FindInChain<VkPresentRegionsKHR>(info.pNext);
    if (regions == nullptr || regions->pRegions == nullptr || index >= regions->swapchainCount) return false;
    const VkPresentRegionKHR& region = regions->pRegions[index];
    return std::ranges::any_of(Items(region.pRectangles, region.rectangleCount), test);
  }
  bool IsForbiddenMode() const { return (notes.group_modes & group->mode) == 0; }
  // Whether the mask does not suit the mode, if that is this one: it must have one bit; and each bit must be that of a
  // device that can present, or all bits must be in the mask of one device.
  bool HasWrongMask(VkDeviceGroupPresentModeFlagBitsKHR mode, bool is_one, bool is_own) const {
    if (group == nullptr || group->mode != mode || IsForbiddenMode() || group->pDeviceMasks == nullptr ||
        index >= group->swapchainCount || std::ranges::count(present_masks, 0U) == VK_MAX_DEVICE_GROUP_SIZE)
      return false;
    const uint32_t mask = group->pDeviceMasks[index];
    uint32_t presenting = 0;
    for (size_t i = 0; i < present_masks.size(); ++i) presenting |= present_masks[i] != 0 ? 1U << i : 0;
    return (is_one && !std::has_single_bit(mask)) ||
           (is_own ? (mask & ~presenting) != 0
                   : std::ranges::none_of(present_masks, [&](uint32_t each) { return (mask & ~each) == 0; }));
  }
};
using P = const PresentFacts&;
constexpr char kPresentMasks[] = "VkDeviceGroupPresentInfoKHR.mode and VkDeviceGroupPresentCapabilitiesKHR.presentMask";
constexpr char kMasks[] = "VkDeviceGroupPresentInfoKHR.pDeviceMasks";

constexpr CreationRule<PresentFacts> kRules[] = {
    {"pSwapchains-01292", "pSwapchains", "the queue family", [](P p) { return !p.can_present; }},
    {"pSwapchains-01293", "pSwapchains", "another mode of the same display",
     [](P p) { return p.IsOnDisplayOfFirst() && p.surface.mode->handle != p.first->mode->handle; }},
    {"pSwapchains-10285", "pSwapchains", "another stereoType of the same display",
     [](P p) { return p.IsOnDisplayOfFirst() && p.surface.stereo_type != p.first->stereo_type; }},
    {"VkPresentIdKHR-presentIds-04999", "VkPresentIdKHR.pPresentIds", "that of an earlier present",
     [](P p) {
       const uint64_t id = PresentIdOf(p.info, p.index);
       return p.has_ids && id != 0 && id <= p.notes.present_id;
     }},
    {"VkDisplayPresentInfoKHR-srcRect-01257", "VkDisplayPresentInfoKHR.srcRect", "image.extent",
     [](P p) {
       return p.display != nullptr && !IsInside(p.display->srcRect, p.image.extent.width, p.image.extent.height);
     }},
    {"VkDisplayPresentInfoKHR-dstRect-01258", "VkDisplayPresentInfoKHR.dstRect", "the visibleRegion of the mode",
     [](P p) {
       return p.display != nullptr && p.surface.mode &&
              !IsInside(p.display->dstRect, p.surface.mode->visible_region.width,
                        p.surface.mode->visible_region.height);
     }},
    {"VkDisplayPresentInfoKHR-persistentContent-01259", "VkDisplayPresentInfoKHR.persistent",
     "VkDisplayPropertiesKHR.persistentContent",
     [](P p) { return p.display != nullptr && p.display->persistent == VK_TRUE && !p.surface.may_persist; }},
    {"VkRectLayerKHR-layer-01262", "VkPresentRegionsKHR.pRegions", "image.arrayLayers",
     [](P p) { return p.AnyRectangle([&](const auto& each) { return each.layer >= p.image.arrayLayers; }); }},
    // The rectangle is that of the surface: turned, if the image is.
    {"VkRectLayerKHR-offset-04864", "VkPresentRegionsKHR.pRegions", "image.extent",
     [](P p) {
       return p.notes.transform == VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR && p.AnyRectangle([&](const auto& each) {
         return each.offset.x + int64_t{each.extent.width} > p.image.extent.width ||
                each.offset.y + int64_t{each.extent.height} > p.image.extent.height;
       });
     }},
    {"VkDeviceGroupPresentInfoKHR-mode-01303", "VkDeviceGroupPresentInfoKHR.mode",
     "VkDeviceGroupSwapchainCreateInfoKHR.modes of the swapchain",
     [](P p) { return p.group != nullptr && p.IsForbiddenMode(); }},
    {"VkDeviceGroupPresentInfoKHR-mode-01298", kMasks, kPresentMasks,
     [](P p) { return p.HasWrongMask(VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR, true, true); }},
    {"VkDeviceGroupPresentInfoKHR-mode-01299", kMasks, kPresentMasks,
     [](P p) { return p.HasWrongMask(VK_DEVICE_GROUP_PRESENT_MODE_REMOTE_BIT_KHR, true, false); }},
    {"VkDeviceGroupPresentInfoKHR-mode-01300", kMasks, kPresentMasks,
     [](P p) { return p.HasWrongMask(VK_DEVICE_GROUP_PRESENT_MODE_SUM_BIT_KHR, false, false); }},
    {"VkDeviceGroupPresentInfoKHR-mode-01301", kMasks, kPresentMasks,
     [](P p) { return p.HasWrongMask(VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_MULTI_DEVICE_BIT_KHR, false, true); }},
};

// A rule of one object that a command names.
template <class H>
void Require(bool holds, vk::VuidIndex id, H object, std::string_view parameter, std::string_view text,
             Report& report) {
  if (!holds) report.Error(id, {Object(object)}, report.location().Dot(parameter), std::string(text));
}

}  // namespace

void AddPresentIds(std::vector<vk::VuidIndex>& ids) { AddIds(kRules, ids); }

void SwapchainRules::CheckSurfaces(const VkPresentInfoKHR& info, VkQueue queue, const Location& where,
                                   Report& report) const {
  const auto* const presenting = DeviceState::Get(queue);
  const dispatch::Device& device = state_.device();
  VkDeviceGroupPresentCapabilitiesKHR answer = {VK_STRUCTURE_TYPE_DEVICE_GROUP_PRESENT_CAPABILITIES_KHR};
  const auto ask = dispatch::Next<vk::GetDeviceGroupPresentCapabilitiesKHR>(device.next);
  if (ask != nullptr && vk::FindInChain<VkDeviceGroupPresentInfoKHR>(info.pNext) != nullptr)
    ask(device.handle, &answer);
  const SurfaceNotes* first = nullptr;
  for (uint32_t i = 0; VkSwapchainKHR swapchain : Items(info.pSwapchains, info.swapchainCount)) {
    const auto* const found = DeviceState::Get<state::Swapchain>(swapchain);
    const SwapchainNotes* const notes = SwapchainNotes::Of(swapchain);
    const SurfaceNotes* const surface = notes != nullptr ? SurfaceNotes::Of(notes->surface) : nullptr;
    const uint32_t index = i++;
    if (found == nullptr || surface == nullptr) continue;
    const bool can_present =
        presenting == nullptr || (notes->families & BitOf(*presenting)) != 0 ||
        SurfaceQuery(device.instance, device.physical_device->handle, notes->surface).IsSupportedBy(presenting->family);
    CreationCheck check(device, Object(swapchain), "VkPresentInfoKHR", &info, where, report);
    check.Name("image", "VkImageCreateInfo", &found->image_create_info);
    check.Run(kRules, PresentFacts{info, index, *notes, found->image_create_info, *surface, first, can_present,
                                   present_id_, answer.presentMask});
    if (first == nullptr && surface->mode) first = surface;
  }
}

// Of all physical devices of a group, the device's own alone is asked about.
void SwapchainRules::CheckSupport(VkSurfaceKHR surface, vk::VuidIndex id, Report& report) const {
  const dispatch::PhysicalDevice& device = *state_.device().physical_device;
  SurfaceNotes* const notes = SurfaceNotes::Of(surface);
  const SurfaceQuery query(state_.device().instance, device.handle, surface);
  Require(notes == nullptr || notes->IsSupportedBy(device, query), id, surface, "surface",
          "is not supported by any queue family of the device.", report);
}
void SwapchainRules::PreCallValidate(const vk::GetDeviceGroupSurfacePresentModesKHR& call, Report& report) const {
  CheckSupport(call.surface, Vuid("VUID-vkGetDeviceGroupSurfacePresentModesKHR-surface-06212"), report);
}
void SwapchainRules::PreCallValidate(const vk::GetDeviceGroupSurfacePresentModes2EXT& call, Report& report) const {
  if (call.pSurfaceInfo == nullptr) return;
  CheckSupport(call.pSurfaceInfo->surface, Vuid("VUID-vkGetDeviceGroupSurfacePresentModes2EXT-pSurfaceInfo-06213"),
               report);
}

void SwapchainRules::CheckExclusive(VkSwapchainKHR swapchain, vk::VuidIndex retired, vk::VuidIndex other,
                                    Report& report) const {
  const auto* const found = DeviceState::Get<state::Swapchain>(swapchain);
  Require(found == nullptr || !found->is_retired, retired, swapchain, "swapchain", "is retired.", report);
  const SwapchainNotes* const notes = SwapchainNotes::Of(swapchain);
  Require(notes == nullptr || notes->is_exclusive, other, swapchain, "swapchain",
          "was created without VK_FULL_SCREEN_EXCLUSIVE_APPLICATION_CONTROLLED_EXT.", report);
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
  const SwapchainNotes* const notes = SwapchainNotes::Of(call.swapchain);
  Require(notes == nullptr || notes->families != 0, Vuid("VUID-vkGetSwapchainCounterEXT-swapchain-01245"),
          call.swapchain, "swapchain", "has not been presented yet.", report);
}
void SwapchainRules::PreCallValidate(const vk::SetLocalDimmingAMD& call, Report& report) const {
  const dispatch::Device& device = state_.device();
  const SwapchainNotes* const notes = SwapchainNotes::Of(call.swapChain);
  Require(notes == nullptr || SurfaceQuery(device.instance, device.physical_device->handle, notes->surface).CanDim(),
          Vuid("VUID-vkSetLocalDimmingAMD-localDimmingSupport-04618"), call.swapChain, "swapChain",
          "is for a surface that does not support local dimming.", report);
}
void SwapchainRules::PreCallValidate(const vk::LatencySleepNV& call, Report& report) const {
  if (call.pSleepInfo == nullptr) return;
  const auto* const semaphore = DeviceState::Get<state::Semaphore>(call.pSleepInfo->signalSemaphore);
  Require(semaphore == nullptr || semaphore->is_timeline, Vuid("VUID-VkLatencySleepInfoNV-signalSemaphore-09361"),
          call.pSleepInfo->signalSemaphore, "pSleepInfo", "has a binary semaphore.", report);
}

}  // namespace assay::core
