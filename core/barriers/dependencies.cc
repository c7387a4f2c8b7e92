// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands with memory barriers.

#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "core/barriers/barriers.h"
#include "core/barriers/subpass_barriers.h"
#include "core/barriers/sync_rules.h"
#include "core/masks/masks.h"
#include "core/recording/recording_scope.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using state::Items;

// A command with its command buffer.
struct RecordedCommand {
  Check check;
  const state::CommandBuffer& buffer;

  uint32_t family() const { return buffer.pool.queue_family; }
  const RecordingScope* scope() const { return buffer.Sub<RecordingScope>(); }
  bool in_render_pass() const { return scope() != nullptr && (scope()->bits() & kInsideRenderPass) != 0; }
};

// For what is recorded after it.
void NoteDependency(const state::CommandBuffer& buffer) {
  if (auto* scope = buffer.Sub<RecordingScope>()) scope->events.NoteDependency();
}

// All barriers of a command together; needed inside render pass instances alone.
struct BarrierSummary {
  VkPipelineStageFlags2 src_stages = 0;
  VkPipelineStageFlags2 dst_stages = 0;
  VkAccessFlags2 accesses = 0;
  VkDependencyFlags flags = 0;
  uint32_t buffers = 0;
  uint32_t images = 0;
  bool has_transfer = false;
  bool has_transition = false;

  template <class Barrier>
  void Add(const Barrier& barrier) {
    accesses |= barrier.srcAccessMask | barrier.dstAccessMask;
    if constexpr (requires { barrier.srcStageMask; }) {
      src_stages |= barrier.srcStageMask;
      dst_stages |= barrier.dstStageMask;
    }
    if constexpr (requires { barrier.srcQueueFamilyIndex; }) has_transfer |= FamiliesOf(barrier).differ();
    if constexpr (requires { barrier.oldLayout; }) has_transition |= barrier.oldLayout != barrier.newLayout;
  }
  // VkDependencyInfo, or a command with the same members.
  template <class Dependency>
  void AddAll(const Dependency& d) {
    for (const auto& b : Items(d.pMemoryBarriers, d.memoryBarrierCount)) Add(b);
    for (const auto& b : Items(d.pBufferMemoryBarriers, d.bufferMemoryBarrierCount)) Add(b);
    for (const auto& b : Items(d.pImageMemoryBarriers, d.imageMemoryBarrierCount)) Add(b);
    flags |= d.dependencyFlags;
    buffers += d.bufferMemoryBarrierCount;
    images += d.imageMemoryBarrierCount;
  }
};

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

