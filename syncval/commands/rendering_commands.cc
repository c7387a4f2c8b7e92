// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of dynamic rendering besides draws: load and store operations, resolves, clears.

#include "syncval/accesses/attachment_operations.h"
#include "syncval/accesses/attachments.h"
#include "syncval/commands/check.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

using state::DynamicRendering;
using state::RenderingAttachment;
using state::RenderPassInstance;

constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;

// Calls f(slot, attachment, role) for each attachment with load, store and resolve operations.
template <class F>
void ForEachAttachment(const DynamicRendering& rendering, F&& f) {
  const size_t colors = std::min(rendering.colors.size(), state::kMaxColorAttachments);
  for (uint32_t i = 0; i < colors; ++i) f(i, rendering.colors[i], Role::kColorAttachment);
  f(kDepthSlot, rendering.depth, Role::kDepthAttachment);
  f(kStencilSlot, rendering.stencil, Role::kStencilAttachment);
}

VkImageAspectFlags AspectOf(Role role) {
  if (role == Role::kDepthAttachment) return kDepth;
  return role == Role::kStencilAttachment ? kStencil : VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT};
}

Role RoleOf(AttachmentSlot slot) {
  if (slot == kDepthSlot) return Role::kDepthAttachment;
  return slot == kStencilSlot ? Role::kStencilAttachment : Role::kColorAttachment;
}

void AddAttachment(AccessCollector& collector, const Attachments& attachments, AttachmentSlot slot,
                   vk::SyncAccessIndex access, const Origin& origin) {
  if (const state::Image* image = attachments.ImageOf(slot))
    collector.AddRanges(*image, attachments.RangesOf(slot), access, origin);
}

// The attachments that the beginning of the rendering accesses, as bits of slots: those that are loaded. If it resumes
// another, all attachments count as accessed.
uint32_t LoadedSlots(const DynamicRendering& rendering) {
  if ((rendering.flags & VK_RENDERING_RESUMING_BIT) != 0) return ~0u;
  uint32_t slots = 0;
  ForEachAttachment(rendering, [&](AttachmentSlot slot, const RenderingAttachment& attachment, Role) {
    if (attachment.load_op != VK_ATTACHMENT_LOAD_OP_NONE) slots |= 1u << slot;
  });
  return slots;
}

// No ordering rule orders a load operation with accesses before it.
void CollectLoads(AccessCollector& collector, const DynamicRendering& rendering, const Attachments& attachments) {
  if ((rendering.flags & VK_RENDERING_RESUMING_BIT) != 0) return;
  ForEachAttachment(rendering, [&](AttachmentSlot slot, const RenderingAttachment& attachment, Role role) {
    if (attachment.load_op == VK_ATTACHMENT_LOAD_OP_NONE) return;
    const ReadAndWrite& accesses = role == Role::kColorAttachment ? kAtColorOutput : kAtEarlyTests;
    const bool reads = attachment.load_op == VK_ATTACHMENT_LOAD_OP_LOAD;
    AddAttachment(collector, attachments, slot, reads ? accesses.read : accesses.write, {"loadOp", slot, role});
  });
}

// A store operation that does not store may still write. With VK_ATTACHMENT_STORE_OP_NONE only draws write.
void CollectStores(AccessCollector& collector, const DynamicRendering& rendering, const Attachments& attachments) {
  ForEachAttachment(rendering, [&](AttachmentSlot slot, const RenderingAttachment& attachment, Role role) {
    if (attachment.store_op == VK_ATTACHMENT_STORE_OP_NONE || IsReadOnly(attachment.layout, AspectOf(role))) return;
    const ReadAndWrite& accesses = role == Role::kColorAttachment ? kAtColorOutput : kAtLateTests;
    AddAttachment(collector, attachments, slot, accesses.write,
                  {"storeOp", slot, role, attachments.RuleFor(slot, OrderingRule::kRaster)});
  });
}

// Vulkan, "Render Pass Multisample Resolve Operations": depth and stencil too are resolved at color attachment output.
// Resolves are in order with draws to their source, but no rule orders their writes.
void CollectResolves(AccessCollector& collector, const RenderPassInstance& scope, const Attachments& attachments) {
  ForEachAttachment(scope.dynamic(), [&](AttachmentSlot slot, const RenderingAttachment& attachment, Role role) {
    if (!attachment.view || attachment.resolve_mode == VK_RESOLVE_MODE_NONE || !attachment.resolve_view) return;
    state::AddressRanges ranges;
    attachment.resolve_view->AppendAttachment(AspectOf(role), scope.render_area(), scope.layer_count(),
                                              scope.view_mask(), ranges);
    collector.AddRanges(*attachment.resolve_view->image, ranges, kAtColorOutput.write, {"resolve", slot, role});
    AddAttachment(collector, attachments, slot, kAtColorOutput.read,
                  {"resolve", slot, role, attachments.RuleFor(slot, OrderingRule::kRaster)});
  });
}

// The views that a rectangle of a clear covers, as bits; 0 for all layers below `layers`.
struct ClearedLayers {
  uint32_t mask = 0;
  uint32_t layers = 0;
  bool is_known = true;
};
ClearedLayers LayersOf(const VkClearRect& rect, uint32_t view_mask) {
  // With multiview each view is cleared.
  if (view_mask != 0) return {.mask = view_mask};
  if (rect.baseArrayLayer == 0) return {.layers = rect.layerCount};
  if (uint64_t{rect.baseArrayLayer} + rect.layerCount > 32) return {.is_known = false};
  return {.mask = static_cast<uint32_t>(((uint64_t{1} << rect.layerCount) - 1) << rect.baseArrayLayer)};
}

