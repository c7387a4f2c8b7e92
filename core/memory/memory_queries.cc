// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Queries of what memory an image requires, of external handles, and of addresses.

#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/memory/memory_requirements.h"
#include "core/memory/memory_rules.h"
#include "state/state.h"
#include "vk/enum_info.h"
#include "vk/families/vuid_families.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using vk::AnyFamilyVuid;
using vk::Vuid;

// Images that have external memory of a platform's own say what they require when they are bound.
template <class C>
void CheckBound(const NotedMemory& noted, VkImage handle, const Location& where, Report& report) {
  const auto* const image = DeviceState::Get<state::Image>(handle);
  if (image == nullptr || image->memory) return;
  const VkExternalMemoryHandleTypeFlags external = noted.Of(handle).external;
  if ((external & (kHardwareBuffer | kScreenBuffer)) == 0) return;
  report.Error(
      (external & kHardwareBuffer) != 0 ? AnyFamilyVuid<C>("image-04004", "image-01897")
                                        : AnyFamilyVuid<C>("image-08960", "image-08961"),
      {Object(handle)}, where.Dot("image"),
      absl::StrCat("has external memory (", vk::FlagsToString(vk::EnumId::kExternalMemoryHandleTypeFlagBits, external),
                   "), but is not bound to memory."));
}

bool IsModified(VkImageTiling tiling) { return tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT; }

void CheckPlane(const VkImageCreateInfo& info, VkImageAspectFlagBits aspect, vk::VuidIndex id, const Location& where,
                Report& report) {
  if (IsPlane(info, aspect)) return;
  report.Error(id, {}, where,
               absl::StrCat("(", vk::ToString(aspect), ") is not one plane of an image with ",
                            vk::ToString(info.format), " and ", vk::ToString(info.tiling), "."));
}

// What the requirements of an image that is yet to be created are asked of.
template <class C>
void CheckCreateInfo(const C& call, Report& report) {
  if (call.pInfo == nullptr || call.pInfo->pCreateInfo == nullptr) return;
  const VkImageCreateInfo& info = *call.pInfo->pCreateInfo;
  const Location command = report.location();
  const Location where = command.Dot("pInfo");
  const Location created = where.Dot("pCreateInfo");
  const auto forbid = [&](const auto* link, vk::VuidIndex id, std::string_view name) {
    if (link != nullptr) report.Error(id, {}, created.Next(name), "must not be there.");
  };
  forbid(vk::FindInChain<VkImageSwapchainCreateInfoKHR>(info.pNext),
         Vuid("VUID-VkDeviceImageMemoryRequirements-pCreateInfo-06416"), "VkImageSwapchainCreateInfoKHR");
  forbid(vk::FindInChain<VkImageDrmFormatModifierExplicitCreateInfoEXT>(info.pNext),
         Vuid("VUID-VkDeviceImageMemoryRequirements-pCreateInfo-06776"),
         "VkImageDrmFormatModifierExplicitCreateInfoEXT");
  const auto* const android = vk::FindInChain<VkExternalFormatANDROID>(info.pNext);
  forbid(android != nullptr && android->externalFormat != 0 ? android : nullptr,
         Vuid("VUID-VkDeviceImageMemoryRequirements-pNext-06996"), "VkExternalFormatANDROID");
  const auto* const qnx = vk::FindInChain<VkExternalFormatQNX>(info.pNext);
  forbid(qnx != nullptr && qnx->externalFormat != 0 ? qnx : nullptr,
         Vuid("VUID-VkDeviceImageMemoryRequirements-pNext-08962"), "VkExternalFormatQNX");
  const bool is_disjoint = (info.flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
  const VkImageAspectFlagBits aspect = call.pInfo->planeAspect;
  if (!is_disjoint && (!IsModified(info.tiling) || aspect == VK_IMAGE_ASPECT_NONE)) return;
  CheckPlane(info, aspect,
             IsModified(info.tiling)          ? Vuid("VUID-VkDeviceImageMemoryRequirements-pCreateInfo-06420")
             : aspect == VK_IMAGE_ASPECT_NONE ? Vuid("VUID-VkDeviceImageMemoryRequirements-pCreateInfo-06417")
                                              : Vuid("VUID-VkDeviceImageMemoryRequirements-pCreateInfo-06419"),
             where.Dot("planeAspect"), report);
}

// Memory is exported as what it was allocated for.
void CheckExport(VkDeviceMemory memory, uint32_t exported, uint32_t type, vk::VuidIndex id, vk::EnumId types,
                 const Location& where, Report& report) {
  if (DeviceState::Get<state::DeviceMemory>(memory) == nullptr || (exported & type) != 0) return;
  report.Error(id, {Object(memory)}, where,
               absl::StrCat("(", vk::FlagsToString(types, type), ") is not among the handle types that the memory is ",
                            "exported as (", exported != 0 ? vk::FlagsToString(types, exported) : "none", ")."));
}
template <class C, class Info>
void CheckExport(const NotedMemory& noted, const Info* info, std::string_view parameter, Report& report) {
  if (info == nullptr) return;
  const Location command = report.location();
  const Location where = command.Dot(parameter);
  CheckExport(info->memory, noted.Of(info->memory).exported, info->handleType,
              AnyFamilyVuid<C>("handleType-00671", "handleType-00662", "handleType-04966", "handleType-10414",
                               "handleType-04776"),
              vk::EnumId::kExternalMemoryHandleTypeFlagBits, where.Dot("handleType"), report);
}

}  // namespace

