// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modes of displays, and surfaces on their planes.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/resources/creation_check.h"
#include "core/swapchains/surface_rules.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using vk::Vuid;

VkDisplaySurfaceStereoTypeNV StereoTypeOf(const VkDisplaySurfaceCreateInfoKHR& info) {
  const auto* const stereo = vk::FindInChain<VkDisplaySurfaceStereoCreateInfoNV>(info.pNext);
  return stereo != nullptr ? stereo->stereoType : VK_DISPLAY_SURFACE_STEREO_TYPE_NONE_NV;
}

}  // namespace

std::optional<VkDisplayPropertiesKHR> SurfaceRules::PropertiesOf(const DisplayMode& mode) const {
  for (const VkDisplayPropertiesKHR& each : AskForArray<vk::GetPhysicalDeviceDisplayPropertiesKHR>(
           instance_, VkDisplayPropertiesKHR{}, mode.physical_device)) {
    if (each.display == dispatch::DriverHandle(mode.display)) return each;
  }
  return std::nullopt;
}

std::vector<VkDisplayPlanePropertiesKHR> SurfaceRules::PlanesOf(VkPhysicalDevice device) const {
  return AskForArray<vk::GetPhysicalDeviceDisplayPlanePropertiesKHR>(instance_, VkDisplayPlanePropertiesKHR{}, device);
}

std::optional<DisplayMode> SurfaceRules::Find(VkDisplayModeKHR handle) const {
  const dispatch::Slot* const slot =
      dispatch::HandleTable::Get().Find(VK_OBJECT_TYPE_DISPLAY_MODE_KHR, reinterpret_cast<uint64_t>(handle));
  return slot != nullptr && !slot->has_several_physical_devices ? modes_.Find(handle) : std::nullopt;
}

