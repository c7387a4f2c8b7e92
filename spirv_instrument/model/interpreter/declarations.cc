// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/interpreter/declarations.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/model/interpreter/arithmetic.h"
#include "spirv_instrument/model/interpreter/explicit_layout.h"

namespace assay::spirv_instrument::model {

Declarations::Declarations(Module& module)
    : module_(&module), types_(module.bound()), constants_(module.bound()), is_constant_(module.bound()) {}

absl::StatusOr<Declarations> Declarations::Make(Module& module,
                                                absl::Span<const corpus::SpecializationConstant> specialization) {
  Declarations declarations(module);
  for (Instruction instruction : module.instructions()) {
    if (instruction.op() == spv::Op::OpFunction) break;
    if (IsType(instruction.op())) declarations.Declare(instruction);
    if (!IsConstant(instruction.op()) && instruction.op() != spv::Op::OpUndef) continue;
    if (absl::Status status = declarations.DeclareConstant(instruction, specialization); !status.ok()) return status;
  }
  return declarations;
}

const Type& Declarations::ScalarOf(const Type& type) const {
  const Type* scalar = &type;
  while (scalar->kind == Type::Kind::kVector || scalar->kind == Type::Kind::kMatrix) {
    scalar = &TypeWithId(scalar->element);
  }
  return *scalar;
}

uint32_t Declarations::DecorationOf(Id id, spv::Decoration decoration) const {
  const auto found = module_->decorations().Find(id, decoration);
  return found ? found->parameter(0) : 0;
}

bool Declarations::HasDecoration(Id id, spv::Decoration decoration) const {
  return module_->decorations().Has(id, decoration);
}

void Declarations::ReadMembers(Instruction structure, Type& type) {
  const Decorations& decorations = module_->decorations();
  const Id id = structure.result_id();
  for (uint32_t i = 0; i < structure.operand_count(); ++i) {
    Type::Member member = {.type = structure.id(i)};
    if (const auto offset = decorations.FindMember(id, i, spv::Decoration::Offset)) {
      member.offset = offset->parameter(0);
    }
    if (const auto stride = decorations.FindMember(id, i, spv::Decoration::MatrixStride)) {
      member.matrix.stride = stride->parameter(0);
    }
    member.matrix.is_row_major = decorations.HasMember(id, i, spv::Decoration::RowMajor);
    type.cells += TypeWithId(member.type).cells;
    type.members.push_back(member);
  }
}

void Declarations::Declare(Instruction instruction) {
  const Id id = instruction.result_id();
  if (ToNumber(id) >= types_.size()) return;
  Type type;
  type.element = instruction.id(0);
  switch (instruction.op()) {
    case spv::Op::OpTypeVoid:
      type.kind = Type::Kind::kVoid;
      break;
    case spv::Op::OpTypeBool:
      type = {.kind = Type::Kind::kBool, .width = 1, .cells = 1};
      break;
    case spv::Op::OpTypeInt:
      type = {.kind = Type::Kind::kInt,
              .width = instruction.literal(0),
              .is_signed = instruction.literal(1) != 0,
              .cells = 1};
      break;
    case spv::Op::OpTypeFloat:
      type = {.kind = Type::Kind::kFloat, .width = instruction.literal(0), .is_signed = true, .cells = 1};
      break;
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
      type.kind = instruction.op() == spv::Op::OpTypeVector ? Type::Kind::kVector : Type::Kind::kMatrix;
      type.count = instruction.literal(1);
      break;
    case spv::Op::OpTypeArray:
      type.kind = Type::Kind::kArray;
      if (const Cells* length = Constant(instruction.id(1)); length != nullptr && !length->empty()) {
        type.count = static_cast<uint32_t>(length->front());
      }
      type.stride = DecorationOf(id, spv::Decoration::ArrayStride);
      break;
    case spv::Op::OpTypeRuntimeArray:
      type.kind = Type::Kind::kRuntimeArray;
      type.stride = DecorationOf(id, spv::Decoration::ArrayStride);
      break;
    case spv::Op::OpTypeStruct:
      type.kind = Type::Kind::kStruct;
      type.element = kNoId;
      ReadMembers(instruction, type);
      break;
    case spv::Op::OpTypePointer:
      type.kind = Type::Kind::kPointer;
      type.storage = instruction.enumerant<spv::StorageClass>(0);
      type.element = instruction.id(1);
      type.stride = DecorationOf(id, spv::Decoration::ArrayStride);
      type.cells = type.IsAddress() ? 1 : 0;
      break;
    case spv::Op::OpTypeImage:
      type.kind = Type::Kind::kImage;
      type.dimension = instruction.enumerant<spv::Dim>(1);
      type.is_arrayed = instruction.literal(3) != 0;
      type.is_multisampled = instruction.literal(4) != 0;
      break;
    case spv::Op::OpTypeSampler:
      type.kind = Type::Kind::kSampler;
      break;
    case spv::Op::OpTypeSampledImage:
      type.kind = Type::Kind::kSampledImage;
      break;
    case spv::Op::OpTypeFunction:
      type.kind = Type::Kind::kFunction;
      break;
    default:
      break;
  }
  if (type.count != 0) type.cells = type.count * TypeWithId(type.element).cells;
  types_[ToNumber(id)] = std::move(type);
}

void Declarations::SetConstant(Id id, Cells cells) {
  if (ToNumber(id) >= constants_.size()) return;
  constants_[ToNumber(id)] = std::move(cells);
  is_constant_[ToNumber(id)] = true;
}

absl::Status Declarations::DeclareConstant(Instruction instruction,
                                           absl::Span<const corpus::SpecializationConstant> specialization) {
  const Id id = instruction.result_id();
  const Type& type = TypeWithId(instruction.type_id());
  Cells cells(type.cells, 0);
  switch (instruction.op()) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpSpecConstantTrue:
      cells = {1};
      break;
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
      cells = {Truncate(type.width > 32 ? instruction.literal64(0) : instruction.literal(0), type.width)};
      break;
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite:
      cells.clear();
      for (size_t i = 0; i < instruction.operand_count(); ++i) {
        const Cells* part = Constant(instruction.id(i));
        if (part != nullptr) cells.insert(cells.end(), part->begin(), part->end());
      }
      break;
    case spv::Op::OpSpecConstantOp: {
      std::vector<Operand> operands;
      for (size_t i = 1; i < instruction.operand_count(); ++i) {
        const Cells* operand = Constant(instruction.id(i));
        if (operand == nullptr) return absl::UnimplementedError("an OpSpecConstantOp with literals");
        operands.push_back({&TypeOf(instruction.id(i)), operand});
      }
      absl::StatusOr<Cells> computed = Compute(*this, instruction.enumerant<spv::Op>(0), type, operands);
      if (!computed.ok()) return computed.status();
      cells = *std::move(computed);
      break;
    }
    default:
      // False, null, undefined: zero.
      break;
  }
  if (IsSpecializationConstant(instruction.op()) && HasDecoration(id, spv::Decoration::SpecId)) {
    const uint32_t number = DecorationOf(id, spv::Decoration::SpecId);
    for (const corpus::SpecializationConstant& given : specialization) {
      if (given.id != number || cells.empty()) continue;
      cells[0] = 0;
      for (size_t i = given.value.size(); i > 0; --i) cells[0] = cells[0] << 8 | given.value[i - 1];
      if (type.kind == Type::Kind::kBool) cells[0] = cells[0] != 0 ? 1 : 0;
    }
  }
  SetConstant(id, std::move(cells));
  return absl::OkStatus();
}

}  // namespace assay::spirv_instrument::model
