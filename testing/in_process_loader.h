// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_IN_PROCESS_LOADER_H_
#define ASSAY_TESTING_IN_PROCESS_LOADER_H_

#include "testing/loader.h"
#include "vk/vulkan.h"

// After vk/vulkan.h, which configures the Vulkan headers.
#include <vulkan/vk_layer.h>

namespace assay::test {

// Plays the Vulkan loader between a test, a layer and the mock driver, in one process and without libvulkan.
//
// It has the loader's side of the layer interface (version 2). It negotiates with the layer. The layer gets its links
// and the loader-data callbacks in the pNext chains of vkCreateInstance and vkCreateDevice. There are no trampolines:
// functions come from the layer directly.
class InProcessLoader : public Loader {
 public:
  // `layer` is the layer's vkNegotiateLoaderLayerInterfaceVersion. Null means no layer: functions are the driver's.
  explicit InProcessLoader(PFN_vkNegotiateLoaderLayerInterfaceVersion layer);

  // The driver has all instance extensions.
  bool HasInstanceExtension(std::string_view) const override { return true; }
  // Puts the loader's structures before the application's in the pNext chain.
  VkResult CreateInstance(const VkInstanceCreateInfo& info, VkInstance* instance) const override;
  VkResult CreateDevice(const Functions& instance_functions, VkPhysicalDevice physical_device,
                        const VkDeviceCreateInfo& info, VkDevice* device) const override;
  PFN_vkVoidFunction InstanceFunction(VkInstance instance, const char* name) const override;
  PFN_vkVoidFunction DeviceFunction(VkDevice device, const char* name) const override;

 private:
  VkNegotiateLayerInterface layer_;
  bool has_layer_;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_IN_PROCESS_LOADER_H_
