// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_BLOCK_COUNTS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_BLOCK_COUNTS_H_

#include <cstdint>
#include <memory>

#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {

enum class SubgroupUse : uint8_t {
  // Each invocation counts for itself.
  kNever,
  // Where the module declares GroupNonUniformBallot, one invocation counts for all of its subgroup that are in the
  // block.
  kIfDeclared,
  // In all modules of SPIR-V 1.3 and up; the capability is added. For devices that support ballots in all stages.
  kAlways,
};

// Counts how often each block was executed, for coverage of shaders. Blocks have numbers: those of the functions that
// an entry point reaches, in the order of the module. So the host, which has the module as it was, knows which block a
// counter is of: coverage/coverage.h.
//
// The counts (runtime.h) have two words for each block, low word first, from `first_counter` on; shaders of one
// pipeline may share them. The host sets them to 0, and makes room for all blocks: CoverageBlocks says how many there
// are. A block is counted when it begins, so that one that the invocation does not leave counts too.
//
// *Literals*: the counter. There is no condition.
//
// What it does not see: helper invocations of fragment shaders, whose atomics have no effect. That is also why fragment
// shaders count for each invocation: the one that counts for its subgroup could be a helper.
struct BlockCountsConfig {
  uint32_t first_counter = 0;
  SubgroupUse subgroups = SubgroupUse::kIfDeclared;
};

std::unique_ptr<Pass> MakeBlockCounts(const BlockCountsConfig& config);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_BLOCK_COUNTS_H_
