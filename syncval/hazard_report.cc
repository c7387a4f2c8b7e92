// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/hazard_report.h"

#include <algorithm>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "syncval/doubts.h"
#include "syncval/hazard_words.h"
#include "syncval/resource_words.h"
#include "vk/command_info.h"
#include "vk/names.h"
#include "vk/sync_info.h"

namespace assay::syncval {
namespace {

Range Intersection(const Range& a, const Range& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

// Whether two accesses of one command come from the same parameter, region or descriptor and differ only in their
// ranges.
bool IsSameUse(const RecordedAccess& a, const RecordedAccess& b) {
  return a.resource == b.resource && a.role == b.role && a.member == b.member && a.index == b.index &&
         a.access == b.access;
}

// How the earlier access came to the memory, when it named another resource that aliases this one.
std::string AsWhat(const RecordedAccess& prior, uint64_t resource, const Range& range, messages::Reporter& reporter) {
  if (prior.resource == resource) return "";
  return absl::StrCat(" as ", PartOf(prior.resource_type, prior.resource, {Intersection(prior.range, range)}),
                      reporter.Describe({prior.resource_type, prior.resource}), " in the same memory");
}

std::string FixText(const SyncRecording& recording, const Suggestion& suggestion, const Hazard& hazard,
                    vk::CommandId id, const messages::Reporter& reporter) {
  const BarrierFlags& flags = suggestion.flags;
  switch (suggestion.where) {
    case Suggestion::Where::kBefore:
      return absl::StrCat(PlaceOfBarrier(recording, hazard, vk::GetCommandInfo(id).name),
                          " vkCmdPipelineBarrier2() with ", MemoryBarrierText(flags), ".");
    case Suggestion::Where::kAddToTransition:
      return absl::StrCat("In this barrier, set ", Additions("src", flags.src_stages, flags.src_access), ".");
    case Suggestion::Where::kAddToPriorTransition:
      return absl::StrCat("In the barrier of ", Describe(recording, hazard.prior_tag, reporter), ", set ",
                          Additions("dst", flags.dst_stages, flags.dst_access), ".");
    case Suggestion::Where::kSetEventLater:
      return "Set the event after that, or change the layout in vkCmdPipelineBarrier2() instead.";
    case Suggestion::Where::kSemaphores:
      break;
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
                      LabelsText(buffer, buffer.label_path()), is_subject ? "" : ")");
}

// What both kinds of report say, but for the fix. ranges are where the access conflicts.
messages::Message Compose(const SyncRecording& recording, const Hazard& hazard, const RecordedAccess& access,
                          absl::Span<const Range> ranges, messages::Report& report) {
  messages::Reporter& reporter = report.reporter();
  const state::CommandBuffer& buffer = recording.buffer();
  messages::Message message;
  message.id = IdOf(hazard.kind);
  message.location = LocationText(report.location(), access);
  message.text = absl::StrCat(CurrentCommand(recording, access.role != Role::kParameter), " ", VerbOf(access.access),
                              " ", PartOf(access.resource_type, access.resource, ranges),
                              reporter.Describe({access.resource_type, access.resource}),
                              access.role != Role::kParameter ? ByWhat(access) : "", HowOf(access.access), ", ",
                              IsTransition(hazard.prior_access) ? "the layout of which " : "which ",
                              Describe(recording, hazard.prior_tag, reporter), ", ",
                              IsTransition(hazard.prior_access) ? "changes" : VerbOf(hazard.prior_access));
  message.objects = {{access.resource_type, access.resource}, {state::CommandBuffer::kType, buffer.handle()}};
  if (const RecordedAccess* prior = recording.FindAccess(hazard.prior_tag, hazard.prior_access, hazard.range)) {
    absl::StrAppend(&message.text, AsWhat(*prior, access.resource, ranges.front(), reporter), ByWhat(*prior));
    if (prior->resource != access.resource) message.objects.push_back({prior->resource_type, prior->resource});
  }
  absl::StrAppend(&message.text, HowOf(hazard.prior_access), ". ", WhatIsMissing(hazard, access.access));
  for (const std::string& label : buffer.LabelsOf(buffer.label_path()))
    message.command_buffer_labels.push_back({label});
  return message;
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
      message.fix = FixText(recording_, Suggest(access.resource), hazard, report_.command(), report_.reporter());
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
           !MayBeInOrder(recording_, hazard, access.access);
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
  message.fix = FixText(recording, suggestion, hazard, report.command(), report.reporter());
  report.Deliver(std::move(message));
}

}  // namespace assay::syncval
