// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/barriers/barriers_in_render_pass.h"

#include "absl/strings/str_cat.h"
#include "core/masks/limits.h"
#include "vk/commands.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;

// The masks with stages that stand for several replaced, none of which is at the host.
VkPipelineStageFlags2 FramebufferStagesOf(VkPipelineStageFlags2 stages) {
  constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  return (stages & kAll) != 0 ? SyncLimits::kFramebufferStages : stages & SyncLimits::kFramebufferStages;
}

// Rules of pipeline barriers inside dynamic rendering.
template <class C>
void CheckInRendering(const RecordedCommand& recorded, const BarrierSummary& summary, const Location& command) {
  const Check& check = recorded.check;
  if (check.limits.local_read) {
    // What follows is about devices without it.
  } else if (!check.limits.tile_image) {
    return check.Error(vk::CommandVuid<C>("None-09553"), command,
                       "is between vkCmdBeginRendering() and vkCmdEndRendering(), which needs the "
                       "dynamicRenderingLocalRead feature or one of VK_EXT_shader_tile_image.",
                       "Record it before vkCmdBeginRendering(), or enable dynamicRenderingLocalRead.");
  } else {
    if (summary.buffers + summary.images != 0) {
      check.Error(vk::CommandVuid<C>("None-09554"), command,
                  absl::StrCat("has ", summary.buffers, " buffer and ", summary.images,
                               " image memory barriers between vkCmdBeginRendering() and vkCmdEndRendering(), which "
                               "needs the dynamicRenderingLocalRead feature."),
                  "Use a global memory barrier, or enable the feature.");
    }
    constexpr VkAccessFlags2 kAttachments =
        VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
        VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    if (const VkAccessFlags2 wrong = summary.accesses & ~kAttachments; wrong != 0) {
      check.Error(vk::CommandVuid<C>("None-09586"), command,
                  absl::StrCat("has ", check.Accesses(wrong), "; without the dynamicRenderingLocalRead feature only ",
                               check.Accesses(kAttachments),
                               " may stand between vkCmdBeginRendering() and "
                               "vkCmdEndRendering()."));
    }
  }
  constexpr VkPipelineStageFlags2 kRight = SyncLimits::kFramebufferStages;
  if (const VkPipelineStageFlags2 wrong = (summary.src_stages | summary.dst_stages) & ~kRight; wrong != 0) {
    check.Error(vk::CommandVuid<C>("srcStageMask-09556"), command,
                absl::StrCat("has ", check.Stages(wrong),
                             " between vkCmdBeginRendering() and vkCmdEndRendering(), where "
                             "only ",
                             check.Stages(kRight), " may be synchronized."));
  }
}

}  // namespace

template <class C>
void CheckInRenderPass(const RecordedCommand& recorded, const BarrierSummary& summary, const Location& command) {
  const Check& check = recorded.check;
  const VkPipelineStageFlags2 src_framebuffer = FramebufferStagesOf(summary.src_stages);
  const bool in_rendering = recorded.scope()->in_rendering();
  if (in_rendering) CheckInRendering<C>(recorded, summary, command);
  if (!in_rendering && summary.buffers != 0) {
    check.Error(vk::CommandVuid<C>("bufferMemoryBarrierCount-01178"), command,
                absl::StrCat("has ", summary.buffers, " buffer memory barriers inside a subpass of a VkRenderPass."),
                "Use a global memory barrier.");
  }
  // 09556 says the same of dynamic rendering, and more.
  if (const VkPipelineStageFlags2 wrong = (summary.src_stages | summary.dst_stages) & ~check.limits.graphics_stages();
      wrong != 0 && !in_rendering) {
    check.Error(vk::CommandVuid<C>("None-07892"), command,
                absl::StrCat("has ", check.Stages(wrong),
                             " inside a render pass instance, where only stages of graphics "
                             "pipelines may be synchronized."));
  } else if (const VkPipelineStageFlags2 later = summary.dst_stages & ~SyncLimits::kFramebufferStages;
             src_framebuffer != 0 && later != 0 && !in_rendering) {
    check.Error(vk::CommandVuid<C>("None-07890"), command,
                absl::StrCat("has source stages in framebuffer space (", check.Stages(src_framebuffer),
                             ") and destination stages that are not (", check.Stages(later),
                             "), inside a render pass instance."),
                "End the render pass instance before the barrier.");
  }
  if (src_framebuffer != 0 && (summary.flags & VK_DEPENDENCY_BY_REGION_BIT) == 0) {
    check.Error(vk::CommandVuid<C>("dependencyFlags-07891"), command,
                absl::StrCat("has source stages in framebuffer space (", check.Stages(src_framebuffer),
                             ") inside a render pass instance, and no VK_DEPENDENCY_BY_REGION_BIT."),
                "Add VK_DEPENDENCY_BY_REGION_BIT to dependencyFlags.");
  }
  if (summary.has_transition) {
    check.Error(vk::CommandVuid<C>("oldLayout-01181"), command,
                "has an image memory barrier whose oldLayout is not its newLayout, inside a render pass instance.",
                "Let the render pass make the transition, or make it before.");
  }
  if (summary.has_transfer) {
    check.Error(
        vk::CommandVuid<C>("srcQueueFamilyIndex-01182"), command,
        "has a barrier whose srcQueueFamilyIndex is not its dstQueueFamilyIndex, inside a render pass instance.",
        "Transfer the ownership before.");
  }
}
template void CheckInRenderPass<vk::CmdPipelineBarrier>(const RecordedCommand&, const BarrierSummary&, const Location&);
template void CheckInRenderPass<vk::CmdPipelineBarrier2>(const RecordedCommand&, const BarrierSummary&,
                                                         const Location&);

}  // namespace assay::core
