// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What swapchains are created with.

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "core/resources/creation_check.h"
#include "core/resources/resource_facts.h"
#include "core/swapchains/surface_notes.h"
#include "core/swapchains/surface_query.h"
#include "core/swapchains/swapchain_rules.h"
#include "vk/chain.h"
#include "vk/format_info.h"
#include "vk/struct_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::Items;

bool IsShared(VkPresentModeKHR mode) {
  return mode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR || mode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR;
}
bool IsBetween(const VkExtent2D& value, const VkExtent2D& least, const VkExtent2D& most) {
  // All bits: the swapchain decides.
  const auto is = [](uint32_t v, uint32_t from, uint32_t to) { return (v >= from || from == ~0U) && v <= to; };
  return is(value.width, least.width, most.width) && is(value.height, least.height, most.height);
}

struct SwapchainFacts {
  static constexpr std::string_view kOwner = "VkSwapchainCreateInfoKHR";

  const dispatch::Device& device;
  const VkSwapchainCreateInfoKHR& info;
  const SurfaceNotes& notes;
  const SurfaceQuery& query;
  uint32_t group_size = 0;
  // What the driver says now, of all present modes and of this one, and what it told the program. Any may be right.
  std::vector<VkSurfaceCapabilitiesKHR> capabilities = {};
  std::vector<VkPresentModeKHR> modes = query.PresentModes();

  template <class T>
  const T* Next() const {
    return vk::FindInChain<T>(info.pNext);
  }
  bool Has(VkSwapchainCreateFlagsKHR flag) const { return (info.flags & flag) != 0; }
  // Whether all answers forbid it.
  template <class F>
  bool Breaks(const F& breaks) const {
    return !capabilities.empty() && std::ranges::all_of(capabilities, breaks);
  }
  // Flags of which 0 is not known.
  bool Lacks(VkFlags flags, VkFlags VkSurfaceCapabilitiesKHR::* supported) const {
    return Breaks([&](const auto& c) { return c.*supported != 0 && (flags & ~(c.*supported)) != 0; });
  }
  bool IsUnknown(VkPresentModeKHR mode) const {
    return !modes.empty() && std::ranges::count(modes, mode) == 0 && !notes.WasTold(mode);
  }
  bool HasUnknownFormat() const {
    const auto formats = query.Formats();
    return !formats.empty() && !notes.WasTold({info.imageFormat, info.imageColorSpace}) &&
           std::ranges::none_of(formats, [&](const VkSurfaceFormatKHR& each) {
             return each.format == VK_FORMAT_UNDEFINED ||
                    (each.format == info.imageFormat && each.colorSpace == info.imageColorSpace);
           });
  }
  absl::Span<const VkPresentModeKHR> OwnModes() const {
    const auto* const own = Next<VkSwapchainPresentModesCreateInfoEXT>();
    return own != nullptr ? Items(own->pPresentModes, own->presentModeCount) : absl::Span<const VkPresentModeKHR>();
  }
  // Whether views may have another format than one.
  const VkImageFormatListCreateInfo* views = Next<VkImageFormatListCreateInfo>();
  absl::Span<const VkFormat> ViewFormats() const {
    return views != nullptr ? Items(views->pViewFormats, views->viewFormatCount) : absl::Span<const VkFormat>();
  }

  const VkSwapchainPresentScalingCreateInfoEXT* scaling = Next<VkSwapchainPresentScalingCreateInfoEXT>();
  bool IsScaled() const { return scaling != nullptr && scaling->scalingBehavior != 0; }
  VkSurfacePresentScalingCapabilitiesEXT ScalingOf(VkPresentModeKHR mode) const {
    return query.Chained(VkSurfacePresentScalingCapabilitiesEXT{}, &mode);
  }
  // Whether the mode, or one of OwnModes(), lacks what is asked of its scaling. A largest extent of 0 tells that the
  // driver did not fill the structure.
  using Asked = VkFlags VkSwapchainPresentScalingCreateInfoEXT::*;
  using Supported = VkFlags VkSurfacePresentScalingCapabilitiesEXT::*;
  bool LacksScaling(Asked asked, Supported supported, VkPresentModeKHR mode) const {
    if (scaling == nullptr || scaling->*asked == 0) return false;
    const VkSurfacePresentScalingCapabilitiesEXT answer = ScalingOf(mode);
    return answer.maxScaledImageExtent.width != 0 && (scaling->*asked & ~(answer.*supported)) != 0;
  }
  bool LacksScaling(Asked asked, Supported supported) const {
    return LacksScaling(asked, supported, info.presentMode);
  }
  bool AnyLacksScaling(Asked asked, Supported supported) const {
    return std::ranges::any_of(OwnModes(), [&](auto mode) { return LacksScaling(asked, supported, mode); });
  }
  bool HasSeveral(Asked asked) const { return scaling != nullptr && std::popcount(scaling->*asked) > 1; }
};
using S = const SwapchainFacts&;
using C = const VkSurfaceCapabilitiesKHR&;
using Scaling = VkSwapchainPresentScalingCreateInfoEXT;
using Scalings = VkSurfacePresentScalingCapabilitiesEXT;

