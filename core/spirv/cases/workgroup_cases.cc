// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A compute shader of a certain size whose invocations are grouped for derivatives.
StageText Grouped(const std::string& owner, const std::string& grouping, const std::string& size) {
  return {.capabilities = Capabilities("ComputeDerivativeGroupQuadsKHR, ComputeDerivativeGroupLinearKHR",
                                       "SPV_" + owner + "_compute_shader_derivatives"),
          .modes = Modes(size + ", DerivativeGroup" + grouping + "KHR")};
}

}  // namespace

std::vector<SpirvCase> WorkgroupCases() {
  // The size is in constants.
  StageText ids = Grouped("KHR", "Quads", "LocalSize 1 1 1");
  ids.modes = "OpExecutionModeId %main LocalSizeId %u2 %u3 %u1\n" + Modes("DerivativeGroupQuadsKHR");
  const StageText object = With(Grouped("KHR", "Linear", "LocalSize 4 1 1"),
                                {.decorations = "OpDecorate %size BuiltIn WorkgroupSize\n",
                                 .globals = "%size = OpConstantComposite %v3uint %u5 %u1 %u1\n"});
  return {{"DerivativeGroupQuadsNV-04684", Grouped("NV", "Quads", "LocalSize 4 3 1"), "4 3 1", "4 2 1"},
          {"DerivativeGroupLinearNV-04778", Grouped("NV", "Linear", "LocalSize 2 3 1"), "2 3 1", "2 3 2"},
          {"DerivativeGroupQuadsKHR-10151", Grouped("KHR", "Quads", "LocalSize 3 4 1"), "3 4 1", "2 4 1"},
          {"DerivativeGroupLinearKHR-10152", Grouped("KHR", "Linear", "LocalSize 3 3 1"), "3 3 1", "3 4 1"},
          {"DerivativeGroupQuadsKHR-10151", ids, "%u2 %u3", "%u2 %u2"},
          {"DerivativeGroupLinearKHR-10152", object, "%u5 %u1 %u1", "%u4 %u1 %u1"},
          // Specialization may change it.
          {"DerivativeGroupLinearKHR-10152", object, "%size = OpConstantComposite", "%size = OpSpecConstantComposite"}};
}

}  // namespace assay::core
