// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/contexts/command_barriers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"

namespace assay::syncval {
namespace {

// Barriers that differ, all with an effect.
std::vector<Barrier> MakeBarriers(size_t count) {
  std::vector<Barrier> barriers;
  for (size_t i = 0; i < count; ++i) {
    const VkAccessFlags2 access = VkAccessFlags2{1} << i;
    barriers.push_back(MakeBarrier({VK_PIPELINE_STAGE_2_COPY_BIT, access, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, access},
                                   VK_QUEUE_GRAPHICS_BIT));
  }
  return barriers;
}

// Each byte gets the barriers whose range has it, and each byte once.
TEST(CommandBarriers, PiecesOfOverlappingRanges) {
  const std::vector<Barrier> barriers = MakeBarriers(6);
  const std::vector<RangeBarrier> ranges = {{{10, 30}, &barriers[0]}, {{0, 12}, &barriers[1]},
                                            {{10, 20}, &barriers[2]}, {{12, 40}, &barriers[3], true},
                                            {{50, 60}, &barriers[4]}, {{29, 31}, &barriers[5]}};
  CommandBarriers command;
  command.Collect({}, ranges);
  const size_t everywhere = command.everywhere().size();
  std::vector<std::vector<const Barrier*>> of_bytes(70);
  command.ForEachRange(ranges, [&](const Range& piece, absl::Span<const Barrier* const> covering) {
    for (uint64_t byte = piece.begin; byte < piece.end; ++byte) {
      EXPECT_TRUE(of_bytes[byte].empty()) << byte;
      of_bytes[byte].assign(covering.begin() + static_cast<ptrdiff_t>(everywhere), covering.end());
    }
  });
  for (uint64_t byte = 0; byte < of_bytes.size(); ++byte) {
    std::vector<const Barrier*> expected;
    for (const RangeBarrier& range : ranges) {
      const bool has_byte = range.range.begin <= byte && byte < range.range.end;
      if (has_byte && !range.layout_transition) expected.push_back(range.barrier);
    }
    std::ranges::sort(expected);
    std::ranges::sort(of_bytes[byte]);
    EXPECT_EQ(of_bytes[byte], expected) << byte;
  }
}

// The cost grows with the ranges and not with their square: that would take minutes.
TEST(CommandBarriers, ManyOverlappingRanges) {
  const std::vector<Barrier> barriers = MakeBarriers(1);
  std::vector<RangeBarrier> ranges;
  constexpr uint64_t kCount = 200'000;
  for (uint64_t i = 0; i < kCount; ++i) ranges.push_back({{16 * i, 16 * i + 20}, &barriers[0]});
  CommandBarriers command;
  command.Collect({}, ranges);
  uint64_t bytes = 0;
  command.ForEachRange(ranges, [&](const Range& piece, absl::Span<const Barrier* const>) { bytes += piece.Size(); });
  EXPECT_EQ(bytes, 16 * kCount + 4);
}

}  // namespace
}  // namespace assay::syncval
