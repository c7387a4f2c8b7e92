// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What instances and devices are created with.

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/devices/feature_pairs.h"
#include "core/resources/resource_test.h"
#include "vk/feature_info.h"
#include "vk/struct_info.h"

namespace assay::core {
namespace {

using test::Of;
using F11 = VkPhysicalDeviceVulkan11Features;
using F12 = VkPhysicalDeviceVulkan12Features;
using CoreControl = VkDeviceQueueShaderCoreControlCreateInfoARM;

// What creates a device. Its pointers are set when it is used.
struct Asked {
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1};
  std::vector<const char*> extensions;
  // One queue of family 0 each.
  VkDeviceQueueCreateInfo queues[2] = {Of<VkDeviceQueueCreateInfo>(0, 0, 1), Of<VkDeviceQueueCreateInfo>(0, 0, 1)};
  float priorities[5] = {0, 0.5f, 1, 1, 1};
  VkPhysicalDeviceFeatures features = {};
  bool has_features = false;
};

struct AskedInstance {
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  std::vector<const char*> extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  uint32_t version = VK_API_VERSION_1_4;
};

class CreationTest : public ResourceTest {
 protected:
  void Create(const Asked& asked) {
    VkDeviceCreateInfo info = asked.info;
    std::vector<VkDeviceQueueCreateInfo> queues(asked.queues, asked.queues + 2);
    for (VkDeviceQueueCreateInfo& queue : queues) queue.pQueuePriorities = asked.priorities;
    info.pQueueCreateInfos = queues.data();
    info.enabledExtensionCount = static_cast<uint32_t>(asked.extensions.size());
    info.ppEnabledExtensionNames = asked.extensions.data();
    if (asked.has_features) info.pEnabledFeatures = &asked.features;
    VkDevice made = VK_NULL_HANDLE;
    if (test::LoaderUnderTest().CreateDevice(vk, physical_device, info, &made) == VK_SUCCESS)
      vk.DestroyDevice(made, nullptr);
  }
  void RunDevices(const std::vector<Case<Asked>>& cases, const Asked& correct = {}) {
    Run("VkDeviceCreateInfo", correct, cases, [this](const Asked& asked) { Create(asked); });
  }

  // These structures and extensions.
  template <class... Structures>
  Case<Asked> With(std::string_view rule, std::vector<const char*> extensions = {}) {
    return {rule, [=, this](Asked& a) { Set<Structures...>(a, extensions); }};
  }
  template <class... Structures>
  void Set(Asked& a, const std::vector<const char*>& extensions) {
    (Chain<Structures>(a.info), ...);
    a.extensions = extensions;
  }
  template <class Structure>
  Case<Asked> WithFeature(std::string_view rule, VkBool32 Structure::* feature, std::vector<const char*> extensions) {
    return {rule, [=, this](Asked& a) { Chain<Structure>(a.info).*feature = VK_TRUE, a.extensions = extensions; }};
  }

  // Two elements of pQueueCreateInfos, the second one for protected queues of the same family.
  void ShareFamily(Asked& a) {
    Chain<F11>(a.info).protectedMemory = VK_TRUE;
    a.info.queueCreateInfoCount = 2;
    a.queues[1].flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT;
  }

  void Enable(Asked& a, vk::FeatureId id) {
    const vk::FeatureInfo& feature = *std::ranges::find(vk::Features(), id, &vk::FeatureInfo::id);
    void* structure = &a.features;
    if (feature.struct_name == "VkPhysicalDeviceFeatures") {
      a.has_features = true;
    } else {
      auto* link = static_cast<VkBaseOutStructure*>(const_cast<void*>(a.info.pNext));
      while (link != nullptr && link->sType != feature.structure_type) link = link->pNext;
      if (link == nullptr) {
        structs_.push_back(std::make_unique<std::byte[]>(vk::FindStruct(feature.structure_type)->size));
        link = reinterpret_cast<VkBaseOutStructure*>(structs_.back().get());
        *link = {feature.structure_type, static_cast<VkBaseOutStructure*>(const_cast<void*>(a.info.pNext))};
        a.info.pNext = link;
      }
      structure = link;
    }
    const VkBool32 on = VK_TRUE;
    std::memcpy(static_cast<char*>(structure) + feature.offset, &on, sizeof(on));
  }

