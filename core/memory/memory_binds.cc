// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Memory that is bound to buffers and images.

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/memory/bind_place.h"
#include "core/memory/memory_requirements.h"
#include "core/memory/memory_rules.h"
#include "state/state.h"
#include "vk/enum_info.h"
#include "vk/families/vuid_families.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using vk::AnyFamilyVuid;
using vk::FeatureId;
using vk::Vuid;

template <class C>
constexpr RequirementIds kRequired = {AnyFamilyVuid<C>("memory-01035", "memory-01047", "pNext-01615"),
                                      AnyFamilyVuid<C>("memoryOffset-01036", "memoryOffset-01048", "pNext-01616"),
                                      AnyFamilyVuid<C>("size-01037", "size-01049", "pNext-01617")};
constexpr RequirementIds kRequiredOfPlane = {Vuid("VUID-VkBindImageMemoryInfo-pNext-01619"),
                                             Vuid("VUID-VkBindImageMemoryInfo-pNext-01620"),
                                             Vuid("VUID-VkBindImageMemoryInfo-pNext-01621")};

// Whether a resource is protected as its memory is, which decides of memory types, too.
template <class C>
bool CheckProtection(const Place& at, bool is_protected) {
  if (is_protected == ((at.memory.properties & VK_MEMORY_PROPERTY_PROTECTED_BIT) != 0)) return true;
  at.Require(false,
             is_protected ? AnyFamilyVuid<C>("None-01898", "None-01901") : AnyFamilyVuid<C>("None-01899", "None-01902"),
             "memory", [&] {
               return absl::StrCat(is_protected ? "is not protected, but " : "is protected, but ", at.resource(),
                                   is_protected ? " is." : " is not.");
             });
  return false;
}

// The handle types of external memory. One of those that the memory is exported as is enough.
template <class C>
void CheckExternal(const Place& at, const MemoryFacts& memory, const ResourceFacts& resource) {
  const auto names = [](VkExternalMemoryHandleTypeFlags types) {
    return vk::FlagsToString(vk::EnumId::kExternalMemoryHandleTypeFlagBits, types);
  };
  const auto require = [&](bool holds, vk::VuidIndex id, std::string_view how, VkExternalMemoryHandleTypeFlags types) {
    at.Require(holds, id, "memory", [&] {
      return absl::StrCat("is ", how, " (", names(types), "), but ", at.resource(), " was created for ",
                          resource.external != 0 ? names(resource.external) : "no handle type", ".");
    });
  };
  require(memory.exported == 0 || memory.has_exported(resource.external),
          AnyFamilyVuid<C>("memory-02726", "memory-02728"), "exported", memory.exported);
  const VkExternalMemoryHandleTypeFlags missing = memory.imported & ~resource.external;
  require((missing & ~kHardwareBuffer) == 0, AnyFamilyVuid<C>("memory-02985", "memory-02989"), "imported", missing);
  require((missing & kHardwareBuffer) == 0, AnyFamilyVuid<C>("memory-02986", "memory-02990"), "imported", missing);
  at.Require(resource.collection == VK_NULL_HANDLE || memory.collection != VK_NULL_HANDLE,
             AnyFamilyVuid<C>("buffer-06408", "image-06392"), "memory", [&] {
               return absl::StrCat("is not imported from a buffer collection, but ", at.resource(), " is of one.");
             });
}

// Flags of VkMemoryAllocateFlagsInfo that the memory needs if `is_needed`.
void CheckFlag(const Place& at, const MemoryFacts& memory, bool is_needed, VkMemoryAllocateFlagBits flag,
               vk::VuidIndex id) {
  at.Require(!is_needed || (memory.flags & flag) != 0, id, "memory", [&] {
    return absl::StrCat("is allocated without ", vk::FlagsToString(vk::EnumId::kMemoryAllocateFlagBits, flag),
                        ", which ", at.resource(), " needs.");
  });
}

// A flag for descriptor buffers, which buffers and images have.
template <class C>
void CheckCaptureReplay(const Place& at, const MemoryFacts& memory, bool is_replayed) {
  CheckFlag(at, memory, is_replayed, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
            AnyFamilyVuid<C>("descriptorBufferCaptureReplay-08112", "descriptorBufferCaptureReplay-08113"));
  CheckFlag(at, memory, is_replayed, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
            AnyFamilyVuid<C>("buffer-09201", "image-09202"));
}

