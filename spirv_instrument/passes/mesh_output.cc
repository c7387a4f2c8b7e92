// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/mesh_output.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "spirv_instrument/passes/frame/wanted_check.h"
#include "spirv_instrument/passes/operands/components.h"
#include "spirv_instrument/passes/operands/mesh_outputs.h"
#include "spirv_instrument/passes/tracking/mesh_counts.h"
#include "spirv_instrument/passes/tracking/tracked_objects.h"
#include "spirv_instrument/passes/tracking/uniform_values.h"

namespace assay::spirv_instrument {
namespace {

constexpr spv::Op kOpcodes[] = {
    spv::Op::OpStore,
    spv::Op::OpCopyMemory,
    spv::Op::OpSetMeshOutputsEXT,
    spv::Op::OpEmitMeshTasksEXT,
    spv::Op::OpWritePackedPrimitiveIndices4x8NV,
    spv::Op::OpFunctionCall,
};

enum Variant : uint32_t {
  // Counts that are the same for all invocations, and others.
  kCounts,
  kCountsOfFirst,
  // Form kInsert: keeps what was set.
  kSetCounts,
  kSetAnyCounts,
  // An index is compared with what was set, or with a constant.
  kOutputOfSet,
  kOutputOfDeclared,
  kVertexIndex,
  kPrimitiveCount,
  // Form kInsert.
  kTasks,
};

// The literals of kOutputOfSet. Without an index, all up to the last index are written.
enum OutputLiteral : size_t { kEpochLiteral, kComponentLiteral, kHasIndexLiteral, kLastIndexLiteral };

// The literal of kTasks.
enum TasksLiteral : size_t { kAreUniformLiteral };

constexpr uint32_t kAny = 0xffffffff;

bool IsMesh(spv::ExecutionModel model) {
  return model == spv::ExecutionModel::MeshEXT || model == spv::ExecutionModel::MeshNV;
}

class MeshOutputs : public Pass {
 public:
  explicit MeshOutputs(const MeshOutputConfig& config) : config_(config) {}

  std::string_view name() const override { return "mesh_output"; }
  absl::Span<const spv::Op> opcodes() const override { return kOpcodes; }
  void Begin(ModuleFacts& facts) override;
  void Process(Instruction instruction, WantedChecks& wanted) override;
  Id EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) override;
  void EmitReport(const WantedCheck& check, Emitter& emitter) override;

 private:
  using Arguments = absl::InlinedVector<Id, 8>;

  const MeshLimits& LimitsOf(Function function);
  void WantCounts(Instruction instruction, WantedChecks& wanted);
  void WantOutput(Instruction instruction, Id pointer, Id value, WantedChecks& wanted);
  void WantElement(Instruction instruction, const MeshOutput& output, WantedChecks& wanted);
  void WantDeclared(Instruction instruction, Id index, uint32_t length, WantedChecks& wanted);
  void WantPackedIndices(Instruction instruction, WantedChecks& wanted);
  void WantTasks(Instruction instruction, WantedChecks& wanted);
  bool AreConstantsBelow(Id value, uint64_t limit) const;

  Id LoadCount(const WantedCheck& check, Emitter& emitter);
  Arguments CountArguments(const WantedCheck& check, Emitter& emitter) const;
  Id IndexOf(const WantedCheck& check, Emitter& emitter) const;
  Id EmitVertexIndexCondition(const WantedCheck& check, Emitter& emitter) const;
  void EmitVertexIndexReport(const WantedCheck& check, Emitter& emitter) const;
  void EmitTasks(const WantedCheck& check, Emitter& emitter) const;

