// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/hazard_report.h"

#include <algorithm>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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
    case HazardKind::kNone:
      break;
  }
  return "";
}

const vk::SyncStageAccessInfo& InfoOf(vk::SyncAccessIndex access) { return vk::SyncStageAccesses()[access]; }

std::string Stages(VkPipelineStageFlags2 stages) { return vk::FlagsToString(vk::EnumId::kPipelineStageFlagBits2, stages); }
std::string Accesses(VkAccessFlags2 accesses) { return vk::FlagsToString(vk::EnumId::kAccessFlagBits2, accesses); }

// "reads", "writes" or "changes the layout of", with the stage and access it does so by.
std::string VerbOf(vk::SyncAccessIndex access) {
  if (access == vk::kSyncImageLayoutTransition) return "changes the layout of";
  return InfoOf(access).is_write ? "writes" : "reads";
}

// "(VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT)".
std::string HowOf(vk::SyncAccessIndex access) {
  if (access == vk::kSyncImageLayoutTransition) return "(image layout transition)";
  return absl::StrCat("(", Stages(InfoOf(access).stage), ", ", Accesses(InfoOf(access).access), ")");
}

// Where the range lies in the resource: bytes of a buffer. The addresses of an image are idealized, so they say nothing to people.
std::string Extent(uint64_t resource, VkObjectType type, const Range& range) {
  if (type != state::Buffer::kType) return "";
  const auto* buffer = state::DeviceState::Get<state::Buffer>(resource);
  if (buffer == nullptr) return "";
  return absl::StrCat("bytes ", range.begin - buffer->address, " to ", range.end - buffer->address - 1, " of ");
}

Range Intersection(const Range& a, const Range& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

// The logged access that a hazard's prior access was, for its resource; null when the command has none (never so for what was logged).
const RecordedAccess* PriorAccess(const SyncRecording& recording, const Hazard& hazard) {
  for (const RecordedAccess& access : recording.AccessesOf(hazard.prior_tag)) {
    if (access.access == hazard.prior_access && access.range.Intersects(hazard.range)) return &access;
  }
  return nullptr;
}

// "command 3, vkCmdDispatch() in "frame" > "simulate"".
std::string Describe(const SyncRecording& recording, Tag tag) {
  const RecordedCommand& command = recording.CommandAt(tag);
  std::string text = absl::StrCat("command ", command.position + 1, ", ", vk::GetCommandInfo(command.id).name, "()");
  const std::vector<std::string> labels = recording.buffer().LabelsOf(command.label_path);
  if (!labels.empty()) {
    absl::StrAppend(&text, " in ", absl::StrJoin(labels, " > ", [](std::string* out, const std::string& label) {
                      absl::StrAppend(out, "\"", messages::EscapeName(label), "\"");
                    }));
  }
  return text;
}

// The other object that the earlier access named, when it is not the one that the current access names: both alias memory.
std::string ThroughWhat(const RecordedAccess* prior, uint64_t resource, const Range& range, messages::Reporter& reporter) {
  if (prior == nullptr || prior->resource == resource) return "it";
  return absl::StrCat(Extent(prior->resource, prior->resource_type, Intersection(prior->range, range)),
                      reporter.Describe({prior->resource_type, prior->resource}), ", which shares that memory,");
}

// What barriers since the earlier access do, and what they lack.
std::string WhatIsMissing(const Hazard& hazard, vk::SyncAccessIndex access) {
  std::string text;
  if (hazard.kind == HazardKind::kWriteAfterRead) {
    text = hazard.ordered_stages == 0
               ? "No barrier since makes anything wait for that read"
               : absl::StrCat("Barriers since make only ", Stages(hazard.ordered_stages), " wait for that read");
    return text;
  }
  if (hazard.visible_to.Empty() && hazard.ordered_stages == 0) {
    return "No barrier since makes that write available and visible";
  }
  const bool waits = access != vk::kSyncImageLayoutTransition && (hazard.ordered_stages & InfoOf(access).stage) != 0;
  if (waits) {
    return absl::StrCat("Barriers since make ", Stages(InfoOf(access).stage), " wait for that write but do not make it visible to ",
                        Accesses(InfoOf(access).access));
  }
  return absl::StrCat("Barriers since make only ", Stages(hazard.ordered_stages), " wait for that write");
}

std::string FixText(const Suggestion& suggestion, vk::CommandId id) {
  switch (suggestion.where) {
    case Suggestion::Where::kBefore:
      return absl::StrCat("Record before this ", vk::GetCommandInfo(id).name, "(), with vkCmdPipelineBarrier2(): ",
                          MemoryBarrierText(suggestion.flags));
    case Suggestion::Where::kAddToTransition:
      return absl::StrCat("Add to this image barrier: srcStageMask ", Stages(suggestion.flags.src_stages), ", srcAccessMask ",
                          Accesses(suggestion.flags.src_access), ".");
    case Suggestion::Where::kAddToPriorTransition:
      return absl::StrCat("Add to the earlier image barrier: dstStageMask ", Stages(suggestion.flags.dst_stages),
                          ", dstAccessMask ", Accesses(suggestion.flags.dst_access), ".");
  }
  return "";
}

// All that a report of either kind of access says.
messages::Message Compose(const SyncRecording& recording, const Hazard& hazard, const RecordedAccess& access,
                          const messages::Location& command, messages::Reporter& reporter) {
  messages::Message message;
  message.id = IdOf(hazard.kind);
  const bool has_index = access.index != kNoIndex;
  if (access.member == nullptr) {
    message.location = command.Text();
  } else if (has_index) {
    message.location = command.Dot(access.member, access.index).Text();
  } else {
    message.location = command.Dot(access.member).Text();
  }
  const RecordedAccess* prior = PriorAccess(recording, hazard);
  const Range where = Intersection(access.range, hazard.range);
  const char* through = access.member == nullptr ? "through the descriptor at set " : "";
  const std::string descriptor =
      access.member == nullptr ? absl::StrCat(" ", through, access.index >> 24, ", binding ", access.index & 0xffffff) : "";
  message.text = absl::StrCat(VerbOf(access.access), " ", Extent(access.resource, access.resource_type, where),
                              reporter.Describe({access.resource_type, access.resource}), descriptor, " ", HowOf(access.access),
                              ", and ", Describe(recording, hazard.prior_tag), ", ", VerbOf(hazard.prior_access), " ",
                              ThroughWhat(prior, access.resource, where, reporter), " ", HowOf(hazard.prior_access), ". ",
                              WhatIsMissing(hazard, access.access), ".");
  const auto& buffer = recording.buffer();
  message.objects = {{access.resource_type, access.resource}, {state::CommandBuffer::kType, buffer.handle()}};
  if (prior != nullptr && prior->resource != access.resource) message.objects.push_back({prior->resource_type, prior->resource});
  for (const std::string& label : buffer.LabelsOf(buffer.label_path())) message.command_buffer_labels.push_back({label});
  return message;
}

}  // namespace

