// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_BUILTINS_SHADING_RATES_H_
#define ASSAY_CORE_SPIRV_BUILTINS_SHADING_RATES_H_

#include "core/spirv/builtins/builtin_variables.h"
#include "core/spirv/module_finding.h"
#include "spirv_instrument/ir/entry_points.h"

namespace assay::core {

// Adds a wrong constant that the entry point always writes to PrimitiveShadingRateKHR, which `place` is.
void CheckShadingRates(ModuleFindings& findings, spirv_instrument::EntryPoint entry_point,
                       const BuiltInVariable& place);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_BUILTINS_SHADING_RATES_H_
