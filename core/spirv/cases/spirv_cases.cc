// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {

std::vector<SpirvCase> AllSpirvCases() {
  return Joined({EntryPointCases(), ScopeCases(), StorageClassCases(), DecorationCases(), LocationCases(), TypeCases(),
                 ImageCases(), MemoryCases(), InterfaceCases(), TransformFeedbackCases(), MeshCases(), ResourceCases(),
                 IndexCases()});
}

}  // namespace assay::core
