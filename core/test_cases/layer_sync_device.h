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
#include "testing/call_by_id.h"
#include "testing/message_log.h"
#include "testing/test_device.h"
#include "vk/extension_info.h"
#include "vk/feature_info.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::core {

// Test-only: all features of the registry but for those that the options disable, in one chain for VkDeviceCreateInfo.
// They are in the structures of single features, which all versions have.
class SyncFeatures {
 public:
  explicit SyncFeatures(const SyncTestOptions& options) {
    for (const vk::FeatureInfo& feature : vk::Features()) {
      if (options.disabled.contains(feature.name) || feature.struct_name.starts_with("VkPhysicalDeviceVulkan1"))
        continue;
      auto* structure = reinterpret_cast<std::byte*>(&core_.features);
      if (feature.struct_name != "VkPhysicalDeviceFeatures") {
        std::unique_ptr<std::byte[]>& link = structures_[feature.structure_type];
        if (link == nullptr) {
          link = std::make_unique<std::byte[]>(vk::FindStruct(feature.structure_type)->size);
          *reinterpret_cast<VkBaseOutStructure*>(link.get()) = {feature.structure_type,
                                                                static_cast<VkBaseOutStructure*>(core_.pNext)};
          core_.pNext = link.get();
        }
        structure = link.get();
      }
      *reinterpret_cast<VkBool32*>(structure + feature.offset) = VK_TRUE;
    }
  }
  void* chain() { return &core_; }

 private:
  VkPhysicalDeviceFeatures2 core_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  std::map<VkStructureType, std::unique_ptr<std::byte[]>> structures_;
};

// All device extensions but for those that the options disable.
inline std::vector<const char*> SyncExtensions(const SyncTestOptions& options) {
  std::vector<const char*> extensions;
  for (size_t i = 0; i < vk::kExtensionCount; ++i) {
    const vk::ExtensionInfo& info = vk::GetExtensionInfo(static_cast<vk::ExtensionId>(i));
    if (!info.instance && !options.disabled.contains(info.name)) extensions.push_back(info.name.data());
  }
  return extensions;
}

// Test-only: a device under the whole layer. It has two queues of each queue family of SyncDevice.
class LayerSyncDevice : public SyncDevice {
 public:
  // Both must outlive this object. The log has the messages of the device.
  LayerSyncDevice(test::TestDevice& device, test::MessageLog& log) : device_(device), log_(log) {}

  VkDevice device() const override { return device_.device; }
  VkCommandBuffer MakeCommands(const CommandBufferOptions& options) override {
    const VkCommandBuffer commands = device_.MakeCommandBuffer(options.family, options.level, options.pool_flags);
    device_.Begin(commands);
    if (options.is_executable) device_.End(commands);
    return commands;
  }
  VkCommandBuffer MakeRecording(uint32_t family, RecordingPlace place) override {
    const VkCommandBuffer commands = MakeCommands({.family = family, .is_executable = false});
    if (place == RecordingPlace::kInRenderPass) BeginRenderPass(commands);
    if (place == RecordingPlace::kInRendering) BeginRendering(commands);
    return commands;
  }
  // The mock driver does not distinguish queues by their flags.
  VkQueue MakeQueue(uint32_t family, VkDeviceQueueCreateFlags flags) override {
    const uint32_t index = flags != 0 ? 1 : 0;
    const VkDeviceQueueInfo2 info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2, nullptr, flags, family, index};
    VkQueue queue = VK_NULL_HANDLE;
    device_.vk.GetDeviceQueue2(device(), &info, &queue);
    return queue;
  }
  VkBuffer MakeBuffer(const VkBufferCreateInfo& info, bool bound) override {
    return bound ? device_.MakeBuffer(info).handle : device_.MakeUnboundBuffer(info);
  }
  VkImage MakeImage(const VkImageCreateInfo& info, bool bound) override {
    return bound ? device_.MakeImage(info).handle : device_.MakeUnboundImage(info);
  }
  VkSemaphore MakeSemaphore(VkSemaphoreType type, uint64_t value) override {
    return type == VK_SEMAPHORE_TYPE_TIMELINE ? device_.MakeTimeline(value) : device_.MakeSemaphore();
  }
  VkEvent MakeEvent(VkEventCreateFlags flags) override { return device_.MakeEvent(flags); }
  VkQueryPool MakeQueryPool() override { return device_.MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 1); }

 private:
  // The messages about the objects that were made for the call are taken before.
  void Run(const AnyCall& call) override {
    log_.Take();
    test::CallById(call.command, call.parameters, device_.vk.Find(call.command));
  }
  // The subpass has a dependency on itself, for the barriers that are allowed in it.
  void BeginRenderPass(VkCommandBuffer commands) {
    if (render_pass_ == VK_NULL_HANDLE) {
      const VkSubpassDependency2 dependency = {.srcStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                               .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                               .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT};
      render_pass_ = device_.MakeRenderPass({}, std::vector<VkSubpassDescription2>(1), {dependency});
      framebuffer_ = device_.MakeFramebuffer(render_pass_, {}, kSize, kSize);
    }
    const VkRenderPassBeginInfo info = device_.BeginInfo(render_pass_, framebuffer_, kSize);
    device_.vk.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  }
  void BeginRendering(VkCommandBuffer commands) {
    const auto info = test::Typed(VkRenderingInfo{.renderArea = {{}, {kSize, kSize}}, .layerCount = 1});
    device_.vk.CmdBeginRendering(commands, &info);
  }

  static constexpr uint32_t kSize = 16;

  test::TestDevice& device_;
  test::MessageLog& log_;
  // Made when they are first needed.
  VkRenderPass render_pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_LAYER_SYNC_DEVICE_H_
