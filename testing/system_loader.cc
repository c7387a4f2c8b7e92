// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/system_loader.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace assay::test {

SystemLoader::SystemLoader() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  get_instance_function_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  get_device_function_ = reinterpret_cast<PFN_vkGetDeviceProcAddr>(dlsym(library, "vkGetDeviceProcAddr"));
}

bool SystemLoader::HasInstanceExtension(std::string_view name) const {
  auto enumerate = reinterpret_cast<PFN_vkEnumerateInstanceExtensionProperties>(
      InstanceFunction(VK_NULL_HANDLE, "vkEnumerateInstanceExtensionProperties"));
  uint32_t count = 0;
  enumerate(nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  enumerate(nullptr, &count, extensions.data());
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const VkExtensionProperties& extension) { return extension.extensionName == name; });
}

VkResult SystemLoader::CreateInstance(const VkInstanceCreateInfo& info, VkInstance* instance) const {
  auto create = reinterpret_cast<PFN_vkCreateInstance>(InstanceFunction(VK_NULL_HANDLE, "vkCreateInstance"));
  return create(&info, nullptr, instance);
}

VkResult SystemLoader::CreateDevice(const Functions& instance_functions, VkPhysicalDevice physical_device,
                                    const VkDeviceCreateInfo& info, VkDevice* device) const {
  return instance_functions.CreateDevice(physical_device, &info, nullptr, device);
}

PFN_vkVoidFunction SystemLoader::InstanceFunction(VkInstance instance, const char* name) const {
  return get_instance_function_(instance, name);
}

PFN_vkVoidFunction SystemLoader::DeviceFunction(VkDevice device, const char* name) const {
  return get_device_function_(device, name);
}

}  // namespace assay::test
