// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_IMPLEMENTED_COMMANDS_H_
#define ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_IMPLEMENTED_COMMANDS_H_

#include "vk/commands.h"
#include "vk/vulkan.h"

// The commands with a behaviour of their own. Every other command is a GenericCall() or, if it is recorded, does
// nothing.
namespace assay::test {

// instance_commands.cc
VkResult Execute(const vk::EnumerateInstanceVersion& call);
VkResult Execute(const vk::EnumerateInstanceExtensionProperties& call);
VkResult Execute(const vk::CreateInstance& call);
void Execute(const vk::DestroyInstance& call);
VkResult Execute(const vk::EnumeratePhysicalDevices& call);
VkResult Execute(const vk::EnumeratePhysicalDeviceGroups& call);
VkResult Execute(const vk::EnumerateDeviceExtensionProperties& call);
PFN_vkVoidFunction Execute(const vk::GetInstanceProcAddr& call);
PFN_vkVoidFunction Execute(const vk::GetDeviceProcAddr& call);

// physical_device_commands.cc
void Execute(const vk::GetPhysicalDeviceFeatures& call);
void Execute(const vk::GetPhysicalDeviceFeatures2& call);
void Execute(const vk::GetPhysicalDeviceProperties& call);
void Execute(const vk::GetPhysicalDeviceProperties2& call);
void Execute(const vk::GetPhysicalDeviceMultisamplePropertiesEXT& call);
VkResult Execute(const vk::GetPhysicalDeviceSupportedFramebufferMixedSamplesCombinationsNV& call);
void Execute(const vk::GetPhysicalDeviceQueueFamilyProperties& call);
void Execute(const vk::GetPhysicalDeviceQueueFamilyProperties2& call);
void Execute(const vk::GetPhysicalDeviceMemoryProperties& call);
void Execute(const vk::GetPhysicalDeviceMemoryProperties2& call);

// format_commands.cc
void Execute(const vk::GetPhysicalDeviceFormatProperties& call);
void Execute(const vk::GetPhysicalDeviceFormatProperties2& call);
VkResult Execute(const vk::GetPhysicalDeviceImageFormatProperties& call);
VkResult Execute(const vk::GetPhysicalDeviceImageFormatProperties2& call);
void Execute(const vk::GetPhysicalDeviceExternalBufferProperties& call);
void Execute(const vk::GetPhysicalDeviceSparseImageFormatProperties& call);

// device_commands.cc
VkResult Execute(const vk::CreateDevice& call);
void Execute(const vk::DestroyDevice& call);
void Execute(const vk::GetDeviceQueue& call);
void Execute(const vk::GetDeviceQueue2& call);
void Execute(const vk::GetQueueCheckpointDataNV& call);
VkResult Execute(const vk::AllocateCommandBuffers& call);
void Execute(const vk::FreeCommandBuffers& call);
VkResult Execute(const vk::AllocateDescriptorSets& call);
VkResult Execute(const vk::FreeDescriptorSets& call);
VkResult Execute(const vk::ResetDescriptorPool& call);
VkResult Execute(const vk::CreateDeferredOperationKHR& call);
VkResult Execute(const vk::DeferredOperationJoinKHR& call);
VkResult Execute(const vk::GetDeferredOperationResultKHR& call);
uint32_t Execute(const vk::GetDeferredOperationMaxConcurrencyKHR& call);

// memory_commands.cc
VkResult Execute(const vk::AllocateMemory& call);
VkResult Execute(const vk::MapMemory& call);
VkResult Execute(const vk::MapMemory2& call);
VkResult Execute(const vk::CreateBuffer& call);
void Execute(const vk::GetBufferMemoryRequirements& call);
void Execute(const vk::GetBufferMemoryRequirements2& call);
void Execute(const vk::GetDeviceBufferMemoryRequirements& call);
VkResult Execute(const vk::GetExecutionGraphPipelineScratchSizeAMDX& call);
void Execute(const vk::GetGeneratedCommandsMemoryRequirementsEXT& call);
void Execute(const vk::GetGeneratedCommandsMemoryRequirementsNV& call);
VkDeviceAddress Execute(const vk::GetBufferDeviceAddress& call);
VkResult Execute(const vk::CreateImage& call);
void Execute(const vk::GetImageMemoryRequirements& call);
void Execute(const vk::GetImageMemoryRequirements2& call);
void Execute(const vk::GetDeviceImageMemoryRequirements& call);
void Execute(const vk::GetImageSubresourceLayout& call);
void Execute(const vk::GetImageSubresourceLayout2& call);
void Execute(const vk::GetDescriptorSetLayoutSizeEXT& call);
void Execute(const vk::GetDescriptorSetLayoutBindingOffsetEXT& call);
VkResult Execute(const vk::CreateAccelerationStructureKHR& call);
void Execute(const vk::GetAccelerationStructureBuildSizesKHR& call);
void Execute(const vk::GetAccelerationStructureMemoryRequirementsNV& call);
VkResult Execute(const vk::GetVideoSessionMemoryRequirementsKHR& call);
VkDeviceAddress Execute(const vk::GetAccelerationStructureDeviceAddressKHR& call);
VkDeviceSize Execute(const vk::GetRayTracingShaderGroupStackSizeKHR& call);

// sync_commands.cc
VkResult Execute(const vk::CreateFence& call);
VkResult Execute(const vk::GetFenceStatus& call);
VkResult Execute(const vk::ResetFences& call);
VkResult Execute(const vk::WaitForFences& call);
VkResult Execute(const vk::CreateSemaphore& call);
VkResult Execute(const vk::GetSemaphoreCounterValue& call);
VkResult Execute(const vk::SignalSemaphore& call);
VkResult Execute(const vk::WaitSemaphores& call);
VkResult Execute(const vk::GetEventStatus& call);
VkResult Execute(const vk::SetEvent& call);
VkResult Execute(const vk::ResetEvent& call);
VkResult Execute(const vk::QueueSubmit& call);
VkResult Execute(const vk::QueueSubmit2& call);
VkResult Execute(const vk::QueueBindSparse& call);
VkResult Execute(const vk::QueueWaitIdle& call);
VkResult Execute(const vk::DeviceWaitIdle& call);

// swapchain_commands.cc
VkResult Execute(const vk::GetPhysicalDeviceSurfaceSupportKHR& call);
VkResult Execute(const vk::GetPhysicalDeviceSurfaceCapabilitiesKHR& call);
VkResult Execute(const vk::GetPhysicalDeviceSurfaceCapabilities2KHR& call);
VkResult Execute(const vk::GetPhysicalDeviceSurfaceFormatsKHR& call);
VkResult Execute(const vk::GetPhysicalDeviceSurfaceFormats2KHR& call);
VkResult Execute(const vk::GetPhysicalDeviceSurfacePresentModesKHR& call);
VkResult Execute(const vk::GetPhysicalDeviceDisplayPropertiesKHR& call);
VkResult Execute(const vk::GetPhysicalDeviceDisplayPlanePropertiesKHR& call);
VkResult Execute(const vk::GetDisplayModeProperties2KHR& call);
VkResult Execute(const vk::GetDisplayPlaneCapabilitiesKHR& call);
VkResult Execute(const vk::GetDeviceGroupPresentCapabilitiesKHR& call);
VkResult Execute(const vk::CreateSwapchainKHR& call);
VkResult Execute(const vk::CreateSharedSwapchainsKHR& call);
VkResult Execute(const vk::GetSwapchainImagesKHR& call);
VkResult Execute(const vk::AcquireNextImageKHR& call);
VkResult Execute(const vk::AcquireNextImage2KHR& call);
VkResult Execute(const vk::QueuePresentKHR& call);
VkBool32 Execute(const vk::GetPhysicalDeviceXcbPresentationSupportKHR& call);
VkBool32 Execute(const vk::GetPhysicalDeviceXlibPresentationSupportKHR& call);
VkBool32 Execute(const vk::GetPhysicalDeviceWaylandPresentationSupportKHR& call);

template <class C>
concept HasImplementation = requires(const C& call) { Execute(call); };

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_IMPLEMENTED_COMMANDS_H_
