// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <iostream>

#include "gtest/gtest.h"
#include "syncval/engine/streams/compare_device_stream.h"
#include "syncval/engine/streams/compare_stream.h"
#include "syncval/engine/streams/device_stream.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/streams/random_stream.h"
#include "syncval/engine/streams/shrink_device_stream.h"
#include "syncval/engine/streams/shrink_stream.h"

namespace assay::syncval {
namespace {

// Looks for the fault by random streams, and shrinks the first that shows it.
template <Fault kFault>
void ExpectFound(size_t max_commands, uint32_t stream_length,
                 Stream make(uint64_t, uint32_t, uint32_t) = RandomStream) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const Stream stream = make(seed, 8, stream_length);
    if (FindDisagreement<kFault>(stream).empty()) continue;
    const Stream small = WithWholeRenderPasses(ShrinkStream(stream, [](const Stream& candidate) {
      return !FindDisagreement<kFault>(WithWholeRenderPasses(candidate)).empty();
    }));
    std::cout << "Found by seed " << seed << " with " << stream.size() << " commands; "
              << FindDisagreement<kFault>(small) << "\n"
              << ToCode(small);
    EXPECT_LE(small.size(), max_commands);
    EXPECT_NE(FindDisagreement<kFault>(small), "");
    EXPECT_EQ(FindDisagreement<Fault::kNone>(small), "");
    return;
  }
  FAIL() << "No stream shows the fault.";
}

template <Fault kFault>
void ExpectFoundOnDevice(const DeviceStreamSize& size) {
  const auto fails = [](const DeviceStream& candidate) { return !FindDeviceDisagreement<kFault>(candidate).empty(); };
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const DeviceStream stream = RandomDeviceStream(seed, size);
    if (!fails(stream)) continue;
    const DeviceStream small = ShrinkDeviceStream(stream, fails);
    std::cout << "Found by seed " << seed << "; " << FindDeviceDisagreement<kFault>(small) << "\n" << ToCode(small);
    EXPECT_LE(small.steps.size(), 4u);
    EXPECT_TRUE(fails(small));
    EXPECT_EQ(FindDeviceDisagreement<Fault::kNone>(small), "");
    return;
  }
  FAIL() << "No stream shows the fault.";
}

TEST(PlantedFault, ReplayForgetsLastReads) { ExpectFoundOnDevice<Fault::kReplayForgetsLastReads>({}); }

TEST(PlantedFault, SignalCoversEverything) {
  ExpectFoundOnDevice<Fault::kSignalCoversEverything>({.commands = 6, .steps = 10, .queues = 3});
}

TEST(PlantedFault, EventCoversLaterWork) {
  ExpectFoundOnDevice<Fault::kEventCoversLaterWork>({.commands = 8, .with_events = true});
}

// Write, barrier, barrier that does not follow upon it, access.
TEST(PlantedFault, ChainIgnoresExecutionScope) { ExpectFound<Fault::kChainIgnoresExecutionScope>(4, 60); }

// Access, two barriers in one command, access.
TEST(PlantedFault, BarriersOfOneCommandChain) { ExpectFound<Fault::kBarriersOfOneCommandChain>(3, 60); }

// Read, barrier, read, write.
TEST(PlantedFault, ReadKeepsOldBarriers) { ExpectFound<Fault::kReadKeepsOldBarriers>(4, 60); }

// Access, begin of a render pass, next subpass, access, end; an access more where the first is in the subpass before.
TEST(PlantedFault, SubpassKeepsOrder) { ExpectFound<Fault::kSubpassKeepsOrder>(7, 60, RandomStreamOfSubpasses); }

// Access, begin, barrier, access, end, with further subpasses at times.
TEST(PlantedFault, SubpassBarrierCoversAll) {
  ExpectFound<Fault::kSubpassBarrierCoversAll>(7, 60, RandomStreamOfSubpasses);
}

// Read, begin, read, barrier, write, end.
TEST(PlantedFault, SubpassReadReplacesOthers) {
  ExpectFound<Fault::kSubpassReadReplacesOthers>(6, 60, RandomStreamOfSubpasses);
}

// Access, more barriers than the log takes one by one, access.
TEST(PlantedFault, LogSkipsOldBarriers) { ExpectFound<Fault::kLogSkipsOldBarriers>(12, 60); }

}  // namespace
}  // namespace assay::syncval
