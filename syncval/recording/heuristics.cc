// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording/heuristics.h"

#include <algorithm>

#include "vk/sync/sync_info.h"

namespace assay::syncval {
namespace {

VkAccessFlags2 AccessOf(vk::SyncAccessIndex access) { return vk::SyncStageAccesses()[access].access; }

bool IsStorageAccess(vk::SyncAccessIndex access) {
  return (AccessOf(access) & (VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT)) != 0;
}
bool IsImageAccessOfShader(vk::SyncAccessIndex access) {
  constexpr VkAccessFlags2 kRead = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
  return IsStorageAccess(access) || (AccessOf(access) & kRead) != 0;
}
bool IsAttachmentAccess(vk::SyncAccessIndex access) {
  constexpr VkAccessFlags2 kAttachment =
      VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
      VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  return (AccessOf(access) & kAttachment) != 0;
}

bool IsInputRead(vk::SyncAccessIndex access) { return AccessOf(access) == VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT; }

// Whether the command reads an input attachment. If it also writes the attachment, its fragments and those of a later
// draw of that sort may be at different places (a sprite that blends by itself).
bool ReadsInput(const SyncRecording& recording, Tag tag) {
  return std::ranges::any_of(recording.AccessesOf(tag),
                             [](const RecordedAccess& access) { return IsInputRead(access.access); });
}

// Whether a shader's access to an attachment that was written in the same instance is a hazard after all: the read of
// an input attachment, which is at the place of its fragment, and a feedback loop that nothing allows. The shader of
// such a loop must not access the attachment at all, wherever it was written (VUID-vkCmdDraw-None-09000 to 09002).
bool IsCertainInInstance(const SyncRecording& recording, const Hazard& hazard, vk::SyncAccessIndex access) {
  if (recording.attachments.has_other_draws()) return false;
  if (!IsAttachmentAccess(hazard.prior_access) || !vk::SyncStageAccesses()[hazard.prior_access].is_write) return false;
  if (IsInputRead(access)) return !ReadsInput(recording, hazard.prior_tag);
  return IsImageAccessOfShader(access) && !recording.attachments.allows_feedback_loops();
}

}  // namespace

bool MayBeInOrder(const SyncRecording& recording, const Hazard& hazard, const RecordedAccess& access) {
  if (hazard.is_prior_possible && !CoversPossibleRead(recording, hazard.prior_tag, hazard, access)) return true;
  if (UnknownReadMayOrder(hazard, access.access) && recording.HasUnknownAccessSince(hazard.prior_tag)) return true;
  return recording.IsInCurrentInstance(hazard.prior_tag) && MayShareInstance(hazard.prior_access, access.access) &&
         !IsCertainInInstance(recording, hazard, access.access);
}

bool ConflictsEverywhere(AccessContext& context, const RecordedAccess& possible_read, Tag tag) {
  Access rest = possible_read;
  while (rest.range.begin < rest.range.end) {
    Hazard hazard;
    if (!context.DetectHazard(rest, tag, hazard) || hazard.is_prior_possible) return false;
    if (hazard.range.begin > rest.range.begin) return false;
    rest.range.begin = hazard.range.end;
  }
  return true;
}

bool CoversPossibleRead(const SyncRecording& recording, Tag prior, const Hazard& hazard, const RecordedAccess& access) {
  const RecordedAccess* const read = recording.FindPossibleRead(prior, hazard.prior_access, hazard.range);
  return read != nullptr && access.range.begin <= read->range.begin && read->range.end <= access.range.end;
}

bool IsInHazard(SyncRecording& recording, const RecordedAccess& access, Tag tag) {
  Hazard hazard;
  if (!recording.context.DetectHazard(access, tag, hazard)) [[likely]]
    return false;
  if (access.is_possible_read()) return ConflictsEverywhere(recording.context, access, tag);
  return !hazard.is_prior_possible || CoversPossibleRead(recording, hazard.prior_tag, hazard, access);
}

bool UnknownReadMayOrder(const Hazard& hazard, vk::SyncAccessIndex access) {
  return hazard.kind == HazardKind::kWriteAfterWrite && access != vk::kSyncImageLayoutTransition &&
         (hazard.ordered_stages & vk::SyncStageAccesses()[access].stage) != 0;
}

bool MayShareInstance(vk::SyncAccessIndex prior, vk::SyncAccessIndex access) {
  // Transform feedback appends primitives in the order of the draws.
  if (prior == vk::kSyncTransformFeedbackTransformFeedbackWrite && access == prior) return true;
  // The end of transform feedback writes the counters that its beginning has read. No barrier can stand between them.
  if (prior == vk::kSyncTransformFeedbackTransformFeedbackCounterRead &&
      access == vk::kSyncTransformFeedbackTransformFeedbackCounterWrite) {
    return true;
  }
  return (IsStorageAccess(prior) && IsStorageAccess(access)) ||
         (IsAttachmentAccess(prior) && IsImageAccessOfShader(access)) ||
         (IsImageAccessOfShader(prior) && IsAttachmentAccess(access));
}

}  // namespace assay::syncval
