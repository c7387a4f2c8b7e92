// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints what //tools/coverage counts: the rules of built-ins that are checked, one line each. Their test is one of the
// whole layer.

#include <cstdio>
#include <string>

#include "core/spirv/builtins/builtin_cases.h"
#include "vk/vuid.h"

int main() {
  for (const assay::core::BuiltInCase& built_in_case : assay::core::BuiltInCases()) {
    std::printf("in-table\t%s\t\n", std::string(assay::vk::GetVuid(built_in_case.rule->vuid).id).c_str());
  }
}
