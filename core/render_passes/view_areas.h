// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RENDER_PASSES_VIEW_AREAS_H_
#define ASSAY_CORE_RENDER_PASSES_VIEW_AREAS_H_

#include <cstdint>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Parts of a render area: those of views, and stripes.
namespace assay::core {

// The rules that both kinds of render pass instances have under ids of their own.
struct ViewAreaIds {
  // Each view has an area, and these are in the render area.
  vk::VuidIndex count;
  vk::VuidIndex inside;
  // The stripes cover the render area.
  vk::VuidIndex covered;
};

// `chain` and `area` are those of VkRenderPassBeginInfo or VkRenderingInfo; `views` is a bit for each view.
void CheckViewAreas(const void* chain, const VkRect2D& area, uint32_t views, const ViewAreaIds& ids,
                    const dispatch::PhysicalDevice& device, const messages::Location& where, messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_RENDER_PASSES_VIEW_AREAS_H_
