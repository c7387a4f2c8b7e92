// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/in_process_loader.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "testing/mock_driver/entry_points.h"
#include "testing/mock_driver/icd.h"
#include "testing/mock_driver/mock_driver.h"
#include "vk/command_info.h"
#include "vk/extension_info.h"

namespace assay::test {
namespace {

// The loader's terminators end the chain. Ours are the driver's functions.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL NextGetInstanceProcAddr(VkInstance instance, const char* name) {
  return vk_icdGetInstanceProcAddr(instance, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL NextGetPhysicalDeviceProcAddr(VkInstance instance, const char* name) {
  return vk_icdGetPhysicalDeviceProcAddr(instance, name);
}

// Whether neither a core version nor any extension of the driver has the command.
bool IsLacking(const char* name) {
  const auto id = vk::FindCommand(name);
  if (!id.has_value()) return false;
  const vk::CommandInfo& info = vk::GetCommandInfo(*id);
  if (info.core_version != 0 || info.extensions.empty()) return false;
  return std::ranges::all_of(info.extensions, [](uint16_t extension) {
    return MockDriver::Get().config().disabled_extensions.contains(
        std::string(vk::GetExtensionInfo(vk::ExtensionId{extension}).name));
  });
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL NextGetDeviceProcAddr(VkDevice, const char* name) {
  return IsLacking(name) ? nullptr : FindEntryPoint(name);
}

// Gives an object that a layer made for itself the loader's word. The loader finds its dispatch table by that word.
void CopyLoaderWord(const void* from, void* to) { *static_cast<uintptr_t*>(to) = *static_cast<const uintptr_t*>(from); }

VKAPI_ATTR VkResult VKAPI_CALL SetInstanceLoaderData(VkInstance instance, void* object) {
  CopyLoaderWord(instance, object);
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL SetDeviceLoaderData(VkDevice device, void* object) {
  CopyLoaderWord(device, object);
  return VK_SUCCESS;
}

}  // namespace

InProcessLoader::InProcessLoader(PFN_vkNegotiateLoaderLayerInterfaceVersion layer)
    : layer_{LAYER_NEGOTIATE_INTERFACE_STRUCT,
             nullptr,
             CURRENT_LOADER_LAYER_INTERFACE_VERSION,
             &NextGetInstanceProcAddr,
             &NextGetDeviceProcAddr,
             &NextGetPhysicalDeviceProcAddr},
      has_layer_(layer != nullptr) {
  if (!has_layer_) return;
  layer_.pfnGetInstanceProcAddr = nullptr;
  layer_.pfnGetDeviceProcAddr = nullptr;
  layer_.pfnGetPhysicalDeviceProcAddr = nullptr;
  bool accepted = layer(&layer_) == VK_SUCCESS && layer_.loaderLayerInterfaceVersion == 2 &&
                  layer_.pfnGetInstanceProcAddr != nullptr && layer_.pfnGetDeviceProcAddr != nullptr;
  if (!accepted) std::abort();
}

VkResult InProcessLoader::CreateInstance(const VkInstanceCreateInfo& info, VkInstance* instance) const {
  auto create = reinterpret_cast<PFN_vkCreateInstance>(InstanceFunction(VK_NULL_HANDLE, "vkCreateInstance"));
  if (!has_layer_) return create(&info, nullptr, instance);
  VkLayerInstanceLink link = {nullptr, &NextGetInstanceProcAddr, &NextGetPhysicalDeviceProcAddr};
  VkLayerInstanceCreateInfo features = {
      VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, info.pNext, VK_LOADER_FEATURES, {}};
  VkLayerInstanceCreateInfo data = {
      VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, &features, VK_LOADER_DATA_CALLBACK, {}};
  data.u.pfnSetInstanceLoaderData = &SetInstanceLoaderData;
  VkLayerInstanceCreateInfo chain = {VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, &data, VK_LAYER_LINK_INFO, {}};
  chain.u.pLayerInfo = &link;
  VkInstanceCreateInfo linked = info;
  linked.pNext = &chain;
  return create(&linked, nullptr, instance);
}

VkResult InProcessLoader::CreateDevice(const Functions& instance_functions, VkPhysicalDevice physical_device,
                                       const VkDeviceCreateInfo& info, VkDevice* device) const {
  if (!has_layer_) return instance_functions.CreateDevice(physical_device, &info, nullptr, device);
  VkLayerDeviceLink link = {nullptr, &NextGetInstanceProcAddr, &NextGetDeviceProcAddr};
  VkLayerDeviceCreateInfo data = {VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, info.pNext, VK_LOADER_DATA_CALLBACK, {}};
  data.u.pfnSetDeviceLoaderData = &SetDeviceLoaderData;
  VkLayerDeviceCreateInfo chain = {VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, &data, VK_LAYER_LINK_INFO, {}};
  chain.u.pLayerInfo = &link;
  VkDeviceCreateInfo linked = info;
  linked.pNext = &chain;
  return instance_functions.CreateDevice(physical_device, &linked, nullptr, device);
}

PFN_vkVoidFunction InProcessLoader::InstanceFunction(VkInstance instance, const char* name) const {
  return layer_.pfnGetInstanceProcAddr(instance, name);
}

PFN_vkVoidFunction InProcessLoader::DeviceFunction(VkDevice device, const char* name) const {
  return layer_.pfnGetDeviceProcAddr(device, name);
}

}  // namespace assay::test
