// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands with memory barriers of sync1, whose stages are the command's: vkCmdPipelineBarrier and vkCmdWaitEvents.

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
#include "vk/vuid.h"

namespace assay::core {
namespace {

using core::SharingModeOf;
using messages::Location;
using state::Items;

VkSharingMode SharingModeOf(const VkBufferMemoryBarrier& barrier) { return SharingModeOf(barrier.buffer); }
VkSharingMode SharingModeOf(const VkImageMemoryBarrier& barrier) { return SharingModeOf(barrier.image); }

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

[[gnu::noinline, gnu::cold]] void ReportSync1Stages(const RecordedCommand& recorded, const Sync1Ids& ids,
                                                    VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst,
                                                    const Location& command) {
  const Check& check = recorded.check;
  const Location src_mask = command.Dot("srcStageMask"), dst_mask = command.Dot("dstStageMask");
  CheckStages(check, {ids.command, "srcStageMask"}, src, src_mask);
  CheckStages(check, {ids.command, "dstStageMask"}, dst, dst_mask);
  CheckFamilyStages(check, ids.src_family, src, recorded.family(), src_mask);
  CheckFamilyStages(check, ids.dst_family, dst, recorded.family(), dst_mask);
}

// The accesses of both sides. The other side of a queue family ownership transfer is exempt: its accesses happen on the
// other queue.
template <class Barrier>
[[gnu::noinline, gnu::cold]] void ReportSync1Accesses(const RecordedCommand& recorded, const Sync1Ids& ids,
                                                      vk::VuidIndex src, vk::VuidIndex dst, const SyncScope& src_scope,
                                                      const SyncScope& dst_scope, const Barrier& barrier,
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

// What may break a rule in the masks of a command and of its barriers.
struct Sync1Suspects {
  Sync1Suspects(const SyncLimits& limits, uint32_t family, VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst)
      : has_stages(((src | dst) & SuspectStages(limits, family)) != 0 || src == 0 || dst == 0),
        src_accesses(SuspectAccesses(limits, src)),
        dst_accesses(src == dst ? src_accesses : SuspectAccesses(limits, dst)) {}

  template <class Barrier>
  bool HasAny(const Barrier& b) const {
    return ((b.srcAccessMask & src_accesses) | (b.dstAccessMask & dst_accesses)) != 0;
  }

  const bool has_stages;
  const VkAccessFlags2 src_accesses, dst_accesses;
};

// Whether a command outside render passes certainly breaks no rule.
bool IsPlain(const SyncLimits& limits, const vk::CmdPipelineBarrier& call, const Sync1Suspects& suspects) {
  if (suspects.has_stages) return false;
  if ((call.dependencyFlags & (kUseAllStages | VK_DEPENDENCY_VIEW_LOCAL_BIT)) != 0) return false;
  return std::ranges::none_of(Items(call.pMemoryBarriers, call.memoryBarrierCount),
                              [&](const VkMemoryBarrier& b) { return suspects.HasAny(b); }) &&
         std::ranges::all_of(
             Items(call.pBufferMemoryBarriers, call.bufferMemoryBarrierCount),
             [&](const VkBufferMemoryBarrier& b) { return !suspects.HasAny(b) && IsPlain(BufferPartOf(b)); }) &&
         std::ranges::all_of(
             Items(call.pImageMemoryBarriers, call.imageMemoryBarrierCount),
             [&](const VkImageMemoryBarrier& b) { return !suspects.HasAny(b) && IsPlain(limits, ImagePartOf(b)); });
}

// Checks the masks of the command and of its barriers. Calls resource(barrier, location) for each barrier of a buffer
// or image.
template <class C, class F>
void CheckSync1(const RecordedCommand& recorded, const C& call, const Sync1Ids& ids, const Sync1Suspects& suspects,
                const Location& command, F&& resource) {
  const Check& check = recorded.check;
  const VkPipelineStageFlags2 src = call.srcStageMask, dst = call.dstStageMask;
  if (suspects.has_stages) [[unlikely]]
    ReportSync1Stages(recorded, ids, src, dst, command);
  const auto is_suspect = [&](const auto& b) { return suspects.HasAny(b); };
  const auto report = [&](const auto& b, vk::VuidIndex src_id, vk::VuidIndex dst_id, const Location& where) {
    ReportSync1Accesses(recorded, ids, src_id, dst_id, {src, b.srcAccessMask}, {dst, b.dstAccessMask}, b, where);
  };
  for (uint32_t i = 0; const auto& b : Items(call.pMemoryBarriers, call.memoryBarrierCount)) {
    if (is_suspect(b)) [[unlikely]]
      report(b, ids.src_memory, ids.dst_memory, command.Dot("pMemoryBarriers", i));
    ++i;
  }
  for (uint32_t i = 0; const auto& b : Items(call.pBufferMemoryBarriers, call.bufferMemoryBarrierCount)) {
    const Location where = command.Dot("pBufferMemoryBarriers", i++);
    if (is_suspect(b)) [[unlikely]]
      report(b, ids.src_buffer, ids.dst_buffer, where);
    CheckBuffer(check, BufferIdsOf<VkBufferMemoryBarrier>(), BufferPartOf(b), where);
    resource(b, where);
  }
  for (uint32_t i = 0; const auto& b : Items(call.pImageMemoryBarriers, call.imageMemoryBarrierCount)) {
    const Location where = command.Dot("pImageMemoryBarriers", i++);
    if (is_suspect(b)) [[unlikely]]
      report(b, ids.src_image, ids.dst_image, where);
    CheckImage(check, ImageIdsOf<VkImageMemoryBarrier>(), ImagePartOf(b), where);
    resource(b, where);
  }
}

[[gnu::noinline]] void CheckPipelineBarrier(const RecordedCommand& recorded, const vk::CmdPipelineBarrier& call,
                                            const Sync1Suspects& suspects) {
  using C = vk::CmdPipelineBarrier;
  const Location command = recorded.check.report.location();
  CheckSync1(recorded, call, kPipelineBarrier, suspects, command, [&](const auto& b, const Location& where) {
    if (!FamiliesOf(b).differ()) [[likely]]
      return;
    constexpr bool kIsImage = requires { b.image; };
    const vk::VuidIndex host =
        kIsImage ? vk::CommandVuid<C>("srcStageMask-09633") : vk::CommandVuid<C>("srcStageMask-09634");
    CheckHostTransfer(recorded.check, host, FamiliesOf(b), call.srcStageMask | call.dstStageMask, where);
    CheckTransfer(recorded.check, vk::CommandVuid<C>("srcQueueFamilyIndex-10388"), FamiliesOf(b), SharingModeOf(b),
                  recorded.family(), where);
  });
  if ((call.dependencyFlags & kUseAllStages) != 0 && !recorded.check.limits.maintenance8) [[unlikely]]
    ReportAllStagesFlag(recorded.check, vk::CommandVuid<C>("maintenance8-10206"), command);
  CheckViewLocal<C>(recorded, call.dependencyFlags, command);
  if (!recorded.in_render_pass()) [[likely]]
    return;
  BarrierSummary summary{.src_stages = call.srcStageMask, .dst_stages = call.dstStageMask};
  summary.AddAll(call);
  CheckInRenderPass<C>(recorded, summary, command);
  CheckSubpass<C>(recorded, call, command);
}

}  // namespace

void SyncRules::PreCallValidate(const vk::CmdPipelineBarrier& call, dispatch::Slot& slot,
                                messages::Report& report) const {
  const state::CommandBuffer* buffer = state::DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  NoteDependency(*buffer, report);
  const Sync1Suspects suspects(limits_, buffer->pool.queue_family, call.srcStageMask, call.dstStageMask);
  if (!IsInRenderPass(*buffer) && IsPlain(limits_, call, suspects)) return;
  const RecordedCommand recorded{CheckOf(limits_, report, call.commandBuffer, SyncVersion::kSync1), *buffer};
  CheckPipelineBarrier(recorded, call, suspects);
}

void SyncRules::PreCallValidate(const vk::CmdWaitEvents& call, messages::Report& report) const {
  const state::CommandBuffer* buffer = state::DeviceState::Get(call.commandBuffer);
  if (buffer == nullptr) return;
  const RecordedCommand recorded{CheckOf(limits_, report, call.commandBuffer, SyncVersion::kSync1), *buffer};
  const Location command = report.location();
  const Sync1Suspects suspects(limits_, recorded.family(), call.srcStageMask, call.dstStageMask);
  CheckSync1(recorded, call, kWaitEvents, suspects, command, [&](const auto& b, const Location& where) {
    if (!FamiliesOf(b).differ()) return;
    recorded.check.Error(vk::Vuid("VUID-vkCmdWaitEvents-srcQueueFamilyIndex-02803"), where.Dot("srcQueueFamilyIndex"),
                         absl::StrCat("(", FamilyText(b.srcQueueFamilyIndex), ") is not dstQueueFamilyIndex (",
                                      FamilyText(b.dstQueueFamilyIndex), "): events cannot transfer ownership."),
                         "Use vkCmdPipelineBarrier() for the transfer.");
  });
  if (recorded.in_render_pass()) {
    CheckNoHostStage(recorded.check, vk::Vuid("VUID-vkCmdWaitEvents-srcStageMask-07308"), call.srcStageMask,
                     command.Dot("srcStageMask"));
  }
}

}  // namespace assay::core
