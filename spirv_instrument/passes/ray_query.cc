// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/ray_query.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "spirv_instrument/passes/frame/wanted_check.h"
#include "spirv_instrument/passes/operands/components.h"
#include "spirv_instrument/passes/operands/ray_operands.h"
#include "spirv_instrument/passes/tracking/tracked_objects.h"

namespace assay::spirv_instrument {
namespace {

enum Variant : uint32_t {
  // A ray, without and with an object that it initializes.
  kRay,
  kRayOfObject,
  kRayTime,
  kHitKind,
  // Form kInsert: they keep the state.
  kSetState,
  kResetState,
  // The state of an object that is used; what its query says of intersections.
  kRayQueryState,
  kHitObjectState,
  kIntersection,
  kHitT,
};

// The ids of a ray.
enum RayId : size_t { kFlagsId, kOriginId, kSmallestId, kDirectionId, kLargestId, kRayIdCount };
// The literals of a ray.
enum RayLiteral : size_t { kRayEpochLiteral, kExcludedFlagsLiteral };
// The literals of kIntersection.
enum IntersectionLiteral : size_t { kEpochLiteral, kIsCommittedLiteral, kCertainLiteral, kIsWantedLiteral };

// RayQueryIntersection, and types of candidates and committed intersections: SPIR-V, "Ray Query Intersection" and
// those behind it.
constexpr uint32_t kCandidate = 0;
constexpr uint32_t kCommitted = 1;
constexpr uint32_t kCandidateTriangle = 0;
constexpr uint32_t kCandidateAabb = 1;
constexpr uint32_t kCommittedNone = 0;
constexpr uint32_t kCommittedTriangle = 1;

constexpr int64_t kLargestHitKind = 127;

std::vector<spv::Op> MakeOpcodes() {
  std::vector<spv::Op> opcodes = {spv::Op::OpVariable, spv::Op::OpFunctionCall, spv::Op::OpReportIntersectionKHR};
  for (const RayInstruction& instruction : RayInstructions()) opcodes.push_back(instruction.op);
  return opcodes;
}

// The type behind a pointer and all arrays. An array of itself is none.
spv::Op ObjectType(const Module& module, Id pointer) {
  constexpr int kMaxArrays = 16;
  Instruction type = module.Find(module.TypeOf(pointer).id(1));
  for (int i = 0; i < kMaxArrays && type.op() == spv::Op::OpTypeArray; ++i) type = module.Find(type.id(0));
  return type.op();
}

// Whether a value is a float of 32 bits, or a vector of so many.
bool IsFloat(const Module& module, Id value, uint32_t components) {
  Instruction type = module.TypeOf(value);
  if (components > 1) {
    if (type.op() != spv::Op::OpTypeVector || type.literal(1) != components) return false;
    type = module.Find(type.id(0));
  }
  return type.op() == spv::Op::OpTypeFloat && type.literal(0) == 32;
}

// Whether the operands have the types that SPIR-V asks for. SPIRV-Tools' validator does not look at those of motion
// rays and of OpTraceNV.
bool IsRay(const Module& module, Instruction instruction, const RayInstruction& ray) {
  const bool has_time = ray.time != RayInstruction::kAbsent;
  return IsFloat(module, instruction.id(ray.origin), 3) && IsFloat(module, instruction.id(ray.direction()), 3) &&
         IsFloat(module, instruction.id(ray.smallest_t()), 1) && IsFloat(module, instruction.id(ray.largest_t()), 1) &&
         module.TypeOf(instruction.id(ray.flags)).op() == spv::Op::OpTypeInt &&
         (!has_time || IsFloat(module, instruction.id(ray.time), 1));
}

class RayQuery : public Pass {
 public:
  explicit RayQuery(const RayQueryConfig& config) : config_(config) {}

  std::string_view name() const override { return "ray_query"; }
  absl::Span<const spv::Op> opcodes() const override { return opcodes_; }
  void Begin(ModuleFacts& facts) override;
  void Process(Instruction instruction, WantedChecks& wanted) override;
  Id EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) override;
  void EmitReport(const WantedCheck& check, Emitter& emitter) override;

 private:
  void ProcessVariable(Instruction variable, WantedChecks& wanted);
  void WantRay(Instruction instruction, const RayInstruction& ray, WantedChecks& wanted);
  void WantHitKind(Instruction instruction, WantedChecks& wanted);
  void WantState(Instruction instruction, WantedChecks& wanted);
  void WantIntersection(Instruction instruction, IntersectionNeed need, WantedChecks& wanted);
  void WantHitT(Instruction instruction, WantedChecks& wanted);

