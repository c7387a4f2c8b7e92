// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/vertex_fetch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "spirv_instrument/passes/frame/wanted_check.h"
#include "spirv_instrument/passes/operands/vertex_inputs.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

constexpr spv::Op kOpcodes[] = {spv::Op::OpLoad, spv::Op::OpCopyMemory};

enum Variant : uint32_t { kAttribute, kDrawParameter };
enum DrawParameterLiteral : size_t { kBuiltInLiteral, kLimitLiteral };

// The word of kDrawLimitsQuad; nullopt for other built-ins.
std::optional<uint32_t> LimitWordOf(spv::BuiltIn built_in) {
  switch (built_in) {
    case spv::BuiltIn::BaseInstance:
      return kBaseInstancesWord;
    case spv::BuiltIn::InstanceIndex:
      return kInstanceIndicesWord;
    case spv::BuiltIn::DrawIndex:
      return kDrawIndicesWord;
    default:
      return std::nullopt;
  }
}

bool HasDrawParameters(spv::ExecutionModel model) {
  switch (model) {
    case spv::ExecutionModel::Vertex:
    case spv::ExecutionModel::TaskNV:
    case spv::ExecutionModel::MeshNV:
    case spv::ExecutionModel::TaskEXT:
    case spv::ExecutionModel::MeshEXT:
      return true;
    default:
      return false;
  }
}

class VertexFetch : public Pass {
 public:
  explicit VertexFetch(const VertexFetchConfig& config) : config_(config) {}

  std::string_view name() const override { return "vertex_fetch"; }
  absl::Span<const spv::Op> opcodes() const override { return kOpcodes; }
  void Begin(ModuleFacts& facts) override { facts_ = &facts; }
  void Process(Instruction instruction, WantedChecks& wanted) override;
  Id EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) override;
  void EmitReport(const WantedCheck& check, Emitter& emitter) override;

 private:
  void WantAttribute(Instruction instruction, const ShaderInput& input, WantedChecks& wanted);
  void WantDrawParameter(Instruction instruction, spv::BuiltIn built_in, WantedChecks& wanted);

  const VertexFetchConfig config_;
  ModuleFacts* facts_ = nullptr;
};

void VertexFetch::Process(Instruction instruction, WantedChecks& wanted) {
  const spv::ExecutionModel model = facts_->ModelOf(instruction.function());
  if (!HasDrawParameters(model)) return;
  const Id pointer = instruction.id(instruction.op() == spv::Op::OpCopyMemory ? 1 : 0);
  const ShaderInput input = FindShaderInput(*facts_, pointer);
  if (input.built_in) {
    if (config_.draw_parameters) WantDrawParameter(instruction, *input.built_in, wanted);
  } else if (config_.attributes && model == spv::ExecutionModel::Vertex && input.location_count > 0) {
    WantAttribute(instruction, input, wanted);
  }
}

void VertexFetch::WantAttribute(Instruction instruction, const ShaderInput& input, WantedChecks& wanted) {
  if (input.location_count > kMaxAttributes || input.first_location > kMaxAttributes - input.location_count) {
    wanted.CountUnchecked(*this, Outcome::kUnknownPointer);
    return;
  }
  const AccessSpan locations = {.begin = input.first_location, .end = input.first_location + input.location_count};
  wanted.Add(*this, instruction, {.form = Form::kGuard, .variant = kAttribute, .span = locations});
}

void VertexFetch::WantDrawParameter(Instruction instruction, spv::BuiltIn built_in, WantedChecks& wanted) {
  const std::optional<uint32_t> word = LimitWordOf(built_in);
  if (!word) return;
  const uint32_t literals[] = {static_cast<uint32_t>(built_in), *word};
  wanted.Add(*this, instruction, {.form = Form::kReport, .variant = kDrawParameter, .literals = literals});
}

// The built-in, or 0 where entry points have different variables for it.
Id BuiltInOrZero(Emitter& emitter, spv::BuiltIn built_in) {
  const Id value = emitter.BuiltIn(built_in, emitter.globals().Uint32());
  return value == kNoId ? emitter.Uint(0) : value;
}

// Which attributes, and the vertex and the instance that they are fetched for.
std::array<Id, 4> AttributeArguments(AccessSpan locations, Emitter& emitter) {
  return {emitter.Uint(locations.begin), emitter.Uint(locations.end - locations.begin),
          BuiltInOrZero(emitter, spv::BuiltIn::VertexIndex), BuiltInOrZero(emitter, spv::BuiltIn::InstanceIndex)};
}

// The value, and the word that has its limit.
std::array<Id, 2> DrawParameterArguments(const WantedCheck& check, Emitter& emitter) {
  const absl::Span<const uint32_t> literals = emitter.Literals(check);
  return {BuiltInOrZero(emitter, static_cast<spv::BuiltIn>(literals[kBuiltInLiteral])),
          emitter.Uint(literals[kLimitLiteral])};
}

Id VertexFetch::EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) {
  if (check.variant == kAttribute) return emitter.Call("AttributesHold", AttributeArguments(span, emitter));
  return emitter.Call("DrawParameterIsAllowed", DrawParameterArguments(check, emitter));
}

void VertexFetch::EmitReport(const WantedCheck& check, Emitter& emitter) {
  const Id instruction = emitter.InstructionOf(check);
  if (check.variant == kAttribute) {
    const auto [first, count, vertex, instance] = AttributeArguments(check.span, emitter);
    emitter.Call("ReportAttributes", {instruction, first, count, vertex, instance});
    return;
  }
  const auto [value, limit] = DrawParameterArguments(check, emitter);
  emitter.Call("ReportDrawParameter", {instruction, value, limit});
}

}  // namespace

std::unique_ptr<Pass> MakeVertexFetch(const VertexFetchConfig& config) { return std::make_unique<VertexFetch>(config); }

}  // namespace assay::spirv_instrument
