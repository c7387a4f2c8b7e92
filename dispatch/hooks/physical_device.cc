// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/hooks/physical_device.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "vk/commands.h"
#include "vk/struct_info.h"
#include "vk/walk/load_store.h"

namespace assay::dispatch {
namespace {

ExtensionSet QueryExtensions(const NextTable& next, VkPhysicalDevice handle) {
  ExtensionSet result;
  const auto enumerate = Next<vk::EnumerateDeviceExtensionProperties>(next);
  uint32_t count = 0;
  if (enumerate == nullptr || enumerate(handle, nullptr, &count, nullptr) != VK_SUCCESS) return result;
  std::vector<VkExtensionProperties> properties(count);
  if (enumerate(handle, nullptr, &count, properties.data()) < VK_SUCCESS) return result;
  properties.resize(count);
  for (const VkExtensionProperties& each : properties) {
    if (const auto id = vk::FindExtension(each.extensionName)) result.set(static_cast<size_t>(*id));
  }
  return result;
}

bool HasPointer(const vk::StructInfo& info) {
  return std::ranges::any_of(info.members, [](const vk::MemberInfo& member) {
    return member.kind != vk::MemberKind::kNext && member.indirection != vk::Indirection::kInline;
  });
}

// All structures of the physical device, as one chain.
void QueryChainedProperties(PhysicalDevice& device, PFN_vkGetPhysicalDeviceProperties2 get, uint32_t api_version) {
  VkPhysicalDeviceProperties2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, nullptr, {}};
  const vk::StructInfo& head_info = *vk::FindStruct(head.sType);
  for (const vk::TypeIndex index : head_info.extended_by) {
    const vk::StructInfo& info = vk::Structs()[index];
    if (!IsProvided(info.core_version, info.extensions, api_version, device.supported_extensions) || HasPointer(info))
      continue;
    auto memory = std::make_unique<std::byte[]>(info.size);
    auto* const link = reinterpret_cast<VkBaseOutStructure*>(memory.get());
    link->sType = info.structure_type;
    link->pNext = static_cast<VkBaseOutStructure*>(head.pNext);
    head.pNext = link;
    device.chained_properties.emplace(info.structure_type, std::move(memory));
  }
  get(device.handle, &head);
}

bool IsAllowed(const vk::LimitInfo& limit, uint64_t value) {
  if (value == 0) return limit.required == 0 && limit.kind == vk::LimitKind::kOther;
  if (limit.required == 0 || limit.kind == vk::LimitKind::kOther) return true;
  return limit.kind == vk::LimitKind::kMost ? value >= limit.required : value <= limit.required;
}

// The members that rules written by hand compare with. 0 is no limit, and an empty range is none.
VkPhysicalDeviceLimits AllowedLimits(VkPhysicalDeviceLimits limits) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  for (uint32_t& most : limits.maxViewportDimensions) {
    if (most == 0) most = ~uint32_t{0};
  }
  if (limits.viewportBoundsRange[0] >= limits.viewportBoundsRange[1]) {
    limits.viewportBoundsRange[0] = -kLargest;
    limits.viewportBoundsRange[1] = kLargest;
  }
  if (limits.maxSamplerAnisotropy <= 0) limits.maxSamplerAnisotropy = kLargest;
  if (limits.maxSamplerLodBias <= 0) limits.maxSamplerLodBias = kLargest;
  return limits;
}

}  // namespace

bool IsProvided(uint32_t core_version, std::span<const uint16_t> extensions, uint32_t api_version,
                const ExtensionSet& set) {
  if (core_version == 0 && extensions.empty()) return true;
  if (core_version != 0 && core_version <= api_version) return true;
  return std::ranges::any_of(extensions, [&](uint16_t extension) { return set[extension]; });
}

const void* PhysicalDevice::Find(VkStructureType type) const {
  const auto found = chained_properties.find(type);
  return found == chained_properties.end() ? nullptr : found->second.get();
}

std::optional<uint64_t> PhysicalDevice::ReportedLimit(const vk::LimitInfo& limit) const {
  const bool is_core = limit.structure_type == VK_STRUCTURE_TYPE_MAX_ENUM;
  const void* const from = is_core ? &properties.limits : Find(limit.structure_type);
  if (from == nullptr) return std::nullopt;
  return vk::LoadUnsigned(static_cast<const char*>(from) + limit.offset, limit.size);
}

std::optional<uint64_t> PhysicalDevice::Limit(const vk::LimitInfo& limit) const {
  const std::optional<uint64_t> value = ReportedLimit(limit);
  return value.has_value() && IsAllowed(limit, *value) ? value : std::nullopt;
}

PhysicalDevice QueryPhysicalDevice(const NextTable& next, VkPhysicalDevice handle, uint32_t instance_version,
                                   const ExtensionSet& extensions) {
  PhysicalDevice device;
  device.handle = handle;
  Next<vk::GetPhysicalDeviceProperties>(next)(handle, &device.properties);
  device.limits = AllowedLimits(device.properties.limits);
  Next<vk::GetPhysicalDeviceMemoryProperties>(next)(handle, &device.memory_properties);
  uint32_t count = 0;
  const auto get_queue_families = Next<vk::GetPhysicalDeviceQueueFamilyProperties>(next);
  get_queue_families(handle, &count, nullptr);
  device.queue_families.resize(count);
  get_queue_families(handle, &count, device.queue_families.data());
  device.supported_extensions = QueryExtensions(next, handle);
  const uint32_t version = std::min(instance_version, device.properties.apiVersion);
  const auto get_properties2 = Next<vk::GetPhysicalDeviceProperties2>(next);
  const bool has_properties2 = version >= VK_API_VERSION_1_1 ||
                               extensions[static_cast<size_t>(vk::ExtensionId::kKhrGetPhysicalDeviceProperties2)];
  if (has_properties2 && get_properties2 != nullptr) QueryChainedProperties(device, get_properties2, version);
  return device;
}

}  // namespace assay::dispatch
