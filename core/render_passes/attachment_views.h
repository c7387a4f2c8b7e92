// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RENDER_PASSES_ATTACHMENT_VIEWS_H_
#define ASSAY_CORE_RENDER_PASSES_ATTACHMENT_VIEWS_H_

#include <cstdint>

#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// The views of attachments.
namespace assay::core {

// Of the view, which is no 3D view; of a 3D image, the layers are slices.
uint32_t LayersOf(const state::ImageView& view);
// Of the view's first level, in texels of the image.
VkExtent2D ExtentOf(const state::ImageView& view);
// Whether each component is itself.
bool IsIdentity(const VkComponentMapping& components);
// Of any aspect.
VkImageUsageFlags UsagesOf(const state::ImageView& view);

// Rules for all views of attachments.
struct AttachmentViewIds {
  vk::VuidIndex levels;
  vk::VuidIndex components;
  vk::VuidIndex type;
};

// Returns false for a 3D view, which has no layers to check.
bool CheckAttachmentView(const state::ImageView& view, const AttachmentViewIds& ids, const messages::Location& where,
                         messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_RENDER_PASSES_ATTACHMENT_VIEWS_H_
