// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/sinks/sarif_file.h"

#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "messages/message/message.h"
#include "nlohmann/json.hpp"
#include "testing/golden_file.h"

namespace assay::messages {
namespace {

std::string Contents(const std::string& path) {
  std::stringstream contents;
  contents << std::ifstream(path, std::ios::binary).rdbuf();
  return contents.str();
}

nlohmann::json Results(const std::string& path) {
  const nlohmann::json parsed = nlohmann::json::parse(Contents(path), nullptr, false);
  EXPECT_FALSE(parsed.is_discarded()) << Contents(path);
  return parsed.is_discarded() ? parsed : parsed["runs"][0]["results"];
}

std::string Path(std::string_view name) { return absl::StrCat(testing::TempDir(), "/", name, ".sarif"); }

Message CopyPastEnd() {
  return {.id = "VUID-vkCmdCopyBuffer-size-00115",
          .location = "vkCmdCopyBuffer(): pRegions[0].size",
          .text = "(4096) is larger than 1024.",
          .specification = "The size must be less.",
          .related_ids = {"VUID-vkCmdCopyBuffer-size-00116"},
          .fix = "Copy less.",
          .objects = {{VK_OBJECT_TYPE_COMMAND_BUFFER, 0x34}, {VK_OBJECT_TYPE_BUFFER, 0x12}},
          .queue_labels = {{"frame"}},
          .command_buffer_labels = {{"shadows"}},
          .properties = {{"left", "1024 bytes"}}};
}

TEST(SarifFile, Golden) {
  const std::string path = Path("golden");
  const auto file = SarifFile::Open(path);
  ASSERT_NE(file, nullptr);
  file->Add(CopyPastEnd(), std::vector<std::string>{"", "staging \"1\"\n\xff"});
  file->Add({.severity = Severity::kInformation, .text = "The layer is on."}, {});
  file->Add({.severity = Severity::kWarning, .id = "ASSAY-test", .text = "Known."}, {}, "It is \"known\".");
  file->Finish();
  EXPECT_TRUE(test::MatchesGolden("messages/sinks/goldens/run.sarif", Contents(path)));
}

TEST(SarifFile, IsValidAtAnyTime) {
  const std::string path = Path("any_time");
  const auto file = SarifFile::Open(path);
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(Results(path).size(), 0u);
  const std::vector<std::string> names = {"\xff\"\x01", "b"};
  for (size_t i = 1; i <= 3; ++i) {
    file->Add(CopyPastEnd(), names);
    EXPECT_EQ(Results(path).size(), i);
    file->Finish();
    EXPECT_EQ(Results(path).size(), i);
  }
}

TEST(SarifFile, InstancesShareTheRun) {
  const std::string path = Path("shared");
  std::ofstream(path) << "from an earlier run";
  const auto first = SarifFile::Open(path), second = SarifFile::Open(path);
  EXPECT_EQ(first, second);
  first->Add({.text = "a"}, {});
  second->Add({.text = "b"}, {});
  EXPECT_EQ(Results(path).size(), 2u);
}

TEST(SarifFile, Threads) {
  const std::string path = Path("threads");
  const auto file = SarifFile::Open(path);
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&file] {
      for (int i = 0; i < 50; ++i) file->Add({.id = "ASSAY-test", .text = "a"}, {});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Results(path).size(), 200u);
}

TEST(SarifFile, ThatCannotBeWritten) { EXPECT_EQ(SarifFile::Open("/nonexistent/run.sarif"), nullptr); }

}  // namespace
}  // namespace assay::messages
