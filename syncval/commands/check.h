// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_CHECK_H_
#define ASSAY_SYNCVAL_COMMANDS_CHECK_H_

#include <cstdint>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "syncval/commands/access_collector.h"
#include "syncval/recording/heuristics.h"
#include "syncval/recording/recording.h"
#include "syncval/reports/hazard_report.h"
#include "vk/commands.h"

// The check of every command that accesses memory: collect its accesses, ask the engine about each, then record them
// all. Private to the folder.
namespace assay::syncval {

// The recording of the command buffer in a slot; of a command buffer. Null if it has none.
inline SyncRecording* RecordingOf(const dispatch::Slot& slot) {
  const state::CommandBuffer* buffer = state::DeviceState::CommandBufferIn(slot);
  return buffer != nullptr ? buffer->Sub<SyncRecording>() : nullptr;
}
inline SyncRecording* RecordingOf(VkCommandBuffer handle) {
  const state::CommandBuffer* buffer = state::DeviceState::Get(handle);
  return buffer != nullptr ? buffer->Sub<SyncRecording>() : nullptr;
}

enum class CheckResult : uint8_t {
  kInOrder,
  // Reported and recorded.
  kHazard,
  // Not recorded: the call is going to be skipped.
  kSkipped,
};

// Checks and records the accesses in the log of the command that was begun last.
inline CheckResult CheckLast(SyncRecording& recording, Tag tag, messages::Report& report) {
  if (!report.skip() && recording.context.TryRecord(recording.AccessesOf(tag), tag)) [[likely]] {
    return CheckResult::kInOrder;
  }
  bool hazardous = false;
  for (const RecordedAccess& access : recording.AccessesOf(tag)) hazardous |= IsInHazard(recording, access, tag);
  if (hazardous) [[unlikely]] {
    hazardous = ReportAccessHazards(recording, tag, report);
  }
  if (report.skip()) [[unlikely]] {
    recording.RemoveLastCommand();
    return CheckResult::kSkipped;
  }
  for (const RecordedAccess& access : recording.AccessesOf(tag)) recording.context.Update(access, tag);
  return hazardous ? CheckResult::kHazard : CheckResult::kInOrder;
}

// collect(AccessCollector&) adds the accesses of a command, which is recorded into the command buffer in slot.
template <class C, class F>
void CheckCommand(const C&, const dispatch::Slot& slot, messages::Report& report, F&& collect) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr) return;
  const Tag tag = recording->Begin(C::kId);
  AccessCollector collector(*recording);
  collect(collector);
  const CheckResult result = CheckLast(*recording, tag, report);
  if (result != CheckResult::kSkipped && collector.has_unknown()) recording->NoteUnknownAccess(tag);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_CHECK_H_