// Rules of pipeline barriers inside any render pass instance.
template <class C>
[[gnu::noinline, gnu::cold]] void CheckInRenderPass(const RecordedCommand& recorded, const BarrierSummary& summary,
                                                    const Location& command) {
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

template <class C>
void CheckViewLocal(const RecordedCommand& recorded, VkDependencyFlags flags, const Location& dependency) {
  if ((flags & VK_DEPENDENCY_VIEW_LOCAL_BIT) == 0 || recorded.in_render_pass()) [[likely]]
    return;
  recorded.check.Error(vk::CommandVuid<C>("dependencyFlags-01186"), dependency.Dot("dependencyFlags"),
                       "has VK_DEPENDENCY_VIEW_LOCAL_BIT outside of a render pass instance, where there are no views.",
                       "Take VK_DEPENDENCY_VIEW_LOCAL_BIT out.");
}

// What the subpass asks. A command, or its VkDependencyInfo; where leads to it.
template <class C, class Dependency>
void CheckSubpass(const RecordedCommand& recorded, const Dependency& d, const Location& where) {
  absl::InlinedVector<VkImage, 8> images;
  for (const auto& b : Items(d.pImageMemoryBarriers, d.imageMemoryBarrierCount)) images.push_back(b.image);
  CheckSubpassBarrier(recorded.check, recorded.buffer.rendering, kSubpassBarrierIds<C>, d.dependencyFlags, images,
                      where);
}

constexpr VkDependencyFlags kUseAllStages = VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR;

void ReportAllStagesFlag(const Check& check, vk::VuidIndex vuid, const Location& dependency) {
  check.Error(vuid, dependency.Dot("dependencyFlags"),
              "has VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR, which needs the maintenance8 "
              "feature; it is not enabled.",
              "Enable maintenance8 at vkCreateDevice().");
}

// ---- The first generation: the stages are the command's.

struct Sync1Ids {
  std::string_view command;
  vk::VuidIndex src_family, dst_family, src_memory, dst_memory, src_buffer, dst_buffer, src_image, dst_image;
  vk::VuidIndex src_ray_query, dst_ray_query;
};
template <class C>
constexpr Sync1Ids Sync1IdsOf(vk::VuidIndex src_family, vk::VuidIndex dst_family) {
  return {C::kName,
          src_family,
          dst_family,
          vk::CommandVuid<C>("srcAccessMask-02815"),
          vk::CommandVuid<C>("dstAccessMask-02816"),
          vk::CommandVuid<C>("pBufferMemoryBarriers-02817"),
          vk::CommandVuid<C>("pBufferMemoryBarriers-02818"),
          vk::CommandVuid<C>("pImageMemoryBarriers-02819"),
          vk::CommandVuid<C>("pImageMemoryBarriers-02820"),
          vk::CommandVuid<C>("srcAccessMask-06257"),
          vk::CommandVuid<C>("dstAccessMask-06257")};
}
constexpr Sync1Ids kPipelineBarrier = Sync1IdsOf<vk::CmdPipelineBarrier>(
    vk::Vuid("VUID-vkCmdPipelineBarrier-srcStageMask-06461"), vk::Vuid("VUID-vkCmdPipelineBarrier-dstStageMask-06462"));
constexpr Sync1Ids kWaitEvents = Sync1IdsOf<vk::CmdWaitEvents>(vk::Vuid("VUID-vkCmdWaitEvents-srcStageMask-06459"),
                                                               vk::Vuid("VUID-vkCmdWaitEvents-dstStageMask-06460"));

// Both sides' accesses, as far as the command's stages have to do them: those of a transfer's other side are done
// elsewhere.
template <class Barrier>
void CheckSync1Accesses(const RecordedCommand& recorded, const Sync1Ids& ids, vk::VuidIndex src, vk::VuidIndex dst,
                        const SyncScope& src_scope, const SyncScope& dst_scope, const Barrier& barrier,
                        const Location& where) {
  bool src_is_here = true, dst_is_here = true;
  if constexpr (requires { barrier.srcQueueFamilyIndex; }) {
    const QueueFamilies families = FamiliesOf(barrier);
    src_is_here = !families.differ() || families.src == recorded.family();
    dst_is_here = !families.differ() || families.dst == recorded.family();
  }
  const Location src_mask = where.Dot("srcAccessMask"), dst_mask = where.Dot("dstAccessMask");
  if (src_is_here) CheckAccesses(recorded.check, {{ids.command, "srcAccessMask"}, src, false}, src_scope, src_mask);
  if (dst_is_here) CheckAccesses(recorded.check, {{ids.command, "dstAccessMask"}, dst, false}, dst_scope, dst_mask);
  CheckRayQuery(recorded.check, ids.src_ray_query, src_scope, src_mask);
  CheckRayQuery(recorded.check, ids.dst_ray_query, dst_scope, dst_mask);
}

template <class C>
void CheckSync1(const RecordedCommand& recorded, const C& call, const Sync1Ids& ids, const Location& command) {
  const Check& check = recorded.check;
  const VkPipelineStageFlags2 src = call.srcStageMask, dst = call.dstStageMask;
  const Location src_mask = command.Dot("srcStageMask"), dst_mask = command.Dot("dstStageMask");
  CheckStages(check, {ids.command, "srcStageMask"}, src, src_mask);
  CheckStages(check, {ids.command, "dstStageMask"}, dst, dst_mask);
  CheckFamilyStages(check, ids.src_family, src, recorded.family(), src_mask);
  CheckFamilyStages(check, ids.dst_family, dst, recorded.family(), dst_mask);
  const auto accesses = [&](const auto& b, vk::VuidIndex src_id, vk::VuidIndex dst_id, const Location& where) {
    CheckSync1Accesses(recorded, ids, src_id, dst_id, {src, b.srcAccessMask}, {dst, b.dstAccessMask}, b, where);
  };
  for (uint32_t i = 0; const auto& b : Items(call.pMemoryBarriers, call.memoryBarrierCount)) {
    accesses(b, ids.src_memory, ids.dst_memory, command.Dot("pMemoryBarriers", i++));
  }
  for (uint32_t i = 0; const auto& b : Items(call.pBufferMemoryBarriers, call.bufferMemoryBarrierCount)) {
    const Location where = command.Dot("pBufferMemoryBarriers", i++);
    accesses(b, ids.src_buffer, ids.dst_buffer, where);
    CheckBuffer(check, BufferIdsOf<VkBufferMemoryBarrier>(), BufferPartOf(b), where);
  }
  for (uint32_t i = 0; const auto& b : Items(call.pImageMemoryBarriers, call.imageMemoryBarrierCount)) {
    const Location where = command.Dot("pImageMemoryBarriers", i++);
    accesses(b, ids.src_image, ids.dst_image, where);
    CheckImage(check, ImageIdsOf<VkImageMemoryBarrier>(), ImagePartOf(b), where);
  }
}

// ---- The second generation: each barrier has its stages.

// Of each kind of barrier, the ids of stages that the queue family does not support.
struct Sync2Ids {
  vk::VuidIndex src_memory, dst_memory, src_resource, dst_resource;
  // Stages of the side where a transfer is released or acquired elsewhere are not this family's.
  bool looks_at_transfers;
  vk::VuidIndex transfer = vk::kNoVuid;
};

template <class Barrier>
constexpr AccessRules Sync2AccessRules(std::string_view member) {
  return {{NameOf<Barrier>::kName, member}, vk::kNoVuid, true};
}

template <class Barrier>
[[gnu::noinline, gnu::cold]] void ReportSync2Masks(const RecordedCommand& recorded, const Sync2Ids& ids,
                                                   VkDependencyFlags flags, const Barrier& b, const Location& where) {
  const Check& check = recorded.check;
  constexpr std::string_view kOwner = NameOf<Barrier>::kName;
  const Location src_stages = where.Dot("srcStageMask"), dst_stages = where.Dot("dstStageMask");
  const Location src_accesses = where.Dot("srcAccessMask"), dst_accesses = where.Dot("dstAccessMask");
  const SyncScope src{b.srcStageMask, b.srcAccessMask}, dst{b.dstStageMask, b.dstAccessMask};
  // 0 is always right here.
  if (src.stages != 0) CheckStages(check, {kOwner, "srcStageMask"}, src.stages, src_stages);
  if (dst.stages != 0) CheckStages(check, {kOwner, "dstStageMask"}, dst.stages, dst_stages);
  CheckAccesses(check, Sync2AccessRules<Barrier>("srcAccessMask"), src, src_accesses);
  CheckAccesses(check, Sync2AccessRules<Barrier>("dstAccessMask"), dst, dst_accesses);
  constexpr vk::VuidIndex kSrcRayQuery = vk::CommandVuid<NameOf<Barrier>>("srcAccessMask-06256");
  constexpr vk::VuidIndex kDstRayQuery = vk::CommandVuid<NameOf<Barrier>>("dstAccessMask-06256");
  CheckRayQuery(check, kSrcRayQuery, src, src_accesses);
  CheckRayQuery(check, kDstRayQuery, dst, dst_accesses);
  const uint32_t family = recorded.family();
  if constexpr (requires { b.srcQueueFamilyIndex; }) {
    const bool all = !ids.looks_at_transfers || (flags & kUseAllStages) != 0;
    if (all || !FamiliesOf(b).AcquireBy(family))
      CheckFamilyStages(check, ids.src_resource, src.stages, family, src_stages);
    if (all || !FamiliesOf(b).ReleaseFrom(family))
      CheckFamilyStages(check, ids.dst_resource, dst.stages, family, dst_stages);
  } else {
    CheckFamilyStages(check, ids.src_memory, src.stages, family, src_stages);
    CheckFamilyStages(check, ids.dst_memory, dst.stages, family, dst_stages);
  }
}

template <class Barrier>
void CheckSync2Masks(const RecordedCommand& recorded, const Sync2Ids& ids, VkDependencyFlags flags, const Barrier& b,
                     const Location& where) {
  const SyncScope src{b.srcStageMask, b.srcAccessMask}, dst{b.dstStageMask, b.dstAccessMask};
  if (!MasksAreValid(recorded.check.limits, recorded.family(), src, dst)) [[unlikely]]
    ReportSync2Masks(recorded, ids, flags, b, where);
}

// What is asked of a barrier whose families differ, besides what its resource asks.
template <class Barrier>
void CheckSync2Transfer(const RecordedCommand& recorded, const Sync2Ids& ids, vk::VuidIndex host, const Barrier& b,
                        VkSharingMode sharing_mode, const Location& where) {
  CheckHostTransfer(recorded.check, host, FamiliesOf(b), b.srcStageMask | b.dstStageMask, where);
  if (ids.transfer != vk::kNoVuid)
    CheckTransfer(recorded.check, ids.transfer, FamiliesOf(b), sharing_mode, recorded.family(), where);
}

void CheckSync2(const RecordedCommand& recorded, const Sync2Ids& ids, const VkDependencyInfo& info,
                const Location& dependency) {
  const Check& check = recorded.check;
  const VkDependencyFlags flags = info.dependencyFlags;
  for (uint32_t i = 0; const auto& b : Items(info.pMemoryBarriers, info.memoryBarrierCount)) {
    CheckSync2Masks(recorded, ids, flags, b, dependency.Dot("pMemoryBarriers", i++));
  }
  for (uint32_t i = 0; const auto& b : Items(info.pBufferMemoryBarriers, info.bufferMemoryBarrierCount)) {
    const Location where = dependency.Dot("pBufferMemoryBarriers", i++);
    CheckSync2Masks(recorded, ids, flags, b, where);
    CheckBuffer(check, BufferIdsOf<VkBufferMemoryBarrier2>(), BufferPartOf(b), where);
    if (FamiliesOf(b).differ()) [[unlikely]] {
      CheckSync2Transfer(recorded, ids, vk::Vuid("VUID-VkBufferMemoryBarrier2-srcStageMask-03851"), b,
                         SharingModeOf(b.buffer), where);
    }
  }
  for (uint32_t i = 0; const auto& b : Items(info.pImageMemoryBarriers, info.imageMemoryBarrierCount)) {
    const Location where = dependency.Dot("pImageMemoryBarriers", i++);
    CheckSync2Masks(recorded, ids, flags, b, where);
    const ImagePart part = ImagePartOf(b);
    CheckImage(check, ImageIdsOf<VkImageMemoryBarrier2>(), part, where);
    const bool host_layout = b.oldLayout == VK_IMAGE_LAYOUT_UNDEFINED || b.oldLayout == VK_IMAGE_LAYOUT_GENERAL ||
                             b.oldLayout == VK_IMAGE_LAYOUT_PREINITIALIZED;
    if ((b.srcStageMask & VK_PIPELINE_STAGE_2_HOST_BIT) != 0 && part.changes_image() && !host_layout) [[unlikely]] {
      check.Error(vk::Vuid("VUID-VkImageMemoryBarrier2-srcStageMask-03855"), where.Dot("oldLayout"),
                  absl::StrCat("is ", vk::ToString(b.oldLayout),
                               ", in which the host, which is in srcStageMask, cannot have used the image."),
                  "Take VK_PIPELINE_STAGE_2_HOST_BIT out of srcStageMask; for what the host wrote, the layout is "
                  "VK_IMAGE_LAYOUT_PREINITIALIZED or VK_IMAGE_LAYOUT_GENERAL.",
                  messages::Object(b.image));
    }
    if (part.families.differ()) [[unlikely]] {
      CheckSync2Transfer(recorded, ids, vk::Vuid("VUID-VkImageMemoryBarrier2-srcStageMask-03854"), b,
                         SharingModeOf(b.image), where);
    }
  }
}

[[gnu::noinline, gnu::cold]] void ReportMissingFeature(const Check& check, vk::VuidIndex vuid) {
  check.Error(vuid, check.report.location(), "needs the synchronization2 feature, which is not enabled.",
              "Enable synchronization2 at vkCreateDevice().");
}

void CheckFeature(const Check& check, vk::VuidIndex vuid) {
  if (!check.limits.synchronization2) [[unlikely]]
    ReportMissingFeature(check, vuid);
}

// Calls f(barrier, location) for each barrier of any kind.
template <class F>
void ForEachBarrier(const VkDependencyInfo& info, const Location& dependency, F&& f) {
  for (uint32_t i = 0; const auto& b : Items(info.pMemoryBarriers, info.memoryBarrierCount))
    f(b, dependency.Dot("pMemoryBarriers", i++));
  for (uint32_t i = 0; const auto& b : Items(info.pBufferMemoryBarriers, info.bufferMemoryBarrierCount))
    f(b, dependency.Dot("pBufferMemoryBarriers", i++));
  for (uint32_t i = 0; const auto& b : Items(info.pImageMemoryBarriers, info.imageMemoryBarrierCount))
    f(b, dependency.Dot("pImageMemoryBarriers", i++));
}

Check CheckOf(const SyncLimits& limits, messages::Report& report, VkCommandBuffer buffer, SyncVersion version) {
  return {limits, report, messages::Object(buffer), version};
}

}  // namespace

