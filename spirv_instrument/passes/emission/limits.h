// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_LIMITS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_LIMITS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/link/linker.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/wanted_check.h"
#include "spirv_instrument/runtime/host_limit.h"

namespace assay::spirv_instrument {

// The checks of a module that are all comparisons with limits of the host: a word of the action block is the whole
// condition, and what it was compared with, and the number of the check, all that is kept of a fault.
class Limits {
 public:
  // `linker` must outlive this.
  Limits(Linker& linker, Reach reach) : linker_(linker), reach_(reach) {}

  // Whether the host knows a limit for each check that the shader has, and there are no more limits and checks than
  // there is room for.
  static bool SufficeFor(const WantedChecks& checks);

  // Whether the value of the check is below the limit for this span.
  Id EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter);
  // Keeps what failed, if it is the invocation's first. With `holds`, only if this does not.
  void EmitNote(const WantedCheck& check, Id holds, Emitter& emitter);

  std::vector<HostLimit> TakeLimits() { return std::move(limits_); }
  // By the number that a note has, counted from 0.
  std::vector<LimitedCheck> TakeChecks() { return std::move(checks_); }

 private:
  Id EmitLimit(uint32_t number, Emitter& emitter);

  Linker& linker_;
  Reach reach_;
  std::vector<HostLimit> limits_;
  std::vector<LimitedCheck> checks_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_LIMITS_H_
