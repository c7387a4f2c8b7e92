// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/output/trace_json.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "syncval/trace/output/json_text.h"
#include "syncval/trace/output/trace_text.h"
#include "syncval/trace/timeline/barrier_analysis.h"
#include "syncval/trace/timeline/barrier_text.h"
#include "syncval/trace/timeline/placement.h"

namespace assay::syncval::trace {
namespace {

constexpr uint32_t kFrameThread = 0;

// A place in the trace.
struct Place {
  uint32_t thread = 0;
  uint64_t tick = 0;
};

class DeviceWriter {
 public:
  // is_first: no event was written yet.
  DeviceWriter(const Timeline& timeline, uint32_t process, std::ostream& out, bool& is_first, uint64_t& next_flow)
      : timeline_(timeline),
        process_(process),
        out_(out),
        is_first_(is_first),
        next_flow_(next_flow),
        placement_(timeline) {}

  void Write() {
    WriteNames();
    for (const Frame& frame : placement_.frames())
      Slice(kFrameThread, frame.span, absl::StrCat("frame ", frame.number), "frame", "{}");
    for (uint32_t i = 0; i < timeline_.batches().size(); ++i) WriteBatch(i);
    for (const BarrierArrow& arrow : AnalyzeBarriers(timeline_).arrows) {
      Flow("barrier", commands_[arrow.earlier], commands_[arrow.barrier]);
      Flow("barrier", commands_[arrow.barrier], commands_[arrow.later]);
    }
    for (const TimelineHazard& hazard : timeline_.hazards()) WriteHazard(hazard);
  }

 private:
  static uint32_t ThreadOf(uint32_t queue) { return queue + 1; }

  // Begins an event with the members that all events have. Further members begin with a comma.
  std::ostream& Begin(char phase, uint32_t thread) {
    out_ << (is_first_ ? "\n" : ",\n") << R"({"ph":")" << phase << R"(","pid":)" << process_ << R"(,"tid":)" << thread;
    is_first_ = false;
    return out_;
  }

  void Metadata(std::string_view what, uint32_t thread, std::string_view name) {
    Begin('M', thread) << R"(,"name":")" << what << R"(","args":{"name":)" << Quoted(name) << "}}";
  }

  void Slice(uint32_t thread, const Span& span, std::string_view name, std::string_view category,
             std::string_view arguments) {
    Begin('X', thread) << R"(,"ts":)" << span.begin << R"(,"dur":)" << span.end - span.begin << R"(,"name":)"
                       << Quoted(name) << R"(,"cat":")" << category << R"(","args":)" << arguments << "}";
  }

