// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/shader_stages/stage_facts.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/ir/debug/source_locations.h"
#include "spirv_instrument/ir/sections.h"
#include "state/shader/entry_point.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Module;
using spv::Op;

namespace {

// Types of valid modules nest no deeper.
constexpr int kDeepestType = 32;

void ReadConstants(state::ReflectedModule& module, StageFacts& facts) {
  for (Instruction instruction : module.module().section(spirv_instrument::Section::kAnnotations)) {
    if (instruction.op() != Op::OpDecorate) continue;
    if (instruction.enumerant<spv::Decoration>(1) != spv::Decoration::SpecId) continue;
    facts.is_specialized = true;
    const Instruction constant = module.Find(instruction.id(0));
    if (constant.op() == Op::OpSpecConstantTrue || constant.op() == Op::OpSpecConstantFalse) {
      facts.constants.push_back({instruction.literal(2), sizeof(VkBool32), true});
    } else if (constant.op() == Op::OpSpecConstant) {
      const uint32_t width = module.Find(constant.type_id()).literal(0);
      facts.constants.push_back({instruction.literal(2), width / 8, false});
    }
  }
}

void ReadTessellation(const StageReader& reader, StageFacts& facts) {
  for (Instruction mode : reader.modes) {
    const uint32_t number = mode.literal(1) + 1;
    switch (mode.enumerant<spv::ExecutionMode>(1)) {
      case spv::ExecutionMode::Triangles:
      case spv::ExecutionMode::Quads:
      case spv::ExecutionMode::Isolines:
        facts.tessellation.subdivision = number;
        break;
      case spv::ExecutionMode::VertexOrderCw:
      case spv::ExecutionMode::VertexOrderCcw:
        facts.tessellation.orientation = number;
        break;
      case spv::ExecutionMode::SpacingEqual:
      case spv::ExecutionMode::SpacingFractionalEven:
      case spv::ExecutionMode::SpacingFractionalOdd:
        facts.tessellation.spacing = number;
        break;
      case spv::ExecutionMode::PointMode:
        facts.tessellation.has_point_mode = true;
        break;
      case spv::ExecutionMode::OutputVertices:
        facts.tessellation.output_vertices = mode.literal(2);
        break;
      default:
        break;
    }
  }
}

// The length of the output ViewportMaskPerViewNV, of a stage whose outputs have no other arrays; 0 without.
uint64_t ViewportMaskLength(StageReader& reader) {
  switch (reader.entry_point.model()) {
    case spv::ExecutionModel::Vertex:
    case spv::ExecutionModel::TessellationEvaluation:
    case spv::ExecutionModel::Geometry:
      break;
    default:
      return 0;
  }
  const auto output = FindOutput(reader, spv::BuiltIn::ViewportMaskPerViewNV);
  if (!output) return 0;
  Instruction type = PointeeOf(reader, output->variable);
  if (output->member) type = reader.module.Find(type.id(*output->member));
  return type.op() == Op::OpTypeArray ? reader.Evaluate(type.id(1)).value_or(0) : 0;
}

void ReadUses(StageReader& reader, StageUses& uses) {
  uses.has_transform_feedback = static_cast<bool>(reader.Mode(spv::ExecutionMode::Xfb));
  uses.has_draw_index = reader.HasInput(spv::BuiltIn::DrawIndex);
  uses.has_sample_rate_shading = reader.Declares(spv::Capability::SampleRateShading);
  uses.has_enqueue = reader.Declares(spv::Capability::ShaderEnqueueAMDX);
  uses.viewport_mask_length = ViewportMaskLength(reader);
}

}  // namespace

Instruction StageReader::Mode(spv::ExecutionMode mode) const {
  for (Instruction instruction : modes) {
    if (instruction.enumerant<spv::ExecutionMode>(1) == mode) return instruction;
  }
  return {};
}

