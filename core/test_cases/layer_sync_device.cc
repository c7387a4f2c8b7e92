// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/test_cases/layer_sync_device.h"

#include "gtest/gtest.h"
#include "testing/call_by_id.h"
#include "vk/extension_info.h"
#include "vk/feature_info.h"
#include "vk/struct_info.h"

namespace assay::core {
namespace {

constexpr VkExtent2D kExtent = {16, 16};

}  // namespace

SyncFeatures::SyncFeatures(const SyncTestOptions& options) {
  for (const vk::FeatureInfo& feature : vk::Features()) {
    if (options.disabled.contains(feature.name) || feature.struct_name.starts_with("VkPhysicalDeviceVulkan1")) continue;
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

std::vector<const char*> SyncExtensions(const SyncTestOptions& options) {
  std::vector<const char*> extensions;
  for (size_t i = 0; i < vk::kExtensionCount; ++i) {
    const vk::ExtensionInfo& info = vk::GetExtensionInfo(static_cast<vk::ExtensionId>(i));
    if (!info.instance && !options.disabled.contains(info.name)) extensions.push_back(info.name.data());
  }
  return extensions;
}

void LayerSyncDevice::Run(const AnyCall& call) {
  log_.Take();
  test::CallById(call.command, call.parameters, device_.vk.Find(call.command));
}

VkCommandBuffer LayerSyncDevice::MakeCommands(const CommandBufferOptions& options) {
  const VkCommandPool pool = device_.MakeCommandPool(options.family, options.pool_flags);
  const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                            options.level, 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  EXPECT_EQ(device_.vk.AllocateCommandBuffers(device(), &info, &commands), VK_SUCCESS);
  device_.Begin(commands);
  if (options.is_executable) device_.End(commands);
  return commands;
}

VkCommandBuffer LayerSyncDevice::MakeRecording(uint32_t family, RecordingPlace place) {
  const VkCommandBuffer commands = MakeCommands({.family = family, .is_executable = false});
  if (place == RecordingPlace::kInRenderPass) BeginRenderPass(commands);
  if (place == RecordingPlace::kInRendering) BeginRendering(commands);
  return commands;
}

// The subpass has a dependency on itself, for the barriers that are allowed in it.
void LayerSyncDevice::BeginRenderPass(VkCommandBuffer commands) {
  if (render_pass_ == VK_NULL_HANDLE) {
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
    const VkSubpassDependency2 dependency = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                             .srcStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                             .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                             .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT};
    render_pass_ = device_.MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                           .subpassCount = 1,
                                           .pSubpasses = &subpass,
                                           .dependencyCount = 1,
                                           .pDependencies = &dependency});
    framebuffer_ = device_.MakeFramebuffer(render_pass_, {}, kExtent.width, kExtent.height);
  }
  const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                      .renderPass = render_pass_,
                                      .framebuffer = framebuffer_,
                                      .renderArea = {{}, kExtent}};
  device_.vk.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

void LayerSyncDevice::BeginRendering(VkCommandBuffer commands) {
  const VkRenderingInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{}, kExtent}, .layerCount = 1};
  device_.vk.CmdBeginRendering(commands, &info);
}

// The mock driver does not distinguish queues by their flags.
VkQueue LayerSyncDevice::MakeQueue(uint32_t family, VkDeviceQueueCreateFlags flags) {
  const uint32_t index = flags != 0 ? 1 : 0;
  const VkDeviceQueueInfo2 info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2, nullptr, flags, family, index};
  VkQueue queue = VK_NULL_HANDLE;
  device_.vk.GetDeviceQueue2(device(), &info, &queue);
  return queue;
}

VkBuffer LayerSyncDevice::MakeBuffer(const VkBufferCreateInfo& info, bool bound) {
  return bound ? device_.MakeBuffer(info).handle : device_.MakeUnboundBuffer(info);
}

VkImage LayerSyncDevice::MakeImage(const VkImageCreateInfo& info, bool bound) {
  return bound ? device_.MakeImage(info).handle : device_.MakeUnboundImage(info);
}

VkSemaphore LayerSyncDevice::MakeSemaphore(VkSemaphoreType type, uint64_t value) {
  return type == VK_SEMAPHORE_TYPE_TIMELINE ? device_.MakeTimeline(value) : device_.MakeSemaphore();
}

VkEvent LayerSyncDevice::MakeEvent(VkEventCreateFlags flags) { return device_.MakeEvent(flags); }

VkQueryPool LayerSyncDevice::MakeQueryPool() { return device_.MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 1); }

}  // namespace assay::core
