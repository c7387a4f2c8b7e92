// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {

std::vector<SpirvCase> AllSpirvCases() {
  std::vector<SpirvCase> cases;
  for (const auto& group : {EntryPointCases(), ScopeCases(), StorageClassCases(), DecorationCases(), LocationCases(),
                            TypeCases(), ImageCases(), MemoryCases(), RayCases(), WorkgroupCases(), InterfaceCases(),
                            TransformFeedbackCases(), MeshCases(), ResourceCases()}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  return cases;
}

std::vector<UnreachableSpirvId> UnreachableSpirvIds() {
  return {
      {"StandaloneSpirv-None-04635",
       "Other addressing models need the capability Addresses, which no Vulkan device supports. A module that declares "
       "such a capability is reported for that, and not judged."},
      {"StandaloneSpirv-OpTypeImage-09638",
       "Dim Rect needs the capability SampledRect, which no Vulkan device supports. A module that declares such a "
       "capability is reported for that, and not judged."},
      {"StandaloneSpirv-OpTypeSampledImage-06671",
       "OpSampledImage has an image of the type that its OpTypeSampledImage names. That has a Sampled of 2 only under "
       "StandaloneSpirv-OpTypeImage-04657, and one of 0 too."},
  };
}

}  // namespace assay::core
