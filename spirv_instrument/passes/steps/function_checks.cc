// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/steps/function_checks.h"

#include <cstddef>

namespace assay::spirv_instrument {

FunctionChecks::FunctionChecks(ModuleFacts& facts, Function function, WantedChecks& checks, size_t first, size_t end)
    : facts_(facts),
      function_(function),
      checks_(checks),
      first_(first),
      end_(end),
      graph_(facts.module(), function),
      dominators_(DominatorTree::Dominators(graph_)),
      constructs_(graph_, dominators_) {
  for (size_t i = first; i < end; ++i) blocks_.push_back(graph_.NumberOf(checks[i].access.block()));
}

bool FunctionChecks::HasOwnCondition(size_t index) const {
  const WantedCheck& check = checks_[index];
  return check.HasCondition() && check.outcome == Outcome::kEmitted && check.same_as == WantedCheck::kNone;
}

size_t ThingIndex::Latest(size_t index) const {
  const auto found = latest_.find(checks_.all().HashOfThing(checks_[index]));
  return found == latest_.end() ? kNone : found->second;
}

void ThingIndex::Note(size_t index) {
  const auto [place, is_new] = latest_.try_emplace(checks_.all().HashOfThing(checks_[index]), index);
  previous_[index] = is_new ? kNone : place->second;
  place->second = index;
}

}  // namespace assay::spirv_instrument
