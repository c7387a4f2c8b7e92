// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_GOLDEN_FILE_H_
#define ASSAY_TESTING_GOLDEN_FILE_H_

#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace assay::test {

// Compares a text with a golden file. `path` is relative to the workspace. Run as
//     bazel run //messages/message:text_test -- --update_goldens
// the test writes the file instead. Review the difference with the change.
testing::AssertionResult MatchesGolden(const std::string& path, std::string_view actual);

}  // namespace assay::test

#endif  // ASSAY_TESTING_GOLDEN_FILE_H_
