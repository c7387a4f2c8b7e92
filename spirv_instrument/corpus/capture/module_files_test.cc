// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/capture/module_files.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::spirv_instrument::corpus {
namespace {

std::filesystem::path NewFolder() {
  const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

std::set<std::string> NamesIn(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

TEST(ModuleFilesTest, NameIsHashAndSize) {
  const uint32_t words[] = {0x07230203, 0x00010000};
  const std::string name = ModuleFileName(words, sizeof(words));
  EXPECT_EQ(name.size(), 16 + std::string("_8.spv").size());
  EXPECT_TRUE(name.ends_with("_8.spv"));
  EXPECT_EQ(name, ModuleFileName(words, sizeof(words)));
  EXPECT_NE(name, ModuleFileName(words, 4));
  // The hash of no bytes is where FNV-1a begins.
  EXPECT_EQ(ModuleFileName(words, 0), "cbf29ce484222325_0.spv");
}

TEST(ModuleFilesTest, WritesEachModuleOnce) {
  const std::filesystem::path folder = NewFolder();
  const std::vector<uint32_t> one = {1, 2, 3};
  const std::vector<uint32_t> other = {1, 2, 4};
  WriteModule(folder.string(), one.data(), 12);
  WriteModule(folder.string(), other.data(), 12);
  WriteModule(folder.string(), one.data(), 12);
  EXPECT_EQ(NamesIn(folder), (std::set<std::string>{ModuleFileName(one.data(), 12), ModuleFileName(other.data(), 12)}));
  std::ifstream file(folder / ModuleFileName(other.data(), 12), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(bytes, std::string("\1\0\0\0\2\0\0\0\4\0\0\0", 12));
}

TEST(ModuleFilesTest, MissingFolderIsReported) {
  const uint32_t word = 1;
  testing::internal::CaptureStderr();
  WriteModule("/nonexistent", &word, 4);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("/nonexistent"), std::string::npos);
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus
