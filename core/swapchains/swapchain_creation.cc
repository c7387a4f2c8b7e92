// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What swapchains are created with.

#include <algorithm>
#include <bit>
#include <optional>

#include "absl/strings/str_cat.h"
#include "core/resources/creation_check.h"
#include "core/resources/resource_facts.h"
#include "core/swapchains/surface_ids.h"
#include "core/swapchains/surface_notes.h"
#include "core/swapchains/surface_query.h"
#include "core/swapchains/swapchain_rules.h"
#include "vk/chain.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::Items;
using Capabilities = VkSurfaceCapabilitiesKHR;

bool IsBetween(const VkExtent2D& value, const VkExtent2D& least, const VkExtent2D& most) {
  // All bits set means that the swapchain decides, and 0 that the driver does not say.
  const auto is = [](uint32_t v, uint32_t from, uint32_t to) {
    return to == 0 || ((v >= from || from == ~0U) && v <= to);
  };
  return is(value.width, least.width, most.width) && is(value.height, least.height, most.height);
}

struct SwapchainFacts {
  static constexpr std::string_view kOwner = "VkSwapchainCreateInfoKHR";

  const dispatch::Device& device;
  const VkSwapchainCreateInfoKHR& info;
  const vk::CommandId surface_created_by;
  const SurfaceQuery& query;
  const ToldOfSurface told;
  // Empty if the driver does not say.
  const std::vector<VkPresentModeKHR> modes = query.PresentModes();
  // What the driver says now, of all present modes and of this one, and what the program was told. Any may be right.
  const std::optional<Capabilities> answers[3] = {
      query.Capabilities(), IsListed(info.presentMode) ? query.Ask(&info.presentMode, nullptr) : std::nullopt,
      told.capabilities};
  const bool is_shared = info.presentMode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR ||
                         info.presentMode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR;

  template <class T>
  const T* Next() const {
    return vk::FindInChain<T>(info.pNext);
  }
  bool Has(VkSwapchainCreateFlagsKHR flag) const { return (info.flags & flag) != 0; }
  // Whether there is an answer, and all answers forbid it.
  template <class F>
  bool Breaks(const F& breaks) const {
    return answers[0] && std::ranges::all_of(answers, [&](const auto& each) { return !each || breaks(*each); });
  }
  // Flags of which 0 is not known.
  bool Lacks(VkFlags flags, VkFlags Capabilities::* supported) const {
    return Breaks([&](const auto& c) { return c.*supported != 0 && (flags & ~(c.*supported)) != 0; });
  }
  // Whether the driver may be asked about it.
  bool IsListed(VkPresentModeKHR mode) const { return std::ranges::count(modes, mode) != 0; }
  bool IsUnknown(VkPresentModeKHR mode) const {
    return !modes.empty() && !IsListed(mode) && std::ranges::count(told.present_modes, mode) == 0;
  }
  bool HasUnknownFormat() const {
    const auto is_known = [&](const VkSurfaceFormatKHR& each) {
      return each.format == VK_FORMAT_UNDEFINED ||
             (each.format == info.imageFormat && each.colorSpace == info.imageColorSpace);
    };
    const auto now = query.Formats();
    return !now.empty() && std::ranges::none_of(now, is_known) && std::ranges::none_of(told.formats, is_known);
  }

  bool AnyOwnMode(const auto& test) const {
    const auto* const own = Next<VkSwapchainPresentModesCreateInfoEXT>();
    return own != nullptr && std::ranges::any_of(Items(own->pPresentModes, own->presentModeCount), test);
  }
  // Whether another of the swapchain's own modes is not compatible with its first.
  bool HasIncompatibleMode() const {
    VkPresentModeKHR compatible[32];
    VkSurfacePresentModeCompatibilityEXT answer = {VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_EXT, nullptr,
                                                   std::size(compatible), compatible};
    if (Next<VkSwapchainPresentModesCreateInfoEXT>() == nullptr || !IsListed(info.presentMode) ||
        !query.Ask(&info.presentMode, &answer))
      return false;
    const auto end = compatible + std::min<size_t>(answer.presentModeCount, std::size(compatible));
    return end != compatible && AnyOwnMode([&](VkPresentModeKHR mode) {
             return mode != info.presentMode && std::find(compatible, end, mode) == end;
           });
  }
  bool AnyView(const auto& test) const {
    const auto* const views = Next<VkImageFormatListCreateInfo>();
    return views != nullptr && std::ranges::any_of(Items(views->pViewFormats, views->viewFormatCount), test);
  }

