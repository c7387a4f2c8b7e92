// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/rules/explicit_handle_rules.h"

#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::object_lifetimes {
namespace {

template <class T>
const T& As(const void* structure) {
  return *static_cast<const T*>(structure);
}

bool IsNotSwapchainBind(vk::CommandId, const void* structure) {
  return vk::FindInChain<VkBindImageMemorySwapchainInfoKHR>(As<VkBindImageMemoryInfo>(structure).pNext) == nullptr;
}

// Pipeline libraries decide which parts of a pipeline's state are needed. A pipeline that neither is a library nor has
// any needs all of them. Whether the fragments' parts of others are needed, a library may decide: one with
// rasterizerDiscardEnable.
bool NeedsParts(const void* structure, VkGraphicsPipelineLibraryFlagsEXT parts) {
  const void* chain = As<VkGraphicsPipelineCreateInfo>(structure).pNext;
  const auto* own = vk::FindInChain<VkGraphicsPipelineLibraryCreateInfoEXT>(chain);
  const bool has_libraries = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(chain) != nullptr;
  if (own == nullptr) return !has_libraries;
  const bool is_certain =
      !has_libraries || (own->flags & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT) != 0;
  return is_certain && (own->flags & parts) != 0;
}
constexpr VkGraphicsPipelineLibraryFlagsEXT kShaderParts =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
bool NeedsLayout(vk::CommandId, const void* structure) { return NeedsParts(structure, kShaderParts); }
bool NeedsRenderPass(vk::CommandId, const void* structure) {
  return NeedsParts(structure, kShaderParts | VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT);
}

bool UpdatesSets(vk::CommandId, const void* structure) {
  return As<VkDescriptorUpdateTemplateCreateInfo>(structure).templateType ==
         VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
}
bool PushesDescriptors(vk::CommandId, const void* structure) {
  return As<VkDescriptorUpdateTemplateCreateInfo>(structure).templateType ==
         VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS;
}

// dstSet is ignored when descriptors are pushed.
bool IsUpdate(vk::CommandId command, const void*) { return command == vk::CommandId::kUpdateDescriptorSets; }

bool HasObjectType(vk::CommandId, const void* structure) {
  return As<VkDebugUtilsObjectNameInfoEXT>(structure).objectType != VK_OBJECT_TYPE_UNKNOWN;
}

constexpr ExplicitHandleRule kRules[] = {
    {"VkAccelerationStructureBuildGeometryInfoKHR", "srcAccelerationStructure", "srcAccelerationStructure-04629",
     nullptr},
    {"VkAccelerationStructureBuildGeometryInfoKHR", "dstAccelerationStructure", "dstAccelerationStructure-03800",
     nullptr},
    {"VkBindImageMemoryInfo", "memory", "VUID-VkBindImageMemoryInfo-pNext-01632", IsNotSwapchainBind},
    {"VkDebugMarkerObjectNameInfoEXT", "object", "VUID-VkDebugMarkerObjectNameInfoEXT-object-01492", nullptr},
    {"VkDebugMarkerObjectTagInfoEXT", "object", "VUID-VkDebugMarkerObjectTagInfoEXT-object-01495", nullptr},
    {"VkDebugUtilsObjectNameInfoEXT", "objectHandle", "VUID-VkDebugUtilsObjectNameInfoEXT-objectType-02590",
     HasObjectType},
    {"VkDebugUtilsObjectTagInfoEXT", "objectHandle", "VUID-VkDebugUtilsObjectTagInfoEXT-objectHandle-01910", nullptr},
    {"VkDescriptorSetLayoutBinding", "pImmutableSamplers", "VUID-VkDescriptorSetLayoutBinding-descriptorType-00282",
     nullptr},
    {"VkDescriptorUpdateTemplateCreateInfo", "descriptorSetLayout",
     "VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-00350", UpdatesSets},
    {"VkDescriptorUpdateTemplateCreateInfo", "pipelineLayout",
     "VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-00352", PushesDescriptors},
    {"VkFramebufferCreateInfo", "pAttachments", "VUID-VkFramebufferCreateInfo-flags-02778", nullptr},
    {"VkGraphicsPipelineCreateInfo", "layout", "VUID-VkGraphicsPipelineCreateInfo-layout-06602", NeedsLayout},
    {"VkGraphicsPipelineCreateInfo", "renderPass", "VUID-VkGraphicsPipelineCreateInfo-renderPass-06603",
     NeedsRenderPass},
    {"VkMicromapBuildInfoEXT", "dstMicromap", "dstMicromap-07463", nullptr},
    {"VkPhysicalDeviceSurfaceInfo2KHR", "surface", "VUID-VkPhysicalDeviceSurfaceInfo2KHR-surface-07919", nullptr},
    {"VkWriteDescriptorSet", "dstSet", "VUID-VkWriteDescriptorSet-dstSet-00320", IsUpdate, true},
    {"VkWriteDescriptorSet", "pTexelBufferView", "VUID-VkWriteDescriptorSet-descriptorType-02994", nullptr},
    {"vkDebugReportMessageEXT", "object", "VUID-vkDebugReportMessageEXT-objectType-01498", nullptr},
    {"vkFreeCommandBuffers", "pCommandBuffers", "VUID-vkFreeCommandBuffers-pCommandBuffers-00048", nullptr},
    {"vkFreeDescriptorSets", "pDescriptorSets", "VUID-vkFreeDescriptorSets-pDescriptorSets-00310", nullptr},
    {"vkGetPrivateData", "objectHandle", "VUID-vkGetPrivateData-objectHandle-09498", nullptr},
    {"vkSetPrivateData", "objectHandle", "VUID-vkSetPrivateData-objectHandle-04017", nullptr},
};

}  // namespace

const ExplicitHandleRule* FindExplicitHandleRule(std::string_view structure, std::string_view member) {
  for (const ExplicitHandleRule& rule : kRules) {
    if (rule.structure == structure && rule.member == member) return &rule;
  }
  return nullptr;
}

}  // namespace assay::object_lifetimes
