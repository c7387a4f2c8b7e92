// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <iostream>

#include "gtest/gtest.h"
#include "syncval/engine/compare_device_stream.h"
#include "syncval/engine/compare_stream.h"
#include "syncval/engine/device_stream.h"
#include "syncval/engine/fault.h"
#include "syncval/engine/random_stream.h"
#include "syncval/engine/shrink_device_stream.h"
#include "syncval/engine/shrink_stream.h"

namespace assay::syncval {
namespace {

// Looks for the fault by random streams, and shrinks the first that shows it.
template <Fault kFault>
void ExpectFound(size_t max_commands, uint32_t stream_length) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const Stream stream = RandomStream(seed, 8, stream_length);
    if (FindDisagreement<kFault>(stream).empty()) continue;
    const Stream small =
        ShrinkStream(stream, [](const Stream& candidate) { return !FindDisagreement<kFault>(candidate).empty(); });
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

// Access, more barriers than the log takes one by one, access.
TEST(PlantedFault, LogSkipsOldBarriers) { ExpectFound<Fault::kLogSkipsOldBarriers>(12, 60); }

}  // namespace
}  // namespace assay::syncval
