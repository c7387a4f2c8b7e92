// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/log/log_reader.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/trace/log/log_encoder.h"
#include "syncval/trace/log/log_format.h"
#include "syncval/trace/log/sample_run.h"

namespace assay::syncval::trace {
namespace {

std::string LogOf(const TracedRun& run) {
  std::string log = LogHeader();
  LogEncoder encoder;
  encoder.AddRun(run, log, [] {});
  return log;
}

TracedRun SampleRun() {
  TracedRun run;
  for (DeviceNumber device = 1; device <= 2; ++device) {
    run.Begin(device, SampleTimeline(1000));
    Timeline& timeline = *run.Find(device);
    for (uint32_t queue = 0; queue < 2; ++queue)
      timeline.SetQueue(queue, {"VkQueue " + std::to_string(queue), queue, VK_QUEUE_GRAPHICS_BIT});
    const RecordedTraceRef frame = SampleRecording();
    timeline.Add(SampleBatch({0, 1}, {frame}));
    timeline.Add(SampleHazard({1, 1}, {0, 1}));
    timeline.Add(SampleBatch({1, 1}, {nullptr, SampleRecording("VkCommandBuffer 0x5")}));
    timeline.Add(SampleBatch({0, 2}, {frame, frame}));
  }
  run.End(1);
  return run;
}

// The records of a log: kinds and fields, without frames.
std::vector<std::string> RecordsOf(std::string_view log) {
  std::vector<std::string> records;
  log.remove_prefix(LogHeader().size());
  while (!log.empty()) {
    const uint32_t size = TakeNumber(log);
    TakeNumber(log);
    records.emplace_back(log.substr(0, size));
    log.remove_prefix(size);
  }
  return records;
}

std::string LogOf(const std::vector<std::string>& records) {
  std::string log = LogHeader();
  for (const std::string& record : records) AppendRecord(record, log);
  return log;
}

TEST(LogReader, ReadsWhatWasWritten) {
  const TracedRun run = SampleRun();
  const std::string log = LogOf(run);
  const LogContents contents = ReadLog(log);
  EXPECT_EQ(contents.state, LogState::kWhole);
  EXPECT_EQ(contents.size, log.size());
  EXPECT_TRUE(OutputsOf(contents.run) == OutputsOf(run));
  EXPECT_TRUE(LogOf(contents.run) == log);
}

// A process can be killed at each byte.
TEST(LogReader, ReadsWholeRecordsOfACutLog) {
  const std::string log = LogOf(SampleRun());
  const std::vector<std::string> records = RecordsOf(log);
  size_t next = 0, boundary = LogHeader().size(), last_boundary = boundary;
  for (size_t size = kLogName.size(); size <= log.size(); ++size) {
    const LogContents contents = ReadLog(std::string_view(log).substr(0, size));
    const bool is_boundary = size == boundary;
    if (is_boundary) {
      last_boundary = boundary;
      if (next < records.size()) boundary += kFrameSize + records[next++].size();
      OutputsOf(contents.run);
    }
    EXPECT_EQ(contents.state, is_boundary ? LogState::kWhole : LogState::kCut) << size;
    EXPECT_EQ(contents.size, size < LogHeader().size() ? 0 : last_boundary);
  }
  EXPECT_EQ(next, records.size());
}

TEST(LogReader, RecognizesOtherFiles) {
  std::string log = LogOf(SampleRun());
  EXPECT_EQ(ReadLog("").state, LogState::kNoLog);
  EXPECT_EQ(ReadLog("{\"traceEvents\":[]}").state, LogState::kNoLog);
  ++log[kLogName.size()];
  EXPECT_EQ(ReadLog(log).state, LogState::kOtherVersion);
}

TEST(LogReader, RecognizesDamage) {
  const std::string log = LogOf(SampleRun());
  for (size_t at = LogHeader().size(); at < log.size(); ++at) {
    std::string damaged = log;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    const LogContents contents = ReadLog(damaged);
    EXPECT_NE(contents.state, LogState::kWhole) << at;
    EXPECT_LE(contents.size, at);
  }
}

// Records with the right checksum, but not by the layer. What is read of them can be written.
TEST(LogReader, HostileRecords) {
  const std::vector<std::string> records = RecordsOf(LogOf(SampleRun()));
  std::mt19937_64 random(1);
  const auto below = [&](size_t limit) { return static_cast<size_t>(random() % limit); };
  // Small numbers and the largest are those that lead out of bounds.
  const auto byte = [&] {
    constexpr uint8_t kBytes[] = {0, 1, 2, 7, 8, 9, 0x7F, 0x80, 0xFF};
    return static_cast<char>(below(2) == 0 ? kBytes[below(std::size(kBytes))] : random());
  };
  int whole = 0;
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::string> hostile = records;
    for (size_t changes = 1 + below(3); changes > 0; --changes) {
      std::string& record = hostile[below(hostile.size())];
      const size_t at = below(record.size());
      switch (below(4)) {
        case 0:
          record.insert(at, 1 + below(8), byte());
          break;
        case 1:
          record.erase(at, 1 + below(4));
          if (record.empty()) record = "x";
          break;
        default:
          record[at] = byte();
      }
    }
    if (below(4) == 0) std::swap(hostile[below(hostile.size())], hostile[below(hostile.size())]);
    const LogContents contents = ReadLog(LogOf(hostile));
    if (contents.state == LogState::kWhole) ++whole;
    if (contents.state == LogState::kWhole || i % 16 == 0) OutputsOf(contents.run);
  }
  // Many changes are only of names.
  EXPECT_GT(whole, 200);
}

// A run of recordings of which each executes the one before it, each time `times`.
LogContents ReadNested(uint32_t recordings, size_t times) {
  TracedRun run;
  run.Begin(1, SampleTimeline(1000));
  run.Find(1)->SetQueue(0, {"VkQueue 0x1", 0, VK_QUEUE_GRAPHICS_BIT});
  std::string log = LogOf(run);
  LogEncoder encoder;
  std::vector<RecordedTraceRef> all = {RecordingBuilder().Copy(0, 1).Finish()};
  while (all.size() < recordings) {
    RecordingBuilder outer;
    outer.Execute(std::vector<RecordedTraceRef>(times, all.back()));
    all.push_back(outer.Finish());
  }
  for (const RecordedTraceRef& recording : all) encoder.Add(1, SampleBatch({0, 1}, {recording}), log);
  return ReadLog(log);
}

TEST(LogReader, NestedRecordings) {
  EXPECT_EQ(ReadNested(20, 1).state, LogState::kWhole);
  EXPECT_EQ(ReadNested(5, 3).state, LogState::kWhole);
  // 2 to the power of 60 commands, and a depth for which no stack is large enough.
  EXPECT_EQ(ReadNested(60, 2).state, LogState::kDamaged);
  EXPECT_EQ(ReadNested(2000, 1).state, LogState::kDamaged);
}

}  // namespace
}  // namespace assay::syncval::trace
