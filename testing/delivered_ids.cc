// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Every test of the whole layer writes which ids its tests expected and received. //tools:coverage reads the file.

#include <cstdlib>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "testing/message_log.h"

namespace assay::test {
namespace {

class WriteDeliveredIds : public ::testing::Environment {
 public:
  void TearDown() override {
    const char* folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
    // A part of the tests would give a part of the ids.
    const bool ran_all = GTEST_FLAG_GET(filter) == "*";
    if (folder == nullptr || !ran_all || ::testing::UnitTest::GetInstance()->Failed()) return;
    std::ofstream file(std::string(folder) + "/delivered_ids.txt");
    for (const std::string& id : MessageLog::DeliveredIds()) file << id << '\n';
  }
};

[[maybe_unused]] const ::testing::Environment* const kWriteDeliveredIds =
    ::testing::AddGlobalTestEnvironment(new WriteDeliveredIds);

}  // namespace
}  // namespace assay::test