void SyncRules::PreCallValidate(const vk::CmdPipelineBarrier& call, messages::Report& report) const {
  const state::CommandBuffer* buffer = state::DeviceState::Get(call.commandBuffer);
  if (buffer == nullptr) return;
  NoteDependency(*buffer);
  using C = vk::CmdPipelineBarrier;
  const RecordedCommand recorded{CheckOf(limits_, report, call.commandBuffer, SyncVersion::kSync1), *buffer};
  const Location command = report.location();
  CheckSync1(recorded, call, kPipelineBarrier, command);
  const auto transfers = [&](const auto& b, vk::VuidIndex host, VkSharingMode mode, const Location& where) {
    CheckHostTransfer(recorded.check, host, FamiliesOf(b), call.srcStageMask | call.dstStageMask, where);
    CheckTransfer(recorded.check, vk::CommandVuid<C>("srcQueueFamilyIndex-10388"), FamiliesOf(b), mode,
                  recorded.family(), where);
  };
  for (uint32_t i = 0; const auto& b : Items(call.pBufferMemoryBarriers, call.bufferMemoryBarrierCount)) {
    transfers(b, vk::CommandVuid<C>("srcStageMask-09634"), SharingModeOf(b.buffer),
              command.Dot("pBufferMemoryBarriers", i++));
  }
  for (uint32_t i = 0; const auto& b : Items(call.pImageMemoryBarriers, call.imageMemoryBarrierCount)) {
    transfers(b, vk::CommandVuid<C>("srcStageMask-09633"), SharingModeOf(b.image),
              command.Dot("pImageMemoryBarriers", i++));
  }
  if ((call.dependencyFlags & kUseAllStages) != 0 && !limits_.maintenance8) [[unlikely]]
    ReportAllStagesFlag(recorded.check, vk::CommandVuid<C>("maintenance8-10206"), command);
  CheckViewLocal<C>(recorded, call.dependencyFlags, command);
  if (!recorded.in_render_pass()) [[likely]]
    return;
  BarrierSummary summary{.src_stages = call.srcStageMask, .dst_stages = call.dstStageMask};
  summary.AddAll(call);
  CheckInRenderPass<C>(recorded, summary, command);
  CheckSubpass<C>(recorded, call, command);
}

