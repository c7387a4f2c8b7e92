// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Clears of attachments, within a render pass instance. What an inherited instance does not know is not checked.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "vk/format_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using state::RenderPassInstance;
using vk::Vuid;

constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;

constexpr VkImageAspectFlags kPlanes =
    VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT;

// Reports of one element of pAttachments or pRects.
class ClearReports {
 public:
  ClearReports(const CopyCheck& check, const Location& where) : check_(check), where_(where) {}

  template <class Text>
  void Must(bool holds, vk::VuidIndex rule, std::string_view member, Text&& text) const {
    check_.Require(holds, rule, check_.command_buffer(), where_.Dot(member),
                   [&] { return std::pair<std::string, std::string>(text(), ""); });
  }

 private:
  const CopyCheck& check_;
  const Location& where_;
};

VkFormat ColorFormat(const RenderPassInstance& rendering, uint32_t index) {
  if (index >= rendering.color_count()) return VK_FORMAT_UNDEFINED;
  if (rendering.kind() == RenderPassInstance::Kind::kDynamic) return rendering.dynamic().colors[index].format;
  const state::AttachmentReference& of = rendering.subpass()->colors[index];
  return of.is_used() ? rendering.render_pass()->attachments[of.attachment].format : VK_FORMAT_UNDEFINED;
}

void CheckColor(const RenderPassInstance& rendering, uint32_t index, const ClearReports& reports) {
  const bool is_dynamic = rendering.kind() == RenderPassInstance::Kind::kDynamic;
  if (!is_dynamic && rendering.subpass() == nullptr) return;
  // Earlier versions of the specification allow VK_ATTACHMENT_UNUSED.
  reports.Must(index < rendering.color_count() || index == VK_ATTACHMENT_UNUSED,
               Vuid("VUID-vkCmdClearAttachments-aspectMask-07271"), "colorAttachment", [&] {
                 return absl::StrCat("(", index, ") is not less than the ", rendering.color_count(),
                                     " color attachments of the render pass instance.");
               });
  if (index >= rendering.color_count()) return;
  const auto& locations = rendering.dynamic().color_locations;
  reports.Must(!is_dynamic || index >= locations.size() || locations[index] != VK_ATTACHMENT_UNUSED,
               Vuid("VUID-vkCmdClearAttachments-colorAttachment-09503"), "colorAttachment", [&] {
                 return absl::StrCat("(", index, ") has the location VK_ATTACHMENT_UNUSED ",
                                     "(VkRenderingAttachmentLocationInfo).");
               });
  const vk::FormatInfo* format = vk::GetFormatInfo(ColorFormat(rendering, index));
  if (format == nullptr) return;
  const bool is_wide =
      std::ranges::any_of(format->components, [](const auto& component) { return component.bits == 64; });
  reports.Must(!is_wide || format->components.size() <= 2, Vuid("VUID-vkCmdClearAttachments-None-09679"),
               "colorAttachment", [&] { return absl::StrCat("(", index, ") has the format ", format->name, "."); });
}

void CheckDepthStencil(const RenderPassInstance& rendering, VkImageAspectFlags aspects, const ClearReports& reports) {
  const state::Subpass* subpass = rendering.subpass();
  if (subpass == nullptr || !subpass->depth_stencil.is_used()) return;
  const vk::FormatInfo* format =
      vk::GetFormatInfo(rendering.render_pass()->attachments[subpass->depth_stencil.attachment].format);
  if (format == nullptr) return;
  const VkImageAspectFlags missing = aspects & ~format->aspects;
  const auto text = [&] {
    return absl::StrCat("has an aspect that the format ", format->name,
                        " of the subpass's depth/stencil attachment does not have.");
  };
  reports.Must((missing & VK_IMAGE_ASPECT_DEPTH_BIT) == 0, Vuid("VUID-vkCmdClearAttachments-aspectMask-07884"),
               "aspectMask", text);
  reports.Must((missing & VK_IMAGE_ASPECT_STENCIL_BIT) == 0, Vuid("VUID-vkCmdClearAttachments-aspectMask-07885"),
               "aspectMask", text);
}

// Only an external format leaves the format of a resolve attachment undefined.
bool ResolvesToExternalFormat(const RenderPassInstance& rendering) {
  const state::Subpass* subpass = rendering.subpass();
  return subpass != nullptr && std::ranges::any_of(subpass->resolves, [&](const state::AttachmentReference& resolve) {
           return resolve.is_used() &&
                  rendering.render_pass()->attachments[resolve.attachment].format == VK_FORMAT_UNDEFINED;
         });
}

