// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_STAGE_READER_H_
#define ASSAY_CORE_SHADER_STAGES_STAGE_READER_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/shader_stages/stage_facts.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/module.h"
#include "state/shader/reflected_module.h"
#include "vk/feature_info.h"

namespace assay::core {

// An entry point while its facts are read. Each check adds what it finds.
class StageReader {
 public:
  StageReader(const dispatch::Device& on, state::ReflectedModule& of, spirv_instrument::EntryPoint with,
              VkShaderStageFlagBits as, StageOwner by, StageFacts& into)
      : device(on),
        module(of),
        entry_point(with),
        stage(as),
        owner(by),
        facts(into),
        modes(spirv_instrument::ExecutionModes(of.module(), with.function())),
        used(spirv_instrument::UsedVariables(of.module(), with.function())) {}

  bool Has(vk::FeatureId feature) const { return device.HasFeature(feature); }
  bool HasAny(std::initializer_list<vk::FeatureId> features) const {
    for (vk::FeatureId feature : features) {
      if (Has(feature)) return true;
    }
    return false;
  }
  // Null if the device does not say.
  template <class T>
  const T* Properties() const {
    return device.physical_device->Find<T>();
  }
  // The value of an integer constant.
  std::optional<uint64_t> Evaluate(spirv_instrument::Id id) { return module.constants().Of(id); }
  std::optional<int64_t> EvaluateSigned(spirv_instrument::Id id) { return module.constants().Signed(id); }
  // Null without.
  spirv_instrument::Instruction Mode(spv::ExecutionMode mode) const;
  bool IsModel(spv::ExecutionModel model) const { return entry_point.model() == model; }
  // Whether the entry point has an input with the built-in.
  bool HasInput(spv::BuiltIn built_in) const;
  // Whether the module declares the capability.
  bool Declares(spv::Capability capability) const;

  // "OpAtomicIAdd %12 (a.comp:5)", "variable "color" (a.frag:3)".
  std::string Name(spirv_instrument::Instruction instruction) const;
  // Nothing for kNoVuid.
  void Add(vk::VuidIndex vuid, std::string text, std::string fix = {});
  // For a pipeline that has the flag or, if it is needed, lacks it.
  void AddForFlag(VkPipelineCreateFlags2 flag, bool is_needed, vk::VuidIndex vuid, std::string text);
  // Adds that a value is above a limit, which has no meaning if it is 0.
  bool CheckLimit(vk::VuidIndex vuid, uint64_t value, uint64_t limit, std::string_view what,
                  std::string_view limit_name);
  // Bytes of a value of the type without padding; 0 if it is not known.
  uint64_t SizeOf(spirv_instrument::Id type);
  // Bytes of the largest scalar in a type that needs no pointer; 0 if it is not known.
  uint64_t LargestScalar(spirv_instrument::Id type) { return LargestScalar(type, 0); }

  const dispatch::Device& device;
  state::ReflectedModule& module;
  const spirv_instrument::EntryPoint entry_point;
  const VkShaderStageFlagBits stage;
  const StageOwner owner;
  StageFacts& facts;
  const std::vector<spirv_instrument::Instruction> modes;
  // The global variables that it uses.
  const std::vector<spirv_instrument::Id> used;

 private:
  uint64_t SizeOf(spirv_instrument::Id type, int depth);
  uint64_t LargestScalar(spirv_instrument::Id type, int depth);
};

// An output that is a built-in, or a block with one.
struct BuiltInOutput {
  spirv_instrument::Instruction variable;
  // Of a block.
  std::optional<uint32_t> member;
};
// That of the entry point; nothing without.
std::optional<BuiltInOutput> FindOutput(const StageReader& reader, spv::BuiltIn built_in);

// The type without arrays, and the pointer's target.
spirv_instrument::Instruction PointeeOf(const StageReader& reader, spirv_instrument::Instruction variable);
spirv_instrument::Instruction ElementOf(const StageReader& reader, spirv_instrument::Instruction type);

// Bytes of the variables in a storage class. Blocks of an explicit layout share their memory.
uint64_t MemoryOf(StageReader& reader, spv::StorageClass storage);
// The floats of a constant of 32 bits, or of a vector of them. Empty for what is not constant.
std::vector<float> FloatsOf(const StageReader& reader, spirv_instrument::Id id);
// The integers of a constant, or of a vector of them; parts that are not constant are left out.
std::vector<int64_t> IntegersOf(StageReader& reader, spirv_instrument::Id id);

// Calls visit(instruction) for each instruction of the functions that the entry point may call.
template <class F>
void ForEachInstruction(const StageReader& reader, const F& visit) {
  for (spirv_instrument::Id id :
       spirv_instrument::ReachableFunctions(reader.module.module(), reader.entry_point.function())) {
    const spirv_instrument::Function function = reader.module.module().FindFunction(id);
    if (!function) continue;
    for (spirv_instrument::Instruction instruction : function.instructions()) visit(instruction);
  }
}

// Workgroups, memory, vertices and primitives against limits, after specialization.
void CheckStageLimits(StageReader& reader);
// Execution modes against features and properties.
void CheckExecutionModes(StageReader& reader);
// The variables that the entry point uses.
void CheckStageVariables(StageReader& reader);
// The instructions of the functions that it may call.
void CheckInstructions(StageReader& reader);
void CheckMeshOperation(StageReader& reader, spirv_instrument::Instruction instruction);
void CheckAtomic(StageReader& reader, spirv_instrument::Instruction instruction);
void CheckGroupOperation(StageReader& reader, spirv_instrument::Instruction instruction);
void CheckImageOperation(StageReader& reader, spirv_instrument::Instruction instruction);
void CheckImageWrite(StageReader& reader, spirv_instrument::Instruction instruction);
// Instructions of VK_QCOM_image_processing.
void CheckImageProcessing(StageReader& reader, spirv_instrument::Instruction instruction);
// GLSL.std.450's InterpolateAtOffset.
void CheckInterpolation(StageReader& reader, spirv_instrument::Instruction instruction);
void CheckRays(StageReader& reader, spirv_instrument::Instruction instruction);
void CheckGeneratedHit(StageReader& reader, spirv_instrument::Instruction instruction);
void CheckHitKind(StageReader& reader, spirv_instrument::Instruction instruction);
// An instruction after which invocations may be in other subgroups.
void CheckRepacking(StageReader& reader, spirv_instrument::Instruction instruction);
// FPFastMathMode of an instruction.
void CheckFastMath(StageReader& reader, spirv_instrument::Instruction instruction);
// Outputs that transform feedback captures, streams of vertices, and what the vertices of a primitive have in common.
void CheckVertexOutputs(StageReader& reader);
// Which outputs the entry point writes, and on which paths.
void CheckWrittenOutputs(StageReader& reader);
// Types and instructions of cooperative matrices, and of cooperative vectors.
void CheckCooperativeMatrices(StageReader& reader);
void CheckCooperativeVectors(StageReader& reader);

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_STAGE_READER_H_
