// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/specification_url.h"

#include "gtest/gtest.h"

namespace assay::messages {
namespace {

TEST(SpecificationUrl, HasTheChapterOfTheId) {
  EXPECT_EQ(SpecificationUrl("VUID-vkCmdCopyBuffer-size-00115"),
            "https://docs.vulkan.org/spec/latest/chapters/copies.html#VUID-vkCmdCopyBuffer-size-00115");
}

TEST(SpecificationUrl, OtherIdsHaveNone) {
  EXPECT_EQ(SpecificationUrl("SYNC-HAZARD-WRITE-AFTER-READ"), "");
  EXPECT_EQ(SpecificationUrl("VUID-vkCmdCopyBuffer-size-99999"), "");
  EXPECT_EQ(SpecificationUrl(""), "");
}

}  // namespace
}  // namespace assay::messages
