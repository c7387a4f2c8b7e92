// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_IMAGES_IMAGE_OPERANDS_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_IMAGES_IMAGE_OPERANDS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

// How an instruction accesses an image: the one place that knows where the operands of such instructions are.
//
// The passes that instrument accesses ask for coordinates, levels and samples. The checks of what shaders do with
// images ask which instructions access which image, and with what operands.
namespace assay::spirv_instrument {

// What an instruction accesses of an image. kNoId for what it does not have.
struct ImageAccess {
  enum class Kind : uint8_t {
    // None that has the coordinate of texels.
    kNone,
    // OpImageFetch, OpImageRead, OpImageWrite and the sparse forms: integer coordinates of one texel.
    kTexel,
    // An atomic instruction whose pointer OpImageTexelPointer made. `pointer` is that of the image.
    kTexelPointer,
    // OpImageGather and its like: coordinates may be anything, offsets are limited.
    kGather,
    // OpImageSample and its like. The same; `is_implicit` tells whether it takes derivatives.
    kSample,
  };

  Kind kind = Kind::kNone;
  bool is_implicit = false;
  // An OpTypeImage or, of kGather and kSample, OpTypeSampledImage; kNoId for kTexelPointer.
  Id image = kNoId;
  Id pointer = kNoId;
  Id coordinate = kNoId;
  // Image operands: SPIR-V, "Image Operands". The mask of those that there are, and some of them.
  uint32_t mask = 0;
  Id level = kNoId;
  Id constant_offset = kNoId;
  Id offset = kNoId;
  // ConstOffsets or Offsets: an array of four.
  Id offsets = kNoId;
  Id sample = kNoId;
};

// Reads the operands of any instruction.
ImageAccess ReadImageAccess(const Module& module, Instruction instruction);

// An OpTypeImage: SPIR-V, "OpTypeImage".
struct ImageType {
  spv::Dim dim = spv::Dim::Max;
  bool is_arrayed = false;
  bool is_multisampled = false;
  // 1 for sampled images, 2 for storage images.
  uint32_t sampled = 0;

  // Integer coordinates of a texel without the layer; a cube has x, y, and the face as layer.
  uint32_t plane_components() const;
  // Whether the last coordinate counts layers.
  bool has_layer() const { return is_arrayed || dim == spv::Dim::Cube; }
};

// `type` is an OpTypeImage, or an OpTypeSampledImage or pointer of one.
ImageType ReadImageType(const Module& module, Instruction type);

// All instructions that ReadImageAccess() knows.
absl::Span<const spv::Op> CoordinateOpcodes();
// Instructions whose first operand is a pointer that they access atomically.
bool IsAtomicAccess(spv::Op op);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_IMAGES_IMAGE_OPERANDS_H_
