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

TEST(ProcessSystemAccess, Environment) {
  setenv("VK_ASSAY_TEST", "a=b", 1);
  EXPECT_THAT(ProcessSystemAccess().Environment(), Contains(Pair("VK_ASSAY_TEST", "a=b")));
  unsetenv("VK_ASSAY_TEST");
}

TEST(ProcessSystemAccess, Files) {
  const std::string directory = testing::TempDir();
  const std::string path = directory + "/assay_host_test.txt";
  const std::string written(10000, 'x');
  std::ofstream(path) << written;
  std::string contents = "before", error;
  EXPECT_EQ(ProcessSystemAccess().Kind(path), SystemAccess::FileKind::kFile);
  EXPECT_EQ(ProcessSystemAccess().Kind(directory), SystemAccess::FileKind::kDirectory);
  EXPECT_TRUE(ProcessSystemAccess().ReadFile(path, &contents, &error));
  EXPECT_EQ(contents, written);
}

TEST(ProcessSystemAccess, FilesThatCannotBeRead) {
  std::string contents, error;
  EXPECT_EQ(ProcessSystemAccess().Kind("/nonexistent"), SystemAccess::FileKind::kAbsent);
  EXPECT_FALSE(ProcessSystemAccess().ReadFile("/nonexistent", &contents, &error));
  EXPECT_EQ(error, "No such file or directory");
  EXPECT_FALSE(ProcessSystemAccess().ReadFile(testing::TempDir(), &contents, &error));
  EXPECT_EQ(error, "Is a directory");
}

}  // namespace
}  // namespace assay::dispatch
