// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "dispatch/chain/forward.h"
#include "dispatch/chain/overrides.h"
#include "dispatch/handles/dispatchable_table.h"
#include "dispatch/translation/removed_handles.h"
#include "dispatch/translation/scratch_arena.h"
#include "dispatch/translation/translate.h"
#include "dispatch/translation/update_template.h"

namespace assay::dispatch {

// The specification ignores pInheritanceInfo for a primary command buffer. It may be garbage, so translation must not
// follow it.
VkResult OverrideCallDown(const vk::BeginCommandBuffer& call, Device& device, PFN_vkBeginCommandBuffer next) {
  ScratchArena arena;
  if (call.pBeginInfo == nullptr) return vk::CallDown(call, next);
  const Slot* slot = DispatchableTable::Get().Find(call.commandBuffer);
  VkCommandBufferBeginInfo begin = *call.pBeginInfo;
  if (!slot->is_secondary) begin.pInheritanceInfo = nullptr;
  vk::BeginCommandBuffer copy{call.commandBuffer, &begin};
  return ForwardTranslated(copy, device, next, arena);
}

// The slots of command buffers record their level.
VkResult OverrideCallDown(const vk::AllocateCommandBuffers& call, Device& device, PFN_vkAllocateCommandBuffers next) {
  ScratchArena arena;
  const VkResult result = ForwardTranslated(call, device, next, arena);
  if (result < 0) return result;
  for (uint32_t i = 0; i < call.pAllocateInfo->commandBufferCount; ++i) {
    if (Slot* slot = DispatchableTable::Get().Find(call.pCommandBuffers[i])) {
      slot->is_secondary = call.pAllocateInfo->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
    }
  }
  return result;
}

// The command frees the pool's descriptor sets. The registry describes no such effect.
VkResult OverrideCallDown(const vk::ResetDescriptorPool& call, Device& device, PFN_vkResetDescriptorPool next) {
  ScratchArena arena;
  vk::ResetDescriptorPool copy = call;
  if (device.wraps_handles()) TranslateToDriver(vk::GetCommandInfo(call.kId), &copy, arena);
  RemoveChildren(VK_OBJECT_TYPE_DESCRIPTOR_POOL, reinterpret_cast<uint64_t>(call.descriptorPool), call.kId);
  return vk::CallDown(copy, next);
}

// The command destroys the object that vkAcquirePerformanceConfigurationINTEL returned. The registry describes no such
// effect.
VkResult OverrideCallDown(const vk::ReleasePerformanceConfigurationINTEL& call, Device& device,
                          PFN_vkReleasePerformanceConfigurationINTEL next) {
  ScratchArena arena;
  vk::ReleasePerformanceConfigurationINTEL copy = call;
  if (device.wraps_handles()) TranslateToDriver(vk::GetCommandInfo(call.kId), &copy, arena);
  RemoveDestroyed(vk::GetCommandInfo(call.kId), &call);
  return vk::CallDown(copy, next);
}

// The slot of a template keeps its entries. The commands below find the handles in their data by them.
VkResult OverrideCallDown(const vk::CreateDescriptorUpdateTemplate& call, Device& device,
                          PFN_vkCreateDescriptorUpdateTemplate next) {
  ScratchArena arena;
  const VkResult result = ForwardTranslated(call, device, next, arena);
  if (result < 0) return result;
  if (Slot* slot = FindUpdateTemplate(*call.pDescriptorUpdateTemplate)) {
    slot->dispatch_data = std::make_unique<UpdateTemplate>(*call.pCreateInfo);
  }
  return result;
}

namespace {

const void* TranslateTemplateData(VkDescriptorUpdateTemplate update_template, const void* data, const Device& device,
                                  ScratchArena& arena) {
  const UpdateTemplate* entries = GetUpdateTemplate(update_template);
  if (entries == nullptr || data == nullptr || !device.wraps_handles()) return data;
  return entries->TranslateToDriver(data, arena);
}

}  // namespace

void OverrideCallDown(const vk::UpdateDescriptorSetWithTemplate& call, Device& device,
                      PFN_vkUpdateDescriptorSetWithTemplate next) {
  ScratchArena arena;
  vk::UpdateDescriptorSetWithTemplate copy = call;
  copy.pData = TranslateTemplateData(call.descriptorUpdateTemplate, call.pData, device, arena);
  ForwardTranslated(copy, device, next, arena);
}

void OverrideCallDown(const vk::CmdPushDescriptorSetWithTemplate& call, Device& device,
                      PFN_vkCmdPushDescriptorSetWithTemplate next) {
  ScratchArena arena;
  vk::CmdPushDescriptorSetWithTemplate copy = call;
  copy.pData = TranslateTemplateData(call.descriptorUpdateTemplate, call.pData, device, arena);
  ForwardTranslated(copy, device, next, arena);
}

void OverrideCallDown(const vk::CmdPushDescriptorSetWithTemplate2& call, Device& device,
                      PFN_vkCmdPushDescriptorSetWithTemplate2 next) {
  ScratchArena arena;
  if (call.pPushDescriptorSetWithTemplateInfo == nullptr) return vk::CallDown(call, next);
  VkPushDescriptorSetWithTemplateInfo info = *call.pPushDescriptorSetWithTemplateInfo;
  info.pData = TranslateTemplateData(info.descriptorUpdateTemplate, info.pData, device, arena);
  vk::CmdPushDescriptorSetWithTemplate2 copy{call.commandBuffer, &info};
  ForwardTranslated(copy, device, next, arena);
}

}  // namespace assay::dispatch