constexpr CreationRule<SwapchainFacts> kRules[] = {
    {"imageExtent-01689", "imageExtent", "an image",
     [](S s) { return s.info.imageExtent.width == 0 || s.info.imageExtent.height == 0; }},
    {"pNext-07781", "imageExtent",
     "VkSurfaceCapabilitiesKHR.minImageExtent and VkSurfaceCapabilitiesKHR.maxImageExtent",
     [](S s) {
       return !s.IsScaled() && s.Breaks([&](C c) {
         return c.maxImageExtent.width != 0 && !IsBetween(s.info.imageExtent, c.minImageExtent, c.maxImageExtent);
       });
     }},
    {"pNext-07782", "imageExtent", "minScaledImageExtent and maxScaledImageExtent of the surface",
     [](S s) {
       if (!s.IsScaled()) return false;
       const Scalings of = s.ScalingOf(s.info.presentMode);
       return of.maxScaledImageExtent.width != 0 &&
              !IsBetween(s.info.imageExtent, of.minScaledImageExtent, of.maxScaledImageExtent) &&
              s.Breaks([&](C c) { return !IsBetween(s.info.imageExtent, c.minImageExtent, c.maxImageExtent); });
     }},
    {"minImageCount-01272", "minImageCount", "VkSurfaceCapabilitiesKHR.maxImageCount",
     [](S s) {
       return s.Breaks([&](C c) { return c.maxImageCount != 0 && s.info.minImageCount > c.maxImageCount; });
     }},
    {"presentMode-02839", "minImageCount", "VkSurfaceCapabilitiesKHR.minImageCount and presentMode",
     [](S s) {
       return !IsShared(s.info.presentMode) && s.Breaks([&](C c) { return s.info.minImageCount < c.minImageCount; });
     }},
    {"imageFormat-01273", "imageFormat", "imageColorSpace and the formats of the surface",
     [](S s) { return s.HasUnknownFormat(); }},
    {"imageArrayLayers-01275", "imageArrayLayers", "VkSurfaceCapabilitiesKHR.maxImageArrayLayers",
     [](S s) {
       return s.info.imageArrayLayers == 0 || s.Breaks([&](C c) {
         return c.maxImageArrayLayers != 0 && s.info.imageArrayLayers > c.maxImageArrayLayers;
       });
     }},
    {"presentMode-01427", "imageUsage", "VkSurfaceCapabilitiesKHR.supportedUsageFlags",
     [](S s) {
       return !IsShared(s.info.presentMode) &&
              s.Lacks(s.info.imageUsage, &VkSurfaceCapabilitiesKHR::supportedUsageFlags);
     }},
    {"imageUsage-01384", "imageUsage", "VkSharedPresentSurfaceCapabilitiesKHR.sharedPresentSupportedUsageFlags",
     [](S s) {
       if (!IsShared(s.info.presentMode)) return false;
       const VkImageUsageFlags supported =
           s.query.Chained(VkSharedPresentSurfaceCapabilitiesKHR{}).sharedPresentSupportedUsageFlags;
       return supported != 0 && (s.info.imageUsage & ~supported) != 0;
     }},
    {"imageSharingMode-01428", "pQueueFamilyIndices", "itself, or the device's families",
     [](S s) {
       return HasWrongFamily(s.device, VkImageCreateInfo{.sharingMode = s.info.imageSharingMode,
                                                         .queueFamilyIndexCount = s.info.queueFamilyIndexCount,
                                                         .pQueueFamilyIndices = s.info.pQueueFamilyIndices});
     }},
    {"preTransform-01279", "preTransform", "VkSurfaceCapabilitiesKHR.supportedTransforms",
     [](S s) { return s.Lacks(s.info.preTransform, &VkSurfaceCapabilitiesKHR::supportedTransforms); }},
    {"compositeAlpha-01280", "compositeAlpha", "VkSurfaceCapabilitiesKHR.supportedCompositeAlpha",
     [](S s) { return s.Lacks(s.info.compositeAlpha, &VkSurfaceCapabilitiesKHR::supportedCompositeAlpha); }},
    {"presentMode-01281", "presentMode", "the present modes of the surface",
     [](S s) { return s.IsUnknown(s.info.presentMode); }},
    {"physicalDeviceCount-01429", "flags", "a device group of one physical device",
     [](S s) { return s.Has(VK_SWAPCHAIN_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT_KHR) && s.group_size == 1; }},
    {"flags-03187", "flags", "VkSurfaceProtectedCapabilitiesKHR.supportsProtected",
     [](S s) {
       return s.Has(VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR) &&
              s.query.Chained(VkSurfaceProtectedCapabilitiesKHR{.supportsProtected = VK_TRUE}).supportsProtected ==
                  VK_FALSE;
     }},
    {"oldSwapchain-01933", "oldSwapchain", "being retired",
     [](S s) {
       const auto* const old = state::DeviceState::Get<state::Swapchain>(s.info.oldSwapchain);
       return old != nullptr && old->is_retired;
     }},
    {"flags-03168", "flags", "no VkImageFormatListCreateInfo that has imageFormat",
     [](S s) {
       return s.Has(VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR) &&
              std::ranges::count(s.ViewFormats(), s.info.imageFormat) == 0;
     }},
    {"flags-04100", "VkImageFormatListCreateInfo.viewFormatCount", "flags",
     [](S s) { return s.ViewFormats().size() > 1 && !s.Has(VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR); }},
    {"pNext-04099", "VkImageFormatListCreateInfo.pViewFormats", "imageFormat",
     [](S s) {
       const vk::FormatInfo* const own = vk::GetFormatInfo(s.info.imageFormat);
       return own != nullptr && std::ranges::any_of(s.ViewFormats(), [&](VkFormat format) {
                const vk::FormatInfo* const view = vk::GetFormatInfo(format);
                return view != nullptr && !AreCompatible(*view, *own);
              });
     }},
    {"pNext-02679", "pNext", "VkSurfaceFullScreenExclusiveInfoEXT.fullScreenExclusive and a Win32 surface",
     [](S s) {
       return IsExclusive(s.info) && s.notes.created_by == vk::CommandId::kCreateWin32SurfaceKHR &&
              s.Next<VkSurfaceFullScreenExclusiveWin32InfoEXT>() == nullptr;
     }},
    {"VkSurfaceFullScreenExclusiveWin32InfoEXT-hmonitor-02673", "VkSurfaceFullScreenExclusiveWin32InfoEXT.hmonitor",
     "a monitor",
     [](S s) {
       const auto* const window = s.Next<VkSurfaceFullScreenExclusiveWin32InfoEXT>();
       return window != nullptr && window->hmonitor == nullptr;
     }},
    {"VkSwapchainDisplayNativeHdrCreateInfoAMD-localDimmingEnable-04449",
     "VkSwapchainDisplayNativeHdrCreateInfoAMD.localDimmingEnable",
     "VkDisplayNativeHdrSurfaceCapabilitiesAMD.localDimmingSupport",
     [](S s) {
       const auto* const hdr = s.Next<VkSwapchainDisplayNativeHdrCreateInfoAMD>();
       return hdr != nullptr && hdr->localDimmingEnable == VK_TRUE && !s.query.CanDim();
     }},
    {"VkSwapchainCounterCreateInfoEXT-surfaceCounters-01244", "VkSwapchainCounterCreateInfoEXT.surfaceCounters",
     "the counters of the surface",
     [](S s) {
       const auto* const counter = s.Next<VkSwapchainCounterCreateInfoEXT>();
       return counter != nullptr && counter->surfaceCounters != 0 &&
              (counter->surfaceCounters & ~s.query.Counters()) != 0;
     }},
    {"VkSwapchainPresentModesCreateInfoEXT-presentMode-07764", "VkSwapchainPresentModesCreateInfoEXT.pPresentModes",
     "presentMode",
     [](S s) { return !s.OwnModes().empty() && std::ranges::count(s.OwnModes(), s.info.presentMode) == 0; }},
    {"VkSwapchainPresentModesCreateInfoEXT-None-07762", "VkSwapchainPresentModesCreateInfoEXT.pPresentModes",
     "the present modes of the surface",
     [](S s) {
       return std::ranges::any_of(s.OwnModes(), [&](auto mode) {
         return mode != s.info.presentMode && s.IsUnknown(mode);
       });
     }},
    {"VkSwapchainPresentModesCreateInfoEXT-pPresentModes-07763", "VkSwapchainPresentModesCreateInfoEXT.pPresentModes",
     "the modes that are compatible with presentMode",
     [](S s) {
       if (s.OwnModes().empty()) return false;
       const auto compatible = s.query.CompatibleModes(s.info.presentMode);
       return !compatible.empty() && std::ranges::any_of(s.OwnModes(), [&](auto mode) {
         return mode != s.info.presentMode && std::ranges::count(compatible, mode) == 0;
       });
     }},
    {"VkSwapchainPresentScalingCreateInfoEXT-scalingBehavior-07767",
     "VkSwapchainPresentScalingCreateInfoEXT.scalingBehavior", "only one bit at a time",
     [](S s) { return s.HasSeveral(&Scaling::scalingBehavior); }},
    {"VkSwapchainPresentScalingCreateInfoEXT-presentGravityX-07768",
     "VkSwapchainPresentScalingCreateInfoEXT.presentGravityX", "only one bit at a time",
     [](S s) { return s.HasSeveral(&Scaling::presentGravityX); }},
    {"VkSwapchainPresentScalingCreateInfoEXT-presentGravityY-07769",
     "VkSwapchainPresentScalingCreateInfoEXT.presentGravityY", "only one bit at a time",
     [](S s) { return s.HasSeveral(&Scaling::presentGravityY); }},
    {"VkSwapchainPresentScalingCreateInfoEXT-scalingBehavior-07770",
     "VkSwapchainPresentScalingCreateInfoEXT.scalingBehavior", "what the surface supports with presentMode",
     [](S s) { return s.LacksScaling(&Scaling::scalingBehavior, &Scalings::supportedPresentScaling); }},
    {"VkSwapchainPresentScalingCreateInfoEXT-scalingBehavior-07771",
     "VkSwapchainPresentScalingCreateInfoEXT.scalingBehavior",
     "what the surface supports and VkSwapchainPresentModesCreateInfoEXT.pPresentModes",
     [](S s) { return s.AnyLacksScaling(&Scaling::scalingBehavior, &Scalings::supportedPresentScaling); }},
    {"VkSwapchainPresentScalingCreateInfoEXT-presentGravityX-07772",
     "VkSwapchainPresentScalingCreateInfoEXT.presentGravityX", "what the surface supports with presentMode",
     [](S s) { return s.LacksScaling(&Scaling::presentGravityX, &Scalings::supportedPresentGravityX); }},
    {"VkSwapchainPresentScalingCreateInfoEXT-presentGravityX-07773",
     "VkSwapchainPresentScalingCreateInfoEXT.presentGravityX",
     "what the surface supports and VkSwapchainPresentModesCreateInfoEXT.pPresentModes",
     [](S s) { return s.AnyLacksScaling(&Scaling::presentGravityX, &Scalings::supportedPresentGravityX); }},
    {"VkSwapchainPresentScalingCreateInfoEXT-presentGravityY-07774",
     "VkSwapchainPresentScalingCreateInfoEXT.presentGravityY", "what the surface supports with presentMode",
     [](S s) { return s.LacksScaling(&Scaling::presentGravityY, &Scalings::supportedPresentGravityY); }},
    {"VkSwapchainPresentScalingCreateInfoEXT-presentGravityY-07775",
     "VkSwapchainPresentScalingCreateInfoEXT.presentGravityY",
     "what the surface supports and VkSwapchainPresentModesCreateInfoEXT.pPresentModes",
     [](S s) { return s.AnyLacksScaling(&Scaling::presentGravityY, &Scalings::supportedPresentGravityY); }},
};

