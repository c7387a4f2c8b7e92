// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/steps/steps.h"

#include <cstddef>

namespace assay::spirv_instrument {

void RunSteps(FunctionChecks& checks, SameValues& values, const StepsConfig& config) {
  DropUnreachable(checks);
  if (config.same_values) UseSameValues(checks, values);
  if (config.host != HostDecides::kNothing) LeaveToHost(checks, config);
  if (config.dominated) UseDominating(checks);
  if (config.hoisted) LeaveLoops(checks);
  if (config.spans) JoinSpans(checks);
}

void DropUnreachable(FunctionChecks& checks) {
  for (size_t i = checks.first(); i < checks.end(); ++i) {
    const uint32_t block = checks.BlockOf(i);
    if (block == ControlFlowGraph::kNone || !checks.graph().IsReachable(block)) {
      checks[i].outcome = Outcome::kUnreachable;
    }
  }
}

void UseSameValues(FunctionChecks& checks, SameValues& values) {
  values.Add(checks.graph(), checks.dominators());
  for (size_t i = checks.first(); i < checks.end(); ++i) {
    for (Id& id : checks.all().MutableIds(checks[i])) id = values.Find(id);
  }
}

}  // namespace assay::spirv_instrument
