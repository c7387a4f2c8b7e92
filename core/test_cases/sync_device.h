// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_TEST_CASES_SYNC_DEVICE_H_
#define ASSAY_CORE_TEST_CASES_SYNC_DEVICE_H_

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/barriers/sync_rules.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// Test-only: the device that TestCalls makes its calls on. SyncTestDevice has no driver and checks SyncRules alone;
// LayerSyncDevice is a device under the whole layer.
namespace assay::core {

struct SyncTestOptions {
  // Features and extensions that are not enabled; all others are.
  std::set<std::string, std::less<>> disabled;
  uint32_t instance_version = VK_API_VERSION_1_4;
  // Queue types that no queue family supports.
  VkQueueFlags unsupported = 0;
  // Rules that are not reported. LayerSyncDevice ignores it.
  std::function<bool(vk::VuidIndex)> leave_out;
};

// Where a command is recorded.
enum class RecordingPlace : uint8_t { kOutside, kInRenderPass, kInRendering };

struct CommandBufferOptions {
  uint32_t family = 0;
  VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  VkCommandPoolCreateFlags pool_flags = 0;
  // Whether its recording has ended.
  bool is_executable = true;
};

class SyncDevice {
 public:
  // Family 0 can do everything, 1 compute, 2 transfer; 3 only has no timestamps.
  static constexpr uint32_t kEverything = 0, kCompute = 1, kTransfer = 2, kNoTimestamps = 3;
  static std::vector<VkQueueFamilyProperties> QueueFamilies(const SyncTestOptions& options) {
    // The queue types that the registry has.
    constexpr VkQueueFlags kEveryType = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT |
                                        VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT |
                                        VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_VIDEO_ENCODE_BIT_KHR |
                                        VK_QUEUE_OPTICAL_FLOW_BIT_NV;
    constexpr VkExtent3D kGranularity = {1, 1, 1};
    std::vector<VkQueueFamilyProperties> families = {{kEveryType, 2, 64, kGranularity},
                                                     {VK_QUEUE_COMPUTE_BIT, 2, 64, kGranularity},
                                                     {VK_QUEUE_TRANSFER_BIT, 2, 64, kGranularity},
                                                     {kEveryType, 2, 0, kGranularity}};
    for (VkQueueFamilyProperties& family : families) family.queueFlags &= ~options.unsupported;
    return families;
  }

  virtual ~SyncDevice() = default;

  virtual VkDevice device() const = 0;

  // Make objects with few properties, which are freed with the device.
  virtual VkCommandBuffer MakeCommands(const CommandBufferOptions& options) = 0;
  // A primary command buffer for one command at that place.
  virtual VkCommandBuffer MakeRecording(uint32_t family, RecordingPlace place) = 0;
  virtual VkQueue MakeQueue(uint32_t family, VkDeviceQueueCreateFlags flags) = 0;
  virtual VkBuffer MakeBuffer(const VkBufferCreateInfo& info, bool bound) = 0;
  virtual VkImage MakeImage(const VkImageCreateInfo& info, bool bound) = 0;
  virtual VkSemaphore MakeSemaphore(VkSemaphoreType type, uint64_t value) = 0;
  virtual VkEvent MakeEvent(VkEventCreateFlags flags) = 0;
  // A pool with one timestamp.
  virtual VkQueryPool MakeQueryPool() = 0;

  template <class C>
  void Call(const C& call) {
    Run({C::kId, &call, [](SyncRules& rules, const void* parameters, dispatch::Slot* slot, messages::Report& report) {
           dispatch::CallPreCallValidate(rules, *static_cast<const C*>(parameters), slot, report);
         }});
  }

 protected:
  // A call of any command.
  struct AnyCall {
    vk::CommandId command;
    // The command's struct.
    const void* parameters;
    // Checks the call with these rules alone.
    void (*validate)(SyncRules& rules, const void* parameters, dispatch::Slot* slot, messages::Report& report);
  };
  virtual void Run(const AnyCall& call) = 0;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_SYNC_DEVICE_H_
