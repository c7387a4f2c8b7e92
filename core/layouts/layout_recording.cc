// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What recorded commands expect of images, and how they leave them.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/barriers/barriers.h"
#include "core/layouts/image_commands.h"
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

// The recording of a command.
class Recorder {
 public:
  Recorder(VkCommandBuffer handle, Report& report) : report_(report), object_(messages::Object(handle)) {
    buffer_ = DeviceState::Get(handle);
    if (buffer_ != nullptr && !report.skip()) scope_ = buffer_->Sub<RecordingScope>();
  }

  bool is_recording() const { return scope_ != nullptr; }
  uint32_t family() const { return buffer_->pool.queue_family; }

  // where is the layout that is expected.
  void Access(const state::Image& image, const VkImageSubresourceRange& range, VkImageLayout expected,
              VkImageLayout left, vk::VuidIndex rule, const Location& where) {
    const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE, image.handle()};
    LayoutEntries& entries = scope_->layouts.At(image.handle(), image.address);
    ForEachBox(image, range, [&](const LayoutBox& box, bool is_color) {
      const LayoutAccess access = {LayoutOf(box.aspect, is_color, expected), LayoutOf(box.aspect, is_color, left), rule,
                                   report_.command(), report_.command()};
      entries.Access(box, access, [&](const LayoutMismatch& mismatch) { ReportMismatch(mismatch, object, where); });
    });
  }
  // As another recording used it; where is that one's handle.
  void Access(const LayoutRecording::ImageEntries& executed, const Location& where) {
    LayoutEntries& entries = scope_->layouts.At(executed.image, executed.address);
    if (executed.layouts.is_unknown()) return entries.SetAllUnknown();
    const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE, executed.image};
    for (const LayoutEntry& entry : executed.layouts.entries()) {
      LayoutAccess access = entry.first;
      access.left = entry.last;
      access.left_by = entry.last_command;
      entries.Access(entry.box, access, [&](const LayoutMismatch& mismatch) {
        report_.Error(mismatch.access.rule, {object_, object}, where,
                      absl::StrCat("executes ", CommandText(mismatch.access.command), ", which expects ",
                                   SubresourceText(mismatch.box, object, report_.reporter()), " in ",
                                   LayoutText(mismatch.access.expected), ", but ", CommandText(mismatch.command),
                                   " left it in ", LayoutText(mismatch.actual), "."),
                      FixText(mismatch));
      });
    }
  }

 private:
  void ReportMismatch(const LayoutMismatch& mismatch, messages::ObjectRef image, const Location& where) {
    report_.Error(mismatch.access.rule, {object_, image}, where,
                  absl::StrCat("(", LayoutText(mismatch.access.expected), ") is not the layout of ",
                               SubresourceText(mismatch.box, image, report_.reporter()), ", which ",
                               CommandText(mismatch.command), " left in ", LayoutText(mismatch.actual), "."),
                  FixText(mismatch));
  }

  Report& report_;
  const messages::ObjectRef object_;
  const state::CommandBuffer* buffer_ = nullptr;
  RecordingScope* scope_ = nullptr;
};

// ---- Barriers.

template <class Barrier>
void RecordBarrier(Recorder& recorder, const Barrier& barrier, vk::VuidIndex rule, const Location& where) {
  const ImagePart part = ImagePartOf(barrier);
  if (!part.changes_image()) return;
  const state::Image* image = TrackedImage(part.image);
  if (image == nullptr) return;
  VkImageLayout expected = part.old_layout == VK_IMAGE_LAYOUT_UNDEFINED ? kAnyLayout : part.old_layout;
  VkImageLayout left = part.new_layout;
  if (part.families.differ()) {
    // The transition happens between release and acquire.
    const bool releases = part.families.ReleaseFrom(recorder.family());
    (releases ? left : expected) = kAnyLayout;
  }
  recorder.Access(*image, part.range, expected, left, rule, where.Dot("oldLayout"));
}

