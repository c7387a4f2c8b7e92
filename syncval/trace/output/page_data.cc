// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/output/page_data.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "syncval/trace/output/json_text.h"
#include "syncval/trace/output/trace_text.h"
#include "syncval/trace/timeline/barrier_analysis.h"
#include "syncval/trace/timeline/barrier_text.h"
#include "syncval/trace/timeline/placement.h"

namespace assay::syncval::trace {
namespace {

// Numbers values in the order of their first request.
template <class Key>
class Numbering {
 public:
  uint32_t Of(const Key& key) {
    const auto [at, is_new] = numbers_.try_emplace(key, static_cast<uint32_t>(keys_.size()));
    if (is_new) keys_.push_back(key);
    return at->second;
  }
  const std::vector<Key>& keys() const { return keys_; }

 private:
  absl::flat_hash_map<Key, uint32_t> numbers_;
  std::vector<Key> keys_;
};

class DeviceWriter {
 public:
  DeviceWriter(const Timeline& timeline, std::ostream& out) : timeline_(timeline), out_(out), placement_(timeline) {
    texts_.Of("");
  }

  void Write() {
    for (const TracedBatch& batch : timeline_.batches()) {
      for (const RecordedTraceRef& trace : batch.command_buffers) {
        if (trace != nullptr) NumberRecording(*trace);
      }
    }
    out_ << R"({"name":)" << Quoted(timeline_.device) << R"(,"end":)" << placement_.end() << R"(,"dropped":)"
         << Quoted(DroppedText(timeline_));
    Member("queues");
    WriteArray(out_, timeline_.queues, [&](const TracedQueue& queue) { out_ << Quoted(QueueText(queue)); });
    Member("recordings");
    WriteArray(out_, recordings_.keys(), [&](const RecordedTrace* trace) { WriteRecording(*trace); });
    WriteBatches();
    Member("frames");
    WriteArray(out_, placement_.frames(),
               [&](const Frame& frame) { WriteNumbers({frame.span.begin, frame.span.end}); });
    WriteBarrierFindings();
    Member("hazards");
    WriteArray(out_, timeline_.hazards(), [&](const TimelineHazard& hazard) { WriteHazard(hazard); });
    // Last, since the rest numbers them.
    Member("resources");
    WriteArray(out_, resources_, [&](const TracedResource* resource) {
      out_ << '[' << Quoted(resource->name) << ',' << Quoted(resource->description) << ']';
    });
    Member("commandNames");
    WriteArray(out_, commands_.keys(), [&](vk::CommandId id) { out_ << Quoted(NameOf(id)); });
    Member("accessNames");
    WriteArray(out_, vk::SyncStageAccesses(), [&](const vk::SyncStageAccessInfo& info) {
      out_ << '[' << Quoted(info.name) << ',' << (info.is_write ? 1 : 0) << ']';
    });
    Member("texts");
    WriteArray(out_, texts_.keys(), [&](const std::string& text) { out_ << Quoted(text); });
    out_ << '}';
  }

 private:
  void Member(std::string_view name) { out_ << ",\"" << name << "\":"; }
  void WriteNumbers(std::initializer_list<uint64_t> values) { trace::WriteNumbers(out_, values); }

  // Secondaries come before the recordings that execute them.
  uint32_t NumberRecording(const RecordedTrace& trace) {
    for (const RecordedTrace::Executed& part : trace.executed) NumberRecording(*part.trace);
    return recordings_.Of(&trace);
  }

  uint32_t NumberResource(const TracedResource& resource) {
    const auto [at, is_new] = resource_numbers_.try_emplace(
        std::pair(static_cast<uint32_t>(resource.type), resource.handle), static_cast<uint32_t>(resources_.size()));
    if (is_new) resources_.push_back(&resource);
    return at->second;
  }
  // -1 for none.
  int64_t ResourceOf(const RecordedTrace& trace, uint32_t resource) {
    return resource == kNone ? -1 : int64_t{NumberResource(trace.resources[resource])};
  }

  uint32_t TextOf(const RecordedTrace& trace, TextIndex text) { return texts_.Of(trace.texts[text]); }

  // Arrays are flat. page/model.js has the numbers of each element.
  void WriteRecording(const RecordedTrace& trace) {
    out_ << R"({"name":)" << Quoted(trace.name);
    Member("ids");
    WriteArray(out_, trace.ids, [&](vk::CommandId id) { out_ << commands_.Of(id); });
    Member("positions");
    trace::WriteNumbers(out_, trace.positions);
    Member("firstAccess");
    trace::WriteNumbers(out_, trace.first_access);
    Member("firstBarrier");
    trace::WriteNumbers(out_, trace.first_barrier);
    Member("accesses");
    WriteArray(out_, trace.accesses, [&](const TracedAccess& access) {
      out_ << ResourceOf(trace, access.resource) << ',' << static_cast<int>(access.access) << ','
           << TextOf(trace, access.where) << ',' << (access.is_possible_read ? 1 : 0);
    });
    Member("barriers");
    WriteArray(out_, trace.barriers, [&](const TracedBarrier& barrier) {
      out_ << ResourceOf(trace, barrier.resource) << ',' << texts_.Of(BarrierText(trace, barrier, barrier.flags));
    });
    Member("regions");
    WriteArray(out_, trace.regions, [&](const TracedRegion& region) {
      out_ << static_cast<int>(region.kind) << ',' << TextOf(trace, region.name) << ',' << region.first_command << ','
           << region.end_command << ',' << region.depth;
    });
    Member("unknown");
    trace::WriteNumbers(out_, trace.unknown);
    Member("hazards");
    WriteArray(out_, trace.hazards, [&](const TracedHazard& hazard) {
      out_ << TextOf(trace, hazard.id) << ',' << TextOf(trace, hazard.text) << ',' << TextOf(trace, hazard.fix) << ','
           << hazard.command << ',' << (hazard.prior_command == kNone ? -1 : int64_t{hazard.prior_command}) << ','
           << ResourceOf(trace, hazard.resource);
    });
    Member("executed");
    WriteArray(out_, trace.executed, [&](const RecordedTrace::Executed& part) {
      out_ << part.command << ',' << NumberRecording(*part.trace);
    });
    out_ << '}';
  }

