// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_BUILTINS_STORED_VALUES_H_
#define ASSAY_CORE_SPIRV_BUILTINS_STORED_VALUES_H_

#include "core/spirv/builtins/builtin_variables.h"
#include "core/spirv/module_finding.h"
#include "spirv_instrument/ir/entry_points.h"

namespace assay::core {

// Whether CheckStoredValues() has rules of the built-in.
bool HasRulesOfValues(spv::BuiltIn built_in);

// Adds a wrong constant that the entry point always writes to the built-in that `place` is: a shading rate, or the
// index of a vertex of a mesh.
void CheckStoredValues(ModuleFindings& findings, spirv_instrument::EntryPoint entry_point,
                       const BuiltInVariable& place);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_BUILTINS_STORED_VALUES_H_
