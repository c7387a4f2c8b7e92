// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "spirv_instrument/passes/steps/steps.h"

namespace assay::spirv_instrument {
namespace {

// Whether all values are there at the end of a block: constants, parameters, and results of blocks that dominate it.
bool AreDefinedAt(FunctionChecks& checks, absl::Span<const Id> ids, uint32_t block) {
  for (Id id : ids) {
    const Block definition = checks.facts().module().Find(id).block();
    if (!definition) continue;
    const uint32_t number = checks.graph().NumberOf(definition);
    if (number == ControlFlowGraph::kNone || !checks.dominators().Dominates(number, block)) return false;
  }
  return true;
}

// The block before the outermost loop around the access before which the condition can be computed; kNone without.
uint32_t FindPreheader(FunctionChecks& checks, size_t index) {
  const Constructs& constructs = checks.constructs();
  uint32_t found = Constructs::kNone;
  uint32_t at = constructs.InnermostLoopOf(checks.BlockOf(index));
  for (; at != Constructs::kNone; at = constructs.all()[at].parent) {
    const Construct& construct = constructs.all()[at];
    if (construct.kind != Construct::Kind::kLoop) continue;
    const uint32_t preheader = constructs.PreheaderOf(construct);
    if (preheader == Constructs::kNone) break;
    if (!AreDefinedAt(checks, checks.all().Ids(checks[index]), preheader)) break;
    found = preheader;
  }
  return found;
}

}  // namespace

void LeaveLoops(FunctionChecks& checks) {
  ThingIndex earlier(checks);
  for (size_t i = checks.first(); i < checks.end(); ++i) {
    if (!checks.HasOwnCondition(i) || checks[i].is_cheap) continue;
    const uint32_t preheader = FindPreheader(checks, i);
    if (preheader == Constructs::kNone) continue;
    WantedCheck& check = checks[i];
    check.outcome = Outcome::kHoisted;
    check.position = checks.graph().block(preheader);
    earlier.FindLast(i, [&](size_t candidate) {
      const WantedCheck& other = checks[candidate];
      const bool is_same = other.position == check.position && other.span.Contains(check.span) &&
                           check.span.Contains(other.span) && other.is_left_to_host == check.is_left_to_host;
      if (is_same) check.same_as = static_cast<uint32_t>(candidate);
      return is_same;
    });
    if (check.same_as == WantedCheck::kNone) earlier.Note(i);
  }
}

}  // namespace assay::spirv_instrument
