// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_TEST_CASES_LAYER_SYNC_DEVICE_H_
#define ASSAY_CORE_TEST_CASES_LAYER_SYNC_DEVICE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/test_cases/sync_device.h"
#include "testing/message_log.h"
#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::core {

// Test-only: all features of the registry but for those that the options disable, in one chain for VkDeviceCreateInfo.
// They are in the structures of single features, which all versions have.
class SyncFeatures {
 public:
  explicit SyncFeatures(const SyncTestOptions& options);
  void* chain() { return &core_; }

 private:
  VkPhysicalDeviceFeatures2 core_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  std::map<VkStructureType, std::unique_ptr<std::byte[]>> structures_;
};

// All device extensions but for those that the options disable.
std::vector<const char*> SyncExtensions(const SyncTestOptions& options);

// Test-only: a device under the whole layer. It has two queues of each queue family of SyncDevice.
class LayerSyncDevice : public SyncDevice {
 public:
  // Both must outlive this object. The log has the messages of the device.
  LayerSyncDevice(test::TestDevice& device, test::MessageLog& log) : device_(device), log_(log) {}

  VkDevice device() const override { return device_.device; }
  VkCommandBuffer MakeCommands(const CommandBufferOptions& options) override;
  VkCommandBuffer MakeRecording(uint32_t family, RecordingPlace place) override;
  VkQueue MakeQueue(uint32_t family, VkDeviceQueueCreateFlags flags) override;
  VkBuffer MakeBuffer(const VkBufferCreateInfo& info, bool bound) override;
  VkImage MakeImage(const VkImageCreateInfo& info, bool bound) override;
  VkSemaphore MakeSemaphore(VkSemaphoreType type, uint64_t value) override;
  VkEvent MakeEvent(VkEventCreateFlags flags) override;
  VkQueryPool MakeQueryPool() override;

 private:
  // The messages about the objects that were made for the call are taken before.
  void Run(const AnyCall& call) override;
  void BeginRenderPass(VkCommandBuffer commands);
  void BeginRendering(VkCommandBuffer commands);

  test::TestDevice& device_;
  test::MessageLog& log_;
  // Made when they are first needed.
  VkRenderPass render_pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_LAYER_SYNC_DEVICE_H_
