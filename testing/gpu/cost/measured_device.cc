// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/gpu/cost/measured_device.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "testing/gpu/cost/median.h"

namespace assay::test {
namespace {

using Clock = std::chrono::steady_clock;

void Require(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "%s returned %d.\n", what, result);
  // The device may be lost, so that nothing is destroyed.
  std::_Exit(1);
}

}  // namespace

void PrintResult(const std::string& name, double value, const char* unit) {
  std::printf("%s %.4g %s\n", name.c_str(), value, unit);
  std::fflush(stdout);
}

MeasuredDevice::MeasuredDevice(const Sizes& sizes) : sizes_(sizes) {
  VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                 .synchronization2 = VK_TRUE,
                                                 .dynamicRendering = VK_TRUE};
  VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = &features13,
                                                 .shaderSampledImageArrayNonUniformIndexing = VK_TRUE,
                                                 .shaderStorageBufferArrayNonUniformIndexing = VK_TRUE,
                                                 .runtimeDescriptorArray = VK_TRUE,
                                                 .timelineSemaphore = VK_TRUE,
                                                 .bufferDeviceAddress = VK_TRUE};
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features12};
  features.features.shaderStorageImageWriteWithoutFormat = VK_TRUE;
  features.features.shaderSampledImageArrayDynamicIndexing = VK_TRUE;
  features.features.shaderStorageBufferArrayDynamicIndexing = VK_TRUE;
  features.features.shaderInt64 = VK_TRUE;
  device_.Create(
      {.api_version = VK_API_VERSION_1_3, .core_features = false, .features = &features, .queue_counts = {1}});
  if (device_.device == VK_NULL_HANDLE) {
    std::fprintf(stderr, "There is no device.\n");
    std::exit(1);
  }
  VkPhysicalDeviceProperties properties = {};
  vk().GetPhysicalDeviceProperties(device_.physical_device, &properties);
  nanoseconds_per_tick_ = properties.limits.timestampPeriod;
}

MeasuredDevice::~MeasuredDevice() { device_.Destroy(); }

std::string MeasuredDevice::name() const {
  VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
  vk().GetPhysicalDeviceProperties2(device_.physical_device, &properties);
  return std::string(properties.properties.deviceName) + ", " + driver.driverName + " " + driver.driverInfo;
}

uint32_t MeasuredDevice::LocalMemoryType(uint32_t allowed) const {
  VkPhysicalDeviceMemoryProperties properties = {};
  vk().GetPhysicalDeviceMemoryProperties(device_.physical_device, &properties);
  uint32_t found = static_cast<uint32_t>(std::countr_zero(allowed));
  for (uint32_t i = properties.memoryTypeCount; i-- > 0;) {
    const VkMemoryPropertyFlags flags = properties.memoryTypes[i].propertyFlags;
    if ((allowed >> i & 1) != 0 && flags == VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) found = i;
  }
  return found;
}

VkMemoryRequirements MeasuredDevice::RequirementsOf(VkBuffer buffer) const {
  VkMemoryRequirements requirements = {};
  vk().GetBufferMemoryRequirements(device_.device, buffer, &requirements);
  return requirements;
}

Buffer MeasuredDevice::MakeLocalBuffer(VkDeviceSize size, VkBufferUsageFlags usage) {
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  const VkBuffer buffer = device_.MakeUnboundBuffer(info);
  const VkMemoryRequirements requirements = RequirementsOf(buffer);
  const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                           .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  const bool has_address = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
  const VkDeviceMemory memory = device_.MakeMemory(requirements.size, LocalMemoryType(requirements.memoryTypeBits),
                                                   has_address ? &flags : nullptr);
  Require(vk().BindBufferMemory(device_.device, buffer, memory, 0), "vkBindBufferMemory");
  Run([&](VkCommandBuffer commands) {
    vk().CmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, std::bit_cast<uint32_t>(1.0f));
  });
  return {buffer, memory, size};
}

void MeasuredDevice::Upload(const Buffer& buffer, std::span<const uint32_t> words) {
  const Buffer staging = device_.MakeBuffer(words.size_bytes(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  void* mapped = nullptr;
  Require(vk().MapMemory(device_.device, staging.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  std::memcpy(mapped, words.data(), words.size_bytes());
  const VkBufferCopy region = {0, 0, words.size_bytes()};
  Run([&](VkCommandBuffer commands) { vk().CmdCopyBuffer(commands, staging, buffer, 1, &region); });
}

VkDeviceAddress MeasuredDevice::AddressOf(VkBuffer buffer) const {
  const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
  return vk().GetBufferDeviceAddress(device_.device, &info);
}

void MeasuredDevice::Barrier(VkCommandBuffer command_buffer) const {
  const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                    .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                    .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
                                    .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                    .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
  const VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
  vk().CmdPipelineBarrier2(command_buffer, &info);
}

void MeasuredDevice::SubmitAndWait(VkCommandBuffer command_buffer) {
  Require(device_.Submit(device_.Queue(), {command_buffer}), "vkQueueSubmit2");
  Require(vk().QueueWaitIdle(device_.Queue()), "vkQueueWaitIdle");
}

void MeasuredDevice::Run(const std::function<void(VkCommandBuffer)>& commands) {
  SubmitAndWait(device_.Record([&](VkCommandBuffer command_buffer) {
    commands(command_buffer);
    Barrier(command_buffer);
  }));
}

void MeasuredDevice::WarmUp(VkCommandBuffer command_buffer) {
  const Clock::time_point end = Clock::now() + sizes_.warm_up;
  do {
    SubmitAndWait(command_buffer);
  } while (Clock::now() < end);
}

double MeasuredDevice::GpuMicroseconds(const std::function<void(VkCommandBuffer)>& state,
                                       const std::function<void(VkCommandBuffer)>& work) {
  const uint32_t count = sizes_.runs * 2;
  const VkQueryPool pool = device_.MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, count);
  const VkCommandBuffer command_buffer = device_.Record([&](VkCommandBuffer commands) {
    vk().CmdResetQueryPool(commands, pool, 0, count);
    state(commands);
    for (uint32_t i = 0; i < count; i += 2) {
      vk().CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, i);
      work(commands);
      vk().CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, i + 1);
      Barrier(commands);
    }
  });
  WarmUp(command_buffer);
  std::vector<uint64_t> ticks(count);
  Require(vk().GetQueryPoolResults(device_.device, pool, 0, count, count * sizeof(uint64_t), ticks.data(),
                                   sizeof(uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
          "vkGetQueryPoolResults");
  std::vector<double> times;
  for (uint32_t i = 0; i < count; i += 2) {
    times.push_back(static_cast<double>(ticks[i + 1] - ticks[i]) * nanoseconds_per_tick_ / 1000);
  }
  return Median(std::move(times));
}

std::vector<std::string> MeasuredDevice::TakeErrors() {
  std::vector<std::string> texts;
  for (const Message& message : log_.Take()) {
    const bool is_validation = (message.types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) != 0;
    if (is_validation && message.severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) {
      texts.push_back(message.text);
    }
  }
  return texts;
}

}  // namespace assay::test
