// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/swapchains/surface_rules.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/struct_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using vk::Vuid;

// Members that must not be null, or 0: those that the implicit rules leave to the window system.
constexpr vk::VuidIndex kWindows[] = {Vuid("VUID-VkAndroidSurfaceCreateInfoKHR-window-01248"),
                                      Vuid("VUID-VkDirectFBSurfaceCreateInfoEXT-dfb-04117"),
                                      Vuid("VUID-VkDirectFBSurfaceCreateInfoEXT-surface-04118"),
                                      Vuid("VUID-VkImagePipeSurfaceCreateInfoFUCHSIA-imagePipeHandle-04863"),
                                      Vuid("VUID-VkScreenSurfaceCreateInfoQNX-context-04741"),
                                      Vuid("VUID-VkScreenSurfaceCreateInfoQNX-window-04742"),
                                      Vuid("VUID-VkViSurfaceCreateInfoNN-window-01318"),
                                      Vuid("VUID-VkWaylandSurfaceCreateInfoKHR-display-01304"),
                                      Vuid("VUID-VkWaylandSurfaceCreateInfoKHR-surface-01305"),
                                      Vuid("VUID-VkWin32SurfaceCreateInfoKHR-hinstance-01307"),
                                      Vuid("VUID-VkWin32SurfaceCreateInfoKHR-hwnd-01308"),
                                      Vuid("VUID-VkXcbSurfaceCreateInfoKHR-connection-01310"),
                                      Vuid("VUID-VkXcbSurfaceCreateInfoKHR-window-01311"),
                                      Vuid("VUID-VkXlibSurfaceCreateInfoKHR-dpy-01313"),
                                      Vuid("VUID-VkXlibSurfaceCreateInfoKHR-window-01314")};

template <class T>
bool Has(const void* chain) {
  return vk::FindInChain<T>(chain) != nullptr;
}

}  // namespace

void SurfaceRules::CheckWindow(VkStructureType type, const void* info, Report& report) {
  const vk::StructInfo& structure = *vk::FindStruct(type);
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  for (const vk::VuidIndex id : kWindows) {
    const std::vector<std::string_view> parts = absl::StrSplit(vk::GetVuid(id).id, '-');
    if (parts[1] != structure.name) continue;
    const auto member = std::ranges::find(structure.members, parts[2], &vk::MemberInfo::name);
    if (member == structure.members.end()) continue;
    const size_t size = member->indirection == vk::Indirection::kInline ? member->element_size : sizeof(void*);
    const auto* const bytes = static_cast<const char*>(info) + member->offset;
    if (std::all_of(bytes, bytes + size, [](char byte) { return byte == 0; }))
      report.Error(id, {}, where.Dot(member->name), "is null.");
  }
}

SurfaceNotes* SurfaceRules::Note(VkSurfaceKHR surface, vk::CommandId created_by) {
  dispatch::Slot* const slot =
      dispatch::HandleTable::Get().Find(VK_OBJECT_TYPE_SURFACE_KHR, reinterpret_cast<uint64_t>(surface));
  if (slot == nullptr) return nullptr;
  slot->dispatch_data = std::make_unique<SurfaceNotes>(created_by);
  return SurfaceNotes::Of(surface);
}

void SurfaceRules::CheckFamily(VkPhysicalDevice device, uint32_t family, vk::VuidIndex id, Report& report) const {
  const size_t count = instance_.GetPhysicalDevice(device).queue_families.size();
  if (family < count) return;
  report.Error(id, {Object(device)}, report.location().Dot("queueFamilyIndex"),
               absl::StrCat("(", family, ") is not less than the number of queue families (", count, ")."));
}

bool SurfaceRules::CheckSurface(VkPhysicalDevice device, VkSurfaceKHR surface, const SurfaceIds& ids, bool is_in_info,
                                Report& report) const {
  const Location command = report.location();
  const Location info = command.Dot("pSurfaceInfo");
  const Location where = is_in_info ? info.Dot("surface") : command.Dot("surface");
  if (surface == VK_NULL_HANDLE) {
    const auto extension = static_cast<size_t>(vk::ExtensionId::kGoogleSurfacelessQuery);
    if (ids.null == vk::kNoVuid || instance_.enabled_extensions[extension]) return true;
    report.Error(ids.null, {Object(device)}, where,
                 "is VK_NULL_HANDLE, but VK_GOOGLE_surfaceless_query is not enabled.");
    return false;
  }
  SurfaceNotes* const notes = SurfaceNotes::Of(surface);
  if (notes == nullptr || ids.unsupported == vk::kNoVuid ||
      notes->IsSupportedBy(device, SurfaceQuery(instance_, instance_.GetPhysicalDevice(device), surface)))
    return true;
  report.Error(ids.unsupported, {Object(surface), Object(device)}, where,
               absl::StrCat("(", report.reporter().Describe(Object(surface)),
                            ") is not supported by any queue family of ", report.reporter().Describe(Object(device)),
                            "."),
               "Ask vkGetPhysicalDeviceSurfaceSupportKHR() first.");
  return false;
}

