// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_RENDER_PASS_RENDER_PASS_INSTANCE_H_
#define ASSAY_STATE_RENDER_PASS_RENDER_PASS_INSTANCE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "state/memory/memory.h"
#include "state/objects/object.h"
#include "state/render_pass/render_pass.h"
#include "vk/vulkan.h"

// The render pass instance that a command buffer is recording: of a render pass object, or of dynamic rendering.
namespace assay::state {

// Color attachments with a number of this or more are not tracked; no device has as many.
inline constexpr size_t kMaxColorAttachments = 16;

// A number for each color attachment.
using ColorAttachmentMap = std::array<uint32_t, kMaxColorAttachments>;

// Each attachment's own.
constexpr ColorAttachmentMap IdentityMap() {
  ColorAttachmentMap map = {};
  for (uint32_t i = 0; i < map.size(); ++i) map[i] = i;
  return map;
}

// An attachment of dynamic rendering.
struct RenderingAttachment {
  // Null when there is none, and in a secondary command buffer that inherits the rendering and knows its formats alone.
  Ref<ImageView> view;
  // The view's, or what is inherited; VK_FORMAT_UNDEFINED when there is no attachment.
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkResolveModeFlagBits resolve_mode = VK_RESOLVE_MODE_NONE;
  // Null when resolve_mode is VK_RESOLVE_MODE_NONE.
  Ref<ImageView> resolve_view;
  VkImageLayout resolve_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkAttachmentLoadOp load_op = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  VkAttachmentStoreOp store_op = VK_ATTACHMENT_STORE_OP_DONT_CARE;
};

// What dynamic rendering renders to.
struct DynamicRendering {
  VkRenderingFlags flags = 0;
  // By index; without a view where the application gave VK_NULL_HANDLE.
  absl::InlinedVector<RenderingAttachment, 4> colors;
  RenderingAttachment depth;
  RenderingAttachment stencil;
  Ref<ImageView> fragment_shading_rate;
  VkImageLayout shading_rate_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  // Texels of the render area for one of the fragment shading rate attachment's.
  VkExtent2D shading_rate_texel_size = {0, 0};
  Ref<ImageView> fragment_density_map;
  VkImageLayout density_map_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  // Of VkMultisampledRenderToSingleSampledInfoEXT, where that enables it; else 0.
  VkSampleCountFlags single_sampled_rasterization_samples = 0;
  // Of the pipelines that an inherited rendering is drawn with; 0 when not inherited.
  VkSampleCountFlags inherited_samples = 0;

  // By color attachment, the fragment shader's location for it (vkCmdSetRenderingAttachmentLocations), and the
  // InputAttachmentIndex that reads it (vkCmdSetRenderingInputAttachmentIndices); VK_ATTACHMENT_UNUSED where there is
  // none.
  ColorAttachmentMap color_locations = IdentityMap();
  ColorAttachmentMap color_input_indices = IdentityMap();
  // VK_ATTACHMENT_UNUSED where the input attachment has no InputAttachmentIndex, or is none.
  uint32_t depth_input_index = VK_ATTACHMENT_UNUSED;
  uint32_t stencil_input_index = VK_ATTACHMENT_UNUSED;
  // Whether depth and stencil are read by variables without an InputAttachmentIndex, as they are until indices are set.
  bool depth_input_has_no_index = true;
  bool stencil_input_has_no_index = true;

  // The color attachment that the fragment shader's output at a location goes to; VK_ATTACHMENT_UNUSED if none.
  uint32_t ColorAtLocation(uint32_t location) const;
};

// The render pass instance that is being recorded; empty outside of any. While it lasts it holds what it renders to. A
// validator that must know what is to be rendered to before the command is recorded begins one of its own.
class RenderPassInstance {
 public:
  enum class Kind : uint8_t { kNone, kRenderPass, kDynamic };

  Kind kind() const { return kind_; }
  bool is_active() const { return kind_ != Kind::kNone; }
  // Whether a secondary command buffer continues an instance that another began: attachments may be unknown.
  bool is_inherited() const { return is_inherited_; }
  // Changes with everything here, and is never the same for two instances of one recording.
  uint32_t version() const { return version_; }

  // Unknown, and everything, when inherited.
  const VkRect2D& render_area() const { return render_area_; }
  // Layers that are rendered to; without multiview.
  uint32_t layer_count() const { return layer_count_; }
  // Of the subpass; 0 where there is no multiview.
  uint32_t view_mask() const;
  // Of the subpass, or as the flags of dynamic rendering say.
  VkSubpassContents contents() const { return contents_; }

  // What is drawn to, for both kinds. Views are null where there is no such attachment, or it is unknown.
  uint32_t color_count() const;
  const ImageView* ColorAttachment(uint32_t index) const;
  const ImageView* DepthAttachment() const;
  const ImageView* StencilAttachment() const;
  // The color attachment that the fragment shader's output at a location goes to; VK_ATTACHMENT_UNUSED if none.
  uint32_t ColorAtLocation(uint32_t location) const;

  // Kind::kRenderPass.
  const RenderPass* render_pass() const { return render_pass_.get(); }
  // Null when inherited without one.
  const Framebuffer* framebuffer() const { return framebuffer_.get(); }
  uint32_t subpass_index() const { return subpass_; }
  // Null when there is no such subpass, and for other kinds.
  const Subpass* subpass() const { return render_pass_ ? render_pass_->At(subpass_) : nullptr; }
  // The view of an attachment of the render pass; null when it is unused, unknown or destroyed.
  const ImageView* ViewOf(uint32_t attachment) const {
    return attachment < views_.size() ? views_[attachment].get() : nullptr;
  }

  // Kind::kDynamic.
  const DynamicRendering& dynamic() const { return dynamic_; }

  void Begin(const VkRenderPassBeginInfo& info, VkSubpassContents contents);
  void NextSubpass(VkSubpassContents contents);
  void Begin(const VkRenderingInfo& info);
  // As a secondary command buffer begins (VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT).
  void Inherit(const VkCommandBufferInheritanceInfo& info);
  void SetLocations(const VkRenderingAttachmentLocationInfo& info);
  void SetInputIndices(const VkRenderingInputAttachmentIndexInfo& info);
  void End();
  // As End; version() begins anew.
  void Reset();

 private:
  const ImageView* DepthStencilAttachment(VkImageAspectFlagBits aspect) const;
  void InheritDynamic(const VkCommandBufferInheritanceRenderingInfo& info, const void* chain);

  Kind kind_ = Kind::kNone;
  bool is_inherited_ = false;
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
