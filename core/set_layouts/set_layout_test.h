// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_TEST_H_
#define ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_TEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "testing/fixture.h"
#include "vk/vulkan.h"

namespace assay::core {

// Makes a set layout from its parts.
struct SetLayoutParts {
  VkDescriptorSetLayoutCreateFlags flags = 0;
  std::vector<VkDescriptorSetLayoutBinding> bindings = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}};
  // In the chain, if there are any.
  std::vector<VkDescriptorBindingFlags> binding_flags;
  std::vector<std::vector<VkDescriptorType>> mutable_types;
};

// A device with the features and extensions of descriptors, all but `disabled`.
class SetLayoutTest : public test::ValidationTest {
 protected:
  void SetUp() override {}

  void MakeDevice(const std::string& disabled = {}) {
    if (!disabled.empty()) driver().config().disabled_features.insert(disabled);
    const test::DeviceOptions options = {
        .device_extensions = {VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,
                              VK_NV_PER_STAGE_DESCRIPTOR_SET_EXTENSION_NAME,
                              VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                              VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME,
                              VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
                              VK_KHR_MAINTENANCE_7_EXTENSION_NAME, VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME,
                              VK_EXT_FRAGMENT_DENSITY_MAP_2_EXTENSION_NAME, VK_NV_RAY_TRACING_EXTENSION_NAME,
                              VK_QCOM_IMAGE_PROCESSING_EXTENSION_NAME},
        .features = &mutable_types_};
    CreateInstance(options);
    VkPhysicalDeviceFeatures2 all = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &mutable_types_, {}};
    vk.GetPhysicalDeviceFeatures2(physical_device, &all);
    CreateDevice(options);
  }

  // Calls f(info) with what the parts make.
  template <class F>
  void With(const SetLayoutParts& parts, const F& f) {
    std::vector<VkMutableDescriptorTypeListEXT> lists;
    lists.reserve(parts.mutable_types.size());
    for (const auto& types : parts.mutable_types) lists.push_back({static_cast<uint32_t>(types.size()), types.data()});
    VkMutableDescriptorTypeCreateInfoEXT mutables = {VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, nullptr,
                                                     static_cast<uint32_t>(lists.size()), lists.data()};
    VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, lists.empty() ? nullptr : &mutables,
        static_cast<uint32_t>(parts.binding_flags.size()), parts.binding_flags.data()};
    const VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  parts.binding_flags.empty() ? flags.pNext : &flags, parts.flags,
                                                  static_cast<uint32_t>(parts.bindings.size()), parts.bindings.data()};
    f(info);
  }

  VkDescriptorSetLayout MakeLayout(const SetLayoutParts& parts) {
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    With(parts, [&](const auto& info) { vk.CreateDescriptorSetLayout(device, &info, nullptr, &layout); });
    Defer(layout, [=, this] { vk.DestroyDescriptorSetLayout(device, layout, nullptr); });
    return layout;
  }

  VkSampler MakeSamplerWith(VkSamplerCreateFlags flags, VkBorderColor border) {
    const VkSamplerCustomBorderColorCreateInfoEXT custom = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, .format = VK_FORMAT_R8G8B8A8_UNORM};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = border == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT ? &custom : nullptr,
                                      .flags = flags,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .borderColor = border};
    VkSampler sampler = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateSampler(device, &info, nullptr, &sampler), VK_SUCCESS);
    Defer(sampler, [=, this] { vk.DestroySampler(device, sampler, nullptr); });
    return sampler;
  }

 private:
  VkPhysicalDeviceImageProcessingFeaturesQCOM processing_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_FEATURES_QCOM};
  VkPhysicalDeviceFragmentDensityMap2FeaturesEXT density2_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_2_FEATURES_EXT, &processing_, VK_FALSE};
  VkPhysicalDeviceFragmentDensityMapFeaturesEXT density_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT, .pNext = &density2_};
  VkPhysicalDeviceMaintenance7FeaturesKHR maintenance7_ = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_7_FEATURES_KHR,
                                                           &density_, VK_FALSE};
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, &maintenance7_, VK_FALSE};
  VkPhysicalDeviceCustomBorderColorFeaturesEXT borders_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT, .pNext = &libraries_};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, .pNext = &borders_};
  VkPhysicalDevicePerStageDescriptorSetFeaturesNV per_stage_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PER_STAGE_DESCRIPTOR_SET_FEATURES_NV, .pNext = &structures_};
  VkPhysicalDeviceDescriptorBufferFeaturesEXT buffers_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT, .pNext = &per_stage_};
  VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_types_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT, &buffers_, VK_FALSE};
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_TEST_H_
