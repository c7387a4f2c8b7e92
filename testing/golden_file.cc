// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/golden_file.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace assay::test {
namespace {

bool update_goldens = false;

// Bazel sets this for `bazel run`. It does not for `bazel test`, whose sandbox cannot write to the source tree.
testing::AssertionResult Update(const std::string& path, std::string_view actual) {
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (workspace == nullptr) return testing::AssertionFailure() << "--update_goldens needs `bazel run`";
  std::ofstream file(std::string(workspace) + "/" + path, std::ios::binary);
  file << actual;
  file.close();
  if (!file) return testing::AssertionFailure() << "cannot write " << path;
  return testing::AssertionSuccess();
}

}  // namespace

testing::AssertionResult MatchesGolden(const std::string& path, std::string_view actual) {
  if (update_goldens) return Update(path, actual);
  std::ifstream file(path, std::ios::binary);
  if (!file) return testing::AssertionFailure() << "cannot read " << path;
  std::stringstream expected;
  expected << file.rdbuf();
  if (expected.str() == actual) return testing::AssertionSuccess();
  return testing::AssertionFailure() << path << " holds\n" << expected.str() << "\nbut the text is\n" << actual;
}

}  // namespace assay::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) assay::test::update_goldens |= std::string_view(argv[i]) == "--update_goldens";
  return RUN_ALL_TESTS();
}
