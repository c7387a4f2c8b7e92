// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Memory that the host maps, flushes, invalidates and unmaps.

#include <bit>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/memory/memory_rules.h"
#include "state/state.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using vk::FeatureId;
using vk::Vuid;

// Memory without a size has that of what is imported.
const state::DeviceMemory* Find(VkDeviceMemory handle) {
  const auto* const memory = DeviceState::Get<state::DeviceMemory>(handle);
  return memory != nullptr && memory->size != 0 ? memory : nullptr;
}

bool IsMapped(const state::DeviceMemory& memory) { return memory.mapped.begin != memory.mapped.end; }

std::string TextOf(const state::DeviceMemory& memory) {
  return absl::StrCat("the mapped bytes (from ", memory.mapped.begin, " to ", memory.mapped.end, ")");
}

// The rules that both commands have.
void CheckMap(VkDeviceMemory handle, const MemoryFacts& facts, vk::VuidIndex again, vk::VuidIndex instances,
              const Location& where, Report& report) {
  const auto* const memory = Find(handle);
  if (memory == nullptr) return;
  if (IsMapped(*memory)) report.Error(again, {Object(handle)}, where, "is mapped already.");
  if (std::popcount(facts.device_mask) > 1) {
    report.Error(instances, {Object(handle)}, where,
                 absl::StrCat("has an instance for each device of deviceMask (0x", absl::Hex(facts.device_mask), ")."));
  }
}

void CheckUnmap(VkDeviceMemory handle, vk::VuidIndex id, const Location& where, Report& report) {
  const auto* const memory = Find(handle);
  if (memory != nullptr && !IsMapped(*memory)) report.Error(id, {Object(handle)}, where, "is not mapped.");
}

// What memory that is imported from the host can not do.
void CheckHostImport(const MemoryFacts& facts, bool is_set, vk::VuidIndex id, std::string_view flag,
                     const Location& where, Report& report) {
  constexpr VkExternalMemoryHandleTypeFlags kHost = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT |
                                                    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT;
  if (is_set && facts.has_imported(kHost))
    report.Error(id, {}, where.Dot("flags"), absl::StrCat("has ", flag, ", but the memory is imported from the host."));
}

// Where the application wants the memory.
void CheckPlaced(const dispatch::Device& device, const VkMemoryMapInfo& info, const MemoryFacts& facts,
                 const Location& where, Report& report) {
  if ((info.flags & VK_MEMORY_MAP_PLACED_BIT_EXT) == 0) return;
  const auto require = [&](bool holds, vk::VuidIndex id, const Location& at, const auto&... text) {
    if (!holds) report.Error(id, {Object(info.memory)}, at, absl::StrCat(text...));
  };
  const auto* const memory = Find(info.memory);
  const auto* const placed = vk::FindInChain<VkMemoryMapPlacedInfoEXT>(info.pNext);
  const auto* const limits = device.physical_device->Find<VkPhysicalDeviceMapMemoryPlacedPropertiesEXT>();
  const VkDeviceSize alignment = limits != nullptr ? limits->minPlacedMemoryMapAlignment : 0;
  const auto check_multiple = [&](VkDeviceSize value, vk::VuidIndex id, const Location& at, std::string_view name) {
    require(alignment == 0 || value % alignment == 0, id, at, "(", name, value,
            ") is not a multiple of minPlacedMemoryMapAlignment (", alignment, ").");
  };
  CheckHostImport(facts, true, Vuid("VUID-VkMemoryMapInfo-flags-09575"), "VK_MEMORY_MAP_PLACED_BIT_EXT", where, report);
  require(placed != nullptr, Vuid("VUID-VkMemoryMapInfo-flags-09570"), where.Dot("pNext"),
          "has no VkMemoryMapPlacedInfoEXT.");
  if (placed != nullptr) {
    const Location address = where.Next("VkMemoryMapPlacedInfoEXT", "pPlacedAddress");
    require(placed->pPlacedAddress != nullptr, Vuid("VUID-VkMemoryMapPlacedInfoEXT-flags-09576"), address, "is NULL.");
    check_multiple(reinterpret_cast<uintptr_t>(placed->pPlacedAddress),
                   Vuid("VUID-VkMemoryMapPlacedInfoEXT-pPlacedAddress-09577"), address, "");
  }
  const bool is_whole = info.size == VK_WHOLE_SIZE;
  if (!is_whole) check_multiple(info.size, Vuid("VUID-VkMemoryMapInfo-flags-09574"), where.Dot("size"), "");
  if (device.HasFeature(FeatureId::kMemoryMapRangePlaced))
    check_multiple(info.offset, Vuid("VUID-VkMemoryMapInfo-flags-09573"), where.Dot("offset"), "");
  if (memory == nullptr) return;
  if (is_whole)
    check_multiple(memory->size, Vuid("VUID-VkMemoryMapInfo-flags-09651"), where.Dot("size"), "that of memory, ");
  require(is_whole || info.size == memory->size || device.HasFeature(FeatureId::kMemoryMapRangePlaced),
          Vuid("VUID-VkMemoryMapInfo-flags-09572"), where.Dot("size"), "(", info.size, ") is not that of memory (",
          memory->size, "), and memoryMapRangePlaced is not enabled.");
}

