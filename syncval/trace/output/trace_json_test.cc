// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The JSON trace, and the data of the page.

#include "syncval/trace/output/trace_json.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "syncval/trace/output/trace_event_format.h"
#include "syncval/trace/output/trace_page.h"
#include "syncval/trace/timeline/trace_builder.h"
#include "testing/golden_file.h"

namespace assay::syncval::trace {
namespace {

using Json = nlohmann::json;

// Two queues, a frame, a label, a render pass, a secondary, a barrier and a hazard.
RunBuilder SmallRun() {
  RecordingBuilder secondary("VkCommandBuffer 0x2[draws]"), primary("VkCommandBuffer 0x1[\"frame\" </script>\xff]");
  secondary.Read(1);
  primary.Copy(0, 1)
      .Barrier({kCopyStage, kWriteAccess, kCopyStage, kReadAccess})
      .Copy(1, 2)
      .Execute({secondary.Finish()})
      .Read(2)
      .Region(TracedRegion::Kind::kLabel, "upload", 0, 3)
      .Region(TracedRegion::Kind::kRendering, "rendering", 1, 2, 1)
      .Hazard(4, 2, 2);
  RunBuilder run(2);
  const BatchPoint point = run.Submit(0, {primary.Finish()});
  RecordingBuilder other;
  other.Read(2);
  run.Submit(1, {other.Finish()}, {point});
  run.Present(0, {point});
  return run;
}

std::string JsonOf(const Timeline& timeline) {
  std::ostringstream out;
  WriteTraceJson({&timeline}, out);
  return out.str();
}

TEST(TraceJson, MatchesGolden) {
  EXPECT_TRUE(test::MatchesGolden("syncval/trace/output/goldens/small_run.json", JsonOf(SmallRun().timeline)));
}

TEST(TraceJson, IsInTheTraceEventFormat) {
  const Json trace = Json::parse(JsonOf(SmallRun().timeline));
  EXPECT_EQ(FormatErrors(trace), std::vector<std::string>());
  // Two semaphores, and a barrier between two accesses.
  EXPECT_EQ(std::ranges::count_if(trace["traceEvents"], [](const Json& event) { return event["ph"] == "s"; }), 4);
}

TEST(TraceJson, ReportsDroppedBatches) {
  RunBuilder run(1, 3);
  for (int i = 0; i < 3; ++i) {
    RecordingBuilder recording;
    recording.Copy(0, 1).Copy(0, 1);
    run.Submit(0, {recording.Finish()});
  }
  EXPECT_NE(JsonOf(run.timeline).find("The first 2 submissions with 4 commands are not kept"), std::string::npos);
}

TEST(TracePage, HoldsItsData) {
  const RunBuilder run = SmallRun();
  std::ostringstream out;
  WriteTracePage({&run.timeline}, out);
  const std::string page = out.str();
  constexpr std::string_view kBegin = "<script id=\"data\" type=\"application/json\">";
  const size_t begin = page.find(kBegin) + kBegin.size();
  // No name can end an element.
  const size_t end = page.find("</script>", begin);
  const Json data = Json::parse(page.substr(begin, end - begin));
  const Json& device = data["devices"][0];
  EXPECT_EQ(device["recordings"].size(), 3u);
  EXPECT_EQ(device["recordings"][1]["name"], "VkCommandBuffer 0x1[\"frame\" </script>\uFFFD]");
  EXPECT_EQ(device["recordings"][1]["executed"], (Json{3, 0}));
  EXPECT_EQ(device["batches"].size(), 3u);
  EXPECT_EQ(device["batches"][2]["waits"][0][4], (Json{0}));
  EXPECT_EQ(device["frames"].size(), 1u);
  EXPECT_EQ(device["arrows"], (Json{0, 1, 2}));
  EXPECT_EQ(device["resources"].size(), 3u);
}
// The page is self-contained: it refers to nothing that a browser would fetch.
TEST(TracePage, NeedsNoNetwork) {
  std::ostringstream out;
  WriteTracePage({}, out);
  const std::string page = out.str();
  for (const char* word : {"http:", "https:", "src=", "@import", "url("}) {
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace assay::syncval::trace
