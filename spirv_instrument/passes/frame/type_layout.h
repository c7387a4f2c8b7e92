// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_TYPE_LAYOUT_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_TYPE_LAYOUT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// How the member of a structure that holds a matrix lays it out. It applies to arrays of matrices too.
struct MatrixLayout {
  // In bytes, between columns, or rows if it is row-major; 0 if it is not given.
  uint32_t stride = 0;
  bool is_row_major = false;
};

// Sizes of types with explicit layout, from the decorations Offset, ArrayStride and MatrixStride: SPIR-V,
// "Composite Objects" and Vulkan, "Offset and Stride Assignment". Each structure is looked at once.
class TypeLayouts {
 public:
  explicit TypeLayouts(Module& module) : module_(module), indices_(module.dense_id_count()) {}

  // How many bytes a load or store of the type touches, from the first to behind the last one; padding at the end does
  // not count. nullopt without layout, for 4 GiB or more, for a runtime array, and for a type that has no size.
  // Pointers into PhysicalStorageBuffer have 8 bytes, as Vulkan says.
  std::optional<uint32_t> ExtentOf(Id type, MatrixLayout layout = {});

  // Scalars of Boolean type have none in memory.
  std::optional<uint32_t> SizeOfScalar(Id type) const;

  // Constant time, but for the first time.
  std::optional<uint32_t> OffsetOfMember(Id structure, uint32_t member) const;
  MatrixLayout LayoutOfMember(Id structure, uint32_t member) const;
  std::optional<uint32_t> ArrayStride(Id array) const;
  // Of OpTypeArray, if it is a constant that no one specializes; nullopt otherwise and for runtime arrays.
  std::optional<uint32_t> ArrayLength(Id array) const;
  // The value of an OpConstant of integer type of up to 64 bits, sign-extended; nullopt for what is not one.
  std::optional<int64_t> ConstantValue(Id constant) const;
  // The same for an index of an access chain, which is signed, whatever its type: SPIR-V, "OpAccessChain".
  std::optional<int64_t> ConstantIndex(Id constant) const;

 private:
  struct Member {
    std::optional<uint32_t> offset;
    MatrixLayout matrix;
  };
  struct Structure {
    enum class State : uint8_t { kUnknown, kPending, kNone, kKnown } state = State::kUnknown;
    uint32_t extent = 0;
    std::vector<Member> members;
  };

  std::optional<uint64_t> Compute(Id type, MatrixLayout layout, int depth);
  std::optional<uint64_t> ComputeStructure(Instruction structure, int depth);
  // Null for what is no structure.
  Structure* FindStructure(Id type) const;
  const Member* FindMember(Id structure, uint32_t member) const;

  Module& module_;
  // Indices of structures_, plus 1.
  mutable IdTable<uint32_t> indices_;
  mutable std::vector<std::unique_ptr<Structure>> structures_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_TYPE_LAYOUT_H_
