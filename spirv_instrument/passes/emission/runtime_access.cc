// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/emission/runtime_access.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/passes/emission/push_constants.h"
#include "spirv_instrument/passes/emission/stage_words.h"

namespace assay::spirv_instrument {
namespace {

bool UsesDescriptorSet(Module& module, uint32_t set) {
  for (Instruction variable : module.section(Section::kGlobals)) {
    if (variable.op() != spv::Op::OpVariable) continue;
    const std::optional<Decoration> found =
        module.decorations().Find(variable.result_id(), spv::Decoration::DescriptorSet);
    if (found && found->parameter(0) == set) return true;
  }
  return false;
}

bool UsesSpecializationId(Module& module, uint32_t id) {
  for (Instruction annotation : module.section(Section::kAnnotations)) {
    if (annotation.op() != spv::Op::OpDecorate) continue;
    if (annotation.enumerant<spv::Decoration>(1) != spv::Decoration::SpecId) continue;
    if (annotation.literal(2) == id || annotation.literal(2) == id + 1) return true;
  }
  return false;
}

}  // namespace

absl::Status RuntimeAccess::Check() const {
  if (HasCapability(facts_.module(), spv::Capability::Kernel)) {
    return absl::FailedPreconditionError("the module declares Kernel, or a capability that needs it");
  }
  switch (config_.reach) {
    case Reach::kDescriptorSet:
      if (!UsesDescriptorSet(facts_.module(), config_.descriptor_set)) return absl::OkStatus();
      return absl::FailedPreconditionError("the module uses the reserved descriptor set");
    case Reach::kPushConstant:
      return CheckPushConstants(facts_, config_.push_constant_offset);
    case Reach::kSpecializationConstant:
      if (!UsesSpecializationId(facts_.module(), config_.specialization_id)) return absl::OkStatus();
      return absl::FailedPreconditionError("the module uses the reserved specialization constant");
  }
  return absl::OkStatus();
}

Id RuntimeAccess::Import(std::string_view name, Linker::Variant variant) {
  if (name == "ShaderId") return AddShaderId();
  if (name == "Stage") return AddStage(variant);
  if (name == "StageWords") return AddStageWords(variant);
  if (name == "ActionAddress") return AddActionAddress();
  return kNoId;
}

Id RuntimeAccess::AddFunction(std::string_view name, Id result_type, Block& block) {
  Module& module = facts_.module();
  const Id id = module.FreshId();
  const Function function = module.AddFunction(id, result_type, spv::FunctionControlMask::MaskNone,
                                               module.globals().FunctionType(result_type, {}));
  SetName(module, id, name);
  block = module.AddBlock(function, module.FreshId());
  return id;
}

Id RuntimeAccess::ReturnConstant(std::string_view name, Id type, Id constant) {
  Block block;
  const Id function = AddFunction(name, type, block);
  Builder::AtEnd(facts_.module(), block).AddVoid(spv::Op::OpReturnValue, {constant});
  return function;
}

Id RuntimeAccess::AddShaderId() {
  // Its own constant, which nothing else shares: the host may change it in the words.
  if (shader_id_ == kNoId) shader_id_ = facts_.module().FreshId();
  return ReturnConstant("ShaderId", facts_.module().globals().Uint32(), shader_id_);
}

Id RuntimeAccess::AddStage(Linker::Variant variant) {
  Globals globals = facts_.module().globals();
  if (variant != static_cast<Linker::Variant>(spv::ExecutionModel::Max)) {
    return ReturnConstant("Stage", globals.Uint32(), globals.Uint(variant));
  }
  return ReturnVariable("Stage", globals.Uint32(), VariablesOfEntryPoint().stage);
}

Id RuntimeAccess::AddStageWords(Linker::Variant variant) {
  const auto model = static_cast<spv::ExecutionModel>(variant);
  if (model != spv::ExecutionModel::Max && HaveSameBuiltIns(facts_, model)) return AddStageWordsFunction(facts_, model);
  Globals globals = facts_.module().globals();
  return ReturnVariable("StageWords", globals.Vector(globals.Uint32(), 4), VariablesOfEntryPoint().words);
}

const RuntimeAccess::OfEntryPoint& RuntimeAccess::VariablesOfEntryPoint() {
  if (of_entry_point_.stage != kNoId) return of_entry_point_;
  Globals globals = facts_.module().globals();
  const auto add = [&](Id type, std::string_view name) {
    const Id variable =
        globals.AddVariable(globals.Pointer(spv::StorageClass::Private, type), spv::StorageClass::Private);
    SetName(facts_.module(), variable, name);
    variables_.push_back(variable);
    return variable;
  };
  of_entry_point_ = {.stage = add(globals.Uint32(), "stage_of_entry_point"),
                     .words = add(globals.Vector(globals.Uint32(), 4), "stage_words_of_entry_point")};
  return of_entry_point_;
}

void RuntimeAccess::StoreAtEntryPoints() {
  Module& module = facts_.module();
  const absl::Span<const EntryPoint> entry_points = facts_.entry_points();
  for (Function function : facts_.functions()) {
    std::vector<EntryPoint> own;
    for (uint32_t index : facts_.EntryPointsOf(function)) {
      if (entry_points[index].function() == function.id()) own.push_back(entry_points[index]);
    }
    if (own.empty()) continue;
    const spv::ExecutionModel model = facts_.ModelOf(function);
    const bool is_known = model != spv::ExecutionModel::Max;
    if (!is_known) own.clear();
    Builder builder = Builder::AtStart(module, function.entry());
    const Id words = LoadStageWords(facts_, own, builder);
    builder.Store(of_entry_point_.stage, module.globals().Uint(is_known ? static_cast<uint32_t>(model) : 0xffffffff));
    builder.Store(of_entry_point_.words, words);
  }
}

Id RuntimeAccess::ReturnVariable(std::string_view name, Id type, Id variable) {
  Block block;
  const Id function = AddFunction(name, type, block);
  Builder builder = Builder::AtEnd(facts_.module(), block);
  const Id value = builder.Load(type, variable);
  builder.AddVoid(spv::Op::OpReturnValue, {value});
  return function;
}

// The same for all execution models: another one would have a member of the push constants of its own.
Id RuntimeAccess::AddActionAddress() {
  if (action_address_ != kNoId) return action_address_;
  Module& module = facts_.module();
  const Id type = module.globals().Vector(module.globals().Uint32(), 2);
  Block block;
  action_address_ = AddFunction("ActionAddress", type, block);
  Builder builder = Builder::AtEnd(module, block);
  const Id address = config_.reach == Reach::kPushConstant ? LoadFromPushConstants(builder, type)
                                                           : LoadFromSpecializationConstants(builder, type);
  builder.AddVoid(spv::Op::OpReturnValue, {address});
  return action_address_;
}

Id RuntimeAccess::LoadFromPushConstants(Builder& builder, Id type) {
  Globals globals = facts_.module().globals();
  const PushConstantMember member = AddPushConstant(facts_, config_.push_constant_offset, type);
  variables_.push_back(member.variable);
  const Id pointer_type = globals.Pointer(spv::StorageClass::PushConstant, type);
  const Id pointer = builder.AccessChain(pointer_type, member.variable, {globals.Uint(member.index)});
  return builder.Load(type, pointer);
}

Id RuntimeAccess::LoadFromSpecializationConstants(Builder& builder, Id type) {
  Module& module = facts_.module();
  const Id uint_type = module.globals().Uint32();
  const Id low = module.FreshId();
  const Id high = module.FreshId();
  module.AddToSection(spv::Op::OpSpecConstant, uint_type, low, {0});
  module.AddToSection(spv::Op::OpSpecConstant, uint_type, high, {0});
  Decorate(module, low, spv::Decoration::SpecId, {config_.specialization_id});
  Decorate(module, high, spv::Decoration::SpecId, {config_.specialization_id + 1});
  return builder.Add(spv::Op::OpCompositeConstruct, type, {low, high});
}

void RuntimeAccess::Finish() {
  Module& module = facts_.module();
  if (of_entry_point_.stage != kNoId) StoreAtEntryPoints();
  if (shader_id_ == kNoId) return;
  module.AddToSection(spv::Op::OpConstant, module.globals().Uint32(), shader_id_, {config_.shader_id});
}

size_t RuntimeAccess::ShaderIdWord() const {
  if (shader_id_ == kNoId) return 0;
  constexpr size_t kHeaderWords = 5;
  constexpr size_t kValue = 3;
  size_t word = kHeaderWords;
  for (Instruction instruction : facts_.module().instructions()) {
    if (instruction.result_id() == shader_id_) return word + kValue;
    word += instruction.words().size();
  }
  return 0;
}

}  // namespace assay::spirv_instrument
