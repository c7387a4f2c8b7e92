// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Runs many random streams of each kind: device_stream_search [count [first seed]]. Ends at the first disagreement and
// prints the smallest stream that shows it.

#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "syncval/engine/streams/compare_device_stream.h"
#include "syncval/engine/streams/device_stream.h"
#include "syncval/engine/streams/shrink_device_stream.h"

namespace assay::syncval {
namespace {

bool Fails(const DeviceStream& stream) { return !FindDeviceDisagreement<Mutation::kNone>(stream).empty(); }

bool Agrees(uint64_t seed, const DeviceStream& stream) {
  if (!Fails(stream)) return true;
  const DeviceStream small = ShrinkDeviceStream(stream, Fails);
  std::cout << "Seed " << seed << ", " << FindDeviceDisagreement<Mutation::kNone>(small) << "\n" << ToCode(small);
  return false;
}

int Search(uint64_t count, uint64_t first) {
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const DeviceStream stream = RandomDeviceStream(seed, SizeOfStream(seed));
    if (!Agrees(seed, stream)) return 1;
    // The barriers of sync1 events cover all bytes, so they cannot be cut into regions.
    if (!stream.has_sync1_events && !Agrees(seed, WithRegions(stream, 4))) return 1;
    if ((seed - first + 1) % 10000 == 0) std::cout << seed - first + 1 << " streams agree\n" << std::flush;
  }
  return 0;
}

}  // namespace
}  // namespace assay::syncval

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000;
  return assay::syncval::Search(count, first);
}
