// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/followed_members.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>

#include "dispatch/dispatch.h"
#include "stateless/address.h"
#include "vk/chain.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

using Pipeline = VkGraphicsPipelineCreateInfo;

bool IsDynamic(const Pipeline& create, std::initializer_list<VkDynamicState> any_of) {
  // A pointer that leads nowhere is told of when its own turn comes.
  if (!IsAddress(create.pDynamicState) || !IsAddress(create.pDynamicState->pDynamicStates)) return false;
  const std::span states(create.pDynamicState->pDynamicStates, create.pDynamicState->dynamicStateCount);
  return std::ranges::any_of(any_of, [&](VkDynamicState state) { return std::ranges::count(states, state) != 0; });
}

// Whether the pipeline has all of the stages.
bool HasStages(const Pipeline& create, VkShaderStageFlags stages) {
  VkShaderStageFlags found = 0;
  for (const auto& stage : std::span(create.pStages, create.stageCount)) found |= stage.stage;
  return (found & stages) == stages;
}

// What is rendered to, where that is known without the render pass.
const VkPipelineRenderingCreateInfo* Rendering(const Pipeline& create) {
  return create.renderPass == VK_NULL_HANDLE ? vk::FindInChain<VkPipelineRenderingCreateInfo>(create.pNext) : nullptr;
}

bool Rasterizes(const Pipeline& create) {
  return IsAddress(create.pRasterizationState) && create.pRasterizationState->rasterizerDiscardEnable == VK_FALSE &&
         !IsDynamic(create, {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE});
}

bool IsFollowed(size_t member, const Pipeline& create) {
  // A pipeline that is made of libraries, or is to be one, has only some of its states.
  if (vk::FindInChain<VkGraphicsPipelineLibraryCreateInfoEXT>(create.pNext) != nullptr) return false;
  if (vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(create.pNext) != nullptr) return false;
  if ((create.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) != 0 || !IsAddress(create.pStages)) return false;
  const VkPipelineRenderingCreateInfo* rendering = Rendering(create);
  switch (member) {
    case offsetof(Pipeline, pStages):
    case offsetof(Pipeline, pRasterizationState):
      return true;
    case offsetof(Pipeline, pVertexInputState):
      return HasStages(create, VK_SHADER_STAGE_VERTEX_BIT) && !IsDynamic(create, {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT});
    case offsetof(Pipeline, pInputAssemblyState):
      return HasStages(create, VK_SHADER_STAGE_VERTEX_BIT) &&
             !IsDynamic(create, {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE});
    case offsetof(Pipeline, pTessellationState):
      return HasStages(create,
                       VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) &&
             !IsDynamic(create, {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT});
    case offsetof(Pipeline, pViewportState):
    case offsetof(Pipeline, pMultisampleState):
      return Rasterizes(create);
    case offsetof(Pipeline, pDepthStencilState):
      return Rasterizes(create) && rendering != nullptr &&
             (rendering->depthAttachmentFormat != VK_FORMAT_UNDEFINED ||
              rendering->stencilAttachmentFormat != VK_FORMAT_UNDEFINED);
    case offsetof(Pipeline, pColorBlendState):
      return Rasterizes(create) && rendering != nullptr && rendering->colorAttachmentCount != 0;
    default:
      return false;
  }
}

}  // namespace

bool HasFollowedMember(const vk::StructInfo& info, const vk::MemberInfo& member) {
  if (member.kind != vk::MemberKind::kStruct || member.indirection != vk::Indirection::kPointer) return false;
  return info.structure_type == VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO ||
         info.structure_type == VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
}

bool IsFollowed(const vk::MemberInfo& member, const void* structure, const void* parameters) {
  if (static_cast<const VkBaseInStructure*>(structure)->sType == VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO) {
    return IsFollowed(member.offset, *static_cast<const Pipeline*>(structure));
  }
  // vkBeginCommandBuffer: ignored for a primary command buffer.
  const auto& begin = *static_cast<const vk::BeginCommandBuffer*>(parameters);
  const dispatch::Slot* slot = dispatch::DispatchableTable::Get().Find(begin.commandBuffer);
  return slot != nullptr && slot->is_secondary;
}

}  // namespace assay::stateless
