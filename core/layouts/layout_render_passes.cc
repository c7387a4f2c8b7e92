// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of attachments.

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "core/layouts/layout_recorder.h"
#include "core/layouts/layout_rules.h"
#include "core/layouts/tracked_images.h"
#include "vk/chain.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using state::Items;

struct PassAttachment {
  const state::ImageView* view;
  const state::AttachmentDescription* description;
};

// As many as one subpass may have with resolves of all.
using PassAttachments = absl::InlinedVector<PassAttachment, 18>;

// The attachments whose views are known.
PassAttachments AttachmentsOf(const VkRenderPassBeginInfo& info) {
  PassAttachments result;
  const auto* pass = DeviceState::Get<state::RenderPass>(info.renderPass);
  const auto* framebuffer = DeviceState::Get<state::Framebuffer>(info.framebuffer);
  if (pass == nullptr || framebuffer == nullptr) return result;
  const auto* given = vk::FindInChain<VkRenderPassAttachmentBeginInfo>(info.pNext);
  for (uint32_t i = 0; i < pass->attachments.size(); ++i) {
    const state::ImageView* view = nullptr;
    if (i < framebuffer->views.size()) {
      view = framebuffer->views[i].get();
    } else if (framebuffer->is_imageless() && given != nullptr && i < given->attachmentCount) {
      view = DeviceState::Get<state::ImageView>(given->pAttachments[i]);
    }
    if (view != nullptr && TrackedImage(view->image.get()) != nullptr) result.push_back({view, &pass->attachments[i]});
  }
  return result;
}

// Calls visit(aspects, layout) for each group of aspects of an attachment that has a layout of its own.
template <class F>
void ForEachLayout(const state::AttachmentDescription& description, const state::AttachmentLayouts& layouts,
                   F&& visit) {
  constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  const VkImageAspectFlags first = description.aspects & ~kStencil;
  if (first != 0) visit(first, layouts.layout);
  if ((description.aspects & kStencil) != 0) visit(kStencil, layouts.stencil);
}

// To commands outside, all attachments change their layouts when the instance begins. Initial layouts are checked
// before any attachment changes, since attachments may be the same image.
void RecordRenderPass(const dispatch::Slot& slot, const VkRenderPassBeginInfo& info, vk::VuidIndex rule,
                      const Location& where, Report& report) {
  LayoutRecorder recorder(slot, report);
  if (!recorder.is_recording()) return;
  const PassAttachments attachments = AttachmentsOf(info);
  for (const auto& [view, description] : attachments) {
    if ((description->flags & VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT) != 0) continue;
    if (description->first_subpass == VK_SUBPASS_EXTERNAL) continue;
    VkImageSubresourceRange range = view->subresource_range;
    ForEachLayout(*description, description->initial, [&](VkImageAspectFlags aspects, VkImageLayout layout) {
      if (layout == VK_IMAGE_LAYOUT_UNDEFINED) return;
      range.aspectMask = aspects;
      recorder.Access(*view->image, range, layout, layout, rule, where.Dot("renderPass"));
    });
  }
  for (const auto& [view, description] : attachments) {
    // The specification does not say whether an attachment that no subpass uses changes its layout.
    const bool is_used = description->first_subpass != VK_SUBPASS_EXTERNAL;
    VkImageSubresourceRange range = view->subresource_range;
    ForEachLayout(*description, description->final, [&](VkImageAspectFlags aspects, VkImageLayout layout) {
      range.aspectMask = aspects;
      recorder.Access(*view->image, range, kAnyLayout, is_used ? layout : kAnyLayout, rule, where,
                      LayoutRecorder::Left::kByEndOfInstance);
    });
  }
}

void EndInstance(const dispatch::Slot& slot) {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  auto* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  if (scope != nullptr) scope->layouts.EndInstance(buffer->command_count);
}

struct RenderingIds {
  vk::VuidIndex view;
  vk::VuidIndex resolve;
};