void CheckProtection(const CopyCheck& check, const state::ImageView* view, const Location& where) {
  if (view == nullptr || !view->image) return;
  const bool is_protected = (view->image->create_info.flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0;
  if (is_protected == check.is_protected() || check.facts().protected_no_fault) return;
  const auto rule = is_protected ? Vuid("VUID-vkCmdClearAttachments-commandBuffer-02504")
                                 : Vuid("VUID-vkCmdClearAttachments-commandBuffer-02505");
  const messages::ObjectRef image = {VK_OBJECT_TYPE_IMAGE, view->image->handle()};
  check.Require(false, rule, image, where, [&] {
    return std::pair<std::string, std::string>(
        absl::StrCat("clears ", check.report().reporter().Describe(image), ", which is ",
                     is_protected ? "protected, in an unprotected" : "not protected, in a protected",
                     " command buffer."),
        "");
  });
}

void CheckAttachment(const CopyCheck& check, const VkClearAttachment& clear, const Location& where) {
  const RenderPassInstance& rendering = check.rendering();
  const ClearReports reports(check, where);
  const VkImageAspectFlags aspects = clear.aspectMask;
  reports.Must((aspects & kPlanes) == 0 || !ResolvesToExternalFormat(rendering),
               Vuid("VUID-vkCmdClearAttachments-aspectMask-09298"), "aspectMask",
               [] { return "has an aspect of a plane, but the subpass resolves to an external format."; });
  if ((aspects & kColor) != 0) {
    CheckColor(rendering, clear.colorAttachment, reports);
    return CheckProtection(check, rendering.ColorAttachment(clear.colorAttachment), where);
  }
  CheckDepthStencil(rendering, aspects, reports);
  const bool clears_depth = (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0;
  if (clears_depth) {
    const Location value = where.Dot("clearValue");
    CheckClearedDepth(check, check.command_buffer(), clear.clearValue.depthStencil, value.Dot("depthStencil"));
  }
  if (clears_depth || (aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0)
    CheckProtection(check, clears_depth ? rendering.DepthAttachment() : rendering.StencilAttachment(), where);
}

void CheckRectangle(const CopyCheck& check, const VkClearRect& clear, const Location& where) {
  const RenderPassInstance& rendering = check.rendering();
  const ClearReports reports(check, where);
  const VkRect2D& area = rendering.render_area();
  const auto inside = [](int64_t offset, uint32_t extent, int64_t outer, uint32_t outer_extent) {
    return offset >= outer && offset + extent <= outer + outer_extent;
  };
  const VkRect2D& rect = clear.rect;
  reports.Must(rect.extent.width != 0, Vuid("VUID-vkCmdClearAttachments-rect-02682"), "rect",
               [] { return "has the width 0."; });
  reports.Must(rect.extent.height != 0, Vuid("VUID-vkCmdClearAttachments-rect-02683"), "rect",
               [] { return "has the height 0."; });
  reports.Must(clear.layerCount != 0, Vuid("VUID-vkCmdClearAttachments-layerCount-01934"), "layerCount",
               [] { return "is 0."; });
  reports.Must(rendering.is_inherited() || rendering.has_other_area() ||
                   (inside(rect.offset.x, rect.extent.width, area.offset.x, area.extent.width) &&
                    inside(rect.offset.y, rect.extent.height, area.offset.y, area.extent.height)),
               Vuid("VUID-vkCmdClearAttachments-pRects-00016"), "rect", [&] {
                 return absl::StrCat("is from (", rect.offset.x, ", ", rect.offset.y, "), ", rect.extent.width, " x ",
                                     rect.extent.height, ", but the render area is from (", area.offset.x, ", ",
                                     area.offset.y, "), ", area.extent.width, " x ", area.extent.height, ".");
               });
  if (rendering.view_mask() != 0) {
    return reports.Must(clear.baseArrayLayer == 0 && clear.layerCount == 1,
                        Vuid("VUID-vkCmdClearAttachments-baseArrayLayer-00018"), "layerCount", [&] {
                          return absl::StrCat("(", clear.layerCount, ") from baseArrayLayer (", clear.baseArrayLayer,
                                              ") must be 1 from 0, as the render pass instance has multiview.");
                        });
  }
  const uint64_t end = uint64_t{clear.baseArrayLayer} + clear.layerCount;
  // An inherited instance may not know the framebuffer.
  const bool is_known = rendering.layer_count() != 0;
  reports.Must(
      !is_known || end <= rendering.layer_count(), Vuid("VUID-vkCmdClearAttachments-pRects-06937"), "layerCount", [&] {
        return absl::StrCat("(", clear.layerCount, ") from baseArrayLayer (", clear.baseArrayLayer,
                            ") is more than the ", rendering.layer_count(), " layers of the render pass instance.");
      });
}

}  // namespace

void CopyRules::PreCallValidate(const vk::CmdClearAttachments& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || !buffer->rendering.is_active()) return;
  const CopyCheck check(*buffer, facts_, report);
  const Location command = report.location();
  for (uint32_t i = 0; call.pAttachments != nullptr && i < call.attachmentCount; ++i)
    CheckAttachment(check, call.pAttachments[i], command.Dot("pAttachments", i));
  for (uint32_t i = 0; call.pRects != nullptr && i < call.rectCount; ++i)
    CheckRectangle(check, call.pRects[i], command.Dot("pRects", i));
}

}  // namespace assay::core
