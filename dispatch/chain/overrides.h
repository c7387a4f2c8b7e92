// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_OVERRIDES_H_
#define ASSAY_DISPATCH_CHAIN_OVERRIDES_H_

#include "dispatch/hooks/instance.h"
#include "vk/commands.h"

// Commands that are written by hand. The essay of dispatch/dispatch.h has the table of all such commands.
namespace assay::dispatch {

// OverrideCall replaces a call from the entry point on, hooks included. It is for commands that create and destroy
// instances and devices, that look up functions, and that describe the layer.
VkResult OverrideCall(const vk::CreateInstance& call);
void OverrideCall(const vk::DestroyInstance& call);
VkResult OverrideCall(const vk::CreateDevice& call);
void OverrideCall(const vk::DestroyDevice& call);
VkResult OverrideCall(const vk::EnumerateInstanceExtensionProperties& call);
VkResult OverrideCall(const vk::EnumerateInstanceLayerProperties& call);
VkResult OverrideCall(const vk::EnumerateInstanceVersion& call);
VkResult OverrideCall(const vk::EnumerateDeviceExtensionProperties& call);
VkResult OverrideCall(const vk::EnumerateDeviceLayerProperties& call);
PFN_vkVoidFunction OverrideCall(const vk::GetInstanceProcAddr& call);
PFN_vkVoidFunction OverrideCall(const vk::GetDeviceProcAddr& call);
// Commands of the extensions that the layer implements (layer_extensions.h).
VkResult OverrideCall(const vk::GetPhysicalDeviceToolProperties& call);
VkResult OverrideCall(const vk::DebugMarkerSetObjectNameEXT& call);
VkResult OverrideCall(const vk::DebugMarkerSetObjectTagEXT& call);
void OverrideCall(const vk::CmdDebugMarkerBeginEXT& call);
void OverrideCall(const vk::CmdDebugMarkerEndEXT& call);
void OverrideCall(const vk::CmdDebugMarkerInsertEXT& call);
VkResult OverrideCall(const vk::CreateValidationCacheEXT& call);
void OverrideCall(const vk::DestroyValidationCacheEXT& call);
VkResult OverrideCall(const vk::MergeValidationCachesEXT& call);
VkResult OverrideCall(const vk::GetValidationCacheDataEXT& call);

template <class C>
concept HasCallOverride = requires(const C& c) { OverrideCall(c); };

// OverrideCallDown replaces the call down; the hooks run as for other commands. It is for commands with handles that
// the registry's description does not lead to (data of an update template), with parameters that other state makes
// valid (inheritance info), with effects that the registry does not know (vkResetDescriptorPool), or with outputs that
// come later (deferred operations).
VkResult OverrideCallDown(const vk::BeginCommandBuffer& call, Device& device, PFN_vkBeginCommandBuffer next);
VkResult OverrideCallDown(const vk::AllocateCommandBuffers& call, Device& device, PFN_vkAllocateCommandBuffers next);
VkResult OverrideCallDown(const vk::ResetDescriptorPool& call, Device& device, PFN_vkResetDescriptorPool next);
VkResult OverrideCallDown(const vk::ReleasePerformanceConfigurationINTEL& call, Device& device,
                          PFN_vkReleasePerformanceConfigurationINTEL next);
VkResult OverrideCallDown(const vk::CreateDescriptorUpdateTemplate& call, Device& device,
                          PFN_vkCreateDescriptorUpdateTemplate next);
void OverrideCallDown(const vk::UpdateDescriptorSetWithTemplate& call, Device& device,
                      PFN_vkUpdateDescriptorSetWithTemplate next);
void OverrideCallDown(const vk::CmdPushDescriptorSetWithTemplate& call, Device& device,
                      PFN_vkCmdPushDescriptorSetWithTemplate next);
void OverrideCallDown(const vk::CmdPushDescriptorSetWithTemplate2& call, Device& device,
                      PFN_vkCmdPushDescriptorSetWithTemplate2 next);
VkResult OverrideCallDown(const vk::CreateRayTracingPipelinesKHR& call, Device& device,
                          PFN_vkCreateRayTracingPipelinesKHR next);
VkResult OverrideCallDown(const vk::BuildAccelerationStructuresKHR& call, Device& device,
                          PFN_vkBuildAccelerationStructuresKHR next);
VkResult OverrideCallDown(const vk::CopyAccelerationStructureKHR& call, Device& device,
                          PFN_vkCopyAccelerationStructureKHR next);
VkResult OverrideCallDown(const vk::CopyAccelerationStructureToMemoryKHR& call, Device& device,
                          PFN_vkCopyAccelerationStructureToMemoryKHR next);
VkResult OverrideCallDown(const vk::CopyMemoryToAccelerationStructureKHR& call, Device& device,
                          PFN_vkCopyMemoryToAccelerationStructureKHR next);
VkResult OverrideCallDown(const vk::BuildMicromapsEXT& call, Device& device, PFN_vkBuildMicromapsEXT next);
VkResult OverrideCallDown(const vk::CopyMicromapEXT& call, Device& device, PFN_vkCopyMicromapEXT next);
VkResult OverrideCallDown(const vk::CopyMicromapToMemoryEXT& call, Device& device, PFN_vkCopyMicromapToMemoryEXT next);
VkResult OverrideCallDown(const vk::CopyMemoryToMicromapEXT& call, Device& device, PFN_vkCopyMemoryToMicromapEXT next);
VkResult OverrideCallDown(const vk::DeferredOperationJoinKHR& call, Device& device,
                          PFN_vkDeferredOperationJoinKHR next);
VkResult OverrideCallDown(const vk::GetDeferredOperationResultKHR& call, Device& device,
                          PFN_vkGetDeferredOperationResultKHR next);
void OverrideCallDown(const vk::DestroyDeferredOperationKHR& call, Device& device,
                      PFN_vkDestroyDeferredOperationKHR next);

template <class C>
concept HasCallDownOverride =
    requires(const C& c, Device& device, typename C::Function next) { OverrideCallDown(c, device, next); };

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_OVERRIDES_H_
