// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/builtins/builtin_checks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "core/spirv/builtins/builtin_variables.h"
#include "core/spirv/builtins/stored_values.h"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/ir/uses.h"
#include "vk/spirv/builtin_rule_info.h"

namespace assay::core {

using spirv_instrument::Decorations;
using spirv_instrument::EntryPoint;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Module;
using spirv_instrument::OperandKind;
using vk::BuiltInRule;
using vk::BuiltInRuleKind;

namespace {

template <typename E>
std::string Name(OperandKind kind, E value) {
  const spirv_instrument::EnumerantInfo* info = spirv_instrument::FindEnumerant(kind, static_cast<uint32_t>(value));
  return info == nullptr ? absl::StrCat(static_cast<uint32_t>(value)) : std::string(info->name);
}

bool IsMesh(spv::ExecutionModel model) {
  return model == spv::ExecutionModel::MeshEXT || model == spv::ExecutionModel::MeshNV;
}

bool IsAccessChain(Instruction at) {
  return at.op() == spv::Op::OpAccessChain || at.op() == spv::Op::OpInBoundsAccessChain;
}

bool HasDecoration(const Decorations& decorations, const BuiltInVariable& place, spv::Decoration decoration) {
  return decorations.Has(place.variable.result_id(), decoration) || decorations.Has(place.block, decoration) ||
         (place.member && decorations.HasMember(place.block, *place.member, decoration));
}

// Whether the interface has an array of what the built-in is: an element for each vertex, primitive or view.
bool MayHaveMoreArrays(const Decorations& decorations, spv::ExecutionModel model, const BuiltInVariable& place) {
  return IsMesh(model) || model == spv::ExecutionModel::TessellationControl ||
         model == spv::ExecutionModel::TessellationEvaluation || model == spv::ExecutionModel::Geometry ||
         HasDecoration(decorations, place, spv::Decoration::PerVertexKHR);
}

// Whether a variable of an interface has the type of a row of types.
bool HasType(const Module& module, const Decorations& decorations, spv::ExecutionModel model,
             const BuiltInVariable& place, const BuiltInRule& rule) {
  if (rule.kind != BuiltInRuleKind::kPrimitiveType) {
    return Matches(module, place.type, rule.type, MayHaveMoreArrays(decorations, model, place));
  }
  vk::BuiltInType wanted = rule.type;
  if (!place.member) wanted.arrays = 1;
  return Matches(module, place.type, wanted, false);
}

// Calls `visit` for each built-in in the interface of an entry point.
void ForEachBuiltIn(const Module& module, const Decorations& decorations, EntryPoint entry_point,
                    absl::FunctionRef<void(const BuiltInVariable&)> visit) {
  for (uint32_t id : entry_point.interface()) {
    const Instruction variable = module.Find(Id{id});
    if (variable.op() != spv::Op::OpVariable) continue;
    for (const BuiltInVariable& place : BuiltInsOf(module, decorations, variable)) visit(place);
  }
}

// An entry point and a built-in of its interface, against the rows of the built-in.
class BuiltInCheck {
 public:
  BuiltInCheck(ModuleFindings& findings, const Decorations& decorations, EntryPoint entry_point,
               const BuiltInVariable& place)
      : findings_(findings),
        module_(findings.module()),
        decorations_(decorations),
        entry_point_(entry_point),
        place_(place) {}

  void Check() {
    for (const BuiltInRule& rule : vk::BuiltInRulesOf(place_.built_in)) {
      if (!rule.by_spirv_tools) CheckRule(rule);
    }
    CheckStoredValues(findings_, entry_point_, place_);
  }

 private:
  spv::ExecutionModel model() const { return entry_point_.model(); }

  void CheckRule(const BuiltInRule& rule) {
    if (rule.kind == BuiltInRuleKind::kModels) return CheckModels(rule);
    if (!rule.AppliesTo(model())) return;
    switch (rule.kind) {
      case BuiltInRuleKind::kStorageClasses:
        return CheckStorageClass(rule);
      case BuiltInRuleKind::kType:
      case BuiltInRuleKind::kPrimitiveType:
        return CheckType(rule);
      case BuiltInRuleKind::kDecoration:
        return CheckDecoration(rule);
      case BuiltInRuleKind::kCapabilities:
        return CheckCapabilities(rule);
      case BuiltInRuleKind::kPrimitiveCount:
        return CheckPrimitiveCount(rule);
      case BuiltInRuleKind::kPrimitiveCountOfBlock:
        return CheckPrimitiveCountOfBlock(rule);
      case BuiltInRuleKind::kMostElements:
        return CheckMostElements(rule);
      case BuiltInRuleKind::kConstantIndex:
        return CheckConstantIndex(rule);
      case BuiltInRuleKind::kOnlyOne:
        return CheckOnlyOne(rule);
      case BuiltInRuleKind::kConstant:
        return Add(rule, "is no constant");
      // SPIRV-Tools' validator reports all of these.
      case BuiltInRuleKind::kModels:
      case BuiltInRuleKind::kExecutionMode:
        return;
    }
  }

