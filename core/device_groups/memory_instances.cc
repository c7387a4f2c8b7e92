// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Memory with an instance for each of several physical devices: the host does not access structures in it.

#include <bit>

#include "core/device_groups/device_group_rules.h"
#include "state/state.h"
#include "vk/chain.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using state::Items;
using vk::Vuid;

}  // namespace

void DeviceGroupRules::PostCallRecord(const vk::AllocateMemory& call, VkResult result) {
  if (result != VK_SUCCESS || size_ == 1) return;
  const auto* const flags = vk::FindInChain<VkMemoryAllocateFlagsInfo>(call.pAllocateInfo->pNext);
  const bool has_mask = flags != nullptr && (flags->flags & VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT) != 0;
  const VkPhysicalDeviceMemoryProperties& all = device_.physical_device->memory_properties;
  const uint32_t type = call.pAllocateInfo->memoryTypeIndex;
  const bool is_multiple = type < all.memoryTypeCount && (all.memoryHeaps[all.memoryTypes[type].heapIndex].flags &
                                                          VK_MEMORY_HEAP_MULTI_INSTANCE_BIT) != 0;
  if (has_mask ? std::popcount(flags->deviceMask) > 1 : is_multiple) multiple_.Set(*call.pMemory, true);
}

template <class T, class H>
void DeviceGroupRules::CheckInstances(H handle, vk::VuidIndex rule, const Location& where, Report& report) const {
  const auto* const structure = DeviceState::Get<T>(handle);
  if (size_ == 1 || structure == nullptr || !structure->buffer || !structure->buffer->memory) return;
  if (!multiple_.Find(structure->buffer->memory->handle())) return;
  report.Error(rule, {messages::Object(handle)}, where,
               "is in a buffer whose memory has an instance for each of several physical devices.");
}
template <class T, class H>
void DeviceGroupRules::CheckAllInstances(const H* handles, uint32_t count, vk::VuidIndex rule, std::string_view member,
                                         Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; i < Items(handles, count).size(); ++i)
    CheckInstances<T>(handles[i], rule, command.Dot(member, i), report);
}

using Structure = state::AccelerationStructure;

void DeviceGroupRules::PreCallValidate(const vk::BuildAccelerationStructuresKHR& call, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; i < Items(call.pInfos, call.infoCount).size(); ++i) {
    const VkAccelerationStructureBuildGeometryInfoKHR& info = call.pInfos[i];
    const Location where = command.Dot("pInfos", i);
    CheckInstances<Structure>(info.dstAccelerationStructure, Vuid("VUID-vkBuildAccelerationStructuresKHR-pInfos-03775"),
                              where.Dot("dstAccelerationStructure"), report);
    if (info.mode != VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR) continue;
    CheckInstances<Structure>(info.srcAccelerationStructure, Vuid("VUID-vkBuildAccelerationStructuresKHR-pInfos-03776"),
                              where.Dot("srcAccelerationStructure"), report);
  }
}
void DeviceGroupRules::PreCallValidate(const vk::BuildMicromapsEXT& call, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; i < Items(call.pInfos, call.infoCount).size(); ++i) {
    const Location where = command.Dot("pInfos", i);
    CheckInstances<state::Micromap>(call.pInfos[i].dstMicromap, Vuid("VUID-vkBuildMicromapsEXT-pInfos-07557"),
                                    where.Dot("dstMicromap"), report);
  }
}

// A member of pInfo.
template <class T, class H>
void DeviceGroupRules::CheckOperand(H handle, vk::VuidIndex rule, std::string_view member, Report& report) const {
  const Location command = report.location();
  const Location where = command.Dot("pInfo");
  CheckInstances<T>(handle, rule, where.Dot(member), report);
}

void DeviceGroupRules::PreCallValidate(const vk::CopyAccelerationStructureKHR& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  CheckOperand<Structure>(call.pInfo->src, Vuid("VUID-vkCopyAccelerationStructureKHR-buffer-03780"), "src", report);
  CheckOperand<Structure>(call.pInfo->dst, Vuid("VUID-vkCopyAccelerationStructureKHR-buffer-03781"), "dst", report);
}
void DeviceGroupRules::PreCallValidate(const vk::CopyMemoryToAccelerationStructureKHR& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  CheckOperand<Structure>(call.pInfo->dst, Vuid("VUID-vkCopyMemoryToAccelerationStructureKHR-buffer-03782"), "dst",
                          report);
}
void DeviceGroupRules::PreCallValidate(const vk::CopyAccelerationStructureToMemoryKHR& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  CheckOperand<Structure>(call.pInfo->src, Vuid("VUID-vkCopyAccelerationStructureToMemoryKHR-buffer-03783"), "src",
                          report);
}
void DeviceGroupRules::PreCallValidate(const vk::CopyMicromapEXT& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  CheckOperand<state::Micromap>(call.pInfo->src, Vuid("VUID-vkCopyMicromapEXT-buffer-07561"), "src", report);
  CheckOperand<state::Micromap>(call.pInfo->dst, Vuid("VUID-vkCopyMicromapEXT-buffer-07562"), "dst", report);
}
void DeviceGroupRules::PreCallValidate(const vk::CopyMemoryToMicromapEXT& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  CheckOperand<state::Micromap>(call.pInfo->dst, Vuid("VUID-vkCopyMemoryToMicromapEXT-buffer-07567"), "dst", report);
}
void DeviceGroupRules::PreCallValidate(const vk::CopyMicromapToMemoryEXT& call, Report& report) const {
  if (call.pInfo == nullptr) return;
  CheckOperand<state::Micromap>(call.pInfo->src, Vuid("VUID-vkCopyMicromapToMemoryEXT-buffer-07572"), "src", report);
}
void DeviceGroupRules::PreCallValidate(const vk::WriteAccelerationStructuresPropertiesKHR& call, Report& report) const {
  CheckAllInstances<Structure>(call.pAccelerationStructures, call.accelerationStructureCount,
                               Vuid("VUID-vkWriteAccelerationStructuresPropertiesKHR-buffer-03784"),
                               "pAccelerationStructures", report);
}
void DeviceGroupRules::PreCallValidate(const vk::WriteMicromapsPropertiesEXT& call, Report& report) const {
  CheckAllInstances<state::Micromap>(call.pMicromaps, call.micromapCount,
                                     Vuid("VUID-vkWriteMicromapsPropertiesEXT-buffer-07579"), "pMicromaps", report);
}

}  // namespace assay::core
