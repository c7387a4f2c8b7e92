// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RENDERING_RENDERING_RULES_H_
#define ASSAY_CORE_RENDERING_RENDERING_RULES_H_

// What vkCmdBeginRendering needs of its attachments. Color, depth and stencil attachments have the same rules under
// ids of their own: usages, layouts, resolves, the size of the render area. Tables have these ids by the kind of the
// attachment (attachment_checks.cc). Then the attachments must suit each other: samples, resolve modes, one view for
// depth and stencil. The last two are attachments of other kinds: shading rates and fragment densities
// (rate_checks.cc).
//
// Draws compare the attachments with pipelines (core/draw).

#include <cstdint>
#include <string>
#include <string_view>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

enum class AttachmentKind : uint8_t { kColor, kDepth, kStencil };

// One call. Private to the package.
class RenderingCheck {
 public:
  RenderingCheck(const dispatch::Device& device, const VkRenderingInfo& info, const state::CommandBuffer* buffer,
                 messages::Report& report);

  void Run();

 private:
  using Location = messages::Location;

  // Calls visit(kind, attachment, where) for each attachment.
  template <class F>
  void ForEach(const F& visit) const {
    for (uint32_t i = 0; info_.pColorAttachments != nullptr && i < info_.colorAttachmentCount; ++i)
      visit(AttachmentKind::kColor, info_.pColorAttachments[i], where_.Dot("pColorAttachments", i));
    if (info_.pDepthAttachment != nullptr)
      visit(AttachmentKind::kDepth, *info_.pDepthAttachment, where_.Dot("pDepthAttachment"));
    if (info_.pStencilAttachment != nullptr)
      visit(AttachmentKind::kStencil, *info_.pStencilAttachment, where_.Dot("pStencilAttachment"));
  }
  // The same for each view that is known: visit(kind, view, where).
  template <class F>
  void ForEachView(const F& visit) const {
    ForEach([&](AttachmentKind kind, const VkRenderingAttachmentInfo& attachment, const Location& where) {
      if (const state::ImageView* const view = Find(attachment.imageView)) visit(kind, *view, where.Dot("imageView"));
    });
  }
  // Null for VK_NULL_HANDLE, and if the image is not known.
  static const state::ImageView* Find(VkImageView handle);
  // The least of the sizes that the render areas need; an area for each device of a group, or one.
  VkExtent2D NeededExtent() const;

  // Reports, where the rule is broken: at a member of VkRenderingInfo, or at a place in it.
  void Require(bool is_right, vk::VuidIndex rule, std::string_view member, std::string text);
  void RequireAt(bool is_right, vk::VuidIndex rule, VkImageView view, const Location& where, std::string text);

  void CheckInfo();
  void CheckArea();
  void CheckAttachment(AttachmentKind kind, const VkRenderingAttachmentInfo& attachment, const Location& where);
  void CheckResolve(AttachmentKind kind, const VkRenderingAttachmentInfo& attachment, const state::ImageView& view,
                    const Location& where);
  void CheckExternalResolve(const VkRenderingAttachmentInfo& attachment, const Location& where);
  void CheckDepthStencil();
  void CheckSamples();
  void CheckMemory();
  void CheckShadingRate();
  void CheckDensityMap();

  const dispatch::Device& device_;
  const VkRenderingInfo& info_;
  // Null if it is not known.
  const state::CommandBuffer* const buffer_;
  messages::Report& report_;
  // Of the command, and of pRenderingInfo.
  const Location command_;
  const Location where_ = command_.Dot("pRenderingInfo");
  // Null without multisampled-render-to-single-sampled.
  const VkMultisampledRenderToSingleSampledInfoEXT* single_sampled_;
  // Null without render areas of devices.
  const VkDeviceGroupRenderPassBeginInfo* group_;
};

// The validator.
class RenderingRules {
 public:
  explicit RenderingRules(const dispatch::Device& device) : device_(device) {}

  void PreCallValidate(const vk::CmdBeginRendering& call, dispatch::Slot& slot, messages::Report& report) const {
    if (call.pRenderingInfo == nullptr) return;
    RenderingCheck(device_, *call.pRenderingInfo, state::DeviceState::CommandBufferIn(slot), report).Run();
  }

 private:
  const dispatch::Device& device_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RENDERING_RENDERING_RULES_H_
