// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A program that has the Khronos layer's name, extensions and settings hard-coded, as engines have. It makes one
// mistake.

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

namespace {

constexpr const char* kLayer = "VK_LAYER_KHRONOS_validation";

PFN_vkGetInstanceProcAddr LoadVulkan() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW);
  if (library == nullptr) std::exit(2);
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
}

const PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = LoadVulkan();
VkInstance instance = VK_NULL_HANDLE;
VkPhysicalDevice physical_device = VK_NULL_HANDLE;
VkDevice device = VK_NULL_HANDLE;

#define VK(name) reinterpret_cast<PFN_##name>(vkGetInstanceProcAddr(instance, #name))
#define VK_DEVICE(name) reinterpret_cast<PFN_##name>(VK(vkGetDeviceProcAddr)(device, #name))

void Check(bool is_right, const char* what) {
  if (is_right) return;
  std::printf("failed: %s\n", what);
  std::exit(1);
}

void FindLayer() {
  VkLayerProperties layers[64];
  uint32_t count = 64;
  VK(vkEnumerateInstanceLayerProperties)(&count, layers);
  for (uint32_t i = 0; i < count; ++i) {
    if (std::strcmp(layers[i].layerName, kLayer) == 0) std::printf("layer %s %s\n", kLayer, layers[i].description);
  }
  VkExtensionProperties extensions[64];
  count = 64;
  Check(VK(vkEnumerateInstanceExtensionProperties)(kLayer, &count, extensions) == VK_SUCCESS && count >= 4,
        "vkEnumerateInstanceExtensionProperties");
}

void CreateInstance() {
  const VkBool32 yes = VK_TRUE;
  const VkLayerSettingEXT setting = {kLayer, "stateless_param", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &yes};
  VkLayerSettingsCreateInfoEXT settings = {VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, nullptr, 1, &setting};
  const VkValidationFeatureDisableEXT disabled = VK_VALIDATION_FEATURE_DISABLE_THREAD_SAFETY_EXT;
  VkValidationFeaturesEXT features = {VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, &settings, 0, nullptr, 1, &disabled};
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_DEBUG_REPORT_EXTENSION_NAME,
                              VK_EXT_LAYER_SETTINGS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pNext = &features,
                               .pApplicationInfo = &application,
                               .enabledLayerCount = 1,
                               .ppEnabledLayerNames = &kLayer,
                               .enabledExtensionCount = 4,
                               .ppEnabledExtensionNames = extensions};
  Check(VK(vkCreateInstance)(&info, nullptr, &instance) == VK_SUCCESS, "vkCreateInstance");
  uint32_t count = 1;
  VK(vkEnumeratePhysicalDevices)(instance, &count, &physical_device);
  Check(count == 1, "vkEnumeratePhysicalDevices");
}

void CreateDevice() {
  VkExtensionProperties of_layer[64];
  uint32_t count = 64;
  VK(vkEnumerateDeviceExtensionProperties)(physical_device, kLayer, &count, of_layer);
  if (count == 3) std::puts("marker, cache and tool extensions of the layer");
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
  const char* extensions[] = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, VK_EXT_VALIDATION_CACHE_EXTENSION_NAME,
                              VK_EXT_TOOLING_INFO_EXTENSION_NAME};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue,
                             .enabledExtensionCount = 3,
                             .ppEnabledExtensionNames = extensions};
  Check(VK(vkCreateDevice)(physical_device, &info, nullptr, &device) == VK_SUCCESS, "vkCreateDevice");
}

void CallExtensions() {
  VkPhysicalDeviceToolProperties tools[8] = {};
  for (auto& tool : tools) tool.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES;
  uint32_t count = 8;
  Check(VK(vkGetPhysicalDeviceToolPropertiesEXT)(physical_device, &count, tools) == VK_SUCCESS, "tools");
  for (uint32_t i = 0; i < count; ++i) std::printf("tool %s %s\n", tools[i].name, tools[i].layer);

  VkValidationCacheCreateInfoEXT cache_info = {.sType = VK_STRUCTURE_TYPE_VALIDATION_CACHE_CREATE_INFO_EXT};
  VkValidationCacheEXT cache = VK_NULL_HANDLE;
  Check(VK_DEVICE(vkCreateValidationCacheEXT)(device, &cache_info, nullptr, &cache) == VK_SUCCESS, "cache");
  VkDebugMarkerObjectNameInfoEXT name = {.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
                                         .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_VALIDATION_CACHE_EXT_EXT,
                                         .object = reinterpret_cast<uint64_t>(cache),
                                         .pObjectName = "cache"};
  Check(VK_DEVICE(vkDebugMarkerSetObjectNameEXT)(device, &name) == VK_SUCCESS, "name");
  size_t bytes = 0;
  VK_DEVICE(vkGetValidationCacheDataEXT)(device, cache, &bytes, nullptr);
  std::printf("cache of %zu bytes\n", bytes);
  VK_DEVICE(vkDestroyValidationCacheEXT)(device, cache, nullptr);
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  FindLayer();
  CreateInstance();
  CreateDevice();
  CallExtensions();
  // The mistake.
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = 64,
                             .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             .sharingMode = static_cast<VkSharingMode>(77)};
  VkBuffer buffer = VK_NULL_HANDLE;
  if (VK(vkCreateBuffer)(device, &info, nullptr, &buffer) == VK_SUCCESS) {
    VK(vkDestroyBuffer)(device, buffer, nullptr);
  }
  VK(vkDestroyDevice)(device, nullptr);
  VK(vkDestroyInstance)(instance, nullptr);
  std::puts("done");
}
