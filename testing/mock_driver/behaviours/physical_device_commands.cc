// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Features, properties, queue families and memory types.

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "testing/mock_driver/behaviours/implemented_commands.h"
#include "testing/mock_driver/behaviours/property_values.h"
#include "testing/mock_driver/behaviours/write_array.h"
#include "testing/mock_driver/generic.h"
#include "testing/mock_driver/mock_driver.h"
#include "vk/extension_info.h"

namespace assay::test {
namespace {

MockConfig& Config() { return MockDriver::Get().config(); }

bool IsSupported(const vk::FeatureInfo& feature) {
  const auto& disabled = Config().disabled_features;
  std::string name(feature.name);
  return !disabled.contains(name) && !disabled.contains(std::string(feature.struct_name) + "." + name);
}

bool IsCoreFeature(const vk::FeatureInfo& feature) { return feature.struct_name == "VkPhysicalDeviceFeatures"; }

void SetFeature(const vk::FeatureInfo& feature, void* features) {
  VkBool32 supported = IsSupported(feature);
  std::memcpy(static_cast<std::byte*>(features) + feature.offset, &supported, sizeof(supported));
}

void FillCoreFeatures(VkPhysicalDeviceFeatures& features) {
  for (const vk::FeatureInfo& feature : vk::Features()) {
    if (IsCoreFeature(feature)) SetFeature(feature, &features);
  }
}

void FillFeatureStruct(VkBaseOutStructure* features) {
  for (const vk::FeatureInfo& feature : vk::Features()) {
    if (!IsCoreFeature(feature) && feature.structure_type == features->sType) SetFeature(feature, features);
  }
}

void FillCoreProperties(VkPhysicalDeviceProperties& properties) {
  properties = {
      .apiVersion = Config().api_version,
      .driverVersion = 1,
      .vendorID = 0x10000,
      .deviceID = 1,
      .deviceType = Config().device_type,
      .deviceName = "Assay mock device",
      .pipelineCacheUUID = {'a', 's', 's', 'a', 'y'},
      .limits = Config().limits,
      .sparseProperties = Config().sparse_properties,
  };
}

}  // namespace

void Execute(const vk::GetPhysicalDeviceFeatures& call) { FillCoreFeatures(*call.pFeatures); }

void Execute(const vk::GetPhysicalDeviceFeatures2& call) {
  FillCoreFeatures(call.pFeatures->features);
  auto* next = static_cast<VkBaseOutStructure*>(call.pFeatures->pNext);
  for (; next != nullptr; next = next->pNext) FillFeatureStruct(next);
}

void Execute(const vk::GetPhysicalDeviceProperties& call) { FillCoreProperties(*call.pProperties); }

void Execute(const vk::GetPhysicalDeviceProperties2& call) {
  FillCoreProperties(call.pProperties->properties);
  auto* next = static_cast<VkBaseOutStructure*>(call.pProperties->pNext);
  for (; next != nullptr; next = next->pNext) {
    FillPropertyStruct(next);
    if (Config().adjust_properties) Config().adjust_properties(next);
  }
}

void Execute(const vk::GetPhysicalDeviceMultisamplePropertiesEXT& call) {
  ClearOutputChain(call.pMultisampleProperties);
  call.pMultisampleProperties->maxSampleLocationGridSize = {4, 4};
}

// Colors may have fewer samples than there are fragments; depth and stencil may not.
VkResult Execute(const vk::GetPhysicalDeviceSupportedFramebufferMixedSamplesCombinationsNV& call) {
  std::vector<VkFramebufferMixedSamplesCombinationNV> combinations;
  for (const auto mode : {VK_COVERAGE_REDUCTION_MODE_MERGE_NV, VK_COVERAGE_REDUCTION_MODE_TRUNCATE_NV}) {
    for (uint32_t samples = 2; samples <= VK_SAMPLE_COUNT_16_BIT; samples *= 2) {
      for (uint32_t colors = 1; colors < samples; colors *= 2) {
        for (const uint32_t depth : {0u, samples}) {
          combinations.push_back({VK_STRUCTURE_TYPE_FRAMEBUFFER_MIXED_SAMPLES_COMBINATION_NV, nullptr, mode,
                                  static_cast<VkSampleCountFlagBits>(samples), depth, colors});
        }
      }
    }
  }
  return WriteArray(call.pCombinationCount, call.pCombinations, combinations.size(),
                    [&](VkFramebufferMixedSamplesCombinationNV& combination, uint32_t i) {
                      combinations[i].pNext = combination.pNext;
                      combination = combinations[i];
                    });
}

void Execute(const vk::GetPhysicalDeviceQueueFamilyProperties& call) {
  const auto& families = Config().queue_families;
  WriteArray(call.pQueueFamilyPropertyCount, call.pQueueFamilyProperties, families.size(),
             [&](VkQueueFamilyProperties& family, uint32_t i) { family = families[i]; });
}

void Execute(const vk::GetPhysicalDeviceQueueFamilyProperties2& call) {
  const auto& families = Config().queue_families;
  WriteArray(call.pQueueFamilyPropertyCount, call.pQueueFamilyProperties, families.size(),
             [&](VkQueueFamilyProperties2& family, uint32_t i) {
               ClearOutputChain(&family);
               family.queueFamilyProperties = families[i];
             });
}

void Execute(const vk::GetPhysicalDeviceMemoryProperties& call) { *call.pMemoryProperties = Config().memory; }

void Execute(const vk::GetPhysicalDeviceMemoryProperties2& call) {
  ClearOutputChain(call.pMemoryProperties);
  call.pMemoryProperties->memoryProperties = Config().memory;
}

}  // namespace assay::test