  const VkSwapchainPresentScalingCreateInfoEXT* scaling = Next<VkSwapchainPresentScalingCreateInfoEXT>();
  VkSurfacePresentScalingCapabilitiesEXT ScalingOf(VkPresentModeKHR mode) const {
    const VkSurfacePresentScalingCapabilitiesEXT unknown = {};
    return IsListed(mode) ? query.Chained(unknown, &mode) : unknown;
  }
  bool HasWrongExtent(bool is_scaled) const {
    if (is_scaled != (scaling != nullptr && scaling->scalingBehavior != 0)) return false;
    const auto of = is_scaled ? ScalingOf(info.presentMode) : VkSurfacePresentScalingCapabilitiesEXT{};
    if (is_scaled && IsBetween(info.imageExtent, of.minScaledImageExtent, of.maxScaledImageExtent)) return false;
    return Breaks([&](const auto& c) { return !IsBetween(info.imageExtent, c.minImageExtent, c.maxImageExtent); });
  }
};
using S = const SwapchainFacts&;
using C = const Capabilities&;

constexpr char kViews[] = "VkImageFormatListCreateInfo.pViewFormats";
constexpr char kOwnModes[] = "VkSwapchainPresentModesCreateInfoEXT.pPresentModes";
constexpr auto kMutable = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR;

