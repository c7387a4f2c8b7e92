// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/hazard_report.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "syncval/resource_words.h"
#include "syncval/trace/command_trace.h"
#include "vk/command_info.h"
#include "vk/names.h"
#include "vk/sync_info.h"

namespace assay::syncval {
namespace {

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

const vk::SyncStageAccessInfo& InfoOf(vk::SyncAccessIndex access) { return vk::SyncStageAccesses()[access]; }

std::string Stages(VkPipelineStageFlags2 stages) {
  return vk::FlagsToString(vk::EnumId::kPipelineStageFlagBits2, stages);
}
std::string Accesses(VkAccessFlags2 accesses) { return vk::FlagsToString(vk::EnumId::kAccessFlagBits2, accesses); }

bool IsTransition(vk::SyncAccessIndex access) { return access == vk::kSyncImageLayoutTransition; }

const char* VerbOf(vk::SyncAccessIndex access) {
  if (IsTransition(access)) return "changes the layout of";
  return InfoOf(access).is_write ? "writes" : "reads";
}

// " (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT)".
std::string HowOf(vk::SyncAccessIndex access) {
  if (IsTransition(access)) return "";
  return absl::StrCat(" (", Stages(InfoOf(access).stage), ", ", Accesses(InfoOf(access).access), ")");
}

Range Intersection(const Range& a, const Range& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

// Whether two accesses of one command come from the same parameter, region or descriptor and differ only in their
// ranges.
bool IsSameUse(const RecordedAccess& a, const RecordedAccess& b) {
  return a.resource == b.resource && a.role == b.role && a.member == b.member && a.index == b.index &&
         a.access == b.access;
}

// The logged access that a hazard's prior access was.
const RecordedAccess* PriorAccess(const SyncRecording& recording, const Hazard& hazard) {
  for (const RecordedAccess& access : recording.AccessesOf(hazard.prior_tag)) {
    if (access.access == hazard.prior_access && access.range.Intersects(hazard.range)) return &access;
  }
  return nullptr;
}

// A read that is not modelled, of what an earlier write wrote, may stand between that write and this one.
bool MayBeCarried(const SyncRecording& recording, const Hazard& hazard, vk::SyncAccessIndex access) {
  return hazard.kind == HazardKind::kWriteAfterWrite && !IsTransition(access) &&
         (hazard.ordered_stages & InfoOf(access).stage) != 0 && recording.HasUnknownAccessSince(hazard.prior_tag);
}

bool IsStorageAccess(vk::SyncAccessIndex access) {
  return (InfoOf(access).access & (VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT)) != 0;
}
bool IsImageAccessOfShader(vk::SyncAccessIndex access) {
  constexpr VkAccessFlags2 kRead = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
  return IsStorageAccess(access) || (InfoOf(access).access & kRead) != 0;
}
bool IsAttachmentAccess(vk::SyncAccessIndex access) {
  constexpr VkAccessFlags2 kAttachment =
      VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
      VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  return (InfoOf(access).access & kAttachment) != 0;
}

// Whether two accesses of one render pass instance may be of different bytes, or in order, though they name the same
// ones. Draws of an instance share what each uses a part of, or uses by atomics: storage that each fragment writes at
// its own place, an attachment of which a draw samples what others do not draw to (a feedback loop).
bool MayBeApart(const SyncRecording& recording, const Hazard& hazard, vk::SyncAccessIndex access) {
  const vk::SyncAccessIndex prior = hazard.prior_access;
  if (!recording.IsInCurrentInstance(hazard.prior_tag)) return false;
  // Primitives are captured in the order of the draws, each behind those before.
  if (prior == vk::kSyncTransformFeedbackTransformFeedbackWrite && access == prior) return true;
  return (IsStorageAccess(prior) && IsStorageAccess(access)) ||
         (IsAttachmentAccess(prior) && IsImageAccessOfShader(access)) ||
         (IsImageAccessOfShader(prior) && IsAttachmentAccess(access));
}

// " in "frame" > "simulate""; empty outside of labels.
std::string LabelsText(const SyncRecording& recording, uint32_t label_path) {
  const std::vector<std::string> labels = recording.buffer().LabelsOf(label_path);
  if (labels.empty()) return "";
  return absl::StrCat(" in ", absl::StrJoin(labels, " > ", [](std::string* out, const std::string& label) {
                        absl::StrAppend(out, "\"", messages::EscapeName(label), "\"");
                      }));
}

// "command 3, vkCmdDispatch() in "frame" > "simulate"".
std::string Describe(const SyncRecording& recording, Tag tag) {
  const RecordedCommand& command = recording.CommandAt(tag);
  return absl::StrCat("command ", command.position + 1, ", ", vk::GetCommandInfo(command.id).name, "()",
                      LabelsText(recording, command.label_path));
}

// "the storeOp of color attachment 1", "vertex buffer 0"; what is no parameter and no descriptor.
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
    default:
      return "";
  }
}

// " through the descriptor at set 0, binding 1", " by pRegions[2]", " as vertex buffer 0"; empty where the command says
// it all.
std::string ByWhat(const RecordedAccess& access) {
  switch (access.role) {
    case Role::kParameter:
      return access.index != kNoIndex ? absl::StrCat(" by ", access.member, "[", access.index, "]") : "";
    case Role::kDescriptor:
      return absl::StrCat(" through the descriptor at set ", access.index >> 24, ", binding ", access.index & 0xffffff);
    default:
      return access.member != nullptr ? absl::StrCat(" by the ", access.member, " of ", NameOf(access))
                                      : absl::StrCat(" as ", NameOf(access));
  }
}

// How the earlier access came to the memory, when it named another resource that aliases this one.
std::string AsWhat(const RecordedAccess& prior, uint64_t resource, const Range& range, messages::Reporter& reporter) {
  if (prior.resource == resource) return "";
  return absl::StrCat(" as ", PartOf(prior.resource_type, prior.resource, {Intersection(prior.range, range)}),
                      reporter.Describe({prior.resource_type, prior.resource}), " in the same memory");
}

// Few enough to be read.
bool IsShort(VkPipelineStageFlags2 stages) { return std::popcount(stages) <= 4; }

// What barriers between the two accesses do, and what they lack.
std::string WhatIsMissing(const Hazard& hazard, vk::SyncAccessIndex access) {
  const bool after_read = hazard.kind == HazardKind::kWriteAfterRead;
  const char* prior = after_read ? "read" : IsTransition(hazard.prior_access) ? "layout transition" : "write";
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
                        ", but this barrier's srcStageMask includes none of those.");
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

// "srcStageMask |= VK_PIPELINE_STAGE_2_COPY_BIT and srcAccessMask |= VK_ACCESS_2_TRANSFER_WRITE_BIT", or the half of it
// that adds anything.
std::string Additions(const char* side, VkPipelineStageFlags2 stages, VkAccessFlags2 accesses) {
  std::vector<std::string> additions;
  if (stages != 0) additions.push_back(absl::StrCat(side, "StageMask |= ", Stages(stages)));
  if (accesses != 0) additions.push_back(absl::StrCat(side, "AccessMask |= ", Accesses(accesses)));
  return absl::StrJoin(additions, " and ");
}

// Where the barrier goes that a command needs before it: vkCmdPipelineBarrier2 has no place in dynamic rendering.
std::string PlaceOfBarrier(const SyncRecording& recording, const Hazard& hazard, std::string_view command) {
  if (!recording.buffer().rendering.is_active()) return absl::StrCat("Before this ", command, "(), record");
  if (recording.IsInCurrentInstance(hazard.prior_tag))
    return "Between the two, end the render pass instance, begin another, and between these record";
  return absl::StrCat("Before the render pass instance of this ", command, "(), record");
}

std::string FixText(const SyncRecording& recording, const Suggestion& suggestion, const Hazard& hazard,
                    vk::CommandId id) {
  const BarrierFlags& flags = suggestion.flags;
  switch (suggestion.where) {
    case Suggestion::Where::kBefore:
      return absl::StrCat(PlaceOfBarrier(recording, hazard, vk::GetCommandInfo(id).name),
                          " vkCmdPipelineBarrier2() with ", MemoryBarrierText(flags), ".");
    case Suggestion::Where::kAddToTransition:
      return absl::StrCat("In this barrier, set ", Additions("src", flags.src_stages, flags.src_access), ".");
    case Suggestion::Where::kAddToPriorTransition:
      return absl::StrCat("In the barrier of ", Describe(recording, hazard.prior_tag), ", set ",
                          Additions("dst", flags.dst_stages, flags.dst_access), ".");
    case Suggestion::Where::kAddToSemaphores:
      return absl::StrCat("In the semaphore waits before it, set stageMask |= ", Stages(flags.dst_stages),
                          ", and in their signals, set stageMask |= ", Stages(flags.src_stages), ".");
  }
  return "";
}

std::string LocationText(const messages::Location& command, const RecordedAccess& access) {
  if (access.role != Role::kParameter) return command.Text();
  return access.index != kNoIndex ? command.Dot(access.member, access.index).Text() : command.Dot(access.member).Text();
}

// "command 4 in "frame"", in parentheses after a parameter.
std::string CurrentCommand(const SyncRecording& recording, bool is_subject) {
  const state::CommandBuffer& buffer = recording.buffer();
  return absl::StrCat(is_subject ? "" : "(", "command ", buffer.command_count + 1,
                      LabelsText(recording, buffer.label_path()), is_subject ? "" : ")");
}

// What both kinds of report say, but for the fix. ranges are where the access conflicts.
messages::Message Compose(const SyncRecording& recording, const Hazard& hazard, const RecordedAccess& access,
                          absl::Span<const Range> ranges, messages::Report& report) {
  messages::Reporter& reporter = report.reporter();
  const state::CommandBuffer& buffer = recording.buffer();
  messages::Message message;
  message.id = IdOf(hazard.kind);
  message.location = LocationText(report.location(), access);
  message.text = absl::StrCat(
      CurrentCommand(recording, access.role != Role::kParameter), " ", VerbOf(access.access), " ",
      PartOf(access.resource_type, access.resource, ranges), reporter.Describe({access.resource_type, access.resource}),
      access.role != Role::kParameter ? ByWhat(access) : "", HowOf(access.access), ", ",
      IsTransition(hazard.prior_access) ? "the layout of which " : "which ", Describe(recording, hazard.prior_tag),
      ", ", IsTransition(hazard.prior_access) ? "changes" : VerbOf(hazard.prior_access));
  message.objects = {{access.resource_type, access.resource}, {state::CommandBuffer::kType, buffer.handle()}};
  if (const RecordedAccess* prior = PriorAccess(recording, hazard)) {
    absl::StrAppend(&message.text, AsWhat(*prior, access.resource, ranges.front(), reporter), ByWhat(*prior));
    if (prior->resource != access.resource) message.objects.push_back({prior->resource_type, prior->resource});
  }
  absl::StrAppend(&message.text, HowOf(hazard.prior_access), ". ", WhatIsMissing(hazard, access.access));
  for (const std::string& label : buffer.LabelsOf(buffer.label_path()))
    message.command_buffer_labels.push_back({label});
  return message;
}

void Trace(const SyncRecording& recording, const Hazard& hazard, const messages::Message& message) {
  if (trace::CommandTrace* trace = recording.trace()) trace->AddHazard(message, hazard.prior_tag);
}

// Reports the hazards of one command.
class AccessReport {
 public:
  AccessReport(SyncRecording& recording, Tag tag, messages::Report& report)
      : recording_(recording), tag_(tag), report_(report), accesses_(Copy(recording.AccessesOf(tag))) {}

