// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/ignored_members.h"

#include "vk/chain.h"

namespace assay::dispatch {
namespace {

// The parts of a graphics pipeline that its create info has. Without VkGraphicsPipelineLibraryCreateInfoEXT these are
// all parts, or none for a library and for a pipeline that links libraries
// ("VkGraphicsPipelineLibraryCreateInfoEXT": "If this structure is omitted").
VkGraphicsPipelineLibraryFlagsEXT LibraryFlagsOf(const VkGraphicsPipelineCreateInfo& create) {
  if (const auto* library = vk::FindInChain<VkGraphicsPipelineLibraryCreateInfoEXT>(create.pNext)) {
    return library->flags;
  }
  const auto* flags = vk::FindInChain<VkPipelineCreateFlags2CreateInfo>(create.pNext);
  const bool is_library = flags != nullptr ? (flags->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0
                                           : (create.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) != 0;
  const auto* linked = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(create.pNext);
  return is_library || (linked != nullptr && linked->libraryCount > 0) ? 0 : ~VkGraphicsPipelineLibraryFlagsEXT{0};
}

}  // namespace

DescriptorPayload PayloadOf(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
      return DescriptorPayload::kImage;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return DescriptorPayload::kTexelBuffer;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      return DescriptorPayload::kBuffer;
    default:
      return DescriptorPayload::kNone;
  }
}

bool IsIgnored(const vk::StructInfo& info, const vk::MemberInfo& member, const void* structure) {
  // The sType identifies most structures. VkDescriptorSetLayoutBinding does not have one, so its name does.
  switch (info.structure_type) {
    case VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET: {
      const auto& write = *static_cast<const VkWriteDescriptorSet*>(structure);
      const DescriptorPayload payload = PayloadOf(write.descriptorType);
      switch (member.offset) {
        case offsetof(VkWriteDescriptorSet, pImageInfo):
          return payload != DescriptorPayload::kImage;
        case offsetof(VkWriteDescriptorSet, pBufferInfo):
          return payload != DescriptorPayload::kBuffer;
        case offsetof(VkWriteDescriptorSet, pTexelBufferView):
          return payload != DescriptorPayload::kTexelBuffer;
        default:
          return false;
      }
    }
    case VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO:
      // pInheritanceInfo is ignored for primary command buffers. The structure does not have the level, so
      // call_down_overrides.cc sets the pointer to null.
      return false;
    case VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO: {
      const auto& create = *static_cast<const VkFramebufferCreateInfo*>(structure);
      return member.offset == offsetof(VkFramebufferCreateInfo, pAttachments) &&
             (create.flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) != 0;
    }
    case VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO: {
      const auto& create = *static_cast<const VkGraphicsPipelineCreateInfo*>(structure);
      if (member.offset != offsetof(VkGraphicsPipelineCreateInfo, pStages)) return false;
      constexpr VkGraphicsPipelineLibraryFlagsEXT kWithShaders =
          VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
          VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
      return (LibraryFlagsOf(create) & kWithShaders) == 0;
    }
    case VK_STRUCTURE_TYPE_MAX_ENUM: {
      if (info.name != "VkDescriptorSetLayoutBinding") return false;
      const auto& binding = *static_cast<const VkDescriptorSetLayoutBinding*>(structure);
      return member.offset == offsetof(VkDescriptorSetLayoutBinding, pImmutableSamplers) &&
             binding.descriptorType != VK_DESCRIPTOR_TYPE_SAMPLER &&
             binding.descriptorType != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    }
    default:
      return false;
  }
}

}  // namespace assay::dispatch
