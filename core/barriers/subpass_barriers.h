// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BARRIERS_SUBPASS_BARRIERS_H_
#define ASSAY_CORE_BARRIERS_SUBPASS_BARRIERS_H_

#include "absl/types/span.h"
#include "core/masks/check.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: the rules of a pipeline barrier inside a render pass instance that concern its subpass and
// attachments.
namespace assay::core {

struct SubpassBarrierIds {
  vk::VuidIndex self_dependency;
  vk::VuidIndex views;
  vk::VuidIndex attachment;
  vk::VuidIndex resolved_color;
  vk::VuidIndex rendering_layout;
};
template <class C>
inline constexpr SubpassBarrierIds kSubpassBarrierIds{};
template <>
inline constexpr SubpassBarrierIds kSubpassBarrierIds<vk::CmdPipelineBarrier> = {
    vk::Vuid("VUID-vkCmdPipelineBarrier-None-07889"), vk::Vuid("VUID-vkCmdPipelineBarrier-None-07893"),
    vk::Vuid("VUID-vkCmdPipelineBarrier-image-04073"), vk::Vuid("VUID-vkCmdPipelineBarrier-image-09373"),
    vk::Vuid("VUID-vkCmdPipelineBarrier-image-09555")};
template <>
inline constexpr SubpassBarrierIds kSubpassBarrierIds<vk::CmdPipelineBarrier2> = {
    vk::Vuid("VUID-vkCmdPipelineBarrier2-None-07889"), vk::Vuid("VUID-vkCmdPipelineBarrier2-None-07893"),
    vk::Vuid("VUID-vkCmdPipelineBarrier2-image-04073"), vk::Vuid("VUID-vkCmdPipelineBarrier2-image-09373"),
    vk::Vuid("VUID-vkCmdPipelineBarrier2-image-09555")};

// images are those of the image memory barriers; where leads to the owner of dependencyFlags and pImageMemoryBarriers.
void CheckSubpassBarrier(const Check& check, const state::RenderPassInstance& rendering, const SubpassBarrierIds& ids,
                         VkDependencyFlags flags, absl::Span<const VkImage> images, const messages::Location& where);

}  // namespace assay::core

#endif  // ASSAY_CORE_BARRIERS_SUBPASS_BARRIERS_H_
