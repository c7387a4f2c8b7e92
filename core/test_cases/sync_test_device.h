// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_TEST_CASES_SYNC_TEST_DEVICE_H_
#define ASSAY_CORE_TEST_CASES_SYNC_TEST_DEVICE_H_

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/barriers/sync_rules.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vulkan.h"

// Test-only: a device without a driver. Its calls reach SyncRules alone.
namespace assay::core {

struct SyncTestOptions {
  // Features and extensions that are not enabled; all others are.
  std::set<std::string, std::less<>> disabled;
  uint32_t instance_version = VK_API_VERSION_1_3;
  // Queue types that no queue family supports.
  VkQueueFlags unsupported = 0;
  // Rules that are not reported.
  std::function<bool(vk::VuidIndex)> leave_out;
};

class SyncTestDevice {
 public:
  // Family 0 can do everything, 1 compute, 2 transfer; 3 only has no timestamps.
  static constexpr uint32_t kEverything = 0, kCompute = 1, kTransfer = 2, kNoTimestamps = 3;

  explicit SyncTestDevice(const SyncTestOptions& options);
  ~SyncTestDevice();

  // Make objects with few properties, which are freed with the device.
  VkCommandBuffer MakeCommands(uint32_t family = kEverything,
                               VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                               VkCommandPoolCreateFlags flags = 0);
  VkQueue MakeQueue(uint32_t family = kEverything, VkDeviceQueueCreateFlags flags = 0);
  VkBuffer MakeBuffer(const VkBufferCreateInfo& info, bool bound = true);
  VkImage MakeImage(const VkImageCreateInfo& info, bool bound = true);
  VkSemaphore MakeSemaphore(VkSemaphoreType type, uint64_t value = 0);
  VkEvent MakeEvent(VkEventCreateFlags flags);

  // Checks a call. ids() has the ids that all calls reported.
  template <class C>
  void Call(const C& call) {
    messages::Report report(instance_.reporter, C::kId);
    // The first parameter is the object that the command is dispatched on.
    const void* const dispatched_on = *reinterpret_cast<void* const*>(&call);
    dispatch::CallPreCallValidate(*rules_, call, dispatch::DispatchableTable::Get().Find(dispatched_on), report);
  }
  const std::vector<std::string>& ids() const { return ids_; }

 private:
  template <class H>
  H Add(VkObjectType type);
  VkDeviceMemory MakeMemory();

  std::vector<std::string> ids_;
  dispatch::Instance instance_;
  dispatch::PhysicalDevice physical_device_;
  dispatch::Device device_;
  std::unique_ptr<state::DeviceState> state_;
  std::unique_ptr<SyncRules> rules_;
  std::vector<dispatch::Slot*> slots_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_SYNC_TEST_DEVICE_H_
