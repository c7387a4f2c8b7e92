// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/handles/destroyed_handles.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

namespace assay::dispatch {
namespace {

DestroyedObject Buffer(const std::string& name) {
  return {VK_OBJECT_TYPE_COMMAND_BUFFER, vk::CommandId::kFreeCommandBuffers, name};
}

TEST(DestroyedHandlesTest, FindsTheLastRecord) {
  DestroyedHandles destroyed;
  EXPECT_EQ(destroyed.Find(0x5000), nullptr);
  destroyed.Add(0x5000, Buffer("first"));
  destroyed.Add(0x5000, Buffer("second"));
  ASSERT_NE(destroyed.Find(0x5000), nullptr);
  EXPECT_EQ(destroyed.Find(0x5000)->name, "second");
  EXPECT_EQ(destroyed.Find(0x5000)->destroyed_by, vk::CommandId::kFreeCommandBuffers);
  EXPECT_EQ(destroyed.Find(0x5040), nullptr);
}

// A driver's handles are addresses, some with the same steps between them. The record of the last one is always there,
// and those of most of the others, up to the number of places.
TEST(DestroyedHandlesTest, KeepsMostOfTheLast) {
  for (const uint64_t step : {16, 64, 400, 4096, 1 << 20}) {
    DestroyedHandles destroyed;
    const uint64_t first = 0x7f0012340010;
    const size_t count = 10 * DestroyedHandles::kEntries;
    for (size_t i = 0; i < count; ++i) {
      destroyed.Add(first + i * step, Buffer(""));
      ASSERT_NE(destroyed.Find(first + i * step), nullptr);
    }
    size_t found = 0;
    size_t found_of_last = 0;
    for (size_t i = 0; i < count; ++i) {
      if (destroyed.Find(first + i * step) == nullptr) continue;
      ++found;
      if (i >= count - DestroyedHandles::kEntries / 4) ++found_of_last;
    }
    EXPECT_LE(found, DestroyedHandles::kEntries);
    EXPECT_GE(found_of_last, DestroyedHandles::kEntries / 8) << step;
  }
}

}  // namespace
}  // namespace assay::dispatch