std::string MemoryBarrierText(const BarrierFlags& flags) {
  return absl::StrCat("VkMemoryBarrier2{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr, ", Stages(flags.src_stages), ", ",
                      Accesses(flags.src_access), ", ", Stages(flags.dst_stages), ", ", Accesses(flags.dst_access), "}");
}

void ReportAccessHazards(SyncRecording& recording, Tag tag, messages::Report& report) {
  // A copy: the log may not move while it is reported from, but callbacks may do anything.
  const auto logged = recording.AccessesOf(tag);
  const std::vector<RecordedAccess> accesses(logged.begin(), logged.end());
  struct Reported {
    uint64_t resource;
    Tag prior;
    HazardKind kind;
    bool operator==(const Reported&) const = default;
  };
  absl::InlinedVector<Reported, 4> reported;
  for (const RecordedAccess& access : accesses) {
    Hazard hazard;
    if (!recording.context.DetectHazard({access.range, access.access}, tag, hazard)) continue;
    const Reported key{access.resource, hazard.prior_tag, hazard.kind};
    if (std::find(reported.begin(), reported.end(), key) != reported.end()) continue;
    reported.push_back(key);
    // One barrier for everything that this command does to the resource.
    std::vector<Access> same_resource;
    for (const RecordedAccess& other : accesses) {
      if (other.resource == access.resource) same_resource.push_back({other.range, other.access});
    }
    messages::Message message = Compose(recording, hazard, access, report.location(), report.reporter());
    message.fix = FixText(recording.context.SuggestBarrier(same_resource, tag), recording.CommandAt(tag).id);
    report.Deliver(std::move(message));
  }
}

void ReportTransitionHazard(SyncRecording& recording, const Hazard& hazard, VkImage image, const char* member, uint32_t index,
                            absl::Span<const Range> ranges, const BarrierFlags& flags, messages::Report& report) {
  RecordedAccess access{.range = hazard.range,
                        .resource = reinterpret_cast<uint64_t>(image),
                        .resource_type = state::Image::kType,
                        .index = index,
                        .member = member,
                        .access = vk::kSyncImageLayoutTransition};
  messages::Message message = Compose(recording, hazard, access, report.location(), report.reporter());
  message.fix = FixText(recording.context.SuggestForLayoutTransition(ranges, flags, recording.queue_flags()), report.command());
  report.Deliver(std::move(message));
}

}  // namespace assay::syncval