// A command, or a structure, with image barriers; where leads to it.
template <class Dependency>
void RecordBarriers(Recorder& recorder, const Dependency& d, vk::VuidIndex rule, const Location& where) {
  for (uint32_t i = 0; const auto& barrier : Items(d.pImageMemoryBarriers, d.imageMemoryBarrierCount)) {
    RecordBarrier(recorder, barrier, rule, where.Dot("pImageMemoryBarriers", i++));
  }
}

constexpr vk::VuidIndex kSync1Rule = vk::Vuid("VUID-VkImageMemoryBarrier-oldLayout-01197");
constexpr vk::VuidIndex kSync2Rule = vk::Vuid("VUID-VkImageMemoryBarrier2-oldLayout-01197");

// ---- Commands with layouts of their own.

template <class C>
void RecordOperands(const C& call, Report& report) {
  Recorder recorder(call.commandBuffer, report);
  if (!recorder.is_recording()) return;
  const Location command = report.location();
  for (const ImageOperand& operand : OperandsOf(call)) {
    const state::Image* image = TrackedImage(operand.image);
    if (image == nullptr) continue;
    const Location parameter = operand.parameter.empty() ? command : command.Dot(operand.parameter);
    for (uint32_t i = 0; i < operand.count; ++i) {
      recorder.Access(*image, operand.RangeAt(i), operand.layout, operand.layout, operand.rule,
                      parameter.Dot(operand.member));
    }
  }
}

// ---- Render passes.

struct PassAttachment {
  const state::ImageView* view;
  const state::AttachmentDescription* description;
};

// Those whose views are known.
std::vector<PassAttachment> AttachmentsOf(const VkRenderPassBeginInfo& info) {
  std::vector<PassAttachment> result;
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

// Calls visit(aspects, layout) for those of an attachment whose layouts are given apart.
template <class F>
void ForEachLayout(const state::AttachmentDescription& description, const state::AttachmentLayouts& layouts,
                   F&& visit) {
  constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  const VkImageAspectFlags first = description.aspects & ~kStencil;
  if (first != 0) visit(first, layouts.layout);
  if ((description.aspects & kStencil) != 0) visit(kStencil, layouts.stencil);
}

// All attachments are transitioned when the instance begins, as far as commands outside can tell. Those that may be the
// same image begin together, too.
void RecordRenderPass(VkCommandBuffer handle, const VkRenderPassBeginInfo& info, vk::VuidIndex rule,
                      const Location& where, Report& report) {
  Recorder recorder(handle, report);
  if (!recorder.is_recording()) return;
  const std::vector<PassAttachment> attachments = AttachmentsOf(info);
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
    // Whether one that no subpass uses is transitioned is not said.
    const bool is_used = description->first_subpass != VK_SUBPASS_EXTERNAL;
    VkImageSubresourceRange range = view->subresource_range;
    ForEachLayout(*description, description->final, [&](VkImageAspectFlags aspects, VkImageLayout layout) {
      range.aspectMask = aspects;
      recorder.Access(*view->image, range, kAnyLayout, is_used ? layout : kAnyLayout, rule, where);
    });
  }
}

struct RenderingIds {
  vk::VuidIndex view;
  vk::VuidIndex resolve;
};

