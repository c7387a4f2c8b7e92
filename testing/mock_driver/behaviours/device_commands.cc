// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Devices, queues, objects from pools, and deferred operations.

#include <algorithm>
#include <vector>

#include "testing/mock_driver/behaviours/implemented_commands.h"
#include "testing/mock_driver/behaviours/write_array.h"
#include "testing/mock_driver/mock_driver.h"
#include "testing/mock_driver/objects.h"

namespace assay::test {
namespace {

VkQueue GetQueue(VkDevice device, uint32_t family, uint32_t index) {
  auto* object = reinterpret_cast<DispatchableObject*>(device);
  uint32_t wanted = family << 16 | index;
  auto found = std::find_if(object->children.begin(), object->children.end(),
                            [&](const DispatchableObject* queue) { return queue->index == wanted; });
  return found != object->children.end() ? reinterpret_cast<VkQueue>(*found) : VK_NULL_HANDLE;
}

void RemoveHandle(std::vector<uint64_t>& handles, uint64_t handle) {
  auto found = std::find(handles.rbegin(), handles.rend(), handle);
  if (found == handles.rend()) return;
  *found = handles.back();
  handles.pop_back();
}

}  // namespace

VkResult Execute(const vk::CreateDevice& call) {
  DispatchableObject* device = CreateDispatchable(VK_OBJECT_TYPE_DEVICE, 0, ToInteger(call.physicalDevice));
  for (uint32_t i = 0; i < call.pCreateInfo->queueCreateInfoCount; ++i) {
    const VkDeviceQueueCreateInfo& info = call.pCreateInfo->pQueueCreateInfos[i];
    for (uint32_t queue = 0; queue < info.queueCount; ++queue) {
      uint32_t index = info.queueFamilyIndex << 16 | queue;
      device->children.push_back(CreateDispatchable(VK_OBJECT_TYPE_QUEUE, index, ToInteger(device)));
    }
  }
  *call.pDevice = reinterpret_cast<VkDevice>(device);
  return VK_SUCCESS;
}

void Execute(const vk::DestroyDevice& call) {
  DestroyDispatchable(call.device, VK_OBJECT_TYPE_DEVICE, vk::DestroyDevice::kName);
}

void Execute(const vk::GetDeviceQueue& call) {
  *call.pQueue = GetQueue(call.device, call.queueFamilyIndex, call.queueIndex);
}

void Execute(const vk::GetDeviceQueue2& call) {
  *call.pQueue = GetQueue(call.device, call.pQueueInfo->queueFamilyIndex, call.pQueueInfo->queueIndex);
}

void Execute(const vk::GetQueueCheckpointDataNV& call) {
  const std::vector<VkCheckpointDataNV>& checkpoints = MockDriver::Get().config().checkpoints;
  WriteArray(call.pCheckpointDataCount, call.pCheckpointData, checkpoints.size(),
             [&](VkCheckpointDataNV& element, uint32_t index) { element = checkpoints[index]; });
}

VkResult Execute(const vk::AllocateCommandBuffers& call) {
  uint64_t pool_handle = ToInteger(call.pAllocateInfo->commandPool);
  Object* pool = ObjectTable::Get().Find(pool_handle);
  for (uint32_t i = 0; i < call.pAllocateInfo->commandBufferCount; ++i) {
    DispatchableObject* command_buffer = CreateDispatchable(VK_OBJECT_TYPE_COMMAND_BUFFER, i, pool_handle);
    call.pCommandBuffers[i] = reinterpret_cast<VkCommandBuffer>(command_buffer);
    if (pool != nullptr) pool->children.push_back(ToInteger(command_buffer));
  }
  return VK_SUCCESS;
}

void Execute(const vk::FreeCommandBuffers& call) {
  Object* pool = FindObject(call.commandPool);
  for (uint32_t i = 0; i < call.commandBufferCount; ++i) {
    if (pool != nullptr) RemoveHandle(pool->children, ToInteger(call.pCommandBuffers[i]));
    DestroyDispatchable(call.pCommandBuffers[i], VK_OBJECT_TYPE_COMMAND_BUFFER, vk::FreeCommandBuffers::kName);
  }
}

VkResult Execute(const vk::AllocateDescriptorSets& call) {
  Object* pool = FindObject(call.pAllocateInfo->descriptorPool);
  for (uint32_t i = 0; i < call.pAllocateInfo->descriptorSetCount; ++i) {
    uint64_t set = ObjectTable::Get().Create(VK_OBJECT_TYPE_DESCRIPTOR_SET);
    call.pDescriptorSets[i] = ToHandle<VkDescriptorSet>(set);
    if (pool != nullptr) pool->children.push_back(set);
  }
  return VK_SUCCESS;
}

VkResult Execute(const vk::FreeDescriptorSets& call) {
  Object* pool = FindObject(call.descriptorPool);
  for (uint32_t i = 0; i < call.descriptorSetCount; ++i) {
    uint64_t set = ToInteger(call.pDescriptorSets[i]);
    if (pool != nullptr) RemoveHandle(pool->children, set);
    ObjectTable::Get().Destroy(set, VK_OBJECT_TYPE_DESCRIPTOR_SET, vk::FreeDescriptorSets::kName);
  }
  return VK_SUCCESS;
}

VkResult Execute(const vk::ResetDescriptorPool& call) {
  Object* pool = FindObject(call.descriptorPool);
  if (pool != nullptr) ObjectTable::Get().DestroyChildren(*pool, vk::ResetDescriptorPool::kName);
  return VK_SUCCESS;
}

VkResult Execute(const vk::CreateDeferredOperationKHR& call) {
  Object* object;
  uint64_t handle = ObjectTable::Get().Create(VK_OBJECT_TYPE_DEFERRED_OPERATION_KHR, &object);
  object->value = MockDriver::Get().config().deferred_operation_joins;
  *call.pDeferredOperation = ToHandle<VkDeferredOperationKHR>(handle);
  return VK_SUCCESS;
}

VkResult Execute(const vk::DeferredOperationJoinKHR& call) {
  Object* object = FindObject(call.operation);
  if (object == nullptr || object->value == 0) return VK_SUCCESS;
  --object->value;
  return VK_THREAD_IDLE_KHR;
}

VkResult Execute(const vk::GetDeferredOperationResultKHR& call) {
  const Object* object = FindObject(call.operation);
  return object == nullptr || object->value == 0 ? VK_SUCCESS : VK_NOT_READY;
}

uint32_t Execute(const vk::GetDeferredOperationMaxConcurrencyKHR&) { return 1; }

}  // namespace assay::test
