// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// large_trace PATH: writes the page of an invented run. It has 100 frames of 1000 commands, on two queues, with a
// hazard in every tenth frame.

#include <fstream>
#include <string>

#include "syncval/trace/output/trace_page.h"
#include "syncval/trace/timeline/trace_builder.h"

namespace assay::syncval::trace {
namespace {

constexpr uint32_t kFrames = 100;
constexpr uint32_t kGraphicsCommands = 900;
constexpr uint32_t kComputeCommands = 100;
constexpr uint32_t kResources = 200;

// Groups of a barrier, two reads and a write, with a label for each hundred commands. The first group of the first
// recording is a render pass.
RecordedTraceRef MakeRecording(const std::string& name, uint32_t commands, uint32_t seed, bool has_hazard,
                               bool has_pass = false) {
  constexpr BarrierFlags kEverything = {kAllStages, kAllAccess, kAllStages, kAllAccess};
  RecordingBuilder recording(name);
  for (uint32_t i = 0; i < commands; ++i) {
    const uint32_t resource = (seed + i / 4) % kResources;
    switch (i % 4) {
      case 0:
        if (has_pass && i == 0) {
          recording.BeginRenderPass().Dependency(VK_SUBPASS_EXTERNAL, 0, kEverything);
        } else if (has_pass && i == 4) {
          recording.EndRenderPass().Dependency(0, VK_SUBPASS_EXTERNAL, kEverything);
        } else {
          recording.Barrier(kEverything, resource);
        }
        break;
      case 3:
        recording.Copy(resource, (resource + 1) % kResources);
        break;
      default:
        recording.Read(resource);
    }
    if (i % 100 == 99) recording.Region(TracedRegion::Kind::kLabel, "part " + std::to_string(i / 100), i - 99, i + 1);
  }
  if (has_hazard) recording.Hazard(5, 3, seed % kResources);
  return recording.Finish();
}

void WriteRun(std::ostream& out) {
  RunBuilder run(2);
  BatchPoint last_graphics{};
  for (uint32_t frame = 0; frame < kFrames; ++frame) {
    const std::string number = std::to_string(frame);
    const RecordedTraceRef compute =
        MakeRecording("VkCommandBuffer 0x2[simulate " + number + "]", kComputeCommands, frame * 7, false);
    const RecordedTraceRef graphics = MakeRecording("VkCommandBuffer 0x1[draw " + number + "]", kGraphicsCommands,
                                                    frame * 3, frame % 10 == 9, frame == 0);
    const BatchPoint simulated =
        run.Submit(1, {compute}, frame == 0 ? std::vector<BatchPoint>() : std::vector<BatchPoint>{last_graphics});
    last_graphics = run.Submit(0, {graphics}, {simulated});
    run.Present(0, {last_graphics});
  }
  WriteTracePage({&run.timeline}, out);
}

}  // namespace
}  // namespace assay::syncval::trace

int main(int, char** arguments) {
  std::ofstream out(arguments[1], std::ios::binary);
  assay::syncval::trace::WriteRun(out);
  return out.good() ? 0 : 1;
}