constexpr CreationRule<SwapchainFacts> kRules[] = {
    {"imageExtent-01689", "imageExtent", "an image",
     [](S s) { return s.info.imageExtent.width == 0 || s.info.imageExtent.height == 0; }},
    {"pNext-07781", "imageExtent",
     "VkSurfaceCapabilitiesKHR.minImageExtent and VkSurfaceCapabilitiesKHR.maxImageExtent",
     [](S s) { return s.HasWrongExtent(false); }},
    {"pNext-07782", "imageExtent", "VkSurfacePresentScalingCapabilitiesEXT of the surface",
     [](S s) { return s.HasWrongExtent(true); }},
    {"minImageCount-01272", "minImageCount", "VkSurfaceCapabilitiesKHR.maxImageCount",
     [](S s) { return s.Breaks([&](C c) { return c.maxImageCount != 0 && s.info.minImageCount > c.maxImageCount; }); }},
    {"presentMode-02839", "minImageCount", "VkSurfaceCapabilitiesKHR.minImageCount and presentMode",
     [](S s) { return !s.is_shared && s.Breaks([&](C c) { return s.info.minImageCount < c.minImageCount; }); }},
    {"imageFormat-01273", "imageFormat", "imageColorSpace and the formats of the surface",
     [](S s) { return s.HasUnknownFormat(); }},
    {"imageArrayLayers-01275", "imageArrayLayers", "VkSurfaceCapabilitiesKHR.maxImageArrayLayers",
     [](S s) {
       const uint32_t layers = s.info.imageArrayLayers;
       return layers == 0 ||
              s.Breaks([&](C c) { return c.maxImageArrayLayers != 0 && layers > c.maxImageArrayLayers; });
     }},
    {"presentMode-01427", "imageUsage", "VkSurfaceCapabilitiesKHR.supportedUsageFlags",
     [](S s) { return !s.is_shared && s.Lacks(s.info.imageUsage, &Capabilities::supportedUsageFlags); }},
    {"imageUsage-01384", "imageUsage", "VkSharedPresentSurfaceCapabilitiesKHR.sharedPresentSupportedUsageFlags",
     [](S s) {
       const auto supported = s.query.Chained(VkSharedPresentSurfaceCapabilitiesKHR{}).sharedPresentSupportedUsageFlags;
       return s.is_shared && supported != 0 && (s.info.imageUsage & ~supported) != 0;
     }},
    {"imageSharingMode-01428", "pQueueFamilyIndices", "itself, or the device's families",
     [](S s) {
       return HasWrongFamily(*s.device.physical_device,
                             VkImageCreateInfo{.sharingMode = s.info.imageSharingMode,
                                               .queueFamilyIndexCount = s.info.queueFamilyIndexCount,
                                               .pQueueFamilyIndices = s.info.pQueueFamilyIndices});
     }},
    {"preTransform-01279", "preTransform", "VkSurfaceCapabilitiesKHR.supportedTransforms",
     [](S s) { return s.Lacks(s.info.preTransform, &Capabilities::supportedTransforms); }},
    {"compositeAlpha-01280", "compositeAlpha", "VkSurfaceCapabilitiesKHR.supportedCompositeAlpha",
     [](S s) { return s.Lacks(s.info.compositeAlpha, &Capabilities::supportedCompositeAlpha); }},
    {"presentMode-01281", "presentMode", "the surface", [](S s) { return s.IsUnknown(s.info.presentMode); }},
    {"flags-03187", "flags", "VkSurfaceProtectedCapabilitiesKHR.supportsProtected",
     [](S s) {
       const VkSurfaceProtectedCapabilitiesKHR unknown = {.supportsProtected = VK_TRUE};
       return s.Has(VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR) && s.query.Chained(unknown).supportsProtected == VK_FALSE;
     }},
    {"oldSwapchain-01933", "oldSwapchain", "being retired",
     [](S s) {
       const auto* const old = state::DeviceState::Get<state::Swapchain>(s.info.oldSwapchain);
       return old != nullptr && old->is_retired;
     }},
    {"flags-03168", "flags", "no VkImageFormatListCreateInfo that has imageFormat",
     [](S s) { return s.Has(kMutable) && !s.AnyView([&](VkFormat each) { return each == s.info.imageFormat; }); }},
    {"flags-04100", kViews, "flags",
     [](S s) {
       const auto* const views = s.Next<VkImageFormatListCreateInfo>();
       return !s.Has(kMutable) && views != nullptr && views->viewFormatCount > 1;
     }},
    {"pNext-04099", kViews, "imageFormat",
     [](S s) {
       return s.AnyView([own = vk::GetFormatInfo(s.info.imageFormat)](VkFormat each) {
         const vk::FormatInfo* const view = vk::GetFormatInfo(each);
         return own != nullptr && view != nullptr && !AreCompatible(*view, *own);
       });
     }},
    {"pNext-02679", "pNext", "VkSurfaceFullScreenExclusiveInfoEXT.fullScreenExclusive and a Win32 surface",
     [](S s) {
       return IsExclusive(s.info) && s.surface_created_by == vk::CommandId::kCreateWin32SurfaceKHR &&
              s.Next<VkSurfaceFullScreenExclusiveWin32InfoEXT>() == nullptr;
     }},
    {"VkSurfaceFullScreenExclusiveWin32InfoEXT-hmonitor-02673", "VkSurfaceFullScreenExclusiveWin32InfoEXT.hmonitor",
     "a monitor",
     [](S s) {
       const auto* const window = s.Next<VkSurfaceFullScreenExclusiveWin32InfoEXT>();
       return window != nullptr && window->hmonitor == nullptr;
     }},
    {"VkSwapchainDisplayNativeHdrCreateInfoAMD-localDimmingEnable-04449",
     "VkSwapchainDisplayNativeHdrCreateInfoAMD.localDimmingEnable", "the surface",
     [](S s) {
       const auto* const hdr = s.Next<VkSwapchainDisplayNativeHdrCreateInfoAMD>();
       return hdr != nullptr && hdr->localDimmingEnable == VK_TRUE && !s.query.CanDim();
     }},
    {"VkSwapchainCounterCreateInfoEXT-surfaceCounters-01244", "VkSwapchainCounterCreateInfoEXT.surfaceCounters",
     "the surface",
     [](S s) {
       const auto* const counter = s.Next<VkSwapchainCounterCreateInfoEXT>();
       return counter != nullptr && (counter->surfaceCounters & ~s.query.Counters()) != 0;
     }},
    {"VkSwapchainPresentModesCreateInfoEXT-presentMode-07764", kOwnModes, "presentMode",
     [](S s) {
       return s.Next<VkSwapchainPresentModesCreateInfoEXT>() != nullptr &&
              !s.AnyOwnMode([&](VkPresentModeKHR mode) { return mode == s.info.presentMode; });
     }},
    {"VkSwapchainPresentModesCreateInfoEXT-None-07762", kOwnModes, "the surface",
     [](S s) { return s.AnyOwnMode([&](auto mode) { return mode != s.info.presentMode && s.IsUnknown(mode); }); }},
    {"VkSwapchainPresentModesCreateInfoEXT-pPresentModes-07763", kOwnModes, "presentMode",
     [](S s) { return s.HasIncompatibleMode(); }},
};

