// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/system_access.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::dispatch {
namespace {

using ::testing::Contains;
using ::testing::Pair;

TEST(ProcessHost, Environment) {
  setenv("VK_ASSAY_TEST", "a=b", 1);
  EXPECT_THAT(ProcessHost().Environment(), Contains(Pair("VK_ASSAY_TEST", "a=b")));
  unsetenv("VK_ASSAY_TEST");
}

TEST(ProcessHost, Files) {
  const std::string directory = testing::TempDir();
  const std::string path = directory + "/assay_host_test.txt";
  const std::string written(10000, 'x');
  std::ofstream(path) << written;
  std::string contents = "before", error;
  EXPECT_EQ(ProcessHost().Kind(path), Host::FileKind::kFile);
  EXPECT_EQ(ProcessHost().Kind(directory), Host::FileKind::kDirectory);
  EXPECT_TRUE(ProcessHost().ReadFile(path, &contents, &error));
  EXPECT_EQ(contents, written);
}

TEST(ProcessHost, FilesThatCannotBeRead) {
  std::string contents, error;
  EXPECT_EQ(ProcessHost().Kind("/nonexistent"), Host::FileKind::kAbsent);
  EXPECT_FALSE(ProcessHost().ReadFile("/nonexistent", &contents, &error));
  EXPECT_EQ(error, "No such file or directory");
  EXPECT_FALSE(ProcessHost().ReadFile(testing::TempDir(), &contents, &error));
  EXPECT_EQ(error, "Is a directory");
}

}  // namespace
}  // namespace assay::dispatch
