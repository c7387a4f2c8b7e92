// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SWAPCHAINS_SURFACE_RULES_H_
#define ASSAY_CORE_SWAPCHAINS_SURFACE_RULES_H_

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "core/set_layouts/handle_map.h"
#include "core/swapchains/surface_notes.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/families/vuid_families.h"
#include "vk/struct_traits.h"

// What surfaces and display modes are created with, and what physical devices are asked about surfaces. It notes what
// the program is told about a surface, for the rules of swapchains (swapchain_rules.h).
namespace assay::core {

template <class C>
concept CreatesSurface = requires(const C& c) {
  c.pCreateInfo->sType;
  { c.pSurface } -> std::convertible_to<const VkSurfaceKHR*>;
};
// Commands of a physical device with a surface, or about what a queue family can present to.
template <class C>
concept AsksAboutSurface = requires(const C& c) { c.physicalDevice; } &&
                           (requires(const C& c) { c.surface; } || requires(const C& c) { c.pSurfaceInfo->surface; });
template <class C>
concept AsksAboutFamily = requires(const C& c) { c.physicalDevice; } && requires(const C& c) { c.queueFamilyIndex; } &&
                          !requires(const C& c) { c.pCounterCount; };
template <class C>
concept IsToldOfSurface = AsksAboutSurface<C> && std::is_same_v<typename C::Result, VkResult>;

// The surface of a command that has one, in a parameter or in pSurfaceInfo.
template <class C>
VkSurfaceKHR SurfaceOf(const C& call) {
  if constexpr (requires { call.surface; }) {
    return call.surface;
  } else {
    return call.pSurfaceInfo != nullptr ? call.pSurfaceInfo->surface : VK_NULL_HANDLE;
  }
}

// The validator of an instance.
class SurfaceRules {
 public:
  // The instance must outlive it.
  explicit SurfaceRules(dispatch::Instance& instance) : instance_(instance) {}

  template <CreatesSurface C>
  void PreCallValidate(const C& call, messages::Report& report) const {
    if (call.pCreateInfo == nullptr) return;
    using Info = std::remove_cvref_t<decltype(*call.pCreateInfo)>;
    CheckWindow(vk::kStructureTypeOf<Info>, call.pCreateInfo, report);
    if constexpr (std::is_same_v<Info, VkDisplaySurfaceCreateInfoKHR>) CheckDisplay(*call.pCreateInfo, report);
  }
  template <CreatesSurface C>
  void PostCallRecord(const C& call, VkResult result) {
    if (result < 0) return;
    SurfaceNotes* const notes = Note(*call.pSurface, C::kId);
    if constexpr (std::is_same_v<C, vk::CreateDisplayPlaneSurfaceKHR>) {
      if (notes != nullptr) NoteDisplay(*call.pCreateInfo, *notes);
    }
  }

  template <class C>
    requires AsksAboutSurface<C> || AsksAboutFamily<C>
  void PreCallValidate(const C& call, messages::Report& report) const {
    if constexpr (AsksAboutFamily<C>) {
      CheckFamily(call.physicalDevice, call.queueFamilyIndex,
                  vk::AnyFamilyVuid<C>("queueFamilyIndex-01269", "queueFamilyIndex-01306", "queueFamilyIndex-01309",
                                       "queueFamilyIndex-01312", "queueFamilyIndex-01315", "queueFamilyIndex-04119",
                                       "queueFamilyIndex-04743"),
                  report);
    } else {
      if constexpr (requires { call.pSurfaceInfo; }) {
        if (call.pSurfaceInfo == nullptr) return;
      }
      static constexpr SurfaceIds kIds = {
          vk::AnyFamilyVuid<C>("surface-06524", "pSurfaceInfo-06521"),
          vk::AnyFamilyVuid<C>("surface-06211", "surface-06525", "pSurfaceInfo-06522")};
      static constexpr bool kInInfo = requires { call.pSurfaceInfo; };
      if (!CheckSurface(call.physicalDevice, SurfaceOf(call), kIds, kInInfo, report)) return;
      if constexpr (kInInfo) CheckSurfaceInfo(call.physicalDevice, *call.pSurfaceInfo, report);
      if constexpr (std::is_same_v<C, vk::GetPhysicalDeviceSurfaceCapabilities2KHR>) CheckChain(call, report);
      if constexpr (std::is_same_v<C, vk::GetPhysicalDeviceSurfaceFormats2KHR>) CheckChain(call, report);
    }
  }
  void PreCallValidate(const vk::CreateDisplayModeKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDisplayPlaneSupportedDisplaysKHR& call, messages::Report& report) const;

