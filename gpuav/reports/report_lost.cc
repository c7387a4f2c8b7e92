// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/reports/report_lost.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gpuav/markers/marker_way.h"
#include "gpuav/markers/markers.h"
#include "gpuav/markers/progress.h"
#include "gpuav/reports/properties.h"
#include "messages/messages.h"
#include "vk/command_info.h"

namespace assay::gpuav {
namespace {

using messages::Object;
using messages::Properties;
using messages::PropertyValue;

// What is known of an execution.
enum class State : uint8_t { kUnknown, kNotBegun, kBegun, kEnded };

State StateOf(const LostExecution& execution) {
  const Progress& progress = execution.progress;
  if (execution.markers == nullptr || !progress.knows_begin) {
    return execution.has_records && execution.executions == 1 ? State::kBegun : State::kUnknown;
  }
  if (progress.ended >= execution.markers->EndPoint()) return State::kEnded;
  return progress.begun >= kFirstPoint || execution.has_records ? State::kBegun : State::kNotBegun;
}

const char* NameOf(State state) {
  switch (state) {
    case State::kNotBegun:
      return "not begun";
    case State::kBegun:
      return "begun";
    case State::kEnded:
      return "ended";
    default:
      return "unknown";
  }
}

// The actions that had begun, by index: the first `ended` had ended.
struct Actions {
  bool are_known = false;
  size_t ended = 0;
  size_t begun = 0;
};

Actions ActionsOf(const LostExecution& execution) {
  if (execution.markers == nullptr || !execution.progress.knows_actions) return {};
  const size_t count = execution.markers->actions.size();
  const Progress& progress = execution.progress;
  // The point of an action says that those before it have ended, and that it has begun.
  return {.are_known = true,
          .ended = std::min<size_t>(progress.ended < kFirstPoint ? 0 : progress.ended - kFirstPoint, count),
          .begun = std::min<size_t>(progress.begun, count)};
}

// Whether it ends with a render pass instance that is suspended, and so without a mark.
bool MayHaveEnded(const LostExecution& execution) {
  return execution.markers != nullptr && !execution.markers->has_end;
}

class LostReport {
 public:
  LostReport(const Context& context, vk::CommandId command, absl::Span<const LostSubmission> submissions)
      : context_(context), command_(command), submissions_(submissions) {}

  void Deliver() {
    messages::Report report(context_.reporter(), command_);
    message_.id = "ASSAY-gpuav-device-lost";
    message_.text = absl::StrCat("The device is lost. ", PendingText());
    for (const LostSubmission& submission : submissions_) Add(submission);
    if (message_.objects.empty()) message_.objects.push_back(Object(context_.device().handle));
    if (!submission_properties_.empty()) {
      message_.properties.push_back({"submissions", std::move(submission_properties_)});
    }
    if (!WantsMarkers(context_.settings())) {
      message_.fix = "Set gpuav_markers = true, so that command buffers mark which commands have begun and ended.";
    }
    report.Deliver(std::move(message_));
  }

 private:
  // More actions than these are counted.
  static constexpr size_t kMostActions = 8;

  std::string PendingText() const {
    const bool has_markers = WantsMarkers(context_.settings());
    const std::string_view which = has_markers ? " with marked command buffers" : " with instrumented shaders";
    if (submissions_.empty()) return absl::StrCat("No submission", which, " was pending.");
    return submissions_.size() == 1 ? absl::StrCat("One submission", which, " was pending.")
                                    : absl::StrCat(submissions_.size(), " submissions", which, " were pending.");
  }

  std::string Describe(messages::ObjectRef object) const { return context_.reporter().Describe(object); }
  void AddObject(messages::ObjectRef object) {
    if (std::ranges::find(message_.objects, object) == message_.objects.end()) message_.objects.push_back(object);
  }