// The rules of a member of VkSwapchainPresentScalingCreateInfoEXT: it has several bits, the surface does not support
// them with presentMode, or with one of several modes.
struct ScalingRule {
  vk::VuidIndex several, of_mode, of_other_mode;
  std::string_view member;
  VkFlags VkSwapchainPresentScalingCreateInfoEXT::* asked;
  VkFlags VkSurfacePresentScalingCapabilitiesEXT::* supported;
};
constexpr ScalingRule kScalingRules[] = {
    {vk::Vuid("VUID-VkSwapchainPresentScalingCreateInfoEXT-scalingBehavior-07767"),
     vk::Vuid("VUID-VkSwapchainPresentScalingCreateInfoEXT-scalingBehavior-07770"),
     vk::Vuid("VUID-VkSwapchainPresentScalingCreateInfoEXT-scalingBehavior-07771"),
     "VkSwapchainPresentScalingCreateInfoEXT.scalingBehavior", &VkSwapchainPresentScalingCreateInfoEXT::scalingBehavior,
     &VkSurfacePresentScalingCapabilitiesEXT::supportedPresentScaling},
    {vk::Vuid("VUID-VkSwapchainPresentScalingCreateInfoEXT-presentGravityX-07768"),
     vk::Vuid("VUID-VkSwapchainPresentScalingCreateInfoEXT-presentGravityX-07772"),
     vk::Vuid("VUID-VkSwapchainPresentScalingCreateInfoEXT-presentGravityX-07773"),
     "VkSwapchainPresentScalingCreateInfoEXT.presentGravityX", &VkSwapchainPresentScalingCreateInfoEXT::presentGravityX,
     &VkSurfacePresentScalingCapabilitiesEXT::supportedPresentGravityX},
    {vk::Vuid("VUID-VkSwapchainPresentScalingCreateInfoEXT-presentGravityY-07769"),
     vk::Vuid("VUID-VkSwapchainPresentScalingCreateInfoEXT-presentGravityY-07774"),
     vk::Vuid("VUID-VkSwapchainPresentScalingCreateInfoEXT-presentGravityY-07775"),
     "VkSwapchainPresentScalingCreateInfoEXT.presentGravityY", &VkSwapchainPresentScalingCreateInfoEXT::presentGravityY,
     &VkSurfacePresentScalingCapabilitiesEXT::supportedPresentGravityY},
};
void CheckScaling(S s, CreationCheck& check) {
  if (s.scaling == nullptr) return;
  for (const ScalingRule& rule : kScalingRules) {
    const VkFlags asked = s.scaling->*rule.asked;
    // A largest extent of 0 tells that the driver did not fill the structure.
    const auto lacks = [&](VkPresentModeKHR mode) {
      const VkSurfacePresentScalingCapabilitiesEXT of = s.ScalingOf(mode);
      return of.maxScaledImageExtent.width != 0 && (asked & ~(of.*rule.supported)) != 0;
    };
    if (std::popcount(asked) > 1) {
      check.Report(rule.several, rule.member, "more than one bit");
    } else if (asked != 0 && lacks(s.info.presentMode)) {
      check.Report(rule.of_mode, rule.member, "the surface and presentMode");
    } else if (asked != 0 && s.AnyOwnMode(lacks)) {
      check.Report(rule.of_other_mode, rule.member, absl::StrCat("the surface and ", kOwnModes));
    }
  }
}

