// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_IMPLEMENTED_COMMANDS_H_
#define ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_IMPLEMENTED_COMMANDS_H_

#include "vk/commands.h"
#include "vk/vulkan.h"

// The commands for which it matters what a driver does. Every other one is a GenericCall(), or for commands that are
// recorded, nothing.
namespace assay::test {

// instance_behaviours.cc
VkResult Behave(const vk::EnumerateInstanceVersion& call);
VkResult Behave(const vk::EnumerateInstanceExtensionProperties& call);
VkResult Behave(const vk::CreateInstance& call);
void Behave(const vk::DestroyInstance& call);
VkResult Behave(const vk::EnumeratePhysicalDevices& call);
VkResult Behave(const vk::EnumeratePhysicalDeviceGroups& call);
VkResult Behave(const vk::EnumerateDeviceExtensionProperties& call);
PFN_vkVoidFunction Behave(const vk::GetInstanceProcAddr& call);
PFN_vkVoidFunction Behave(const vk::GetDeviceProcAddr& call);

// physical_device_behaviours.cc
void Behave(const vk::GetPhysicalDeviceFeatures& call);
void Behave(const vk::GetPhysicalDeviceFeatures2& call);
void Behave(const vk::GetPhysicalDeviceProperties& call);
void Behave(const vk::GetPhysicalDeviceProperties2& call);
void Behave(const vk::GetPhysicalDeviceQueueFamilyProperties& call);
void Behave(const vk::GetPhysicalDeviceQueueFamilyProperties2& call);
void Behave(const vk::GetPhysicalDeviceMemoryProperties& call);
void Behave(const vk::GetPhysicalDeviceMemoryProperties2& call);

// format_behaviours.cc
void Behave(const vk::GetPhysicalDeviceFormatProperties& call);
void Behave(const vk::GetPhysicalDeviceFormatProperties2& call);
VkResult Behave(const vk::GetPhysicalDeviceImageFormatProperties& call);
VkResult Behave(const vk::GetPhysicalDeviceImageFormatProperties2& call);
void Behave(const vk::GetPhysicalDeviceSparseImageFormatProperties& call);

// device_behaviours.cc
VkResult Behave(const vk::CreateDevice& call);
void Behave(const vk::DestroyDevice& call);
void Behave(const vk::GetDeviceQueue& call);
void Behave(const vk::GetDeviceQueue2& call);
VkResult Behave(const vk::AllocateCommandBuffers& call);
void Behave(const vk::FreeCommandBuffers& call);
VkResult Behave(const vk::AllocateDescriptorSets& call);
VkResult Behave(const vk::FreeDescriptorSets& call);
VkResult Behave(const vk::ResetDescriptorPool& call);
VkResult Behave(const vk::CreateDeferredOperationKHR& call);
VkResult Behave(const vk::DeferredOperationJoinKHR& call);
VkResult Behave(const vk::GetDeferredOperationResultKHR& call);
uint32_t Behave(const vk::GetDeferredOperationMaxConcurrencyKHR& call);

// memory_behaviours.cc
VkResult Behave(const vk::AllocateMemory& call);
VkResult Behave(const vk::MapMemory& call);
VkResult Behave(const vk::MapMemory2& call);
VkResult Behave(const vk::CreateBuffer& call);
void Behave(const vk::GetBufferMemoryRequirements& call);
void Behave(const vk::GetBufferMemoryRequirements2& call);
void Behave(const vk::GetDeviceBufferMemoryRequirements& call);
VkDeviceAddress Behave(const vk::GetBufferDeviceAddress& call);
VkResult Behave(const vk::CreateImage& call);
void Behave(const vk::GetImageMemoryRequirements& call);
void Behave(const vk::GetImageMemoryRequirements2& call);
void Behave(const vk::GetDeviceImageMemoryRequirements& call);
void Behave(const vk::GetImageSubresourceLayout& call);
void Behave(const vk::GetImageSubresourceLayout2& call);
void Behave(const vk::GetDescriptorSetLayoutSizeEXT& call);
void Behave(const vk::GetDescriptorSetLayoutBindingOffsetEXT& call);
VkResult Behave(const vk::CreateAccelerationStructureKHR& call);
void Behave(const vk::GetAccelerationStructureBuildSizesKHR& call);
VkDeviceAddress Behave(const vk::GetAccelerationStructureDeviceAddressKHR& call);
VkDeviceSize Behave(const vk::GetRayTracingShaderGroupStackSizeKHR& call);

// sync_behaviours.cc
VkResult Behave(const vk::CreateFence& call);
VkResult Behave(const vk::GetFenceStatus& call);
VkResult Behave(const vk::ResetFences& call);
VkResult Behave(const vk::WaitForFences& call);
VkResult Behave(const vk::CreateSemaphore& call);
VkResult Behave(const vk::GetSemaphoreCounterValue& call);
VkResult Behave(const vk::SignalSemaphore& call);
VkResult Behave(const vk::WaitSemaphores& call);
VkResult Behave(const vk::GetEventStatus& call);
VkResult Behave(const vk::SetEvent& call);
VkResult Behave(const vk::ResetEvent& call);
VkResult Behave(const vk::QueueSubmit& call);
VkResult Behave(const vk::QueueSubmit2& call);
VkResult Behave(const vk::QueueBindSparse& call);
VkResult Behave(const vk::QueueWaitIdle& call);
VkResult Behave(const vk::DeviceWaitIdle& call);

// swapchain_behaviours.cc
VkResult Behave(const vk::GetPhysicalDeviceSurfaceSupportKHR& call);
VkResult Behave(const vk::GetPhysicalDeviceSurfaceCapabilitiesKHR& call);
VkResult Behave(const vk::GetPhysicalDeviceSurfaceCapabilities2KHR& call);
VkResult Behave(const vk::GetPhysicalDeviceSurfaceFormatsKHR& call);
VkResult Behave(const vk::GetPhysicalDeviceSurfaceFormats2KHR& call);
VkResult Behave(const vk::GetPhysicalDeviceSurfacePresentModesKHR& call);
VkResult Behave(const vk::CreateSwapchainKHR& call);
VkResult Behave(const vk::CreateSharedSwapchainsKHR& call);
VkResult Behave(const vk::GetSwapchainImagesKHR& call);
VkResult Behave(const vk::AcquireNextImageKHR& call);
VkResult Behave(const vk::AcquireNextImage2KHR& call);
VkResult Behave(const vk::QueuePresentKHR& call);
VkBool32 Behave(const vk::GetPhysicalDeviceXcbPresentationSupportKHR& call);
VkBool32 Behave(const vk::GetPhysicalDeviceXlibPresentationSupportKHR& call);
VkBool32 Behave(const vk::GetPhysicalDeviceWaylandPresentationSupportKHR& call);

template <class C>
concept HasBehaviour = requires(const C& call) {
  Behave(call);
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_MOCK_DRIVER_BEHAVIOURS_IMPLEMENTED_COMMANDS_H_
