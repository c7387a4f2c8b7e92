// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modes of displays, and surfaces on their planes.

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/swapchains/surface_rules.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/vuid.h"

namespace assay::core {

using messages::Location;
using messages::Object;
using messages::Report;
using vk::Vuid;

namespace {

VkDisplaySurfaceStereoTypeNV StereoTypeOf(const VkDisplaySurfaceCreateInfoKHR& info) {
  const auto* const stereo = vk::FindInChain<VkDisplaySurfaceStereoCreateInfoNV>(info.pNext);
  return stereo != nullptr ? stereo->stereoType : VK_DISPLAY_SURFACE_STEREO_TYPE_NONE_NV;
}

}  // namespace

std::vector<VkDisplayPlanePropertiesKHR> SurfaceRules::PlanesOf(VkPhysicalDevice device) const {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceDisplayPlanePropertiesKHR>(instance_.next);
  if (ask == nullptr) return {};
  return AskArray<VkDisplayPlanePropertiesKHR>(
      [&](uint32_t* count, VkDisplayPlanePropertiesKHR* planes) { return ask(device, count, planes); });
}

std::optional<VkDisplayPropertiesKHR> SurfaceRules::PropertiesOf(const DisplayMode& mode) const {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceDisplayPropertiesKHR>(instance_.next);
  if (ask == nullptr) return std::nullopt;
  const auto displays = AskArray<VkDisplayPropertiesKHR>([&](uint32_t* count, VkDisplayPropertiesKHR* properties) {
    return ask(mode.physical_device, count, properties);
  });
  const auto found =
      std::ranges::find(displays, dispatch::DriverHandle(mode.display), &VkDisplayPropertiesKHR::display);
  return found != displays.end() ? std::optional(*found) : std::nullopt;
}

std::optional<DisplayMode> SurfaceRules::Find(VkDisplayModeKHR handle) const {
  const dispatch::Slot* const slot =
      dispatch::HandleTable::Get().Find(VK_OBJECT_TYPE_DISPLAY_MODE_KHR, reinterpret_cast<uint64_t>(handle));
  return slot != nullptr && !slot->has_several_physical_devices ? modes_.Find(handle) : std::nullopt;
}

void SurfaceRules::CheckDisplay(const VkDisplaySurfaceCreateInfoKHR& info, Report& report) const {
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  const auto require = [&](bool holds, vk::VuidIndex id, std::string_view member, const auto&... text) {
    if (!holds) report.Error(id, {Object(info.displayMode)}, where.Dot(member), absl::StrCat(text...));
  };
  // Also false for what is not a number.
  require(info.alphaMode != VK_DISPLAY_PLANE_ALPHA_GLOBAL_BIT_KHR || (info.globalAlpha >= 0 && info.globalAlpha <= 1),
          Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-alphaMode-01254"), "globalAlpha", "(", info.globalAlpha,
          ") is not between 0 and 1.");
  const std::optional<DisplayMode> mode = Find(info.displayMode);
  if (!mode) return;
  require(!mode->lacks_hdmi_3d || StereoTypeOf(info) != VK_DISPLAY_SURFACE_STEREO_TYPE_HDMI_3D_NV,
          Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-pNext-10284"), "displayMode",
          "does not support HDMI 3D (VkDisplayModeStereoPropertiesNV::hdmi3DSupported).");
  const uint32_t most = instance_.GetPhysicalDevice(mode->physical_device).limits.maxImageDimension2D;
  require(most == 0 || std::max(info.imageExtent.width, info.imageExtent.height) <= most,
          Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-width-01256"), "imageExtent", "(", info.imageExtent.width, " x ",
          info.imageExtent.height, ") is larger than maxImageDimension2D (", most, ").");
  const std::optional<VkDisplayPropertiesKHR> display = PropertiesOf(*mode);
  require(!display || display->supportedTransforms == 0 || (info.transform & display->supportedTransforms) != 0,
          Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-transform-06740"), "transform", "(", vk::ToString(info.transform),
          ") is not among the transforms that the display supports.");
  const std::vector<VkDisplayPlanePropertiesKHR> planes = PlanesOf(mode->physical_device);
  if (planes.empty()) return;
  if (info.planeIndex >= planes.size()) {
    return require(false, Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-planeIndex-01252"), "planeIndex", "(",
                   info.planeIndex, ") is not less than the number of planes (", planes.size(), ").");
  }
  if (display) {
    const uint32_t now = planes[info.planeIndex].currentStackIndex;
    require(display->planeReorderPossible == VK_TRUE ? info.planeStackIndex < planes.size()
                                                     : info.planeStackIndex == now,
            Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-planeReorderPossible-01253"), "planeStackIndex", "(",
            info.planeStackIndex, ") is neither that of the plane (", now, ") nor, for a display that can reorder its ",
            planes.size(), " planes, less than their number.");
  }
  const auto ask = dispatch::Next<vk::GetDisplayPlaneCapabilitiesKHR>(instance_.next);
  VkDisplayPlaneCapabilitiesKHR plane = {};
  if (ask == nullptr || ask(mode->physical_device, dispatch::DriverHandle(info.displayMode), info.planeIndex, &plane) !=
                            VK_SUCCESS) {
    return;
  }
  require(plane.supportedAlpha == 0 || (info.alphaMode & plane.supportedAlpha) != 0,
          Vuid("VUID-VkDisplaySurfaceCreateInfoKHR-alphaMode-01255"), "alphaMode", "(", vk::ToString(info.alphaMode),
          ") is not among the modes that the plane supports.");
}

void SurfaceRules::NoteDisplay(const VkDisplaySurfaceCreateInfoKHR& info, SurfaceNotes& notes) const {
  notes.mode = Find(info.displayMode);
  notes.mode_handle = info.displayMode;
  notes.stereo_type = StereoTypeOf(info);
  const auto display = notes.mode ? PropertiesOf(*notes.mode) : std::nullopt;
  notes.may_persist = !display || display->persistentContent == VK_TRUE;
}

void SurfaceRules::PreCallValidate(const vk::CreateDisplayModeKHR& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const VkDisplayModeParametersKHR& parameters = call.pCreateInfo->parameters;
  const Location command = report.location();
  const Location info = command.Dot("pCreateInfo");
  const Location where = info.Dot("parameters");
  const Location region = where.Dot("visibleRegion");
  const auto require = [&](uint32_t value, vk::VuidIndex id, const Location& member) {
    if (value == 0) report.Error(id, {Object(call.display)}, member, "is 0.");
  };
  require(parameters.visibleRegion.width, Vuid("VUID-VkDisplayModeParametersKHR-width-01990"), region.Dot("width"));
  require(parameters.visibleRegion.height, Vuid("VUID-VkDisplayModeParametersKHR-height-01991"), region.Dot("height"));
  require(parameters.refreshRate, Vuid("VUID-VkDisplayModeParametersKHR-refreshRate-01992"), where.Dot("refreshRate"));
}

void SurfaceRules::PreCallValidate(const vk::GetDisplayPlaneSupportedDisplaysKHR& call, Report& report) const {
  const size_t count = PlanesOf(call.physicalDevice).size();
  if (count == 0 || call.planeIndex < count) return;
  report.Error(Vuid("VUID-vkGetDisplayPlaneSupportedDisplaysKHR-planeIndex-01249"), {Object(call.physicalDevice)},
               report.location().Dot("planeIndex"),
               absl::StrCat("(", call.planeIndex, ") is not less than the number of planes (", count, ")."));
}

void SurfaceRules::PostCallRecord(const vk::CreateDisplayModeKHR& call, VkResult result) {
  if (result >= 0) modes_.Set(*call.pMode, {call.physicalDevice, call.display, call.pCreateInfo->parameters});
}
void SurfaceRules::PostCallRecord(const vk::GetDisplayModePropertiesKHR& call, VkResult result) {
  if (result < 0) return;
  for (const auto& mode : state::Items(call.pProperties, *call.pPropertyCount))
    modes_.Set(mode.displayMode, {call.physicalDevice, call.display, mode.parameters});
}
void SurfaceRules::PostCallRecord(const vk::GetDisplayModeProperties2KHR& call, VkResult result) {
  if (result < 0) return;
  for (const auto& [type, next, mode] : state::Items(call.pProperties, *call.pPropertyCount)) {
    const auto* const stereo = vk::FindInChain<VkDisplayModeStereoPropertiesNV>(next);
    modes_.Set(mode.displayMode, {call.physicalDevice, call.display, mode.parameters,
                                  stereo != nullptr && stereo->hdmi3DSupported == VK_FALSE});
  }
}

}  // namespace assay::core
