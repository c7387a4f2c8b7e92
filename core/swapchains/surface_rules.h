// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SWAPCHAINS_SURFACE_RULES_H_
#define ASSAY_CORE_SWAPCHAINS_SURFACE_RULES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

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
concept CreatesSurface = requires(const C& c) { c.pCreateInfo->sType, *c.pSurface; };
// Commands of a physical device about a surface, or about what a queue family can present to.
template <class C>
concept AsksAboutSurface = requires(const C& c) { c.physicalDevice; } &&
                           (requires(const C& c) { c.surface; } || requires(const C& c) { c.pSurfaceInfo->surface; });
template <class C>
concept AsksAboutFamily =
    requires(const C& c) { c.physicalDevice, c.queueFamilyIndex; } && !requires(const C& c) { c.pCounterCount; };

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
    dispatch::Slot* const slot = result >= 0 ? SurfaceNotes::SlotOf(*call.pSurface) : nullptr;
    if (slot == nullptr) return;
    slot->dispatch_data = std::make_unique<SurfaceNotes>(C::kId);
    if constexpr (std::is_same_v<C, vk::CreateDisplayPlaneSurfaceKHR>)
      NoteDisplay(*call.pCreateInfo, *SurfaceNotes::Of(*call.pSurface));
  }

  template <AsksAboutFamily C>
  void PreCallValidate(const C& call, messages::Report& report) const {
    CheckFamily(call.physicalDevice, call.queueFamilyIndex,
                vk::AnyFamilyVuid<C>("queueFamilyIndex-01269", "queueFamilyIndex-01306", "queueFamilyIndex-01309",
                                     "queueFamilyIndex-01312", "queueFamilyIndex-01315", "queueFamilyIndex-04119",
                                     "queueFamilyIndex-04743"),
                report);
  }
  template <AsksAboutSurface C>
    requires(!AsksAboutFamily<C>)
  void PreCallValidate(const C& call, messages::Report& report) const {
    const VkPhysicalDeviceSurfaceInfo2KHR* const info = InfoOf(call);
    const auto surface = SurfaceOf(call);
    if (!surface ||
        !CheckSurface(call.physicalDevice, *surface, vk::AnyFamilyVuid<C>("surface-06524", "pSurfaceInfo-06521"),
                      vk::AnyFamilyVuid<C>("surface-06211", "surface-06525", "pSurfaceInfo-06522"), report))
      return;
    const void* asked = nullptr;
    if constexpr (std::is_same_v<C, vk::GetPhysicalDeviceSurfaceCapabilities2KHR>) asked = call.pSurfaceCapabilities;
    if (info != nullptr) CheckInfo(call.physicalDevice, *info, asked, report);
    if constexpr (std::is_same_v<C, vk::GetPhysicalDeviceSurfaceFormats2KHR>) CheckFormats(call, report);
  }
  void PreCallValidate(const vk::CreateDisplayModeKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetDisplayPlaneSupportedDisplaysKHR& call, messages::Report& report) const;

  template <AsksAboutSurface C>
  void PostCallRecord(const C& call, VkResult result) {
    const auto surface = SurfaceOf(call);
    SurfaceNotes* const notes = result >= 0 && surface ? SurfaceNotes::Of(*surface) : nullptr;
    if (notes != nullptr) notes->Tell(call.physicalDevice, [&](ToldOfSurface& told) { Note(call, told); });
  }
  void PostCallRecord(const vk::CreateDisplayModeKHR& call, VkResult result);
  void PostCallRecord(const vk::GetDisplayModePropertiesKHR& call, VkResult result);
  void PostCallRecord(const vk::GetDisplayModeProperties2KHR& call, VkResult result);

 private:
  template <class C>
  static const VkPhysicalDeviceSurfaceInfo2KHR* InfoOf(const C& call) {
    if constexpr (requires { call.pSurfaceInfo; }) return call.pSurfaceInfo;
    return nullptr;
  }
  // Nothing if pSurfaceInfo is null.
  template <class C>
  static std::optional<VkSurfaceKHR> SurfaceOf(const C& call) {
    if constexpr (requires { call.surface; }) return call.surface;
    const VkPhysicalDeviceSurfaceInfo2KHR* const info = InfoOf(call);
    return info != nullptr ? std::optional(info->surface) : std::nullopt;
  }
  template <class C>
  static void Note(const C& call, ToldOfSurface& told) {
    if constexpr (requires { call.pSurfaceCapabilities->surfaceCapabilities; }) {
      told.capabilities = call.pSurfaceCapabilities->surfaceCapabilities;
    } else if constexpr (requires { call.pSurfaceCapabilities->supportedSurfaceCounters; }) {
      // The same members follow the chain.
      const char* const from = reinterpret_cast<const char*>(call.pSurfaceCapabilities);
      std::memcpy(&told.capabilities.emplace(), from + offsetof(VkSurfaceCapabilities2EXT, minImageCount),
                  sizeof(VkSurfaceCapabilitiesKHR));
    } else if constexpr (requires { call.pSurfaceCapabilities; }) {
      told.capabilities = *call.pSurfaceCapabilities;
    } else if constexpr (requires { call.pPresentModes; }) {
      if (call.pPresentModes != nullptr)
        told.present_modes = state::ItemList(call.pPresentModes, *call.pPresentModeCount);
    } else if constexpr (requires { call.pSurfaceFormats; }) {
      if (call.pSurfaceFormats != nullptr) told.formats.clear();
      for (const auto& each : state::Items(call.pSurfaceFormats, *call.pSurfaceFormatCount)) {
        if constexpr (requires { each.surfaceFormat; }) told.formats.push_back(each.surfaceFormat);
        if constexpr (requires { each.colorSpace; }) told.formats.push_back(each);
      }
    }
  }

  // What the window system gives must be there.
  static void CheckWindow(VkStructureType type, const void* info, messages::Report& report);
  void CheckDisplay(const VkDisplaySurfaceCreateInfoKHR& info, messages::Report& report) const;
  void NoteDisplay(const VkDisplaySurfaceCreateInfoKHR& info, SurfaceNotes& notes) const;
  void CheckFamily(VkPhysicalDevice device, uint32_t family, vk::VuidIndex id, messages::Report& report) const;
  // False for a surface that is wrong.
  bool CheckSurface(VkPhysicalDevice device, VkSurfaceKHR surface, vk::VuidIndex null, vk::VuidIndex unsupported,
                    messages::Report& report) const;
  // asked: the VkSurfaceCapabilities2KHR that is to be filled; may be null.
  void CheckInfo(VkPhysicalDevice device, const VkPhysicalDeviceSurfaceInfo2KHR& info, const void* asked,
                 messages::Report& report) const;
  void CheckFormats(const vk::GetPhysicalDeviceSurfaceFormats2KHR& call, messages::Report& report) const;
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
