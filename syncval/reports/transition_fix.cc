// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/transition_fix.h"

#include "absl/strings/str_cat.h"
#include "syncval/reports/hazard_text.h"

namespace assay::syncval {

bool IsWait(vk::CommandId id) { return id == vk::CommandId::kCmdWaitEvents || id == vk::CommandId::kCmdWaitEvents2; }

Fix AddToTransition(BarrierSide side, const BarrierFlags& flags, const SyncRecording& recording, Tag tag,
                    const RecordedAccess* transition, const std::string& command) {
  const bool is_source = side == BarrierSide::kSource;
  if (transition != nullptr && transition->role == Role::kRenderPassAttachment) {
    return AddToDependency(VersionOf(recording), side, flags, "a",
                           absl::StrCat("with ", is_source ? ".srcSubpass" : ".dstSubpass",
                                        " = VK_SUBPASS_EXTERNAL of the render pass of ", command));
  }
  const vk::CommandId id = recording.CommandAt(tag).id;
  return AddToBarrier(side, flags, id, transition != nullptr ? ParameterText(*transition) : "",
                      is_source && IsWait(id) ? absl::StrCat(command, " and the set of its event") : command);
}

Fix SetEventLater(SyncVersion version, const std::string& wait, const BarrierFlags& flags) {
  Fix fix{
      .text = absl::StrCat("Set the event that ", wait, " waits for after the earlier access, or change the layout in ",
                           BarrierCommandText(version), " instead."),
      .fields = {{"action", "set_event_later"}}};
  if (flags.src_stages != 0) {
    const std::string stages = StagesFor(version, flags.src_stages);
    absl::StrAppend(&fix.text, " In either case, add ", stages, " to its srcStageMask.");
    fix.fields.push_back({"srcStageMask", stages});
  }
  if (flags.src_access != 0) {
    const std::string accesses = AccessesFor(version, flags.src_access);
    absl::StrAppend(&fix.text, " In either case, add ", accesses, " to its srcAccessMask.");
    fix.fields.push_back({"srcAccessMask", accesses});
  }
  fix.fields.push_back({"place", wait});
  return fix;
}

Fix AddToPriorTransition(const Suggestion& suggestion, const SyncRecording& recording, Tag tag,
                         const RecordedAccess* transition, const std::string& command) {
  Fix fix = AddToTransition(BarrierSide::kDestination, suggestion.flags, recording, tag, transition, command);
  if (suggestion.barrier == BarrierFlags()) return fix;
  const SyncVersion version = VersionOf(recording);
  const std::string barrier = MemoryBarrierText(version, suggestion.barrier);
  absl::StrAppend(&fix.text, " Before the later access, record ", BarrierCommandText(version), " with ", barrier);
  fix.fields.push_back({"then_record", barrier});
  return fix;
}

}  // namespace assay::syncval
