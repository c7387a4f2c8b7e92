// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_CHECKS_H_
#define ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_CHECKS_H_

#include "core/spirv/module_finding.h"
#include "spirv_instrument/ir/module.h"
#include "vk/vuid.h"

// The rules of built-in variables (the specification, "Built-In Variables"): the execution models that may have each,
// its storage classes, its type. The registry says so in sentences of few forms. registry/spirv/builtin_rules.py reads
// them, and vk/spirv/builtin_rule_info.h has the rows. Here each variable of a module is compared with the rows of its
// built-in. SPIRV-Tools' validator checks many of them too; those rows are left to it.
namespace assay::core {

// Adds what breaks a row whose id SPIRV-Tools' validator does not report. A variable is judged for the entry points
// that list it in their interfaces. The module may be any that Module::Read accepts: the validator refuses some
// built-ins without an id, and this has it.
void CheckBuiltIns(ModuleFindings& findings);

// SPIRV-Tools reports one of the two ids that a rule has for a built-in with two names. The result is that of the name
// that the extensions of the module mean; `reported` for any other id.
vk::VuidIndex IdForModule(const spirv_instrument::Module& module, vk::VuidIndex reported);

// Whether SPIRV-Tools is wrong to report that id of the module: it refuses types of per-primitive built-ins of meshes
// that the rule allows, or means another rule. False for an id that is not about the type of a built-in.
//
//   out perprimitiveEXT bool cull[3];     CullPrimitiveEXT, as an array of its own: VUID-CullPrimitiveEXT-…-07036
bool IsFalselyReported(const spirv_instrument::Module& module, vk::VuidIndex reported);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_CHECKS_H_