void SyncRules::PreCallValidate(const vk::CmdPipelineBarrier2& call, messages::Report& report) const {
  const state::CommandBuffer* buffer = state::DeviceState::Get(call.commandBuffer);
  if (buffer == nullptr || call.pDependencyInfo == nullptr) return;
  NoteDependency(*buffer);
  using C = vk::CmdPipelineBarrier2;
  const RecordedCommand recorded{CheckOf(limits_, report, call.commandBuffer, SyncVersion::kSync2), *buffer};
  static constexpr Sync2Ids kIds = {vk::CommandVuid<C>("srcStageMask-09673"),
                                    vk::CommandVuid<C>("dstStageMask-09674"),
                                    vk::CommandVuid<C>("srcStageMask-09675"),
                                    vk::CommandVuid<C>("dstStageMask-09676"),
                                    true,
                                    vk::CommandVuid<C>("srcQueueFamilyIndex-10387")};
  const Location command = report.location();
  const Location dependency = command.Dot("pDependencyInfo");
  CheckFeature(recorded.check, vk::CommandVuid<C>("synchronization2-03848"));
  CheckSync2(recorded, kIds, *call.pDependencyInfo, dependency);
  CheckViewLocal<C>(recorded, call.pDependencyInfo->dependencyFlags, dependency);
  if (!recorded.in_render_pass()) [[likely]]
    return;
  BarrierSummary summary;
  summary.AddAll(*call.pDependencyInfo);
  CheckInRenderPass<C>(recorded, summary, command);
  CheckSubpass<C>(recorded, *call.pDependencyInfo, dependency);
}