// One VkMappedMemoryRange.
void CheckRange(const VkMappedMemoryRange& range, VkDeviceSize atom, const Location& where, Report& report) {
  const auto* const memory = Find(range.memory);
  if (memory == nullptr) return;
  const auto require = [&](bool holds, vk::VuidIndex id, std::string_view member, const auto&... text) {
    if (!holds) report.Error(id, {Object(range.memory)}, where.Dot(member), absl::StrCat(text...));
  };
  const auto [begin, end] = memory->mapped;
  require(IsMapped(*memory), Vuid("VUID-VkMappedMemoryRange-memory-00684"), "memory", "is not mapped.");
  if (!IsMapped(*memory)) return;
  const bool begins_inside = begin <= range.offset && range.offset <= end;
  if (range.size == VK_WHOLE_SIZE) {
    require(begins_inside, Vuid("VUID-VkMappedMemoryRange-size-00686"), "offset", "(", range.offset, ") is not in ",
            TextOf(*memory), ".");
    require(end % atom == 0 || end == memory->size, Vuid("VUID-VkMappedMemoryRange-size-01389"), "size",
            "is VK_WHOLE_SIZE, but the end of ", TextOf(*memory), " is neither a multiple of nonCoherentAtomSize (",
            atom, ") nor the end of memory (", memory->size, ").");
    return;
  }
  require(begins_inside && range.size <= end - range.offset, Vuid("VUID-VkMappedMemoryRange-size-00685"), "size", "(",
          range.size, ") from offset (", range.offset, ") on is not within ", TextOf(*memory), ".");
  require(range.size % atom == 0 || range.size + range.offset == memory->size,
          Vuid("VUID-VkMappedMemoryRange-size-01390"), "size", "(", range.size,
          ") is not a multiple of nonCoherentAtomSize (", atom, "), and does not reach to the end of memory (",
          memory->size, ").");
}

template <class C>
void CheckRanges(const dispatch::Device& device, const C& call, Report& report) {
  const Location command = report.location();
  const VkDeviceSize atom = std::max<VkDeviceSize>(device.physical_device->properties.limits.nonCoherentAtomSize, 1);
  for (uint32_t i = 0; call.pMemoryRanges != nullptr && i < call.memoryRangeCount; ++i)
    CheckRange(call.pMemoryRanges[i], atom, command.Dot("pMemoryRanges", i), report);
}

}  // namespace

void MemoryRules::PreCallValidate(const vk::MapMemory& call, Report& report) const {
  const Location command = report.location();
  CheckMap(call.memory, noted_.Of(call.memory), Vuid("VUID-vkMapMemory-memory-00678"),
           Vuid("VUID-vkMapMemory-memory-00683"), command.Dot("memory"), report);
  if ((call.flags & VK_MEMORY_MAP_PLACED_BIT_EXT) == 0) return;
  report.Error(Vuid("VUID-vkMapMemory-flags-09568"), {Object(call.memory)}, command.Dot("flags"),
               "has VK_MEMORY_MAP_PLACED_BIT_EXT.", "Call vkMapMemory2().");
}
void MemoryRules::PreCallValidate(const vk::MapMemory2& call, Report& report) const {
  if (call.pMemoryMapInfo == nullptr) return;
  const Location command = report.location();
  const Location where = command.Dot("pMemoryMapInfo");
  const MemoryFacts facts = noted_.Of(call.pMemoryMapInfo->memory);
  CheckMap(call.pMemoryMapInfo->memory, facts, Vuid("VUID-VkMemoryMapInfo-memory-07958"),
           Vuid("VUID-VkMemoryMapInfo-memory-07963"), where.Dot("memory"), report);
  CheckPlaced(device_, *call.pMemoryMapInfo, facts, where, report);
}

void MemoryRules::PreCallValidate(const vk::UnmapMemory& call, Report& report) const {
  CheckUnmap(call.memory, Vuid("VUID-vkUnmapMemory-memory-00689"), report.location().Dot("memory"), report);
}
void MemoryRules::PreCallValidate(const vk::UnmapMemory2& call, Report& report) const {
  if (call.pMemoryUnmapInfo == nullptr) return;
  const VkMemoryUnmapInfo& info = *call.pMemoryUnmapInfo;
  const Location command = report.location();
  const Location where = command.Dot("pMemoryUnmapInfo");
  CheckUnmap(info.memory, Vuid("VUID-VkMemoryUnmapInfo-memory-07964"), where.Dot("memory"), report);
  CheckHostImport(noted_.Of(info.memory), (info.flags & VK_MEMORY_UNMAP_RESERVE_BIT_EXT) != 0,
                  Vuid("VUID-VkMemoryUnmapInfo-flags-09580"), "VK_MEMORY_UNMAP_RESERVE_BIT_EXT", where, report);
}

void MemoryRules::PreCallValidate(const vk::FlushMappedMemoryRanges& call, Report& report) const {
  CheckRanges(device_, call, report);
}
void MemoryRules::PreCallValidate(const vk::InvalidateMappedMemoryRanges& call, Report& report) const {
  CheckRanges(device_, call, report);
}

}  // namespace assay::core
