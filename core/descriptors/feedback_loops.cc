// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Attachments that a shader accesses as sampled or storage images while they are attachments.
//
// A shader may access any texel of a view. So an access is to an attachment for certain where the attachment has all
// texels of the view, in the render area. Other mip levels, layers and aspects of the same image are no attachments.
//
// Some rules of reads are for feedback loops that a pipeline or dynamic state allows: these need a layout of their own.
// Load and store operations count as writes there, but not draws. Without such a loop, no later draw of the subpass may
// write what was read, which fixed functions tell of depth and stencil alone.

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/descriptors/bound_accesses.h"
#include "core/descriptors/bound_descriptor_rules.h"
#include "core/recording/layout_box.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

using state::ImageView;
using state::RenderPassInstance;

// An aspect of an attachment of the current subpass.
struct Attachment {
  // May be null.
  const ImageView* view;
  VkImageAspectFlagBits aspect;
  VkImageLayout layout;
  // Whether a load or store operation of the subpass writes it, as a color, depth or stencil attachment.
  bool is_written;

  bool IsReadOnly() const {
    const bool is_stencil = aspect == VK_IMAGE_ASPECT_STENCIL_BIT;
    const VkImageLayout own = LayoutOf(is_stencil ? LayoutAspect::kStencil : LayoutAspect::kFirst, false, layout);
    return own == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL || own == VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
  }
};

bool Writes(VkAttachmentLoadOp op) {
  return op == VK_ATTACHMENT_LOAD_OP_CLEAR || op == VK_ATTACHMENT_LOAD_OP_DONT_CARE;
}
bool Writes(VkAttachmentStoreOp op) { return op != VK_ATTACHMENT_STORE_OP_NONE; }

template <class F>
void ForEachAttachment(const state::DynamicRendering& dynamic, const F& visit) {
  const auto visit_both = [&](const state::RenderingAttachment& attachment, VkImageAspectFlagBits aspect) {
    const bool is_written = (Writes(attachment.load_op) && (dynamic.flags & VK_RENDERING_RESUMING_BIT) == 0) ||
                            (Writes(attachment.store_op) && (dynamic.flags & VK_RENDERING_SUSPENDING_BIT) == 0);
    visit(Attachment{attachment.view.get(), aspect, attachment.layout, is_written});
    visit(Attachment{attachment.resolve_view.get(), aspect, attachment.resolve_layout, false});
  };
  for (const state::RenderingAttachment& color : dynamic.colors) visit_both(color, VK_IMAGE_ASPECT_COLOR_BIT);
  visit_both(dynamic.depth, VK_IMAGE_ASPECT_DEPTH_BIT);
  visit_both(dynamic.stencil, VK_IMAGE_ASPECT_STENCIL_BIT);
}

template <class F>
void ForEachAttachment(const RenderPassInstance& rendering, const F& visit) {
  if (rendering.kind() == RenderPassInstance::Kind::kDynamic) return ForEachAttachment(rendering.dynamic(), visit);
  const state::Subpass* const subpass = rendering.subpass();
  if (subpass == nullptr) return;
  for (const state::SubpassAttachment& used : subpass->attachments) {
    const state::AttachmentDescription& info = rendering.render_pass()->attachments[used.attachment];
    const bool is_drawn_to =
        (used.kinds & (state::SubpassAttachment::kColor | state::SubpassAttachment::kDepthStencil)) != 0;
    const bool loads = is_drawn_to && used.first_views == subpass->views();
    const bool stores = is_drawn_to && used.last_views == subpass->views();
    for (const VkImageAspectFlagBits aspect :
         {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT}) {
      if ((info.aspects & aspect) == 0) continue;
      const bool is_stencil = aspect == VK_IMAGE_ASPECT_STENCIL_BIT;
      visit(Attachment{rendering.ViewOf(used.attachment), aspect,
                       is_stencil ? used.layouts.stencil : used.layouts.layout,
                       (loads && Writes(is_stencil ? info.stencil_load_op : info.load_op)) ||
                           (stores && Writes(is_stencil ? info.stencil_store_op : info.store_op))});
    }
  }
}

// Whether the attachment has all texels of the view.
bool Covers(const Attachment& attachment, const RenderPassInstance& rendering, const ImageView& view) {
  if (attachment.view == nullptr || attachment.view->image.get() != view.image.get()) return false;
  state::AddressRanges all;
  attachment.view->AppendAttachment(attachment.aspect, rendering.render_area(), rendering.layer_count(),
                                    rendering.view_mask(), all);
  const auto is_covered = [&](const state::ByteRange& part) {
    return std::ranges::any_of(
        all, [&](const state::ByteRange& of) { return of.begin <= part.begin && part.end <= of.end; });
  };
  return !view.ranges.empty() && std::ranges::all_of(view.ranges, is_covered);
}

// Null with shader objects.
const state::GraphicsState* GraphicsOf(const BoundShaders& shaders) {
  const state::Pipeline* const pipeline = shaders.pipeline();
  return pipeline != nullptr ? pipeline->graphics.get() : nullptr;
}

