// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_CONSTANTS_CONSTANT_VALUES_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_CONSTANTS_CONSTANT_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/constants/specialization.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

// The values of integer and Boolean constants, with specialization constants set, and of instructions of functions that
// compute with nothing but constants. A value is a number of 64 bits: that of an integer of N bits has N bits, the
// others are zero, whatever its sign; false and true are 0 and 1.
namespace assay::spirv_instrument {

class ConstantValues {
 public:
  // `module` and `decorations` must outlive this. Of two values for one id the first counts.
  ConstantValues(const Module& module, const Decorations& decorations,
                 absl::Span<const Specialization> specialization = {});

  // nullopt if `id` is no integer or Boolean that is constant, or follows from others by more than kMaxDepth steps in a
  // row. An undefined operation, such as a division by zero, has no value. Each constant is evaluated once.
  std::optional<uint64_t> Of(Id id);
  // A part of a composite constant.
  std::optional<uint64_t> Of(Id id, absl::Span<const uint32_t> indices);
  // The same with the sign of the constant's type, if it is an integer.
  std::optional<int64_t> Signed(Id id);

  static constexpr int kMaxDepth = 256;

 private:
  struct Known {
    bool is_known = false;
    std::optional<uint64_t> value;
  };

  std::optional<uint64_t> Evaluate(Id id, int depth);
  std::optional<uint64_t> EvaluateNew(Instruction constant, int depth);
  std::optional<uint64_t> Specialized(Instruction constant, uint64_t default_value) const;
  // `operands` are those of the operation.
  std::optional<uint64_t> EvaluateOperation(spv::Op op, absl::Span<const uint32_t> operands, int depth);
  std::optional<uint64_t> EvaluateExtraction(absl::Span<const uint32_t> operands, int depth);
  // The constant that is the part of a composite; kNoId if there is none. `is_null` says that it is zero.
  Id PartOf(Id composite, absl::Span<const uint32_t> indices, bool* is_null) const;
  // 1 for a Boolean, 0 for what is neither an integer nor a Boolean.
  uint32_t WidthOf(Id type) const;

  const Module& module_;
  const Decorations& decorations_;
  // By SpecId.
  IdTable<Known> specialization_;
  IdTable<Known> known_;
};

// The number of operands of an operation that EvaluateOperation() knows: OpBitcast, and those that OpSpecConstantOp may
// have in shaders, such as OpIAdd, but OpSelect and those on composites. 0 for another operation.
uint32_t OperandCountOf(spv::Op op);

// The result of such an operation on values of `width` bits, which is the width of the operands. nullopt for another
// operation, and for one that is undefined. An operation with one operand ignores `right`.
std::optional<uint64_t> EvaluateOperation(spv::Op op, uint32_t width, uint64_t left, uint64_t right);

// The number of `width` bits, between 1 and 64, with its sign.
constexpr int64_t SignExtended(uint64_t value, uint32_t width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_CONSTANTS_CONSTANT_VALUES_H_
