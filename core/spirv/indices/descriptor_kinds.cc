// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/indices/descriptor_kinds.h"

#include <cstddef>

#include "spirv_instrument/ir/id.h"

namespace assay::core {

using spirv_instrument::Instruction;
using spv::Capability;
using spv::Dim;
using spv::Op;
using spv::StorageClass;

namespace {

// In the order of DescriptorKind.
constexpr DescriptorKindInfo kInfos[] = {
    {Capability::UniformBufferArrayDynamicIndexing, Capability::UniformBufferArrayNonUniformIndexing,
     "UniformBufferArrayNonUniformIndexing", "uniform buffers"},
    {Capability::SampledImageArrayDynamicIndexing, Capability::SampledImageArrayNonUniformIndexing,
     "SampledImageArrayNonUniformIndexing", "sampled images or samplers"},
    {Capability::StorageBufferArrayDynamicIndexing, Capability::StorageBufferArrayNonUniformIndexing,
     "StorageBufferArrayNonUniformIndexing", "storage buffers"},
    {Capability::StorageImageArrayDynamicIndexing, Capability::StorageImageArrayNonUniformIndexing,
     "StorageImageArrayNonUniformIndexing", "storage images"},
    {Capability::InputAttachmentArrayDynamicIndexing, Capability::InputAttachmentArrayNonUniformIndexing,
     "InputAttachmentArrayNonUniformIndexing", "input attachments"},
    {Capability::UniformTexelBufferArrayDynamicIndexing, Capability::UniformTexelBufferArrayNonUniformIndexing,
     "UniformTexelBufferArrayNonUniformIndexing", "uniform texel buffers"},
    {Capability::StorageTexelBufferArrayDynamicIndexing, Capability::StorageTexelBufferArrayNonUniformIndexing,
     "StorageTexelBufferArrayNonUniformIndexing", "storage texel buffers"},
};

std::optional<DescriptorKind> KindOfImage(const ModuleReader& reader, Instruction type) {
  if (type.op() == Op::OpTypeSampler) return DescriptorKind::kSampledImage;
  if (type.op() == Op::OpTypeSampledImage) type = reader.Find(type.id(0));
  if (type.op() != Op::OpTypeImage) return std::nullopt;
  const auto dim = type.enumerant<Dim>(1);
  const bool is_storage = type.literal(5) == 2;
  if (dim == Dim::SubpassData) return DescriptorKind::kInputAttachment;
  if (dim == Dim::Buffer) {
    return is_storage ? DescriptorKind::kStorageTexelBuffer : DescriptorKind::kUniformTexelBuffer;
  }
  return is_storage ? DescriptorKind::kStorageImage : DescriptorKind::kSampledImage;
}

}  // namespace

const DescriptorKindInfo& InfoOf(DescriptorKind kind) { return kInfos[static_cast<size_t>(kind)]; }

std::optional<DescriptorKind> KindOfArray(const ModuleReader& reader, Instruction variable) {
  if (variable.op() != Op::OpVariable) return std::nullopt;
  const Instruction array = reader.PointeeOf(variable);
  if (array.op() != Op::OpTypeArray && array.op() != Op::OpTypeRuntimeArray) return std::nullopt;
  const Instruction type = reader.ElementOf(array);
  switch (variable.enumerant<StorageClass>(0)) {
    case StorageClass::UniformConstant:
      return KindOfImage(reader, type);
    case StorageClass::StorageBuffer:
      return DescriptorKind::kStorageBuffer;
    case StorageClass::Uniform:
      return reader.IsBlock(type) ? DescriptorKind::kUniformBuffer : DescriptorKind::kStorageBuffer;
    default:
      return std::nullopt;
  }
}

bool IsSameResource(const ModuleReader& reader, Instruction instruction) {
  const Op op = instruction.op();
  if (BaseOf(instruction) != spirv_instrument::kNoId) return true;
  if (op == Op::OpSampledImage || op == Op::OpImage || op == Op::OpImageTexelPointer) return true;
  const Op type = reader.Find(instruction.type_id()).op();
  return op == Op::OpLoad && (type == Op::OpTypeImage || type == Op::OpTypeSampler || type == Op::OpTypeSampledImage);
}

}  // namespace assay::core