void SyncRules::PreCallValidate(const vk::CmdWaitEvents& call, messages::Report& report) const {
  const state::CommandBuffer* buffer = state::DeviceState::Get(call.commandBuffer);
  if (buffer == nullptr) return;
  const RecordedCommand recorded{CheckOf(limits_, report, call.commandBuffer, SyncVersion::kSync1), *buffer};
  const Location command = report.location();
  CheckSync1(recorded, call, kWaitEvents, command);
  const auto no_transfer = [&](const auto& b, const Location& where) {
    if (!FamiliesOf(b).differ()) return;
    recorded.check.Error(vk::Vuid("VUID-vkCmdWaitEvents-srcQueueFamilyIndex-02803"), where.Dot("srcQueueFamilyIndex"),
                         absl::StrCat("(", FamilyText(b.srcQueueFamilyIndex), ") is not dstQueueFamilyIndex (",
                                      FamilyText(b.dstQueueFamilyIndex), "): events cannot transfer ownership."),
                         "Use vkCmdPipelineBarrier() for the transfer.");
  };
  for (uint32_t i = 0; const auto& b : Items(call.pBufferMemoryBarriers, call.bufferMemoryBarrierCount))
    no_transfer(b, command.Dot("pBufferMemoryBarriers", i++));
  for (uint32_t i = 0; const auto& b : Items(call.pImageMemoryBarriers, call.imageMemoryBarrierCount))
    no_transfer(b, command.Dot("pImageMemoryBarriers", i++));
  if (recorded.in_render_pass()) {
    CheckNoHostStage(recorded.check, vk::Vuid("VUID-vkCmdWaitEvents-srcStageMask-07308"), call.srcStageMask,
                     command.Dot("srcStageMask"));
  }
}

