// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_TEST_H_
#define ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_TEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "testing/features/extension_features.h"
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
    driver().config().disabled_features.insert(disabled);
    Create(features_.EnableOnly(
        {VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,
         VK_NV_PER_STAGE_DESCRIPTOR_SET_EXTENSION_NAME, VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
         VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME,
         VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
         VK_KHR_MAINTENANCE_7_EXTENSION_NAME, VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME,
         VK_EXT_FRAGMENT_DENSITY_MAP_2_EXTENSION_NAME, VK_NV_RAY_TRACING_EXTENSION_NAME,
         VK_QCOM_IMAGE_PROCESSING_EXTENSION_NAME},
        {disabled}));
  }

  // Calls f(info) with what the parts make.
  template <class F>
  void With(const SetLayoutParts& parts, const F& f) {
    std::vector<VkMutableDescriptorTypeListEXT> lists;
    lists.reserve(parts.mutable_types.size());
    for (const auto& types : parts.mutable_types) lists.push_back({static_cast<uint32_t>(types.size()), types.data()});
    const auto size = [](const auto& list) { return static_cast<uint32_t>(list.size()); };
    const auto mutables = test::Of<VkMutableDescriptorTypeCreateInfoEXT>(size(lists), lists.data());
    auto flags =
        test::Of<VkDescriptorSetLayoutBindingFlagsCreateInfo>(size(parts.binding_flags), parts.binding_flags.data());
    if (!lists.empty()) flags.pNext = &mutables;
    auto info = test::Of<VkDescriptorSetLayoutCreateInfo>(parts.flags, size(parts.bindings), parts.bindings.data());
    info.pNext = parts.binding_flags.empty() ? flags.pNext : &flags;
    f(info);
  }

  VkDescriptorSetLayout MakeLayout(const SetLayoutParts& parts) {
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    With(parts, [&](const auto& info) { vk.CreateDescriptorSetLayout(device, &info, nullptr, &layout); });
    Defer(layout, [=, this] { vk.DestroyDescriptorSetLayout(device, layout, nullptr); });
    return layout;
  }

  VkSampler MakeSamplerWith(VkSamplerCreateFlags flags, VkBorderColor border) {
    const auto custom = test::Typed(VkSamplerCustomBorderColorCreateInfoEXT{.format = VK_FORMAT_R8G8B8A8_UNORM});
    return MakeSampler({.pNext = border == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT ? &custom : nullptr,
                        .flags = flags,
                        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .borderColor = border});
  }

 private:
  test::ExtensionFeatures features_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SET_LAYOUTS_SET_LAYOUT_TEST_H_
