// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/runner/objects.h"

#include <cstring>

#include "absl/strings/str_cat.h"

namespace assay::spirv_instrument::corpus {
namespace {

constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

VkBufferUsageFlags EveryUsage(const Device& device) {
  VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                             VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
                             VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                             VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                             VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  if (device.Has(VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME)) {
    usage |= VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
             VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
  }
  if (device.Has(VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME)) usage |= VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR;
  return usage;
}

}  // namespace

absl::Status Check(VkResult result, absl::string_view command) {
  if (result == VK_SUCCESS) return absl::OkStatus();
  const std::string message = absl::StrCat(command, " returned ", static_cast<int>(result));
  return result == VK_ERROR_DEVICE_LOST ? absl::UnavailableError(message) : absl::InternalError(message);
}

Objects::~Objects() {
  while (!destroyers_.empty()) {
    const std::function<void()> destroy = std::move(destroyers_.back());
    destroyers_.pop_back();
    destroy();
  }
}

absl::StatusOr<MappedBuffer> Objects::MakeBuffer(uint64_t size) {
  const test::Functions& vk = device_.vk();
  const VkDevice device = device_.handle();
  MappedBuffer buffer;
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = EveryUsage(device_)};
  if (absl::Status status = Check(vk.CreateBuffer(device, &info, nullptr, &buffer.handle), "vkCreateBuffer");
      !status.ok()) {
    return status;
  }
  Defer([this, handle = buffer.handle] { this->vk().DestroyBuffer(device_.handle(), handle, nullptr); });
  VkMemoryRequirements requirements = {};
  vk.GetBufferMemoryRequirements(device, buffer.handle, &requirements);
  VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                     .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  VkMemoryAllocateInfo memory_info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .pNext = &flags,
      .allocationSize = requirements.size,
      .memoryTypeIndex = device_.FindMemoryType(requirements.memoryTypeBits, kMapped),
  };
  VkDeviceMemory memory = VK_NULL_HANDLE;
  if (absl::Status status = Check(vk.AllocateMemory(device, &memory_info, nullptr, &memory), "vkAllocateMemory");
      !status.ok()) {
    return status;
  }
  Defer([this, memory] { this->vk().FreeMemory(device_.handle(), memory, nullptr); });
  void* mapped = nullptr;
  if (absl::Status status = Check(vk.MapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
      !status.ok()) {
    return status;
  }
  if (absl::Status status = Check(vk.BindBufferMemory(device, buffer.handle, memory, 0), "vkBindBufferMemory");
      !status.ok()) {
    return status;
  }
  buffer.memory = static_cast<uint8_t*>(mapped);
  std::memset(buffer.memory, 0, size);
  VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer.handle};
  buffer.address = vk.GetBufferDeviceAddress(device, &address);
  return buffer;
}

absl::Status Objects::Execute(absl::FunctionRef<void(VkCommandBuffer)> record) {
  const test::Functions& vk = device_.vk();
  const VkDevice device = device_.handle();
  VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = device_.command_pool(),
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  absl::Status status = Check(vk.AllocateCommandBuffers(device, &allocate, &commands), "vkAllocateCommandBuffers");
  if (!status.ok()) return status;
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  status = Check(vk.BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  if (status.ok()) {
    record(commands);
    status = Check(vk.EndCommandBuffer(commands), "vkEndCommandBuffer");
  }
  if (status.ok()) {
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    status = Check(vk.QueueSubmit(device_.queue(), 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  }
  if (status.ok()) status = Check(vk.QueueWaitIdle(device_.queue()), "vkQueueWaitIdle");
  vk.FreeCommandBuffers(device, device_.command_pool(), 1, &commands);
  return status;
}

}  // namespace assay::spirv_instrument::corpus
