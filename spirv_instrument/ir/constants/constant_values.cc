// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/constants/constant_values.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

// kNoId for an operand that is not there.
Id IdAt(absl::Span<const uint32_t> operands, size_t index) {
  return index < operands.size() ? Id{operands[index]} : kNoId;
}

}  // namespace

ConstantValues::ConstantValues(const Module& module, const Decorations& decorations,
                               absl::Span<const Specialization> specialization)
    : module_(module), decorations_(decorations), known_(module.dense_id_count()) {
  for (const Specialization& each : specialization) {
    Known& known = specialization_[Id{each.constant_id}];
    if (!known.is_known) known = {true, each.value};
  }
}

std::optional<uint64_t> ConstantValues::Of(Id id) { return Evaluate(id, kMaxDepth); }

std::optional<uint64_t> ConstantValues::Of(Id id, absl::Span<const uint32_t> indices) {
  bool is_null = false;
  const Id part = PartOf(id, indices, &is_null);
  if (is_null) return 0;
  return Evaluate(part, kMaxDepth);
}

std::optional<int64_t> ConstantValues::Signed(Id id) {
  const Instruction type = module_.TypeOf(id);
  const std::optional<uint64_t> value = Of(id);
  if (!value || type.op() != spv::Op::OpTypeInt) return std::nullopt;
  if (type.literal(1) == 0) return static_cast<int64_t>(*value);
  return SignExtended(*value, type.literal(0));
}

uint32_t ConstantValues::WidthOf(Id type) const {
  const Instruction definition = module_.Find(type);
  if (definition.op() == spv::Op::OpTypeBool) return 1;
  const uint32_t width = definition.op() == spv::Op::OpTypeInt ? definition.literal(0) : 0;
  return width <= 64 ? width : 0;
}

std::optional<uint64_t> ConstantValues::Evaluate(Id id, int depth) {
  if (const Known known = known_.Get(id); known.is_known) return known.value;
  const Instruction constant = module_.Find(id);
  const uint32_t width = WidthOf(constant.type_id());
  if (width == 0 || depth == 0) return std::nullopt;
  std::optional<uint64_t> value = EvaluateNew(constant, depth);
  if (value) *value = *value << (64 - width) >> (64 - width);
  known_[id] = {true, value};
  return value;
}

std::optional<uint64_t> ConstantValues::EvaluateNew(Instruction constant, int depth) {
  switch (constant.op()) {
    case spv::Op::OpConstant:
      return constant.literal64(0);
    case spv::Op::OpConstantTrue:
      return 1;
    case spv::Op::OpConstantFalse:
    case spv::Op::OpConstantNull:
      return 0;
    case spv::Op::OpSpecConstant:
      return Specialized(constant, constant.literal64(0));
    // VkBool32: any number but zero is true.
    case spv::Op::OpSpecConstantTrue:
      return Specialized(constant, 1) != 0 ? 1 : 0;
    case spv::Op::OpSpecConstantFalse:
      return Specialized(constant, 0) != 0 ? 1 : 0;
    case spv::Op::OpSpecConstantOp:
      return EvaluateOperation(constant.enumerant<spv::Op>(0), constant.operands().subspan(1), depth - 1);
    default:
      return EvaluateOperation(constant.op(), constant.operands(), depth - 1);
  }
}

std::optional<uint64_t> ConstantValues::Specialized(Instruction constant, uint64_t default_value) const {
  const std::optional<Decoration> decoration = decorations_.Find(constant.result_id(), spv::Decoration::SpecId);
  if (!decoration) return default_value;
  const Known known = specialization_.Get(Id{decoration->parameter(0)});
  return known.is_known ? known.value : default_value;
}

std::optional<uint64_t> ConstantValues::EvaluateOperation(spv::Op op, absl::Span<const uint32_t> operands, int depth) {
  if (operands.empty()) return std::nullopt;
  if (op == spv::Op::OpCompositeExtract) return EvaluateExtraction(operands, depth);
  const uint32_t count = op == spv::Op::OpSelect ? 3 : OperandCountOf(op);
  if (count == 0) return std::nullopt;
  const std::optional<uint64_t> first = Evaluate(IdAt(operands, 0), depth);
  if (!first) return std::nullopt;
  // Only the one that is chosen needs to be constant.
  if (op == spv::Op::OpSelect) return Evaluate(IdAt(operands, *first != 0 ? 1 : 2), depth);
  const std::optional<uint64_t> second = count == 2 ? Evaluate(IdAt(operands, 1), depth) : 0;
  if (!second) return std::nullopt;
  const uint32_t width = WidthOf(module_.Find(IdAt(operands, 0)).type_id());
  return spirv_instrument::EvaluateOperation(op, width, *first, *second);
}

std::optional<uint64_t> ConstantValues::EvaluateExtraction(absl::Span<const uint32_t> operands, int depth) {
  bool is_null = false;
  const Id part = PartOf(IdAt(operands, 0), operands.subspan(1), &is_null);
  if (is_null) return 0;
  return Evaluate(part, depth);
}

Id ConstantValues::PartOf(Id composite, absl::Span<const uint32_t> indices, bool* is_null) const {
  for (uint32_t index : indices) {
    const Instruction constant = module_.Find(composite);
    *is_null = constant.op() == spv::Op::OpConstantNull;
    const bool is_composite =
        constant.op() == spv::Op::OpConstantComposite || constant.op() == spv::Op::OpSpecConstantComposite;
    if (!is_composite || *is_null) return kNoId;
    composite = constant.id(index);
  }
  return composite;
}

}  // namespace assay::spirv_instrument
