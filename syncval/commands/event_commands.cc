// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Events: the first scope of a set, and what the wait for it orders.
//
// vkCmdSetEvent names stages, and a later vkCmdWaitEvents names them again, with the accesses. vkCmdSetEvent2 and
// vkCmdWaitEvents2 both name the whole dependency. A wait for an event whose set is unknown orders nothing here: the
// set is in an earlier command buffer, and the replay finds it. The specification does not permit a set on another
// queue than the wait. The replay does not find such a set, so the wait orders nothing.
//
// The host may have waited for anything before it sets an event. So a wait that includes the host's stage orders
// everything.

#include <deque>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "syncval/commands/barrier_collector.h"
#include "syncval/commands/check.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

using state::Items;

uint64_t ToInteger(VkEvent event) { return reinterpret_cast<uint64_t>(event); }

EventCommand CommandOf(const BarrierCollector& collector, bool matches_by_access) {
  return {collector.barriers().globals, collector.barriers().ranges, matches_by_access};
}

// The kinds of writes that vkCmdSetEvent distinguishes for the wait. Each takes one of the context's event stages;
// further kinds count as one.
constexpr int kMaxWriteKinds = 3;

void Set(SyncRecording& recording, vk::CommandId id, VkEvent event, const EventCommand& command) {
  const Tag tag = recording.Begin(id);
  recording.SetEvent(ToInteger(event), command, tag);
  recording.NoteEvent({EventOperation::Kind::kSet, tag, ToInteger(event)});
}

template <class C>
void Reset(const C& call, const dispatch::Slot& slot, const messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || report.skip()) return;
  recording->ResetEvent(ToInteger(call.event));
  recording->NoteEvent({EventOperation::Kind::kReset, recording->Begin(call.kId), ToInteger(call.event)});
}

// A part of a wait: some events, and their barriers.
struct Part {
  explicit Part(SyncRecording& recording) : barriers(recording) {}

  absl::InlinedVector<uint64_t, 4> events;
  BarrierCollector barriers;
};

void Wait(SyncRecording& recording, vk::CommandId id, std::deque<Part>& parts, bool matches_by_access,
          messages::Report& report) {
  const Tag tag = recording.Begin(id);
  for (const Part& part : parts) {
    for (const uint64_t event : part.events) recording.NoteEvent({EventOperation::Kind::kWait, tag, event});
    if (part.barriers.waits_for_host() && !report.skip()) recording.OrderEverythingByHost();
  }
  for (Part& part : parts) {
    if (!part.barriers.changes_layouts()) continue;
    const EventCommand command = CommandOf(part.barriers, matches_by_access);
    part.barriers.CheckTransitions(recording.context.WaitBarriers(part.events, command).ranges, report,
                                   [&](const RangeBarrier& transition, Hazard& hazard) {
                                     recording.context.DetectTransitionOf(transition, hazard);
                                   },
                                   {part.events, matches_by_access});
  }
  if (report.skip()) return recording.RemoveLastCommand();
  recording.NoteBarrier();
  for (const Part& part : parts) {
    recording.WaitEvents(part.events, CommandOf(part.barriers, matches_by_access), tag);
  }
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdSetEvent& call, dispatch::Slot& slot, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || report.skip()) return;
  const auto get = [&](VkAccessFlags2 src_access) -> const Barrier& {
    return recording->barriers.Get({call.stageMask, src_access, 0, 0}, recording->queue_flags());
  };
  VkAccessFlags2 writes = 0;
  get(VK_ACCESS_2_MEMORY_WRITE_BIT).src.accesses.outside.ForEach([&](vk::SyncAccessIndex index) {
    writes |= vk::SyncStageAccesses()[index].access;
  });
  absl::InlinedVector<const Barrier*, 1 + kMaxWriteKinds> barriers = {&get(0)};
  while (writes != 0) {
    const bool is_last = barriers.size() == kMaxWriteKinds;
    const VkAccessFlags2 kind = is_last ? writes : writes & (~writes + 1);
    barriers.push_back(&get(kind));
    writes &= ~kind;
  }
  Set(*recording, call.kId, call.event, {barriers, {}});
}

void SyncValidator::PreCallValidate(const vk::CmdSetEvent2& call, dispatch::Slot& slot, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || call.pDependencyInfo == nullptr || report.skip()) return;
  BarrierCollector collector(*recording);
  CollectSync2(*call.pDependencyInfo, collector,
               [](uint32_t i) { return std::pair<const char*, uint32_t>("pDependencyInfo.pImageMemoryBarriers", i); });
  Set(*recording, call.kId, call.event, CommandOf(collector, false));
}

void SyncValidator::PreCallValidate(const vk::CmdResetEvent& call, dispatch::Slot& slot, messages::Report& report) {
  Reset(call, slot, report);
}
void SyncValidator::PreCallValidate(const vk::CmdResetEvent2& call, dispatch::Slot& slot, messages::Report& report) {
  Reset(call, slot, report);
}

void SyncValidator::PreCallValidate(const vk::CmdWaitEvents& call, dispatch::Slot& slot, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr) return;
  std::deque<Part> parts;
  Part& part = parts.emplace_back(*recording);
  for (const VkEvent event : Items(call.pEvents, call.eventCount)) part.events.push_back(ToInteger(event));
  CollectSync1(call, part.barriers);
  Wait(*recording, call.kId, parts, true, report);
}

void SyncValidator::PreCallValidate(const vk::CmdWaitEvents2& call, dispatch::Slot& slot, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || call.pDependencyInfos == nullptr) return;
  const auto events = Items(call.pEvents, call.eventCount);
  std::deque<Part> parts;
  for (uint32_t i = 0; i < events.size(); ++i) {
    Part& part = parts.emplace_back(*recording);
    part.events.push_back(ToInteger(events[i]));
    CollectSync2(call.pDependencyInfos[i], part.barriers,
                 [i](uint32_t) { return std::pair<const char*, uint32_t>("pDependencyInfos", i); });
  }
  Wait(*recording, call.kId, parts, false, report);
}

}  // namespace assay::syncval
