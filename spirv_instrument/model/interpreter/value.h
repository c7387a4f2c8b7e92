// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_VALUE_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_VALUE_H_

#include <array>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::spirv_instrument::model {

// The scalars of a value, in the order of its members, each in the low bits of a cell; bits above the scalar's width
// are zero. A Boolean is 0 or 1, a float its bits, a pointer into PhysicalStorageBuffer its address.
using Cells = absl::InlinedVector<uint64_t, 4>;

// How what a pointer points to lies in memory, where its type alone does not say.
struct MatrixContext {
  // Of a matrix, or of what has matrices: bytes between its columns, or rows if it is row-major.
  uint32_t stride = 0;
  bool is_row_major = false;
  // Of a column of a row-major matrix: bytes between components; 0 if they are next to one another.
  uint32_t component_stride = 0;
};

// Offsets and descriptor indices from here on are too large for everything. They do not grow further.
inline constexpr uint64_t kFar = uint64_t{1} << 62;

// A pointer, or a descriptor that was loaded: an image, a sampler, a sampled image.
struct Pointer {
  enum class Space : uint8_t {
    kNone,
    // Cells of a variable that no other shader can see.
    kVariable,
    // Bytes of a buffer, by descriptor; push constants are binding kPushConstants.
    kBuffer,
    // Bytes at a device address.
    kAddress,
    // A descriptor.
    kDescriptor,
    // A texel of an image: OpImageTexelPointer.
    kTexel,
  };

  Space space = Space::kNone;
  // Of kVariable.
  spv::StorageClass storage = spv::StorageClass::Function;
  uint32_t variable = 0;
  uint32_t cell = 0;
  // Of all with descriptor.
  uint32_t set = 0;
  uint32_t binding = 0;
  uint64_t index = 0;
  // Of kBuffer the bytes from the begin of the range, of kAddress the address.
  uint64_t offset = 0;
  MatrixContext matrix;
  // Of kTexel.
  std::array<int64_t, 3> coordinates = {};
  uint32_t sample = 0;
};

// As a binding of a Pointer.
inline constexpr uint32_t kPushConstants = 0xffffffff;

struct Value {
  Cells cells;
  Pointer pointer;
};

// The low `width` bits.
constexpr uint64_t Truncate(uint64_t bits, uint32_t width) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}
// The low `width` bits as a signed number.
constexpr int64_t SignExtend(uint64_t bits, uint32_t width) {
  const uint32_t unused = 64 - width;
  return static_cast<int64_t>(bits << unused) >> unused;
}

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_VALUE_H_
