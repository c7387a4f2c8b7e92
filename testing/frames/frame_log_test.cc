// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/frames/frame_log.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace assay::test {
namespace {

TEST(FrameLogTest, HashIsFnv1a) {
  EXPECT_EQ(HashOfTexels({}), 0xcbf29ce484222325u);
  const std::vector<uint8_t> texels = {'f', 'o', 'o', 'b', 'a', 'r'};
  EXPECT_EQ(HashOfTexels(texels), 0x85944171f73967e8u);
}

TEST(FrameLogTest, LineHasAllThatIsCompared) {
  const std::vector<uint8_t> texels = {'f', 'o', 'o', 'b', 'a', 'r'};
  EXPECT_EQ(FrameLine(7, {500, 400}, VK_FORMAT_B8G8R8A8_SRGB, texels),
            "frame 7 500x400 VK_FORMAT_B8G8R8A8_SRGB 85944171f73967e8");
  EXPECT_EQ(FrameLine(0, {1, 1}, VK_FORMAT_R8G8B8A8_UNORM, {}),
            "frame 0 1x1 VK_FORMAT_R8G8B8A8_UNORM cbf29ce484222325");
}

}  // namespace
}  // namespace assay::test
