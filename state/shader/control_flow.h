// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_CONTROL_FLOW_H_
#define ASSAY_STATE_SHADER_CONTROL_FLOW_H_

#include <vector>

#include "state/shader/spirv_module.h"

namespace assay::state {

// The instructions of a function that may run: those of the blocks that branches reach from its first one. A branch or
// switch on a constant, which a specialization constant is, goes one way. Both must live as long as the result.
std::vector<SpirvInstruction> ReachableInstructions(const SpirvModule& module, const SpirvFunction& function);

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_CONTROL_FLOW_H_