  absl::InlinedVector<Id, 10> RayArguments(const WantedCheck& check, Emitter& emitter) const;
  Id EmitIntersectionType(const WantedCheck& check, Emitter& emitter);
  absl::InlinedVector<Id, 5> HitTArguments(const WantedCheck& check, Emitter& emitter);
  Id LoadState(Id pointer, Emitter& emitter) { return objects_->Load(objects_->Find(pointer), emitter); }

  const RayQueryConfig config_;
  const std::vector<spv::Op> opcodes_ = MakeOpcodes();
  ModuleFacts* facts_ = nullptr;
  std::optional<TrackedObjects> objects_;
  // Counts what may change states and intersections, as the module is written.
  uint32_t epoch_ = 0;
};

void RayQuery::Begin(ModuleFacts& facts) {
  facts_ = &facts;
  objects_.emplace(facts);
  for (const Function function : facts.functions()) {
    for (const Instruction instruction : function.instructions()) {
      const RayInstruction* ray = FindRayInstruction(instruction.op());
      if (ray == nullptr || !ray->initializes || objects_->Find(instruction.id(0))) continue;
      // Objects that may be the one that this initializes would be taken for not initialized.
      return objects_->ForgetPassed();
    }
  }
}

void RayQuery::Process(Instruction instruction, WantedChecks& wanted) {
  if (instruction.op() == spv::Op::OpVariable) return ProcessVariable(instruction, wanted);
  if (instruction.op() == spv::Op::OpFunctionCall) {
    ++epoch_;
    return;
  }
  if (instruction.op() == spv::Op::OpReportIntersectionKHR) {
    if (config_.intersections) WantHitKind(instruction, wanted);
    return;
  }
  const RayInstruction* ray = FindRayInstruction(instruction.op());
  if (ray == nullptr) return;
  const bool has_object = ray->initializes || ray->uses;
  const bool is_known = has_object && objects_->Find(instruction.id(0));
  if (has_object && !is_known) wanted.CountUnchecked(*this, Outcome::kUnknownPointer);
  if (config_.objects && is_known && ray->initializes) {
    wanted.Add(*this, instruction, {.form = Form::kInsert, .variant = kSetState, .ids = {instruction.id(0)}});
  }
  if (config_.rays && ray->has_ray() && IsRay(facts_->module(), instruction, *ray)) {
    WantRay(instruction, *ray, wanted);
  }
  if (config_.objects && is_known && ray->uses) WantState(instruction, wanted);
  // Without states, nothing says whether the query may be asked.
  if (config_.objects && config_.intersections && is_known) {
    WantIntersection(instruction, ray->need, wanted);
    if (instruction.op() == spv::Op::OpRayQueryGenerateIntersectionKHR) WantHitT(instruction, wanted);
  }
  if (ray->changes) ++epoch_;
}

// A function that is called again has objects that are not initialized.
void RayQuery::ProcessVariable(Instruction variable, WantedChecks& wanted) {
  if (!config_.objects || facts_->IsEntryPoint(variable.function())) return;
  if (objects_->IsForgotten(variable.result_id())) return;
  const spv::Op type = ObjectType(facts_->module(), variable.result_id());
  if (type != spv::Op::OpTypeRayQueryKHR && type != spv::Op::OpTypeHitObjectNV) return;
  const Instruction first = variable.block().first_after_phis();
  if (!first) return;
  wanted.Add(*this, first, {.form = Form::kInsert, .variant = kResetState, .ids = {variable.result_id()}});
}

void RayQuery::WantRay(Instruction instruction, const RayInstruction& ray, WantedChecks& wanted) {
  absl::InlinedVector<Id, 8> ids = {instruction.id(ray.flags), instruction.id(ray.origin),
                                    instruction.id(ray.smallest_t()), instruction.id(ray.direction()),
                                    instruction.id(ray.largest_t())};
  const bool sets_state = config_.objects && ray.initializes && objects_->Find(instruction.id(0));
  if (sets_state) {
    ids.push_back(instruction.id(0));
    ids.push_back(instruction.block().id());
  }
  // What the pipeline skips does not matter to a ray query.
  const uint32_t excluded = instruction.op() == spv::Op::OpRayQueryInitializeKHR ? 0 : config_.excluded_flags;
  wanted.Add(*this, instruction,
             {.form = Form::kGuard,
              .variant = sets_state ? kRayOfObject : kRay,
              .ids = ids,
              .literals = {sets_state ? epoch_ : 0, excluded}});
  if (ray.time == RayInstruction::kAbsent) return;
  wanted.Add(*this, instruction,
             {.form = Form::kGuard, .variant = kRayTime, .ids = {instruction.id(ray.time)}, .is_cheap = true});
}

void RayQuery::WantHitKind(Instruction instruction, WantedChecks& wanted) {
  if (AreConstantsFromTo(*facts_, instruction.id(1), 0, kLargestHitKind)) {
    wanted.CountUnchecked(*this, Outcome::kAlwaysGood);
    return;
  }
  wanted.Add(*this, instruction,
             {.form = Form::kGuard, .variant = kHitKind, .ids = {instruction.id(1)}, .is_cheap = true});
}

void RayQuery::WantState(Instruction instruction, WantedChecks& wanted) {
  const bool is_query = ObjectType(facts_->module(), instruction.id(0)) == spv::Op::OpTypeRayQueryKHR;
  wanted.Add(*this, instruction,
             {.form = Form::kGuard,
              .variant = is_query ? kRayQueryState : kHitObjectState,
              .ids = {instruction.id(0), instruction.block().id()},
              .literals = {epoch_},
              .is_cheap = true});
}

void RayQuery::WantIntersection(Instruction instruction, IntersectionNeed need, WantedChecks& wanted) {
  uint32_t which = kCandidate;
  if (need == IntersectionNeed::kIntersection || need == IntersectionNeed::kTriangle) {
    const std::optional<int64_t> intersection = facts_->layouts().ConstantValue(instruction.id(1));
    if (!intersection) return;
    which = *intersection == kCommitted ? kCommitted : kCandidate;
  }
  uint32_t certain = kCandidateAabb;
  bool is_wanted = need == IntersectionNeed::kCandidateBox;
  switch (need) {
    case IntersectionNeed::kNothing:
      return;
    case IntersectionNeed::kIntersection:
      if (which == kCandidate) return;
      certain = kCommittedNone;
      break;
    case IntersectionNeed::kTriangle:
      certain = which == kCommitted ? kCommittedTriangle : kCandidateTriangle;
      is_wanted = true;
      break;
    case IntersectionNeed::kCandidateBox:
    case IntersectionNeed::kCandidateNoBox:
      break;
  }
  wanted.Add(*this, instruction,
             {.form = Form::kGuard,
              .variant = kIntersection,
              .ids = {instruction.id(0), instruction.block().id()},
              .literals = {epoch_, which, certain, is_wanted ? 1u : 0u},
              .is_cheap = true});
}

void RayQuery::WantHitT(Instruction instruction, WantedChecks& wanted) {
  wanted.Add(*this, instruction,
             {.form = Form::kGuard,
              .variant = kHitT,
              .ids = {instruction.id(0), instruction.id(1), instruction.block().id()},
              .literals = {epoch_},
              .is_cheap = true});
}

// ---- Emitting.

// A float, or a vector of three, as unsigned integers.
Id AsWords(Emitter& emitter, Id value) {
  Globals globals = emitter.globals();
  const Id uint_type = globals.Uint32();
  const Instruction type = emitter.module().TypeOf(value);
  const Id words = type.op() == spv::Op::OpTypeVector ? globals.Vector(uint_type, type.literal(1)) : uint_type;
  return emitter.builder().Add(spv::Op::OpBitcast, words, {value});
}

absl::InlinedVector<Id, 10> RayQuery::RayArguments(const WantedCheck& check, Emitter& emitter) const {
  const absl::Span<const Id> ids = emitter.Ids(check);
  return {AsWords(emitter, ids[kOriginId]),
          AsWords(emitter, ids[kSmallestId]),
          AsWords(emitter, ids[kDirectionId]),
          AsWords(emitter, ids[kLargestId]),
          emitter.AsUint(ids[kFlagsId]),
          emitter.Uint(emitter.Literals(check)[kExcludedFlagsLiteral]),
          emitter.Uint(config_.zero_direction ? 1 : 0)};
}

// Asks the shader's query, if it may be asked.
Id RayQuery::EmitIntersectionType(const WantedCheck& check, Emitter& emitter) {
  const Id query = emitter.Ids(check).front();
  const Id which = emitter.Uint(emitter.Literals(check)[kIsCommittedLiteral]);
  const Id type = emitter.globals().Uint32();
  const auto ask = [&](Builder& builder) {
    return builder.Add(spv::Op::OpRayQueryGetIntersectionTypeKHR, type, {query, which});
  };
  return objects_->AskIfInitialized(objects_->Find(query), type, ask, emitter);
}

// T of the intersection, the smallest, and that of the committed intersection.
absl::InlinedVector<Id, 5> RayQuery::HitTArguments(const WantedCheck& check, Emitter& emitter) {
  const Id float_type = emitter.globals().Float(32);
  const Id range_type = emitter.globals().Vector(float_type, 2);
  const Id query = emitter.Ids(check)[0];
  const Id t = emitter.Ids(check)[1];
  const Id which = emitter.Uint(kCommitted);
  const auto ask = [&](Builder& builder) {
    const Id smallest = builder.Add(spv::Op::OpRayQueryGetRayTMinKHR, float_type, {query});
    const Id committed = builder.Add(spv::Op::OpRayQueryGetIntersectionTKHR, float_type, {query, which});
    return builder.Add(spv::Op::OpCompositeConstruct, range_type, {smallest, committed});
  };
  const Id range = objects_->AskIfInitialized(objects_->Find(query), range_type, ask, emitter);
  const Id words = AsWords(emitter, range);
  const Id uint_type = emitter.globals().Uint32();
  return {AsWords(emitter, t), emitter.builder().Add(spv::Op::OpCompositeExtract, uint_type, {words, 0u}),
          emitter.builder().Add(spv::Op::OpCompositeExtract, uint_type, {words, 1u})};
}

Id RayQuery::EmitCondition(const WantedCheck& check, AccessSpan, Emitter& emitter) {
  Builder& builder = emitter.builder();
  const Id bool_type = emitter.globals().Bool();
  const Id first = emitter.Ids(check).front();
  switch (check.variant) {
    case kRay:
    case kRayOfObject:
      return emitter.Call("RayIsGood", RayArguments(check, emitter));
    case kRayTime:
      return emitter.Call("RayTimeIsGood", {AsWords(emitter, first)});
    case kHitKind:
      return emitter.Call("HitKindIsGood", {emitter.AsUint(first)});
    case kRayQueryState:
    case kHitObjectState:
      return builder.Binary(spv::Op::OpIEqual, bool_type, LoadState(first, emitter),
                            emitter.Uint(static_cast<uint32_t>(TrackedState::kInitialized)));
    case kIntersection: {
      const bool is_wanted = emitter.Literals(check)[kIsWantedLiteral] != 0;
      return builder.Binary(is_wanted ? spv::Op::OpIEqual : spv::Op::OpINotEqual, bool_type,
                            EmitIntersectionType(check, emitter),
                            emitter.Uint(emitter.Literals(check)[kCertainLiteral]));
    }
    case kHitT:
      return emitter.Call("HitTIsGood", HitTArguments(check, emitter));
    default:
      return emitter.globals().BoolConstant(true);
  }
}

void RayQuery::EmitReport(const WantedCheck& check, Emitter& emitter) {
  const Id first = emitter.Ids(check).front();
  const Id instruction = emitter.InstructionOf(check);
  switch (check.variant) {
    case kRay:
    case kRayOfObject: {
      absl::InlinedVector<Id, 10> arguments = RayArguments(check, emitter);
      arguments.insert(arguments.begin(), instruction);
      emitter.Call("ReportRay", arguments);
      if (check.variant == kRay) return;
      objects_->StoreSkipped(objects_->Find(emitter.Ids(check)[kRayIdCount]), check, emitter);
      return;
    }
    case kRayTime:
      emitter.Call("ReportRayTime", {instruction, AsWords(emitter, first)});
      return;
    case kHitKind:
      emitter.Call("ReportHitKind", {instruction, emitter.AsUint(first)});
      return;
    case kSetState:
      return objects_->Store(objects_->Find(first), TrackedState::kInitialized, emitter);
    case kResetState:
      return objects_->Reset(first, emitter);
    case kRayQueryState:
      emitter.Call("ReportRayQuery", {instruction, LoadState(first, emitter)});
      return;
    case kHitObjectState:
      emitter.Call("ReportHitObject", {instruction, LoadState(first, emitter)});
      return;
    case kIntersection: {
      const absl::Span<const uint32_t> literals = emitter.Literals(check);
      emitter.Call("ReportIntersection",
                   {instruction, LoadState(first, emitter), EmitIntersectionType(check, emitter),
                    emitter.Uint(literals[kCertainLiteral]), emitter.Uint(literals[kIsWantedLiteral])});
      return;
    }
    case kHitT: {
      absl::InlinedVector<Id, 5> arguments = HitTArguments(check, emitter);
      arguments.insert(arguments.begin(), {instruction, LoadState(first, emitter)});
      emitter.Call("ReportHitT", arguments);
      return;
    }
    default:
      return;
  }
}

}  // namespace

std::unique_ptr<Pass> MakeRayQuery(const RayQueryConfig& config) { return std::make_unique<RayQuery>(config); }

}  // namespace assay::spirv_instrument