  void WriteBatches() {
    Member("batches");
    out_ << '[';
    for (uint32_t i = 0; i < timeline_.batches().size(); ++i) {
      if (i != 0) out_ << ',';
      WriteBatch(timeline_.batches()[i], placement_.batches()[i]);
    }
    out_ << ']';
  }

  void WriteBatch(const TracedBatch& batch, const PlacedBatch& placed) {
    out_ << R"({"queue":)" << batch.point.queue << R"(,"name":)" << Quoted(BatchText(batch)) << R"(,"time":)"
         << batch.host_time << R"(,"begin":)" << placed.span.begin << R"(,"end":)" << placed.span.end;
    Member("commandBuffers");
    WriteArray(out_, batch.command_buffers, [&](const RecordedTraceRef& trace) {
      out_ << (trace != nullptr ? int64_t{NumberRecording(*trace)} : -1);
    });
    Member("waits");
    WriteArray(out_, batch.waits, [&](const TracedWait& wait) {
      out_ << '[' << Quoted(wait.semaphore) << ',' << wait.value << ',' << Quoted(StagesText(wait.stages)) << ','
           << Quoted(wait.acquired) << ',';
      WriteArray(out_, wait.sources, [&](const BatchPoint& source) { out_ << BatchNumber(source); });
      out_ << ']';
    });
    Member("signals");
    WriteArray(out_, batch.signals, [&](const TracedSignal& signal) {
      out_ << '[' << Quoted(signal.semaphore) << ',' << signal.value << ',' << Quoted(StagesText(signal.stages)) << ']';
    });
    Member("presents");
    WriteArray(out_, batch.presents, [&](const std::string& image) { out_ << Quoted(image); });
    out_ << '}';
  }
  int64_t BatchNumber(const BatchPoint& point) const {
    const uint32_t number = placement_.Find(point);
    return number == kNone ? -1 : int64_t{number};
  }

  void WriteBarrierFindings() {
    const BarrierAnalysis found = AnalyzeBarriers(timeline_);
    Member("unknownCommands");
    out_ << found.unknown_commands;
    Member("arrows");
    WriteArray(out_, found.arrows,
               [&](const BarrierArrow& arrow) { out_ << arrow.earlier << ',' << arrow.barrier << ',' << arrow.later; });
    Member("barrierFindings");
    WriteArray(out_, found.findings, [&](const BarrierFinding& finding) {
      const TracedBarrier& barrier = finding.trace->barriers[finding.barrier];
      const bool is_wider = finding.verdict == BarrierFinding::Verdict::kWider;
      out_ << R"({"wider":)" << (is_wider ? "true" : "false") << R"(,"recording":)" << recordings_.Of(finding.trace)
           << R"(,"command":)" << finding.command << R"(,"executions":)" << finding.executions << R"(,"batch":)"
           << finding.first_batch << R"(,"resource":)" << ResourceOf(*finding.trace, barrier.resource) << R"(,"open":)"
           << (finding.is_open ? "true" : "false") << R"(,"text":)"
           << texts_.Of(BarrierText(*finding.trace, barrier, barrier.flags)) << R"(,"narrower":)"
           << (is_wider ? texts_.Of(BarrierText(*finding.trace, barrier, finding.needed)) : 0) << '}';
    });
  }

  void WritePoint(const CommandPoint& point) {
    out_ << '[' << (point.batch.serial == 0 ? -1 : BatchNumber(point.batch)) << ','
         << (point.command_buffer == kNone ? -1 : int64_t{point.command_buffer}) << ',' << point.command << ']';
  }
  void WriteHazard(const TimelineHazard& hazard) {
    out_ << R"({"id":)" << Quoted(hazard.id) << R"(,"text":)" << Quoted(hazard.text) << R"(,"fix":)"
         << Quoted(hazard.fix) << R"(,"resource":)" << Quoted(hazard.resource) << R"(,"at":)";
    WritePoint(hazard.at);
    Member("prior");
    WritePoint(hazard.prior);
    out_ << '}';
  }

  const Timeline& timeline_;
  std::ostream& out_;
  const Placement placement_;
  Numbering<std::string> texts_;
  Numbering<const RecordedTrace*> recordings_;
  Numbering<vk::CommandId> commands_;
  absl::flat_hash_map<std::pair<uint32_t, uint64_t>, uint32_t> resource_numbers_;
  std::vector<const TracedResource*> resources_;
};

}  // namespace

void WritePageData(const std::vector<const Timeline*>& timelines, std::ostream& out) {
  out << R"({"devices":)";
  WriteArray(out, timelines, [&](const Timeline* timeline) { DeviceWriter(*timeline, out).Write(); });
  out << '}';
}

}  // namespace assay::syncval::trace