// Whether an image may have memory that is dedicated to another (VK_NV_dedicated_allocation_image_aliasing).
bool MayAlias(const state::Image& image, VkImage original) {
  const auto* const other = DeviceState::Get<state::Image>(original);
  if (other == nullptr) return true;
  const VkImageCreateInfo& a = image.create_info;
  const VkImageCreateInfo& b = other->create_info;
  const auto same = [](const VkImageCreateInfo& info) {
    return std::tuple(info.flags, info.imageType, info.format, info.mipLevels, info.samples, info.tiling, info.usage);
  };
  return same(a) == same(b) && a.extent.width <= b.extent.width && a.extent.height <= b.extent.height &&
         a.extent.depth <= b.extent.depth && a.arrayLayers <= b.arrayLayers;
}

// `to` and `to_nv`: the resources of this kind that the memory is dedicated to.
template <class C, class H>
void CheckDedicated(const dispatch::Device& device, const Place& at, const MemoryFacts& memory,
                    const ResourceFacts& resource, H to, H to_nv, bool is_required, bool may_alias) {
  const bool is_this = reinterpret_cast<uint64_t>(to) == at.object.handle;
  const auto text = [&at](H handle) {
    return [&at, handle] {
      const std::string whose = handle != H{} ? at.report.reporter().Describe(Object(handle)) : "nothing";
      return absl::StrCat("is dedicated to ", whose, ", and bound at byte ", at.offset, " to ", at.resource(), ".");
    };
  };
  const bool aliases = device.HasFeature(FeatureId::kDedicatedAllocationImageAliasing);
  at.Require(to == H{} || ((is_this || may_alias) && at.offset == 0),
             std::is_same_v<H, VkImage> && aliases ? AnyFamilyVuid<C>("memory-02629")
                                                   : AnyFamilyVuid<C>("memory-01508", "memory-02628"),
             "memory", text(to));
  at.Require(to != H{} || !is_required, AnyFamilyVuid<C>("buffer-01444", "image-01445"), "memory", [&] {
    return absl::StrCat("is not dedicated to ", at.resource(),
                        ", but requiresDedicatedAllocation says that it must be.");
  });
  at.Require(!resource.is_dedicated_nv || (to_nv != H{} && at.offset == 0),
             AnyFamilyVuid<C>("buffer-01038", "image-01050"), "memory", text(to_nv));
  at.Require(!memory.is_dedicated() || resource.is_dedicated_nv ||
                 device.IsEnabled(vk::ExtensionId::kKhrDedicatedAllocation) ||
                 device.physical_device->properties.apiVersion >= VK_API_VERSION_1_1,
             AnyFamilyVuid<C>("apiVersion-07920", "apiVersion-07921"), "memory",
             [&] { return absl::StrCat("is dedicated to a resource, and bound to ", at.resource(), "."); });
}

template <class C>
void CheckBind(const dispatch::Device& device, const NotedMemory& noted, const VkBindBufferMemoryInfo& bind,
               const Location& where, Report& report) {
  const auto* const buffer = DeviceState::Get<state::Buffer>(bind.buffer);
  const auto* const memory = DeviceState::Get<state::DeviceMemory>(bind.memory);
  if (buffer == nullptr || memory == nullptr || memory->size == 0) return;
  const Place at = {Object(bind.buffer), bind.memory, *memory, bind.memoryOffset, where, report};
  const MemoryFacts facts = noted.Of(bind.memory);
  const ResourceFacts created = noted.Of(bind.buffer);
  const Requirements required = RequirementsOf(device, bind.buffer);
  if (CheckProtection<C>(at, (buffer->flags & VK_BUFFER_CREATE_PROTECTED_BIT) != 0))
    CheckRequirements(at, kRequired<C>, required.memory);
  CheckExternal<C>(at, facts, created);
  CheckDedicated<C>(device, at, facts, created, facts.dedicated.buffer, facts.dedicated_nv.buffer,
                    required.is_dedicated, false);
  CheckCaptureReplay<C>(at, facts, (buffer->flags & VK_BUFFER_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT) != 0);
  CheckFlag(at, facts, buffer->has_device_address() && device.HasFeature(FeatureId::kBufferDeviceAddress),
            VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, AnyFamilyVuid<C>("bufferDeviceAddress-03339"));
  CheckFlag(at, facts,
            (buffer->flags & VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT) != 0 &&
                device.HasFeature(FeatureId::kBufferDeviceAddressCaptureReplay),
            VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
            AnyFamilyVuid<C>("bufferDeviceAddressCaptureReplay-09200"));
}

