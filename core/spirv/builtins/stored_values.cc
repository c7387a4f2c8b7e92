// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/builtins/stored_values.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/preamble.h"
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

// The rule of the indices of vertices that a built-in has; kNoVuid for another.
vk::VuidIndex IndexRuleOf(spv::BuiltIn built_in) {
  switch (built_in) {
    case spv::BuiltIn::PrimitivePointIndicesEXT:
      return vk::Vuid("VUID-PrimitivePointIndicesEXT-PrimitivePointIndicesEXT-07045");
    case spv::BuiltIn::PrimitiveLineIndicesEXT:
      return vk::Vuid("VUID-PrimitiveLineIndicesEXT-PrimitiveLineIndicesEXT-07051");
    case spv::BuiltIn::PrimitiveTriangleIndicesEXT:
      return vk::Vuid("VUID-PrimitiveTriangleIndicesEXT-PrimitiveTriangleIndicesEXT-07057");
    case spv::BuiltIn::PrimitiveIndicesNV:
      return vk::Vuid("VUID-PrimitiveIndicesNV-PrimitiveIndicesNV-04341");
    default:
      return vk::kNoVuid;
  }
}

// A constant of `value`, or of its parts, that is not below `end`.
std::optional<uint32_t> ConstantFrom(const Module& module, Id value, uint32_t end, int depth = 0) {
  // Arrays of vectors.
  constexpr int kDeepest = 3;
  const Instruction at = module.Find(value);
  if (at.op() == spv::Op::OpConstant) return at.literal(0) >= end ? std::optional(at.literal(0)) : std::nullopt;
  const bool has_parts = at.op() == spv::Op::OpConstantComposite || at.op() == spv::Op::OpCompositeConstruct;
  if (!has_parts || depth == kDeepest) return std::nullopt;
  for (size_t i = 0; i < at.operand_count(); ++i) {
    if (const auto found = ConstantFrom(module, at.id(i), end, depth + 1)) return found;
  }
  return std::nullopt;
}

void CheckIndex(ModuleFindings& findings, spirv_instrument::EntryPoint entry_point, vk::VuidIndex rule, Id value,
                Instruction at) {
  const Instruction mode = spirv_instrument::FindExecutionMode(findings.module(), entry_point.function(),
                                                               spv::ExecutionMode::OutputVertices);
  if (!mode) return;
  const auto index = ConstantFrom(findings.module(), value, mode.literal(2));
  if (!index) return;
  findings.Add(rule,
               absl::StrCat("The index of a vertex that the entry point \"", entry_point.name(), "\" writes (", *index,
                            ") is not below OutputVertices (", mode.literal(2), ")."),
               at);
}

}  // namespace

bool HasRulesOfValues(spv::BuiltIn built_in) {
  return built_in == spv::BuiltIn::PrimitiveShadingRateKHR || IndexRuleOf(built_in) != vk::kNoVuid;
}

void CheckStoredValues(ModuleFindings& findings, spirv_instrument::EntryPoint entry_point,
                       const BuiltInVariable& place) {
  if (!HasRulesOfValues(place.built_in)) return;
  const bool is_rate = place.built_in == spv::BuiltIn::PrimitiveShadingRateKHR;
  const vk::VuidIndex index_rule = IndexRuleOf(place.built_in);
  const Module& module = findings.module();
  // Only the first block is always executed.
  for (Instruction at : module.FindFunction(entry_point.function()).entry().instructions()) {
    if (at.op() != spv::Op::OpStore || !IsPointerTo(module, at.id(0), place)) continue;
    if (!is_rate) {
      CheckIndex(findings, entry_point, index_rule, at.id(1), at);
    } else if (const Instruction value = module.Find(at.id(1)); value.op() == spv::Op::OpConstant) {
      CheckRate(findings, value.literal(0), at);
    }
  }
}

}  // namespace assay::core
