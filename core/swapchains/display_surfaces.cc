// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modes of displays, and surfaces on their planes.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/resources/creation_check.h"
#include "core/swapchains/surface_ids.h"
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

struct ModeFacts {
  static constexpr std::string_view kOwner = "VkDisplayModeParametersKHR";
  const VkDisplayModeParametersKHR& parameters;
};
using M = const ModeFacts&;
constexpr CreationRule<ModeFacts> kModeRules[] = {
    {"width-01990", "visibleRegion.width", "a mode", [](M m) { return m.parameters.visibleRegion.width == 0; }},
    {"height-01991", "visibleRegion.height", "a mode", [](M m) { return m.parameters.visibleRegion.height == 0; }},
    {"refreshRate-01992", "refreshRate", "a mode", [](M m) { return m.parameters.refreshRate == 0; }},
};

struct DisplayFacts {
  static constexpr std::string_view kOwner = "VkDisplaySurfaceCreateInfoKHR";

  const VkDisplaySurfaceCreateInfoKHR& info;
  const DisplayMode& mode;
  const uint32_t most;
  std::vector<VkDisplayPlanePropertiesKHR> planes = {};
  // Those members of which 0 is not known.
  VkDisplayPropertiesKHR display = {};
  VkDisplayPlaneCapabilitiesKHR plane = {};

  // Without reordering, the plane stays where it is.
  bool HasWrongOrder() const {
    if (display.display == VK_NULL_HANDLE || info.planeIndex >= planes.size()) return false;
    return display.planeReorderPossible == VK_TRUE ? info.planeStackIndex >= planes.size()
                                                   : info.planeStackIndex != planes[info.planeIndex].currentStackIndex;
  }
};
using D = const DisplayFacts&;
constexpr CreationRule<DisplayFacts> kDisplayRules[] = {
    {"planeIndex-01252", "planeIndex", "the number of planes",
     [](D d) { return !d.planes.empty() && d.info.planeIndex >= d.planes.size(); }},
    {"planeReorderPossible-01253", "planeStackIndex", "the planes of the display",
     [](D d) { return d.HasWrongOrder(); }},
    // Also for what is not a number.
    {"alphaMode-01254", "globalAlpha", "alphaMode",
     [](D d) {
       return d.info.alphaMode == VK_DISPLAY_PLANE_ALPHA_GLOBAL_BIT_KHR &&
              !(d.info.globalAlpha >= 0 && d.info.globalAlpha <= 1);
     }},
    {"alphaMode-01255", "alphaMode", "VkDisplayPlaneCapabilitiesKHR.supportedAlpha",
     [](D d) { return d.plane.supportedAlpha != 0 && (d.info.alphaMode & d.plane.supportedAlpha) == 0; }},
    {"transform-06740", "transform", "VkDisplayPropertiesKHR.supportedTransforms",
     [](D d) { return d.display.supportedTransforms != 0 && (d.info.transform & d.display.supportedTransforms) == 0; }},
    {"width-01256", "imageExtent", "VkPhysicalDeviceLimits.maxImageDimension2D",
     [](D d) { return std::max(d.info.imageExtent.width, d.info.imageExtent.height) > d.most; }},
    {"pNext-10284", "displayMode", "VkDisplaySurfaceStereoCreateInfoNV.stereoType",
     [](D d) { return d.mode.lacks_hdmi_3d && StereoTypeOf(d.info) == VK_DISPLAY_SURFACE_STEREO_TYPE_HDMI_3D_NV; }},
};

}  // namespace

void AddDisplayIds(std::vector<vk::VuidIndex>& ids) {
  AddIds(kModeRules, ids);
  AddIds(kDisplayRules, ids);
}

std::optional<VkDisplayPropertiesKHR> SurfaceRules::PropertiesOf(const DisplayMode& mode) const {
  for (const VkDisplayPropertiesKHR& each : AskForArray<vk::GetPhysicalDeviceDisplayPropertiesKHR>(
           instance_, VkDisplayPropertiesKHR{}, mode.physical_device)) {
    if (each.display == dispatch::DriverHandle(mode.display)) return each;
  }
  return std::nullopt;
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
  DisplayFacts facts = {.info = info, .mode = *mode, .most = device.limits.maxImageDimension2D};
  facts.planes = AskForArray<vk::GetPhysicalDeviceDisplayPlanePropertiesKHR>(instance_, VkDisplayPlanePropertiesKHR{},
                                                                             device.handle);
  facts.display = PropertiesOf(*mode).value_or(VkDisplayPropertiesKHR{});
  if (info.planeIndex < facts.planes.size()) {
    AskDriver<vk::GetDisplayPlaneCapabilitiesKHR>(instance_, device.handle, dispatch::DriverHandle(info.displayMode),
                                                  info.planeIndex, &facts.plane);
  }
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  CreationCheck(device, Object(info.displayMode), DisplayFacts::kOwner, &info, where, report).Run(kDisplayRules, facts);
}

void SurfaceRules::NoteDisplay(const VkDisplaySurfaceCreateInfoKHR& info, SurfaceNotes& notes) const {
  notes.mode = Find(info.displayMode);
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
  CreationCheck(instance_.GetPhysicalDevice(call.physicalDevice), Object(call.display), ModeFacts::kOwner, &parameters,
                where, report)
      .Run(kModeRules, {parameters});
}

void SurfaceRules::PreCallValidate(const vk::GetDisplayPlaneSupportedDisplaysKHR& call, Report& report) const {
  const size_t count = AskForArray<vk::GetPhysicalDeviceDisplayPlanePropertiesKHR>(
                           instance_, VkDisplayPlanePropertiesKHR{}, call.physicalDevice)
                           .size();
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
