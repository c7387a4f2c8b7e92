// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/emission/stage_words.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/globals.h"

namespace assay::spirv_instrument {
namespace {

enum class Kind : uint8_t { kUint, kUint3, kFloat3, kFloat4 };

// A built-in variable, and how many of its components are stage words.
struct Source {
  spv::BuiltIn built_in;
  Kind kind;
  uint32_t words;
};

constexpr Source kVertex[] = {{spv::BuiltIn::VertexIndex, Kind::kUint, 1},
                              {spv::BuiltIn::InstanceIndex, Kind::kUint, 1}};
constexpr Source kInvocationOfPrimitive[] = {{spv::BuiltIn::PrimitiveId, Kind::kUint, 1},
                                             {spv::BuiltIn::InvocationId, Kind::kUint, 1}};
constexpr Source kTessellationEvaluation[] = {{spv::BuiltIn::PrimitiveId, Kind::kUint, 1},
                                              {spv::BuiltIn::TessCoord, Kind::kFloat3, 2}};
constexpr Source kFragment[] = {{spv::BuiltIn::FragCoord, Kind::kFloat4, 2}};
constexpr Source kCompute[] = {{spv::BuiltIn::GlobalInvocationId, Kind::kUint3, 3}};
constexpr Source kRayTracing[] = {{spv::BuiltIn::LaunchIdKHR, Kind::kUint3, 3}};

absl::Span<const Source> SourcesOf(spv::ExecutionModel model) {
  switch (model) {
    case spv::ExecutionModel::Vertex:
      return kVertex;
    case spv::ExecutionModel::TessellationControl:
    case spv::ExecutionModel::Geometry:
      return kInvocationOfPrimitive;
    case spv::ExecutionModel::TessellationEvaluation:
      return kTessellationEvaluation;
    case spv::ExecutionModel::Fragment:
      return kFragment;
    case spv::ExecutionModel::GLCompute:
    case spv::ExecutionModel::TaskNV:
    case spv::ExecutionModel::MeshNV:
    case spv::ExecutionModel::TaskEXT:
    case spv::ExecutionModel::MeshEXT:
      return kCompute;
    case spv::ExecutionModel::RayGenerationKHR:
    case spv::ExecutionModel::IntersectionKHR:
    case spv::ExecutionModel::AnyHitKHR:
    case spv::ExecutionModel::ClosestHitKHR:
    case spv::ExecutionModel::MissKHR:
    case spv::ExecutionModel::CallableKHR:
      return kRayTracing;
    default:
      return {};
  }
}

Id TypeOfKind(Globals globals, Kind kind) {
  switch (kind) {
    case Kind::kUint:
      return globals.Uint32();
    case Kind::kUint3:
      return globals.Vector(globals.Uint32(), 3);
    case Kind::kFloat3:
      return globals.Vector(globals.Float(32), 3);
    case Kind::kFloat4:
      return globals.Vector(globals.Float(32), 4);
  }
  return kNoId;
}

// The input variable of the interface with that built-in; kNoId without.
Id FindInInterface(Module& module, const EntryPoint& entry_point, spv::BuiltIn built_in) {
  for (uint32_t word : entry_point.interface()) {
    const Instruction variable = module.Find(Id{word});
    if (variable.op() != spv::Op::OpVariable) continue;
    if (variable.enumerant<spv::StorageClass>(0) != spv::StorageClass::Input) continue;
    const std::optional<Decoration> decoration = module.decorations().Find(Id{word}, spv::Decoration::BuiltIn);
    if (decoration && static_cast<spv::BuiltIn>(decoration->parameter(0)) == built_in) return Id{word};
  }
  return kNoId;
}

struct Found {
  Id variable = kNoId;
  bool is_ambiguous = false;
};

Found FindVariable(Module& module, absl::Span<const EntryPoint> entry_points, spv::BuiltIn built_in) {
  Found found;
  for (const EntryPoint& entry_point : entry_points) {
    const Id variable = FindInInterface(module, entry_point, built_in);
    if (variable == kNoId) continue;
    found.is_ambiguous = found.is_ambiguous || (found.variable != kNoId && found.variable != variable);
    if (found.variable == kNoId) found.variable = variable;
  }
  return found;
}

std::vector<EntryPoint> EntryPointsOfModel(const ModuleFacts& facts, spv::ExecutionModel model) {
  std::vector<EntryPoint> result;
  for (const EntryPoint& entry_point : facts.entry_points()) {
    if (entry_point.model() == model) result.push_back(entry_point);
  }
  return result;
}

Id AddBuiltInVariable(Module& module, spv::BuiltIn built_in, Id type) {
  Globals globals = module.globals();
  const Id variable = globals.AddVariable(globals.Pointer(spv::StorageClass::Input, type), spv::StorageClass::Input);
  Decorate(module, variable, spv::Decoration::BuiltIn, {built_in});
  return variable;
}

// A type like this one, with unsigned integers as components.
Id UnsignedLike(Module& module, Id type) {
  const Instruction definition = module.Find(type);
  const Id scalar = module.globals().Uint32();
  return definition.op() == spv::Op::OpTypeVector ? module.globals().Vector(scalar, definition.literal(1)) : scalar;
}

// Loads the variable that these entry points of one execution model have. If they have none, it is the one of others of
// this model, so that not more of them differ than did, or a new one with `type`.
Id LoadBuiltInOf(ModuleFacts& facts, absl::Span<const EntryPoint> entry_points, spv::BuiltIn built_in, Id type,
                 Builder& builder) {
  Module& module = facts.module();
  Found found = FindVariable(module, entry_points, built_in);
  if (found.is_ambiguous || entry_points.empty()) return kNoId;
  if (found.variable == kNoId) {
    found.variable = FindVariable(module, EntryPointsOfModel(facts, entry_points[0].model()), built_in).variable;
  }
  if (found.variable == kNoId) found.variable = AddBuiltInVariable(module, built_in, type);
  for (const EntryPoint& entry_point : entry_points) AddToInterface(module, entry_point, found.variable);
  const Id value_type = module.TypeOf(found.variable).id(1);
  const Id value = builder.Load(value_type, found.variable);
  const Id unsigned_type = UnsignedLike(module, value_type);
  if (unsigned_type == value_type) return value;
  return builder.Add(spv::Op::OpBitcast, unsigned_type, {value});
}

}  // namespace

Id LoadBuiltIn(ModuleFacts& facts, spv::ExecutionModel model, spv::BuiltIn built_in, Id type, Builder& builder) {
  return LoadBuiltInOf(facts, EntryPointsOfModel(facts, model), built_in, type, builder);
}

bool HaveSameBuiltIns(ModuleFacts& facts, spv::ExecutionModel model) {
  const std::vector<EntryPoint> entry_points = EntryPointsOfModel(facts, model);
  for (const Source& source : SourcesOf(model)) {
    if (FindVariable(facts.module(), entry_points, source.built_in).is_ambiguous) return false;
  }
  return true;
}

Id LoadStageWords(ModuleFacts& facts, absl::Span<const EntryPoint> entry_points, Builder& builder) {
  Globals globals = facts.module().globals();
  const Id uint_type = globals.Uint32();
  const Word zero = globals.Uint(0);
  std::array<Word, 4> words = {zero, zero, zero, zero};
  size_t next = 0;
  const absl::Span<const Source> sources =
      entry_points.empty() ? absl::Span<const Source>() : SourcesOf(entry_points[0].model());
  for (const Source& source : sources) {
    const Id type = TypeOfKind(globals, source.kind);
    const Id value = LoadBuiltInOf(facts, entry_points, source.built_in, type, builder);
    for (uint32_t i = 0; i < source.words; ++i, ++next) {
      if (value == kNoId) continue;
      words[next] = value;
      if (source.kind != Kind::kUint) words[next] = builder.Add(spv::Op::OpCompositeExtract, uint_type, {value, i});
    }
  }
  return builder.Add(spv::Op::OpCompositeConstruct, globals.Vector(uint_type, 4), words);
}

Id AddStageWordsFunction(ModuleFacts& facts, spv::ExecutionModel model) {
  Module& module = facts.module();
  Globals globals = module.globals();
  const Id result_type = globals.Vector(globals.Uint32(), 4);
  const Id id = module.FreshId();
  const Function function =
      module.AddFunction(id, result_type, spv::FunctionControlMask::MaskNone, globals.FunctionType(result_type, {}));
  SetName(module, id, "StageWords");
  Builder builder = Builder::AtEnd(module, module.AddBlock(function, module.FreshId()));
  const Id words = LoadStageWords(facts, EntryPointsOfModel(facts, model), builder);
  builder.AddVoid(spv::Op::OpReturnValue, {words});
  return id;
}

}  // namespace assay::spirv_instrument
