// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/log/log_encoder.h"

#include "syncval/trace/log/archive.h"
#include "syncval/trace/log/fields.h"

namespace assay::syncval::trace {
namespace {

constexpr size_t kLong = size_t{1} << 20;

}  // namespace

template <class Write>
void LogEncoder::AppendFields(RecordKind kind, Write&& write, std::string& log) {
  record_.assign(1, static_cast<char>(kind));
  const auto number = [&](const RecordedTrace& recording) { return known_[&recording].number; };
  FieldWriter writer(record_, number);
  write(writer);
  AppendRecord(record_, log);
}

void LogEncoder::Begin(DeviceNumber device, const Timeline& timeline, std::string& log) {
  AppendFields(
      RecordKind::kDevice,
      [&](FieldWriter& writer) {
        writer.Number(device);
        writer.Text(timeline.device);
        writer.Number(timeline.limit());
        writer.Number(timeline.dropped_batches());
        writer.Number(timeline.dropped_commands());
      },
      log);
}

void LogEncoder::AddQueue(DeviceNumber device, uint32_t index, const TracedQueue& queue, std::string& log) {
  AppendFields(
      RecordKind::kQueue,
      [&](FieldWriter& writer) {
        writer.Number(device);
        writer.Number(index);
        Fields(writer, queue);
      },
      log);
}

// Secondaries come before the recordings that execute them.
void LogEncoder::AddRecording(const RecordedTraceRef& recording, std::string& log) {
  if (recording == nullptr) return;
  if (const auto found = known_.find(recording.get());
      found != known_.end() && found->second.recording.lock() == recording) {
    return;
  }
  for (const RecordedTrace::Executed& part : recording->executed) AddRecording(part.trace, log);
  AppendFields(RecordKind::kRecording, [&](FieldWriter& writer) { Fields(writer, *recording); }, log);
  known_[recording.get()] = {recording, ++last_number_};
}

void LogEncoder::Add(DeviceNumber device, const TracedBatch& batch, std::string& log) {
  for (const RecordedTraceRef& recording : batch.command_buffers) AddRecording(recording, log);
  AppendFields(
      RecordKind::kBatch,
      [&](FieldWriter& writer) {
        writer.Number(device);
        Fields(writer, batch);
      },
      log);
}

void LogEncoder::Add(DeviceNumber device, const TimelineHazard& hazard, std::string& log) {
  AppendFields(
      RecordKind::kHazard,
      [&](FieldWriter& writer) {
        writer.Number(device);
        Fields(writer, hazard);
      },
      log);
}

void LogEncoder::End(DeviceNumber device, std::string& log) {
  AppendFields(RecordKind::kEnd, [&](FieldWriter& writer) { writer.Number(device); }, log);
}

void LogEncoder::AddDevice(const TracedRun::Device& device, std::string& log, absl::FunctionRef<void()> flush) {
  const Timeline& timeline = device.timeline;
  Begin(device.number, timeline, log);
  for (uint32_t i = 0; i < timeline.queues.size(); ++i) AddQueue(device.number, i, timeline.queues[i], log);
  for (const TracedBatch& batch : timeline.batches()) {
    Add(device.number, batch, log);
    if (log.size() >= kLong) flush();
  }
  for (const TimelineHazard& hazard : timeline.hazards()) {
    Add(device.number, hazard, log);
    if (log.size() >= kLong) flush();
  }
}

void LogEncoder::AddRun(const TracedRun& run, std::string& log, absl::FunctionRef<void()> flush) {
  for (const TracedRun::Device& device : run.ended()) {
    AddDevice(device, log, flush);
    End(device.number, log);
  }
  for (const TracedRun::Device& device : run.live()) AddDevice(device, log, flush);
  flush();
}

}  // namespace assay::syncval::trace
