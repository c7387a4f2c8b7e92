// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceState's hooks for render passes, framebuffers and render pass instances.

#include <utility>
#include <vector>

#include "state/hooks/registration.h"
#include "state/objects/items.h"

namespace assay::state {
namespace {

template <class H>
uint64_t ToInteger(H handle) {
  return reinterpret_cast<uint64_t>(handle);
}

VkSubpassContents ContentsOf(const VkSubpassBeginInfo* info) {
  return info != nullptr ? info->contents : VK_SUBPASS_CONTENTS_INLINE;
}

template <class F>
void ChangeRendering(const dispatch::Slot& slot, F&& change) {
  if (CommandBuffer* buffer = DeviceState::CommandBufferIn(slot)) change(buffer->rendering);
}

}  // namespace

void DeviceState::PostCallRecord(const vk::CreateRenderPass& call, VkResult result) {
  if (result == VK_SUCCESS) Add<RenderPass>(*call.pRenderPass, ToInteger(*call.pRenderPass), *call.pCreateInfo);
}
void DeviceState::PostCallRecord(const vk::CreateRenderPass2& call, VkResult result) {
  if (result == VK_SUCCESS) Add<RenderPass>(*call.pRenderPass, ToInteger(*call.pRenderPass), *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::DestroyRenderPass& call) { Remove<RenderPass>(call.renderPass); }

void DeviceState::PostCallRecord(const vk::CreateFramebuffer& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkFramebufferCreateInfo& info = *call.pCreateInfo;
  std::vector<Ref<ImageView>> views;
  // For an imageless framebuffer, pAttachments is ignored.
  if ((info.flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) == 0) {
    for (VkImageView view : Items(info.pAttachments, info.attachmentCount))
      views.push_back(Ref<ImageView>(Get<ImageView>(view)));
  }
  Add<Framebuffer>(*call.pFramebuffer, ToInteger(*call.pFramebuffer), info,
                   Ref<RenderPass>(Get<RenderPass>(info.renderPass)), std::move(views));
}
void DeviceState::PreCallRecord(const vk::DestroyFramebuffer& call) { Remove<Framebuffer>(call.framebuffer); }

void DeviceState::PostCallRecord(const vk::CmdBeginRenderPass& call, dispatch::Slot& slot) {
  if (call.pRenderPassBegin == nullptr) return;
  ChangeRendering(slot, [&](RenderPassInstance& scope) { scope.Begin(*call.pRenderPassBegin, call.contents); });
}
void DeviceState::PostCallRecord(const vk::CmdBeginRenderPass2& call, dispatch::Slot& slot) {
  if (call.pRenderPassBegin == nullptr) return;
  ChangeRendering(slot, [&](RenderPassInstance& scope) {
    scope.Begin(*call.pRenderPassBegin, ContentsOf(call.pSubpassBeginInfo));
  });
}
void DeviceState::PostCallRecord(const vk::CmdNextSubpass& call, dispatch::Slot& slot) {
  ChangeRendering(slot, [&](RenderPassInstance& scope) { scope.NextSubpass(call.contents); });
}
void DeviceState::PostCallRecord(const vk::CmdNextSubpass2& call, dispatch::Slot& slot) {
  ChangeRendering(slot, [&](RenderPassInstance& scope) { scope.NextSubpass(ContentsOf(call.pSubpassBeginInfo)); });
}
void DeviceState::PostCallRecord(const vk::CmdEndRenderPass&, dispatch::Slot& slot) {
  ChangeRendering(slot, [](RenderPassInstance& scope) { scope.End(); });
}
void DeviceState::PostCallRecord(const vk::CmdEndRenderPass2&, dispatch::Slot& slot) {
  ChangeRendering(slot, [](RenderPassInstance& scope) { scope.End(); });
}

void DeviceState::PostCallRecord(const vk::CmdBeginRendering& call, dispatch::Slot& slot) {
  if (call.pRenderingInfo == nullptr) return;
  ChangeRendering(slot, [&](RenderPassInstance& scope) { scope.Begin(*call.pRenderingInfo); });
}
void DeviceState::PostCallRecord(const vk::CmdEndRendering&, dispatch::Slot& slot) {
  ChangeRendering(slot, [](RenderPassInstance& scope) { scope.End(); });
}
void DeviceState::PostCallRecord(const vk::CmdSetRenderingAttachmentLocations& call, dispatch::Slot& slot) {
  if (call.pLocationInfo == nullptr) return;
  ChangeRendering(slot, [&](RenderPassInstance& scope) { scope.SetLocations(*call.pLocationInfo); });
}
void DeviceState::PostCallRecord(const vk::CmdSetRenderingInputAttachmentIndices& call, dispatch::Slot& slot) {
  if (call.pInputAttachmentIndexInfo == nullptr) return;
  ChangeRendering(slot, [&](RenderPassInstance& scope) { scope.SetInputIndices(*call.pInputAttachmentIndexInfo); });
}

}  // namespace assay::state
