// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The instance, the device, and the objects left to destroy. test_resources.cc and test_pipelines.cc have the rest.

#include "testing/test_device.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "testing/features/free_combinations.h"

namespace assay::test {
namespace {

// The structures that hold the core versions' features, in one chain.
struct CoreFeatures {
  explicit CoreFeatures(uint32_t api_version) {
    void** end = &features.pNext;
    auto link = [&](auto& more, uint32_t since) {
      if (api_version < since) return;
      *end = &more;
      end = &more.pNext;
    };
    link(features11, VK_API_VERSION_1_2);
    link(features12, VK_API_VERSION_1_2);
    link(features13, VK_API_VERSION_1_3);
    link(features14, VK_API_VERSION_1_4);
    last = end;
  }

  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features features11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan14Features features14 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES};
  void** last;
};

// No limit and no deduplication, unless the test says otherwise. A test may be about more messages of one id or cause
// than people want to read.
std::vector<VkLayerSettingEXT> LayerSettings(const DeviceOptions& options, const std::vector<VkBool32>& values) {
  static constexpr VkBool32 kNo = VK_FALSE;
  std::vector<VkLayerSettingEXT> settings;
  for (const char* off : {"enable_message_limit", "fold_messages"}) {
    const auto is_set = [off](const auto& setting) { return setting.first == off; };
    const auto is_set_otherwise = [off](const auto& setting) { return std::string_view(setting.pSettingName) == off; };
    if (std::ranges::any_of(options.settings, is_set)) continue;
    if (std::ranges::any_of(options.other_settings, is_set_otherwise)) continue;
    settings.push_back({options.layer_name, off, VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &kNo});
  }
  settings.insert(settings.end(), options.other_settings.begin(), options.other_settings.end());
  for (size_t i = 0; i < values.size(); ++i) {
    settings.push_back(
        {options.layer_name, options.settings[i].first.c_str(), VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &values[i]});
  }
  return settings;
}

void TakeDeviceFunctions(Functions& all, const Functions& device) {
#define ASSAY_TAKE(Command)                                                                                            \
  if (vk::Command::kDispatch >= vk::DispatchLevel::kDevice && vk::Command::kId != vk::CommandId::kGetDeviceProcAddr) { \
    all.Command = device.Command;                                                                                      \
  }
  ASSAY_VK_COMMANDS(ASSAY_TAKE)
#undef ASSAY_TAKE
}

}  // namespace

void TestDevice::Create(const DeviceOptions& options) {
  CreateInstance(options);
  CreateDevice(options);
}

void TestDevice::CreateInstance(const DeviceOptions& options) {
  std::vector<const char*> extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  has_surfaces_ = loader_.HasInstanceExtension(VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME);
  if (has_surfaces_) {
    extensions.push_back(VK_KHR_SURFACE_EXTENSION_NAME);
    extensions.push_back(VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME);
  }
  if (!options.settings.empty() || !options.other_settings.empty() ||
      loader_.HasInstanceExtension(VK_EXT_LAYER_SETTINGS_EXTENSION_NAME)) {
    extensions.push_back(VK_EXT_LAYER_SETTINGS_EXTENSION_NAME);
  }
  extensions.insert(extensions.end(), options.instance_extensions.begin(), options.instance_extensions.end());
  std::vector<VkBool32> values;
  values.reserve(options.settings.size());
  for (const auto& setting : options.settings) values.push_back(setting.second);
  std::vector<VkLayerSettingEXT> settings = LayerSettings(options, values);
  VkDebugUtilsMessengerCreateInfoEXT messenger_info = log_.CreateInfo();
  VkLayerSettingsCreateInfoEXT settings_info = {VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, &messenger_info,
                                                static_cast<uint32_t>(settings.size()), settings.data()};
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = options.api_version};
  VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pNext = &settings_info,
      .pApplicationInfo = &application,
      .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
      .ppEnabledExtensionNames = extensions.data(),
  };
  const FreeCombinations free;
  ASSERT_EQ(loader_.CreateInstance(info, &instance), VK_SUCCESS);
  vk = loader_.InstanceFunctions(instance);
  ASSERT_EQ(vk.CreateDebugUtilsMessengerEXT(instance, &messenger_info, nullptr, &messenger_), VK_SUCCESS);
  uint32_t count = 1;
  vk.EnumeratePhysicalDevices(instance, &count, &physical_device);
  ASSERT_EQ(count, 1u);
}

