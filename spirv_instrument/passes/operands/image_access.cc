// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/operands/image_access.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/passes/frame/memory_access.h"
#include "spirv_instrument/runtime/descriptor_table.h"

namespace assay::spirv_instrument {
namespace {

constexpr spv::Op kAccesses[] = {
    spv::Op::OpImageSampleImplicitLod,
    spv::Op::OpImageSampleExplicitLod,
    spv::Op::OpImageSampleDrefImplicitLod,
    spv::Op::OpImageSampleDrefExplicitLod,
    spv::Op::OpImageSampleProjImplicitLod,
    spv::Op::OpImageSampleProjExplicitLod,
    spv::Op::OpImageSampleProjDrefImplicitLod,
    spv::Op::OpImageSampleProjDrefExplicitLod,
    spv::Op::OpImageFetch,
    spv::Op::OpImageGather,
    spv::Op::OpImageDrefGather,
    spv::Op::OpImageRead,
    spv::Op::OpImageWrite,
    spv::Op::OpImageSparseSampleImplicitLod,
    spv::Op::OpImageSparseSampleExplicitLod,
    spv::Op::OpImageSparseSampleDrefImplicitLod,
    spv::Op::OpImageSparseSampleDrefExplicitLod,
    spv::Op::OpImageSparseSampleProjImplicitLod,
    spv::Op::OpImageSparseSampleProjExplicitLod,
    spv::Op::OpImageSparseSampleProjDrefImplicitLod,
    spv::Op::OpImageSparseSampleProjDrefExplicitLod,
    spv::Op::OpImageSparseFetch,
    spv::Op::OpImageSparseGather,
    spv::Op::OpImageSparseDrefGather,
    spv::Op::OpImageSparseRead,
    spv::Op::OpImageSampleFootprintNV,
};

constexpr spv::Op kQueries[] = {
    spv::Op::OpImageQuerySizeLod, spv::Op::OpImageQuerySize,    spv::Op::OpImageQueryLod,
    spv::Op::OpImageQueryLevels,  spv::Op::OpImageQuerySamples,
};

constexpr int kMaxDepth = 64;
// OpTypeImage, "Sampled".
constexpr uint32_t kStorage = 2;

constexpr uint32_t Bit(DescriptorType type) { return 1u << static_cast<uint32_t>(type); }

// What arrays and pointers around it have in the end.
Instruction Innermost(const Module& module, Instruction type) {
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    if (type.op() == spv::Op::OpTypePointer) {
      type = module.Find(type.id(1));
    } else if (type.op() == spv::Op::OpTypeArray || type.op() == spv::Op::OpTypeRuntimeArray) {
      type = module.Find(type.id(0));
    } else {
      break;
    }
  }
  return type;
}

uint32_t TypesOfImage(Instruction image) {
  const auto dimension = image.enumerant<spv::Dim>(1);
  const bool is_storage = image.literal(5) == kStorage;
  if (dimension == spv::Dim::SubpassData) return Bit(DescriptorType::kInputAttachment);
  if (dimension == spv::Dim::Buffer) {
    return Bit(is_storage ? DescriptorType::kStorageTexelBuffer : DescriptorType::kUniformTexelBuffer);
  }
  if (is_storage) return Bit(DescriptorType::kStorageImage);
  return Bit(DescriptorType::kSampledImage) | Bit(DescriptorType::kCombinedImageSampler);
}

uint32_t TypesOfBlock(Module& module, Instruction block, spv::StorageClass storage) {
  // Before StorageBuffer there was Uniform with BufferBlock.
  const bool is_storage = storage == spv::StorageClass::StorageBuffer ||
                          module.decorations().Has(block.result_id(), spv::Decoration::BufferBlock);
  if (is_storage) return Bit(DescriptorType::kStorageBuffer);
  return Bit(DescriptorType::kUniformBuffer) | Bit(DescriptorType::kInlineUniformBlock);
}

}  // namespace

absl::Span<const spv::Op> ImageAccessOpcodes() { return kAccesses; }

absl::Span<const spv::Op> ImageQueryOpcodes() { return kQueries; }

bool IsImageQuery(spv::Op op) { return std::find(std::begin(kQueries), std::end(kQueries), op) != std::end(kQueries); }

Instruction ImageTypeOf(const Module& module, Id value) {
  const Instruction type = Innermost(module, module.TypeOf(value));
  const Instruction image = type.op() == spv::Op::OpTypeSampledImage ? module.Find(type.id(0)) : type;
  return image.op() == spv::Op::OpTypeImage ? image : Instruction();
}

Instruction TexelPointerOf(const Module& module, Instruction atomic) {
  if (!IsAtomic(atomic.op())) return {};
  const Instruction pointer = module.Find(atomic.id(0));
  return pointer.op() == spv::Op::OpImageTexelPointer ? pointer : Instruction();
}

uint32_t DescriptorTypesOf(Module& module, Id variable) {
  const Instruction definition = module.Find(variable);
  if (definition.op() != spv::Op::OpVariable) return 0;
  const Instruction type = Innermost(module, module.TypeOf(variable));
  switch (type.op()) {
    case spv::Op::OpTypeImage:
      return TypesOfImage(type);
    case spv::Op::OpTypeSampledImage:
      return module.Find(type.id(0)).enumerant<spv::Dim>(1) == spv::Dim::Buffer
                 ? Bit(DescriptorType::kUniformTexelBuffer)
                 : Bit(DescriptorType::kCombinedImageSampler);
    case spv::Op::OpTypeSampler:
      return Bit(DescriptorType::kSampler) | Bit(DescriptorType::kCombinedImageSampler);
    case spv::Op::OpTypeAccelerationStructureKHR:
      return Bit(DescriptorType::kAccelerationStructure);
    case spv::Op::OpTypeStruct:
      return TypesOfBlock(module, type, definition.enumerant<spv::StorageClass>(0));
    default:
      return 0;
  }
}

}  // namespace assay::spirv_instrument
