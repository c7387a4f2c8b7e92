// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Instances, their extensions and physical devices, and the addresses of functions.

#include <cstring>
#include <string>
#include <vector>

#include "testing/mock_driver/behaviours/implemented_commands.h"
#include "testing/mock_driver/behaviours/write_array.h"
#include "testing/mock_driver/entry_points.h"
#include "testing/mock_driver/mock_driver.h"
#include "testing/mock_driver/objects.h"
#include "vk/extension_info.h"

namespace assay::test {
namespace {

MockConfig& Config() { return MockDriver::Get().config(); }

std::vector<const vk::ExtensionInfo*> SupportedExtensions(bool instance) {
  std::vector<const vk::ExtensionInfo*> extensions;
  for (uint32_t i = 0; i < vk::kExtensionCount; ++i) {
    const vk::ExtensionInfo& info = vk::GetExtensionInfo(static_cast<vk::ExtensionId>(i));
    bool disabled = Config().disabled_extensions.contains(std::string(info.name));
    if (info.instance == instance && !disabled) extensions.push_back(&info);
  }
  return extensions;
}

VkResult WriteExtensions(bool instance, uint32_t* count, VkExtensionProperties* output) {
  auto extensions = SupportedExtensions(instance);
  return WriteArray(count, output, extensions.size(), [&](VkExtensionProperties& properties, uint32_t i) {
    properties = {};
    extensions[i]->name.copy(properties.extensionName, VK_MAX_EXTENSION_NAME_SIZE - 1);
    const auto version = Config().extension_versions.find(properties.extensionName);
    properties.specVersion =
        version != Config().extension_versions.end() ? version->second : extensions[i]->spec_version;
  });
}

DispatchableObject& AsObject(VkInstance instance) { return *reinterpret_cast<DispatchableObject*>(instance); }

VkPhysicalDevice PhysicalDevice(VkInstance instance, size_t index) {
  return reinterpret_cast<VkPhysicalDevice>(AsObject(instance).children[index]);
}

}  // namespace

VkResult Execute(const vk::EnumerateInstanceVersion& call) {
  *call.pApiVersion = Config().api_version;
  return VK_SUCCESS;
}

VkResult Execute(const vk::EnumerateInstanceExtensionProperties& call) {
  return WriteExtensions(true, call.pPropertyCount, call.pProperties);
}

VkResult Execute(const vk::EnumerateDeviceExtensionProperties& call) {
  return WriteExtensions(false, call.pPropertyCount, call.pProperties);
}

VkResult Execute(const vk::CreateInstance& call) {
  DispatchableObject* instance = CreateDispatchable(VK_OBJECT_TYPE_INSTANCE, 0, 0);
  for (uint32_t i = 0; i < Config().physical_device_count; ++i) {
    instance->children.push_back(CreateDispatchable(VK_OBJECT_TYPE_PHYSICAL_DEVICE, i, ToInteger(instance)));
  }
  *call.pInstance = reinterpret_cast<VkInstance>(instance);
  return VK_SUCCESS;
}

void Execute(const vk::DestroyInstance& call) {
  DestroyDispatchable(call.instance, VK_OBJECT_TYPE_INSTANCE, vk::DestroyInstance::kName);
}

VkResult Execute(const vk::EnumeratePhysicalDevices& call) {
  return WriteArray(call.pPhysicalDeviceCount, call.pPhysicalDevices, AsObject(call.instance).children.size(),
                    [&](VkPhysicalDevice& device, uint32_t i) { device = PhysicalDevice(call.instance, i); });
}

VkResult Execute(const vk::EnumeratePhysicalDeviceGroups& call) {
  size_t size = AsObject(call.instance).children.size();
  return WriteArray(call.pPhysicalDeviceGroupCount, call.pPhysicalDeviceGroupProperties, size,
                    [&](VkPhysicalDeviceGroupProperties& group, uint32_t i) {
                      group.physicalDeviceCount = 1;
                      group.physicalDevices[0] = PhysicalDevice(call.instance, i);
                      group.subsetAllocation = VK_FALSE;
                    });
}

PFN_vkVoidFunction Execute(const vk::GetInstanceProcAddr& call) { return FindEntryPoint(call.pName); }

PFN_vkVoidFunction Execute(const vk::GetDeviceProcAddr& call) { return FindEntryPoint(call.pName); }

}  // namespace assay::test
