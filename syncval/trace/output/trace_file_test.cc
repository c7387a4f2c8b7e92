// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/output/trace_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

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

// Each test has a folder of its own.
class TraceFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::string(std::getenv("TEST_TMPDIR")) + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directory(folder_);
  }

  static DeviceNumber BeginAndSubmit(TraceFile& file, const std::string& name) {
    const DeviceNumber device = file.Begin(name, 1000);
    file.SetQueue(device, 0, {.name = "VkQueue 0x1"});
    file.Add(device, SampleBatch({0, 1}, {SampleRecording()}));
    return device;
  }
  bool Exists(const std::string& name) const { return std::filesystem::exists(folder_ + "/" + name); }
  bool HasLog() const { return Exists(LogName()); }
  static std::string LogName() { return "run." + std::to_string(::getpid()) + ".log"; }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  // What the log makes; JSON and page are there one after the other.
  std::string OutputsOfLog() const { return OutputsOf(ReadLog(TextOf(Path(LogName()))).run); }
  std::string Files() const { return TextOf(Path("run.json")) + TextOf(Path("run.html")); }

  std::string folder_;
};

TEST_F(TraceFileTest, LogLastsWhileADeviceLives) {
  TraceFile& file = TraceFile::Of(Path("run.json"));
  EXPECT_EQ(file.FirstUnwritable(), "");
  const DeviceNumber first = BeginAndSubmit(file, "VkDevice 0x1");
  const DeviceNumber second = BeginAndSubmit(file, "VkDevice 0x2");
  EXPECT_TRUE(HasLog());
  EXPECT_FALSE(Exists("run.json"));
  EXPECT_FALSE(Exists("run.html"));
  file.End(first);
  EXPECT_TRUE(HasLog());
  EXPECT_TRUE(Files() == OutputsOfLog());
  file.End(second);
  EXPECT_FALSE(HasLog());
  // A later device is added to what there is.
  const DeviceNumber third = BeginAndSubmit(file, "VkDevice 0x3");
  EXPECT_TRUE(HasLog());
  const std::string expected = OutputsOfLog();
  for (const char* name : {"VkDevice 0x1", "VkDevice 0x2", "VkDevice 0x3"})
    EXPECT_NE(expected.find(name), std::string::npos);
  file.End(third);
  EXPECT_TRUE(Files() == expected);
  EXPECT_FALSE(HasLog());
}

// What cannot be written is not lost.
TEST_F(TraceFileTest, LogIsKeptWhereTheFilesCannotBeWritten) {
  TraceFile& file = TraceFile::Of(Path("run.json"));
  const DeviceNumber device = BeginAndSubmit(file, "VkDevice 0x1");
  std::filesystem::create_directory(Path("run.html"));
  file.End(device);
  EXPECT_TRUE(HasLog());
  EXPECT_NE(OutputsOfLog().find("VkDevice 0x1"), std::string::npos);
}

TEST_F(TraceFileTest, DevicesThatDoNotEnd) {
  TraceFile& file = TraceFile::Of(Path("run.json"));
  const DeviceNumber device = BeginAndSubmit(file, "VkDevice 0x1");
  const std::string expected = OutputsOfLog();
  file.WriteAtExit();
  EXPECT_TRUE(Files() == expected);
  EXPECT_FALSE(HasLog());
  // A thread may go on while the process ends.
  file.Add(device, SampleBatch({0, 2}, {}));
  file.End(device);
  EXPECT_FALSE(HasLog());
}

TEST_F(TraceFileTest, WorkingDirectoryChanges) {
  ASSERT_EQ(::chdir(folder_.c_str()), 0);
  TraceFile& file = TraceFile::Of("run.json");
  ASSERT_EQ(::chdir("/"), 0);
  const DeviceNumber device = BeginAndSubmit(file, "VkDevice 0x1");
  EXPECT_TRUE(HasLog());
  file.End(device);
  EXPECT_TRUE(Exists("run.json"));
  EXPECT_FALSE(HasLog());
}

TEST_F(TraceFileTest, FirstUnwritable) {
  EXPECT_EQ(TraceFile::Of(Path("none/run.json")).FirstUnwritable(), Path("none/run.json"));
  EXPECT_EQ(errno, ENOENT);
  std::filesystem::create_directory(Path("run.html"));
  EXPECT_EQ(TraceFile::Of(Path("run.json")).FirstUnwritable(), Path("run.html"));
  EXPECT_EQ(errno, EISDIR);
  // Looking makes no file.
  EXPECT_FALSE(Exists("run.json"));
}

}  // namespace
}  // namespace assay::syncval::trace