// Whether there are images like those of the swapchain. True if the driver does not say, and for mutable ones, whose
// views may have other usages.
bool AreImagesSupported(const dispatch::Device& device, const VkSwapchainCreateInfoKHR& info) {
  const auto ask = dispatch::Next<vk::GetPhysicalDeviceImageFormatProperties>(device.instance.next);
  if (ask == nullptr || (info.flags & ~VkFlags{VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR}) != 0) return true;
  VkImageFormatProperties answer = {};
  const VkResult result =
      ask(device.physical_device->handle, info.imageFormat, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, info.imageUsage,
          info.flags != 0 ? VkImageCreateFlags{VK_IMAGE_CREATE_PROTECTED_BIT} : 0, &answer);
  if (result != VK_SUCCESS) return result != VK_ERROR_FORMAT_NOT_SUPPORTED;
  const auto is = [](uint32_t value, uint32_t most) { return value <= most || most == 0; };
  return is(info.imageExtent.width, answer.maxExtent.width) && is(info.imageExtent.height, answer.maxExtent.height) &&
         is(info.imageArrayLayers, answer.maxArrayLayers);
}

}  // namespace

std::vector<vk::VuidIndex> SwapchainIds() {
  std::vector<vk::VuidIndex> ids;
  AddIds(kRules, ids);
  return ids;
}

