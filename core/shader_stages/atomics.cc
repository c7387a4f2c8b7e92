// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Atomic and group operations against features and properties.

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"

namespace assay::core {

using spirv_instrument::Instruction;
using spv::Op;
using spv::StorageClass;
using enum vk::FeatureId;
using vk::Vuid;

namespace {

void CheckInt64Atomic(StageReader& reader, Instruction instruction, StorageClass storage) {
  const auto check = [&](vk::VuidIndex vuid, vk::FeatureId feature, const char* name) {
    if (reader.Has(feature)) return;
    reader.Add(vuid,
               absl::StrCat("has ", reader.Name(instruction), " on an integer of 64 bits, and the feature ", name,
                            " is not enabled."),
               absl::StrCat("Enable ", name, "."));
  };
  switch (storage) {
    case StorageClass::StorageBuffer:
    case StorageClass::Uniform:
      return check(Vuid("VUID-RuntimeSpirv-None-06278"), kShaderBufferInt64Atomics, "shaderBufferInt64Atomics");
    case StorageClass::Workgroup:
      return check(Vuid("VUID-RuntimeSpirv-None-06279"), kShaderSharedInt64Atomics, "shaderSharedInt64Atomics");
    case StorageClass::Image:
      return check(Vuid("VUID-RuntimeSpirv-None-06288"), kShaderImageInt64Atomics, "shaderImageInt64Atomics");
    default:
      break;
  }
}

void AddFloatAtomic(StageReader& reader, vk::VuidIndex vuid, Instruction instruction, uint32_t width) {
  reader.Add(vuid, absl::StrCat("has ", reader.Name(instruction), " on a float of ", width,
                                " bits, and none of the features that allow it is enabled."));
}

bool HasBufferFloatAtomics(const StageReader& reader) {
  return reader.HasAny({kShaderBufferFloat32Atomics, kShaderBufferFloat32AtomicAdd, kShaderBufferFloat64Atomics,
                        kShaderBufferFloat64AtomicAdd, kShaderBufferFloat16Atomics, kShaderBufferFloat16AtomicAdd,
                        kShaderBufferFloat16AtomicMinMax, kShaderBufferFloat32AtomicMinMax,
                        kShaderBufferFloat64AtomicMinMax, kShaderFloat16VectorAtomics});
}

bool HasSharedFloatAtomics(const StageReader& reader) {
  return reader.HasAny({kShaderSharedFloat32Atomics, kShaderSharedFloat32AtomicAdd, kShaderSharedFloat64Atomics,
                        kShaderSharedFloat64AtomicAdd, kShaderSharedFloat16Atomics, kShaderSharedFloat16AtomicAdd,
                        kShaderSharedFloat16AtomicMinMax, kShaderSharedFloat32AtomicMinMax,
                        kShaderSharedFloat64AtomicMinMax, kShaderFloat16VectorAtomics});
}

bool HasFloatAtomicsOfWidth(const StageReader& reader, uint32_t width) {
  switch (width) {
    case 16:
      return reader.HasAny({kShaderBufferFloat16Atomics, kShaderBufferFloat16AtomicAdd,
                            kShaderBufferFloat16AtomicMinMax, kShaderSharedFloat16Atomics,
                            kShaderSharedFloat16AtomicAdd, kShaderSharedFloat16AtomicMinMax});
    case 32:
      return reader.HasAny({kShaderBufferFloat32Atomics, kShaderBufferFloat32AtomicAdd, kShaderSharedFloat32Atomics,
                            kShaderSharedFloat32AtomicAdd, kShaderImageFloat32Atomics, kShaderImageFloat32AtomicAdd,
                            kShaderBufferFloat32AtomicMinMax, kShaderSharedFloat32AtomicMinMax,
                            kShaderImageFloat32AtomicMinMax});
    case 64:
      return reader.HasAny({kShaderBufferFloat64Atomics, kShaderBufferFloat64AtomicAdd, kShaderSharedFloat64Atomics,
                            kShaderSharedFloat64AtomicAdd, kShaderBufferFloat64AtomicMinMax,
                            kShaderSharedFloat64AtomicMinMax});
    default:
      return true;
  }
}

// A rule of the storage class goes before one of the width.
void CheckFloatAtomic(StageReader& reader, Instruction instruction, StorageClass storage, uint32_t width) {
  const bool is_buffer = storage == StorageClass::StorageBuffer || storage == StorageClass::Uniform;
  if (is_buffer && !HasBufferFloatAtomics(reader)) {
    return AddFloatAtomic(reader, Vuid("VUID-RuntimeSpirv-None-06284"), instruction, width);
  }
  if (storage == StorageClass::Workgroup && !HasSharedFloatAtomics(reader)) {
    return AddFloatAtomic(reader, Vuid("VUID-RuntimeSpirv-None-06285"), instruction, width);
  }
  if (storage == StorageClass::Image && width == 32 &&
      !reader.HasAny({kShaderImageFloat32Atomics, kShaderImageFloat32AtomicAdd, kShaderImageFloat32AtomicMinMax})) {
    return AddFloatAtomic(reader, Vuid("VUID-RuntimeSpirv-None-06286"), instruction, width);
  }
  if (HasFloatAtomicsOfWidth(reader, width)) return;
  const vk::VuidIndex vuid = width == 16   ? Vuid("VUID-RuntimeSpirv-None-06337")
                             : width == 32 ? Vuid("VUID-RuntimeSpirv-None-06338")
                                           : Vuid("VUID-RuntimeSpirv-None-06339");
  AddFloatAtomic(reader, vuid, instruction, width);
}

// Of vectors of two or four floats of 16 bits.
void CheckVectorAtomic(StageReader& reader, Instruction instruction, Instruction type) {
  const Instruction component = reader.module.Find(type.id(0));
  const bool is_half = component.op() == Op::OpTypeFloat && component.literal(0) == 16;
  if (!is_half || (type.literal(1) != 2 && type.literal(1) != 4) || reader.Has(kShaderFloat16VectorAtomics)) return;
  reader.Add(Vuid("VUID-RuntimeSpirv-shaderFloat16VectorAtomics-09581"),
             absl::StrCat("has ", reader.Name(instruction),
                          " on a vector of floats of 16 bits, and the feature shaderFloat16VectorAtomics is not "
                          "enabled."),
             "Enable shaderFloat16VectorAtomics.");
}

// Whether group operations on the type need shaderSubgroupExtendedTypes.
bool IsExtendedType(const StageReader& reader, Instruction type) {
  if (type.op() == Op::OpTypeVector) type = reader.module.Find(type.id(0));
  const uint32_t width = type.literal(0);
  if (type.op() == Op::OpTypeInt) return width == 8 || width == 16 || width == 64;
  return type.op() == Op::OpTypeFloat && width == 16;
}

void CheckGroupStage(StageReader& reader, Instruction instruction) {
  const auto* subgroup = reader.Properties<VkPhysicalDeviceSubgroupProperties>();
  if (subgroup == nullptr) return;
  if (reader.Evaluate(instruction.id(0)) == static_cast<uint64_t>(spv::Scope::Subgroup) &&
      subgroup->supportedStages != 0 && (subgroup->supportedStages & reader.stage) == 0) {
    reader.Add(
        Vuid("VUID-RuntimeSpirv-None-06343"),
        absl::StrCat("has ", reader.Name(instruction), " in a stage that subgroupSupportedStages does not have."));
    return;
  }
  const bool is_quad =
      instruction.op() == Op::OpGroupNonUniformQuadBroadcast || instruction.op() == Op::OpGroupNonUniformQuadSwap;
  const bool has_quads = (reader.stage & (VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT)) != 0 ||
                         subgroup->quadOperationsInAllStages == VK_TRUE;
  if (is_quad && !has_quads) {
    reader.Add(Vuid("VUID-RuntimeSpirv-None-06342"), absl::StrCat("has ", reader.Name(instruction),
                                                                  " in a stage other than fragment and compute, and "
                                                                  "subgroupQuadOperationsInAllStages is VK_FALSE."));
  }
}

void CheckConstantIndex(StageReader& reader, vk::VuidIndex vuid, Instruction instruction) {
  if (spirv_instrument::IsConstant(reader.module.Find(instruction.id(2)).op())) return;
  constexpr uint32_t kVersion15 = 0x00010500;
  if (reader.module.module().version() >= kVersion15 && reader.Has(kSubgroupBroadcastDynamicId)) return;
  reader.Add(vuid, absl::StrCat("has ", reader.Name(instruction),
                                " of an invocation that is not constant, which needs "
                                "SPIR-V 1.5 and the feature subgroupBroadcastDynamicId."));
}

}  // namespace

void CheckAtomic(StageReader& reader, Instruction instruction) {
  const Instruction pointer = reader.module.module().TypeOf(instruction.id(0));
  if (pointer.op() != Op::OpTypePointer) return;
  const auto storage = pointer.enumerant<StorageClass>(0);
  const Instruction type = reader.module.Find(pointer.id(1));
  if (type.op() == Op::OpTypeInt && type.literal(0) == 64) CheckInt64Atomic(reader, instruction, storage);
  if (type.op() == Op::OpTypeFloat) CheckFloatAtomic(reader, instruction, storage, type.literal(0));
  if (type.op() == Op::OpTypeVector) CheckVectorAtomic(reader, instruction, type);
}

void CheckGroupOperation(StageReader& reader, Instruction instruction) {
  CheckGroupStage(reader, instruction);
  const bool compares = instruction.op() == Op::OpGroupNonUniformAllEqual;
  const Instruction type =
      compares ? reader.module.module().TypeOf(instruction.id(1)) : reader.module.Find(instruction.type_id());
  if (IsExtendedType(reader, type) && !reader.Has(kShaderSubgroupExtendedTypes)) {
    reader.Add(Vuid("VUID-RuntimeSpirv-None-06275"), absl::StrCat("has ", reader.Name(instruction),
                                                                  " on a type of 8, 16 or 64 bits, and the feature "
                                                                  "shaderSubgroupExtendedTypes is not enabled."));
  }
  if (instruction.op() == Op::OpGroupNonUniformBroadcast) {
    CheckConstantIndex(reader, Vuid("VUID-RuntimeSpirv-subgroupBroadcastDynamicId-06277"), instruction);
  }
  if (instruction.op() == Op::OpGroupNonUniformQuadBroadcast) {
    CheckConstantIndex(reader, Vuid("VUID-RuntimeSpirv-subgroupBroadcastDynamicId-06276"), instruction);
  }
  if (instruction.op() == Op::OpGroupNonUniformRotateKHR && instruction.operand_count() > 3 &&
      !reader.Has(kShaderSubgroupRotateClustered)) {
    reader.Add(Vuid("VUID-RuntimeSpirv-shaderSubgroupRotateClustered-09566"),
               absl::StrCat("has ", reader.Name(instruction),
                            " with a ClusterSize, and the feature "
                            "shaderSubgroupRotateClustered is not enabled."));
  }
}

}  // namespace assay::core