void SurfaceRules::CheckDisplay(const VkDisplaySurfaceCreateInfoKHR& info, Report& report) const {
  const std::optional<DisplayMode> mode = Find(info.displayMode);
  if (!mode) return;
  const dispatch::PhysicalDevice& device = instance_.GetPhysicalDevice(mode->physical_device);
  const uint32_t most = device.limits.maxImageDimension2D;
  const auto planes = PlanesOf(device.handle);
  const VkDisplayPropertiesKHR display = PropertiesOf(*mode).value_or(VkDisplayPropertiesKHR{});
  VkDisplayPlaneCapabilitiesKHR plane = {};
  if (info.planeIndex < planes.size()) {
    AskDriver<vk::GetDisplayPlaneCapabilitiesKHR>(instance_, device.handle, dispatch::DriverHandle(info.displayMode),
                                                  info.planeIndex, &plane);
  }
  // Without reordering, the plane stays where it is.
  const bool has_order =
      info.planeIndex >= planes.size() || display.display == VK_NULL_HANDLE ||
      (display.planeReorderPossible == VK_TRUE ? info.planeStackIndex < planes.size()
                                               : info.planeStackIndex == planes[info.planeIndex].currentStackIndex);
  // Of flags, 0 is not known.
  const auto has = [](VkFlags flag, VkFlags supported) { return supported == 0 || (flag & supported) != 0; };
  // Also false for what is not a number.
  const bool has_alpha =
      info.alphaMode != VK_DISPLAY_PLANE_ALPHA_GLOBAL_BIT_KHR || (info.globalAlpha >= 0 && info.globalAlpha <= 1);
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  CreationCheck check(device, Object(info.displayMode), "VkDisplaySurfaceCreateInfoKHR", &info, where, report);
  const auto require = [&](bool holds, vk::VuidIndex id, std::string_view member, std::string_view others) {
    if (!holds) check.Report(id, member, others);
  };
  require(planes.empty() || info.planeIndex < planes.size(),
          Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-planeIndex-01252"), "planeIndex", "the number of planes");
  require(has_order, Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-planeReorderPossible-01253"), "planeStackIndex",
          "the planes of the display");
  require(has_alpha, Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-alphaMode-01254"), "globalAlpha", "alphaMode");
  require(has(info.alphaMode, plane.supportedAlpha), Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-alphaMode-01255"),
          "alphaMode", "the plane");
  require(has(info.transform, display.supportedTransforms), Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-transform-06740"),
          "transform", "the display");
  require(std::max(info.imageExtent.width, info.imageExtent.height) <= most,
          Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-width-01256"), "imageExtent",
          "VkPhysicalDeviceLimits.maxImageDimension2D");
  require(!mode->lacks_hdmi_3d || StereoTypeOf(info) != VK_DISPLAY_SURFACE_STEREO_TYPE_HDMI_3D_NV,
          Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-pNext-10284"), "displayMode",
          "VkDisplaySurfaceStereoCreateInfoNV.stereoType");
}

void SurfaceRules::NoteDisplay(const VkDisplaySurfaceCreateInfoKHR& info, SurfaceNotes& notes) const {
  notes.mode = Find(info.displayMode);
  notes.stereo_type = StereoTypeOf(info);
  const auto display = notes.mode ? PropertiesOf(*notes.mode) : std::nullopt;
  notes.may_persist = !display || display->persistentContent == VK_TRUE;
}

void SurfaceRules::PreCallValidate(const vk::CreateDisplayModeKHR& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const auto& [region, refresh_rate] = call.pCreateInfo->parameters;
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  const auto require = [&](uint32_t value, vk::VuidIndex id, std::string_view member) {
    if (value == 0) report.Error(id, {Object(call.display)}, where.Dot("parameters").Dot(member), "is 0.");
  };
  require(region.width, Vuid("VUID-VkDisplayModeParametersKHR-width-01990"), "visibleRegion.width");
  require(region.height, Vuid("VUID-VkDisplayModeParametersKHR-height-01991"), "visibleRegion.height");
  require(refresh_rate, Vuid("VUID-VkDisplayModeParametersKHR-refreshRate-01992"), "refreshRate");
}

void SurfaceRules::PreCallValidate(const vk::GetDisplayPlaneSupportedDisplaysKHR& call, Report& report) const {
  const size_t count = PlanesOf(call.physicalDevice).size();
  if (count == 0 || call.planeIndex < count) return;
  report.Error(Vuid("VUID-vkGetDisplayPlaneSupportedDisplaysKHR-planeIndex-01249"), {Object(call.physicalDevice)},
               report.location().Dot("planeIndex"),
               absl::StrCat("(", call.planeIndex, ") is not less than the number of planes (", count, ")."));
}

void SurfaceRules::PostCallRecord(const vk::CreateDisplayModeKHR& call, VkResult result) {
  if (result < 0) return;
  const VkExtent2D& region = call.pCreateInfo->parameters.visibleRegion;
  modes_.Set(*call.pMode, {call.physicalDevice, call.display, *call.pMode, region});
}
void SurfaceRules::PostCallRecord(const vk::GetDisplayModePropertiesKHR& call, VkResult result) {
  if (result < 0) return;
  for (const auto& [mode, parameters] : state::Items(call.pProperties, *call.pPropertyCount))
    modes_.Set(mode, {call.physicalDevice, call.display, mode, parameters.visibleRegion});
}
void SurfaceRules::PostCallRecord(const vk::GetDisplayModeProperties2KHR& call, VkResult result) {
  if (result < 0) return;
  for (const auto& [type, next, each] : state::Items(call.pProperties, *call.pPropertyCount)) {
    const auto* const stereo = vk::FindInChain<VkDisplayModeStereoPropertiesNV>(next);
    modes_.Set(each.displayMode, {call.physicalDevice, call.display, each.displayMode, each.parameters.visibleRegion,
                                  stereo != nullptr && stereo->hdmi3DSupported == VK_FALSE});
  }
}

}  // namespace assay::core