// What stands in the chain of VkBindImageMemoryInfo. Returns the plane, 0 if the whole image is bound.
VkImageAspectFlagBits CheckImageChain(const dispatch::Device& device, const VkBindImageMemoryInfo& bind,
                                      const state::Image& image, const ResourceFacts& created, const Location& where,
                                      Report& report) {
  const auto require = [&](bool holds, vk::VuidIndex id, const Location& member, auto&&... text) {
    if (!holds) report.Error(id, {Object(bind.image)}, member, absl::StrCat(text...));
  };
  const auto* const plane = vk::FindInChain<VkBindImagePlaneMemoryInfo>(bind.pNext);
  const auto* const group = vk::FindInChain<VkBindImageMemoryDeviceGroupInfo>(bind.pNext);
  const auto* const of = vk::FindInChain<VkBindImageMemorySwapchainInfoKHR>(bind.pNext);
  const VkImageCreateInfo& info = image.create_info;
  const Location handle = where.Dot("image");
  const bool is_disjoint = (info.flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
  require(plane != nullptr || !is_disjoint, Vuid("VUID-VkBindImageMemoryInfo-image-07736"), handle,
          "is disjoint, but no VkBindImagePlaneMemoryInfo says which plane is bound.");
  require(plane == nullptr || is_disjoint, Vuid("VUID-VkBindImageMemoryInfo-pNext-01618"), handle,
          "is not disjoint, but a VkBindImagePlaneMemoryInfo names a plane.");
  if (plane != nullptr && is_disjoint) {
    const bool is_modified = info.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    require(IsPlane(info, plane->planeAspect),
            is_modified ? Vuid("VUID-VkBindImagePlaneMemoryInfo-planeAspect-02284")
                        : Vuid("VUID-VkBindImagePlaneMemoryInfo-planeAspect-02283"),
            where.Next("VkBindImagePlaneMemoryInfo", "planeAspect"), "(", vk::ToString(plane->planeAspect),
            ") is not one plane of the image.");
  }
  if (group != nullptr) {
    const Location regions = where.Next("VkBindImageMemoryDeviceGroupInfo", "splitInstanceBindRegionCount");
    require(group->deviceIndexCount == 0 || group->splitInstanceBindRegionCount == 0,
            Vuid("VUID-VkBindImageMemoryDeviceGroupInfo-deviceIndexCount-01633"), regions, "(",
            group->splitInstanceBindRegionCount, ") and deviceIndexCount (", group->deviceIndexCount,
            ") are both not 0.");
    require(
        group->splitInstanceBindRegionCount == 0 || (info.flags & VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT) != 0,
        Vuid("VUID-VkBindImageMemoryInfo-pNext-01627"), regions, "(", group->splitInstanceBindRegionCount,
        ") is not 0, but the image was created without VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT.");
  }
  require(created.swapchain == VK_NULL_HANDLE || (of != nullptr && of->swapchain == created.swapchain),
          Vuid("VUID-VkBindImageMemoryInfo-image-01630"), handle,
          "was created for a swapchain that no VkBindImageMemorySwapchainInfoKHR names.");
  if (of != nullptr && DeviceState::Get<state::Swapchain>(of->swapchain) != nullptr) {
    uint32_t count = UINT32_MAX;
    dispatch::CallNext(
        device, vk::GetSwapchainImagesKHR{device.handle, dispatch::DriverHandle(of->swapchain), &count, nullptr});
    require(of->imageIndex < count, Vuid("VUID-VkBindImageMemorySwapchainInfoKHR-imageIndex-01644"),
            where.Next("VkBindImageMemorySwapchainInfoKHR", "imageIndex"), "(", of->imageIndex,
            ") is not less than the number of images of the swapchain (", count, ").");
  }
  return plane != nullptr ? plane->planeAspect : VK_IMAGE_ASPECT_NONE;
}

template <class C>
void CheckBind(const dispatch::Device& device, const NotedMemory& noted, const VkBindImageMemoryInfo& bind,
               const Location& where, Report& report) {
  const auto* const image = DeviceState::Get<state::Image>(bind.image);
  if (image == nullptr) return;
  const ResourceFacts created = noted.Of(bind.image);
  VkImageAspectFlagBits plane = VK_IMAGE_ASPECT_NONE;
  if constexpr (std::is_same_v<C, vk::BindImageMemory2>)
    plane = CheckImageChain(device, bind, *image, created, where, report);
  const auto* const memory = DeviceState::Get<state::DeviceMemory>(bind.memory);
  if (memory == nullptr || memory->size == 0) return;
  const Place at = {Object(bind.image), bind.memory, *memory, bind.memoryOffset, where, report};
  const VkImageCreateFlags flags = image->create_info.flags;
  // Planes are bound one after the other.
  at.Require(!image->memory || (flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0 || created.may_be_bound,
             AnyFamilyVuid<C>("image-07460"), "image", [&] {
               return absl::StrCat("is ", at.resource(), ", which is bound to ",
                                   report.reporter().Describe({VK_OBJECT_TYPE_DEVICE_MEMORY, image->memory->handle()}),
                                   " already.");
             });
  const MemoryFacts facts = noted.Of(bind.memory);
  const Requirements required = RequirementsOf(device, *image, created, plane);
  if (CheckProtection<C>(at, (flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0))
    CheckRequirements(at, plane != VK_IMAGE_ASPECT_NONE ? kRequiredOfPlane : kRequired<C>, required.memory);
  CheckExternal<C>(at, facts, created);
  const VkImage original = facts.dedicated.image;
  CheckDedicated<C>(device, at, facts, created, original, facts.dedicated_nv.image, required.is_dedicated,
                    device.HasFeature(FeatureId::kDedicatedAllocationImageAliasing) && original != VK_NULL_HANDLE &&
                        MayAlias(*image, original));
  CheckCaptureReplay<C>(at, facts, (flags & VK_IMAGE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT) != 0);
}

template <class C>
void CheckBinds(const dispatch::Device& device, const NotedMemory& noted, const C& call, Report& report) {
  const Location command = report.location();
  if constexpr (std::is_same_v<C, vk::BindBufferMemory>) {
    CheckBind<C>(device, noted, VkBindBufferMemoryInfo{{}, nullptr, call.buffer, call.memory, call.memoryOffset},
                 command, report);
  } else if constexpr (std::is_same_v<C, vk::BindImageMemory>) {
    CheckBind<C>(device, noted, VkBindImageMemoryInfo{{}, nullptr, call.image, call.memory, call.memoryOffset}, command,
                 report);
  } else {
    for (uint32_t i = 0; call.pBindInfos != nullptr && i < call.bindInfoCount; ++i)
      CheckBind<C>(device, noted, call.pBindInfos[i], command.Dot("pBindInfos", i), report);
  }
}

}  // namespace

void MemoryRules::PreCallValidate(const vk::BindBufferMemory& call, Report& report) const {
  CheckBinds(device_, noted_, call, report);
}
void MemoryRules::PreCallValidate(const vk::BindBufferMemory2& call, Report& report) const {
  CheckBinds(device_, noted_, call, report);
}
void MemoryRules::PreCallValidate(const vk::BindImageMemory& call, Report& report) const {
  CheckBinds(device_, noted_, call, report);
}
void MemoryRules::PreCallValidate(const vk::BindImageMemory2& call, Report& report) const {
  CheckBinds(device_, noted_, call, report);
  const Location command = report.location();
  absl::flat_hash_set<std::pair<VkImage, VkImageAspectFlags>> bound;
  for (uint32_t i = 0; call.pBindInfos != nullptr && call.bindInfoCount > 1 && i < call.bindInfoCount; ++i) {
    const VkBindImageMemoryInfo& bind = call.pBindInfos[i];
    const auto* const plane = vk::FindInChain<VkBindImagePlaneMemoryInfo>(bind.pNext);
    if (bound.emplace(bind.image, plane != nullptr ? plane->planeAspect : 0).second) continue;
    report.Error(Vuid("VUID-vkBindImageMemory2-pBindInfos-04006"), {Object(bind.image)},
                 command.Dot("pBindInfos", i).Dot("image"),
                 absl::StrCat("(", report.reporter().Describe(Object(bind.image)), ") is bound by an element before."));
  }
}

void MemoryRules::PostCallRecord(const vk::BindImageMemory2& call, VkResult result) {
  if (result == VK_SUCCESS) return;
  for (const VkBindImageMemoryInfo& bind : state::Items(call.pBindInfos, call.bindInfoCount)) {
    // Then it is known whether the image is bound.
    if (vk::FindInChain<VkBindMemoryStatus>(bind.pNext) != nullptr) continue;
    ResourceFacts created = noted_.Of(bind.image);
    created.may_be_bound = true;
    noted_.resources.Set(bind.image, created);
  }
}

}  // namespace assay::core