  void CheckModels(const BuiltInRule& rule) {
    if (rule.AppliesTo(model())) return;
    for (Id function : spirv_instrument::ReachableFunctions(module_, entry_point_.function())) {
      for (Instruction at : module_.FindFunction(function).instructions()) {
        if (Uses(at)) return Add(rule, "is used by it", at);
      }
    }
  }

  // Whether the instruction names the variable, and not only for another member: compilers declare Blocks with members
  // that a shader does not use.
  bool Uses(Instruction at) const {
    bool names = false;
    spirv_instrument::ForEachId(module_, at, [&](uint32_t, Id id) { names |= id == place_.variable.result_id(); });
    if (!names || !place_.member || !IsAccessChain(at)) return names;
    const size_t index = 1 + WithoutArrays(module_, VariableType(module_, place_.variable)).sizes.size();
    return index >= at.operand_count() || module_.Find(at.id(index)).literal(0) == place_.member;
  }

  void CheckStorageClass(const BuiltInRule& rule) {
    const auto storage = static_cast<uint32_t>(place_.storage());
    if (std::ranges::find(rule.operands, storage) != rule.operands.end()) return;
    Add(rule, absl::StrCat("is in storage class ", Name(OperandKind::kStorageClass, storage)));
  }

  void CheckType(const BuiltInRule& rule) {
    if (HasType(module_, decorations_, model(), place_, rule)) return;
    Add(rule, absl::StrCat("is declared as ", TypeText(module_, place_.type)));
  }

  void CheckDecoration(const BuiltInRule& rule) {
    const auto decoration = spv::Decoration{rule.operands[0]};
    if (HasDecoration(decorations_, place_, decoration)) return;
    Add(rule, absl::StrCat("is not decorated with ", Name(OperandKind::kDecoration, decoration)));
  }

  void CheckCapabilities(const BuiltInRule& rule) {
    std::string names;
    for (uint32_t capability : rule.operands) {
      if (spirv_instrument::HasCapability(module_, spv::Capability{capability})) return;
      absl::StrAppend(&names, names.empty() ? "" : ", ", Name(OperandKind::kCapability, capability));
    }
    Add(rule, absl::StrCat("is in its interface, and the module declares none of the capabilities ", names));
  }

  // Nothing if the entry point does not say.
  std::optional<uint32_t> Primitives() const {
    const Instruction mode =
        spirv_instrument::FindExecutionMode(module_, entry_point_.function(), spv::ExecutionMode::OutputPrimitivesEXT);
    return mode ? std::optional(mode.literal(2)) : std::nullopt;
  }

  void CheckPrimitiveCount(const BuiltInRule& rule) {
    if (place_.member) return;
    if (rule.operands.size() > 1 &&
        !spirv_instrument::FindExecutionMode(module_, entry_point_.function(), spv::ExecutionMode{rule.operands[1]})) {
      return;
    }
    CheckCount(rule, place_.type, rule.operands[0]);
  }

  void CheckPrimitiveCountOfBlock(const BuiltInRule& rule) {
    if (place_.member) CheckCount(rule, VariableType(module_, place_.variable), 1);
  }

  void CheckCount(const BuiltInRule& rule, Id type, uint32_t factor) {
    const ArrayType arrays = WithoutArrays(module_, type);
    const std::optional<uint32_t> primitives = Primitives();
    if (arrays.sizes.size() != 1 || !arrays.sizes[0] || !primitives) return;
    if (*arrays.sizes[0] == uint64_t{*primitives} * factor) return;
    Add(rule,
        absl::StrCat("is of an array of ", *arrays.sizes[0], " elements, and OutputPrimitivesEXT is ", *primitives));
  }

  void CheckMostElements(const BuiltInRule& rule) {
    // Meshes have it in two dimensions, and other arrays of vertices are around the variable.
    if (IsMesh(model()) || (MayHaveMoreArrays(decorations_, model(), place_) && !place_.member)) return;
    const ArrayType arrays = WithoutArrays(module_, place_.type);
    if (arrays.sizes.size() != 1 || arrays.sizes[0].value_or(0) <= rule.operands[0]) return;
    Add(rule, absl::StrCat("has ", *arrays.sizes[0], " elements"));
  }

  void CheckConstantIndex(const BuiltInRule& rule) {
    // Of a mesh it has dimensions of another meaning.
    if (IsMesh(model())) return;
    for (Id function : spirv_instrument::ReachableFunctions(module_, entry_point_.function())) {
      for (Instruction at : module_.FindFunction(function).instructions()) {
        if (!IsAccessChain(at)) continue;
        if (at.id(0) != place_.variable.result_id() || !IsIndexedByVariable(at)) continue;
        return Add(rule, "is indexed by a value that is no constant", at);
      }
    }
  }

  void CheckOnlyOne(const BuiltInRule& rule) {
    int count = 0;
    ForEachBuiltIn(module_, decorations_, entry_point_,
                   [&](const BuiltInVariable& other) { count += other.built_in == place_.built_in ? 1 : 0; });
    if (count > 1) Add(rule, absl::StrCat("is declared ", count, " times"));
  }