  void RunInstances(const std::vector<Case<AskedInstance>>& cases) {
    Run("VkInstanceCreateInfo", AskedInstance(), cases, [this](const AskedInstance& asked) {
      VkDebugUtilsMessengerCreateInfoEXT messenger = messages.CreateInfo();
      messenger.pNext = asked.info.pNext;
      const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = asked.version};
      VkInstanceCreateInfo info = asked.info;
      info.pNext = &messenger;
      info.pApplicationInfo = &application;
      info.enabledExtensionCount = static_cast<uint32_t>(asked.extensions.size());
      info.ppEnabledExtensionNames = asked.extensions.data();
      VkInstance made = VK_NULL_HANDLE;
      if (test::LoaderUnderTest().CreateInstance(info, &made) == VK_SUCCESS)
        test::LoaderUnderTest().InstanceFunctions(made).DestroyInstance(made, nullptr);
    });
  }

 private:
  std::vector<std::unique_ptr<std::byte[]>> structs_;
};

TEST_F(CreationTest, Instances) {
  const auto loading =
      Of<VkDirectDriverLoadingInfoLUNARG>(0, [](VkInstance, const char*) -> PFN_vkVoidFunction { return nullptr; });
  const auto drivers = Of<VkDirectDriverLoadingListLUNARG>(VK_DIRECT_DRIVER_LOADING_MODE_EXCLUSIVE_LUNARG, 1, &loading);
  const VkLayerSettingEXT setting = {"VK_LAYER_another", "a", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, nullptr};
  const auto settings = Of<VkLayerSettingsCreateInfoEXT>(1, &setting);
  const VkValidationFeatureEnableEXT reserve[] = {VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT,
                                                  VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT};
  static constexpr PFN_vkDebugReportCallbackEXT kIgnore = [](auto...) -> VkBool32 { return VK_FALSE; };
  constexpr auto kTexture = VK_EXPORT_METAL_OBJECT_TYPE_METAL_TEXTURE_BIT_EXT;
  using A = AskedInstance;
  const auto one = Of<VkValidationFeaturesEXT>(1, reserve), both = Of<VkValidationFeaturesEXT>(2, reserve);
  const auto chain = [](const void* structure, const char* extension) {
    return [=](A& a) { a.info.pNext = structure, a.extensions.push_back(extension); };
  };
  RunInstances({
      {"pNext-04925", [&](A& a) { Chain<VkDebugReportCallbackCreateInfoEXT>(a.info).pfnCallback = kIgnore; }},
      {"pNext-04926", [](A& a) { a.extensions.clear(); }},
      {"pNext-09400", [&](A& a) { a.info.pNext = &drivers; }},
      {"flags-06559", [](A& a) { a.info.flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR; }},
      {"pNext-06779", [&](A& a) { Chain<VkExportMetalObjectCreateInfoEXT>(a.info).exportObjectType = kTexture; }},
      {"VkValidationFeaturesEXT-pEnabledValidationFeatures-02967", chain(&one, "VK_EXT_validation_features")},
      {"", chain(&both, "VK_EXT_validation_features")},
      {"VkLayerSettingEXT-valueCount-10070", chain(&settings, "VK_EXT_layer_settings")},
      {"VkApplicationInfo-apiVersion-04010", [](A& a) { a.version = 1; }},
      {"vkCreateInstance-ppEnabledExtensionNames-01388",
       [](A& a) { a.extensions.push_back(VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME); }},
  });
}