// The aspects with feedback loops.
VkImageAspectFlags LoopsOf(const BoundShaders& shaders) {
  return state::ResolvedDrawState(GraphicsOf(shaders), shaders.buffer.draw).functions.feedback_loop_aspects;
}

// The aspects of the depth/stencil attachment that a draw writes.
VkImageAspectFlags WrittenAspects(const BoundShaders& shaders) {
  const state::GraphicsState* const graphics = GraphicsOf(shaders);
  const state::ResolvedDrawState resolved(graphics, shaders.buffer.draw);
  const state::FixedFunctions& functions = resolved.functions;
  if (functions.rasterizer_discard) return 0;
  // In dynamic rendering, a pipeline without the format does not use the attachment.
  const bool has_formats = graphics != nullptr && !graphics->render_pass;
  VkImageAspectFlags written = 0;
  if (functions.depth_test && functions.depth_write && functions.depth_compare_op != VK_COMPARE_OP_NEVER &&
      (!has_formats || graphics->depth_format != VK_FORMAT_UNDEFINED)) {
    written |= VK_IMAGE_ASPECT_DEPTH_BIT;
  }
  if (functions.WritesStencil() && (!has_formats || graphics->stencil_format != VK_FORMAT_UNDEFINED))
    written |= VK_IMAGE_ASPECT_STENCIL_BIT;
  return written;
}

// Notes an access to an aspect of the depth/stencil attachment.
void Note(VkImageAspectFlagBits aspect, uint32_t version, RecordingScope& scope, messages::Report& report) {
  RecordingScope::AccessedAspects& accessed = scope.accessed_aspects;
  if (accessed.rendering != version) accessed = {version, 0};
  if ((accessed.aspects & aspect) != 0) return;
  accessed.aspects |= aspect;
  report.OnSkip([](void* noted) { *static_cast<RecordingScope::AccessedAspects*>(noted) = {}; }, &accessed);
}

DescriptorRule RuleOf(VkImageAspectFlagBits aspect) {
  return aspect == VK_IMAGE_ASPECT_COLOR_BIT   ? DescriptorRule("None-09000")
         : aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? DescriptorRule("None-09001")
                                               : DescriptorRule("None-09002");
}

}  // namespace

bool CheckFeedbackLoop(const DescriptorAccess& access, const ImageView& view, RecordingScope& scope) {
  const RenderPassInstance& rendering = access.shaders.buffer.rendering;
  if (!rendering.is_active() || rendering.is_inherited() || rendering.has_other_area()) return true;
  bool is_right = true;
  ForEachAttachment(rendering, [&](const Attachment& attachment) {
    if (!is_right || !Covers(attachment, rendering, view)) return;
    const auto report = [&](DescriptorRule rule, std::string_view as, std::string_view is, std::string fix) {
      const std::string text =
          access.report.reporter().Describe({VK_OBJECT_TYPE_IMAGE_VIEW, attachment.view->handle()});
      is_right = !access.Report(rule, {VK_OBJECT_TYPE_IMAGE_VIEW, view.handle()}, as,
                                absl::StrCat("all of which is in the attachment ", text, is), std::move(fix));
    };
    if ((access.resource.accesses & kWritesTexels) != 0)
      return report(DescriptorRule("None-06537"), "an image that it writes", "", {});
    if (attachment.layout == VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT || attachment.IsReadOnly()) return;
    if (attachment.is_written && (LoopsOf(access.shaders) & attachment.aspect) != 0) {
      return report(RuleOf(attachment.aspect), "an image",
                    absl::StrCat(", which is loaded or stored in the layout ",
                                 vk::EnumName(vk::EnumId::kImageLayout, attachment.layout)),
                    "Use VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT for the attachment.");
    }
    const bool is_depth = attachment.aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
    if (attachment.view == (is_depth ? rendering.DepthAttachment() : rendering.StencilAttachment()))
      Note(attachment.aspect, rendering.version(), scope, access.report);
  });
  return is_right;
}

bool CheckAttachmentWrites(const DescriptorRuleIds& ids, const BoundShaders& shaders, const RecordingScope& scope,
                           messages::Report& report) {
  const RenderPassInstance& rendering = shaders.buffer.rendering;
  const RecordingScope::AccessedAspects& accessed = scope.accessed_aspects;
  const vk::VuidIndex rule = ids.Of(DescriptorRule("None-06539"));
  if (accessed.aspects == 0 || accessed.rendering != rendering.version() || rule == vk::kNoVuid) return true;
  const VkImageAspectFlags aspects = accessed.aspects & WrittenAspects(shaders);
  if (aspects == 0) return true;
  const bool is_depth = (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0;
  const ImageView& view = is_depth ? *rendering.DepthAttachment() : *rendering.StencilAttachment();
  const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE_VIEW, view.handle()};
  report.Error(
      rule, {{VK_OBJECT_TYPE_COMMAND_BUFFER, shaders.buffer.handle()}, object}, report.location(),
      absl::StrCat("Writes of the ", is_depth ? "depth" : "stencil", " attachment ", report.reporter().Describe(object),
                   " are enabled, but an earlier command of the subpass has accessed it as another image."));
  return false;
}

}  // namespace assay::core
