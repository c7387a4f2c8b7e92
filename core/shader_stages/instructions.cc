// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The instructions that an entry point may run.

#include <cstdint>
#include <optional>

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

// The number of GLSL.std.450's InterpolateAtOffset.
constexpr uint32_t kInterpolateAtOffset = 78;

void CheckExtendedInstruction(StageReader& reader, Instruction instruction) {
  if (instruction.literal(1) != kInterpolateAtOffset) return;
  if (reader.module.Find(instruction.id(0)).string(0) == "GLSL.std.450") CheckInterpolation(reader, instruction);
}

// A load or store through a pointer to the storage class PhysicalStorageBuffer. `access` is its memory operands.
void CheckPhysicalAccess(StageReader& reader, Instruction instruction, Id pointer, size_t access) {
  const Instruction type = reader.module.module().TypeOf(pointer);
  if (type.op() != Op::OpTypePointer ||
      type.enumerant<spv::StorageClass>(0) != spv::StorageClass::PhysicalStorageBuffer) {
    return;
  }
  constexpr uint32_t kAligned = 2;
  if ((instruction.literal(access) & kAligned) == 0) return;
  const uint32_t alignment = instruction.literal(access + 1);
  const Instruction conversion = reader.module.Find(pointer);
  const auto address =
      conversion.op() == Op::OpConvertUToPtr ? reader.Evaluate(conversion.id(0)) : std::optional<uint64_t>();
  if (address && alignment != 0 && *address % alignment != 0) {
    reader.Add(Vuid("VUID-RuntimeSpirv-PhysicalStorageBuffer64-06315"),
               absl::StrCat("has ", reader.Name(instruction), " with the alignment ", alignment, " at the address ",
                            *address, "."));
  }
  const uint64_t largest = reader.LargestScalar(type.id(1));
  if (largest == 0 || alignment % largest == 0) return;
  reader.Add(Vuid("VUID-RuntimeSpirv-PhysicalStorageBuffer64-06314"),
             absl::StrCat("has ", reader.Name(instruction), " with the alignment ", alignment,
                          ", which is not a multiple of the size of the largest scalar of the type (", largest, ")."));
}

// A read of an attachment of a tile, whose operand with a sample is optional.
void NoteTileRead(StageReader& reader, Instruction instruction) {
  StageUses& uses = reader.facts.uses;
  if (uses.tile_read.empty()) uses.tile_read = reader.Name(instruction);
  const size_t sample = instruction.op() == Op::OpColorAttachmentReadEXT ? 1 : 0;
  const spirv_instrument::Function main = reader.module.module().FindFunction(reader.entry_point.function());
  if (sample >= instruction.operand_count() || instruction.block() != main.entry()) return;
  if (reader.Evaluate(instruction.id(sample))) uses.tile_read_of_constant_sample = reader.Name(instruction);
}

void CheckInstruction(StageReader& reader, Instruction instruction) {
  CheckFastMath(reader, instruction);
  switch (instruction.op()) {
    case Op::OpExtInst:
      return CheckExtendedInstruction(reader, instruction);
    case Op::OpLoad:
      return CheckPhysicalAccess(reader, instruction, instruction.id(0), 1);
    case Op::OpStore:
      return CheckPhysicalAccess(reader, instruction, instruction.id(0), 2);
    case Op::OpImageWrite:
      return CheckImageWrite(reader, instruction);
    case Op::OpImageSampleWeightedQCOM:
    case Op::OpImageBoxFilterQCOM:
    case Op::OpImageBlockMatchSSDQCOM:
    case Op::OpImageBlockMatchSADQCOM:
    case Op::OpImageBlockMatchWindowSSDQCOM:
    case Op::OpImageBlockMatchWindowSADQCOM:
    case Op::OpImageBlockMatchGatherSSDQCOM:
    case Op::OpImageBlockMatchGatherSADQCOM:
      return CheckImageProcessing(reader, instruction);
    case Op::OpColorAttachmentReadEXT:
    case Op::OpDepthAttachmentReadEXT:
    case Op::OpStencilAttachmentReadEXT:
      return NoteTileRead(reader, instruction);
    case Op::OpReportIntersectionKHR:
      return CheckHitKind(reader, instruction);
    case Op::OpRayQueryGenerateIntersectionKHR:
      return CheckGeneratedHit(reader, instruction);
    case Op::OpExecuteCallableKHR:
    case Op::OpReorderThreadWithHintNV:
    case Op::OpReorderThreadWithHitObjectNV:
      return CheckRepacking(reader, instruction);
    case Op::OpTraceRayKHR:
    case Op::OpTraceRayMotionNV:
      CheckRepacking(reader, instruction);
      return CheckRays(reader, instruction);
    case Op::OpHitObjectTraceRayNV:
    case Op::OpHitObjectTraceRayMotionNV:
    case Op::OpRayQueryInitializeKHR:
      return CheckRays(reader, instruction);
    case Op::OpReadClockKHR:
      return CheckClock(reader, instruction);
    case Op::OpControlBarrier:
      return CheckMemoryScope(reader, instruction, 1);
    case Op::OpMemoryBarrier:
      return CheckMemoryScope(reader, instruction, 0);
    case Op::OpSetMeshOutputsEXT:
    case Op::OpEmitMeshTasksEXT:
      return CheckMeshOperation(reader, instruction);
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
  ForEachInstruction(reader, [&](Instruction instruction) { CheckInstruction(reader, instruction); });
}

}  // namespace assay::core
