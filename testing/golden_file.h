// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_GOLDEN_FILE_H_
#define ASSAY_TESTING_GOLDEN_FILE_H_

#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace assay::messages {

// Compares a text with a golden file; `path` is relative to the workspace. Run as
//     bazel run //messages/message:text_test -- --update_goldens
// the test writes the file instead, and the difference is reviewed with the change.
testing::AssertionResult MatchesGolden(const std::string& path, std::string_view actual);

}  // namespace assay::messages

#endif  // ASSAY_TESTING_GOLDEN_FILE_H_