  template <IsToldOfSurface C>
  void PostCallRecord(const C& call, VkResult result) {
    SurfaceNotes* const notes = result >= 0 ? SurfaceNotes::Of(SurfaceOf(call)) : nullptr;
    if (notes != nullptr) Tell(call, *notes);
  }
  void PostCallRecord(const vk::CreateDisplayModeKHR& call, VkResult result);
  void PostCallRecord(const vk::GetDisplayModePropertiesKHR& call, VkResult result);
  void PostCallRecord(const vk::GetDisplayModeProperties2KHR& call, VkResult result);

 private:
  // Of a null surface, and of one that the physical device does not support.
  struct SurfaceIds {
    vk::VuidIndex null, unsupported;
  };

  static SurfaceNotes* Note(VkSurfaceKHR surface, vk::CommandId created_by);
  void NoteDisplay(const VkDisplaySurfaceCreateInfoKHR& info, SurfaceNotes& notes) const;
  // What the window system gives must be there.
  static void CheckWindow(VkStructureType type, const void* info, messages::Report& report);
  void CheckDisplay(const VkDisplaySurfaceCreateInfoKHR& info, messages::Report& report) const;
  void CheckFamily(VkPhysicalDevice device, uint32_t family, vk::VuidIndex id, messages::Report& report) const;
  // False for a surface that is wrong. is_in_info: it is in pSurfaceInfo.
  bool CheckSurface(VkPhysicalDevice device, VkSurfaceKHR surface, const SurfaceIds& ids, bool is_in_info,
                    messages::Report& report) const;
  void CheckSurfaceInfo(VkPhysicalDevice device, const VkPhysicalDeviceSurfaceInfo2KHR& info,
                        messages::Report& report) const;
  static void CheckChain(const vk::GetPhysicalDeviceSurfaceCapabilities2KHR& call, messages::Report& report);
  void CheckChain(const vk::GetPhysicalDeviceSurfaceFormats2KHR& call, messages::Report& report) const;

  static void Tell(const vk::GetPhysicalDeviceSurfaceCapabilitiesKHR& call, SurfaceNotes& notes) {
    notes.Tell(call.physicalDevice, *call.pSurfaceCapabilities);
  }
  static void Tell(const vk::GetPhysicalDeviceSurfaceCapabilities2KHR& call, SurfaceNotes& notes) {
    notes.Tell(call.physicalDevice, call.pSurfaceCapabilities->surfaceCapabilities);
  }
  static void Tell(const vk::GetPhysicalDeviceSurfaceCapabilities2EXT& call, SurfaceNotes& notes);
  static void Tell(const vk::GetPhysicalDeviceSurfaceFormatsKHR& call, SurfaceNotes& notes) {
    for (const auto& each : state::Items(call.pSurfaceFormats, *call.pSurfaceFormatCount)) notes.Tell(each);
  }
  static void Tell(const vk::GetPhysicalDeviceSurfaceFormats2KHR& call, SurfaceNotes& notes) {
    for (const auto& each : state::Items(call.pSurfaceFormats, *call.pSurfaceFormatCount))
      notes.Tell(each.surfaceFormat);
  }
  // Of vkGetPhysicalDeviceSurfacePresentModesKHR and vkGetPhysicalDeviceSurfacePresentModes2EXT.
  template <class C>
  static void Tell(const C& call, SurfaceNotes& notes) {
    if constexpr (requires { call.pPresentModes; }) {
      for (const VkPresentModeKHR mode : state::Items(call.pPresentModes, *call.pPresentModeCount)) notes.Tell(mode);
    }
  }

  std::vector<VkDisplayPlanePropertiesKHR> PlanesOf(VkPhysicalDevice device) const;
  // Nothing for a display that the driver does not list.
  std::optional<VkDisplayPropertiesKHR> PropertiesOf(const DisplayMode& mode) const;
  // Nothing if several physical devices have it, or if nothing is known of it.
  std::optional<DisplayMode> Find(VkDisplayModeKHR handle) const;

  dispatch::Instance& instance_;
  HandleMap<DisplayMode> modes_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SWAPCHAINS_SURFACE_RULES_H_