void MemoryRules::PreCallValidate(const vk::GetImageMemoryRequirements& call, Report& report) const {
  CheckBound<vk::GetImageMemoryRequirements>(noted_, call.image, report.location(), report);
}
void MemoryRules::PreCallValidate(const vk::GetImageMemoryRequirements2& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  const Location command = report.location();
  const Location where = command.Dot("pInfo");
  CheckBound<vk::GetImageMemoryRequirements2>(noted_, call.pInfo->image, where, report);
  const auto* const image = DeviceState::Get<state::Image>(call.pInfo->image);
  if (image == nullptr) return;
  const VkImageCreateInfo& info = image->create_info;
  const auto* const plane = vk::FindInChain<VkImagePlaneMemoryRequirementsInfo>(call.pInfo->pNext);
  const auto require = [&](bool holds, vk::VuidIndex id, std::string_view text) {
    if (!holds) report.Error(id, {Object(call.pInfo->image)}, where.Dot("pNext"), absl::StrCat("has ", text));
  };
  const bool is_disjoint = (info.flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
  const bool is_modified = IsModified(info.tiling);
  if (plane == nullptr) {
    return require(!is_disjoint || !HasPlanes(info),
                   is_modified ? Vuid("VUID-VkImageMemoryRequirementsInfo2-image-02279")
                               : Vuid("VUID-VkImageMemoryRequirementsInfo2-image-01589"),
                   "no VkImagePlaneMemoryRequirementsInfo, but the image is disjoint.");
  }
  require(is_disjoint, Vuid("VUID-VkImageMemoryRequirementsInfo2-image-01590"),
          "a VkImagePlaneMemoryRequirementsInfo, but the image is not disjoint.");
  require(!is_disjoint || HasPlanes(info) || info.format == VK_FORMAT_UNDEFINED,
          Vuid("VUID-VkImageMemoryRequirementsInfo2-image-02280"),
          "a VkImagePlaneMemoryRequirementsInfo, but the format of the image has one plane.");
  if (!is_disjoint) return;
  CheckPlane(info, plane->planeAspect,
             is_modified ? Vuid("VUID-VkImagePlaneMemoryRequirementsInfo-planeAspect-02282")
                         : Vuid("VUID-VkImagePlaneMemoryRequirementsInfo-planeAspect-02281"),
             where.Next("VkImagePlaneMemoryRequirementsInfo", "planeAspect"), report);
}
void MemoryRules::PreCallValidate(const vk::GetDeviceImageMemoryRequirements& call, Report& report) const {
  CheckCreateInfo(call, report);
}
void MemoryRules::PreCallValidate(const vk::GetDeviceImageSparseMemoryRequirements& call, Report& report) const {
  CheckCreateInfo(call, report);
}

void MemoryRules::PreCallValidate(const vk::GetDeviceMemoryOpaqueCaptureAddress& call, Report& report) const {
  if (call.pInfo == nullptr || DeviceState::Get<state::DeviceMemory>(call.pInfo->memory) == nullptr) return;
  if ((noted_.Of(call.pInfo->memory).flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT) != 0) return;
  const Location command = report.location();
  report.Error(Vuid("VUID-VkDeviceMemoryOpaqueCaptureAddressInfo-memory-03336"), {Object(call.pInfo->memory)},
               command.Dot("pInfo").Dot("memory"), "is allocated without VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT.");
}

void MemoryRules::PreCallValidate(const vk::GetMemoryHostPointerPropertiesEXT& call, Report& report) const {
  const auto* const limits = device_.physical_device->Find<VkPhysicalDeviceExternalMemoryHostPropertiesEXT>();
  const VkDeviceSize alignment = limits != nullptr ? limits->minImportedHostPointerAlignment : 0;
  const auto address = reinterpret_cast<uintptr_t>(call.pHostPointer);
  if (alignment == 0 || address % alignment == 0) return;
  report.Error(Vuid("VUID-vkGetMemoryHostPointerPropertiesEXT-pHostPointer-01753"), {},
               report.location().Dot("pHostPointer"),
               absl::StrCat("(0x", absl::Hex(address), ") is not a multiple of minImportedHostPointerAlignment (",
                            alignment, ")."));
}

void MemoryRules::PreCallValidate(const vk::GetMemoryFdKHR& call, Report& report) const {
  CheckExport<vk::GetMemoryFdKHR>(noted_, call.pGetFdInfo, "pGetFdInfo", report);
}
void MemoryRules::PreCallValidate(const vk::GetMemoryRemoteAddressNV& call, Report& report) const {
  CheckExport<vk::GetMemoryRemoteAddressNV>(noted_, call.pMemoryGetRemoteAddressInfo, "pMemoryGetRemoteAddressInfo",
                                            report);
}
void MemoryRules::PreCallValidate(const vk::GetMemoryMetalHandleEXT& call, Report& report) const {
  CheckExport<vk::GetMemoryMetalHandleEXT>(noted_, call.pGetMetalHandleInfo, "pGetMetalHandleInfo", report);
}
void MemoryRules::PreCallValidate(const vk::GetMemoryZirconHandleFUCHSIA& call, Report& report) const {
  CheckExport<vk::GetMemoryZirconHandleFUCHSIA>(noted_, call.pGetZirconHandleInfo, "pGetZirconHandleInfo", report);
}
void MemoryRules::PreCallValidate(const vk::GetMemoryWin32HandleKHR& call, Report& report) const {
  const auto* const info = call.pGetWin32HandleInfo;
  CheckExport<vk::GetMemoryWin32HandleKHR>(noted_, info, "pGetWin32HandleInfo", report);
  if (info == nullptr || (info->handleType & kWin32Handles) != 0) return;
  const Location command = report.location();
  report.Error(Vuid("VUID-VkMemoryGetWin32HandleInfoKHR-handleType-00664"), {Object(info->memory)},
               command.Dot("pGetWin32HandleInfo").Dot("handleType"),
               absl::StrCat("(", vk::ToString(info->handleType), ") is neither an NT nor a global share handle."));
}
void MemoryRules::PreCallValidate(const vk::GetMemoryWin32HandleNV& call, Report& report) const {
  CheckExport(call.memory, noted_.Of(call.memory).exported_nv, call.handleType,
              Vuid("VUID-vkGetMemoryWin32HandleNV-handleType-01326"), vk::EnumId::kExternalMemoryHandleTypeFlagBitsNV,
              report.location().Dot("handleType"), report);
}
void MemoryRules::PreCallValidate(const vk::GetMemoryAndroidHardwareBufferANDROID& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  const MemoryFacts facts = noted_.Of(call.pInfo->memory);
  const Location command = report.location();
  const Location where = command.Dot("pInfo");
  CheckExport(call.pInfo->memory, facts.exported, kHardwareBuffer,
              Vuid("VUID-VkMemoryGetAndroidHardwareBufferInfoANDROID-handleTypes-01882"),
              vk::EnumId::kExternalMemoryHandleTypeFlagBits, where.Dot("memory"), report);
  const auto* const image = DeviceState::Get<state::Image>(facts.dedicated.image);
  if (image == nullptr || image->memory) return;
  report.Error(Vuid("VUID-VkMemoryGetAndroidHardwareBufferInfoANDROID-pNext-01883"), {Object(call.pInfo->memory)},
               where.Dot("memory"),
               absl::StrCat("is dedicated to ", report.reporter().Describe(Object(facts.dedicated.image)),
                            ", which is not bound to it."));
}

}  // namespace assay::core
