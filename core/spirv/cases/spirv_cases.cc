// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {

std::vector<SpirvCase> AllSpirvCases() {
  std::vector<SpirvCase> cases;
  for (const auto& group : {EntryPointCases(), ScopeCases(), StorageClassCases(), DecorationCases(), LocationCases(),
                            TypeCases(), ImageCases(), MemoryCases(), RayCases(), WorkgroupCases(), InterfaceCases(),
                            TransformFeedbackCases(), MeshCases(), ResourceCases(), NonUniformCases()}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  return cases;
}

}  // namespace assay::core
