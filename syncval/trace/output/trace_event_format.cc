// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/output/trace_event_format.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace assay::syncval::trace {
namespace {

using Json = nlohmann::json;
using Thread = std::pair<int64_t, int64_t>;

// The members of the events of a phase, besides "ph", "pid" and "tid".
struct Phase {
  std::set<std::string_view> required;
  std::set<std::string_view> optional;
};

const std::map<std::string, Phase>& Phases() {
  static const auto* const phases = new std::map<std::string, Phase>{
      {"M", {{"name", "args"}, {}}},
      {"X", {{"name", "cat", "ts", "dur"}, {"args"}}},
      {"i", {{"name", "ts", "s"}, {"cat", "args"}}},
      {"s", {{"name", "cat", "ts", "id"}, {"args"}}},
      {"f", {{"name", "cat", "ts", "id"}, {"args", "bp"}}},
  };
  return *phases;
}

bool IsText(const Json& value) { return value.is_string() && !value.get<std::string>().empty(); }
bool IsCount(const Json& value) { return value.is_number_integer() && value >= 0; }
bool IsOneOf(const Json& value, std::set<std::string> words) { return value.is_string() && words.contains(value); }

bool IsOfItsType(const std::string& member, const Json& value) {
  if (member == "name" || member == "cat") return IsText(value);
  if (member == "ts" || member == "dur" || member == "pid" || member == "tid") return IsCount(value);
  if (member == "id") return IsCount(value) || IsText(value);
  if (member == "args") return value.is_object();
  if (member == "s") return IsOneOf(value, {"g", "p", "t"});
  return member != "bp" || IsOneOf(value, {"e"});
}

class Checker {
 public:
  std::vector<std::string> Check(const Json& trace) {
    if (!trace.is_object() || !trace.contains("traceEvents") || !trace["traceEvents"].is_array()) {
      Add("traceEvents is no array", trace);
      return errors_;
    }
    for (const auto& [name, value] : trace.items()) {
      if (name == "traceEvents" || (name == "displayTimeUnit" && IsOneOf(value, {"ms", "ns"})) ||
          (name == "otherData" && value.is_object()))
        continue;
      Add("no member of a trace: " + name, value);
    }
    std::vector<const Json*> timed;
    for (const Json& event : trace["traceEvents"]) {
      if (!IsWellFormed(event)) continue;
      if (event["ph"] == "M") {
        CheckMetadata(event);
      } else {
        timed.push_back(&event);
      }
    }
    // At the same time, in their order in the trace, which is one array.
    std::ranges::sort(timed, {}, [](const Json* event) { return std::pair((*event)["ts"].get<uint64_t>(), event); });
    for (const Json* event : timed) CheckInTime(*event);
    for (const auto& [id, flow] : flows_) {
      if (!flow.has_ended) Add("a flow without end", *flow.begin);
    }
    return errors_;
  }

 private:
  struct Flow {
    const Json* begin = nullptr;
    bool has_ended = false;
  };

  void Add(std::string what, const Json& where) { errors_.push_back(what + ": " + where.dump().substr(0, 300)); }
  static Thread ThreadOf(const Json& event) { return {event["pid"], event["tid"]}; }

  bool IsWellFormed(const Json& event) {
    const size_t before = errors_.size();
    const auto phase = event.is_object() && event.contains("ph") && event["ph"].is_string()
                           ? Phases().find(event["ph"].get<std::string>())
                           : Phases().end();
    if (phase == Phases().end()) {
      Add("no phase", event);
      return false;
    }
    for (const std::string_view member : phase->second.required) {
      if (!event.contains(member)) Add("without " + std::string(member), event);
    }
    for (const std::string_view member : {"pid", "tid"}) {
      if (!event.contains(member)) Add("without " + std::string(member), event);
    }
    for (const auto& [member, value] : event.items()) {
      const bool is_known = member == "ph" || member == "pid" || member == "tid" ||
                            phase->second.required.contains(member) || phase->second.optional.contains(member);
      if (!is_known) Add("no member of the phase: " + member, event);
      if (!IsOfItsType(member, value)) Add("of the wrong type: " + member, event);
    }
    return errors_.size() == before;
  }

  void CheckMetadata(const Json& event) {
    if (!IsOneOf(event["name"], {"process_name", "thread_name"}) || event["args"].size() != 1 ||
        !event["args"].contains("name") || !IsText(event["args"]["name"]))
      Add("names nothing", event);
    (event["name"] == "process_name" ? processes_ : threads_).insert(ThreadOf(event));
  }

  void CheckInTime(const Json& event) {
    const uint64_t time = event["ts"];
    if (!threads_.contains(ThreadOf(event))) Add("of a thread without name", event);
    std::vector<uint64_t>& ends = open_[ThreadOf(event)];
    while (!ends.empty() && ends.back() <= time) ends.pop_back();
    const std::string phase = event["ph"];
    if (phase == "X") {
      const uint64_t end = time + event["dur"].get<uint64_t>();
      if (end == time) Add("a slice of no time", event);
      if (!ends.empty() && end > ends.back()) Add("a slice that ends after the one it begins in", event);
      ends.push_back(end);
    } else if (phase == "s" || phase == "f") {
      if (ends.empty()) Add("a flow in no slice", event);
      CheckFlow(event, phase == "s");
    }
  }

  void CheckFlow(const Json& event, bool is_begin) {
    Flow& flow = flows_[event["id"].dump()];
    if (is_begin) {
      if (flow.begin != nullptr) Add("a second begin of a flow", event);
      flow.begin = &event;
      return;
    }
    if (flow.begin == nullptr) {
      flows_.erase(event["id"].dump());
      return Add("a flow that has not begun", event);
    }
    if (flow.has_ended) Add("a second end of a flow", event);
    if ((*flow.begin)["name"] != event["name"] || (*flow.begin)["cat"] != event["cat"])
      Add("not the name and category that the flow began with", event);
    flow.has_ended = true;
  }

  std::vector<std::string> errors_;
  std::set<Thread> processes_;
  std::set<Thread> threads_;
  // The ends of the open slices, by thread.
  std::map<Thread, std::vector<uint64_t>> open_;
  std::map<std::string, Flow> flows_;
};

}  // namespace

std::vector<std::string> FormatErrors(const Json& trace) { return Checker().Check(trace); }

}  // namespace assay::syncval::trace
