// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints what //tools/coverage counts: the ids of the cases, since SPIRV-Tools names most of them, and no source here.

#include <cstdio>

#include "core/spirv/cases/spirv_cases.h"

int main() {
  for (const assay::core::SpirvCase& row : assay::core::AllSpirvCases())
    std::printf("in-table\t%s\t\n", row.Vuid().c_str());
}
