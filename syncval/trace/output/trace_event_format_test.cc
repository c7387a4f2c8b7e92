// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/output/trace_event_format.h"

#include <string>

#include "gtest/gtest.h"

namespace assay::syncval::trace {
namespace {

using Json = nlohmann::json;

// A slice with two slices in it, and a flow between them.
Json Correct() {
  return Json::parse(R"({"displayTimeUnit": "ns", "traceEvents": [
      {"ph": "M", "pid": 1, "tid": 0, "name": "process_name", "args": {"name": "device"}},
      {"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "queue"}},
      {"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 4, "name": "both", "cat": "c"},
      {"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 2, "name": "first", "cat": "c", "args": {}},
      {"ph": "X", "pid": 1, "tid": 1, "ts": 2, "dur": 2, "name": "second", "cat": "c"},
      {"ph": "i", "pid": 1, "tid": 1, "ts": 2, "s": "t", "name": "hazard"},
      {"ph": "s", "pid": 1, "tid": 1, "ts": 1, "id": 7, "name": "barrier", "cat": "c"},
      {"ph": "f", "pid": 1, "tid": 1, "ts": 2, "id": 7, "bp": "e", "name": "barrier", "cat": "c"}]})");
}

TEST(TraceEventFormat, Correct) { EXPECT_EQ(FormatErrors(Correct()), std::vector<std::string>()); }

// Makes one value after the other wrong: event, member, value, the error.
TEST(TraceEventFormat, Wrong) {
  const struct {
    size_t event;
    const char* member;
    Json value;
    const char* error;
  } kWrong[] = {
      {2, "ph", "B", "no phase"},
      {2, "ph", 3, "no phase"},
      {2, "ts", "0", "of the wrong type: ts"},
      {2, "ts", -1, "of the wrong type: ts"},
      {2, "dur", 1.5, "of the wrong type: dur"},
      {2, "name", "", "of the wrong type: name"},
      {2, "pid", "one", "of the wrong type: pid"},
      {2, "args", Json::array(), "of the wrong type: args"},
      {2, "color", "red", "no member of the phase: color"},
      {2, "dur", 3, "a slice that ends after"},
      {3, "dur", 0, "a slice of no time"},
      {3, "tid", 2, "of a thread without name"},
      {5, "s", "x", "of the wrong type: s"},
      {6, "id", 8, "a flow that has not begun"},
      {6, "id", 8, "a flow without end"},
      {6, "ts", 3, "a flow that has not begun"},
      {7, "ts", 9, "a flow in no slice"},
      {7, "name", "semaphore", "not the name and category"},
      {7, "ph", "s", "no member of the phase: bp"},
      {1, "args", Json{{"name", 1}}, "names nothing"},
  };
  for (const auto& wrong : kWrong) {
    Json trace = Correct();
    trace["traceEvents"][wrong.event][wrong.member] = wrong.value;
    bool is_reported = false;
    for (const std::string& error : FormatErrors(trace)) is_reported |= error.starts_with(wrong.error);
    EXPECT_TRUE(is_reported) << wrong.error << " of " << trace["traceEvents"][wrong.event];
  }
}

TEST(TraceEventFormat, Missing) {
  for (size_t i = 0; i < Correct()["traceEvents"].size(); ++i) {
    const Json event = Correct()["traceEvents"][i];
    for (const auto& [member, value] : event.items()) {
      if (member == "args" && event["ph"] != "M") continue;
      if (member == "bp" || (member == "cat" && event["ph"] == "i")) continue;
      Json trace = Correct();
      trace["traceEvents"][i].erase(member);
      EXPECT_FALSE(FormatErrors(trace).empty()) << member << " of " << event;
    }
  }
  EXPECT_FALSE(FormatErrors(Json::array()).empty());
}

// Of two slices that begin together the inner one comes second.
TEST(TraceEventFormat, OrderInTheFile) {
  Json trace = Correct();
  std::swap(trace["traceEvents"][2], trace["traceEvents"][3]);
  EXPECT_FALSE(FormatErrors(trace).empty());
  trace = Correct();
  // Before its slice has begun.
  trace["traceEvents"][6]["ts"] = 0;
  std::swap(trace["traceEvents"][2], trace["traceEvents"][6]);
  EXPECT_FALSE(FormatErrors(trace).empty());
}

}  // namespace
}  // namespace assay::syncval::trace
