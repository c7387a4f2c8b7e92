// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/hazard_text.h"

#include <bit>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "vk/command_info.h"
#include "vk/enum_info.h"

namespace assay::syncval {
namespace {

// Whether they are few enough for a sentence.
bool IsShort(VkPipelineStageFlags2 stages) { return std::popcount(stages) <= 4; }

}  // namespace

const char* IdOf(HazardKind kind) {
  switch (kind) {
    case HazardKind::kReadAfterWrite:
      return "SYNC-HAZARD-READ-AFTER-WRITE";
    case HazardKind::kWriteAfterRead:
      return "SYNC-HAZARD-WRITE-AFTER-READ";
    case HazardKind::kWriteAfterWrite:
      return "SYNC-HAZARD-WRITE-AFTER-WRITE";
    case HazardKind::kReadRacingWrite:
      return "SYNC-HAZARD-READ-RACING-WRITE";
    case HazardKind::kWriteRacingRead:
      return "SYNC-HAZARD-WRITE-RACING-READ";
    case HazardKind::kWriteRacingWrite:
      return "SYNC-HAZARD-WRITE-RACING-WRITE";
    case HazardKind::kNone:
      break;
  }
  return "";
}

std::string Stages(VkPipelineStageFlags2 stages) {
  return vk::FlagsToString(vk::EnumId::kPipelineStageFlagBits2, stages);
}
std::string Accesses(VkAccessFlags2 accesses) { return vk::FlagsToString(vk::EnumId::kAccessFlagBits2, accesses); }

const char* VerbOf(vk::SyncAccessIndex access) {
  if (IsTransition(access)) return "changes the layout of";
  return InfoOf(access).is_write ? "writes" : "reads";
}

std::string StageAndAccessText(vk::SyncAccessIndex access) {
  if (IsTransition(access)) return "";
  return absl::StrCat(" (", Stages(InfoOf(access).stage), ", ", Accesses(InfoOf(access).access), ")");
}

std::string LabelsText(const state::CommandBuffer& buffer, uint32_t label_path) {
  const std::vector<std::string> labels = buffer.LabelsOf(label_path);
  if (labels.empty()) return "";
  return absl::StrCat(
      " in \"",
      absl::StrJoin(
          labels,
          "::", [](std::string* out, const std::string& label) { absl::StrAppend(out, messages::EscapeName(label)); }),
      "\"");
}

std::string DescribeInCommandBuffer(const SyncRecording& recording, Tag tag) {
  const RecordedCommand& command = recording.CommandAt(tag);
  const ExecutedCommands* const executed = recording.FindExecuted(tag);
  const state::CommandBuffer& buffer = executed != nullptr ? *executed->secondary : recording.buffer();
  return absl::StrCat("command ", command.position + 1, ", ", vk::GetCommandInfo(command.id).name, "()",
                      LabelsText(buffer, command.label_path));
}

std::string Describe(const SyncRecording& recording, Tag tag, const messages::Reporter& reporter) {
  std::string text = DescribeInCommandBuffer(recording, tag);
  const ExecutedCommands* const executed = recording.FindExecuted(tag);
  if (executed == nullptr) return text;
  return absl::StrCat(text, ", of secondary ",
                      reporter.Describe({state::CommandBuffer::kType, executed->secondary->handle()}), " (executed by ",
                      Describe(recording, executed->execute, reporter), ")");
}

std::string NameOf(const RecordedAccess& access) {
  switch (access.role) {
    case Role::kVertexBuffer:
      return absl::StrCat("vertex buffer ", access.index);
    case Role::kIndexBuffer:
      return "index buffer";
    case Role::kTransformFeedbackBuffer:
      return absl::StrCat("transform feedback buffer ", access.index);
    case Role::kColorAttachment:
      return absl::StrCat("color attachment ", access.index);
    case Role::kDepthAttachment:
      return "depth attachment";
    case Role::kStencilAttachment:
      return "stencil attachment";
    case Role::kShadingRateAttachment:
      return "fragment shading rate attachment";
    case Role::kDensityMapAttachment:
      return "fragment density map";
    case Role::kRenderPassAttachment:
      return absl::StrCat("attachment ", access.index & 0xffff, " in subpass ", access.index >> 16);
    default:
      return "";
  }
}

std::string ParameterText(const RecordedAccess& access) {
  if (access.role != Role::kParameter || access.member == nullptr) return "";
  return access.index != kNoIndex ? absl::StrCat(access.member, "[", access.index, "]") : access.member;
}

// Whether the access reads the descriptor itself, not the resource that it refers to.
bool IsOfDescriptor(const RecordedAccess& access) {
  return InfoOf(access.access).access == VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT;
}

std::string RoleText(const RecordedAccess& access) {
  switch (access.role) {
    case Role::kParameter:
      return access.index != kNoIndex ? absl::StrCat(" by ", ParameterText(access)) : "";
    case Role::kDescriptor:
      return absl::StrCat(IsOfDescriptor(access) ? " for the descriptor at set " : " through the descriptor at set ",
                          access.index >> 24, ", binding ", access.index & 0xffffff);
    default:
      return access.member != nullptr ? absl::StrCat(" by the ", access.member, " of ", NameOf(access))
                                      : absl::StrCat(" as ", NameOf(access));
  }
}

std::string PlaceOfBarrier(const SyncRecording& recording, const Hazard& hazard, std::string_view command) {
  if (!recording.buffer().rendering.is_active()) return absl::StrCat("Before this ", command, "(), record");
  if (recording.IsInCurrentInstance(hazard.prior_tag))
    return "Between the two, end the render pass instance, begin another, and between these record";
  return absl::StrCat("Before the render pass instance of this ", command, "(), record");
}

std::string MissingSynchronizationText(const Hazard& hazard, vk::SyncAccessIndex access, bool is_automatic) {
  const bool after_read = hazard.kind == HazardKind::kWriteAfterRead;
  const char* prior = after_read ? "read" : IsTransition(hazard.prior_access) ? "layout transition" : "write";
  if (hazard.ordered_stages == 0 && IsTransition(access) && is_automatic) {
    return absl::StrCat("Neither a subpass dependency that it follows upon nor a barrier before waits for the ", prior,
                        after_read ? "." : " and makes it available.");
  }
  if (hazard.ordered_stages == 0 && IsTransition(access)) {
    return absl::StrCat("Neither this barrier nor one before it waits for the ", prior,
                        after_read ? "." : " and makes it available.");
  }
  if (hazard.ordered_stages == 0 && IsTransition(hazard.prior_access)) {
    return "Neither that barrier nor one since makes the layout transition visible.";
  }
  if (hazard.ordered_stages == 0) {
    return after_read ? "No barrier between the two makes the write wait for the read."
                      : "No barrier between the two makes the write available and visible.";
  }
  const std::string those = IsShort(hazard.ordered_stages) ? Stages(hazard.ordered_stages) : "other stages";
  if (IsTransition(access)) {
    return absl::StrCat("Barriers between the two make ", those, " wait for the ", prior,
                        is_automatic
                            ? ", but no srcStageMask of the subpass dependencies that it follows upon includes those."
                            : ", but this barrier's srcStageMask includes none of those.");
  }
  const vk::SyncStageAccessInfo& info = InfoOf(access);
  if (after_read || (hazard.ordered_stages & info.stage) == 0) {
    return absl::StrCat("Barriers between the two make ", those, " wait for the ", prior, ", but not ",
                        Stages(info.stage), ".");
  }
  VkAccessFlags2 visible_to = 0;
  hazard.visible_to.ForEach([&](vk::SyncAccessIndex index) {
    if (InfoOf(index).stage == info.stage) visible_to |= InfoOf(index).access;
  });
  return absl::StrCat("Barriers between the two make ", Stages(info.stage), " wait for the ", prior,
                      ", but do not make it visible to ", Accesses(info.access),
                      visible_to != 0 ? absl::StrCat(", only to ", Accesses(visible_to)) : "", ".");
}

}  // namespace assay::syncval
