// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_RENDER_PASS_RENDER_PASS_H_
#define ASSAY_STATE_RENDER_PASS_RENDER_PASS_H_

#include <cstdint>
#include <vector>

#include "state/objects/object.h"
#include "vk/vulkan.h"

// Render passes, of vkCreateRenderPass and vkCreateRenderPass2 alike.
//
// Indices of attachments and subpasses are valid here: in range, VK_ATTACHMENT_UNUSED or VK_SUBPASS_EXTERNAL. The
// constructor leaves out references and dependencies with an invalid index.
namespace assay::state {

// Layouts of an attachment's aspects. Both are the same for an attachment without stencil.
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
  // The aspects of the format: COLOR for a multi-planar or unknown one.
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  // Of color or depth.
  VkAttachmentLoadOp load_op = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  VkAttachmentStoreOp store_op = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  VkAttachmentLoadOp stencil_load_op = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  VkAttachmentStoreOp stencil_store_op = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  AttachmentLayouts initial;
  AttachmentLayouts final;
  // By index; VK_SUBPASS_EXTERNAL if no subpass uses the attachment. Preserving an attachment does not use it.
  uint32_t first_subpass = VK_SUBPASS_EXTERNAL;
  uint32_t last_subpass = VK_SUBPASS_EXTERNAL;
};

struct AttachmentReference {
  uint32_t attachment = VK_ATTACHMENT_UNUSED;
  AttachmentLayouts layouts;
  // Of an input attachment, the aspects that the shader may read; else those of the format. 0 for an unused reference.
  VkImageAspectFlags aspects = 0;

  bool is_used() const { return attachment != VK_ATTACHMENT_UNUSED; }
};

// The references of a subpass to one attachment, together.
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
  // The previous subpass that uses the attachment, and the layouts there; VK_SUBPASS_EXTERNAL and the initial layouts
  // for the first subpass. If the layouts differ from this subpass's, there is an automatic transition.
  uint32_t previous_subpass;
  AttachmentLayouts previous_layouts;
  // The views of the subpass that load the attachment, since no earlier subpass uses it in them, and those that store
  // it, since no later subpass does. Bit 0 alone without multiview.
  uint32_t first_views;
  uint32_t last_views;
};

struct Subpass {
  VkSubpassDescriptionFlags flags = 0;
  VkPipelineBindPoint bind_point = VK_PIPELINE_BIND_POINT_GRAPHICS;
  // 0 where there is no multiview.
  uint32_t view_mask = 0;
  // By index; some may be unused.
  std::vector<AttachmentReference> inputs;
  std::vector<AttachmentReference> colors;
  // Empty, or one for each of the colors.
  std::vector<AttachmentReference> resolves;
  AttachmentReference depth_stencil;
  AttachmentReference depth_stencil_resolve;
  VkResolveModeFlagBits depth_resolve_mode = VK_RESOLVE_MODE_NONE;
  VkResolveModeFlagBits stencil_resolve_mode = VK_RESOLVE_MODE_NONE;
  AttachmentReference fragment_shading_rate;
  // Texels of the framebuffer that one texel of the fragment shading rate attachment stands for.
  VkExtent2D shading_rate_texel_size = {0, 0};
  std::vector<uint32_t> preserves;
  // Of VkMultisampledRenderToSingleSampledInfoEXT, if that enables the feature; else 0.
  VkSampleCountFlags single_sampled_rasterization_samples = 0;

  // One for each attachment that the subpass uses, sorted by number.
  std::vector<SubpassAttachment> attachments;
  // Indices of RenderPass::dependencies: to this subpass from another or from outside, and from this subpass to itself.
  std::vector<uint32_t> incoming;
  std::vector<uint32_t> self;

  const SubpassAttachment* FindAttachment(uint32_t attachment) const;
  // The views as bits: the mask, or bit 0 alone without multiview.
  uint32_t views() const { return view_mask != 0 ? view_mask : 1; }
};

struct SubpassDependency {
  uint32_t src_subpass;
  uint32_t dst_subpass;
  // Of the dependency itself, or of the VkMemoryBarrier2 in its chain, which overrides them.
  VkPipelineStageFlags2 src_stages;
  VkAccessFlags2 src_accesses;
  VkPipelineStageFlags2 dst_stages;
  VkAccessFlags2 dst_accesses;
  VkDependencyFlags flags;
  int32_t view_offset;
  // Whether the specification adds the dependency ("VkSubpassDependency"), since the application gave none.
  bool is_implicit;
};

class RenderPass : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_RENDER_PASS;
  RenderPass(uint64_t handle, const VkRenderPassCreateInfo& info);
  RenderPass(uint64_t handle, const VkRenderPassCreateInfo2& info);

  // Null if there is no such subpass.
  const Subpass* At(uint32_t subpass) const { return subpass < subpasses.size() ? &subpasses[subpass] : nullptr; }

  std::vector<AttachmentDescription> attachments;
  std::vector<Subpass> subpasses;
  // Those of the application, in its order; then implicit ones.
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

}  // namespace assay::state

#endif  // ASSAY_STATE_RENDER_PASS_RENDER_PASS_H_
