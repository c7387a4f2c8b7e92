// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <iostream>

#include "gtest/gtest.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/streams/compare_device_stream.h"
#include "syncval/engine/streams/compare_stream.h"
#include "syncval/engine/streams/device_stream.h"
#include "syncval/engine/streams/random_stream.h"
#include "syncval/engine/streams/shrink_device_stream.h"
#include "syncval/engine/streams/shrink_stream.h"

namespace assay::syncval {
namespace {

// Searches for the mutation with random streams, and shrinks the first stream that shows it.
template <Mutation kMutation>
void ExpectFound(size_t max_commands, uint32_t stream_length,
                 Stream make(uint64_t, uint32_t, uint32_t) = RandomStream) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const Stream stream = make(seed, 8, stream_length);
    if (FindDisagreement<kMutation>(stream).empty()) continue;
    const Stream small = WithCompleteRenderPasses(ShrinkStream(stream, [](const Stream& candidate) {
      return !FindDisagreement<kMutation>(WithCompleteRenderPasses(candidate)).empty();
    }));
    std::cout << "Found by seed " << seed << " with " << stream.size() << " commands; "
              << FindDisagreement<kMutation>(small) << "\n"
              << ToCode(small);
    EXPECT_LE(small.size(), max_commands);
    EXPECT_NE(FindDisagreement<kMutation>(small), "");
    EXPECT_EQ(FindDisagreement<Mutation::kNone>(small), "");
    return;
  }
  FAIL() << "No stream shows the mutation.";
}

template <Mutation kMutation>
void ExpectFoundOnDevice(const DeviceStreamSize& size) {
  const auto fails = [](const DeviceStream& candidate) {
    return !FindDeviceDisagreement<kMutation>(candidate).empty();
  };
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const DeviceStream stream = RandomDeviceStream(seed, size);
    if (!fails(stream)) continue;
    const DeviceStream small = ShrinkDeviceStream(stream, fails);
    std::cout << "Found by seed " << seed << "; " << FindDeviceDisagreement<kMutation>(small) << "\n" << ToCode(small);
    EXPECT_LE(small.steps.size(), 4u);
    EXPECT_TRUE(fails(small));
    EXPECT_EQ(FindDeviceDisagreement<Mutation::kNone>(small), "");
    return;
  }
  FAIL() << "No stream shows the mutation.";
}

TEST(MutationTest, ReplayDropsLastReads) { ExpectFoundOnDevice<Mutation::kReplayDropsLastReads>({}); }

TEST(MutationTest, SignalCoversEverything) {
  ExpectFoundOnDevice<Mutation::kSignalCoversEverything>({.commands = 6, .steps = 10, .queues = 3});
}

TEST(MutationTest, WaitCoversStagesAlone) {
  ExpectFoundOnDevice<Mutation::kWaitCoversStagesAlone>({.commands = 6, .steps = 10, .queues = 3});
}

TEST(MutationTest, EventCoversLaterWork) {
  ExpectFoundOnDevice<Mutation::kEventCoversLaterWork>({.commands = 8, .with_events = true});
}

// Write, barrier, second barrier that is not ordered after the first, access.
TEST(MutationTest, ChainIgnoresExecutionScope) { ExpectFound<Mutation::kChainIgnoresExecutionScope>(4, 60); }

// Access, two barriers in one command, access.
TEST(MutationTest, BarriersOfOneCommandChain) { ExpectFound<Mutation::kBarriersOfOneCommandChain>(3, 60); }

// Read, barrier, read, write.
TEST(MutationTest, ReadKeepsOldBarriers) { ExpectFound<Mutation::kReadKeepsOldBarriers>(4, 60); }

// Access, begin of a render pass, next subpass, access, end. There is one access more if the first is in the earlier
// subpass.
TEST(MutationTest, SubpassKeepsOrder) { ExpectFound<Mutation::kSubpassKeepsOrder>(7, 60, RandomStreamOfSubpasses); }

// Access, begin, barrier, access, end. There may be further subpasses.
TEST(MutationTest, SubpassBarrierCoversAll) {
  ExpectFound<Mutation::kSubpassBarrierCoversAll>(7, 60, RandomStreamOfSubpasses);
}

// Access, begin, the next subpasses, access, end.
TEST(MutationTest, DependencyDoesNotEnd) {
  ExpectFound<Mutation::kDependencyDoesNotEnd>(
      29, 0, [](uint64_t seed, uint32_t, uint32_t) { return RandomStreamOfManySubpasses(seed); });
}

// Read, begin, read, barrier, write, end.
TEST(MutationTest, SubpassReadReplacesOthers) {
  ExpectFound<Mutation::kSubpassReadReplacesOthers>(6, 60, RandomStreamOfSubpasses);
}

// Read, atomic read, atomic write.
TEST(MutationTest, AtomicReadReplacesOthers) { ExpectFound<Mutation::kAtomicReadReplacesOthers>(3, 60); }

// Write and atomic write, atomic write.
TEST(MutationTest, LastWriteIsAtomic) { ExpectFound<Mutation::kLastWriteIsAtomic>(2, 60); }

// Access, more barriers than the log takes one by one, access.
TEST(MutationTest, LogSkipsOldBarriers) { ExpectFound<Mutation::kLogSkipsOldBarriers>(12, 60); }

}  // namespace
}  // namespace assay::syncval