void SyncRules::PreCallValidate(const vk::CmdWaitEvents2& call, messages::Report& report) const {
  const state::CommandBuffer* buffer = state::DeviceState::Get(call.commandBuffer);
  if (buffer == nullptr) return;
  using C = vk::CmdWaitEvents2;
  const RecordedCommand recorded{CheckOf(limits_, report, call.commandBuffer, SyncVersion::kSync2), *buffer};
  constexpr vk::VuidIndex kSrc = vk::CommandVuid<C>("srcStageMask-03842");
  constexpr vk::VuidIndex kDst = vk::CommandVuid<C>("dstStageMask-03843");
  CheckFeature(recorded.check, vk::CommandVuid<C>("synchronization2-03836"));
  const Location command = report.location();
  for (uint32_t i = 0; const VkDependencyInfo& info : Items(call.pDependencyInfos, call.eventCount)) {
    const Location dependency = command.Dot("pDependencyInfos", i++);
    CheckSync2(recorded, {kSrc, kDst, kSrc, kDst, false}, info, dependency);
    if ((info.dependencyFlags & kUseAllStages) != 0 && !limits_.maintenance8) {
      ReportAllStagesFlag(recorded.check, vk::CommandVuid<C>("maintenance8-10205"), dependency);
    } else if (info.dependencyFlags != 0) {
      recorded.check.Error(vk::CommandVuid<C>("dependencyFlags-10394"), dependency.Dot("dependencyFlags"), "is not 0.",
                           "Use 0.");
    }
    if (!recorded.in_render_pass()) continue;
    ForEachBarrier(info, dependency, [&](const auto& b, const Location& where) {
      CheckNoHostStage(recorded.check, vk::CommandVuid<C>("dependencyFlags-03844"), b.srcStageMask,
                       where.Dot("srcStageMask"));
    });
  }
}

void SyncRules::PreCallValidate(const vk::CmdSetEvent2& call, messages::Report& report) const {
  const state::CommandBuffer* buffer = state::DeviceState::Get(call.commandBuffer);
  if (buffer == nullptr || call.pDependencyInfo == nullptr) return;
  using C = vk::CmdSetEvent2;
  const RecordedCommand recorded{CheckOf(limits_, report, call.commandBuffer, SyncVersion::kSync2), *buffer};
  constexpr vk::VuidIndex kSrc = vk::CommandVuid<C>("srcStageMask-03827");
  constexpr vk::VuidIndex kDst = vk::CommandVuid<C>("dstStageMask-03828");
  CheckFeature(recorded.check, vk::CommandVuid<C>("synchronization2-03824"));
  const Location command = report.location();
  const Location dependency = command.Dot("pDependencyInfo");
  CheckSync2(recorded, {kSrc, kDst, kSrc, kDst, false}, *call.pDependencyInfo, dependency);
  if (call.pDependencyInfo->dependencyFlags != 0) {
    recorded.check.Error(vk::CommandVuid<C>("dependencyFlags-03825"), dependency.Dot("dependencyFlags"), "is not 0.",
                         "Use 0.");
  }
  ForEachBarrier(*call.pDependencyInfo, dependency, [&](const auto& b, const Location& where) {
    CheckNoHostStage(recorded.check, vk::CommandVuid<C>("srcStageMask-09391"), b.srcStageMask,
                     where.Dot("srcStageMask"));
    CheckNoHostStage(recorded.check, vk::CommandVuid<C>("dstStageMask-09392"), b.dstStageMask,
                     where.Dot("dstStageMask"));
  });
}

}  // namespace assay::core