bool StageReader::HasInput(spv::BuiltIn built_in) const {
  for (uint32_t word : entry_point.interface()) {
    const Instruction variable = module.Find(Id{word});
    if (variable.op() != Op::OpVariable || variable.enumerant<spv::StorageClass>(0) != spv::StorageClass::Input)
      continue;
    if (module.DecorationOf(Id{word}, spv::Decoration::BuiltIn) == static_cast<uint32_t>(built_in)) return true;
  }
  return false;
}

std::string StageReader::Name(Instruction instruction) const {
  const Id result = instruction.result_id();
  const std::string_view own = result != spirv_instrument::kNoId ? module.decorations().NameOf(result) : "";
  std::string text;
  if (instruction.op() == Op::OpVariable) {
    text = own.empty() ? absl::StrCat("variable %", ToNumber(result)) : absl::StrCat("variable \"", own, "\"");
  } else {
    text = std::string(spirv_instrument::NameOf(instruction.op()));
    if (result != spirv_instrument::kNoId) absl::StrAppend(&text, " %", ToNumber(result));
  }
  if (instruction.line()) {
    if (const auto at = spirv_instrument::SourceLocations(module.module()).Of(instruction)) {
      absl::StrAppend(&text, " (", at->file, ":", at->line, ")");
    }
  }
  return text;
}

bool StageReader::Declares(spv::Capability capability) const {
  for (Instruction instruction : module.module().section(spirv_instrument::Section::kCapabilities)) {
    if (instruction.op() == Op::OpCapability && instruction.enumerant<spv::Capability>(0) == capability) return true;
  }
  return false;
}

void StageReader::AddForFlag(VkPipelineCreateFlags2 flag, bool is_needed, vk::VuidIndex vuid, std::string text) {
  const auto is_same = [&](const FlagFinding& finding) { return finding.finding.vuid == vuid; };
  if (vuid == vk::kNoVuid || std::any_of(facts.flag_findings.begin(), facts.flag_findings.end(), is_same)) return;
  facts.flag_findings.push_back({flag, is_needed, {vuid, std::move(text), {}}});
}

void StageReader::Add(vk::VuidIndex vuid, std::string text, std::string fix) {
  if (vuid == vk::kNoVuid) return;
  // One message for a rule: a shader that breaks it in one place often does in many.
  const auto is_same = [&](const StageFinding& finding) { return finding.vuid == vuid; };
  if (std::any_of(facts.findings.begin(), facts.findings.end(), is_same)) return;
  facts.findings.push_back({vuid, std::move(text), std::move(fix)});
}

bool StageReader::CheckLimit(vk::VuidIndex vuid, uint64_t value, uint64_t limit, std::string_view what,
                             std::string_view limit_name) {
  if (limit == 0 || value <= limit) return true;
  Add(vuid, absl::StrCat("has ", what, " (", value, ") above ", limit_name, " (", limit, ")."));
  return false;
}

uint64_t StageReader::SizeOf(Id type) { return SizeOf(type, 0); }

uint64_t StageReader::SizeOf(Id type_id, int depth) {
  if (depth > kDeepestType) return 0;
  const Instruction type = module.Find(type_id);
  switch (type.op()) {
    case Op::OpTypeBool:
      return 4;
    case Op::OpTypeInt:
    case Op::OpTypeFloat:
      return type.literal(0) / 8;
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
      return SizeOf(type.id(0), depth + 1) * std::min<uint64_t>(type.literal(1), 4);
    case Op::OpTypeArray: {
      const uint64_t length = std::min<uint64_t>(Evaluate(type.id(1)).value_or(0), UINT32_MAX);
      return std::min<uint64_t>(SizeOf(type.id(0), depth + 1), UINT32_MAX) * length;
    }
    case Op::OpTypeStruct: {
      uint64_t size = 0;
      // A tree of types of a module that is not valid may be of exponential size.
      if (depth > 8) return 0;
      for (size_t i = 0; i < type.operand_count() && i < 1024; ++i) size += SizeOf(type.id(i), depth + 1);
      return size;
    }
    default:
      return 0;
  }
}

