// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>

#include "spirv_instrument/passes/steps/steps.h"

namespace assay::spirv_instrument {

void UseDominating(FunctionChecks& checks) {
  ThingIndex earlier(checks);
  for (size_t i = checks.first(); i < checks.end(); ++i) {
    if (!checks.HasOwnCondition(i)) continue;
    WantedCheck& check = checks[i];
    earlier.FindLast(i, [&](size_t candidate) {
      const WantedCheck& other = checks[candidate];
      if (!other.span.Contains(check.span) || !checks.Dominates(candidate, i)) return false;
      const bool is_same = check.span.Contains(other.span);
      // A branch would cost more than the condition.
      if (!is_same && check.is_cheap) return false;
      check.outcome = is_same ? Outcome::kDominated : Outcome::kSpan;
      (is_same ? check.same_as : check.good_if) = static_cast<uint32_t>(candidate);
      check.is_reported = is_same;
      return true;
    });
    // One that is good if another one is has a condition of its own, which is seldom computed: nothing to rely on.
    if (check.outcome == Outcome::kEmitted) earlier.Note(i);
  }
}

}  // namespace assay::spirv_instrument
