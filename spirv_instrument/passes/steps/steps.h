// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_STEPS_STEPS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_STEPS_STEPS_H_

#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/steps/function_checks.h"
#include "spirv_instrument/passes/steps/same_values.h"

// The steps over the checks of a function (FunctionChecks). They run in this order, and each can be left out
// (StepsConfig), so that its effect can be measured and its mistakes are found by comparing.
//
// A step changes no code. It notes in a check what becomes of it: that another check has the same condition, or one
// that is enough; where the condition is computed; that the host sees to it. Each keeps the access guarded by a
// condition that is exactly its own.
namespace assay::spirv_instrument {

// All that are switched on.
void RunSteps(FunctionChecks& checks, SameValues& values, const StepsConfig& config);

// Takes out what is in blocks that no path reaches. Always runs, since the others ask what dominates what.
void DropUnreachable(FunctionChecks& checks);

// Has checks name one id for all that have the same value, so that it is seen when they are about the same thing.
void UseSameValues(FunctionChecks& checks, SameValues& values);

// Leaves to the host what it can decide of the sets that it knows. A check with a fast condition stays, and reads
// tables only where that fails.
void LeaveToHost(FunctionChecks& checks, const StepsConfig& config);

// A check of a thing that an earlier check on all paths is about too: with the same span it takes that one's condition,
// and does not report the fault anew; with a smaller span it is good if the earlier one is.
void UseDominating(FunctionChecks& checks);

// A condition of values that are there before a loop is computed before it, once for all checks with that condition.
void LeaveLoops(FunctionChecks& checks);

// Several checks of one block that are about one thing, and differ in their spans, are good if the first of them would
// be with a span over all.
void JoinSpans(FunctionChecks& checks);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_STEPS_STEPS_H_
