// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DEVICE_BUFFER_ADDRESSES_H_
#define ASSAY_GPUAV_DEVICE_BUFFER_ADDRESSES_H_

#include "dispatch/dispatch.h"
#include "vk/vulkan.h"

// What the device-address way needs of a device (gpuav.h).
namespace assay::gpuav {

// Whether an application that keeps to the limits may make pipeline layouts without room for the reserved set.
bool MayUseEverySet(const dispatch::Settings& settings, const VkPhysicalDeviceLimits& limits);

// Enables the feature bufferDeviceAddress of a device that has it. Returns the extension that has to be enabled, too;
// null for none.
const char* EnableBufferAddresses(const dispatch::Instance& instance, const dispatch::PhysicalDevice& physical_device,
                                  VkDeviceCreateInfo& info, dispatch::Rewriter& rewriter);

// Whether the device that the driver has gives buffers addresses.
bool HasBufferAddresses(const dispatch::Device& device);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DEVICE_BUFFER_ADDRESSES_H_
