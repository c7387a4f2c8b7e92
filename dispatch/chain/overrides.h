// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_OVERRIDES_H_
#define ASSAY_DISPATCH_CHAIN_OVERRIDES_H_

#include "dispatch/hooks/instance.h"
#include "vk/commands.h"

// The few commands that the chassis treats by hand.
namespace assay::dispatch {

// Instead of the whole of one call: the commands that make and unmake the chain and those that speak of the layer itself.
VkResult Override(const vk::CreateInstance& call);
void Override(const vk::DestroyInstance& call);
VkResult Override(const vk::CreateDevice& call);
void Override(const vk::DestroyDevice& call);
VkResult Override(const vk::EnumerateInstanceExtensionProperties& call);
VkResult Override(const vk::EnumerateInstanceLayerProperties& call);
VkResult Override(const vk::EnumerateInstanceVersion& call);
VkResult Override(const vk::EnumerateDeviceExtensionProperties& call);
VkResult Override(const vk::EnumerateDeviceLayerProperties& call);
PFN_vkVoidFunction Override(const vk::GetInstanceProcAddr& call);
PFN_vkVoidFunction Override(const vk::GetDeviceProcAddr& call);
// Those of the extensions that the layer brings (layer_extensions.h).
VkResult Override(const vk::GetPhysicalDeviceToolProperties& call);
VkResult Override(const vk::DebugMarkerSetObjectNameEXT& call);
VkResult Override(const vk::DebugMarkerSetObjectTagEXT& call);
void Override(const vk::CmdDebugMarkerBeginEXT& call);
void Override(const vk::CmdDebugMarkerEndEXT& call);
void Override(const vk::CmdDebugMarkerInsertEXT& call);
VkResult Override(const vk::CreateValidationCacheEXT& call);
void Override(const vk::DestroyValidationCacheEXT& call);
VkResult Override(const vk::MergeValidationCachesEXT& call);
VkResult Override(const vk::GetValidationCacheDataEXT& call);

template <class C>
concept HasOverride = requires(const C& c) { Override(c); };

// Instead of the call down: commands whose handles the registry's description does not lead to (data behind an update template),
// whose validity depends on other state (inheritance info), or whose outputs come later (deferred operations).
VkResult ForwardOverride(const vk::BeginCommandBuffer& call, Device& device, PFN_vkBeginCommandBuffer next);
VkResult ForwardOverride(const vk::AllocateCommandBuffers& call, Device& device, PFN_vkAllocateCommandBuffers next);
VkResult ForwardOverride(const vk::ResetDescriptorPool& call, Device& device, PFN_vkResetDescriptorPool next);
VkResult ForwardOverride(const vk::ReleasePerformanceConfigurationINTEL& call, Device& device,
                         PFN_vkReleasePerformanceConfigurationINTEL next);
VkResult ForwardOverride(const vk::CreateDescriptorUpdateTemplate& call, Device& device, PFN_vkCreateDescriptorUpdateTemplate next);
void ForwardOverride(const vk::UpdateDescriptorSetWithTemplate& call, Device& device, PFN_vkUpdateDescriptorSetWithTemplate next);
void ForwardOverride(const vk::CmdPushDescriptorSetWithTemplate& call, Device& device, PFN_vkCmdPushDescriptorSetWithTemplate next);
void ForwardOverride(const vk::CmdPushDescriptorSetWithTemplate2& call, Device& device,
                     PFN_vkCmdPushDescriptorSetWithTemplate2 next);
VkResult ForwardOverride(const vk::CreateRayTracingPipelinesKHR& call, Device& device, PFN_vkCreateRayTracingPipelinesKHR next);
VkResult ForwardOverride(const vk::BuildAccelerationStructuresKHR& call, Device& device, PFN_vkBuildAccelerationStructuresKHR next);
VkResult ForwardOverride(const vk::CopyAccelerationStructureKHR& call, Device& device, PFN_vkCopyAccelerationStructureKHR next);
VkResult ForwardOverride(const vk::CopyAccelerationStructureToMemoryKHR& call, Device& device,
                         PFN_vkCopyAccelerationStructureToMemoryKHR next);
VkResult ForwardOverride(const vk::CopyMemoryToAccelerationStructureKHR& call, Device& device,
                         PFN_vkCopyMemoryToAccelerationStructureKHR next);
VkResult ForwardOverride(const vk::BuildMicromapsEXT& call, Device& device, PFN_vkBuildMicromapsEXT next);
VkResult ForwardOverride(const vk::CopyMicromapEXT& call, Device& device, PFN_vkCopyMicromapEXT next);
VkResult ForwardOverride(const vk::CopyMicromapToMemoryEXT& call, Device& device, PFN_vkCopyMicromapToMemoryEXT next);
VkResult ForwardOverride(const vk::CopyMemoryToMicromapEXT& call, Device& device, PFN_vkCopyMemoryToMicromapEXT next);
VkResult ForwardOverride(const vk::DeferredOperationJoinKHR& call, Device& device, PFN_vkDeferredOperationJoinKHR next);
VkResult ForwardOverride(const vk::GetDeferredOperationResultKHR& call, Device& device, PFN_vkGetDeferredOperationResultKHR next);
void ForwardOverride(const vk::DestroyDeferredOperationKHR& call, Device& device, PFN_vkDestroyDeferredOperationKHR next);

template <class C>
concept HasForwardOverride =
    requires(const C& c, Device& device, typename C::Function next) { ForwardOverride(c, device, next); };

// Whether a command's work goes on after it returned, so that what it is to return is not there yet.
template <class C>
bool IsDeferred(const C&, typename C::Result result) {
  if constexpr (std::is_same_v<typename C::Result, VkResult>) {
    return result == VK_OPERATION_DEFERRED_KHR;
  } else {
    return false;
  }
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_OVERRIDES_H_
