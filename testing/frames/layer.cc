// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A Vulkan layer that writes a line for each frame that an application presents (frame_log.h) to the file that
// ASSAY_FRAMES_FILE names. Nearest to the driver, it sees what the GPU drew under the layers above. Images of
// swapchains get VK_IMAGE_USAGE_TRANSFER_SRC_BIT; each present waits until the device is idle. It also hides extensions
// (hidden_extensions.h). All else is as it was.
//
// The layer knows instances, devices and queues by their dispatch keys: the first pointer in each dispatchable object,
// which the loader puts there. A queue has that of its device, a physical device that of its instance.

#include <vulkan/vk_layer.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "testing/frames/frame_log.h"
#include "testing/frames/hidden_extensions.h"
#include "testing/frames/image_reader.h"
#include "testing/functions.h"
#include "vk/vulkan.h"

namespace assay::test {
namespace {

struct Instance {
  VkInstance handle;
  PFN_vkGetInstanceProcAddr get;
  PFN_vkDestroyInstance destroy;
  PFN_vkGetPhysicalDeviceMemoryProperties get_memory_properties;
  PFN_vkEnumerateDeviceExtensionProperties enumerate_extensions;
};

struct Swapchain {
  VkFormat format;
  VkExtent2D extent;
  std::vector<VkImage> images;
};

struct Device {
  explicit Device(ImageReader image_reader) : reader(image_reader) {}

