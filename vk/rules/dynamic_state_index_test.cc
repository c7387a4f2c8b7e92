// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/rules/dynamic_state_index.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace assay::vk {
namespace {

TEST(DynamicStateIndexTest, FindsEachState) {
  for (size_t i = 0; i < kDynamicStateCount; ++i) EXPECT_EQ(DynamicStateIndex(kDynamicStates[i]), i);
}

TEST(DynamicStateIndexTest, FindsNoOtherNumber) {
  size_t found = 0;
  for (uint32_t number = 0; number < 2000; ++number) {
    found += DynamicStateIndex(static_cast<VkDynamicState>(number)) != kNoDynamicState;
    EXPECT_EQ(DynamicStateIndex(static_cast<VkDynamicState>(0x7fffffff - number)), kNoDynamicState);
  }
  // Those of Vulkan 1.0.
  EXPECT_EQ(found, 9u);
}

}  // namespace
}  // namespace assay::vk