TEST_F(CreationTest, Devices) {
  CreateInstance();
  static const VkPhysicalDeviceFeatures none = {};
  using A = Asked;
  RunDevices({
      {"pNext-00373", [&](A& a) { Chain<VkPhysicalDeviceFeatures2>(a.info), a.info.pEnabledFeatures = &none; }},
      With<>("ppEnabledExtensionNames-01840", {"VK_AMD_negative_viewport_height"}),
      With<>("ppEnabledExtensionNames-03328", {"VK_KHR_buffer_device_address", "VK_EXT_buffer_device_address"}),
      WithFeature("pNext-04748", &F12::bufferDeviceAddress, {"VK_EXT_buffer_device_address"}),
      With<F11, VkPhysicalDeviceMultiviewFeatures>("pNext-02829"),
      With<F11, VkPhysicalDevice8BitStorageFeatures>(""),
      With<F12, VkPhysicalDevice8BitStorageFeatures>("pNext-02830"),
      With<VkPhysicalDeviceVulkan13Features, VkPhysicalDeviceMaintenance4Features>("pNext-06532"),
      With<VkPhysicalDeviceVulkan14Features, VkPhysicalDeviceMaintenance5Features>("pNext-10360"),
      With<F11>("ppEnabledExtensionNames-04476", {"VK_KHR_shader_draw_parameters"}),
      With<F12>("ppEnabledExtensionNames-02831", {"VK_KHR_draw_indirect_count"}),
      With<F12>("ppEnabledExtensionNames-02832", {"VK_KHR_sampler_mirror_clamp_to_edge"}),
      With<F12>("ppEnabledExtensionNames-02833", {"VK_EXT_descriptor_indexing"}),
      With<F12>("ppEnabledExtensionNames-02834", {"VK_EXT_sampler_filter_minmax"}),
      WithFeature("ppEnabledExtensionNames-02835", &F12::shaderOutputLayer, {"VK_EXT_shader_viewport_index_layer"}),
      With<>("", {"VK_EXT_shader_viewport_index_layer", "VK_KHR_draw_indirect_count"}),
      WithFeature("None-08095", &VkPhysicalDeviceDescriptorBufferFeaturesEXT::descriptorBuffer,
                  {"VK_EXT_descriptor_buffer", "VK_AMD_shader_fragment_mask"}),
      {"pNext-09396",
       [&](A& a) { Chain<CoreControl>(a.info).shaderCoreCount = Chain<CoreControl>(a.queues[0]).shaderCoreCount = 1; }},
      {"VkDeviceQueueShaderCoreControlCreateInfoARM-shaderCoreCount-09399", [&](A& a) { Chain<CoreControl>(a.info); }},
      {"VkDeviceQueueShaderCoreControlCreateInfoARM-shaderCoreCount-09399",
       [&](A& a) { Chain<CoreControl>(a.queues[0]).shaderCoreCount = 2; }},
      {"", [&](A& a) { Chain<CoreControl>(a.queues[0]).shaderCoreCount = 1; }},
      With<>("vkCreateDevice-ppEnabledExtensionNames-01387", {"VK_KHR_ray_query", "VK_KHR_deferred_host_operations"}),
      With<>("", {"VK_KHR_ray_query", "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"}),
  });
}

TEST_F(CreationTest, Queues) {
  CreateInstance();
  const auto low = Of<VkDeviceQueueGlobalPriorityCreateInfo>(VK_QUEUE_GLOBAL_PRIORITY_LOW);
  using A = Asked;
  RunDevices({
      {"VkDeviceQueueCreateInfo-queueFamilyIndex-00381", [](A& a) { a.queues[0].queueFamilyIndex = 3; }},
      {"VkDeviceQueueCreateInfo-queueCount-00382", [](A& a) { a.queues[0].queueCount = 5; }},
      {"VkDeviceQueueCreateInfo-pQueuePriorities-00383", [](A& a) { a.priorities[0] = -1; }},
      {"VkDeviceQueueCreateInfo-flags-02861", [](A& a) { a.queues[0].flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT; }},
      {"VkDeviceQueueCreateInfo-flags-06449", [&](A& a) { ShareFamily(a), a.queues[1].queueFamilyIndex = 1; }},
      {"", [&](A& a) { ShareFamily(a); }},
      {"queueFamilyIndex-02802", [&](A& a) { ShareFamily(a), a.queues[1].flags = 0; }},
      {"pQueueCreateInfos-06755", [&](A& a) { ShareFamily(a), a.queues[0].queueCount = 4; }},
      {"pQueueCreateInfos-06654", [&](A& a) { ShareFamily(a), a.queues[1].pNext = &low; }},
  });
}

