// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_LOADER_H_
#define ASSAY_TESTING_LOADER_H_

#include <string_view>

#include "testing/functions.h"
#include "vk/vulkan.h"

namespace assay::test {

// The source of Vulkan functions for a test: InProcessLoader or SystemLoader.
class Loader {
 public:
  virtual ~Loader() = default;

  virtual bool HasInstanceExtension(std::string_view name) const = 0;
  virtual VkResult CreateInstance(const VkInstanceCreateInfo& info, VkInstance* instance) const = 0;
  // `instance_functions` belong to the physical device's instance.
  virtual VkResult CreateDevice(const Functions& instance_functions, VkPhysicalDevice physical_device,
                                const VkDeviceCreateInfo& info, VkDevice* device) const = 0;

  // The results of vkGetInstanceProcAddr and vkGetDeviceProcAddr, by the name of a command or alias. `instance` may be
  // null.
  virtual PFN_vkVoidFunction InstanceFunction(VkInstance instance, const char* name) const = 0;
  virtual PFN_vkVoidFunction DeviceFunction(VkDevice device, const char* name) const = 0;

  // The functions of all commands. vkGetDeviceProcAddr has only those of devices.
  Functions InstanceFunctions(VkInstance instance) const {
    return Functions::Load([&](const char* name) { return InstanceFunction(instance, name); });
  }
  Functions DeviceFunctions(VkDevice device) const {
    return Functions::LoadDevice([&](const char* name) { return DeviceFunction(device, name); });
  }
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_LOADER_H_
