// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_PASS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_PASS_H_

#include <string_view>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/wanted_check.h"

namespace assay::spirv_instrument {

// One kind of check. A pass looks at instructions and says what it wants checked; the frame decides what is emitted and
// where (run_passes.h), and then asks the pass for the code. An object is for one run over one module.
class Pass {
 public:
  virtual ~Pass() = default;

  // As the settings and the command know it, lower case with underscores: "buffer_bounds". A literal: statistics refer
  // to it when the pass is gone.
  virtual std::string_view name() const = 0;

  // The instructions that Process is called for; the same for all modules.
  virtual absl::Span<const spv::Op> opcodes() const = 0;

  // Whether Process asks for the descriptors of pointers and images, so that functions need the indices that their
  // callers select these by (PassIndices). The same for all modules.
  virtual bool FollowsDescriptors() const { return false; }

  // Before the first Process. `facts` lives as long as the run.
  virtual void Begin(ModuleFacts& facts) { static_cast<void>(facts); }

  // Adds to `wanted` the checks of an instruction, in a function that entry points reach. Their access is
  // `instruction`. Does not change the module.
  virtual void Process(Instruction instruction, WantedChecks& wanted) = 0;

  // Emits what decides whether the access is good, and returns a Boolean. It may use constants and
  // `emitter.Ids(check)`, nothing else of the function, and has no side effects: the code may be placed elsewhere than
  // at the access, as long as these ids are defined there. `span` is that of the check, or a wider one.
  virtual Id EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) = 0;

  // The same for what is cheaper, and enough if the host condition of the check holds: the condition decides only where
  // this does not. kNoId if there is nothing of that kind for this span.
  virtual Id EmitFastCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) {
    static_cast<void>(check), static_cast<void>(span), static_cast<void>(emitter);
    return kNoId;
  }

  // Emits what is compared with the limit of the check (CheckRequest::limit), as a word; under the terms of
  // EmitCondition.
  virtual Id EmitLimitedValue(const WantedCheck& check, Emitter& emitter) {
    static_cast<void>(check), static_cast<void>(emitter);
    return kNoId;
  }

  // Emits what decides as EmitCondition does, for the check's own span, at the access, and also reports the fault: less
  // code than both apart. EmitReport is not called then. kNoId if there is nothing of that kind.
  virtual Id EmitReportingCondition(const WantedCheck& check, Emitter& emitter) {
    static_cast<void>(check), static_cast<void>(emitter);
    return kNoId;
  }

  // Emits what reports a fault, out of line: called for where the condition does not hold. It is a call of a check
  // function that finds out what is wrong, and writes nothing if nothing is: another check of the same access may have
  // failed.
  virtual void EmitReport(const WantedCheck& check, Emitter& emitter) = 0;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_PASS_H_