void SwapchainRules::CheckCreation(const VkSwapchainCreateInfoKHR& info, const Location& where, Report& report) const {
  const dispatch::Device& device = state_.device();
  SurfaceNotes* const notes = SurfaceNotes::Of(info.surface);
  if (notes == nullptr) return;
  const SurfaceQuery query(device.instance, *device.physical_device, info.surface);
  CreationCheck check(device, messages::Object(info.surface), "VkSwapchainCreateInfoKHR", &info, where, report);
  if (!notes->IsSupportedBy(device.physical_device->handle, query)) {
    return check.Report(vk::Vuid("VUID-VkSwapchainCreateInfoKHR-surface-01270"), "surface",
                        "any queue family of the device");
  }
  SwapchainFacts facts = {.device = device, .info = info, .notes = *notes, .query = query};
  if (facts.Has(VK_SWAPCHAIN_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT_KHR)) facts.group_size = GroupSize();
  for (const auto& answer : {query.Capabilities(), query.Capabilities(info.presentMode),
                             notes->Told(device.physical_device->handle)}) {
    if (answer) facts.capabilities.push_back(*answer);
  }
  if (!facts.capabilities.empty())
    check.Name("VkSurfaceCapabilitiesKHR", "VkSurfaceCapabilitiesKHR", facts.capabilities.data());
  check.Run(kRules, facts);
  if (check.has_reported() || AreImagesSupported(device, info)) return;
  check.Report(vk::Vuid("VUID-VkSwapchainCreateInfoKHR-imageFormat-01778"), "imageFormat",
               "imageUsage and imageExtent and imageArrayLayers");
}

