// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Applies all suggestions in many random streams: suggestion_search [count [first seed]]. Ends at the first suggestion
// that does not solve its hazard or is not minimal, and prints the smallest stream that shows it.

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>

#include "syncval/engine/streams/check_suggestion.h"
#include "syncval/engine/streams/device_stream.h"
#include "syncval/engine/streams/shrink_device_stream.h"

namespace assay::syncval {
namespace {

std::string Failure(const DeviceStream& stream, SuggestionCheck& check) {
  DeviceComparison<Mutation::kNone> comparison(stream);
  comparison.CheckSuggestions(std::ref(check));
  const std::string difference = comparison.Run();
  return difference.empty() ? check.failure() : difference;
}

std::string Failure(const DeviceStream& stream) {
  SuggestionCheck check;
  return Failure(stream, check);
}

int Search(uint64_t count, uint64_t first) {
  SuggestionCheck check;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const DeviceStream stream = RandomDeviceStream(seed, SizeOfStream(seed));
    if (Failure(stream, check).empty()) continue;
    const DeviceStream small =
        ShrinkDeviceStream(stream, [](const DeviceStream& candidate) { return !Failure(candidate).empty(); });
    std::cout << "Seed " << seed << ", " << Failure(small) << "\n" << ToCode(small);
    return 1;
  }
  std::cout << count << " streams: " << check.Count(Suggestion::Kind::kAddBarrier) << " barriers before, "
            << check.Count(Suggestion::Kind::kAddToTransition) << " additions to layout transitions, "
            << check.Count(Suggestion::Kind::kAddToPriorTransition) << " to earlier ones, "
            << check.Count(Suggestion::Kind::kAddSemaphores) << " semaphores alone, "
            << check.Count(Suggestion::Kind::kSetEventLater) << " events set later; " << check.with_semaphores()
            << " with semaphores, " << check.of_races() << " of races, " << check.of_transitions()
            << " of layout transitions, " << check.in_subpasses() << " in subpasses\n";
  return 0;
}

}  // namespace
}  // namespace assay::syncval

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
  const uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  return assay::syncval::Search(count, first);
}
