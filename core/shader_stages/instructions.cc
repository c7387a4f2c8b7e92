// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The instructions that an entry point may run.

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"
#include "spirv_instrument/ir/function.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Op;
using vk::FeatureId;
using vk::Vuid;

namespace {

void CheckClock(StageReader& reader, Instruction instruction) {
  const auto scope = reader.Evaluate(instruction.id(0));
  if (scope == static_cast<uint64_t>(spv::Scope::Subgroup) && !reader.Has(FeatureId::kShaderSubgroupClock)) {
    reader.Add(Vuid("VUID-RuntimeSpirv-shaderSubgroupClock-06267"),
               absl::StrCat("has ", reader.Name(instruction),
                            " with scope Subgroup, and the feature "
                            "shaderSubgroupClock is not enabled."));
  }
  if (scope == static_cast<uint64_t>(spv::Scope::Device) && !reader.Has(FeatureId::kShaderDeviceClock)) {
    reader.Add(Vuid("VUID-RuntimeSpirv-shaderDeviceClock-06268"),
               absl::StrCat("has ", reader.Name(instruction),
                            " with scope Device, and the feature shaderDeviceClock "
                            "is not enabled."));
  }
}

void CheckMemoryScope(StageReader& reader, Instruction instruction, size_t operand) {
  const auto scope = reader.Evaluate(instruction.id(operand));
  if (scope == static_cast<uint64_t>(spv::Scope::Device) && reader.Has(FeatureId::kVulkanMemoryModel) &&
      !reader.Has(FeatureId::kVulkanMemoryModelDeviceScope)) {
    reader.Add(Vuid("VUID-RuntimeSpirv-vulkanMemoryModel-06265"),
               absl::StrCat("has ", reader.Name(instruction),
                            " with memory scope Device, and the feature "
                            "vulkanMemoryModelDeviceScope is not enabled."));
  }
  if (scope == static_cast<uint64_t>(spv::Scope::QueueFamily) && !reader.Has(FeatureId::kVulkanMemoryModel)) {
    reader.Add(Vuid("VUID-RuntimeSpirv-vulkanMemoryModel-06266"),
               absl::StrCat("has ", reader.Name(instruction),
                            " with memory scope QueueFamily, and the feature "
                            "vulkanMemoryModel is not enabled."));
  }
}

void CheckInstruction(StageReader& reader, Instruction instruction) {
  switch (instruction.op()) {
    case Op::OpReadClockKHR:
      return CheckClock(reader, instruction);
    case Op::OpControlBarrier:
      return CheckMemoryScope(reader, instruction, 1);
    case Op::OpMemoryBarrier:
      return CheckMemoryScope(reader, instruction, 0);
    case Op::OpSetMeshOutputsEXT:
    case Op::OpEmitMeshTasksEXT:
      return CheckMeshOperation(reader, instruction);
    case Op::OpTraceRayKHR:
    case Op::OpRayQueryInitializeKHR:
      return CheckRays(reader, instruction);
    default:
      break;
  }
  const Op op = instruction.op();
  const bool is_float_atomic = op == Op::OpAtomicFAddEXT || op == Op::OpAtomicFMinEXT || op == Op::OpAtomicFMaxEXT;
  if ((op >= Op::OpAtomicLoad && op <= Op::OpAtomicXor) || is_float_atomic) {
    CheckMemoryScope(reader, instruction, 1);
    CheckAtomic(reader, instruction);
  } else if ((op >= Op::OpGroupNonUniformElect && op <= Op::OpGroupNonUniformQuadSwap) ||
             op == Op::OpGroupNonUniformRotateKHR) {
    CheckGroupOperation(reader, instruction);
  } else if ((op >= Op::OpImageSampleImplicitLod && op <= Op::OpImageDrefGather) ||
             (op >= Op::OpImageSparseSampleImplicitLod && op <= Op::OpImageSparseDrefGather)) {
    CheckImageOperation(reader, instruction);
  }
}

}  // namespace

void CheckInstructions(StageReader& reader) {
  for (Id id : spirv_instrument::ReachableFunctions(reader.module.module(), reader.entry_point.function())) {
    const spirv_instrument::Function function = reader.module.module().FindFunction(id);
    if (!function) continue;
    for (Instruction instruction : function.instructions()) CheckInstruction(reader, instruction);
  }
}

}  // namespace assay::core
