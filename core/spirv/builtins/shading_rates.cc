// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/builtins/shading_rates.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/ir/function.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Module;

namespace {

constexpr uint32_t kVertical2 = static_cast<uint32_t>(spv::FragmentShadingRateMask::Vertical2Pixels);
constexpr uint32_t kVertical4 = static_cast<uint32_t>(spv::FragmentShadingRateMask::Vertical4Pixels);
constexpr uint32_t kHorizontal2 = static_cast<uint32_t>(spv::FragmentShadingRateMask::Horizontal2Pixels);
constexpr uint32_t kHorizontal4 = static_cast<uint32_t>(spv::FragmentShadingRateMask::Horizontal4Pixels);
constexpr uint32_t kAll = kVertical2 | kVertical4 | kHorizontal2 | kHorizontal4;

// Whether a pointer is to the built-in: the variable, or an element or a member of it.
bool IsPointerTo(const Module& module, Id pointer, const BuiltInVariable& place) {
  const Instruction at = module.Find(pointer);
  if (at == place.variable) return !place.member;
  const bool is_chain = at.op() == spv::Op::OpAccessChain || at.op() == spv::Op::OpInBoundsAccessChain;
  if (!is_chain || at.id(0) != place.variable.result_id()) return false;
  if (!place.member) return true;
  const size_t index = 1 + WithoutArrays(module, VariableType(module, place.variable)).sizes.size();
  return index < at.operand_count() && module.Find(at.id(index)).literal(0) == place.member;
}

void CheckRate(ModuleFindings& findings, uint32_t rate, Instruction at) {
  const auto add = [&](vk::VuidIndex vuid, std::string_view what) {
    findings.Add(vuid, absl::StrCat("The value that is written to PrimitiveShadingRateKHR (", rate, ") ", what, "."),
                 at);
  };
  if ((rate & kVertical2) != 0 && (rate & kVertical4) != 0) {
    add(vk::Vuid("VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04487"),
        "includes Vertical2Pixels and Vertical4Pixels");
  }
  if ((rate & kHorizontal2) != 0 && (rate & kHorizontal4) != 0) {
    add(vk::Vuid("VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04488"),
        "includes Horizontal2Pixels and Horizontal4Pixels");
  }
  if ((rate & ~kAll) != 0) {
    add(vk::Vuid("VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04489"),
        absl::StrCat("includes bits that are no Fragment Shading Rate Flags (", rate & ~kAll, ")"));
  }
}

}  // namespace

void CheckShadingRates(ModuleFindings& findings, spirv_instrument::EntryPoint entry_point,
                       const BuiltInVariable& place) {
  const Module& module = findings.module();
  // Only the first block is always executed.
  for (Instruction at : module.FindFunction(entry_point.function()).entry().instructions()) {
    if (at.op() != spv::Op::OpStore || !IsPointerTo(module, at.id(0), place)) continue;
    const Instruction value = module.Find(at.id(1));
    if (value.op() == spv::Op::OpConstant) CheckRate(findings, value.literal(0), at);
  }
}

}  // namespace assay::core
