// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_TEST_CASES_SYNC_TEST_DEVICE_H_
#define ASSAY_CORE_TEST_CASES_SYNC_TEST_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/barriers/sync_rules.h"
#include "core/test_cases/sync_device.h"
#include "dispatch/dispatch.h"
#include "state/state.h"
#include "testing/messages/collected_messages.h"
#include "vk/vulkan.h"

// Test-only: a device without a driver. Its calls reach SyncRules alone.
namespace assay::core {

class SyncTestDevice : public SyncDevice {
 public:
  explicit SyncTestDevice(const SyncTestOptions& options);
  ~SyncTestDevice() override;

  VkDevice device() const override { return device_.handle; }
  VkCommandBuffer MakeCommands() { return MakeCommands({}); }
  VkCommandBuffer MakeCommands(const CommandBufferOptions& options) override;
  VkCommandBuffer MakeRecording(uint32_t family, RecordingPlace place) override;
  VkQueue MakeQueue(uint32_t family, VkDeviceQueueCreateFlags flags) override;
  VkBuffer MakeBuffer(const VkBufferCreateInfo& info, bool bound) override;
  VkImage MakeImage(const VkImageCreateInfo& info) { return MakeImage(info, true); }
  VkImage MakeImage(const VkImageCreateInfo& info, bool bound) override;
  VkSemaphore MakeSemaphore(VkSemaphoreType type, uint64_t value) override;
  VkEvent MakeEvent(VkEventCreateFlags flags) override;
  VkQueryPool MakeQueryPool() override;

  // The ids that all calls reported.
  std::vector<std::string> ids() const { return messages_.Ids(); }

 private:
  void Run(const AnyCall& call) override;
  template <class H>
  H Add(VkObjectType type);
  VkDeviceMemory MakeMemory();

  dispatch::Instance instance_;
  test::CollectedMessages messages_{instance_.reporter};
  dispatch::PhysicalDevice physical_device_;
  dispatch::Device device_;
  std::unique_ptr<state::DeviceState> state_;
  std::unique_ptr<SyncRules> rules_;
  std::vector<dispatch::Slot*> slots_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_SYNC_TEST_DEVICE_H_
