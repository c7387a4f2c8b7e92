// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_CASES_H_
#define ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_CASES_H_

#include <string>
#include <string_view>
#include <vector>

#include "vk/spirv/builtin_rule_info.h"

// Test-only: for each rule of built-ins, a module that breaks it, and a correct one that differs in what the rule is
// about. Both are made from the rows of the built-in.
namespace assay::core {

struct BuiltInCase {
  const vk::BuiltInRule* rule;
  std::string wrong;
  std::string correct;
};

// In the order of the rules.
std::vector<BuiltInCase> BuiltInCases();

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_CASES_H_
