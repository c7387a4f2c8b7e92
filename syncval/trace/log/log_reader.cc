// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/log/log_reader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "syncval/trace/log/archive.h"
#include "syncval/trace/log/fields.h"
#include "syncval/trace/log/log_format.h"
#include "syncval/trace/log/recording_check.h"

namespace assay::syncval::trace {
namespace {

// Adds records to a run.
class LogReader {
 public:
  // False for a record that the layer does not write. Then nothing has changed.
  bool Read(std::string_view bytes) {
    if (bytes.empty()) return false;
    const auto kind = static_cast<RecordKind>(bytes.front());
    FieldReader fields(bytes.substr(1), recordings_);
    if (kind == RecordKind::kRecording) return ReadRecording(fields);
    DeviceNumber number = 0;
    fields.Number(number);
    if (kind == RecordKind::kDevice) return ReadDevice(number, fields);
    Timeline* const timeline = run_.Find(number);
    if (timeline == nullptr) return false;
    switch (kind) {
      case RecordKind::kQueue:
        return ReadQueue(*timeline, fields);
      case RecordKind::kBatch:
        return ReadBatch(*timeline, fields);
      case RecordKind::kHazard:
        return ReadHazard(*timeline, fields);
      case RecordKind::kEnd:
        if (!fields.IsWhole()) return false;
        run_.End(number);
        return true;
      default:
        return false;
    }
  }

  TracedRun TakeRun() { return std::move(run_); }

 private:
  // More than any device has. The outputs have something for each.
  static constexpr uint32_t kMaxQueues = 4096;

  bool ReadRecording(FieldReader& fields) {
    auto recording = std::make_shared<RecordedTrace>();
    Fields(fields, *recording);
    if (!fields.IsWhole() || !weights_.Add(*recording)) return false;
    recordings_.push_back(std::move(recording));
    return true;
  }

  bool ReadDevice(DeviceNumber number, FieldReader& fields) {
    std::string name;
    uint32_t limit = 0;
    uint64_t dropped_batches = 0, dropped_commands = 0;
    fields.Text(name);
    fields.Number(limit);
    fields.Number(dropped_batches);
    fields.Number(dropped_commands);
    if (!fields.IsWhole() || run_.Find(number) != nullptr) return false;
    Timeline timeline(limit, dropped_batches, dropped_commands);
    timeline.device = std::move(name);
    run_.Begin(number, std::move(timeline));
    return true;
  }

  static bool ReadQueue(Timeline& timeline, FieldReader& fields) {
    uint32_t index = 0;
    TracedQueue queue;
    fields.Number(index);
    Fields(fields, queue);
    if (!fields.IsWhole() || index >= kMaxQueues) return false;
    timeline.SetQueue(index, std::move(queue));
    return true;
  }

  bool ReadBatch(Timeline& timeline, FieldReader& fields) const {
    TracedBatch batch;
    Fields(fields, batch);
    if (!fields.IsWhole() || batch.point.queue >= timeline.queues.size() || !IsCommand(batch.command) ||
        !weights_.Allow(batch)) {
      return false;
    }
    timeline.Add(std::move(batch));
    return true;
  }

  static bool ReadHazard(Timeline& timeline, FieldReader& fields) {
    TimelineHazard hazard;
    Fields(fields, hazard);
    if (!fields.IsWhole()) return false;
    timeline.Add(std::move(hazard));
    return true;
  }

  TracedRun run_;
  std::vector<RecordedTraceRef> recordings_;
  RecordingWeights weights_;
};

LogState StateOfHeader(std::string_view log) {
  const std::string header = LogHeader();
  if (log.starts_with(header)) return LogState::kWhole;
  if (!log.starts_with(kLogName)) return LogState::kNoLog;
  return log.size() < header.size() ? LogState::kCut : LogState::kOtherVersion;
}

}  // namespace

LogContents ReadLog(std::string_view log) {
  LogContents contents{.state = StateOfHeader(log)};
  if (contents.state != LogState::kWhole) return contents;
  LogReader reader;
  std::string_view rest = log.substr(LogHeader().size());
  for (contents.size = log.size() - rest.size(); !rest.empty(); contents.size = log.size() - rest.size()) {
    contents.state = LogState::kCut;
    if (rest.size() < kFrameSize) break;
    const uint32_t size = TakeNumber(rest);
    const uint32_t checksum = TakeNumber(rest);
    if (size > rest.size()) break;
    const std::string_view record = rest.substr(0, size);
    contents.state = LogState::kDamaged;
    if (checksum != ChecksumOf(record) || !reader.Read(record)) break;
    contents.state = LogState::kWhole;
    rest.remove_prefix(size);
  }
  contents.run = reader.TakeRun();
  return contents;
}

}  // namespace assay::syncval::trace