void RecordAttachment(LayoutRecorder& recorder, const VkRenderingAttachmentInfo& info, VkImageAspectFlags aspects,
                      const RenderingIds& ids, const Location& where) {
  const auto record = [&](VkImageView handle, VkImageLayout layout, vk::VuidIndex rule, const Location& member) {
    const auto* view = DeviceState::Get<state::ImageView>(handle);
    if (view == nullptr || TrackedImage(view->image.get()) == nullptr) return;
    VkImageSubresourceRange range = view->subresource_range;
    range.aspectMask = aspects;
    recorder.Access(*view->image, range, layout, layout, rule, member);
  };
  if (info.imageView == VK_NULL_HANDLE) return;
  record(info.imageView, info.imageLayout, ids.view, where.Dot("imageLayout"));
  if (info.resolveMode == VK_RESOLVE_MODE_NONE || info.resolveImageView == VK_NULL_HANDLE) return;
  record(info.resolveImageView, info.resolveImageLayout, ids.resolve, where.Dot("resolveImageLayout"));
}

void RecordRendering(LayoutRecorder& recorder, const VkRenderingInfo& info, const Location& where) {
  static constexpr RenderingIds kColor = {vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09592"),
                                          vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09593")};
  static constexpr RenderingIds kDepth = {vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09588"),
                                          vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09589")};
  static constexpr RenderingIds kStencil = {vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09590"),
                                            vk::Vuid("VUID-vkCmdBeginRendering-pRenderingInfo-09591")};
  for (uint32_t i = 0; const auto& color : Items(info.pColorAttachments, info.colorAttachmentCount)) {
    RecordAttachment(recorder, color, VK_IMAGE_ASPECT_COLOR_BIT, kColor, where.Dot("pColorAttachments", i++));
  }
  if (info.pDepthAttachment != nullptr) {
    RecordAttachment(recorder, *info.pDepthAttachment, VK_IMAGE_ASPECT_DEPTH_BIT, kDepth,
                     where.Dot("pDepthAttachment"));
  }
  if (info.pStencilAttachment != nullptr) {
    RecordAttachment(recorder, *info.pStencilAttachment, VK_IMAGE_ASPECT_STENCIL_BIT, kStencil,
                     where.Dot("pStencilAttachment"));
  }
}

}  // namespace

void LayoutRules::PreCallValidate(const vk::CmdBeginRenderPass& call, dispatch::Slot& slot, Report& report) {
  if (call.pRenderPassBegin == nullptr) return;
  const Location command = report.location();
  RecordRenderPass(slot, *call.pRenderPassBegin, vk::Vuid("VUID-vkCmdBeginRenderPass-initialLayout-00900"),
                   command.Dot("pRenderPassBegin"), report);
}
void LayoutRules::PreCallValidate(const vk::CmdBeginRenderPass2& call, dispatch::Slot& slot, Report& report) {
  if (call.pRenderPassBegin == nullptr) return;
  const Location command = report.location();
  RecordRenderPass(slot, *call.pRenderPassBegin, vk::Vuid("VUID-vkCmdBeginRenderPass2-initialLayout-03100"),
                   command.Dot("pRenderPassBegin"), report);
}
void LayoutRules::PreCallValidate(const vk::CmdBeginRendering& call, dispatch::Slot& slot, Report& report) {
  if (call.pRenderingInfo == nullptr) return;
  LayoutRecorder recorder(slot, report);
  const Location command = report.location();
  if (recorder.is_recording()) RecordRendering(recorder, *call.pRenderingInfo, command.Dot("pRenderingInfo"));
}

void LayoutRules::PostCallRecord(const vk::CmdEndRenderPass&, dispatch::Slot& slot) { EndInstance(slot); }
void LayoutRules::PostCallRecord(const vk::CmdEndRenderPass2&, dispatch::Slot& slot) { EndInstance(slot); }

}  // namespace assay::core