  void Flow(std::string_view name, const Place& from, const Place& to) {
    const uint64_t id = next_flow_++;
    Begin('s', from.thread) << R"(,"ts":)" << from.tick << R"(,"id":)" << id << R"(,"name":")" << name << R"(","cat":")"
                            << name << R"("})";
    Begin('f', to.thread) << R"(,"ts":)" << to.tick << R"(,"id":)" << id << R"(,"bp":"e","name":")" << name
                          << R"(","cat":")" << name << R"("})";
  }

  void Instant(const Place& place, std::string_view name, std::string_view arguments) {
    Begin('i', place.thread) << R"(,"ts":)" << place.tick << R"(,"s":"t","name":)" << Quoted(name)
                             << R"(,"cat":"hazard","args":)" << arguments << "}";
  }

  void WriteNames() {
    const std::string dropped = DroppedText(timeline_);
    Metadata("process_name", kFrameThread, dropped.empty() ? timeline_.device : timeline_.device + " " + dropped);
    Metadata("thread_name", kFrameThread, "frames");
    for (uint32_t i = 0; i < timeline_.queues.size(); ++i)
      Metadata("thread_name", ThreadOf(i), QueueText(timeline_.queues[i]));
  }

  void WriteBatch(uint32_t number) {
    const TracedBatch& batch = timeline_.batches()[number];
    const PlacedBatch& placed = placement_.batches()[number];
    const uint32_t thread = ThreadOf(batch.point.queue);
    Slice(thread, placed.span, BatchText(batch), batch.presents.empty() ? "submission" : "present",
          BatchArguments(batch));
    for (const TracedWait& wait : batch.waits) {
      for (const BatchPoint& source : wait.sources) {
        const uint32_t from = placement_.Find(source);
        if (from == kNone) continue;
        Flow("semaphore", {ThreadOf(source.queue), placement_.batches()[from].span.end - 1},
             {thread, placed.span.begin});
      }
    }
    for (size_t i = 0; i < batch.command_buffers.size(); ++i) {
      if (batch.command_buffers[i] != nullptr)
        WriteRecording(*batch.command_buffers[i], thread, placed.command_buffers[i]);
    }
  }

  std::string BatchArguments(const TracedBatch& batch) const {
    std::string text = absl::StrCat(R"({"host time in us":)", batch.host_time / 1000);
    for (size_t i = 0; i < batch.waits.size(); ++i) {
      const TracedWait& wait = batch.waits[i];
      absl::StrAppend(&text, R"(,"wait )", i, "\":",
                      Quoted(absl::StrCat(SemaphoreText(wait.semaphore, wait.value), " at ", StagesText(wait.stages),
                                          wait.acquired.empty() ? "" : ", for " + wait.acquired)));
    }
    for (size_t i = 0; i < batch.signals.size(); ++i) {
      const TracedSignal& signal = batch.signals[i];
      absl::StrAppend(
          &text, R"(,"signal )", i, "\":",
          Quoted(absl::StrCat(SemaphoreText(signal.semaphore, signal.value), " after ", StagesText(signal.stages))));
    }
    for (size_t i = 0; i < batch.presents.size(); ++i)
      absl::StrAppend(&text, R"(,"present )", i, "\":", Quoted(batch.presents[i]));
    return text + "}";
  }
  static std::string SemaphoreText(const std::string& semaphore, uint64_t value) {
    return value != 0 ? absl::StrCat(semaphore, " value ", value) : semaphore;
  }

  void WriteRecording(const RecordedTrace& trace, uint32_t thread, const Span& span) {
    Slice(thread, span, trace.name, "command buffer", "{}");
    WriteRegions(trace, thread, span.begin);
    const std::vector<uint32_t> offsets = OffsetsOf(trace);
    size_t next_executed = 0;
    for (uint32_t i = 0; i < trace.size(); ++i) {
      const Span at{span.begin + offsets[i], span.begin + offsets[i + 1]};
      commands_.push_back({thread, at.begin});
      Slice(thread, at, NameOf(trace.ids[i]), "command", CommandArguments(trace, i));
      uint64_t begin = at.begin + 1;
      for (; next_executed < trace.executed.size() && trace.executed[next_executed].command == i; ++next_executed) {
        const RecordedTrace& secondary = *trace.executed[next_executed].trace;
        // An empty region takes no tick, and such a slice is invisible.
        if (secondary.total_size() != 0) WriteRecording(secondary, thread, {begin, begin + secondary.total_size()});
        begin += secondary.total_size();
      }
    }
    for (const TracedHazard& hazard : trace.hazards) {
      Instant({thread, span.begin + offsets[hazard.command]}, trace.texts[hazard.id],
              HazardArguments(trace.texts[hazard.text], trace.texts[hazard.fix]));
    }
  }

  // Slices nest by their times; of two that begin together the longer one must come first.
  void WriteRegions(const RecordedTrace& trace, uint32_t thread, uint64_t begin) {
    const std::vector<uint32_t> offsets = OffsetsOf(trace);
    std::vector<const TracedRegion*> regions;
    regions.reserve(trace.regions.size());
    for (const TracedRegion& region : trace.regions) regions.push_back(&region);
    std::ranges::sort(regions, [](const TracedRegion* a, const TracedRegion* b) {
      return std::pair(a->first_command, a->depth) < std::pair(b->first_command, b->depth);
    });
    for (const TracedRegion* region : regions) {
      Slice(thread, {begin + offsets[region->first_command], begin + offsets[region->end_command]},
            trace.texts[region->name], region->kind == TracedRegion::Kind::kLabel ? "label" : "pass", "{}");
    }
  }

  static std::string CommandArguments(const RecordedTrace& trace, uint32_t command) {
    std::string text = absl::StrCat(R"({"command":)", trace.positions[command]);
    for (uint32_t i = trace.first_access[command]; i < trace.first_access[command + 1]; ++i) {
      absl::StrAppend(&text, R"(,"access )", i - trace.first_access[command],
                      "\":", Quoted(AccessText(trace, trace.accesses[i])));
    }
    for (uint32_t i = trace.first_barrier[command]; i < trace.first_barrier[command + 1]; ++i) {
      const TracedBarrier& barrier = trace.barriers[i];
      absl::StrAppend(&text, R"(,"barrier )", i - trace.first_barrier[command],
                      "\":", Quoted(BarrierText(trace, barrier, barrier.flags)));
    }
    return text + "}";
  }

  static std::string HazardArguments(std::string_view text, std::string_view fix) {
    return absl::StrCat(R"({"text":)", Quoted(text), R"(,"fix":)", Quoted(fix), "}");
  }

  void WriteHazard(const TimelineHazard& hazard) {
    const uint32_t number = placement_.Find(hazard.at.batch);
    if (number == kNone) return;
    const PlacedBatch& placed = placement_.batches()[number];
    uint64_t tick = placed.span.begin;
    if (hazard.at.command_buffer < placed.command_buffers.size()) {
      const RecordedTraceRef& trace = timeline_.batches()[number].command_buffers[hazard.at.command_buffer];
      tick = placed.command_buffers[hazard.at.command_buffer].begin;
      if (trace != nullptr && hazard.at.command < trace->size()) tick += OffsetsOf(*trace)[hazard.at.command];
    }
    Instant({ThreadOf(hazard.at.batch.queue), tick}, hazard.id, HazardArguments(hazard.text, hazard.fix));
  }

  const Timeline& timeline_;
  const uint32_t process_;
  std::ostream& out_;
  bool& is_first_;
  uint64_t& next_flow_;
  const Placement placement_;
  // As BarrierArrow numbers them.
  std::vector<Place> commands_;
};

}  // namespace

void WriteTraceJson(const std::vector<const Timeline*>& timelines, std::ostream& out) {
  out << R"({"displayTimeUnit":"ns","otherData":{"clock":"logical: one microsecond a command"},"traceEvents":[)";
  bool is_first = true;
  uint64_t next_flow = 1;
  for (size_t i = 0; i < timelines.size(); ++i)
    DeviceWriter(*timelines[i], static_cast<uint32_t>(i) + 1, out, is_first, next_flow).Write();
  out << "\n]}\n";
}

}  // namespace assay::syncval::trace
