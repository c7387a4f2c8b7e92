// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/render_pass/framebuffer.h"

#include <utility>

#include "state/objects/items.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

std::vector<Framebuffer::ImagelessAttachment> ReadImageless(const VkFramebufferCreateInfo& info) {
  std::vector<Framebuffer::ImagelessAttachment> attachments;
  const auto* given = vk::FindInChain<VkFramebufferAttachmentsCreateInfo>(info.pNext);
  if (given == nullptr) return attachments;
  for (const auto& image : Items(given->pAttachmentImageInfos, given->attachmentImageInfoCount)) {
    const auto formats = Items(image.pViewFormats, image.viewFormatCount);
    attachments.push_back({image.flags, image.usage, image.width, image.height, image.layerCount,
                           std::vector<VkFormat>(formats.begin(), formats.end())});
  }
  return attachments;
}

}  // namespace

Framebuffer::Framebuffer(uint64_t handle, const VkFramebufferCreateInfo& info, Ref<RenderPass> made_for,
                         std::vector<Ref<ImageView>> attachments)
    : Object(kType, handle),
      flags(info.flags),
      render_pass(std::move(made_for)),
      width(info.width),
      height(info.height),
      layers(info.layers),
      views(std::move(attachments)),
      imageless_attachments(ReadImageless(info)) {}

}  // namespace assay::state
