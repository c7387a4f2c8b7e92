// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/device_stream.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "syncval/engine/compare_device_stream.h"
#include "syncval/engine/fault.h"
#include "syncval/engine/shrink_device_stream.h"

namespace assay::syncval {
namespace {

void ExpectAgreement(uint64_t seed, const DeviceStream& stream) {
  const auto fails = [](const DeviceStream& candidate) {
    return !FindDeviceDisagreement<Fault::kNone>(candidate).empty();
  };
  const std::string disagreement = FindDeviceDisagreement<Fault::kNone>(stream);
  if (disagreement.empty()) return;
  const DeviceStream small = ShrinkDeviceStream(stream, fails);
  FAIL() << "Seed " << seed << ", " << disagreement << "\nShrunk, " << FindDeviceDisagreement<Fault::kNone>(small)
         << "\n"
         << ToCode(small);
}

class DeviceStreamTest : public testing::TestWithParam<uint64_t> {};

TEST_P(DeviceStreamTest, OneQueue) {
  constexpr uint64_t kStreams = 600;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream = RandomDeviceStream(seed, {});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    for (const uint64_t region_bytes : {1, 4, 12}) {
      ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, region_bytes)));
    }
  }
}

TEST_P(DeviceStreamTest, SeveralQueues) {
  constexpr uint64_t kStreams = 600;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream =
        RandomDeviceStream(~seed, {.commands = 6, .steps = 10, .queues = 2 + static_cast<uint32_t>(seed % 2)});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    for (const uint64_t region_bytes : {1, 4, 12}) {
      ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, region_bytes)));
    }
  }
}

TEST_P(DeviceStreamTest, Events) {
  constexpr uint64_t kStreams = 400;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream = RandomDeviceStream(
        ~seed, {.commands = 8, .steps = 6, .queues = 1 + static_cast<uint32_t>(seed % 2), .with_events = true});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, 4)));
  }
}

TEST_P(DeviceStreamTest, RenderPasses) {
  constexpr uint64_t kStreams = 400;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream = RandomDeviceStream(
        seed ^ 0x5555,
        {.commands = 8, .steps = 6, .queues = 1 + static_cast<uint32_t>(seed % 3), .with_render_passes = true});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    for (const uint64_t region_bytes : {1, 4, 12}) {
      ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, region_bytes)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Part, DeviceStreamTest, testing::Range(uint64_t{0}, uint64_t{8}));

// The streams are worth something only if they have all outcomes in good number.
TEST(DeviceStreams, HaveEveryOutcome) {
  std::map<HazardKind, size_t> counts;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    DeviceComparison<Fault::kNone> comparison(
        RandomDeviceStream(seed, {.commands = 6, .steps = 10, .queues = 3, .with_events = seed % 2 == 0}));
    EXPECT_EQ(comparison.Run(), "");
    for (const auto& [kind, count] : comparison.counts()) counts[kind] += count;
  }
  for (const HazardKind kind :
       {HazardKind::kReadAfterWrite, HazardKind::kWriteAfterRead, HazardKind::kWriteAfterWrite,
        HazardKind::kReadRacingWrite, HazardKind::kWriteRacingRead, HazardKind::kWriteRacingWrite}) {
    EXPECT_GT(counts[kind], 200u) << static_cast<int>(kind);
  }
}

// ---- Suggestions

bool IsSolved(ReferenceModel model, const BarrierFlags& flags, const Access& access, ReferenceModel::Where where) {
  model.RecordBarriers({{.flags = flags}}, Tag{1'000'000}, where);
  return !model.DetectAccess(access, where);
}

TEST(DeviceStreamSuggestions, SolveTheHazardAndAreMinimal) {
  std::map<Suggestion::Where, int> counts;
  const auto check = [&](const Suggestion& suggestion, const Access& access, ReferenceModel model,
                         ReferenceModel::Where where) {
    ++counts[suggestion.where];
    if (suggestion.where == Suggestion::Where::kAddToSemaphores) {
      model.WidenSemaphores();
      model.RecordBarriers({{.flags = suggestion.flags}}, Tag{1'000'000}, where);
      const Hazard left = model.DetectAccess(access, where);
      // A layout transition without second scope may be in the way as well.
      EXPECT_TRUE(!left || left.prior_access == vk::kSyncImageLayoutTransition);
      return;
    }
    if (suggestion.where != Suggestion::Where::kBefore) return;
    EXPECT_TRUE(IsSolved(model, suggestion.flags, access, where));
    for (uint64_t BarrierFlags::*member :
         {&BarrierFlags::src_stages, &BarrierFlags::src_access, &BarrierFlags::dst_stages, &BarrierFlags::dst_access}) {
      for (uint64_t rest = suggestion.flags.*member; rest != 0; rest &= rest - 1) {
        BarrierFlags fewer = suggestion.flags;
        fewer.*member &= ~(rest & (~rest + 1));
        EXPECT_FALSE(IsSolved(model, fewer, access, where));
      }
    }
  };
  for (uint64_t seed = 0; seed < 300 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const uint32_t queues = 1 + static_cast<uint32_t>(seed % 3);
    DeviceComparison<Fault::kNone> comparison(
        RandomDeviceStream(seed, {.commands = 6, .queues = queues, .with_events = seed % 2 == 0}));
    comparison.CheckSuggestions(check);
    EXPECT_EQ(comparison.Run(), "");
  }
  EXPECT_GT(counts[Suggestion::Where::kBefore], 1000);
  EXPECT_GT(counts[Suggestion::Where::kAddToSemaphores], 100);
}

}  // namespace
}  // namespace assay::syncval
