// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_CASES_SPIRV_CASES_H_
#define ASSAY_CORE_SPIRV_CASES_SPIRV_CASES_H_

#include <vector>

#include "core/spirv/cases/spirv_case.h"

namespace assay::core {

// Of rules that SPIRV-Tools' validator has, and of sizes of workgroups, of which CheckModule() has rules.
std::vector<SpirvCase> EntryPointCases();
std::vector<SpirvCase> ScopeCases();
std::vector<SpirvCase> StorageClassCases();
std::vector<SpirvCase> DecorationCases();
std::vector<SpirvCase> LocationCases();
std::vector<SpirvCase> TypeCases();
std::vector<SpirvCase> ImageCases();
std::vector<SpirvCase> MemoryCases();

// Of rules that CheckModule() has.
std::vector<SpirvCase> InterfaceCases();
std::vector<SpirvCase> TransformFeedbackCases();
std::vector<SpirvCase> MeshCases();
std::vector<SpirvCase> ResourceCases();
std::vector<SpirvCase> IndexCases();

// All of these.
std::vector<SpirvCase> AllSpirvCases();

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_CASES_SPIRV_CASES_H_
