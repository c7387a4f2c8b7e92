// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/hazard_report.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "syncval/accesses/resource_text.h"
#include "syncval/recording/heuristics.h"
#include "syncval/reports/event_text.h"
#include "syncval/reports/fix.h"
#include "syncval/reports/hazard_cause.h"
#include "syncval/reports/hazard_properties.h"
#include "syncval/reports/hazard_text.h"
#include "syncval/reports/transition_fix.h"
#include "syncval/trace/recorded/command_trace.h"
#include "vk/command_info.h"

namespace assay::syncval {
namespace {

Range Intersection(const Range& a, const Range& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

// Whether two accesses of one command come from the same parameter, region or descriptor and differ only in their
// ranges.
bool HasSameOrigin(const RecordedAccess& a, const RecordedAccess& b) {
  return a.resource == b.resource && a.role == b.role && a.member == b.member && a.index == b.index &&
         a.access == b.access && a.is_of_shared_memory() == b.is_of_shared_memory();
}

// The resource that the earlier access named, if that is another one in the same memory.
std::string AliasText(const RecordedAccess& prior, uint64_t resource, const Range& range,
                      messages::Reporter& reporter) {
  if (prior.resource == resource) return "";
  return absl::StrCat(" as ", RangesText(prior.resource_type, prior.resource, {Intersection(prior.range, range)}),
                      reporter.Describe({prior.resource_type, prior.resource}), " in the same memory");
}

// ranges are those that a barrier of the resource alone must cover; none where such a barrier does not help.
Fix FixOf(const SyncRecording& recording, const Suggestion& suggestion, const Hazard& hazard,
          const RecordedAccess& access, absl::Span<const Range> ranges, messages::Report& report) {
  const BarrierFlags& flags = suggestion.flags;
  const std::string name(vk::GetCommandInfo(report.command()).name);
  switch (suggestion.kind) {
    case Suggestion::Kind::kAddBarrier:
      return RecordBarrier(VersionOf(recording), PlaceOfBarrier(recording, hazard, name), flags,
                           BarrierProperties(access.resource_type, access.resource, ranges));
    case Suggestion::Kind::kAddToTransition:
      return AddToBarrier(
          BarrierSide::kSource, flags, report.command(), ParameterText(access),
          absl::StrCat("this ", name, "()", IsWait(report.command()) ? " and the set of its event" : ""));
    case Suggestion::Kind::kAddToPriorTransition:
      return AddToPriorTransition(suggestion, recording, hazard.prior_tag,
                                  recording.FindAccess(hazard.prior_tag, hazard.prior_access, hazard.range),
                                  Describe(recording, hazard.prior_tag, report.reporter()));
    case Suggestion::Kind::kSetEventLater:
      // IneffectiveEventText reports what the event lacks.
      if (flags == BarrierFlags{}) return {};
      return SetEventLater(VersionOf(recording), absl::StrCat("this ", name, "()"), flags);
    case Suggestion::Kind::kAddSemaphores:
      break;
  }
  return {};
}

// The fix of a hazard in a subpass.
Fix SubpassFix(const SyncRecording& recording, const Suggestion& suggestion, const Hazard& hazard,
               const RecordedAccess& access) {
  const uint32_t subpass = recording.current_subpass();
  const RecordedAccess* const prior = recording.FindAccess(hazard.prior_tag, hazard.prior_access, hazard.range);
  if (IsTransition(hazard.prior_access) && prior != nullptr && prior->role == Role::kRenderPassAttachment &&
      prior->index >> 16 == subpass) {
    const vk::SyncStageAccessInfo& info = InfoOf(access.access);
    return AddToDependency(VersionOf(recording), BarrierSide::kDestination,
                           {.dst_stages = info.stage, .dst_access = info.access}, "a",
                           absl::StrCat("with .dstSubpass = ", subpass));
  }
  if (suggestion.kind != Suggestion::Kind::kAddBarrier) return {};
  const uint32_t prior_subpass = recording.SubpassOf(hazard.prior_tag);
  const std::string command = BarrierCommandText(VersionOf(recording));
  Fix fix = NewDependency(VersionOf(recording), prior_subpass, subpass, suggestion.flags);
  if (prior_subpass == subpass) {
    absl::StrAppend(&fix.text, " Between the two, record ", command, " with the same barrier.");
  } else if (prior_subpass == VK_SUBPASS_EXTERNAL) {
    absl::StrAppend(&fix.text, " Or record ", command, " with that barrier before the render pass.");
  }
  return fix;
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

uint64_t CauseOf(const SyncRecording& recording, Tag tag, const Hazard& hazard, const RecordedAccess& access,
                 const messages::Reporter& reporter) {
  HazardCause cause(IdOf(hazard.kind), hazard, reporter);
  cause.AddAccess(&access);
  cause.AddCommand(recording, tag);
  cause.AddAccess(recording.FindAccess(hazard.prior_tag, hazard.prior_access, hazard.range));
  cause.AddCommand(recording, hazard.prior_tag);
  return cause.Get();
}

// Adds the fix by an event as an alternative.
std::string WithEventFix(std::string fix, const std::optional<IneffectiveEvent>& event,
                         const messages::Reporter& reporter) {
  if (!event.has_value()) return fix;
  if (!fix.empty()) return absl::StrCat(fix, " Or ", EventFix(*event, reporter));
  fix = EventFix(*event, reporter);
  fix.front() = absl::ascii_toupper(static_cast<unsigned char>(fix.front()));
  return fix;
}

// The parts that all of these reports have. ranges are where the access conflicts.
messages::Message Compose(const SyncRecording& recording, Tag tag, const Hazard& hazard, const RecordedAccess& access,
                          absl::Span<const Range> ranges, Fix fix, messages::Report& report) {
  messages::Reporter& reporter = report.reporter();
  const state::CommandBuffer& buffer = recording.buffer();
  messages::Message message;
  message.id = IdOf(hazard.kind);
  message.location = LocationText(report.location(), access);
  message.text =
      absl::StrCat(CurrentCommand(recording, access.role != Role::kParameter), " ", VerbOf(access.access), " ",
                   RangesText(access.resource_type, access.resource, ranges),
                   reporter.Describe({access.resource_type, access.resource}),
                   access.role != Role::kParameter ? RoleText(access) : "", StageAndAccessText(access.access), ", ",
                   IsTransition(hazard.prior_access) ? "the layout of which " : "which ",
                   Describe(recording, hazard.prior_tag, reporter), ", ",
                   IsTransition(hazard.prior_access) ? "changes" : VerbOf(hazard.prior_access));
  message.objects = {{access.resource_type, access.resource}, {state::CommandBuffer::kType, buffer.handle()}};
  const RecordedAccess* const prior = recording.FindAccess(hazard.prior_tag, hazard.prior_access, hazard.range);
  if (prior != nullptr) {
    absl::StrAppend(&message.text, AliasText(*prior, access.resource, ranges.front(), reporter), RoleText(*prior));
    if (prior->resource != access.resource) message.objects.push_back({prior->resource_type, prior->resource});
  }
  absl::StrAppend(&message.text, StageAndAccessText(hazard.prior_access), ". ",
                  MissingSynchronizationText(hazard, access.access, access.role == Role::kRenderPassAttachment));
  const std::optional<IneffectiveEvent> event = FindIneffectiveEvent(recording, hazard.prior_tag, recording, tag);
  if (event.has_value()) absl::StrAppend(&message.text, " ", IneffectiveEventText(*event, recording, reporter));
  for (const std::string& label : buffer.LabelsOf(buffer.label_path()))
    message.command_buffer_labels.push_back({label});
  message.fix = WithEventFix(std::move(fix.text), event, reporter);
  message.properties = HazardProperties(
      message.id, hazard, access, ranges, AccessProperties(recording, tag, access.access, &access, reporter),
      AccessProperties(recording, hazard.prior_tag, hazard.prior_access, prior, reporter), std::move(fix.fields),
      reporter);
  return message;
}

// A trace shows every hazard, so that none is a duplicate.
bool IsDuplicate(const SyncRecording& recording, uint64_t cause, messages::Report& report) {
  return recording.trace() == nullptr && report.CountIfDuplicate(cause);
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
      if (recording_.IsDeferred(access, hazard)) {
        recording_.Add(DeferredHazard{access, tag_, hazard, Suggest(access)});
        continue;
      }
      reported_.push_back(key);
      const uint64_t cause = CauseOf(recording_, tag_, hazard, access, report_.reporter());
      if (IsDuplicate(recording_, cause, report_)) continue;
      const Suggestion suggestion = Suggest(access);
      Fix fix = recording_.context.is_in_subpass() && !recording_.buffer().rendering.is_inherited()
                    ? SubpassFix(recording_, suggestion, hazard, access)
                    : FixOf(recording_, suggestion, hazard, access, RangesOfBarrier(access.resource), report_);
      messages::Message message =
          Compose(recording_, tag_, hazard, access, ConflictsLike(access, hazard), std::move(fix), report_);
      message.cause = cause;
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

  // A callback may record commands and so move the log while its accesses are being reported.
  static std::vector<RecordedAccess> Copy(absl::Span<const RecordedAccess> logged) {
    return {logged.begin(), logged.end()};
  }

  static Access WithoutRegion(const RecordedAccess& access) { return {access.range, access.access, access.ordering}; }

  bool Detect(const RecordedAccess& access, Hazard& hazard) {
    return recording_.context.DetectHazard(WithoutRegion(access), tag_, hazard) &&
           (!access.is_possible_read() || ConflictsEverywhere(recording_.context, access, tag_)) &&
           !(access.is_of_shared_memory() && recording_.IsOfSameResource(access, hazard.prior_tag, hazard)) &&
           !MayBeInOrder(recording_, hazard, access);
  }

  // The ranges of accesses of the same origin that conflict with the same earlier access.
  std::vector<Range> ConflictsLike(const RecordedAccess& access, const Hazard& hazard) {
    std::vector<Range> ranges;
    for (const RecordedAccess& other : accesses_) {
      Hazard same;
      if (!HasSameOrigin(access, other) || !Detect(other, same)) continue;
      if (same.prior_tag != hazard.prior_tag || same.prior_access != hazard.prior_access) continue;
      ranges.push_back(Intersection(other.range, same.range));
    }
    return ranges;
  }

  // One barrier for all accesses of the command to the resource.
  Suggestion Suggest(const RecordedAccess& access) {
    std::vector<Access> same_resource;
    for (const RecordedAccess& other : accesses_) {
      if (other.resource != access.resource || other.is_of_shared_memory() != access.is_of_shared_memory()) continue;
      if (!other.is_possible_read() || ConflictsEverywhere(recording_.context, other, tag_))
        same_resource.push_back(WithoutRegion(other));
    }
    return recording_.context.SuggestBarrier(same_resource, tag_);
  }

  // All ranges of the resource that conflict with accesses by its own handle. Empty if one conflicts with an access by
  // another handle, which a barrier of the resource does not cover.
  std::vector<Range> RangesOfBarrier(uint64_t resource) {
    std::vector<Range> ranges;
    for (const RecordedAccess& access : accesses_) {
      Hazard hazard;
      if (access.resource != resource || !Detect(access, hazard)) continue;
      if (access.is_of_shared_memory()) return {};
      const RecordedAccess* prior = recording_.FindAccess(hazard.prior_tag, hazard.prior_access, hazard.range);
      if (prior == nullptr || prior->resource != resource || recording_.IsAliased(resource, access.range)) return {};
      ranges.push_back(access.range);
    }
    return ranges;
  }

  SyncRecording& recording_;
  const Tag tag_;
  messages::Report& report_;
  const std::vector<RecordedAccess> accesses_;
  absl::InlinedVector<Reported, 4> reported_;
};

// A new dependency needs a second scope too: the accesses to the attachment in the subpass.
BarrierFlags WithAttachmentAccess(BarrierFlags flags, VkImageAspectFlags aspects) {
  if ((aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0) {
    flags.dst_stages = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    flags.dst_access = VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
  } else {
    flags.dst_stages = VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    flags.dst_access = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  }
  return flags;
}

}  // namespace

bool ReportAccessHazards(SyncRecording& recording, Tag tag, messages::Report& report) {
  return AccessReport(recording, tag, report).ReportAll();
}

void ReportTransitionHazard(SyncRecording& recording, const Hazard& hazard, VkImage image, const char* member,
                            uint32_t index, absl::Span<const Range> ranges, const Barrier& barrier,
                            const EventsOfWait& events, messages::Report& report) {
  const RecordedAccess access{.range = hazard.range,
                              .resource = reinterpret_cast<uint64_t>(image),
                              .resource_type = state::Image::kType,
                              .index = index,
                              .member = member,
                              .access = vk::kSyncImageLayoutTransition};
  const Tag tag{recording.command_count() - 1};
  const uint64_t cause = CauseOf(recording, tag, hazard, access, report.reporter());
  if (IsDuplicate(recording, cause, report)) return;
  AccessContext& context = recording.context;
  const VkQueueFlags queue = recording.queue_flags();
  const Suggestion suggestion =
      events.events.empty() ? context.SuggestForLayoutTransition(ranges, barrier.flags, queue)
                            : context.SuggestForWait(ranges, barrier, events.events, events.matches_by_access, queue);
  messages::Message message = Compose(recording, tag, hazard, access, {hazard.range},
                                      FixOf(recording, suggestion, hazard, access, {}, report), report);
  message.cause = cause;
  Trace(recording, hazard, message);
  report.Deliver(std::move(message));
}

void ReportAutomaticTransitionHazard(SyncRecording& recording, const Hazard& hazard, const RecordedAccess& access,
                                     absl::Span<const RangeBarrier> ranges,
                                     const RenderPassPlan::AutomaticTransition& transition,
                                     const state::RenderPass& render_pass, messages::Report& report) {
  const Tag tag{recording.command_count() - 1};
  const uint64_t cause = CauseOf(recording, tag, hazard, access, report.reporter());
  if (IsDuplicate(recording, cause, report)) return;
  std::vector<Range> covered;
  for (const RangeBarrier& part : ranges) covered.push_back(part.range);
  const state::SubpassDependency* const dependency = transition.dependency != RenderPassPlan::kNoDependency
                                                         ? &render_pass.dependencies[transition.dependency]
                                                         : nullptr;
  const bool is_written = dependency != nullptr && !dependency->is_implicit;
  BarrierFlags flags =
      recording.context
          .SuggestForTransition(covered, transition.barrier.src, transition.barrier.flags, recording.queue_flags())
          .flags;
  Fix fix;
  if (is_written) {
    fix = AddToDependency(VersionOf(recording), BarrierSide::kSource, flags, "the",
                          absl::StrCat("with .srcSubpass = ", SubpassName(dependency->src_subpass),
                                       ", .dstSubpass = ", SubpassName(dependency->dst_subpass)));
  } else {
    if (transition.dst_subpass != VK_SUBPASS_EXTERNAL) flags = WithAttachmentAccess(flags, transition.aspects);
    fix = NewDependency(VersionOf(recording), transition.src_subpass, transition.dst_subpass, flags);
  }
  messages::Message message = Compose(recording, tag, hazard, access, {hazard.range}, std::move(fix), report);
  message.cause = cause;
  Trace(recording, hazard, message);
  report.Deliver(std::move(message));
}

}  // namespace assay::syncval