  bool ReportAll() {
    for (const RecordedAccess& access : accesses_) {
      Hazard hazard;
      if (!Detect(access, hazard)) continue;
      const Reported key{access.resource, hazard.prior_tag};
      if (std::find(reported_.begin(), reported_.end(), key) != reported_.end()) continue;
      reported_.push_back(key);
      messages::Message message = Compose(recording_, hazard, access, ConflictsLike(access, hazard), report_);
      message.fix = FixText(recording_, Suggest(access.resource), hazard, report_.command());
      Trace(recording_, hazard, message);
      report_.Deliver(std::move(message));
    }
    return !reported_.empty();
  }

 private:
  struct Reported {
    uint64_t resource;
    Tag prior;
    bool operator==(const Reported&) const = default;
  };

  // The log may not move while it is reported from, but callbacks may do anything.
  static std::vector<RecordedAccess> Copy(absl::Span<const RecordedAccess> logged) {
    return {logged.begin(), logged.end()};
  }

  static Access WithoutRegion(const RecordedAccess& access) { return {access.range, access.access, access.ordering}; }

  bool Detect(const RecordedAccess& access, Hazard& hazard) {
    return recording_.context.DetectHazard(WithoutRegion(access), tag_, hazard) &&
           !MayBeCarried(recording_, hazard, access.access) && !MayBeApart(recording_, hazard, access.access);
  }

