// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The size of workgroups whose invocations are grouped for derivatives.

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/spirv/module_reader.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::ExecutionMode;
using spv::ExecutionModel;

void CheckWorkgroups(ModuleReader& reader) {
  if (!reader.HasCapability(spv::Capability::ComputeDerivativeGroupQuadsKHR) &&
      !reader.HasCapability(spv::Capability::ComputeDerivativeGroupLinearKHR)) {
    return;
  }
  // Both extensions have the same execution modes.
  const bool is_nv = reader.HasExtension("SPV_NV_compute_shader_derivatives") &&
                     !reader.HasExtension("SPV_KHR_compute_shader_derivatives");
  for (const EntryPointUse& use : reader.entry_points()) {
    const Id function = use.entry_point.function();
    const Instruction quads = FindExecutionMode(reader.module(), function, ExecutionMode::DerivativeGroupQuadsKHR);
    const Instruction linear = FindExecutionMode(reader.module(), function, ExecutionMode::DerivativeGroupLinearKHR);
    if (!quads && !linear) continue;
    if (is_nv && !use.Is(ExecutionModel::GLCompute)) continue;
    const std::optional<WorkgroupSize> size = WorkgroupSizeOf(reader, use);
    if (!size) continue;
    const std::string text = absl::StrCat("The entry point \"", use.entry_point.name(), "\" has workgroups of ",
                                          (*size)[0], " x ", (*size)[1], " x ", (*size)[2], " invocations. ");
    if (quads && ((*size)[0] % 2 != 0 || (*size)[1] % 2 != 0)) {
      reader.findings().Add(is_nv ? vk::Vuid("VUID-StandaloneSpirv-DerivativeGroupQuadsNV-04684")
                                  : vk::Vuid("VUID-StandaloneSpirv-DerivativeGroupQuadsKHR-10151"),
                            text + "The first two are not both even.", quads);
    }
    // Modulo four, the product of 32 bits is that of all bits.
    if (linear && (*size)[0] * (*size)[1] * (*size)[2] % 4 != 0) {
      reader.findings().Add(is_nv ? vk::Vuid("VUID-StandaloneSpirv-DerivativeGroupLinearNV-04778")
                                  : vk::Vuid("VUID-StandaloneSpirv-DerivativeGroupLinearKHR-10152"),
                            text + "The product is not a multiple of four.", linear);
    }
  }
}

}  // namespace assay::core
