// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/interfaces/variable_text.h"

#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "spirv_instrument/ir/debug/source_locations.h"
#include "spirv_instrument/ir/sections.h"

namespace assay::core {
namespace {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Module;
using spv::Op;

// NonSemantic.Shader.DebugInfo.100.
constexpr uint32_t kDebugGlobalVariable = 18;
constexpr uint32_t kDebugSource = 35;

// Arrays nest no deeper in a valid module.
constexpr int kMaxDepth = 16;

Instruction WithoutArrays(const Module& module, Instruction type) {
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    if (type.op() != Op::OpTypeArray && type.op() != Op::OpTypeRuntimeArray) break;
    type = module.Find(type.id(0));
  }
  return type;
}

// "quad.vert:7" by the debug information of a global variable; "" without.
std::string DebugLine(const Module& module, Id variable) {
  for (Instruction instruction : module.section(spirv_instrument::Section::kGlobals)) {
    if (instruction.op() != Op::OpExtInst || instruction.literal(1) != kDebugGlobalVariable) continue;
    const bool is_set = module.Find(instruction.id(0)).string(0) == "NonSemantic.Shader.DebugInfo.100";
    if (!is_set || instruction.id(9) != variable) continue;
    const Instruction source = module.Find(instruction.id(4));
    const std::string_view file =
        source.literal(1) == kDebugSource ? module.Find(source.id(2)).string(0) : std::string_view();
    return absl::StrCat(file, ":", module.Find(instruction.id(5)).literal(0));
  }
  return "";
}

}  // namespace

std::string TypeText(const InterfaceType& type) {
  const bool is_double = type.kind == InterfaceType::Kind::kFloat && type.width == 64;
  std::string_view scalar = is_double ? "double" : "float";
  std::string_view prefix = is_double ? "d" : "";
  if (type.kind == InterfaceType::Kind::kSignedInt) scalar = "int", prefix = "i";
  if (type.kind == InterfaceType::Kind::kUnsignedInt) scalar = "uint", prefix = "u";
  if (type.kind == InterfaceType::Kind::kOther) scalar = "value", prefix = "other ";
  const std::string bits = type.width == 32 || is_double ? "" : absl::StrCat(type.width);
  std::string text;
  if (type.columns != 0) {
    text = absl::StrCat(prefix, bits, "mat", type.columns, "x", type.components);
  } else if (type.components > 1) {
    text = absl::StrCat(prefix, bits, "vec", type.components);
  } else {
    text = absl::StrCat(scalar, bits);
  }
  for (uint32_t length : type.lengths) absl::StrAppend(&text, "[", length, "]");
  return text;
}

VariableTexts::VariableTexts(absl::Span<const uint32_t> words) {
  absl::StatusOr<Module> module = Module::Read(words);
  if (!module.ok()) return;
  module_ = *std::move(module);
  decorations_.emplace(*module_);
}

std::string VariableTexts::Name(Id variable, absl::Span<const uint32_t> members) const {
  const Instruction structure = WithoutArrays(*module_, module_->Find(module_->TypeOf(variable).id(1)));
  // A block without a name of its own is known by that of its type.
  std::string_view name = decorations_->NameOf(variable);
  if (name.empty()) name = decorations_->NameOf(structure.result_id());
  std::string text = name.empty() ? absl::StrCat("%", ToNumber(variable)) : std::string(name);
  Instruction type = structure;
  for (uint32_t member : members) {
    const std::string_view member_name = decorations_->MemberName(type.result_id(), member);
    absl::StrAppend(&text, ".");
    member_name.empty() ? absl::StrAppend(&text, "member ", member) : absl::StrAppend(&text, member_name);
    type = WithoutArrays(*module_, module_->Find(type.id(member)));
  }
  return absl::StrCat("\"", text, "\"");
}

std::string VariableTexts::Line(Id variable) const {
  const Instruction instruction = module_->Find(variable);
  std::string line;
  if (instruction.line()) {
    if (const auto at = spirv_instrument::SourceLocations(*module_).Of(instruction)) {
      line = absl::StrCat(at->file, ":", at->line);
    }
  } else {
    line = DebugLine(*module_, variable);
  }
  return line.empty() ? "" : absl::StrCat(" (", line, ")");
}

std::string VariableTexts::Of(Id variable, absl::Span<const uint32_t> members) const {
  if (!module_) return absl::StrCat("%", ToNumber(variable));
  return absl::StrCat(Name(variable, members), Line(variable));
}

std::string VariableTexts::Of(const InterfaceElement& element) const {
  std::string text = module_ ? Name(element.variable, element.members) : absl::StrCat("%", ToNumber(element.variable));
  absl::StrAppend(&text, ", ", TypeText(element.type), " at location ", element.location);
  if (element.component != 0) absl::StrAppend(&text, " component ", element.component);
  if (element.is_patch) absl::StrAppend(&text, " with Patch");
  if (element.is_per_primitive) absl::StrAppend(&text, " with PerPrimitiveEXT");
  return module_ ? absl::StrCat(text, Line(element.variable)) : text;
}

std::string_view StageText(VkShaderStageFlagBits stage) {
  switch (stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
      return "vertex";
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
      return "tessellation control";
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      return "tessellation evaluation";
    case VK_SHADER_STAGE_GEOMETRY_BIT:
      return "geometry";
    case VK_SHADER_STAGE_FRAGMENT_BIT:
      return "fragment";
    case VK_SHADER_STAGE_COMPUTE_BIT:
      return "compute";
    case VK_SHADER_STAGE_TASK_BIT_EXT:
      return "task";
    case VK_SHADER_STAGE_MESH_BIT_EXT:
      return "mesh";
    default:
      return "ray tracing";
  }
}

}  // namespace assay::core
