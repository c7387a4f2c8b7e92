// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "spirv_instrument/passes/steps/steps.h"

namespace assay::spirv_instrument {
namespace {

// The first check of the block that is about the same thing; the check itself if there is none.
size_t FindFirst(FunctionChecks& checks, ThingIndex& earlier, size_t index) {
  size_t first = index;
  earlier.FindLast(index, [&](size_t candidate) {
    if (checks.BlockOf(candidate) != checks.BlockOf(index)) return false;
    first = candidate;
    return true;
  });
  return first;
}

}  // namespace

void JoinSpans(FunctionChecks& checks) {
  ThingIndex firsts(checks);
  for (size_t i = checks.first(); i < checks.end(); ++i) {
    // A fast condition is cheaper than what a span could save.
    if (!checks.HasOwnCondition(i) || checks[i].is_left_to_host || checks[i].is_cheap) continue;
    const size_t first = FindFirst(checks, firsts, i);
    if (first == i) {
      firsts.Note(i);
      continue;
    }
    WantedCheck& leader = checks[first];
    leader.widened.begin = std::min(leader.widened.begin, checks[i].span.begin);
    leader.widened.end = std::max(leader.widened.end, checks[i].span.end);
    // The first access is good if that holds, too.
    leader.good_if = static_cast<uint32_t>(first);
    checks[i].good_if = static_cast<uint32_t>(first);
    checks[i].outcome = Outcome::kSpan;
  }
}

}  // namespace assay::spirv_instrument