void RecordAttachment(Recorder& recorder, const VkRenderingAttachmentInfo& info, VkImageAspectFlags aspects,
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

void RecordRendering(Recorder& recorder, const VkRenderingInfo& info, const Location& where) {
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

void LayoutRules::PreCallValidate(const vk::CmdPipelineBarrier& call, Report& report) {
  if (call.imageMemoryBarrierCount == 0) return;
  Recorder recorder(call.commandBuffer, report);
  if (recorder.is_recording()) RecordBarriers(recorder, call, kSync1Rule, report.location());
}
void LayoutRules::PreCallValidate(const vk::CmdPipelineBarrier2& call, Report& report) {
  if (call.pDependencyInfo == nullptr || call.pDependencyInfo->imageMemoryBarrierCount == 0) return;
  Recorder recorder(call.commandBuffer, report);
  const Location command = report.location();
  if (recorder.is_recording()) {
    RecordBarriers(recorder, *call.pDependencyInfo, kSync2Rule, command.Dot("pDependencyInfo"));
  }
}
void LayoutRules::PreCallValidate(const vk::CmdWaitEvents& call, Report& report) {
  Recorder recorder(call.commandBuffer, report);
  if (recorder.is_recording()) RecordBarriers(recorder, call, kSync1Rule, report.location());
}
void LayoutRules::PreCallValidate(const vk::CmdWaitEvents2& call, Report& report) {
  Recorder recorder(call.commandBuffer, report);
  if (!recorder.is_recording()) return;
  const Location command = report.location();
  for (uint32_t i = 0; const VkDependencyInfo& info : Items(call.pDependencyInfos, call.eventCount)) {
    RecordBarriers(recorder, info, kSync2Rule, command.Dot("pDependencyInfos", i++));
  }
}

void LayoutRules::PreCallValidate(const vk::CmdCopyImage& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdCopyImage2& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdBlitImage& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdBlitImage2& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdResolveImage& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdResolveImage2& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdCopyBufferToImage& call, Report& report) {
  RecordOperands(call, report);
}
void LayoutRules::PreCallValidate(const vk::CmdCopyBufferToImage2& call, Report& report) {
  RecordOperands(call, report);
}
void LayoutRules::PreCallValidate(const vk::CmdCopyImageToBuffer& call, Report& report) {
  RecordOperands(call, report);
}
void LayoutRules::PreCallValidate(const vk::CmdCopyImageToBuffer2& call, Report& report) {
  RecordOperands(call, report);
}
void LayoutRules::PreCallValidate(const vk::CmdClearColorImage& call, Report& report) { RecordOperands(call, report); }
void LayoutRules::PreCallValidate(const vk::CmdClearDepthStencilImage& call, Report& report) {
  RecordOperands(call, report);
}

void LayoutRules::PreCallValidate(const vk::CmdBeginRenderPass& call, Report& report) {
  if (call.pRenderPassBegin == nullptr) return;
  const Location command = report.location();
  RecordRenderPass(call.commandBuffer, *call.pRenderPassBegin,
                   vk::Vuid("VUID-vkCmdBeginRenderPass-initialLayout-00900"), command.Dot("pRenderPassBegin"), report);
}
void LayoutRules::PreCallValidate(const vk::CmdBeginRenderPass2& call, Report& report) {
  if (call.pRenderPassBegin == nullptr) return;
  const Location command = report.location();
  RecordRenderPass(call.commandBuffer, *call.pRenderPassBegin,
                   vk::Vuid("VUID-vkCmdBeginRenderPass2-initialLayout-03100"), command.Dot("pRenderPassBegin"), report);
}
void LayoutRules::PreCallValidate(const vk::CmdBeginRendering& call, Report& report) {
  if (call.pRenderingInfo == nullptr) return;
  Recorder recorder(call.commandBuffer, report);
  const Location command = report.location();
  if (recorder.is_recording()) RecordRendering(recorder, *call.pRenderingInfo, command.Dot("pRenderingInfo"));
}

void LayoutRules::PreCallValidate(const vk::CmdExecuteCommands& call, Report& report) {
  Recorder recorder(call.commandBuffer, report);
  if (!recorder.is_recording()) return;
  const Location command = report.location();
  for (uint32_t i = 0; VkCommandBuffer handle : Items(call.pCommandBuffers, call.commandBufferCount)) {
    const Location where = command.Dot("pCommandBuffers", i++);
    const state::CommandBuffer* secondary = DeviceState::Get(handle);
    const auto* scope = secondary != nullptr ? secondary->Sub<RecordingScope>() : nullptr;
    if (scope == nullptr) continue;
    for (const LayoutRecording::ImageEntries& entries : scope->layouts.images()) recorder.Access(entries, where);
  }
}

}  // namespace assay::core