// Whether there are images like those of the swapchain. True if the driver does not say, and for mutable ones, whose
// views may have other usages.
bool AreImagesSupported(const dispatch::Device& device, const VkSwapchainCreateInfoKHR& info) {
  if ((info.flags & ~VkFlags{VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR}) != 0) return true;
  VkImageFormatProperties answer = {};
  const VkResult result = AskDriver<vk::GetPhysicalDeviceImageFormatProperties>(
      device.instance, device.physical_device->handle, info.imageFormat, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
      info.imageUsage, info.flags != 0 ? VkFlags{VK_IMAGE_CREATE_PROTECTED_BIT} : 0, &answer);
  if (result != VK_SUCCESS) return result != VK_ERROR_FORMAT_NOT_SUPPORTED;
  return IsBetween(info.imageExtent, {}, {answer.maxExtent.width, answer.maxExtent.height}) &&
         (answer.maxArrayLayers == 0 || info.imageArrayLayers <= answer.maxArrayLayers);
}

}  // namespace

void AddSwapchainIds(std::vector<vk::VuidIndex>& ids) { AddIds(kRules, ids); }

void SwapchainRules::CheckCreation(const VkSwapchainCreateInfoKHR& info, const Location& where, Report& report) const {
  const dispatch::Device& device = state_.device();
  SurfaceNotes* const notes = SurfaceNotes::Of(info.surface);
  if (notes == nullptr) return;
  const SurfaceQuery query(device.instance, device.physical_device->handle, info.surface);
  CreationCheck check(device, messages::Object(info.surface), SwapchainFacts::kOwner, &info, where, report);
  if (!notes->IsSupportedBy(*device.physical_device, query)) {
    return check.Report(vk::Vuid("VUID-VkSwapchainCreateInfoKHR-surface-01270"), "surface",
                        "any queue family of the device");
  }
  const SwapchainFacts facts = {device, info, notes->created_by, query, notes->Told(device.physical_device->handle)};
  if (facts.answers[0]) check.Name("VkSurfaceCapabilitiesKHR", "VkSurfaceCapabilitiesKHR", &*facts.answers[0]);
  check.Run(kRules, facts);
  CheckScaling(facts, check);
  if (check.has_reported() || AreImagesSupported(device, info)) return;
  check.Report(vk::Vuid("VUID-VkSwapchainCreateInfoKHR-imageFormat-01778"), "imageFormat",
               "imageUsage and imageExtent and imageArrayLayers");
}

void SwapchainRules::PreCallValidate(const vk::CreateSwapchainKHR& call, Report& report) const {
  const Location command = report.location();
  if (call.pCreateInfo != nullptr) CheckCreation(*call.pCreateInfo, command.Dot("pCreateInfo"), report);
}
void SwapchainRules::PreCallValidate(const vk::CreateSharedSwapchainsKHR& call, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; const auto& info : Items(call.pCreateInfos, call.swapchainCount))
    CheckCreation(info, command.Dot("pCreateInfos", i++), report);
}

}  // namespace assay::core
