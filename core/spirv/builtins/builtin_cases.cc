// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/builtins/builtin_cases.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "core/spirv/builtins/builtin_shader.h"

namespace assay::core {

using vk::BuiltInRule;
using vk::BuiltInRuleKind;
using vk::BuiltInScalar;
using Form = BuiltInShader::Form;
using Access = BuiltInShader::Access;

namespace {

// Those whose interfaces are simplest come first.
constexpr spv::ExecutionModel kModels[] = {
    spv::ExecutionModel::Vertex,           spv::ExecutionModel::Fragment,
    spv::ExecutionModel::GLCompute,        spv::ExecutionModel::TessellationEvaluation,
    spv::ExecutionModel::Geometry,         spv::ExecutionModel::TessellationControl,
    spv::ExecutionModel::RayGenerationKHR, spv::ExecutionModel::AnyHitKHR,
    spv::ExecutionModel::IntersectionKHR,  spv::ExecutionModel::MeshEXT,
    spv::ExecutionModel::MeshNV,           spv::ExecutionModel::TaskNV,
};

bool IsMesh(spv::ExecutionModel model) {
  return model == spv::ExecutionModel::MeshEXT || model == spv::ExecutionModel::MeshNV;
}

// The rules of one built-in.
class BuiltIn {
 public:
  explicit BuiltIn(spv::BuiltIn built_in) : rules_(vk::BuiltInRulesOf(built_in)) {}

  const BuiltInRule* Find(BuiltInRuleKind kind, std::optional<spv::ExecutionModel> model = std::nullopt) const {
    const auto found = std::ranges::find_if(
        rules_, [&](const BuiltInRule& rule) { return rule.kind == kind && (!model || rule.AppliesTo(*model)); });
    return found == rules_.end() ? nullptr : &*found;
  }
  bool MayBeUsedBy(spv::ExecutionModel model) const {
    const BuiltInRule* models = Find(BuiltInRuleKind::kModels);
    return models == nullptr || models->AppliesTo(model);
  }
  // Where a rule can be broken.
  spv::ExecutionModel ModelFor(const BuiltInRule& rule) const {
    return *std::ranges::find_if(
        kModels, [&](spv::ExecutionModel model) { return MayBeUsedBy(model) && rule.AppliesTo(model); });
  }

