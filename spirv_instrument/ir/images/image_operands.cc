// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/images/image_operands.h"

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::spirv_instrument {
namespace {

using Kind = ImageAccess::Kind;

constexpr spv::Op kOpcodes[] = {
    spv::Op::OpImageFetch,
    spv::Op::OpImageRead,
    spv::Op::OpImageWrite,
    spv::Op::OpImageSparseFetch,
    spv::Op::OpImageSparseRead,
    spv::Op::OpAtomicLoad,
    spv::Op::OpAtomicStore,
    spv::Op::OpAtomicExchange,
    spv::Op::OpAtomicCompareExchange,
    spv::Op::OpAtomicIIncrement,
    spv::Op::OpAtomicIDecrement,
    spv::Op::OpAtomicIAdd,
    spv::Op::OpAtomicISub,
    spv::Op::OpAtomicSMin,
    spv::Op::OpAtomicUMin,
    spv::Op::OpAtomicSMax,
    spv::Op::OpAtomicUMax,
    spv::Op::OpAtomicAnd,
    spv::Op::OpAtomicOr,
    spv::Op::OpAtomicXor,
    spv::Op::OpAtomicFAddEXT,
    spv::Op::OpAtomicFMinEXT,
    spv::Op::OpAtomicFMaxEXT,
    spv::Op::OpImageGather,
    spv::Op::OpImageDrefGather,
    spv::Op::OpImageSparseGather,
    spv::Op::OpImageSparseDrefGather,
    spv::Op::OpImageSampleImplicitLod,
    spv::Op::OpImageSampleExplicitLod,
    spv::Op::OpImageSampleDrefImplicitLod,
    spv::Op::OpImageSampleDrefExplicitLod,
    spv::Op::OpImageSampleProjImplicitLod,
    spv::Op::OpImageSampleProjExplicitLod,
    spv::Op::OpImageSampleProjDrefImplicitLod,
    spv::Op::OpImageSampleProjDrefExplicitLod,
    spv::Op::OpImageSparseSampleImplicitLod,
    spv::Op::OpImageSparseSampleExplicitLod,
    spv::Op::OpImageSparseSampleDrefImplicitLod,
    spv::Op::OpImageSparseSampleDrefExplicitLod,
};

struct Form {
  Kind kind = Kind::kNone;
  bool is_implicit = false;
  // Where the mask of image operands is, if there is one.
  size_t mask = 0;
};

Form FormOf(spv::Op op) {
  switch (op) {
    case spv::Op::OpImageFetch:
    case spv::Op::OpImageRead:
    case spv::Op::OpImageSparseFetch:
    case spv::Op::OpImageSparseRead:
      return {Kind::kTexel, false, 2};
    case spv::Op::OpImageWrite:
      return {Kind::kTexel, false, 3};
    case spv::Op::OpImageGather:
    case spv::Op::OpImageDrefGather:
    case spv::Op::OpImageSparseGather:
    case spv::Op::OpImageSparseDrefGather:
      return {Kind::kGather, false, 3};
    case spv::Op::OpImageSampleImplicitLod:
    case spv::Op::OpImageSampleProjImplicitLod:
    case spv::Op::OpImageSparseSampleImplicitLod:
      return {Kind::kSample, true, 2};
    case spv::Op::OpImageSampleExplicitLod:
    case spv::Op::OpImageSampleProjExplicitLod:
    case spv::Op::OpImageSparseSampleExplicitLod:
      return {Kind::kSample, false, 2};
    case spv::Op::OpImageSampleDrefImplicitLod:
    case spv::Op::OpImageSampleProjDrefImplicitLod:
    case spv::Op::OpImageSparseSampleDrefImplicitLod:
      return {Kind::kSample, true, 3};
    case spv::Op::OpImageSampleDrefExplicitLod:
    case spv::Op::OpImageSampleProjDrefExplicitLod:
    case spv::Op::OpImageSparseSampleDrefExplicitLod:
      return {Kind::kSample, false, 3};
    default:
      return {};
  }
}

// The ids behind the mask are in the order of its bits.
void ReadOperands(Instruction instruction, size_t mask_operand, ImageAccess& access) {
  const uint32_t mask = instruction.literal(mask_operand);
  access.mask = mask;
  size_t next = mask_operand + 1;
  const auto take = [&](spv::ImageOperandsMask bit, size_t count = 1) {
    if ((mask & static_cast<uint32_t>(bit)) == 0) return kNoId;
    const Id first = instruction.id(next);
    next += count;
    return first;
  };
  take(spv::ImageOperandsMask::Bias);
  access.level = take(spv::ImageOperandsMask::Lod);
  take(spv::ImageOperandsMask::Grad, 2);
  access.constant_offset = take(spv::ImageOperandsMask::ConstOffset);
  access.offset = take(spv::ImageOperandsMask::Offset);
  access.offsets = take(spv::ImageOperandsMask::ConstOffsets);
  access.sample = take(spv::ImageOperandsMask::Sample);
  take(spv::ImageOperandsMask::MinLod);
  take(spv::ImageOperandsMask::MakeTexelAvailable);
  take(spv::ImageOperandsMask::MakeTexelVisible);
  if (const Id offsets = take(spv::ImageOperandsMask::Offsets); offsets != kNoId) access.offsets = offsets;
}

}  // namespace

ImageAccess ReadImageAccess(const Module& module, Instruction instruction) {
  ImageAccess access;
  if (IsAtomicAccess(instruction.op())) {
    const Instruction pointer = module.Find(instruction.id(0));
    if (pointer.op() != spv::Op::OpImageTexelPointer) return access;
    access.kind = Kind::kTexelPointer;
    access.pointer = pointer.id(0);
    access.coordinate = pointer.id(1);
    access.sample = pointer.id(2);
    return access;
  }
  const Form form = FormOf(instruction.op());
  if (form.kind == Kind::kNone) return access;
  access.kind = form.kind;
  access.is_implicit = form.is_implicit;
  access.image = instruction.id(0);
  access.coordinate = instruction.id(1);
  ReadOperands(instruction, form.mask, access);
  return access;
}

uint32_t ImageType::plane_components() const {
  switch (dim) {
    case spv::Dim::Dim1D:
    case spv::Dim::Buffer:
      return 1;
    case spv::Dim::Dim3D:
      return 3;
    default:
      return 2;
  }
}

ImageType ReadImageType(const Module& module, Instruction type) {
  if (type.op() == spv::Op::OpTypePointer) type = module.Find(type.id(1));
  if (type.op() == spv::Op::OpTypeSampledImage) type = module.Find(type.id(0));
  ImageType image;
  if (type.op() != spv::Op::OpTypeImage) return image;
  image.dim = type.enumerant<spv::Dim>(1);
  image.is_arrayed = type.literal(3) != 0;
  image.is_multisampled = type.literal(4) != 0;
  image.sampled = type.literal(5);
  return image;
}

absl::Span<const spv::Op> CoordinateOpcodes() { return kOpcodes; }

bool IsAtomicAccess(spv::Op op) {
  switch (op) {
    case spv::Op::OpAtomicLoad:
    case spv::Op::OpAtomicStore:
    case spv::Op::OpAtomicExchange:
    case spv::Op::OpAtomicCompareExchange:
    case spv::Op::OpAtomicIIncrement:
    case spv::Op::OpAtomicIDecrement:
    case spv::Op::OpAtomicIAdd:
    case spv::Op::OpAtomicISub:
    case spv::Op::OpAtomicSMin:
    case spv::Op::OpAtomicUMin:
    case spv::Op::OpAtomicSMax:
    case spv::Op::OpAtomicUMax:
    case spv::Op::OpAtomicAnd:
    case spv::Op::OpAtomicOr:
    case spv::Op::OpAtomicXor:
    case spv::Op::OpAtomicFAddEXT:
    case spv::Op::OpAtomicFMinEXT:
    case spv::Op::OpAtomicFMaxEXT:
      return true;
    default:
      return false;
  }
}

}  // namespace assay::spirv_instrument