uint64_t StageReader::LargestScalar(Id type_id, int depth) {
  const Instruction type = module.Find(type_id);
  switch (type.op()) {
    case Op::OpTypeInt:
    case Op::OpTypeFloat:
      return type.literal(0) / 8;
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
      return depth < kDeepestType ? LargestScalar(type.id(0), depth + 1) : 0;
    case Op::OpTypeStruct: {
      uint64_t largest = 0;
      if (depth > 8) return 0;
      for (size_t i = 0; i < type.operand_count() && i < 1024; ++i) {
        largest = std::max(largest, LargestScalar(type.id(i), depth + 1));
      }
      return largest;
    }
    default:
      return 0;
  }
}

Instruction PointeeOf(const StageReader& reader, Instruction variable) {
  return reader.module.Find(reader.module.Find(variable.type_id()).id(1));
}

Instruction ElementOf(const StageReader& reader, Instruction type) {
  for (int i = 0; i < kDeepestType; ++i) {
    if (type.op() != Op::OpTypeArray && type.op() != Op::OpTypeRuntimeArray) break;
    type = reader.module.Find(type.id(0));
  }
  return type;
}

std::vector<float> FloatsOf(const StageReader& reader, Id id) {
  const auto append = [&](Instruction constant, std::vector<float>& to) {
    const Instruction type = reader.module.Find(constant.type_id());
    if (constant.op() != Op::OpConstant || type.op() != Op::OpTypeFloat || type.literal(0) != 32) return;
    to.push_back(std::bit_cast<float>(constant.literal(0)));
  };
  const Instruction constant = reader.module.Find(id);
  std::vector<float> values;
  append(constant, values);
  if (constant.op() != Op::OpConstantComposite) return values;
  for (size_t i = 0; i < constant.operand_count() && i < 4; ++i) append(reader.module.Find(constant.id(i)), values);
  return values;
}

std::vector<int64_t> IntegersOf(StageReader& reader, Id id) {
  const Instruction constant = reader.module.Find(id);
  std::vector<int64_t> values;
  const bool is_composite = constant.op() == Op::OpConstantComposite || constant.op() == Op::OpSpecConstantComposite;
  for (size_t i = 0; is_composite && i < constant.operand_count() && i < 4; ++i) {
    if (const auto value = reader.EvaluateSigned(constant.id(i))) values.push_back(*value);
  }
  if (const auto value = is_composite ? std::nullopt : reader.EvaluateSigned(id)) values.push_back(*value);
  return values;
}

StageFacts ReadStageFacts(const dispatch::Device& device, const Module& module, std::string_view name,
                          VkShaderStageFlagBits stage, StageOwner owner,
                          absl::Span<const spirv_instrument::Specialization> specialization) {
  StageFacts facts;
  facts.is_read = true;
  state::ReflectedModule reflected(module, specialization);
  ReadConstants(reflected, facts);
  const auto entry_point = state::FindEntryPoint(module, name, stage);
  if (!entry_point) return facts;
  facts.has_entry_point = true;
  state::EntryPointInterface declared;
  state::ReadDeclarations(reflected, *entry_point, stage, declared);
  facts.local_size = declared.local_size;
  StageReader reader(device, reflected, *entry_point, stage, owner, facts);
  ReadTessellation(reader, facts);
  ReadUses(reader, facts.uses);
  CheckStageLimits(reader);
  CheckExecutionModes(reader);
  CheckStageVariables(reader);
  CheckInstructions(reader);
  CheckVertexOutputs(reader);
  CheckWrittenOutputs(reader);
  CheckCooperativeMatrices(reader);
  CheckCooperativeVectors(reader);
  return facts;
}

}  // namespace assay::core