  // Whether the index into the built-in's own array, the innermost one, is no constant.
  bool IsIndexedByVariable(Instruction chain) const {
    Id type = VariableType(module_, place_.variable);
    for (size_t i = 1; i < chain.operand_count(); ++i) {
      const Instruction index = module_.Find(chain.id(i));
      const Instruction at = module_.Find(type);
      if (at.op() == spv::Op::OpTypeStruct) {
        if (index.literal(0) != place_.member) return false;
        type = place_.type;
        continue;
      }
      const size_t dimensions = WithoutArrays(module_, type).sizes.size();
      if (dimensions == 0) return false;
      const bool is_own = dimensions == 1 && (!place_.member || IsPartOfMember(type));
      if (is_own) return !spirv_instrument::IsConstant(index.op());
      type = at.id(0);
    }
    return false;
  }
  bool IsPartOfMember(Id type) const { return WithoutArrays(module_, type).element != place_.block; }

  void Add(const BuiltInRule& rule, std::string_view what) { Add(rule, what, place_.variable); }
  void Add(const BuiltInRule& rule, std::string_view what, Instruction at) {
    const std::string member =
        place_.member ? absl::StrCat(", member ", *place_.member, " of a Block,") : std::string();
    findings_.Add(rule.vuid,
                  absl::StrCat("In the interface of the entry point \"", entry_point_.name(), "\" of execution model ",
                               Name(OperandKind::kExecutionModel, model()), ", the variable of built-in ",
                               Name(OperandKind::kBuiltIn, place_.built_in), member, " ", what, "."),
                  at);
  }

  ModuleFindings& findings_;
  const Module& module_;
  const Decorations& decorations_;
  EntryPoint entry_point_;
  const BuiltInVariable& place_;
};

// Most modules have none.
bool HasRulesToCheck(const Module& module) {
  for (Instruction at : module.section(spirv_instrument::Section::kAnnotations)) {
    const bool is_of_member = at.op() == spv::Op::OpMemberDecorate;
    if (!is_of_member && at.op() != spv::Op::OpDecorate) continue;
    const size_t operand = is_of_member ? 2 : 1;
    if (at.enumerant<spv::Decoration>(operand) != spv::Decoration::BuiltIn) continue;
    const auto built_in = at.enumerant<spv::BuiltIn>(operand + 1);
    if (HasRulesOfValues(built_in)) return true;
    if (!std::ranges::all_of(vk::BuiltInRulesOf(built_in), &BuiltInRule::by_spirv_tools)) return true;
  }
  return false;
}

}  // namespace

void CheckBuiltIns(ModuleFindings& findings) {
  const Module& module = findings.module();
  if (!HasRulesToCheck(module)) return;
  const Decorations decorations(module);
  for (EntryPoint entry_point : spirv_instrument::EntryPoints(module)) {
    ForEachBuiltIn(module, decorations, entry_point, [&](const BuiltInVariable& place) {
      BuiltInCheck(findings, decorations, entry_point, place).Check();
    });
  }
}

vk::VuidIndex IdForModule(const Module& module, vk::VuidIndex reported) {
  const auto rules = vk::BuiltInRules();
  const auto rule = std::ranges::find(rules, reported, &BuiltInRule::vuid);
  if (rule == rules.end() || rule->extension.empty()) return reported;
  if (spirv_instrument::HasExtension(module, rule->extension)) return reported;
  for (const BuiltInRule& other : vk::BuiltInRulesOf(rule->built_in)) {
    if (other.kind == rule->kind && spirv_instrument::HasExtension(module, other.extension)) return other.vuid;
  }
  return reported;
}

bool IsFalselyReported(const Module& module, vk::VuidIndex reported) {
  const auto rules = vk::BuiltInRules();
  const auto rule = std::ranges::find(rules, reported, &BuiltInRule::vuid);
  if (rule == rules.end()) return false;
  if (rule->kind != BuiltInRuleKind::kType && rule->kind != BuiltInRuleKind::kPrimitiveType) return false;
  const auto rules_of_built_in = vk::BuiltInRulesOf(rule->built_in);
  const auto is_of_primitives = [](const BuiltInRule& row) { return row.kind == BuiltInRuleKind::kPrimitiveType; };
  if (std::ranges::none_of(rules_of_built_in, is_of_primitives)) return false;

  const Decorations decorations(module);
  bool is_in_interface = false;
  bool is_right = false;
  for (EntryPoint entry_point : spirv_instrument::EntryPoints(module)) {
    const spv::ExecutionModel model = entry_point.model();
    ForEachBuiltIn(module, decorations, entry_point, [&](const BuiltInVariable& place) {
      if (place.built_in != rule->built_in) return;
      is_in_interface = true;
      is_right |= model != spv::ExecutionModel::MeshEXT ||
                  (rule->AppliesTo(model) && !HasType(module, decorations, model, place, *rule));
    });
  }
  return is_in_interface && !is_right;
}

}  // namespace assay::core
