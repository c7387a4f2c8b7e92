// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/events/event_waits.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "vk/enum_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using State = EventState::Kind;
using Wrong = EventFinding::Kind;

EventFinding Finding(Wrong kind, const EventWait& wait, VkEvent event, size_t part) {
  return {
      .kind = kind, .commands = wait.commands, .event = event, .index = wait.first_index + static_cast<uint32_t>(part)};
}

// srcStageMask is compared with the union of all events' stages, so each event's stages must be known.
EventFindings Sync1Findings(const EventWait& wait, absl::Span<const EventWait::Part> parts, EventStateOf state_of) {
  EventFindings findings;
  VkPipelineStageFlags2 right = 0;
  bool are_known = !parts.empty();
  for (size_t i = 0; i < parts.size(); ++i) {
    const EventState state = state_of(parts[i]);
    switch (state.kind) {
      case State::kSetWithStages:
        right |= state.stages;
        break;
      case State::kSetByHost:
        right |= VK_PIPELINE_STAGE_2_HOST_BIT;
        break;
      case State::kSetWithDependency:
        findings.push_back(Finding(Wrong::kSync1WaitForSync2Set, wait, parts[i].event, i));
        [[fallthrough]];
      default:
        are_known = false;
    }
  }
  if (are_known && right != wait.src_stages) {
    EventFinding& finding = findings.emplace_back(Finding(Wrong::kOtherStages, wait, parts[0].event, 0));
    finding.stages = wait.src_stages;
    finding.expected_stages = right;
  }
  return findings;
}

EventFindings Sync2Findings(const EventWait& wait, VkEvent event, const EventState& state, const state::Queue* queue) {
  constexpr VkPipelineStageFlags2 kHost = VK_PIPELINE_STAGE_2_HOST_BIT;
  const VkPipelineStageFlags2 stages = wait.dependency->src_stages();
  switch (state.kind) {
    case State::kSetWithStages:
      return {Finding(Wrong::kSync2WaitForSync1Set, wait, event, 0)};
    case State::kSetWithDependency: {
      EventFinding finding = Finding(Wrong::kOtherQueue, wait, event, 0);
      if (state.queue != queue) {
        finding.queue = state.queue->handle();
        return {finding};
      }
      finding.kind = Wrong::kOtherDependency;
      finding.difference = DifferenceOf(state.dependency->info(), wait.dependency->info());
      if (finding.difference.member.empty()) return {};
      return {finding};
    }
    case State::kSetByHost: {
      if ((stages & ~kHost) == 0) return {};
      EventFinding finding = Finding(Wrong::kSetByHost, wait, event, 0);
      finding.stages = stages;
      return {finding};
    }
    case State::kUnset:
      if (stages == kHost) return {Finding(Wrong::kUnsetByHost, wait, event, 0)};
      // A wait for the host and other stages has no rule about what sets the event.
      if ((stages & kHost) == 0) return {Finding(Wrong::kUnset, wait, event, 0)};
      return {};
    default:
      return {};
  }
}

std::string StagesText(vk::EnumId bits, VkPipelineStageFlags2 stages) { return vk::FlagsToString(bits, stages); }

constexpr std::string_view CommandOf(Wrong kind) {
  return kind == Wrong::kOtherStages || kind == Wrong::kSync1WaitForSync2Set ? "vkCmdWaitEvents()"
                                                                             : "vkCmdWaitEvents2()";
}

