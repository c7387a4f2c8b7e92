// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipeline barriers: what they order, and their layout transitions.

#include <utility>

#include "syncval/commands/barrier_collector.h"
#include "syncval/commands/check.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

void ApplyGlobal(SyncRecording& recording, const BarrierFlags& flags, const messages::Report& report) {
  if (report.skip()) return;
  recording.NoteBarrier();
  recording.ApplyGlobal(recording.barriers.Get(flags, recording.queue_flags()));
}

// Checks the transitions and records everything.
void Finish(SyncRecording& recording, BarrierCollector& collector, vk::CommandId id, messages::Report& report) {
  const Barriers& barriers = collector.barriers();
  if (!collector.changes_layouts()) {
    // It accesses nothing, so it needs no entry in the log.
    if (report.skip()) return;
    recording.NoteBarrier();
    recording.ApplyBarriers(barriers.globals, barriers.ranges, Tag());
    return;
  }
  const Tag tag = recording.Begin(id);
  collector.CheckTransitions(barriers.ranges, report, [&](const RangeBarrier& part, Hazard& hazard) {
    recording.context.DetectLayoutTransition(part.range, *part.barrier, hazard, part.region);
  });
  if (report.skip()) return recording.RemoveLastCommand();
  recording.NoteBarrier();
  recording.ApplyBarriers(barriers.globals, barriers.ranges, tag);
}

// Barriers of any kind. Apart from the common case, which is small: one global barrier.
[[gnu::noinline]] void ApplySync1(SyncRecording& recording, const vk::CmdPipelineBarrier& call,
                                  messages::Report& report) {
  BarrierCollector collector(recording);
  CollectSync1(call, collector);
  Finish(recording, collector, call.kId, report);
}
[[gnu::noinline]] void ApplySync2(SyncRecording& recording, const VkDependencyInfo& info, messages::Report& report) {
  BarrierCollector collector(recording);
  CollectSync2(info, collector,
               [](uint32_t i) { return std::pair<const char*, uint32_t>("pDependencyInfo.pImageMemoryBarriers", i); });
  Finish(recording, collector, vk::CommandId::kCmdPipelineBarrier2, report);
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdPipelineBarrier& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr) return;
  if (call.memoryBarrierCount == 1 && call.bufferMemoryBarrierCount + call.imageMemoryBarrierCount == 0 &&
      call.pMemoryBarriers != nullptr) {
    const VkMemoryBarrier& barrier = call.pMemoryBarriers[0];
    return ApplyGlobal(*recording, {call.srcStageMask, barrier.srcAccessMask, call.dstStageMask, barrier.dstAccessMask},
                       report);
  }
  ApplySync1(*recording, call, report);
}

void SyncValidator::PreCallValidate(const vk::CmdPipelineBarrier2& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || call.pDependencyInfo == nullptr) return;
  const VkDependencyInfo& info = *call.pDependencyInfo;
  if (info.memoryBarrierCount == 1 && info.bufferMemoryBarrierCount + info.imageMemoryBarrierCount == 0 &&
      info.pMemoryBarriers != nullptr) {
    return ApplyGlobal(*recording, FlagsOf(info.pMemoryBarriers[0]), report);
  }
  ApplySync2(*recording, info, report);
}

}  // namespace assay::syncval
