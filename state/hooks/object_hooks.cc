// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceState's hooks for events, indirect commands layouts, query pools, acceleration structures, micromaps, device
// addresses and mapped memory.

#include "state/hooks/registration.h"
#include "state/objects/items.h"

namespace assay::state {
namespace {

template <class H>
uint64_t ToInteger(H handle) {
  return reinterpret_cast<uint64_t>(handle);
}

}  // namespace

void DeviceState::PostCallRecord(const vk::CreateEvent& call, VkResult result) {
  if (result == VK_SUCCESS) Add<Event>(*call.pEvent, ToInteger(*call.pEvent), *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::DestroyEvent& call) {
  queues_.RemoveEvent(call.event);
  Remove<Event>(call.event);
}
// Recorded before the call goes down, since a command buffer that waits for the event may continue at once.
void DeviceState::PreCallRecord(const vk::SetEvent& call) {
  if (auto* event = Get<Event>(call.event)) queues_.HostEvent(*event, true);
}
void DeviceState::PostCallRecord(const vk::SetEvent& call, VkResult result) {
  auto* event = Get<Event>(call.event);
  if (!Succeeded(result) && event != nullptr) queues_.UndoHostEvent(*event);
}
void DeviceState::PostCallRecord(const vk::GetEventStatus& call, VkResult result) {
  if (!Succeeded(result) || result != VK_EVENT_SET) return;
  if (auto* event = Get<Event>(call.event)) queues_.Observed(*event);
}
void DeviceState::PreCallRecord(const vk::ResetEvent& call) {
  if (auto* event = Get<Event>(call.event)) queues_.HostEvent(*event, false);
}
void DeviceState::PostCallRecord(const vk::ResetEvent& call, VkResult result) {
  auto* event = Get<Event>(call.event);
  if (!Succeeded(result) && event != nullptr) queues_.UndoHostEvent(*event);
}

void DeviceState::PostCallRecord(const vk::CreateIndirectCommandsLayoutEXT& call, VkResult result) {
  const VkIndirectCommandsLayoutEXT* const made = call.pIndirectCommandsLayout;
  if (result == VK_SUCCESS) Add<IndirectCommandsLayoutEXT>(*made, ToInteger(*made), *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::DestroyIndirectCommandsLayoutEXT& call) {
  Remove<IndirectCommandsLayoutEXT>(call.indirectCommandsLayout);
}
void DeviceState::PostCallRecord(const vk::CreateIndirectCommandsLayoutNV& call, VkResult result) {
  const VkIndirectCommandsLayoutNV* const made = call.pIndirectCommandsLayout;
  if (result == VK_SUCCESS) Add<IndirectCommandsLayoutNV>(*made, ToInteger(*made), *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::DestroyIndirectCommandsLayoutNV& call) {
  Remove<IndirectCommandsLayoutNV>(call.indirectCommandsLayout);
}

void DeviceState::PostCallRecord(const vk::CreateQueryPool& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  Add<QueryPool>(*call.pQueryPool, ToInteger(*call.pQueryPool), *call.pCreateInfo);
  queues_.AddQueries(*call.pQueryPool, *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::DestroyQueryPool& call) {
  queues_.RemoveQueries(call.queryPool);
  Remove<QueryPool>(call.queryPool);
}
void DeviceState::PreCallRecord(const vk::ResetQueryPool& call) {
  if (auto* pool = Get<QueryPool>(call.queryPool)) pool->reset.Add(call.firstQuery, call.queryCount);
  queues_.HostReset(call);
}
void DeviceState::PostCallRecord(const vk::GetQueryPoolResults& call, VkResult result) {
  if (Succeeded(result) && queues_.HasPendingBatches()) queues_.Observed(call, result);
}

void DeviceState::PostCallRecord(const vk::CreateAccelerationStructureKHR& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  Add<AccelerationStructure>(*call.pAccelerationStructure, ToInteger(*call.pAccelerationStructure), *call.pCreateInfo,
                             Ref<Buffer>(Get<Buffer>(call.pCreateInfo->buffer)));
}
void DeviceState::PreCallRecord(const vk::DestroyAccelerationStructureKHR& call) {
  auto* structure = Get<AccelerationStructure>(call.accelerationStructure);
  if (structure == nullptr) return;
  structure_addresses_.Remove(*structure);
  Remove<AccelerationStructure>(call.accelerationStructure);
}
void DeviceState::PostCallRecord(const vk::GetAccelerationStructureDeviceAddressKHR& call, VkDeviceAddress address) {
  if (call.pInfo == nullptr) return;
  auto* structure = Get<AccelerationStructure>(call.pInfo->accelerationStructure);
  if (structure != nullptr) structure_addresses_.Add(*structure, address);
}

void DeviceState::PostCallRecord(const vk::CreateAccelerationStructureNV& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  Add<AccelerationStructureNV>(*call.pAccelerationStructure, ToInteger(*call.pAccelerationStructure),
                               *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::DestroyAccelerationStructureNV& call) {
  Remove<AccelerationStructureNV>(call.accelerationStructure);
}
void DeviceState::PostCallRecord(const vk::BindAccelerationStructureMemoryNV& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  for (const auto& bind : Items(call.pBindInfos, call.bindInfoCount)) {
    auto* structure = Get<AccelerationStructureNV>(bind.accelerationStructure);
    auto* memory = Get<DeviceMemory>(bind.memory);
    if (structure == nullptr || memory == nullptr || bind.memoryOffset >= memory->size) continue;
    structure->memory = Ref<DeviceMemory>(memory);
    structure->address = memory->address + bind.memoryOffset;
  }
}

void DeviceState::PostCallRecord(const vk::CreateMicromapEXT& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  Add<Micromap>(*call.pMicromap, ToInteger(*call.pMicromap), *call.pCreateInfo,
                Ref<Buffer>(Get<Buffer>(call.pCreateInfo->buffer)));
}
void DeviceState::PreCallRecord(const vk::DestroyMicromapEXT& call) { Remove<Micromap>(call.micromap); }

void DeviceState::PostCallRecord(const vk::GetBufferDeviceAddress& call, VkDeviceAddress address) {
  auto* buffer = call.pInfo != nullptr ? Get<Buffer>(call.pInfo->buffer) : nullptr;
  if (buffer != nullptr) buffer_addresses_.Add(*buffer, address);
}

void DeviceState::PostCallRecord(const vk::MapMemory& call, VkResult result) {
  auto* memory = Get<DeviceMemory>(call.memory);
  if (result == VK_SUCCESS && memory != nullptr) memory->mapped = memory->Clamp(call.offset, call.size);
}
void DeviceState::PostCallRecord(const vk::MapMemory2& call, VkResult result) {
  const VkMemoryMapInfo& info = *call.pMemoryMapInfo;
  auto* memory = Get<DeviceMemory>(info.memory);
  if (result == VK_SUCCESS && memory != nullptr) memory->mapped = memory->Clamp(info.offset, info.size);
}
void DeviceState::PreCallRecord(const vk::UnmapMemory& call) {
  if (auto* memory = Get<DeviceMemory>(call.memory)) memory->mapped = {};
}
void DeviceState::PostCallRecord(const vk::UnmapMemory2& call, VkResult result) {
  auto* memory = Get<DeviceMemory>(call.pMemoryUnmapInfo->memory);
  if (result == VK_SUCCESS && memory != nullptr) memory->mapped = {};
}

}  // namespace assay::state