TEST_F(CreationTest, Features) {
  CreateInstance();
  for (const FeaturePair& pair : FeaturePairs()) {
    const std::string_view id = vk::GetVuid(pair.id).id;
    const auto enable = [&](bool other) {
      return [&, other](Asked& a) {
        Enable(a, pair.feature);
        if (other) Enable(a, pair.other);
      };
    };
    RunDevices({{id.substr(5), enable(!pair.needs)}, {"", enable(pair.needs)}});
  }
}

TEST_F(CreationTest, WeakDevices) {
  driver().config().disabled_extensions.clear();
  ChangeProperties<VkPhysicalDeviceVulkan12Properties>([](auto& s) { s.robustBufferAccessUpdateAfterBind = VK_FALSE; });
  ChangeProperties<VkPhysicalDeviceSchedulingControlsPropertiesARM>([](auto& s) { s.schedulingControlsFlags = 0; });
  ChangeProperties<VkPhysicalDevicePipelineBinaryPropertiesKHR>(
      [](auto& s) { s.pipelineBinaryInternalCacheControl = VK_FALSE; });
  CreateInstance();
  using A = Asked;
  RunDevices(
      {{"pProperties-04451", [](A& a) { a.extensions.clear(); }},
       {"robustBufferAccess-10247",
        [&](A& a) {
          Chain<F12>(a.info).descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE;
          Enable(a, vk::FeatureId::kRobustBufferAccess);
        }},
       {"pNext-09397", [&](A& a) { Chain<CoreControl>(a.info).shaderCoreCount = 1; }},
       {"VkDeviceQueueCreateInfo-pNext-09398", [&](A& a) { Chain<CoreControl>(a.queues[0]).shaderCoreCount = 1; }},
       {"VkDevicePipelineBinaryInternalCacheControlKHR-disableInternalCache-09602",
        [&](A& a) { Chain<VkDevicePipelineBinaryInternalCacheControlKHR>(a.info).disableInternalCache = 1; }}},
      {.extensions = {"VK_KHR_portability_subset"}});
}

TEST_F(CreationTest, OldDevices) {
  driver().config().api_version = VK_API_VERSION_1_0;
  CreateInstance({.api_version = VK_API_VERSION_1_0});
  RunDevices({With<>("ppEnabledExtensionNames-00374", {"VK_KHR_maintenance1", "VK_AMD_negative_viewport_height"}),
              With<>("", {"VK_AMD_negative_viewport_height"})});
}

TEST_F(CreationTest, DeviceGroups) {
  driver().config().physical_device_count = 2;
  CreateInstance();
  uint32_t count = 2;
  VkPhysicalDevice devices[3] = {};
  vk.EnumeratePhysicalDevices(instance, &count, devices);
  devices[2] = devices[1];
  const auto group = [&](Asked& a, uint32_t first, uint32_t size) {
    auto& info = Chain<VkDeviceGroupDeviceCreateInfo>(a.info);
    info.physicalDeviceCount = size, info.pPhysicalDevices = devices + first;
  };
  RunDevices({
      {"VkDeviceGroupDeviceCreateInfo-pPhysicalDevices-00375", [&](Asked& a) { group(a, 1, 2); }},
      {"VkDeviceGroupDeviceCreateInfo-pPhysicalDevices-00376", [&](Asked& a) { group(a, 0, 2); }},
      {"VkDeviceGroupDeviceCreateInfo-physicalDeviceCount-00377", [&](Asked& a) { group(a, 1, 1); }},
      {"", [&](Asked& a) { group(a, 0, 1); }},
  });
}

}  // namespace
}  // namespace assay::core
