// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/swapchains/surface_rules.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/resources/creation_check.h"
#include "core/swapchains/surface_ids.h"
#include "vk/chain.h"
#include "vk/command_info.h"
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

// The structures of a query, with null for the one that is to be filled if it has no chain.
struct QueryFacts {
  static constexpr std::string_view kOwner = "vkGetPhysicalDeviceSurfaceCapabilities2KHR";

  const VkPhysicalDeviceSurfaceInfo2KHR& info;
  const VkSurfaceCapabilities2KHR* asked;
  // Null for a null surface.
  const SurfaceNotes* notes;
  std::vector<VkPresentModeKHR> modes;

  template <class T>
  const T* Given() const {
    return vk::FindInChain<T>(info.pNext);
  }
  template <class T>
  bool Asks() const {
    return asked != nullptr && vk::FindInChain<T>(asked->pNext) != nullptr;
  }
};
using Q = const QueryFacts&;
using OfMode = VkSurfacePresentModeEXT;
using Compatibility = VkSurfacePresentModeCompatibilityEXT;
using Scaling = VkSurfacePresentScalingCapabilitiesEXT;
using Win32 = VkSurfaceFullScreenExclusiveWin32InfoEXT;

constexpr CreationRule<QueryFacts> kRules[] = {
    {"pNext-02671", "pNext", "VkSurfaceCapabilitiesFullScreenExclusiveEXT without a monitor",
     [](Q q) { return q.Asks<VkSurfaceCapabilitiesFullScreenExclusiveEXT>() && q.Given<Win32>() == nullptr; }},
    {"pNext-07776", "pNext", "VkSurfacePresentModeCompatibilityEXT without a present mode",
     [](Q q) { return q.Asks<Compatibility>() && q.Given<OfMode>() == nullptr; }},
    {"pNext-07777", "pNext", "VkSurfacePresentScalingCapabilitiesEXT without a present mode",
     [](Q q) { return q.Asks<Scaling>() && q.Given<OfMode>() == nullptr; }},
    {"pNext-07778", "surface", "VkSurfacePresentModeCompatibilityEXT",
     [](Q q) { return q.Asks<Compatibility>() && q.info.surface == VK_NULL_HANDLE; }},
    {"pNext-07779", "surface", "VkSurfacePresentScalingCapabilitiesEXT",
     [](Q q) { return q.Asks<Scaling>() && q.info.surface == VK_NULL_HANDLE; }},
    {"VkPhysicalDeviceSurfaceInfo2KHR-pNext-02672", "pNext", "a Win32 surface without a monitor",
     [](Q q) {
       const auto* const given = q.Given<VkSurfaceFullScreenExclusiveInfoEXT>();
       return given != nullptr && q.Given<Win32>() == nullptr && q.notes != nullptr &&
              given->fullScreenExclusive == VK_FULL_SCREEN_EXCLUSIVE_APPLICATION_CONTROLLED_EXT &&
              q.notes->created_by == vk::CommandId::kCreateWin32SurfaceKHR;
     }},
    {"VkSurfacePresentModeEXT-presentMode-07780", "VkSurfacePresentModeEXT.presentMode", "the surface",
     [](Q q) { return !q.modes.empty() && std::ranges::count(q.modes, q.Given<OfMode>()->presentMode) == 0; }},
};

// What commands share, by the ends of their ids.
constexpr std::string_view kShared[] = {"queueFamilyIndex-01269", "queueFamilyIndex-01306", "queueFamilyIndex-01309",
                                        "queueFamilyIndex-01312", "queueFamilyIndex-01315", "queueFamilyIndex-04119",
                                        "queueFamilyIndex-04743", "surface-06211",          "surface-06524",
                                        "surface-06525",          "pSurfaceInfo-06521",     "pSurfaceInfo-06522"};

}  // namespace

void AddSurfaceIds(std::vector<vk::VuidIndex>& ids) {
  AddIds(kRules, ids);
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    for (const std::string_view rule : kShared) {
      const auto id = vk::FindVuidOf(vk::GetCommandInfo(static_cast<vk::CommandId>(i)).name, rule);
      if (id != vk::kNoVuid) ids.push_back(id);
    }
  }
}