void TestDevice::CreateDevice(const DeviceOptions& options) {
  std::vector<const char*> extensions;
  if (has_surfaces_) extensions.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
  extensions.insert(extensions.end(), options.device_extensions.begin(), options.device_extensions.end());
  CoreFeatures features(options.core_features ? options.api_version : 0);
  if (options.core_features) vk.GetPhysicalDeviceFeatures2(physical_device, &features.features);
  *features.last = options.features;
  std::vector<float> priorities(16, 0.5f);
  uint32_t family_count = static_cast<uint32_t>(options.queue_counts.size());
  std::vector<VkQueueFamilyProperties> families(family_count);
  vk.GetPhysicalDeviceQueueFamilyProperties(physical_device, &family_count, families.data());
  std::vector<VkDeviceQueueCreateInfo> queues;
  for (uint32_t family = 0; family < family_count; ++family) {
    uint32_t count = std::min(options.queue_counts[family], families[family].queueCount);
    if (count == 0) continue;
    queues.push_back({.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                      .queueFamilyIndex = family,
                      .queueCount = count,
                      .pQueuePriorities = priorities.data()});
  }
  VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = options.core_features ? &features.features : options.features,
      .queueCreateInfoCount = static_cast<uint32_t>(queues.size()),
      .pQueueCreateInfos = queues.data(),
      .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
      .ppEnabledExtensionNames = extensions.data(),
  };
  const FreeCombinations free;
  ASSERT_EQ(loader_.CreateDevice(vk, physical_device, info, &device), VK_SUCCESS);
  TakeDeviceFunctions(vk, loader_.DeviceFunctions(device));
}

void TestDevice::Destroy() {
  if (device != VK_NULL_HANDLE) vk.DeviceWaitIdle(device);
  while (!deferred_.empty()) {
    Deferred last = std::move(deferred_.back());
    deferred_.pop_back();
    last.destroy();
  }
  if (device != VK_NULL_HANDLE) vk.DestroyDevice(std::exchange(device, VK_NULL_HANDLE), nullptr);
  if (instance == VK_NULL_HANDLE) return;
  vk.DestroyDebugUtilsMessengerEXT(instance, std::exchange(messenger_, VK_NULL_HANDLE), nullptr);
  vk.DestroyInstance(std::exchange(instance, VK_NULL_HANDLE), nullptr);
}

VkQueue TestDevice::Queue(uint32_t family, uint32_t index) {
  VkQueue queue = VK_NULL_HANDLE;
  vk.GetDeviceQueue(device, family, index, &queue);
  return queue;
}

void TestDevice::Defer(uint64_t handle, std::function<void()> destroy) {
  deferred_.push_back({handle, std::move(destroy)});
}

void TestDevice::DestroyNow(uint64_t handle) {
  auto same = [&](const Deferred& entry) { return entry.handle == handle; };
  auto found = std::find_if(deferred_.begin(), deferred_.end(), same);
  ASSERT_NE(found, deferred_.end());
  Deferred entry = std::move(*found);
  deferred_.erase(found);
  entry.destroy();
}

void TestDevice::CancelDestroy(uint64_t handle) {
  std::erase_if(deferred_, [&](const Deferred& entry) { return entry.handle == handle; });
}

void TestDevice::SetName(VkObjectType type, uint64_t handle, const char* name) {
  VkDebugUtilsObjectNameInfoEXT info = {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr, type, handle,
                                        name};
  EXPECT_EQ(vk.SetDebugUtilsObjectNameEXT(device, &info), VK_SUCCESS);
}

}  // namespace assay::test