 private:
  std::span<const BuiltInRule> rules_;
};

spv::StorageClass StorageFor(const BuiltIn& built_in, spv::ExecutionModel model) {
  const BuiltInRule* rule = built_in.Find(BuiltInRuleKind::kStorageClasses, model);
  if (rule == nullptr) return spv::StorageClass::Input;
  // An output has fewer arrays than an input, where both are allowed.
  const bool has_output = std::ranges::count(rule->operands, static_cast<uint32_t>(spv::StorageClass::Output)) != 0;
  return has_output ? spv::StorageClass::Output : spv::StorageClass{rule->operands[0]};
}

// Counts are per workgroup, and indices are arrays themselves.
bool HasElementForEachVertexOrPrimitive(const BuiltInShader& shader, const BuiltIn& built_in) {
  const BuiltInRule* count = built_in.Find(BuiltInRuleKind::kPrimitiveCount);
  const bool is_index = count != nullptr && count->type.scalar == BuiltInScalar::kNone;
  return IsMesh(shader.model) && shader.storage == spv::StorageClass::Output && !is_index &&
         shader.built_in != spv::BuiltIn::PrimitiveCountNV;
}

// A correct shader, for a model that `rule` is about.
BuiltInShader CorrectShader(const BuiltInRule& rule) {
  const BuiltIn built_in(rule.built_in);
  BuiltInShader shader = {
      .built_in = rule.built_in, .model = built_in.ModelFor(rule), .extension = std::string(rule.extension)};
  shader.storage = StorageFor(built_in, shader.model);
  if (built_in.Find(BuiltInRuleKind::kConstant) != nullptr) shader.form = Form::kConstant;
  // Of BaryCoordNoPerspCentroidAMD, which has no row for its type.
  shader.type = {.scalar = BuiltInScalar::kFloat, .width = 32, .components = 2, .columns = 1, .arrays = 0, .size = 0};
  if (const BuiltInRule* type = built_in.Find(BuiltInRuleKind::kType, shader.model)) shader.type = type->type;
  if (const BuiltInRule* type = built_in.Find(BuiltInRuleKind::kPrimitiveType, shader.model)) shader.type = type->type;
  if (const BuiltInRule* mode = built_in.Find(BuiltInRuleKind::kExecutionMode)) {
    shader.mode = spv::ExecutionMode{mode->operands[0]};
  }
  if (const BuiltInRule* decoration = built_in.Find(BuiltInRuleKind::kDecoration, shader.model)) {
    shader.decorations.push_back(spv::Decoration{decoration->operands[0]});
  }
  const BuiltInRule* count = rule.kind == BuiltInRuleKind::kPrimitiveCount
                                 ? &rule
                                 : built_in.Find(BuiltInRuleKind::kPrimitiveCount, shader.model);
  if (count != nullptr) {
    shader.elements = kInterfaceElements * count->operands[0];
    if (count->operands.size() > 1) shader.mode = spv::ExecutionMode{count->operands[1]};
  }
  if (HasElementForEachVertexOrPrimitive(shader, built_in)) shader.outer_elements = kInterfaceElements;
  // SPIRV-Tools refuses arrays of two of them.
  const bool is_block = rule.kind == BuiltInRuleKind::kPrimitiveCountOfBlock ||
                        rule.built_in == spv::BuiltIn::CullPrimitiveEXT ||
                        (rule.built_in == spv::BuiltIn::PrimitiveShadingRateKHR && IsMesh(shader.model));
  if (is_block && rule.kind != BuiltInRuleKind::kPrimitiveCount) shader.form = Form::kBlock;
  return shader;
}

spv::StorageClass WrongStorage(const BuiltInRule& rule, const BuiltInShader& shader) {
  const auto is_allowed = [&](spv::StorageClass storage) {
    return std::ranges::count(rule.operands, static_cast<uint32_t>(storage)) != 0;
  };
  const bool has_outputs = shader.model != spv::ExecutionModel::GLCompute && shader.model < spv::ExecutionModel::TaskNV;
  if (has_outputs && !is_allowed(spv::StorageClass::Output)) return spv::StorageClass::Output;
  return is_allowed(spv::StorageClass::Input) ? spv::StorageClass::Private : spv::StorageClass::Input;
}

spv::ExecutionModel WrongModel(const BuiltInRule& rule, const BuiltInShader& correct) {
  // Only the other model of meshes has the execution mode.
  if (correct.mode && correct.model == spv::ExecutionModel::MeshEXT) return spv::ExecutionModel::MeshNV;
  return *std::ranges::find_if(kModels, [&](spv::ExecutionModel model) { return !rule.AppliesTo(model); });
}

vk::BuiltInType WrongType(vk::BuiltInType type) {
  if (type.columns > 1) {
    --type.columns;
  } else {
    type.scalar = type.scalar == BuiltInScalar::kFloat ? BuiltInScalar::kInt : BuiltInScalar::kFloat;
  }
  return type;
}

// Changes a correct shader in what the rule is about.
BuiltInShader WrongShader(const BuiltInRule& rule, const BuiltInShader& correct) {
  BuiltInShader shader = correct;
  switch (rule.kind) {
    case BuiltInRuleKind::kModels:
      shader.model = WrongModel(rule, correct);
      if (!IsMesh(shader.model)) shader.outer_elements = 0;
      break;
    case BuiltInRuleKind::kStorageClasses:
      shader.storage = WrongStorage(rule, shader);
      break;
    case BuiltInRuleKind::kType:
    case BuiltInRuleKind::kPrimitiveType:
      shader.type = WrongType(shader.type);
      break;
    case BuiltInRuleKind::kDecoration:
      shader.decorations.clear();
      break;
    case BuiltInRuleKind::kExecutionMode:
      shader.mode.reset();
      if (IsMesh(shader.model) && correct.mode == spv::ExecutionMode::OutputTrianglesEXT) {
        shader.mode = spv::ExecutionMode::OutputLinesEXT;
      }
      break;
    case BuiltInRuleKind::kCapabilities:
      for (uint32_t capability : rule.operands) shader.avoided.push_back(spv::Capability{capability});
      break;
    case BuiltInRuleKind::kConstant:
      shader.form = Form::kVariable;
      break;
    case BuiltInRuleKind::kPrimitiveCount:
      ++(shader.outer_elements != 0 ? shader.outer_elements : shader.elements);
      break;
    case BuiltInRuleKind::kPrimitiveCountOfBlock:
      ++shader.outer_elements;
      break;
    case BuiltInRuleKind::kMostElements:
      shader.elements = rule.operands[0] + 1;
      break;
    case BuiltInRuleKind::kConstantIndex:
      shader.access = Access::kVariableIndex;
      break;
    case BuiltInRuleKind::kOnlyOne:
      shader.has_twin = true;
      break;
  }
  return shader;
}

}  // namespace

std::vector<BuiltInCase> BuiltInCases() {
  std::vector<BuiltInCase> cases;
  for (const BuiltInRule& rule : vk::BuiltInRules()) {
    BuiltInShader correct = CorrectShader(rule);
    if (rule.kind == BuiltInRuleKind::kConstantIndex) correct.access = Access::kConstantIndex;
    cases.push_back({.rule = &rule, .wrong = Text(WrongShader(rule, correct)), .correct = Text(correct)});
  }
  return cases;
}

}  // namespace assay::core
