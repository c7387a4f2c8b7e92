// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/implicit/conditional_pointers.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>

#include "dispatch/dispatch.h"
#include "vk/chain.h"
#include "vk/commands.h"
#include "vk/vulkan.h"
#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

using vk::IsAddress;

using Pipeline = VkGraphicsPipelineCreateInfo;

constexpr VkGraphicsPipelineLibraryFlagsEXT kVertexInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kPreRasterization =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentShader = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentOutput =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

// The parts of a pipeline that the structure describes. A pipeline library, or a pipeline made of libraries, has only
// the parts that it declares.
VkGraphicsPipelineLibraryFlagsEXT Parts(const Pipeline& create) {
  if (const auto* library = vk::FindInChain<VkGraphicsPipelineLibraryCreateInfoEXT>(create.pNext)) {
    return library->flags;
  }
  const auto* flags = vk::FindInChain<VkPipelineCreateFlags2CreateInfo>(create.pNext);
  const VkPipelineCreateFlags2 all_flags = flags != nullptr ? flags->flags : create.flags;
  const auto* libraries = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(create.pNext);
  const bool of_libraries = libraries != nullptr && libraries->libraryCount != 0;
  if (of_libraries || (all_flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0) return 0;
  return kVertexInput | kPreRasterization | kFragmentShader | kFragmentOutput;
}

// Whether commands set all of the states, so that the pipeline's values are ignored.
bool AreDynamic(const Pipeline& create, std::initializer_list<VkDynamicState> all_of) {
  // An invalid address is reported when the walk comes to its member.
  if (!IsAddress(create.pDynamicState) || !IsAddress(create.pDynamicState->pDynamicStates)) return false;
  const std::span states(create.pDynamicState->pDynamicStates, create.pDynamicState->dynamicStateCount);
  return std::ranges::all_of(all_of, [&](VkDynamicState state) { return std::ranges::count(states, state) != 0; });
}

// Whether the pipeline has all of the stages.
bool HasStages(const Pipeline& create, VkShaderStageFlags stages) {
  if (!IsAddress(create.pStages)) return false;
  VkShaderStageFlags found = 0;
  for (const auto& stage : std::span(create.pStages, create.stageCount)) found |= stage.stage;
  return (found & stages) == stages;
}

// Rasterization state in another library is not known here. Then the part is assumed to be read.
bool Rasterizes(const Pipeline& create, VkGraphicsPipelineLibraryFlagsEXT parts) {
  if ((parts & kPreRasterization) == 0 || AreDynamic(create, {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE})) return true;
  return IsAddress(create.pRasterizationState) && create.pRasterizationState->rasterizerDiscardEnable == VK_FALSE;
}

// The attachments without a render pass. With one, they are not known here.
const VkPipelineRenderingCreateInfo* Rendering(const Pipeline& create) {
  return create.renderPass == VK_NULL_HANDLE ? vk::FindInChain<VkPipelineRenderingCreateInfo>(create.pNext) : nullptr;
}

// VUID-VkGraphicsPipelineCreateInfo-renderPass-09033 and -09035.
bool IsDepthStencilRead(const Pipeline& create, VkGraphicsPipelineLibraryFlagsEXT parts) {
  if ((parts & kFragmentShader) == 0 || create.renderPass != VK_NULL_HANDLE) return false;
  if (AreDynamic(create,
                 {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
                  VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
                  VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS})) {
    return false;
  }
  // A library without an output interface does not declare them either.
  if ((parts & kFragmentOutput) == 0) return true;
  const VkPipelineRenderingCreateInfo* rendering = Rendering(create);
  return rendering != nullptr && (rendering->depthAttachmentFormat != VK_FORMAT_UNDEFINED ||
                                  rendering->stencilAttachmentFormat != VK_FORMAT_UNDEFINED);
}

// VUID-VkGraphicsPipelineCreateInfo-renderPass-09037.
bool IsColorBlendRead(const Pipeline& create, VkGraphicsPipelineLibraryFlagsEXT parts) {
  const VkPipelineRenderingCreateInfo* rendering = Rendering(create);
  if ((parts & kFragmentOutput) == 0 || rendering == nullptr || !IsAddress(rendering->pColorAttachmentFormats)) {
    return false;
  }
  if (AreDynamic(create, {VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, VK_DYNAMIC_STATE_LOGIC_OP_EXT,
                          VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                          VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, VK_DYNAMIC_STATE_BLEND_CONSTANTS})) {
    return false;
  }
  const std::span formats(rendering->pColorAttachmentFormats, rendering->colorAttachmentCount);
  return std::ranges::any_of(formats, [](VkFormat format) { return format != VK_FORMAT_UNDEFINED; });
}

// VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-09026 and -renderpass-06631.
bool IsMultisampleRead(const Pipeline& create, VkGraphicsPipelineLibraryFlagsEXT parts) {
  if (AreDynamic(create, {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
                          VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT})) {
    return false;
  }
  return (parts & kFragmentOutput) != 0 || ((parts & kFragmentShader) != 0 && create.renderPass != VK_NULL_HANDLE);
}

bool IsKnownToBeRead(size_t member, const Pipeline& create, VkGraphicsPipelineLibraryFlagsEXT parts) {
  const bool has_vertices = (parts & kVertexInput) != 0 &&
                            ((parts & kPreRasterization) == 0 || HasStages(create, VK_SHADER_STAGE_VERTEX_BIT));
  const bool before_rasterization = (parts & kPreRasterization) != 0;
  switch (member) {
    case offsetof(Pipeline, pStages):
      return (parts & (kPreRasterization | kFragmentShader)) != 0;
    case offsetof(Pipeline, pRasterizationState):
      return before_rasterization &&
             !AreDynamic(create, {VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
                                  VK_DYNAMIC_STATE_POLYGON_MODE_EXT, VK_DYNAMIC_STATE_CULL_MODE,
                                  VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
                                  VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_STATE_LINE_WIDTH});
    case offsetof(Pipeline, pVertexInputState):
      return has_vertices && !AreDynamic(create, {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT});
    case offsetof(Pipeline, pInputAssemblyState):
      return has_vertices &&
             !AreDynamic(create, {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE});
    case offsetof(Pipeline, pTessellationState):
      return before_rasterization &&
             HasStages(create,
                       VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) &&
             !AreDynamic(create, {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT});
    case offsetof(Pipeline, pViewportState):
      return before_rasterization && Rasterizes(create, parts) &&
             !AreDynamic(create, {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT});
    case offsetof(Pipeline, pMultisampleState):
      return IsMultisampleRead(create, parts) && Rasterizes(create, parts);
    case offsetof(Pipeline, pDepthStencilState):
      return IsDepthStencilRead(create, parts) && Rasterizes(create, parts);
    case offsetof(Pipeline, pColorBlendState):
      return IsColorBlendRead(create, parts) && Rasterizes(create, parts);
    default:
      return false;
  }
}

}  // namespace

bool IsConditionalPointer(const vk::StructInfo& info, const vk::MemberInfo& member) {
  if (member.kind != vk::MemberKind::kStruct || member.indirection != vk::Indirection::kPointer) return false;
  return info.structure_type == VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO ||
         info.structure_type == VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
}

bool IsKnownToBeRead(const vk::MemberInfo& member, const void* structure, const void* parameters) {
  return KnownPointers(parameters).IsRead(member, structure);
}

bool KnownPointers::IsRead(const vk::MemberInfo& member, const void* structure) {
  if (static_cast<const VkBaseInStructure*>(structure)->sType == VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO) {
    const auto& create = *static_cast<const Pipeline*>(structure);
    if (pipeline_ != &create) parts_ = Parts(create);
    pipeline_ = &create;
    return IsKnownToBeRead(member.offset, create, parts_);
  }
  // vkBeginCommandBuffer: ignored for a primary command buffer.
  const auto& begin = *static_cast<const vk::BeginCommandBuffer*>(parameters_);
  const dispatch::Slot* slot = dispatch::DispatchableTable::Get().Find(begin.commandBuffer);
  return slot != nullptr && slot->is_secondary;
}

}  // namespace assay::stateless
