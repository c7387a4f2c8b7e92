// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A Vulkan layer that writes every SPIR-V module that an application hands to the driver to a file, and changes
// nothing. Modules come with vkCreateShaderModule, in the chains of the stages of pipelines, and with
// vkCreateShadersEXT.
//
// The layer knows instances and devices by their dispatch keys: the first pointer in each dispatchable object, which
// the loader puts there.

#include <vulkan/vk_layer.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "spirv_instrument/corpus/capture/module_files.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {
namespace {

struct InstanceFunctions {
  VkInstance instance;
  PFN_vkGetInstanceProcAddr get;
  PFN_vkDestroyInstance destroy;
};

struct DeviceFunctions {
  PFN_vkGetDeviceProcAddr get;
  PFN_vkDestroyDevice destroy;
  PFN_vkCreateShaderModule create_shader_module;
  PFN_vkCreateComputePipelines create_compute_pipelines;
  PFN_vkCreateGraphicsPipelines create_graphics_pipelines;
  PFN_vkCreateRayTracingPipelinesKHR create_ray_tracing_pipelines;
  PFN_vkCreateShadersEXT create_shaders;
};

struct Tables {
  std::mutex mutex;
  std::map<void*, InstanceFunctions> instances;
  std::map<void*, DeviceFunctions> devices;
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

InstanceFunctions Next(VkInstance instance) {
  Tables& tables = AllTables();
  const std::lock_guard lock(tables.mutex);
  return tables.instances.at(Key(instance));
}

DeviceFunctions Next(VkDevice device) {
  Tables& tables = AllTables();
  const std::lock_guard lock(tables.mutex);
  return tables.devices.at(Key(device));
}

void Capture(const uint32_t* words, size_t size_in_bytes) {
  const char* folder = std::getenv(kFolderVariable);
  if (folder != nullptr && words != nullptr) WriteModule(folder, words, size_in_bytes);
}

// The module in the chain of a stage, if it has one.
void CaptureStage(const VkPipelineShaderStageCreateInfo& stage) {
  for (auto* next = static_cast<const VkBaseInStructure*>(stage.pNext); next != nullptr; next = next->pNext) {
    if (next->sType != VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO) continue;
    const auto& module = *reinterpret_cast<const VkShaderModuleCreateInfo*>(next);
    Capture(module.pCode, module.codeSize);
  }
}

VKAPI_ATTR VkResult VKAPI_CALL CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo* info,
                                                  const VkAllocationCallbacks* allocator, VkShaderModule* module) {
  Capture(info->pCode, info->codeSize);
  return Next(device).create_shader_module(device, info, allocator, module);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                      const VkComputePipelineCreateInfo* infos,
                                                      const VkAllocationCallbacks* allocator, VkPipeline* pipelines) {
  for (uint32_t i = 0; i < count; ++i) CaptureStage(infos[i].stage);
  return Next(device).create_compute_pipelines(device, cache, count, infos, allocator, pipelines);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                       const VkGraphicsPipelineCreateInfo* infos,
                                                       const VkAllocationCallbacks* allocator, VkPipeline* pipelines) {
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t stage = 0; stage < infos[i].stageCount; ++stage) CaptureStage(infos[i].pStages[stage]);
  }
  return Next(device).create_graphics_pipelines(device, cache, count, infos, allocator, pipelines);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateRayTracingPipelines(VkDevice device, VkDeferredOperationKHR operation,
                                                         VkPipelineCache cache, uint32_t count,
                                                         const VkRayTracingPipelineCreateInfoKHR* infos,
                                                         const VkAllocationCallbacks* allocator,
                                                         VkPipeline* pipelines) {
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t stage = 0; stage < infos[i].stageCount; ++stage) CaptureStage(infos[i].pStages[stage]);
  }
  return Next(device).create_ray_tracing_pipelines(device, operation, cache, count, infos, allocator, pipelines);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateShaders(VkDevice device, uint32_t count, const VkShaderCreateInfoEXT* infos,
                                             const VkAllocationCallbacks* allocator, VkShaderEXT* shaders) {
  for (uint32_t i = 0; i < count; ++i) {
    if (infos[i].codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT) continue;
    Capture(static_cast<const uint32_t*>(infos[i].pCode), infos[i].codeSize);
  }
  return Next(device).create_shaders(device, count, infos, allocator, shaders);
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
  tables.instances[Key(*instance)] = {*instance, get,
                                      reinterpret_cast<PFN_vkDestroyInstance>(get(*instance, "vkDestroyInstance"))};
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroyInstance(VkInstance instance, const VkAllocationCallbacks* allocator) {
  if (instance == VK_NULL_HANDLE) return;
  void* const key = Key(instance);
  Next(instance).destroy(instance, allocator);
  Tables& tables = AllTables();
  const std::lock_guard lock(tables.mutex);
  tables.instances.erase(key);
}

template <class Function>
void Load(Function& function, const DeviceFunctions& functions, VkDevice device, const char* name) {
  function = reinterpret_cast<Function>(functions.get(device, name));
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical_device, const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator, VkDevice* device) {
  auto* link = FindLink<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get_of_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  DeviceFunctions functions = {.get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr};
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  VkInstance instance = VK_NULL_HANDLE;
  {
    // A physical device has its instance's key.
    Tables& tables = AllTables();
    const std::lock_guard lock(tables.mutex);
    instance = tables.instances.at(Key(physical_device)).instance;
  }
  const auto create = reinterpret_cast<PFN_vkCreateDevice>(get_of_instance(instance, "vkCreateDevice"));
  const VkResult result = create(physical_device, info, allocator, device);
  if (result != VK_SUCCESS) return result;
  Load(functions.destroy, functions, *device, "vkDestroyDevice");
  Load(functions.create_shader_module, functions, *device, "vkCreateShaderModule");
  Load(functions.create_compute_pipelines, functions, *device, "vkCreateComputePipelines");
  Load(functions.create_graphics_pipelines, functions, *device, "vkCreateGraphicsPipelines");
  Load(functions.create_ray_tracing_pipelines, functions, *device, "vkCreateRayTracingPipelinesKHR");
  Load(functions.create_shaders, functions, *device, "vkCreateShadersEXT");
  Tables& tables = AllTables();
  const std::lock_guard lock(tables.mutex);
  tables.devices[Key(*device)] = functions;
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroyDevice(VkDevice device, const VkAllocationCallbacks* allocator) {
  if (device == VK_NULL_HANDLE) return;
  void* const key = Key(device);
  Next(device).destroy(device, allocator);
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

PFN_vkVoidFunction FindDeviceCommand(const char* name) {
  const Intercepted commands[] = {
      {"vkGetDeviceProcAddr", Erase(GetDeviceProcAddr)},
      {"vkDestroyDevice", Erase(DestroyDevice)},
      {"vkCreateShaderModule", Erase(CreateShaderModule)},
      {"vkCreateComputePipelines", Erase(CreateComputePipelines)},
      {"vkCreateGraphicsPipelines", Erase(CreateGraphicsPipelines)},
      {"vkCreateRayTracingPipelinesKHR", Erase(CreateRayTracingPipelines)},
      {"vkCreateShadersEXT", Erase(CreateShaders)},
  };
  for (const Intercepted& command : commands) {
    if (std::strcmp(command.name, name) == 0) return command.function;
  }
  return nullptr;
}

PFN_vkVoidFunction FindInstanceCommand(const char* name) {
  const Intercepted commands[] = {
      {"vkGetInstanceProcAddr", Erase(GetInstanceProcAddr)},
      {"vkCreateInstance", Erase(CreateInstance)},
      {"vkDestroyInstance", Erase(DestroyInstance)},
      {"vkCreateDevice", Erase(CreateDevice)},
  };
  for (const Intercepted& command : commands) {
    if (std::strcmp(command.name, name) == 0) return command.function;
  }
  return nullptr;
}

// A command that the driver does not have must stay null here, too.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name) {
  const PFN_vkVoidFunction next = Next(device).get(device, name);
  const PFN_vkVoidFunction own = FindDeviceCommand(name);
  return next != nullptr && own != nullptr ? own : next;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance, const char* name) {
  if (PFN_vkVoidFunction own = FindInstanceCommand(name)) return own;
  if (instance == VK_NULL_HANDLE) return nullptr;
  const PFN_vkVoidFunction next = Next(instance).get(instance, name);
  const PFN_vkVoidFunction own = FindDeviceCommand(name);
  return next != nullptr && own != nullptr ? own : next;
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* pVersionStruct) {
  if (pVersionStruct->loaderLayerInterfaceVersion < 2) return VK_ERROR_INITIALIZATION_FAILED;
  pVersionStruct->loaderLayerInterfaceVersion = 2;
  pVersionStruct->pfnGetInstanceProcAddr = assay::spirv_instrument::corpus::GetInstanceProcAddr;
  pVersionStruct->pfnGetDeviceProcAddr = assay::spirv_instrument::corpus::GetDeviceProcAddr;
  pVersionStruct->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
