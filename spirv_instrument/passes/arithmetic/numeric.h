// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_ARITHMETIC_NUMERIC_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_ARITHMETIC_NUMERIC_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

// Scalars and vectors of numbers, for passes that compare them or put them into records.
namespace assay::spirv_instrument {

struct NumericType {
  enum class Kind : uint8_t { kUnsigned, kSigned, kFloat };

  Kind kind = Kind::kUnsigned;
  // Of a component, in bits: 8, 16, 32 or 64.
  uint32_t width = 32;
  // 1 for a scalar, at most 4.
  uint32_t components = 1;
  // The type itself, and that of a component.
  Id id = kNoId;
  Id scalar = kNoId;

  bool IsInteger() const { return kind != Kind::kFloat; }
};

// nullopt for what is not a scalar or vector of integers or IEEE 754 floats.
std::optional<NumericType> AsNumericType(const Module& module, Id type);
// The type of a value.
std::optional<NumericType> NumericTypeOf(const Module& module, Id value);

// Whether the value is a constant of integers that no one specializes, or is put together of such, and `holds` is true
// of each component. It gets the component's bits, without sign extension.
bool EveryComponent(const Module& module, Id constant, absl::FunctionRef<bool(uint64_t)> holds);

// Emits code about numbers at one place.
class Numerics {
 public:
  // Components of 64 bits as two words; both have as many components as the value, each 32-bit unsigned.
  struct Words {
    Id low = kNoId;
    Id high = kNoId;
  };

  // Both must outlive this.
  Numerics(Module& module, Builder& builder) : module_(module), builder_(builder) {}

  // A 32-bit unsigned integer or a Boolean, or a vector of so many.
  Id Uints(uint32_t components);
  Id Bools(uint32_t components);
  // A constant with this value in each component.
  Id Splat(const NumericType& type, uint64_t value);
  Id SplatFloat(const NumericType& type, double value);
  Id SplatUint(uint32_t components, uint32_t value);
  // One value in each component of a vector type; the value itself for one component.
  Id Repeat(Id vector_type, Id value, uint32_t components);

  // Whether all components of a Boolean or a vector of them are true.
  Id All(Id bools, uint32_t components);

  // A value as words. Narrow integers are widened by their sign if `is_signed`, halves to 32 bits; what has at most 32
  // bits has 0 or its sign in the high word.
  Words WordsOf(Id value, const NumericType& type, bool is_signed);
  // Floats of 16 bits as floats of 32 bits; others as they are. `type` becomes that of the result.
  Id WithoutHalves(Id value, NumericType& type);
  // Four components, the last ones `padding`.
  Id Quad(Id uints, uint32_t components, uint32_t padding);

 private:
  Id VectorOf(Id scalar, uint32_t components);
  Id SplatConstant(Id vector_type, Id scalar, uint32_t components);
  Words IntegerWords(Id value, const NumericType& type, bool is_signed);
  Words DoubleWords(Id value, const NumericType& type);

  Module& module_;
  Builder& builder_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_ARITHMETIC_NUMERIC_H_
