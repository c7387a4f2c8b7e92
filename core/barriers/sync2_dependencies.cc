// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands with memory barriers of synchronization2, each of which has its own stages: vkCmdPipelineBarrier2,
// vkCmdWaitEvents2 and vkCmdSetEvent2.

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/barriers/barrier_ids.h"
#include "core/barriers/barriers.h"
#include "core/barriers/barriers_in_render_pass.h"
#include "core/barriers/dependency_flags.h"
#include "core/barriers/recorded_command.h"
#include "core/barriers/sync_rules.h"
#include "core/masks/masks.h"
#include "vk/enum_to_string.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using state::Items;

// The ids of stages that the queue family does not support, for each kind of barrier.
struct Sync2Ids {
  vk::VuidIndex src_memory, dst_memory, src_resource, dst_resource;
  // Whether the other side of a queue family ownership transfer may have stages of the other family.
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
  // A mask of 0 is always valid here.
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

// The rules of a barrier whose queue families differ, besides those of its resource.
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

// Whether a dependency outside render passes certainly breaks no rule.
bool IsPlain(const SyncLimits& limits, uint32_t family, const VkDependencyInfo& info) {
  if ((info.dependencyFlags & VK_DEPENDENCY_VIEW_LOCAL_BIT) != 0) return false;
  const auto masks_are_valid = [&](const auto& b) {
    return MasksAreValid(limits, family, {b.srcStageMask, b.srcAccessMask}, {b.dstStageMask, b.dstAccessMask});
  };
  return std::ranges::all_of(Items(info.pMemoryBarriers, info.memoryBarrierCount), masks_are_valid) &&
         std::ranges::all_of(
             Items(info.pBufferMemoryBarriers, info.bufferMemoryBarrierCount),
             [&](const VkBufferMemoryBarrier2& b) { return masks_are_valid(b) && IsPlain(BufferPartOf(b)); }) &&
         std::ranges::all_of(Items(info.pImageMemoryBarriers, info.imageMemoryBarrierCount),
                             [&](const VkImageMemoryBarrier2& b) {
                               return masks_are_valid(b) && (b.srcStageMask & VK_PIPELINE_STAGE_2_HOST_BIT) == 0 &&
                                      IsPlain(limits, ImagePartOf(b));
                             });
}

[[gnu::noinline]] void CheckPipelineBarrier2(const RecordedCommand& recorded, const vk::CmdPipelineBarrier2& call) {
  using C = vk::CmdPipelineBarrier2;
  static constexpr Sync2Ids kIds = {vk::CommandVuid<C>("srcStageMask-09673"),
                                    vk::CommandVuid<C>("dstStageMask-09674"),
                                    vk::CommandVuid<C>("srcStageMask-09675"),
                                    vk::CommandVuid<C>("dstStageMask-09676"),
                                    true,
                                    vk::CommandVuid<C>("srcQueueFamilyIndex-10387")};
  const Location command = recorded.check.report.location();
  const Location dependency = command.Dot("pDependencyInfo");
  CheckSync2(recorded, kIds, *call.pDependencyInfo, dependency);
  CheckViewLocal<C>(recorded, call.pDependencyInfo->dependencyFlags, dependency);
  if (!recorded.in_render_pass()) [[likely]]
    return;
  BarrierSummary summary;
  summary.AddAll(*call.pDependencyInfo);
  CheckInRenderPass<C>(recorded, summary, command);
  CheckSubpass<C>(recorded, *call.pDependencyInfo, dependency);
}

}  // namespace

void SyncRules::PreCallValidate(const vk::CmdPipelineBarrier2& call, dispatch::Slot& slot,
                                messages::Report& report) const {
  const state::CommandBuffer* buffer = state::DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pDependencyInfo == nullptr) return;
  NoteDependency(*buffer, report);
  if (!IsInRenderPass(*buffer) && IsPlain(limits_, buffer->pool.queue_family, *call.pDependencyInfo)) return;
  CheckPipelineBarrier2({CheckOf(limits_, report, call.commandBuffer, SyncVersion::kSync2), *buffer}, call);
}

void SyncRules::PreCallValidate(const vk::CmdWaitEvents2& call, messages::Report& report) const {
  const state::CommandBuffer* buffer = state::DeviceState::Get(call.commandBuffer);
  if (buffer == nullptr) return;
  using C = vk::CmdWaitEvents2;
  const RecordedCommand recorded{CheckOf(limits_, report, call.commandBuffer, SyncVersion::kSync2), *buffer};
  constexpr vk::VuidIndex kSrc = vk::CommandVuid<C>("srcStageMask-03842");
  constexpr vk::VuidIndex kDst = vk::CommandVuid<C>("dstStageMask-03843");
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