void SurfaceRules::CheckWindow(VkStructureType type, const void* info, Report& report) {
  const vk::StructInfo& structure = *vk::FindStruct(type);
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  for (const vk::VuidIndex id : kWindows) {
    const std::vector<std::string_view> parts = absl::StrSplit(vk::GetVuid(id).id, '-');
    const auto member = std::ranges::find(structure.members, parts[2], &vk::MemberInfo::name);
    if (parts[1] != structure.name || member == structure.members.end()) continue;
    const size_t size = member->indirection == vk::Indirection::kInline ? member->element_size : sizeof(void*);
    const std::string_view bytes(static_cast<const char*>(info) + member->offset, size);
    if (bytes.find_first_not_of('\0') == bytes.npos) report.Error(id, {}, where.Dot(member->name), "is null.");
  }
}

void SurfaceRules::CheckFamily(VkPhysicalDevice device, uint32_t family, vk::VuidIndex id, Report& report) const {
  const size_t count = instance_.GetPhysicalDevice(device).queue_families.size();
  if (family < count) return;
  report.Error(id, {Object(device)}, report.location().Dot("queueFamilyIndex"),
               absl::StrCat("(", family, ") is not less than the number of queue families (", count, ")."));
}

bool SurfaceRules::CheckSurface(VkPhysicalDevice device, VkSurfaceKHR surface, vk::VuidIndex null,
                                vk::VuidIndex unsupported, Report& report) const {
  SurfaceNotes* const notes = SurfaceNotes::Of(surface);
  const auto extension = static_cast<size_t>(vk::ExtensionId::kGoogleSurfacelessQuery);
  if (surface == VK_NULL_HANDLE && null != vk::kNoVuid && !instance_.enabled_extensions[extension]) {
    report.Error(null, {Object(device)}, report.location().Dot("surface"),
                 "is VK_NULL_HANDLE, but VK_GOOGLE_surfaceless_query is not enabled.");
    return false;
  }
  if (notes == nullptr ||
      notes->IsSupportedBy(instance_.GetPhysicalDevice(device), SurfaceQuery(instance_, device, surface)))
    return true;
  report.Error(unsupported, {Object(surface), Object(device)}, report.location().Dot("surface"),
               absl::StrCat("(", report.reporter().Describe(Object(surface)), ") is not supported by any queue family ",
                            "of ", report.reporter().Describe(Object(device)), "."),
               "Ask vkGetPhysicalDeviceSurfaceSupportKHR() first.");
  return false;
}

void SurfaceRules::CheckInfo(VkPhysicalDevice device, const VkPhysicalDeviceSurfaceInfo2KHR& info, const void* asked,
                             Report& report) const {
  if (asked == nullptr && info.pNext == nullptr) return;
  SurfaceNotes* const notes = SurfaceNotes::Of(info.surface);
  QueryFacts facts = {info, static_cast<const VkSurfaceCapabilities2KHR*>(asked), notes, {}};
  if (notes != nullptr && facts.Given<OfMode>() != nullptr) {
    facts.modes = SurfaceQuery(instance_, device, info.surface).PresentModes();
    const auto told = notes->Told(device).present_modes;
    if (!facts.modes.empty()) facts.modes.insert(facts.modes.end(), told.begin(), told.end());
  }
  const Location command = report.location();
  const Location where = command.Dot("pSurfaceInfo");
  CreationCheck(instance_.GetPhysicalDevice(device), Object(info.surface), "VkPhysicalDeviceSurfaceInfo2KHR", &info,
                where, report)
      .Run(kRules, facts);
}

void SurfaceRules::CheckFormats(const vk::GetPhysicalDeviceSurfaceFormats2KHR& call, Report& report) const {
  const auto extension = static_cast<size_t>(vk::ExtensionId::kExtImageCompressionControlSwapchain);
  if (call.pSurfaceFormats == nullptr || call.pSurfaceFormatCount == nullptr || *call.pSurfaceFormatCount == 0 ||
      vk::FindInChain<VkImageCompressionPropertiesEXT>(call.pSurfaceFormats->pNext) == nullptr ||
      instance_.GetPhysicalDevice(call.physicalDevice).supported_extensions[extension])
    return;
  report.Error(Vuid("VUID-VkSurfaceFormat2KHR-pNext-06750"), {Object(call.physicalDevice)},
               report.location().Dot("pSurfaceFormats", 0),
               "has a VkImageCompressionPropertiesEXT, but the physical device does not support "
               "VK_EXT_image_compression_control_swapchain.");
}

}  // namespace assay::core
