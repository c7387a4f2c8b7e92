// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/emitter.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/link/requirements.h"
#include "spirv_instrument/passes/emission/stage_words.h"

namespace assay::spirv_instrument {
namespace {

struct IntegerType {
  uint32_t width;
  bool is_signed;
};

IntegerType IntegerTypeOf(const Module& module, Id value) {
  const Instruction type = module.TypeOf(value);
  return {type.literal(0), type.literal(1) != 0};
}

// Types nest no deeper in a valid module, but for arrays.
constexpr int kMaxDepth = 512;

}  // namespace

Id Emitter::Call(std::string_view function, absl::Span<const Id> arguments) {
  const Id id = linker_.Link(function, variant_);
  if (id == kNoId) {
    if (status_.ok()) status_ = absl::InternalError(absl::StrCat("no check function has the name ", function));
    return kNoId;
  }
  const Id type = linker_.ReturnTypeOf(function);
  const Id result = builder_->Call(type, id, arguments);
  return module_.Find(type).op() == spv::Op::OpTypeVoid ? kNoId : result;
}

Id Emitter::AsUint(Id integer) {
  const Id uint_type = globals().Uint32();
  const auto [width, is_signed] = IntegerTypeOf(module_, integer);
  if (width > 32) return Call("SaturateIndex", {Bitcast(WordPairType(), integer)});
  if (width < 32) {
    return builder_->Add(is_signed ? spv::Op::OpSConvert : spv::Op::OpUConvert, uint_type, {integer});
  }
  return is_signed ? Bitcast(uint_type, integer) : integer;
}

Id Emitter::AsWordPair(Id index) {
  if (IntegerTypeOf(module_, index).width > 32) return Bitcast(WordPairType(), index);
  const Id low = AsSignedWord(index);
  const Id high = builder_->Binary(spv::Op::OpShiftRightArithmetic, globals().Uint32(), low, Uint(31));
  return builder_->Add(spv::Op::OpCompositeConstruct, WordPairType(), {low, high});
}

Id Emitter::AsSignedWord(Id index) {
  const bool is_narrow = IntegerTypeOf(module_, index).width < 32;
  return is_narrow ? builder_->Add(spv::Op::OpSConvert, globals().Uint32(), {index}) : AsUint(index);
}

Id Emitter::AddressOf(Id pointer) {
  if (!HasStorageOnlyType(module_.TypeOf(pointer).id(1))) {
    RequireAddressCasts(module_);
    return Bitcast(WordPairType(), pointer);
  }
  AddCapability(module_, spv::Capability::Int64);
  // SPIRV-Tools' validator minds Logical with a conversion alone.
  EnablePhysicalStorageBuffer(module_);
  const Id wide = builder_->Add(spv::Op::OpConvertPtrToU, globals().Int(64, false), {pointer});
  return Bitcast(WordPairType(), wide);
}

// Whether a type has integers or floats of 8 or 16 bits that only loads, stores and conversions of width may have.
bool Emitter::HasStorageOnlyType(Id type, int depth) {
  if (depth > kMaxDepth) return false;
  // A type is looked at once, and is without while it is: one that contains itself is invalid.
  const auto [known, has] = storage_only_types_.Get(type);
  if (known) return has;
  storage_only_types_[type] = {true, false};
  const Instruction definition = module_.Find(type);
  bool result = false;
  switch (definition.op()) {
    case spv::Op::OpTypeInt:
      result = (definition.literal(0) == 8 && !HasCapability(module_, spv::Capability::Int8)) ||
               (definition.literal(0) == 16 && !HasCapability(module_, spv::Capability::Int16));
      break;
    case spv::Op::OpTypeFloat:
      result = definition.literal(0) == 16 && !HasCapability(module_, spv::Capability::Float16);
      break;
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      result = HasStorageOnlyType(definition.id(0), depth + 1);
      break;
    case spv::Op::OpTypeStruct:
      for (size_t i = 0; i < definition.operand_count() && !result; ++i) {
        result = HasStorageOnlyType(definition.id(i), depth + 1);
      }
      break;
    default:
      break;
  }
  storage_only_types_[type] = {true, result};
  return result;
}

Id Emitter::SaturatedSum(uint32_t constant, absl::Span<const Id> indices, absl::Span<const uint32_t> factors) {
  Id sum = Uint(constant);
  for (size_t i = 0; i < indices.size(); ++i) {
    const Id index = AsSignedWord(indices[i]);
    const bool is_index_alone = i == 0 && constant == 0 && factors[i] == 1;
    sum = is_index_alone ? index : Call("AddScaled", {sum, index, Uint(factors[i])});
  }
  return sum;
}

Id Emitter::BuiltIn(spv::BuiltIn built_in, Id type) {
  return LoadBuiltIn(facts_, static_cast<spv::ExecutionModel>(variant_), built_in, type, *builder_);
}

}  // namespace assay::spirv_instrument