  const ImageReader reader;
  std::mutex mutex;
  std::map<VkSwapchainKHR, Swapchain> swapchains;
  std::map<VkQueue, uint32_t> queue_families;
};

struct Tables {
  std::mutex mutex;
  std::map<void*, Instance> instances;
  std::map<void*, std::shared_ptr<Device>> devices;
  size_t frames = 0;
};

Tables& AllTables() {
  static Tables& tables = *new Tables;
  return tables;
}

template <class Dispatchable>
void* Key(Dispatchable object) {
  void* key = nullptr;
  std::memcpy(&key, object, sizeof(key));
  return key;
}

// Of an instance or a physical device.
template <class Dispatchable>
Instance FindInstance(Dispatchable object) {
  Tables& tables = AllTables();
  const std::lock_guard lock(tables.mutex);
  return tables.instances.at(Key(object));
}

// Of a device or a queue.
template <class Dispatchable>
std::shared_ptr<Device> FindDevice(Dispatchable object) {
  Tables& tables = AllTables();
  const std::lock_guard lock(tables.mutex);
  return tables.devices.at(Key(object));
}

void WriteFrame(const Swapchain& swapchain, const std::vector<uint8_t>& texels) {
  Tables& tables = AllTables();
  const std::lock_guard lock(tables.mutex);
  const std::string line = FrameLine(tables.frames++, swapchain.extent, swapchain.format, texels);
  const char* const path = std::getenv(kFrameFileVariable);
  if (path == nullptr) return;
  std::FILE* const file = std::fopen(path, "a");
  if (file == nullptr) {
    std::fprintf(stderr, "frames: %s cannot be written\n", path);
    std::abort();
  }
  std::fprintf(file, "%s\n", line.c_str());
  std::fclose(file);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateSwapchain(VkDevice device, const VkSwapchainCreateInfoKHR* info,
                                               const VkAllocationCallbacks* allocator, VkSwapchainKHR* swapchain) {
  const std::shared_ptr<Device> own = FindDevice(device);
  const Functions& next = own->reader.functions();
  VkSwapchainCreateInfoKHR readable = *info;
  readable.imageUsage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  const VkResult result = next.CreateSwapchainKHR(device, &readable, allocator, swapchain);
  if (result != VK_SUCCESS) return result;
  uint32_t count = 0;
  RequireSuccess(next.GetSwapchainImagesKHR(device, *swapchain, &count, nullptr), "vkGetSwapchainImagesKHR");
  std::vector<VkImage> images(count);
  RequireSuccess(next.GetSwapchainImagesKHR(device, *swapchain, &count, images.data()), "vkGetSwapchainImagesKHR");
  const std::lock_guard lock(own->mutex);
  own->swapchains[*swapchain] = {info->imageFormat, info->imageExtent, images};
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL GetDeviceQueue(VkDevice device, uint32_t family, uint32_t index, VkQueue* queue) {
  const std::shared_ptr<Device> own = FindDevice(device);
  own->reader.functions().GetDeviceQueue(device, family, index, queue);
  const std::lock_guard lock(own->mutex);
  own->queue_families[*queue] = family;
}

VKAPI_ATTR void VKAPI_CALL GetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2* info, VkQueue* queue) {
  const std::shared_ptr<Device> own = FindDevice(device);
  own->reader.functions().GetDeviceQueue2(device, info, queue);
  const std::lock_guard lock(own->mutex);
  own->queue_families[*queue] = info->queueFamilyIndex;
}

VKAPI_ATTR VkResult VKAPI_CALL QueuePresent(VkQueue queue, const VkPresentInfoKHR* info) {
  const std::shared_ptr<Device> own = FindDevice(queue);
  {
    const std::lock_guard lock(own->mutex);
    for (uint32_t i = 0; i < info->swapchainCount; ++i) {
      const Swapchain& swapchain = own->swapchains.at(info->pSwapchains[i]);
      WriteFrame(swapchain,
                 own->reader.Read(queue, own->queue_families.at(queue), swapchain.images.at(info->pImageIndices[i]),
                                  swapchain.format, swapchain.extent));
    }
  }
  return own->reader.functions().QueuePresentKHR(queue, info);
}

VKAPI_ATTR VkResult VKAPI_CALL EnumerateExtensions(VkPhysicalDevice physical_device, const char* layer, uint32_t* count,
                                                   VkExtensionProperties* properties) {
  const PFN_vkEnumerateDeviceExtensionProperties next = FindInstance(physical_device).enumerate_extensions;
  const char* const hidden = std::getenv(kHiddenExtensionsVariable);
  if (layer != nullptr || hidden == nullptr) return next(physical_device, layer, count, properties);
  uint32_t all = 0;
  RequireSuccess(next(physical_device, layer, &all, nullptr), "vkEnumerateDeviceExtensionProperties");
  std::vector<VkExtensionProperties> extensions(all);
  RequireSuccess(next(physical_device, layer, &all, extensions.data()), "vkEnumerateDeviceExtensionProperties");
  return Enumerate(WithoutHidden(extensions, hidden), count, properties);
}

// The loader's link of the chain for this layer: what to call next. It is advanced for the layer behind.
template <class LayerCreateInfo>
LayerCreateInfo* FindLink(const void* chain, VkStructureType type) {
  const auto* info = static_cast<const LayerCreateInfo*>(chain);
  while (info != nullptr && (info->sType != type || info->function != VK_LAYER_LINK_INFO)) {
    info = static_cast<const LayerCreateInfo*>(info->pNext);
  }
  return const_cast<LayerCreateInfo*>(info);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                              VkInstance* instance) {
  auto* link = FindLink<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(VK_NULL_HANDLE, "vkCreateInstance"));
  const VkResult result = create(info, allocator, instance);
  if (result != VK_SUCCESS) return result;
  Tables& tables = AllTables();
  const std::lock_guard lock(tables.mutex);
  tables.instances[Key(*instance)] = {
      .handle = *instance,
      .get = get,
      .destroy = reinterpret_cast<PFN_vkDestroyInstance>(get(*instance, "vkDestroyInstance")),
      .get_memory_properties = reinterpret_cast<PFN_vkGetPhysicalDeviceMemoryProperties>(
          get(*instance, "vkGetPhysicalDeviceMemoryProperties")),
      .enumerate_extensions = reinterpret_cast<PFN_vkEnumerateDeviceExtensionProperties>(
          get(*instance, "vkEnumerateDeviceExtensionProperties"))};
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroyInstance(VkInstance instance, const VkAllocationCallbacks* allocator) {
  if (instance == VK_NULL_HANDLE) return;
  void* const key = Key(instance);
  FindInstance(instance).destroy(instance, allocator);
  Tables& tables = AllTables();
  const std::lock_guard lock(tables.mutex);
  tables.instances.erase(key);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical_device, const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator, VkDevice* device) {
  auto* link = FindLink<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get_of_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const Instance instance = FindInstance(physical_device);
  const auto create = reinterpret_cast<PFN_vkCreateDevice>(get_of_instance(instance.handle, "vkCreateDevice"));
  const VkResult result = create(physical_device, info, allocator, device);
  if (result != VK_SUCCESS) return result;
  VkPhysicalDeviceMemoryProperties memory = {};
  instance.get_memory_properties(physical_device, &memory);
  const Functions functions = Functions::LoadDevice([&](const char* name) { return get(*device, name); });
  Tables& tables = AllTables();
  const std::lock_guard lock(tables.mutex);
  tables.devices[Key(*device)] = std::make_shared<Device>(ImageReader(*device, functions, memory));
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroyDevice(VkDevice device, const VkAllocationCallbacks* allocator) {
  if (device == VK_NULL_HANDLE) return;
  void* const key = Key(device);
  FindDevice(device)->reader.functions().DestroyDevice(device, allocator);
  Tables& tables = AllTables();
  const std::lock_guard lock(tables.mutex);
  tables.devices.erase(key);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance, const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name);

struct Intercepted {
  const char* name;
  PFN_vkVoidFunction function;
};

template <class Function>
PFN_vkVoidFunction Erase(Function* function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

PFN_vkVoidFunction Find(std::initializer_list<Intercepted> commands, const char* name) {
  for (const Intercepted& command : commands) {
    if (std::strcmp(command.name, name) == 0) return command.function;
  }
  return nullptr;
}

PFN_vkVoidFunction FindDeviceCommand(const char* name) {
  return Find({{"vkGetDeviceProcAddr", Erase(GetDeviceProcAddr)},
               {"vkDestroyDevice", Erase(DestroyDevice)},
               {"vkGetDeviceQueue", Erase(GetDeviceQueue)},
               {"vkGetDeviceQueue2", Erase(GetDeviceQueue2)},
               {"vkCreateSwapchainKHR", Erase(CreateSwapchain)},
               {"vkQueuePresentKHR", Erase(QueuePresent)}},
              name);
}

PFN_vkVoidFunction FindInstanceCommand(const char* name) {
  return Find({{"vkGetInstanceProcAddr", Erase(GetInstanceProcAddr)},
               {"vkCreateInstance", Erase(CreateInstance)},
               {"vkDestroyInstance", Erase(DestroyInstance)},
               {"vkCreateDevice", Erase(CreateDevice)},
               {"vkEnumerateDeviceExtensionProperties", Erase(EnumerateExtensions)}},
              name);
}

// A command that the driver does not have must stay null here, too.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name) {
  const PFN_vkVoidFunction next = FindDevice(device)->reader.functions().GetDeviceProcAddr(device, name);
  const PFN_vkVoidFunction own = FindDeviceCommand(name);
  return next != nullptr && own != nullptr ? own : next;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance, const char* name) {
  if (PFN_vkVoidFunction own = FindInstanceCommand(name)) return own;
  if (instance == VK_NULL_HANDLE) return nullptr;
  const PFN_vkVoidFunction next = FindInstance(instance).get(instance, name);
  const PFN_vkVoidFunction own = FindDeviceCommand(name);
  return next != nullptr && own != nullptr ? own : next;
}

}  // namespace
}  // namespace assay::test

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* pVersionStruct) {
  if (pVersionStruct->loaderLayerInterfaceVersion < 2) return VK_ERROR_INITIALIZATION_FAILED;
  pVersionStruct->loaderLayerInterfaceVersion = 2;
  pVersionStruct->pfnGetInstanceProcAddr = assay::test::GetInstanceProcAddr;
  pVersionStruct->pfnGetDeviceProcAddr = assay::test::GetDeviceProcAddr;
  pVersionStruct->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
