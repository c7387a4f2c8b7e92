// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_REACHABLE_BLOCKS_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_REACHABLE_BLOCKS_H_

#include <vector>

#include "spirv_instrument/ir/constants/constant_values.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// The blocks of a function that may be executed: those that branches reach from its entry block, in the order in which
// they are found. An OpBranchConditional or OpSwitch on a constant, which a specialization constant is, goes one way;
// `constants` are those of `module`. Time is linear in the function.
std::vector<Block> ReachableBlocks(const Module& module, Function function, ConstantValues& constants);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_REACHABLE_BLOCKS_H_
