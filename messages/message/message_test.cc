// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/message.h"

#include "gtest/gtest.h"

namespace assay::messages {
namespace {

TEST(Message, SeveritiesMapToDebugUtils) {
  EXPECT_EQ(ToDebugUtilsSeverity(Severity::kVerbose), VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT);
  EXPECT_EQ(ToDebugUtilsSeverity(Severity::kInformation), VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT);
  EXPECT_EQ(ToDebugUtilsSeverity(Severity::kWarning), VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT);
  EXPECT_EQ(ToDebugUtilsSeverity(Severity::kError), VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
}

TEST(Message, SeveritiesMapToDebugReport) {
  EXPECT_EQ(ToDebugReportFlag({.severity = Severity::kVerbose}), VK_DEBUG_REPORT_DEBUG_BIT_EXT);
  EXPECT_EQ(ToDebugReportFlag({.severity = Severity::kInformation}), VK_DEBUG_REPORT_INFORMATION_BIT_EXT);
  EXPECT_EQ(ToDebugReportFlag({.severity = Severity::kWarning}), VK_DEBUG_REPORT_WARNING_BIT_EXT);
  EXPECT_EQ(ToDebugReportFlag({.severity = Severity::kError}), VK_DEBUG_REPORT_ERROR_BIT_EXT);
}

TEST(Message, OnlyAWarningIsAPerformanceWarning) {
  const VkDebugUtilsMessageTypeFlagsEXT performance = VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  EXPECT_EQ(ToDebugReportFlag({.severity = Severity::kWarning, .type = performance}),
            VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT);
  EXPECT_EQ(ToDebugReportFlag({.severity = Severity::kError, .type = performance}), VK_DEBUG_REPORT_ERROR_BIT_EXT);
}

// Applications store these numbers, so a change of the hash is a change of the interface. They are the Khronos layer's
// ("MessageID = 0xe4d96472").
TEST(Message, IdNumbersNeverChange) {
  EXPECT_EQ(MessageIdNumber(""), 0);
  EXPECT_EQ(MessageIdNumber("SYNC-HAZARD-READ-AFTER-WRITE"), static_cast<int32_t>(0xe4d96472));
  EXPECT_EQ(MessageIdNumber("SYNC-HAZARD-WRITE-AFTER-WRITE"), 0x5c0ec5d6);
  EXPECT_EQ(MessageIdNumber("SYNC-HAZARD-WRITE-AFTER-READ"), 0x376bc9df);
}

}  // namespace
}  // namespace assay::messages