void SurfaceRules::CheckSurfaceInfo(VkPhysicalDevice device, const VkPhysicalDeviceSurfaceInfo2KHR& info,
                                    Report& report) const {
  const SurfaceNotes* const notes = SurfaceNotes::Of(info.surface);
  if (notes == nullptr) return;
  const Location command = report.location();
  const Location where = command.Dot("pSurfaceInfo");
  const auto* const exclusive = vk::FindInChain<VkSurfaceFullScreenExclusiveInfoEXT>(info.pNext);
  if (exclusive != nullptr && notes->created_by == vk::CommandId::kCreateWin32SurfaceKHR &&
      exclusive->fullScreenExclusive == VK_FULL_SCREEN_EXCLUSIVE_APPLICATION_CONTROLLED_EXT &&
      !Has<VkSurfaceFullScreenExclusiveWin32InfoEXT>(info.pNext)) {
    report.Error(Vuid("VUID-VkPhysicalDeviceSurfaceInfo2KHR-pNext-02672"), {Object(info.surface)}, where.Dot("pNext"),
                 "has no VkSurfaceFullScreenExclusiveWin32InfoEXT.");
  }
  const auto* const of_mode = vk::FindInChain<VkSurfacePresentModeEXT>(info.pNext);
  if (of_mode == nullptr || notes->WasTold(of_mode->presentMode)) return;
  const auto modes = SurfaceQuery(instance_, instance_.GetPhysicalDevice(device), info.surface).PresentModes();
  if (modes.empty() || std::ranges::count(modes, of_mode->presentMode) != 0) return;
  report.Error(Vuid("VUID-VkSurfacePresentModeEXT-presentMode-07780"), {Object(info.surface)},
               where.Next("VkSurfacePresentModeEXT", "presentMode"),
               absl::StrCat("(", vk::ToString(of_mode->presentMode), ") is not a present mode of the surface."));
}

void SurfaceRules::CheckChain(const vk::GetPhysicalDeviceSurfaceCapabilities2KHR& call, Report& report) {
  if (call.pSurfaceCapabilities == nullptr) return;
  const VkPhysicalDeviceSurfaceInfo2KHR& info = *call.pSurfaceInfo;
  const void* const chain = call.pSurfaceCapabilities->pNext;
  const Location command = report.location();
  const Location where = command.Dot("pSurfaceInfo");
  const auto require = [&](bool holds, vk::VuidIndex id, std::string_view member, std::string_view text) {
    if (!holds) report.Error(id, {Object(info.surface)}, where.Dot(member), std::string(text));
  };
  const bool has_mode = Has<VkSurfacePresentModeEXT>(info.pNext);
  if (Has<VkSurfaceCapabilitiesFullScreenExclusiveEXT>(chain)) {
    require(Has<VkSurfaceFullScreenExclusiveWin32InfoEXT>(info.pNext),
            Vuid("VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pNext-02671"), "pNext",
            "has no VkSurfaceFullScreenExclusiveWin32InfoEXT, but VkSurfaceCapabilitiesFullScreenExclusiveEXT is asked "
            "for.");
  }
  if (Has<VkSurfacePresentModeCompatibilityEXT>(chain)) {
    require(has_mode, Vuid("VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pNext-07776"), "pNext",
            "has no VkSurfacePresentModeEXT, but VkSurfacePresentModeCompatibilityEXT is asked for.");
    require(info.surface != VK_NULL_HANDLE, Vuid("VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pNext-07778"),
            "surface", "is VK_NULL_HANDLE, but VkSurfacePresentModeCompatibilityEXT is asked for.");
  }
  if (Has<VkSurfacePresentScalingCapabilitiesEXT>(chain)) {
    require(has_mode, Vuid("VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pNext-07777"), "pNext",
            "has no VkSurfacePresentModeEXT, but VkSurfacePresentScalingCapabilitiesEXT is asked for.");
    require(info.surface != VK_NULL_HANDLE, Vuid("VUID-vkGetPhysicalDeviceSurfaceCapabilities2KHR-pNext-07779"),
            "surface", "is VK_NULL_HANDLE, but VkSurfacePresentScalingCapabilitiesEXT is asked for.");
  }
}

void SurfaceRules::CheckChain(const vk::GetPhysicalDeviceSurfaceFormats2KHR& call, Report& report) const {
  if (call.pSurfaceFormatCount == nullptr) return;
  const dispatch::PhysicalDevice& device = instance_.GetPhysicalDevice(call.physicalDevice);
  const auto extension = static_cast<size_t>(vk::ExtensionId::kExtImageCompressionControlSwapchain);
  if (device.supported_extensions[extension]) return;
  const Location command = report.location();
  for (uint32_t i = 0; const auto& format : state::Items(call.pSurfaceFormats, *call.pSurfaceFormatCount)) {
    const Location where = command.Dot("pSurfaceFormats", i++);
    if (!Has<VkImageCompressionPropertiesEXT>(format.pNext)) continue;
    report.Error(Vuid("VUID-VkSurfaceFormat2KHR-pNext-06750"), {Object(call.physicalDevice)},
                 where.Next("VkImageCompressionPropertiesEXT"),
                 "is there, but the physical device does not support VK_EXT_image_compression_control_swapchain.");
  }
}

void SurfaceRules::Tell(const vk::GetPhysicalDeviceSurfaceCapabilities2EXT& call, SurfaceNotes& notes) {
  const VkSurfaceCapabilities2EXT& told = *call.pSurfaceCapabilities;
  notes.Tell(call.physicalDevice,
             {told.minImageCount, told.maxImageCount, told.currentExtent, told.minImageExtent, told.maxImageExtent,
              told.maxImageArrayLayers, told.supportedTransforms, told.currentTransform, told.supportedCompositeAlpha,
              told.supportedUsageFlags});
}

}  // namespace assay::core
