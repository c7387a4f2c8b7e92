// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/control_flow/dominators.h"
#include "spirv_instrument/passes/steps/steps.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kSetBits = 32;

// Whether it may end the invocation, so that nothing behind a call of its function is certain to be executed. A helper
// invocation goes on and stores nothing; an any-hit shader may end the ray that an intersection is reported of.
bool MayEndInvocation(spv::Op op) {
  return op == spv::Op::OpKill || op == spv::Op::OpTerminateInvocation || op == spv::Op::OpIgnoreIntersectionKHR ||
         op == spv::Op::OpTerminateRayKHR || op == spv::Op::OpUnreachable ||
         op == spv::Op::OpDemoteToHelperInvocation || op == spv::Op::OpReportIntersectionKHR;
}

// Whether an entry point's function always executes a block.
class Certainty {
 public:
  explicit Certainty(FunctionChecks& checks)
      : post_dominators_(DominatorTree::PostDominators(checks.graph())),
        is_entry_point_(checks.facts().IsEntryPoint(checks.function())) {
    if (!is_entry_point_) return;
    bool has_calls = false;
    for (Instruction instruction : checks.function().instructions()) {
      has_calls = has_calls || instruction.op() == spv::Op::OpFunctionCall;
      // Where a block ends, the graph knows what is behind it.
      if (!IsTerminator(instruction.op()) && MayEndInvocation(instruction.op())) is_entry_point_ = false;
    }
    if (is_entry_point_ && has_calls) is_entry_point_ = !SomeFunctionMayEnd(checks.facts());
  }

  bool IsCertain(uint32_t block) const { return is_entry_point_ && post_dominators_.Dominates(block, 0); }

 private:
  static bool SomeFunctionMayEnd(ModuleFacts& facts) {
    for (Function function : facts.functions()) {
      if (facts.IsEntryPoint(function)) continue;
      for (Instruction instruction : function.instructions()) {
        if (MayEndInvocation(instruction.op())) return true;
      }
    }
    return false;
  }

  DominatorTree post_dominators_;
  // Of an entry point, and nothing in it ends the invocation but a block.
  bool is_entry_point_;
};

}  // namespace

void LeaveToHost(FunctionChecks& checks, const StepsConfig& config) {
  const Certainty certainty(checks);
  for (size_t i = checks.first(); i < checks.end(); ++i) {
    if (!checks.HasOwnCondition(i)) continue;
    const auto knows = [&config](uint32_t set) { return set < kSetBits && ((config.host_sets >> set) & 1) != 0; };
    if (config.host == HostDecides::kAll && checks[i].host_limit != WantedCheck::kNone) {
      checks[i].is_limited = knows(checks.all().LimitOf(checks[i], checks[i].span).set);
    }
    HostCondition* condition = checks.all().Host(checks[i]);
    if (condition == nullptr || !knows(condition->set)) continue;
    // Within a buffer that is too small for the whole array, some indices are good.
    const bool is_needed = condition->kind == HostCondition::Kind::kDescriptorIsValid || !checks[i].has_fast_condition;
    condition->is_certain = is_needed && certainty.IsCertain(checks.BlockOf(i));
    condition->instruction = checks[i].access.index();
    if (config.host == HostDecides::kCertain && !condition->is_certain) continue;
    checks[i].is_left_to_host = true;
    if (!checks[i].has_fast_condition) checks[i].outcome = Outcome::kHostDecided;
  }
}

}  // namespace assay::spirv_instrument
