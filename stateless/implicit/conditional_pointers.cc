// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/implicit/conditional_pointers.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "dispatch/dispatch.h"
#include "vk/chain.h"
#include "vk/commands.h"
#include "vk/dynamic_state_rules.h"
#include "vk/rules/dynamic_state_index.h"
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
template <VkDynamicState... all_of>
bool AreDynamic(const PipelineFacts& facts) {
  const auto is_dynamic = [&](uint32_t index) { return (facts.dynamic[index / 64] >> (index % 64) & 1) != 0; };
  return (is_dynamic(vk::DynamicStateIndex(all_of)) && ...);
}

// Whether the pipeline has all of the stages.
bool HasStages(const PipelineFacts& facts, VkShaderStageFlags stages) { return (facts.stages & stages) == stages; }

// The attachments without a render pass. With one, they are not known here.
const VkPipelineRenderingCreateInfo* Rendering(const Pipeline& create) {
  return create.renderPass == VK_NULL_HANDLE ? vk::FindInChain<VkPipelineRenderingCreateInfo>(create.pNext) : nullptr;
}

// VUID-VkGraphicsPipelineCreateInfo-renderPass-09033 and -09035.
bool IsDepthStencilRead(const PipelineFacts& facts) {
  if ((facts.parts & kFragmentShader) == 0 || facts.create->renderPass != VK_NULL_HANDLE) return false;
  if (AreDynamic<VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
                 VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
                 VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS>(
          facts)) {
    return false;
  }
  // A library without an output interface does not declare them either.
  if ((facts.parts & kFragmentOutput) == 0) return true;
  const VkPipelineRenderingCreateInfo* rendering = Rendering(*facts.create);
  return rendering != nullptr && (rendering->depthAttachmentFormat != VK_FORMAT_UNDEFINED ||
                                  rendering->stencilAttachmentFormat != VK_FORMAT_UNDEFINED);
}

// VUID-VkGraphicsPipelineCreateInfo-renderPass-09037.
bool IsColorBlendRead(const PipelineFacts& facts) {
  const VkPipelineRenderingCreateInfo* rendering = Rendering(*facts.create);
  if ((facts.parts & kFragmentOutput) == 0 || rendering == nullptr || !IsAddress(rendering->pColorAttachmentFormats)) {
    return false;
  }
  if (AreDynamic<VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, VK_DYNAMIC_STATE_LOGIC_OP_EXT,
                 VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                 VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, VK_DYNAMIC_STATE_BLEND_CONSTANTS>(facts)) {
    return false;
  }
  const std::span formats(rendering->pColorAttachmentFormats, rendering->colorAttachmentCount);
  return std::ranges::any_of(formats, [](VkFormat format) { return format != VK_FORMAT_UNDEFINED; });
}

// VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-09026 and -renderpass-06631.
bool IsMultisampleRead(const PipelineFacts& facts) {
  if (AreDynamic<VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
                 VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT>(facts)) {
    return false;
  }
  return (facts.parts & kFragmentOutput) != 0 ||
         ((facts.parts & kFragmentShader) != 0 && facts.create->renderPass != VK_NULL_HANDLE);
}

bool IsKnownToBeRead(size_t member, const PipelineFacts& facts) {
  const VkGraphicsPipelineLibraryFlagsEXT parts = facts.parts;
  const bool has_vertices =
      (parts & kVertexInput) != 0 && ((parts & kPreRasterization) == 0 || HasStages(facts, VK_SHADER_STAGE_VERTEX_BIT));
  const bool before_rasterization = (parts & kPreRasterization) != 0;
  switch (member) {
    case offsetof(Pipeline, pStages):
      return (parts & (kPreRasterization | kFragmentShader)) != 0;
    case offsetof(Pipeline, pRasterizationState):
      return before_rasterization &&
             !AreDynamic<VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
                         VK_DYNAMIC_STATE_POLYGON_MODE_EXT, VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_FRONT_FACE,
                         VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_STATE_LINE_WIDTH>(
                 facts);
    case offsetof(Pipeline, pVertexInputState):
      return has_vertices && !AreDynamic<VK_DYNAMIC_STATE_VERTEX_INPUT_EXT>(facts);
    case offsetof(Pipeline, pInputAssemblyState):
      return has_vertices &&
             !AreDynamic<VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE>(facts);
    case offsetof(Pipeline, pTessellationState):
      return before_rasterization &&
             HasStages(facts, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) &&
             !AreDynamic<VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT>(facts);
    case offsetof(Pipeline, pViewportState):
      return before_rasterization && facts.rasterizes &&
             !AreDynamic<VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT>(facts);
    case offsetof(Pipeline, pMultisampleState):
      return IsMultisampleRead(facts) && facts.rasterizes;
    case offsetof(Pipeline, pDepthStencilState):
      return IsDepthStencilRead(facts) && facts.rasterizes;
    case offsetof(Pipeline, pColorBlendState):
      return IsColorBlendRead(facts) && facts.rasterizes;
    default:
      return false;
  }
}

}  // namespace

PipelineFacts::PipelineFacts(const VkGraphicsPipelineCreateInfo& info) : create(&info), parts(Parts(info)) {
  // An invalid address is reported when the walk comes to its member.
  if ((parts & kPreRasterization) != 0 && IsAddress(info.pStages)) {
    for (const auto& stage : std::span(info.pStages, info.stageCount)) stages |= stage.stage;
  }
  if (IsAddress(info.pDynamicState) && IsAddress(info.pDynamicState->pDynamicStates)) {
    for (const auto state : std::span(info.pDynamicState->pDynamicStates, info.pDynamicState->dynamicStateCount)) {
      const uint32_t index = vk::DynamicStateIndex(state);
      if (index != vk::kNoDynamicState) dynamic[index / 64] |= uint64_t{1} << (index % 64);
    }
  }
  if ((parts & kPreRasterization) != 0 && !AreDynamic<VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE>(*this)) {
    rasterizes = IsAddress(info.pRasterizationState) && info.pRasterizationState->rasterizerDiscardEnable == VK_FALSE;
  }
}

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
    if (!pipeline_.has_value() || pipeline_->create != &create) pipeline_.emplace(create);
    return IsKnownToBeRead(member.offset, *pipeline_);
  }
  // vkBeginCommandBuffer: ignored for a primary command buffer.
  const auto& begin = *static_cast<const vk::BeginCommandBuffer*>(parameters_);
  const dispatch::Slot* slot = dispatch::DispatchableTable::Get().Find(begin.commandBuffer);
  return slot != nullptr && slot->is_secondary;
}

}  // namespace assay::stateless