  void Add(const LostSubmission& submission) {
    AddObject(Object(submission.queue));
    absl::StrAppend(&message_.text, " On ", Describe(Object(submission.queue)), ":");
    std::vector<PropertyValue> executions;
    for (const LostExecution& execution : submission.executions) {
      AddObject(Object(execution.command_buffer));
      Properties properties = {{"command_buffer", PropertiesOf(Object(execution.command_buffer), context_.reporter())},
                               {"state", NameOf(StateOf(execution))}};
      absl::StrAppend(&message_.text, " ", Describe(Object(execution.command_buffer)), Add(execution, properties));
      executions.emplace_back(std::move(properties));
    }
    submission_properties_.emplace_back(
        Properties{{"queue", PropertiesOf(Object(submission.queue), context_.reporter())},
                   {"command_buffers", std::move(executions)}});
  }

  // The rest of the sentence about the command buffer, and further ones.
  std::string Add(const LostExecution& execution, Properties& properties) {
    const std::string shared = execution.executions > 1 ? absl::StrCat(" It was pending ", execution.executions,
                                                                       " times; this is about the last to begin.")
                                                        : "";
    switch (StateOf(execution)) {
      case State::kUnknown:
        return " was pending; how far it came is not known.";
      case State::kNotBegun:
        return " had not begun.";
      case State::kEnded:
        return absl::StrCat(" had ended.", shared);
      default:
        return absl::StrCat(MayHaveEnded(execution) ? " had begun." : " had begun and not ended.",
                            AddActions(execution, properties), shared);
    }
  }

  std::string AddActions(const LostExecution& execution, Properties& properties) {
    const Actions actions = ActionsOf(execution);
    if (!actions.are_known) return "";
    const size_t count = execution.markers->actions.size();
    properties.push_back({"actions", uint64_t{count}});
    properties.push_back({"ended_actions", uint64_t{actions.ended}});
    if (count == 0) return "";
    std::string text =
        absl::StrCat(" ", actions.ended, " of its ", count, count == 1 ? " action" : " actions", " had ended");
    if (actions.begun <= actions.ended) return absl::StrCat(text, ", and no other had begun.");
    std::vector<std::string> names;
    std::vector<PropertyValue> running;
    for (size_t i = actions.ended; i < std::min(actions.begun, actions.ended + kMostActions); ++i) {
      names.push_back(AddAction(*execution.markers, execution.markers->actions[i], running));
    }
    properties.push_back({"running", std::move(running)});
    absl::StrAppend(&text, "; these had begun and not ended: ", absl::StrJoin(names, "; "));
    const size_t all = actions.begun - actions.ended;
    if (all > names.size()) absl::StrAppend(&text, "; and ", all - names.size(), " more");
    return absl::StrCat(text, ".");
  }

  // "vkCmdDispatch(), recorded as command 4, with VkPipeline 0x12[writer], labels: frame::lights".
  std::string AddAction(const MarkerLog& log, const MarkedAction& action, std::vector<PropertyValue>& running) {
    const std::string name(vk::GetCommandInfo(action.command).name);
    std::string text = absl::StrCat(name, "(), recorded as command ", action.position);
    Properties properties = {{"command", name}, {"position", uint64_t{action.position}}};
    if (action.pipeline != VK_NULL_HANDLE) {
      AddObject(Object(action.pipeline));
      absl::StrAppend(&text, ", with ", Describe(Object(action.pipeline)));
      properties.push_back({"pipeline", PropertiesOf(Object(action.pipeline), context_.reporter())});
    }
    const auto labels = log.labels.find(action.label_path);
    if (labels != log.labels.end()) {
      absl::StrAppend(&text, ", labels: ", messages::EscapeName(absl::StrJoin(labels->second, "::")));
      properties.push_back({"labels", LabelProperties(labels->second)});
    }
    running.emplace_back(std::move(properties));
    return text;
  }

  const Context& context_;
  const vk::CommandId command_;
  const absl::Span<const LostSubmission> submissions_;
  messages::Message message_;
  std::vector<PropertyValue> submission_properties_;
};

}  // namespace

void ReportLost(const Context& context, vk::CommandId command, absl::Span<const LostSubmission> submissions) {
  LostReport(context, command, submissions).Deliver();
}

}  // namespace assay::gpuav