// An image that is to have memory of a swapchain is like its images.
void SwapchainRules::PreCallValidate(const vk::CreateImage& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const auto* const of = vk::FindInChain<VkImageSwapchainCreateInfoKHR>(call.pCreateInfo->pNext);
  const auto* const swapchain = of != nullptr ? state::DeviceState::Get<state::Swapchain>(of->swapchain) : nullptr;
  if (swapchain == nullptr) return;
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  CreationCheck check(state_.device(), messages::Object(of->swapchain), "VkImageCreateInfo", call.pCreateInfo, where,
                      report);
  check.Name("swapchain", "VkImageCreateInfo", &swapchain->image_create_info);
  for (const vk::MemberInfo& member : vk::FindStruct(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO)->members) {
    // Flags depend on more than the state tracker keeps.
    if (member.kind == vk::MemberKind::kStructureType || member.kind == vk::MemberKind::kNext ||
        member.name == "flags" || member.name.ends_with("FamilyIndexCount") || member.name.starts_with("pQueue"))
      continue;
    const auto at = [&](const VkImageCreateInfo& info) { return reinterpret_cast<const char*>(&info) + member.offset; };
    if (std::memcmp(at(*call.pCreateInfo), at(swapchain->image_create_info), member.element_size) == 0) continue;
    return check.Report(vk::Vuid("VUID-VkImageSwapchainCreateInfoKHR-swapchain-00995"), member.name,
                        absl::StrCat("swapchain.", member.name));
  }
}

void SwapchainRules::PreCallValidate(const vk::CreateSwapchainKHR& call, Report& report) const {
  if (call.pCreateInfo == nullptr) return;
  const Location command = report.location();
  CheckCreation(*call.pCreateInfo, command.Dot("pCreateInfo"), report);
}

void SwapchainRules::PreCallValidate(const vk::CreateSharedSwapchainsKHR& call, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; const auto& info : Items(call.pCreateInfos, call.swapchainCount))
    CheckCreation(info, command.Dot("pCreateInfos", i++), report);
}

}  // namespace assay::core
