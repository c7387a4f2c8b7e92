// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Statements without control flow.

#include <algorithm>

#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/model/random/make_program.h"
#include "spirv_instrument/model/random/recipe_layout.h"
#include "spirv_instrument/model/random/shader_maker.h"

namespace assay::spirv_instrument::model {

Id ShaderMaker::MakeBody(const std::vector<RecipeStatement>& body) {
  const size_t outer = visible_.size();
  Id last = Uint(0);
  for (const RecipeStatement& statement : body) {
    const Id value = MakeStatement(statement);
    if (value == kNoId) continue;
    last = value;
    visible_.emplace_back(statement.number, value);
    At().Store(sum_, Mix(At().Load(UintType(), sum_), value));
  }
  visible_.resize(outer);
  return last;
}

Id ShaderMaker::MakeStatement(const RecipeStatement& statement) {
  switch (statement.kind) {
    case RecipeStatement::Kind::kArithmetic:
      return MakeArithmetic(statement);
    case RecipeStatement::Kind::kLoad:
      return MakeLoad(statement);
    case RecipeStatement::Kind::kStore:
      return MakeStore(statement);
    case RecipeStatement::Kind::kAtomic:
      return MakeAtomic(statement);
    case RecipeStatement::Kind::kCopy:
      return MakeCopy(statement);
    case RecipeStatement::Kind::kArrayLength:
      return MakeArrayLength(statement);
    case RecipeStatement::Kind::kLocalArray:
      return MakeLocalArray(statement);
    case RecipeStatement::Kind::kLoop:
      return MakeLoop(statement);
    case RecipeStatement::Kind::kIf:
      return MakeIf(statement);
    case RecipeStatement::Kind::kSwitch:
      return MakeSwitch(statement);
    case RecipeStatement::Kind::kCall:
      return MakeCall(statement);
    case RecipeStatement::Kind::kBreakIf:
    case RecipeStatement::Kind::kContinueIf:
    case RecipeStatement::Kind::kReturnIf:
      return MakeExit(statement);
    case RecipeStatement::Kind::kImageRead:
    case RecipeStatement::Kind::kImageWrite:
      return MakeImageAccess(statement);
    case RecipeStatement::Kind::kDivide:
      return MakeDivision(statement);
    case RecipeStatement::Kind::kShift:
      return MakeShift(statement);
  }
  return kNoId;
}

Id ShaderMaker::MakeArithmetic(const RecipeStatement& statement) {
  constexpr spv::Op kOps[] = {spv::Op::OpIAdd,      spv::Op::OpISub,       spv::Op::OpIMul,
                              spv::Op::OpBitwiseOr, spv::Op::OpBitwiseXor, spv::Op::OpBitwiseAnd};
  const Id a = OperandValue(statement.a);
  const Id b = OperandValue(statement.b);
  const uint32_t operation = statement.operation % (std::size(kOps) + 3);
  if (operation < std::size(kOps)) return Emit(kOps[operation], UintType(), {a, b});
  if (operation == std::size(kOps)) {
    const Id is_less = Emit(spv::Op::OpULessThan, globals().Bool(), {a, b});
    return Emit(spv::Op::OpSelect, UintType(), {is_less, a, OperandValue(statement.c)});
  }
  if (operation == std::size(kOps) + 1) return Emit(spv::Op::OpNot, UintType(), {a});
  // Small numbers as floats: the result is exact.
  const Id real = globals().Float(32);
  const Id low_a = Emit(spv::Op::OpBitwiseAnd, UintType(), {a, Uint(255)});
  const Id low_b = Emit(spv::Op::OpBitwiseAnd, UintType(), {b, Uint(255)});
  const Id real_a = Emit(spv::Op::OpConvertUToF, real, {low_a});
  const Id real_b = Emit(spv::Op::OpConvertUToF, real, {low_b});
  const Id product = Emit(spv::Op::OpFMul, real, {real_a, real_b});
  return Emit(spv::Op::OpConvertFToU, UintType(), {Emit(spv::Op::OpFAdd, real, {product, real_a})});
}

Id ShaderMaker::MakeDivision(const RecipeStatement& statement) {
  const Id a = OperandValue(statement.a);
  Id b = OperandValue(statement.b);
  if (!statement.is_wild) b = Emit(spv::Op::OpBitwiseOr, UintType(), {b, Uint(1)});
  if (statement.operation % 3 == 0) return Emit(spv::Op::OpUDiv, UintType(), {a, b});
  if (statement.operation % 3 == 1) return Emit(spv::Op::OpUMod, UintType(), {a, b});
  // A dividend that is not negative does not overflow.
  const Id number = globals().Int(32, true);
  const Id dividend = Emit(spv::Op::OpBitwiseAnd, UintType(), {a, Uint(0x7fffffff)});
  const Id quotient = Emit(spv::Op::OpSDiv, number,
                           {Emit(spv::Op::OpBitcast, number, {dividend}), Emit(spv::Op::OpBitcast, number, {b})});
  return Emit(spv::Op::OpBitcast, UintType(), {quotient});
}

Id ShaderMaker::MakeShift(const RecipeStatement& statement) {
  constexpr spv::Op kOps[] = {spv::Op::OpShiftLeftLogical, spv::Op::OpShiftRightLogical,
                              spv::Op::OpShiftRightArithmetic};
  Id count = OperandValue(statement.b);
  if (!statement.is_wild) count = Emit(spv::Op::OpBitwiseAnd, UintType(), {count, Uint(31)});
  return Emit(kOps[statement.operation % std::size(kOps)], UintType(), {OperandValue(statement.a), count});
}

Id ShaderMaker::MakeLoad(const RecipeStatement& statement) {
  const std::optional<Target> target = Walk(statement.place);
  if (!target) return kNoId;
  const Id value = LoadFrom(*target);
  return Fold(value, *target->type);
}

Id ShaderMaker::MakeStore(const RecipeStatement& statement) {
  const std::optional<Target> target = Walk(statement.place);
  if (!target || !IsWritable(*target, statement.place) || HasAddress(*target->type)) return kNoId;
  const Id value = OperandValue(statement.a);
  const Id expanded = Expand(value, *target->type);
  At().AddVoid(spv::Op::OpStore, WithAlignment({target->pointer, expanded}, *target));
  return value;
}

Id ShaderMaker::MakeAtomic(const RecipeStatement& statement) {
  constexpr spv::Op kOps[] = {spv::Op::OpAtomicIAdd, spv::Op::OpAtomicISub,    spv::Op::OpAtomicUMin,
                              spv::Op::OpAtomicUMax, spv::Op::OpAtomicAnd,     spv::Op::OpAtomicOr,
                              spv::Op::OpAtomicXor,  spv::Op::OpAtomicExchange};
  const std::optional<Target> target = Walk(statement.place);
  if (!target || !IsWritable(*target, statement.place)) return kNoId;
  const RecipeType& type = *target->type;
  const bool is_word = type.kind == RecipeType::Kind::kScalar && type.width == 32;
  if (!is_word || type.number != RecipeType::Number::kUint) return kNoId;
  const uint32_t operation = statement.operation % (std::size(kOps) + 3);
  const Id scope = Uint(static_cast<uint32_t>(spv::Scope::Device));
  const Id relaxed = Uint(0);
  const Id value = OperandValue(statement.a);
  if (operation < std::size(kOps)) {
    return Emit(kOps[operation], UintType(), {target->pointer, scope, relaxed, value});
  }
  if (operation == std::size(kOps)) {
    return Emit(spv::Op::OpAtomicCompareExchange, UintType(),
                {target->pointer, scope, relaxed, relaxed, value, OperandValue(statement.b)});
  }
  if (operation == std::size(kOps) + 1)
    return Emit(spv::Op::OpAtomicLoad, UintType(), {target->pointer, scope, relaxed});
  At().AddVoid(spv::Op::OpAtomicStore, {target->pointer, scope, relaxed, value});
  return value;
}

Id ShaderMaker::MakeCopy(const RecipeStatement& statement) {
  const std::optional<Target> target = Walk(statement.place);
  const std::optional<Target> source = Walk(statement.source);
  if (!target || !source || !IsWritable(*target, statement.place)) return kNoId;
  if (TypeOf(*target->type) != TypeOf(*source->type)) return kNoId;
  std::vector<Word> operands = {target->pointer, source->pointer};
  const bool has_address = target->storage == spv::StorageClass::PhysicalStorageBuffer ||
                           source->storage == spv::StorageClass::PhysicalStorageBuffer;
  if (has_address) {
    // Both have operands: the first are those of the target.
    for (size_t i = 0; i < 2; ++i) {
      operands.emplace_back(spv::MemoryAccessMask::Aligned);
      operands.emplace_back(AlignmentOf(*target->type));
    }
  }
  At().AddVoid(spv::Op::OpCopyMemory, operands);
  return Uint(1);
}

Id ShaderMaker::MakeArrayLength(const RecipeStatement& statement) {
  if (statement.place.resource >= recipe_.resources.size()) return kNoId;
  const RecipeResource& resource = recipe_.resources[statement.place.resource];
  const RecipeType& block = BlockOf(resource.block);
  // The range of what is written has the begin of the array.
  const bool has_array =
      resource.kind == RecipeResource::Kind::kStorage && !block.parts.empty() &&
      block.parts.back().kind == RecipeType::Kind::kRuntimeArray &&
      std::ranges::all_of(resource.elements, [&block](const RecipeElement& element) {
        return element.state != corpus::Element::State::kNull && element.bytes >= MemberOffsets(block).back();
      });
  if (!has_array) return kNoId;
  const auto member = static_cast<uint32_t>(block.parts.size() - 1);
  Id pointer = variables_[statement.place.resource];
  if (resource.is_array) {
    const Id type = globals().Pointer(spv::StorageClass::StorageBuffer, BlockType(resource.block));
    pointer = At().AccessChain(type, pointer, {DescriptorIndex(resource, statement.place.descriptor)});
    if (statement.place.descriptor.index.kind != RecipeOperand::Kind::kConstant) {
      Decorate(module_, pointer, spv::Decoration::NonUniform);
    }
  }
  return Emit(spv::Op::OpArrayLength, UintType(), {pointer, member});
}

Id ShaderMaker::MakeLocalArray(const RecipeStatement& statement) {
  const Id pointer_type = globals().Pointer(spv::StorageClass::Function, UintType());
  const auto element = [&](const RecipeOperand& operand) {
    const Id index = Emit(spv::Op::OpUMod, UintType(), {OperandValue(operand), Uint(kLocalArraySize)});
    return At().AccessChain(pointer_type, function_.local_array, {index});
  };
  At().Store(element(statement.a), OperandValue(statement.b));
  return At().Load(UintType(), element(statement.c));
}

bool ShaderMaker::IsWritable(const Target& target, const RecipePlace& place) const {
  if (!target.is_own) return false;
  // A buffer that addresses point to may be written; it is no other resource.
  if (target.storage == spv::StorageClass::PhysicalStorageBuffer) return true;
  return target.storage == spv::StorageClass::StorageBuffer && recipe_.resources[place.resource].is_written;
}

Id ShaderMaker::MakeImageAccess(const RecipeStatement& statement) {
  if (statement.place.resource >= recipe_.resources.size()) return kNoId;
  const RecipeResource& resource = recipe_.resources[statement.place.resource];
  const bool is_buffer = resource.kind == RecipeResource::Kind::kTexelBuffer;
  const bool is_sampled = resource.kind == RecipeResource::Kind::kSampledImage;
  if (!is_buffer && !is_sampled && resource.kind != RecipeResource::Kind::kStorageImage) return kNoId;
  const bool writes = statement.kind == RecipeStatement::Kind::kImageWrite;
  if (writes && (is_sampled || !resource.is_written)) return kNoId;
  Id pointer = variables_[statement.place.resource];
  const Id image_type = ImageTypeOf(pointer);
  bool is_non_uniform = false;
  if (resource.is_array) {
    const RecipeStep& step = statement.place.descriptor;
    is_non_uniform = step.index.kind != RecipeOperand::Kind::kConstant;
    pointer = At().AccessChain(globals().Pointer(spv::StorageClass::UniformConstant, image_type), pointer,
                               {DescriptorIndex(resource, step)});
    if (is_non_uniform) Decorate(module_, pointer, spv::Decoration::NonUniform);
  }
  const Id image = At().Load(image_type, pointer);
  if (is_non_uniform) Decorate(module_, image, spv::Decoration::NonUniform);
  RecipeStep x = {.index = statement.a, .is_wild = statement.is_wild};
  const RecipeStep y = {.index = statement.b, .is_wild = statement.is_wild};
  uint32_t width = kImageSize;
  if (is_buffer) {
    width = ~0u;
    for (const RecipeElement& element : resource.elements) width = std::min(width, element.bytes / 4);
  }
  // An invocation has columns of its own in what all of them write.
  Id column = Index(x, width, true, false);
  if (resource.is_written && !IsSingle()) {
    if (!statement.is_wild && recipe_.invocations() > width) return kNoId;
    column = invocation_;
  }
  Id coordinate = column;
  if (!is_buffer) {
    coordinate = Emit(spv::Op::OpCompositeConstruct, globals().Vector(UintType(), 2),
                      {column, Index(y, kImageSize, true, false)});
  }
  const Id uint4 = globals().Vector(UintType(), 4);
  if (writes) {
    const Id value = OperandValue(statement.c);
    const Id texel = Emit(spv::Op::OpCompositeConstruct, uint4, {value, value, value, value});
    At().AddVoid(spv::Op::OpImageWrite, {image, coordinate, texel});
    return value;
  }
  if (is_sampled) {
    const Id lod = statement.is_wild ? OperandValue(statement.c) : Uint(0);
    const Id texel = Emit(spv::Op::OpImageFetch, uint4, {image, coordinate, spv::ImageOperandsMask::Lod, lod});
    return Emit(spv::Op::OpCompositeExtract, UintType(), {texel, 0u});
  }
  const Id texel = Emit(spv::Op::OpImageRead, uint4, {image, coordinate});
  return Emit(spv::Op::OpCompositeExtract, UintType(), {texel, 0u});
}

// What a variable of images holds.
Id ShaderMaker::ImageTypeOf(Id variable) const {
  Instruction type = module_.Find(module_.TypeOf(variable).id(1));
  while (type.op() == spv::Op::OpTypeArray || type.op() == spv::Op::OpTypeRuntimeArray) type = module_.Find(type.id(0));
  return type.result_id();
}

}  // namespace assay::spirv_instrument::model
