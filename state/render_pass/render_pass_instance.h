// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_RENDER_PASS_RENDER_PASS_INSTANCE_H_
#define ASSAY_STATE_RENDER_PASS_RENDER_PASS_INSTANCE_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "state/memory/image.h"
#include "state/objects/object.h"
#include "state/render_pass/dynamic_rendering.h"
#include "state/render_pass/framebuffer.h"
#include "state/render_pass/render_pass.h"
#include "vk/vulkan.h"

namespace assay::state {

// The render pass instance that a command buffer is recording: of a render pass object, or of dynamic rendering. It is
// empty outside of render pass instances. While it lasts, it holds references to its attachments. A validator that must
// know the attachments before the command is recorded begins a RenderPassInstance of its own.
class RenderPassInstance {
 public:
  enum class Kind : uint8_t { kNone, kRenderPass, kDynamic };

  Kind kind() const { return kind_; }
  bool is_active() const { return kind_ != Kind::kNone; }
  // Whether a secondary command buffer continues an instance of its primary. Then attachments may be unknown.
  bool is_inherited() const { return is_inherited_; }
  // Changes whenever anything here changes. Two instances of one recording never have the same version.
  uint32_t version() const { return version_; }

  // Unknown when inherited; then it is the largest possible area.
  const VkRect2D& render_area() const { return render_area_; }
  // Whether a structure in the chain replaces the render area, or turns it: then render_area() is not the one of draws.
  bool has_other_area() const { return has_other_area_; }
  // The number of layers to render to, without multiview.
  uint32_t layer_count() const { return layer_count_; }
  // Of the subpass; 0 without multiview.
  uint32_t view_mask() const;
  // Of the subpass, or by the flags of dynamic rendering.
  VkSubpassContents contents() const { return contents_; }

  // The attachments of draws, for both kinds. A view is null if there is no such attachment or it is unknown.
  uint32_t color_count() const;
  const ImageView* ColorAttachment(uint32_t index) const;
  const ImageView* DepthAttachment() const;
  const ImageView* StencilAttachment() const;
  // The color attachment of the fragment shader's output at a location; VK_ATTACHMENT_UNUSED if none.
  uint32_t ColorAtLocation(uint32_t location) const;

  // Of Kind::kRenderPass: down to ViewOf().
  const RenderPass* render_pass() const { return render_pass_.get(); }
  // Null if inherited without a framebuffer.
  const Framebuffer* framebuffer() const { return framebuffer_.get(); }
  uint32_t subpass_index() const { return subpass_; }
  // Null if there is no such subpass, and for other kinds.
  const Subpass* subpass() const { return render_pass_ ? render_pass_->At(subpass_) : nullptr; }
  // The view of an attachment of the render pass; null if it is unused, unknown or destroyed.
  const ImageView* ViewOf(uint32_t attachment) const {
    return attachment < views_.size() ? views_[attachment].get() : nullptr;
  }

  // Of Kind::kDynamic.
  const DynamicRendering& dynamic() const { return dynamic_; }

  void Begin(const VkRenderPassBeginInfo& info, VkSubpassContents contents);
  void NextSubpass(VkSubpassContents contents);
  void Begin(const VkRenderingInfo& info);
  // Begins with a secondary command buffer (VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT).
  void Inherit(const VkCommandBufferInheritanceInfo& info);
  void SetLocations(const VkRenderingAttachmentLocationInfo& info);
  void SetInputIndices(const VkRenderingInputAttachmentIndexInfo& info);
  void End();
  // Like End, and version() restarts.
  void Reset();

 private:
  const ImageView* DepthStencilAttachment(VkImageAspectFlagBits aspect) const;
  void InheritDynamic(const VkCommandBufferInheritanceRenderingInfo& info, const void* chain);

  Kind kind_ = Kind::kNone;
  bool is_inherited_ = false;
  bool has_other_area_ = false;
  VkSubpassContents contents_ = VK_SUBPASS_CONTENTS_INLINE;
  uint32_t version_ = 0;
  uint32_t layer_count_ = 0;
  uint32_t view_mask_ = 0;
  uint32_t subpass_ = 0;
  VkRect2D render_area_ = {};
  Ref<RenderPass> render_pass_;
  Ref<Framebuffer> framebuffer_;
  absl::InlinedVector<Ref<ImageView>, 8> views_;
  DynamicRendering dynamic_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_RENDER_PASS_RENDER_PASS_INSTANCE_H_