  const MeshOutputConfig config_;
  ModuleFacts* facts_ = nullptr;
  bool has_meshes_ = false;
  std::optional<UniformValues> uniform_;
  MeshCounts counts_;
  // Of the function that is processed.
  uint32_t limits_function_ = 0;
  MeshLimits limits_;
  // Counts what may set counts, as the module is written.
  uint32_t epoch_ = 0;
};

void MeshOutputs::Begin(ModuleFacts& facts) {
  facts_ = &facts;
  for (const EntryPoint& entry_point : facts.entry_points()) {
    if (IsMesh(entry_point.model()) || entry_point.model() == spv::ExecutionModel::TaskEXT) has_meshes_ = true;
  }
  if (has_meshes_) uniform_.emplace(facts.module());
}

void MeshOutputs::Process(Instruction instruction, WantedChecks& wanted) {
  if (!has_meshes_) return;
  switch (instruction.op()) {
    case spv::Op::OpFunctionCall:
      ++epoch_;
      return;
    case spv::Op::OpSetMeshOutputsEXT:
      return WantCounts(instruction, wanted);
    case spv::Op::OpEmitMeshTasksEXT:
      return WantTasks(instruction, wanted);
    case spv::Op::OpStore:
      return WantOutput(instruction, instruction.id(0), instruction.id(1), wanted);
    case spv::Op::OpCopyMemory:
      return WantOutput(instruction, instruction.id(0), kNoId, wanted);
    default:
      return WantPackedIndices(instruction, wanted);
  }
}

const MeshLimits& MeshOutputs::LimitsOf(Function function) {
  if (limits_function_ != function.index()) {
    limits_function_ = function.index();
    limits_ = FindMeshLimits(*facts_, function);
  }
  return limits_;
}

bool MeshOutputs::AreConstantsBelow(Id value, uint64_t limit) const {
  return AreConstantsFromTo(*facts_, value, 0, static_cast<int64_t>(limit) - 1);
}

void MeshOutputs::WantCounts(Instruction instruction, WantedChecks& wanted) {
  const Id vertices = instruction.id(0);
  const Id primitives = instruction.id(1);
  const bool is_uniform = uniform_->IsUniform(vertices) && uniform_->IsUniform(primitives);
  if (config_.outputs) {
    wanted.Add(
        *this, instruction,
        {.form = Form::kInsert, .variant = is_uniform ? kSetCounts : kSetAnyCounts, .ids = {vertices, primitives}});
  }
  ++epoch_;
  const MeshLimits& limits = LimitsOf(instruction.function());
  if (!config_.counts || limits.vertices == 0 || limits.primitives == 0) return;
  if (AreConstantsBelow(vertices, limits.vertices + uint64_t{1}) &&
      AreConstantsBelow(primitives, limits.primitives + uint64_t{1})) {
    wanted.CountUnchecked(*this, Outcome::kAlwaysGood);
    return;
  }
  wanted.Add(*this, instruction,
             {.form = is_uniform ? Form::kGuard : Form::kReport,
              .variant = is_uniform ? kCounts : kCountsOfFirst,
              .ids = {vertices, primitives},
              .literals = {limits.vertices, limits.primitives},
              .is_cheap = true});
}

void MeshOutputs::WantOutput(Instruction instruction, Id pointer, Id value, WantedChecks& wanted) {
  if (!IsMesh(facts_->ModelOf(instruction.function()))) return;
  const MeshOutput output = FindMeshOutput(*facts_, pointer);
  if (output.kind == MeshOutput::Kind::kNone) return;
  const MeshLimits& limits = LimitsOf(instruction.function());
  if (output.kind == MeshOutput::Kind::kPrimitiveCount) {
    if (!config_.counts || limits.primitives == 0 || value == kNoId) return;
    wanted.Add(*this, instruction,
               {.form = Form::kGuard,
                .variant = kPrimitiveCount,
                .ids = {value},
                .literals = {limits.primitives},
                .is_cheap = true});
    return;
  }
  if (config_.outputs) WantElement(instruction, output, wanted);
  const bool has_indices = output.kind == MeshOutput::Kind::kIndices && output.index != kNoId && value != kNoId;
  if (!config_.indices || !has_indices || limits.vertices == 0) return;
  if (AreConstantsBelow(value, limits.vertices)) {
    wanted.CountUnchecked(*this, Outcome::kAlwaysGood);
    return;
  }
  wanted.Add(
      *this, instruction,
      {.form = Form::kGuard, .variant = kVertexIndex, .ids = {value}, .literals = {limits.vertices}, .is_cheap = true});
}

void MeshOutputs::WantElement(Instruction instruction, const MeshOutput& output, WantedChecks& wanted) {
  const bool has_index = output.index != kNoId;
  if (!has_index && output.length == 0) {
    wanted.CountUnchecked(*this, Outcome::kUnknownLayout);
    return;
  }
  if (facts_->ModelOf(instruction.function()) == spv::ExecutionModel::MeshNV) {
    if (has_index && output.length != 0) WantDeclared(instruction, output.index, output.length, wanted);
    return;
  }
  absl::InlinedVector<Id, 2> ids = {instruction.block().id()};
  if (has_index) ids.push_back(output.index);
  const auto component = static_cast<uint32_t>(
      output.kind == MeshOutput::Kind::kVertex ? MeshCounts::Component::kVertices : MeshCounts::Component::kPrimitives);
  wanted.Add(*this, instruction,
             {.form = Form::kGuard,
              .variant = kOutputOfSet,
              .ids = ids,
              .literals = {epoch_, component, has_index ? 1u : 0u, has_index ? 0u : output.length - 1},
              .is_cheap = true});
}

// SPIR-V, "OpWritePackedPrimitiveIndices4x8NV": four elements of the array decorated with PrimitiveIndicesNV.
void MeshOutputs::WantPackedIndices(Instruction instruction, WantedChecks& wanted) {
  const MeshLimits& limits = LimitsOf(instruction.function());
  if (!config_.outputs || limits.primitives == 0) return;
  // SPIRV-Tools' validator does not look at this.
  if (facts_->module().TypeOf(instruction.id(0)).op() != spv::Op::OpTypeInt) return;
  constexpr uint32_t kPacked = 4;
  const uint64_t length = uint64_t{limits.primitives} * limits.vertices_of_primitive;
  const auto begins = static_cast<uint32_t>(std::min<uint64_t>(length < kPacked ? 0 : length - kPacked + 1, kAny));
  WantDeclared(instruction, instruction.id(0), begins, wanted);
}

void MeshOutputs::WantDeclared(Instruction instruction, Id index, uint32_t length, WantedChecks& wanted) {
  if (AreConstantsBelow(index, length)) {
    wanted.CountUnchecked(*this, Outcome::kAlwaysGood);
    return;
  }
  wanted.Add(
      *this, instruction,
      {.form = Form::kGuard, .variant = kOutputOfDeclared, .ids = {index}, .literals = {length}, .is_cheap = true});
}

void MeshOutputs::WantTasks(Instruction instruction, WantedChecks& wanted) {
  if (!config_.tasks) return;
  const Id counts[] = {instruction.id(0), instruction.id(1), instruction.id(2)};
  const bool are_uniform =
      std::all_of(std::begin(counts), std::end(counts), [&](Id count) { return uniform_->IsUniform(count); });
  wanted.Add(*this, instruction,
             {.form = Form::kInsert, .variant = kTasks, .ids = counts, .literals = {are_uniform ? 1u : 0u}});
}

// ---- Emitting.

// What was set, of vertices or primitives.
Id MeshOutputs::LoadCount(const WantedCheck& check, Emitter& emitter) {
  return counts_.Load(MeshCounts::Component{emitter.Literals(check)[kComponentLiteral]}, emitter);
}

MeshOutputs::Arguments MeshOutputs::CountArguments(const WantedCheck& check, Emitter& emitter) const {
  const absl::Span<const uint32_t> limits = emitter.Literals(check);
  return {emitter.AsUint(emitter.Ids(check)[0]), emitter.AsUint(emitter.Ids(check)[1]), emitter.Uint(limits[0]),
          emitter.Uint(limits[1])};
}

Id MeshOutputs::IndexOf(const WantedCheck& check, Emitter& emitter) const {
  const absl::Span<const uint32_t> literals = emitter.Literals(check);
  if (literals[kHasIndexLiteral] == 0) return emitter.Uint(literals[kLastIndexLiteral]);
  return emitter.AsUint(emitter.Ids(check).back());
}

Id MeshOutputs::EmitVertexIndexCondition(const WantedCheck& check, Emitter& emitter) const {
  const Id bool_type = emitter.globals().Bool();
  const Id limit = emitter.Uint(emitter.Literals(check)[0]);
  Id all = kNoId;
  const Id value = emitter.Ids(check)[0];
  for (uint32_t i = 0; i < ComponentCount(emitter.module(), value); ++i) {
    const Id component = EmitComponent(emitter, value, i);
    const Id is_below = emitter.builder().Binary(spv::Op::OpULessThan, bool_type, component, limit);
    all = all == kNoId ? is_below : emitter.builder().Binary(spv::Op::OpLogicalAnd, bool_type, all, is_below);
  }
  return all;
}

void MeshOutputs::EmitVertexIndexReport(const WantedCheck& check, Emitter& emitter) const {
  const Id value = emitter.Ids(check)[0];
  for (uint32_t i = 0; i < ComponentCount(emitter.module(), value); ++i) {
    emitter.Call("ReportMeshIndex", {emitter.InstructionOf(check), EmitComponent(emitter, value, i),
                                     emitter.Uint(emitter.Literals(check)[0])});
  }
}

void MeshOutputs::EmitTasks(const WantedCheck& check, Emitter& emitter) const {
  Globals globals = emitter.globals();
  Builder& builder = emitter.builder();
  const absl::Span<const Id> counts = emitter.Ids(check);
  const MeshOutputConfig::TaskLimits& limits = config_.task_limits;
  const Id most = globals.Composite(globals.Vector(globals.Uint32(), 3),
                                    {emitter.Uint(limits.x), emitter.Uint(limits.y), emitter.Uint(limits.z)});
  Id invocation = emitter.BuiltIn(spv::BuiltIn::LocalInvocationIndex, globals.Uint32());
  // Where it is not known, any is as good as the first if all have the same counts; else none is reported.
  if (invocation == kNoId) invocation = emitter.Uint(emitter.Literals(check)[kAreUniformLiteral] != 0 ? 0 : 1);
  Arguments arguments = {emitter.AsUint(counts[0]), emitter.AsUint(counts[1]), emitter.AsUint(counts[2]), most,
                         emitter.Uint(limits.total)};
  const Id is_good = emitter.Call("TaskCountsAreGood", arguments);
  arguments.insert(arguments.begin(), emitter.InstructionOf(check));
  arguments.push_back(invocation);
  emitter.Call("ReportTaskCounts", arguments);
  if (config_.keeps_tasks) return;
  for (size_t i = 0; i < counts.size(); ++i) {
    const Id type = emitter.module().Find(counts[i]).type_id();
    const Id count = builder.Add(spv::Op::OpSelect, type, {is_good, counts[i], globals.Null(type)});
    emitter.module().SetOperand(check.access, i, count);
  }
}

Id MeshOutputs::EmitCondition(const WantedCheck& check, AccessSpan, Emitter& emitter) {
  Builder& builder = emitter.builder();
  Globals globals = emitter.globals();
  const Id bool_type = globals.Bool();
  switch (check.variant) {
    case kCounts:
      return emitter.Call("MeshCountsAreGood", CountArguments(check, emitter));
    case kCountsOfFirst: {
      const Id invocation = emitter.BuiltIn(spv::BuiltIn::LocalInvocationIndex, globals.Uint32());
      if (invocation == kNoId) return globals.BoolConstant(true);
      const Id is_other = builder.Binary(spv::Op::OpINotEqual, bool_type, invocation, emitter.Uint(0));
      const Id is_good = emitter.Call("MeshCountsAreGood", CountArguments(check, emitter));
      return builder.Binary(spv::Op::OpLogicalOr, bool_type, is_other, is_good);
    }
    case kOutputOfSet:
      return builder.Binary(spv::Op::OpULessThan, bool_type, IndexOf(check, emitter), LoadCount(check, emitter));
    case kOutputOfDeclared:
      return builder.Binary(spv::Op::OpULessThan, bool_type, emitter.AsUint(emitter.Ids(check)[0]),
                            emitter.Uint(emitter.Literals(check)[0]));
    case kVertexIndex:
      return EmitVertexIndexCondition(check, emitter);
    case kPrimitiveCount:
      return builder.Binary(spv::Op::OpULessThanEqual, bool_type, emitter.AsUint(emitter.Ids(check)[0]),
                            emitter.Uint(emitter.Literals(check)[0]));
    default:
      return globals.BoolConstant(true);
  }
}

void MeshOutputs::EmitReport(const WantedCheck& check, Emitter& emitter) {
  const Id instruction = emitter.InstructionOf(check);
  const Id zero = emitter.Uint(0);
  switch (check.variant) {
    case kSetCounts:
      counts_.Store(emitter.AsUint(emitter.Ids(check)[0]), emitter.AsUint(emitter.Ids(check)[1]), emitter);
      return;
    case kSetAnyCounts:
      counts_.Store(emitter.Uint(kAny), emitter.Uint(kAny), emitter);
      return;
    case kCounts:
    case kCountsOfFirst: {
      Arguments arguments = CountArguments(check, emitter);
      arguments.insert(arguments.begin(), instruction);
      emitter.Call("ReportMeshCounts", arguments);
      if (check.variant == kCounts && config_.outputs) counts_.StoreSkipped(check, emitter);
      return;
    }
    case kOutputOfSet:
      emitter.Call("ReportMeshOutput", {instruction, IndexOf(check, emitter), LoadCount(check, emitter),
                                        counts_.Load(MeshCounts::Component::kState, emitter)});
      return;
    case kOutputOfDeclared:
      emitter.Call("ReportMeshOutput",
                   {instruction, emitter.AsUint(emitter.Ids(check)[0]), emitter.Uint(emitter.Literals(check)[0]),
                    emitter.Uint(static_cast<uint32_t>(TrackedState::kInitialized))});
      return;
    case kVertexIndex:
      return EmitVertexIndexReport(check, emitter);
    case kPrimitiveCount:
      emitter.Call("ReportMeshCounts", {instruction, zero, emitter.AsUint(emitter.Ids(check)[0]), zero,
                                        emitter.Uint(emitter.Literals(check)[0])});
      return;
    case kTasks:
      return EmitTasks(check, emitter);
    default:
      return;
  }
}

}  // namespace

std::unique_ptr<Pass> MakeMeshOutput(const MeshOutputConfig& config) { return std::make_unique<MeshOutputs>(config); }

}  // namespace assay::spirv_instrument
