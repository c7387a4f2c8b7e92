// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The size of workgroups whose invocations are grouped for derivatives.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/spirv/module_reader.h"
#include "spirv_instrument/ir/sections.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::ExecutionMode;
using spv::ExecutionModel;
using spv::Op;

namespace {

using Size = std::array<uint32_t, 3>;

std::optional<Size> Constants(const ModuleReader& reader, Id x, Id y, Id z) {
  Size size = {};
  const std::array<Id, 3> ids = {x, y, z};
  for (size_t i = 0; i < size.size(); ++i) {
    const std::optional<uint32_t> value = reader.ConstantOf(ids[i]);
    if (!value) return std::nullopt;
    size[i] = *value;
  }
  return size;
}

// nullopt if specialization may change it.
std::optional<Size> SizeOf(const ModuleReader& reader, const EntryPointUse& use) {
  // An object that is decorated with WorkgroupSize counts for all entry points.
  for (Instruction decoration : reader.module().section(spirv_instrument::Section::kAnnotations)) {
    const bool is_builtin =
        decoration.op() == Op::OpDecorate && decoration.enumerant<spv::Decoration>(1) == spv::Decoration::BuiltIn;
    if (!is_builtin || decoration.enumerant<spv::BuiltIn>(2) != spv::BuiltIn::WorkgroupSize) continue;
    const Instruction object = reader.Find(decoration.id(0));
    if (object.op() != Op::OpConstantComposite) return std::nullopt;
    return Constants(reader, object.id(0), object.id(1), object.id(2));
  }
  const Id function = use.entry_point.function();
  const Instruction ids = FindExecutionMode(reader.module(), function, ExecutionMode::LocalSizeId);
  if (ids) return Constants(reader, ids.id(2), ids.id(3), ids.id(4));
  const Instruction literals = FindExecutionMode(reader.module(), function, ExecutionMode::LocalSize);
  if (!literals) return std::nullopt;
  return Size{literals.literal(2), literals.literal(3), literals.literal(4)};
}

}  // namespace

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
    const std::optional<Size> size = SizeOf(reader, use);
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
