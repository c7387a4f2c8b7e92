// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_RENDER_PASS_RENDER_PASS_H_
#define ASSAY_STATE_RENDER_PASS_RENDER_PASS_H_

#include <cstdint>
#include <vector>

#include "state/memory/memory.h"
#include "state/objects/object.h"
#include "vk/vulkan.h"

// Render passes, of vkCreateRenderPass and vkCreateRenderPass2 alike, and framebuffers.
//
// Numbers of attachments and subpasses are checked when the render pass is made: those kept here are either in range or
// VK_ATTACHMENT_UNUSED and VK_SUBPASS_EXTERNAL. What a bad number belongs to is left out.
namespace assay::state {

// Layouts of an attachment's aspects. For one without stencil both are the same.
struct AttachmentLayouts {
  // Of color or depth.
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageLayout stencil = VK_IMAGE_LAYOUT_UNDEFINED;

  friend bool operator==(const AttachmentLayouts&, const AttachmentLayouts&) = default;
};

struct AttachmentDescription {
  VkAttachmentDescriptionFlags flags = 0;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  // Those of the format: COLOR for a multi-planar or unknown one.
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  // Of color or depth.
  VkAttachmentLoadOp load_op = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  VkAttachmentStoreOp store_op = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  VkAttachmentLoadOp stencil_load_op = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  VkAttachmentStoreOp stencil_store_op = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  AttachmentLayouts initial;
  AttachmentLayouts final;
  // By number; VK_SUBPASS_EXTERNAL when no subpass uses the attachment. To preserve it is no use.
  uint32_t first_subpass = VK_SUBPASS_EXTERNAL;
  uint32_t last_subpass = VK_SUBPASS_EXTERNAL;
};

struct AttachmentReference {
  uint32_t attachment = VK_ATTACHMENT_UNUSED;
  AttachmentLayouts layouts;
  // Of an input attachment, those that the shader may read; else those of the format. 0 when unused.
  VkImageAspectFlags aspects = 0;

  bool is_used() const { return attachment != VK_ATTACHMENT_UNUSED; }
};

// All that a subpass does with one attachment.
struct SubpassAttachment {
  enum Kind : uint8_t {
    kInput = 1 << 0,
    kColor = 1 << 1,
    kResolve = 1 << 2,
    kDepthStencil = 1 << 3,
    kDepthStencilResolve = 1 << 4,
    kFragmentShadingRate = 1 << 5,
  };

  uint32_t attachment;
  uint8_t kinds;
  AttachmentLayouts layouts;
  // The last subpass before that uses the attachment and its layouts there; VK_SUBPASS_EXTERNAL and the initial layouts
  // for the first. Where the layouts differ from this subpass's, there is an automatic transition.
  uint32_t previous_subpass;
  AttachmentLayouts previous_layouts;
  // The views of the subpass in which no earlier subpass uses the attachment (it is loaded here), and in which no later
  // one does (it is stored here). Bit 0 alone where there is no multiview.
  uint32_t first_views;
  uint32_t last_views;
};

struct Subpass {
  VkSubpassDescriptionFlags flags = 0;
  VkPipelineBindPoint bind_point = VK_PIPELINE_BIND_POINT_GRAPHICS;
  // 0 where there is no multiview.
  uint32_t view_mask = 0;
  // By index; with unused ones.
  std::vector<AttachmentReference> inputs;
  std::vector<AttachmentReference> colors;
  // Empty, or one for each of the colors.
  std::vector<AttachmentReference> resolves;
  AttachmentReference depth_stencil;
  AttachmentReference depth_stencil_resolve;
  VkResolveModeFlagBits depth_resolve_mode = VK_RESOLVE_MODE_NONE;
  VkResolveModeFlagBits stencil_resolve_mode = VK_RESOLVE_MODE_NONE;
  AttachmentReference fragment_shading_rate;
  // Texels of the framebuffer for one of the fragment shading rate attachment's.
  VkExtent2D shading_rate_texel_size = {0, 0};
  std::vector<uint32_t> preserves;
  // Of VkMultisampledRenderToSingleSampledInfoEXT, where that enables it; else 0.
  VkSampleCountFlags single_sampled_rasterization_samples = 0;

  // One for each attachment that is used, by its number.
  std::vector<SubpassAttachment> attachments;
  // Indices of RenderPass::dependencies: into this subpass from another or from outside, and from itself to itself.
  std::vector<uint32_t> incoming;
  std::vector<uint32_t> self;

  const SubpassAttachment* FindAttachment(uint32_t attachment) const;
  // What is used as bits of views: the mask, or bit 0 alone.
  uint32_t views() const { return view_mask != 0 ? view_mask : 1; }
};

struct SubpassDependency {
  uint32_t src_subpass;
  uint32_t dst_subpass;
  // Of the dependency itself, or of the VkMemoryBarrier2 in its chain, which takes their place.
  VkPipelineStageFlags2 src_stages;
  VkAccessFlags2 src_accesses;
  VkPipelineStageFlags2 dst_stages;
  VkAccessFlags2 dst_accesses;
  VkDependencyFlags flags;
  int32_t view_offset;
  // As the specification defines it ("VkSubpassDependency") where the application gave none.
  bool is_implicit;
};

class RenderPass : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_RENDER_PASS;
  RenderPass(uint64_t handle, const VkRenderPassCreateInfo& info);
  RenderPass(uint64_t handle, const VkRenderPassCreateInfo2& info);

  // Null when there is no such subpass.
  const Subpass* At(uint32_t subpass) const { return subpass < subpasses.size() ? &subpasses[subpass] : nullptr; }

  std::vector<AttachmentDescription> attachments;
  std::vector<Subpass> subpasses;
  // Those of the application in its order, then implicit ones.
  std::vector<SubpassDependency> dependencies;
  // Indices of dependencies from a subpass to VK_SUBPASS_EXTERNAL.
  std::vector<uint32_t> outgoing;
  // Used by all subpasses.
  AttachmentReference fragment_density_map;

 private:
  void Finish(const void* chain);
  void AddSubpassAttachments();
  void AddImplicitDependencies();
  bool HasDependency(uint32_t from, uint32_t to) const;
  void SortDependencies();
};

class Framebuffer : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_FRAMEBUFFER;
  // What VkFramebufferAttachmentImageInfo says of an attachment.
  struct ImagelessAttachment {
    VkImageCreateFlags flags;
    VkImageUsageFlags usage;
    uint32_t width;
    uint32_t height;
    uint32_t layer_count;
    std::vector<VkFormat> view_formats;
  };

  Framebuffer(uint64_t handle, const VkFramebufferCreateInfo& info, Ref<RenderPass> made_for,
              std::vector<Ref<ImageView>> attachments);

  bool is_imageless() const { return (flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) != 0; }

  const VkFramebufferCreateFlags flags;
  // It may be used with any that is compatible.
  const Ref<RenderPass> render_pass;
  // Texels.
  const uint32_t width;
  const uint32_t height;
  const uint32_t layers;
  // By attachment; empty references where there is no such view. Empty when it is imageless: then the views come with
  // VkRenderPassAttachmentBeginInfo.
  const std::vector<Ref<ImageView>> views;
  std::vector<ImagelessAttachment> imageless_attachments;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_RENDER_PASS_RENDER_PASS_H_
