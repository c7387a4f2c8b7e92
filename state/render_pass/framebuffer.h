// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_RENDER_PASS_FRAMEBUFFER_H_
#define ASSAY_STATE_RENDER_PASS_FRAMEBUFFER_H_

#include <cstdint>
#include <vector>

#include "state/memory/image.h"
#include "state/objects/object.h"
#include "state/render_pass/render_pass.h"
#include "vk/vulkan.h"

namespace assay::state {

class Framebuffer : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_FRAMEBUFFER;
  // An attachment of an imageless framebuffer (VkFramebufferAttachmentImageInfo).
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
  // The framebuffer may be used with any compatible render pass.
  const Ref<RenderPass> render_pass;
  // Texels.
  const uint32_t width;
  const uint32_t height;
  const uint32_t layers;
  // By attachment; the reference is empty if there is no such view. An imageless framebuffer has none: its views come
  // with VkRenderPassAttachmentBeginInfo.
  const std::vector<Ref<ImageView>> views;
  std::vector<ImagelessAttachment> imageless_attachments;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_RENDER_PASS_FRAMEBUFFER_H_
