// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/log/trace_log.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "syncval/trace/log/log_reader.h"
#include "syncval/trace/log/sample_run.h"

namespace assay::syncval::trace {
namespace {

std::string TextOf(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

bool Exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

std::string Stem() {
  return std::string(std::getenv("TEST_TMPDIR")) + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
}

// A run with its log.
class LoggedRun {
 public:
  explicit LoggedRun(std::string stem, uint64_t slack = uint64_t{4} << 20) : log(std::move(stem), slack) {}

  void Begin(DeviceNumber device, uint32_t limit = 1000) {
    run.Begin(device, SampleTimeline(limit));
    log.Begin(device, run);
  }
  void SetQueue(DeviceNumber device, uint32_t index) {
    run.Find(device)->SetQueue(index, {"VkQueue 0x" + std::to_string(index), index, VK_QUEUE_TRANSFER_BIT});
    log.AddQueue(device, index, run);
  }
  void Submit(DeviceNumber device, BatchPoint point, std::vector<RecordedTraceRef> recordings) {
    run.Find(device)->Add(SampleBatch(point, std::move(recordings)));
    log.AddBatch(device, run);
  }
  void AddHazard(DeviceNumber device, BatchPoint at, BatchPoint prior) {
    run.Find(device)->Add(SampleHazard(at, prior));
    log.AddHazard(device, run);
  }
  void End(DeviceNumber device) {
    run.End(device);
    log.End(device, run);
  }

  // The log makes the same files as the run itself, byte for byte.
  void ExpectSameOutputs() {
    const LogContents contents = ReadLog(TextOf(log.path()));
    EXPECT_EQ(contents.state, LogState::kWhole);
    EXPECT_EQ(contents.size, log.size());
    EXPECT_TRUE(OutputsOf(contents.run) == OutputsOf(run));
  }

  TracedRun run;
  TraceLog log;
};

TEST(TraceLog, MakesTheSameOutputs) {
  LoggedRun logged(Stem());
  logged.Begin(1);
  logged.SetQueue(1, 0);
  const RecordedTraceRef frame = SampleRecording();
  logged.Submit(1, {0, 1}, {frame, nullptr});
  logged.ExpectSameOutputs();
  logged.SetQueue(1, 2);
  logged.Submit(1, {2, 1}, {SampleRecording("VkCommandBuffer 0x5"), frame});
  logged.AddHazard(1, {0, 2}, {2, 1});
  logged.Submit(1, {0, 2}, {frame});
  logged.ExpectSameOutputs();
  logged.Submit(1, {0, 3}, {});
  logged.ExpectSameOutputs();
}

TEST(TraceLog, SeveralDevices) {
  LoggedRun logged(Stem());
  for (DeviceNumber device = 1; device <= 4; ++device) {
    logged.Begin(device);
    if (device == 3) continue;
    logged.SetQueue(device, 0);
    logged.Submit(device, {0, 1}, {SampleRecording("VkCommandBuffer of " + std::to_string(device))});
    logged.ExpectSameOutputs();
  }
  logged.End(2);
  logged.ExpectSameOutputs();
  logged.End(1);
  logged.End(3);
  logged.ExpectSameOutputs();
  // What a log is made from anew: devices that ended, in their order, and one that lives.
  logged.log.Remove();
  logged.Submit(4, {0, 2}, {SampleRecording()});
  logged.ExpectSameOutputs();
  logged.End(4);
  logged.ExpectSameOutputs();
}

// What is dropped goes from the log, too.
TEST(TraceLog, IsBounded) {
  LoggedRun logged(Stem(), 0);
  logged.Begin(1, 100);
  logged.SetQueue(1, 0);
  uint64_t largest = 0;
  for (uint64_t serial = 1; serial <= 500; ++serial) {
    logged.AddHazard(1, {0, serial}, {0, 1});
    logged.Submit(1, {0, serial}, {SampleRecording()});
    largest = std::max(largest, logged.log.size());
    if (serial % 50 == 0) logged.ExpectSameOutputs();
  }
  EXPECT_NE(logged.run.Find(1)->dropped_batches(), 0u);
  TraceLog fresh(Stem() + ".fresh");
  fresh.AddBatch(1, logged.run);
  EXPECT_LT(largest, 3 * fresh.size());
  EXPECT_FALSE(Exists(logged.log.path() + ".new"));
}

TEST(TraceLog, RecordingsAreThereOnce) {
  LoggedRun logged(Stem());
  logged.Begin(1);
  logged.SetQueue(1, 0);
  const RecordedTraceRef frame = SampleRecording();
  logged.Submit(1, {0, 1}, {frame});
  const uint64_t first = logged.log.size();
  logged.Submit(1, {0, 2}, {frame});
  EXPECT_LT(2 * (logged.log.size() - first), first);
}

// A recording that is gone and a new one may have the same address.
TEST(TraceLog, AddressesAreNoIdentity) {
  LoggedRun logged(Stem());
  logged.Begin(1, 1);
  logged.SetQueue(1, 0);
  for (uint64_t serial = 1; serial <= 20; ++serial) {
    logged.Submit(1, {0, serial}, {SampleRecording("VkCommandBuffer " + std::to_string(serial))});
    logged.ExpectSameOutputs();
  }
}

TEST(TraceLog, IsMadeByTheFirstSubmissionAndRemoved) {
  LoggedRun logged(Stem());
  logged.Begin(1);
  logged.SetQueue(1, 0);
  EXPECT_EQ(logged.log.path(), "");
  logged.Submit(1, {0, 1}, {SampleRecording()});
  const std::string path = logged.log.path();
  EXPECT_EQ(path, Stem() + "." + std::to_string(::getpid()) + ".log");
  EXPECT_TRUE(Exists(path));
  logged.log.Remove();
  EXPECT_FALSE(Exists(path));
  logged.Submit(1, {0, 2}, {SampleRecording()});
  EXPECT_EQ(logged.log.path(), path);
  logged.ExpectSameOutputs();
}

// Process ids come again.
TEST(TraceLog, LeavesTheLogsOfOthers) {
  const std::string other = LogPathOf(Stem());
  std::ofstream(other) << "of another";
  LoggedRun logged(Stem());
  logged.Begin(1);
  logged.SetQueue(1, 0);
  logged.Submit(1, {0, 1}, {SampleRecording()});
  EXPECT_NE(logged.log.path(), other);
  logged.ExpectSameOutputs();
  logged.log.Remove();
  EXPECT_EQ(TextOf(other), "of another");
}

TEST(TraceLog, ChildrenHaveTheirOwn) {
  LoggedRun logged(Stem());
  logged.Begin(1);
  logged.SetQueue(1, 0);
  logged.Submit(1, {0, 1}, {SampleRecording()});
  const std::string before = TextOf(logged.log.path());
  EXPECT_EXIT(
      {
        const std::string of_parent = logged.log.path();
        logged.Submit(1, {0, 2}, {SampleRecording()});
        logged.ExpectSameOutputs();
        const bool is_own = logged.log.path() != of_parent;
        logged.log.Remove();
        std::_Exit(is_own && !testing::Test::HasFailure() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        logged.log.Remove();
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EQ(TextOf(logged.log.path()), before);
}

TEST(TraceLog, CannotBeWritten) {
  LoggedRun logged(Stem() + "/no such folder/run");
  logged.Begin(1);
  logged.SetQueue(1, 0);
  logged.Submit(1, {0, 1}, {SampleRecording()});
  logged.Submit(1, {0, 2}, {SampleRecording()});
  EXPECT_EQ(logged.log.path(), "");
  logged.log.Remove();
}

// As on a full disk.
TEST(TraceLog, EndsWhereAWriteFails) {
  EXPECT_EXIT(
      {
        ::signal(SIGXFSZ, SIG_IGN);
        struct rlimit limit = {};
        limit.rlim_cur = limit.rlim_max = 20000;
        ::setrlimit(RLIMIT_FSIZE, &limit);
        LoggedRun logged(Stem());
        logged.Begin(1);
        logged.SetQueue(1, 0);
        for (uint64_t serial = 1; serial <= 1000; ++serial) logged.Submit(1, {0, serial}, {SampleRecording()});
        const LogContents contents = ReadLog(TextOf(logged.log.path()));
        EXPECT_EQ(contents.state, LogState::kCut);
        EXPECT_GT(contents.run.timelines().at(0)->batches().size(), 5u);
        OutputsOf(contents.run);
        std::_Exit(testing::Test::HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace assay::syncval::trace
