// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_SYSTEM_LOADER_H_
#define ASSAY_TESTING_SYSTEM_LOADER_H_

#include "testing/loader.h"

namespace assay::test {

// The real libvulkan.so.1, with the driver and layers that its environment variables name. Ends the process if there is
// no such library.
class SystemLoader : public Loader {
 public:
  SystemLoader();

  bool HasInstanceExtension(std::string_view name) const override;
  VkResult CreateInstance(const VkInstanceCreateInfo& info, VkInstance* instance) const override;
  VkResult CreateDevice(const Functions& instance_functions, VkPhysicalDevice physical_device,
                        const VkDeviceCreateInfo& info, VkDevice* device) const override;
  PFN_vkVoidFunction InstanceFunction(VkInstance instance, const char* name) const override;
  PFN_vkVoidFunction DeviceFunction(VkDevice device, const char* name) const override;

 private:
  PFN_vkGetInstanceProcAddr get_instance_function_;
  PFN_vkGetDeviceProcAddr get_device_function_;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_SYSTEM_LOADER_H_