  // Where ranges of the same use conflict with the same earlier access.
  std::vector<Range> ConflictsLike(const RecordedAccess& access, const Hazard& hazard) {
    std::vector<Range> ranges;
    for (const RecordedAccess& other : accesses_) {
      Hazard same;
      if (!IsSameUse(access, other) || !Detect(other, same)) continue;
      if (same.prior_tag != hazard.prior_tag || same.prior_access != hazard.prior_access) continue;
      ranges.push_back(Intersection(other.range, same.range));
    }
    return ranges;
  }

  // One barrier for everything that the command does to the resource.
  Suggestion Suggest(uint64_t resource) {
    std::vector<Access> same_resource;
    for (const RecordedAccess& other : accesses_) {
      if (other.resource == resource) same_resource.push_back(WithoutRegion(other));
    }
    return recording_.context.SuggestBarrier(same_resource, tag_);
  }

  SyncRecording& recording_;
  const Tag tag_;
  messages::Report& report_;
  const std::vector<RecordedAccess> accesses_;
  absl::InlinedVector<Reported, 4> reported_;
};

}  // namespace

std::string MemoryBarrierText(const BarrierFlags& flags) {
  return absl::StrCat(
      "VkMemoryBarrier2{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = ", Stages(flags.src_stages),
      ", .srcAccessMask = ", Accesses(flags.src_access), ", .dstStageMask = ", Stages(flags.dst_stages),
      ", .dstAccessMask = ", Accesses(flags.dst_access), "}");
}

bool ReportAccessHazards(SyncRecording& recording, Tag tag, messages::Report& report) {
  return AccessReport(recording, tag, report).ReportAll();
}

void ReportTransitionHazard(SyncRecording& recording, const Hazard& hazard, VkImage image, const char* member,
                            uint32_t index, absl::Span<const Range> ranges, const BarrierFlags& flags,
                            messages::Report& report) {
  const RecordedAccess access{.range = hazard.range,
                              .resource = reinterpret_cast<uint64_t>(image),
                              .resource_type = state::Image::kType,
                              .index = index,
                              .member = member,
                              .access = vk::kSyncImageLayoutTransition};
  messages::Message message = Compose(recording, hazard, access, {hazard.range}, report);
  const Suggestion suggestion = recording.context.SuggestForLayoutTransition(ranges, flags, recording.queue_flags());
  message.fix = FixText(recording, suggestion, hazard, report.command());
  Trace(recording, hazard, message);
  report.Deliver(std::move(message));
}

}  // namespace assay::syncval