// Calls f(slot, view, aspect) for each attachment that is cleared.
template <class F>
void ForEachCleared(const RenderPassInstance& scope, const VkClearAttachment& clear, F&& f) {
  if ((clear.aspectMask & kDepth) != 0) f(kDepthSlot, scope.DepthAttachment(), kDepth);
  if ((clear.aspectMask & kStencil) != 0) f(kStencilSlot, scope.StencilAttachment(), kStencil);
  if ((clear.aspectMask & (kDepth | kStencil)) != 0 || clear.colorAttachment >= state::kMaxColorAttachments) return;
  f(clear.colorAttachment, scope.ColorAttachment(clear.colorAttachment), VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT});
}

// The clear of a rectangle. It is in order with draws.
void CollectClear(AccessCollector& collector, const SyncRecording& recording, const VkClearAttachment& clear,
                  const VkClearRect& rect) {
  const RenderPassInstance& scope = recording.buffer().rendering;
  const ClearedLayers layers = LayersOf(rect, scope.view_mask());
  if (!layers.is_known) return collector.AddUnknown();
  if (layers.mask == 0 && layers.layers == 0) return;
  ForEachCleared(scope, clear, [&](AttachmentSlot slot, const state::ImageView* view, VkImageAspectFlags aspect) {
    if (view == nullptr) return;
    state::AddressRanges ranges;
    view->AppendAttachment(aspect, rect.rect, layers.layers, layers.mask, ranges);
    const Role role = RoleOf(slot);
    const bool is_color = role == Role::kColorAttachment;
    const OrderingRule rule = is_color ? OrderingRule::kColorAttachment : OrderingRule::kDepthStencilAttachment;
    collector.AddRanges(*view->image, ranges, is_color ? kAtColorOutput.write : kAtEarlyTests.write,
                        {nullptr, slot, role, recording.attachments.RuleFor(slot, rule)});
  });
}

uint32_t ClearedSlots(const RenderPassInstance& scope, const vk::CmdClearAttachments& call) {
  uint32_t slots = 0;
  for (const VkClearAttachment& clear : state::Items(call.pAttachments, call.attachmentCount)) {
    ForEachCleared(scope, clear,
                   [&](AttachmentSlot slot, const state::ImageView*, VkImageAspectFlags) { slots |= 1u << slot; });
  }
  return slots;
}

// The clears of a secondary command buffer in the instance that it continues. Only the primary knows the attachments,
// so that a clear counts as a draw: it writes what is rendered to.
AttachmentAccesses InheritedClears(const vk::CmdClearAttachments& call) {
  const auto is_empty = [](const VkClearRect& rect) {
    return rect.layerCount == 0 || rect.rect.extent.width == 0 || rect.rect.extent.height == 0;
  };
  if (std::ranges::all_of(state::Items(call.pRects, call.rectCount), is_empty)) return 0;
  AttachmentAccesses accesses = 0;
  for (const VkClearAttachment& clear : state::Items(call.pAttachments, call.attachmentCount)) {
    if ((clear.aspectMask & kDepth) != 0) accesses |= AccessBit(kEarlyDepthWrite);
    if ((clear.aspectMask & kStencil) != 0) accesses |= AccessBit(kEarlyStencilWrite);
    const bool is_color = (clear.aspectMask & (kDepth | kStencil)) == 0;
    if (is_color && clear.colorAttachment < state::kMaxColorAttachments)
      accesses |= AccessBit(kFirstColorWrite + clear.colorAttachment);
  }
  return accesses;
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdBeginRendering& call, dispatch::Slot& slot, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || call.pRenderingInfo == nullptr) return;
  RenderPassInstance scope;
  scope.Begin(*call.pRenderingInfo);
  recording->attachments.Begin(scope);
  const Tag tag = recording->Begin(call.kId);
  AccessCollector collector(*recording);
  CollectLoads(collector, scope.dynamic(), recording->attachments);
  if (CheckLast(*recording, tag, report) == CheckResult::kSkipped) return recording->attachments.End();
  recording->attachments.NoteAccessed(LoadedSlots(scope.dynamic()));
  recording->BeginInstance(tag, (scope.dynamic().flags & VK_RENDERING_RESUMING_BIT) != 0);
}

void SyncValidator::PreCallValidate(const vk::CmdEndRendering& call, dispatch::Slot& slot, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr) return;
  const RenderPassInstance& scope = recording->buffer().rendering;
  if (scope.kind() != RenderPassInstance::Kind::kDynamic) return;
  const Tag tag = recording->Begin(call.kId);
  AccessCollector collector(*recording);
  if ((scope.dynamic().flags & VK_RENDERING_SUSPENDING_BIT) == 0) {
    CollectStores(collector, scope.dynamic(), recording->attachments);
    CollectResolves(collector, scope, recording->attachments);
  }
  if (CheckLast(*recording, tag, report) != CheckResult::kSkipped) recording->attachments.End();
}

void SyncValidator::PreCallValidate(const vk::CmdClearAttachments& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || recording->attachments.slots() == 0) return;
  if (recording->buffer().rendering.is_inherited()) {
    if (!report.skip()) recording->NoteInheritedAccesses(InheritedClears(call));
    return;
  }
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    for (const VkClearAttachment& clear : state::Items(call.pAttachments, call.attachmentCount)) {
      for (const VkClearRect& rect : state::Items(call.pRects, call.rectCount))
        CollectClear(c, *recording, clear, rect);
    }
  });
  if (!report.skip()) recording->attachments.NoteAccessed(ClearedSlots(recording->buffer().rendering, call));
}

}  // namespace assay::syncval