// The error about the event or srcStageMask.
struct FindingText {
  vk::VuidIndex vuid;
  std::string predicate;
  std::string fix;
};
FindingText FindingTextOf(const EventFinding& finding, const messages::Reporter& reporter) {
  constexpr vk::EnumId kSync1 = vk::EnumId::kPipelineStageFlagBits, kSync2 = vk::EnumId::kPipelineStageFlagBits2;
  switch (finding.kind) {
    case Wrong::kOtherStages: {
      const std::string right = StagesText(kSync1, finding.expected_stages);
      return {vk::Vuid("VUID-vkCmdWaitEvents-srcStageMask-01158"),
              absl::StrCat("is not what the events were set with (", right, ")."),
              absl::StrCat("Let srcStageMask be ", right, ", or set the events with other stages.")};
    }
    case Wrong::kSync1WaitForSync2Set:
      return {vk::Vuid("VUID-vkCmdWaitEvents-pEvents-03847"), "was set by vkCmdSetEvent2().",
              "Wait with vkCmdWaitEvents2() and the VkDependencyInfo that the event was set with."};
    case Wrong::kSync2WaitForSync1Set:
      return {vk::Vuid("VUID-vkCmdWaitEvents2-pEvents-03837"), "was set by vkCmdSetEvent().",
              "Set the event with vkCmdSetEvent2() and the VkDependencyInfo that it is waited for with."};
    case Wrong::kOtherDependency:
      return {vk::Vuid("VUID-vkCmdWaitEvents2-pEvents-03838"),
              absl::StrCat("was set by vkCmdSetEvent2() with another VkDependencyInfo: its ", finding.difference.member,
                           " was ", finding.difference.set, " there, and is ", finding.difference.waited, " here."),
              "Give both commands the same VkDependencyInfo."};
    case Wrong::kSetByHost:
      return {
          vk::Vuid("VUID-vkCmdWaitEvents2-pEvents-03839"),
          absl::StrCat("was set by vkSetEvent(), and the barriers wait for ", StagesText(kSync2, finding.stages), "."),
          "Let srcStageMask of the barriers be VK_PIPELINE_STAGE_2_HOST_BIT, or set the event with "
          "vkCmdSetEvent2()."};
    case Wrong::kUnsetByHost:
      return {vk::Vuid("VUID-vkCmdWaitEvents2-pEvents-03840"), "is not set, and the barriers wait for the host alone.",
              "Call vkSetEvent() before the command buffer is submitted."};
    case Wrong::kUnset:
      return {vk::Vuid("VUID-vkCmdWaitEvents2-pEvents-03841"),
              "is not set: no vkCmdSetEvent2() comes before since it was created or reset.",
              "Record vkCmdSetEvent2() with the same VkDependencyInfo before, for the same queue."};
    case Wrong::kOtherQueue:
      return {vk::Vuid("VUID-vkCmdWaitEvents2-pEvents-03841"),
              absl::StrCat("was set on ", reporter.Describe({VK_OBJECT_TYPE_QUEUE, finding.queue}),
                           ", which is another queue."),
              "Let the one submission signal a semaphore that the other waits for."};
  }
  return {};
}

}  // namespace

EventFindings FindingsOf(const EventWait& wait, absl::Span<const EventWait::Part> parts, EventStateOf state_of,
                         const state::Queue* queue) {
  if (!wait.dependency) return Sync1Findings(wait, parts, state_of);
  return Sync2Findings(wait, parts[0].event, state_of(parts[0]), queue);
}

void ReportRecorded(const EventFinding& finding, Report& report) {
  const messages::ObjectRef commands = messages::Object(finding.commands), event = messages::Object(finding.event);
  FindingText words = FindingTextOf(finding, report.reporter());
  const Location command = report.location();
  if (finding.kind == Wrong::kOtherStages) {
    return report.Error(
        words.vuid, {commands, event}, command.Dot("srcStageMask"),
        absl::StrCat("(", StagesText(vk::EnumId::kPipelineStageFlagBits, finding.stages), ") ", words.predicate),
        std::move(words.fix));
  }
  report.Error(words.vuid, {commands, event}, command.Dot("pEvents", finding.index),
               absl::StrCat("(", report.reporter().Describe(event), ") ", words.predicate), std::move(words.fix));
}

void ReportExecuted(const EventFinding& finding, const Location& where, Report& report) {
  const messages::ObjectRef commands = messages::Object(finding.commands), event = messages::Object(finding.event);
  const messages::Reporter& reporter = report.reporter();
  FindingText words = FindingTextOf(finding, reporter);
  std::string text = absl::StrCat("executes ", CommandOf(finding.kind), " of ", reporter.Describe(commands));
  if (finding.kind == Wrong::kOtherStages) {
    absl::StrAppend(&text, ", whose srcStageMask (", StagesText(vk::EnumId::kPipelineStageFlagBits, finding.stages),
                    ") ");
  } else {
    absl::StrAppend(&text, ", whose pEvents[", finding.index, "] (", reporter.Describe(event), ") ");
  }
  report.Error(words.vuid, {commands, event}, where, absl::StrCat(text, words.predicate), std::move(words.fix));
}

}  // namespace assay::core
