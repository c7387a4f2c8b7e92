// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/builder.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

// Limits of a value that is put together from parts.
constexpr int kMaxParts = 4096;
constexpr int kMaxDepth = 32;

bool CanBeZero(Module& module, Id type, int depth, int& parts_left) {
  if (--parts_left < 0 || depth == 0) return false;
  if (module.globals().IsNullable(type)) return true;
  const Instruction definition = module.Find(type);
  switch (definition.op()) {
    case spv::Op::OpTypePointer:
      return true;
    case spv::Op::OpTypeArray: {
      // All elements are one value.
      const Instruction length = module.Find(definition.id(1));
      return length.op() == spv::Op::OpConstant && length.literal(0) <= kMaxParts && length.literal(1) == 0 &&
             CanBeZero(module, definition.id(0), depth - 1, parts_left);
    }
    case spv::Op::OpTypeStruct:
      for (size_t member = 0; member < definition.operand_count(); ++member) {
        if (!CanBeZero(module, definition.id(member), depth - 1, parts_left)) return false;
      }
      return true;
    default:
      return false;
  }
}

}  // namespace

bool HasZeroValue(Module& module, Id type) {
  int parts_left = kMaxParts;
  return CanBeZero(module, type, kMaxDepth, parts_left);
}

Builder Builder::After(Module& module, Instruction position) {
  const Block block = position.block();
  if (block && block.last() == position) return Builder(module, {}, block);
  return Builder(module, position.next(), {});
}

Builder Builder::AtEnd(Module& module, Block block) { return Builder(module, block.end_of_body(), block); }

Instruction Builder::AddWithResult(spv::Op op, Id type, Id result, absl::Span<const Word> operands) {
  if (position_) return module_->InsertBefore(position_, op, type, result, operands);
  return module_->InsertAfter(block_.last(), op, type, result, operands);
}

Id Builder::Add(spv::Op op, Id type, absl::Span<const Word> operands) {
  const Id result = module_->FreshId();
  AddWithResult(op, type, result, operands);
  return result;
}

Id Builder::AccessChain(Id type, Id base, absl::Span<const Id> indices) {
  std::vector<Word> operands = {base};
  operands.insert(operands.end(), indices.begin(), indices.end());
  return Add(spv::Op::OpAccessChain, type, operands);
}

Id Builder::Call(Id type, Id function, absl::Span<const Id> arguments) {
  std::vector<Word> operands = {function};
  operands.insert(operands.end(), arguments.begin(), arguments.end());
  return Add(spv::Op::OpFunctionCall, type, operands);
}

Id Builder::ZeroValue(Id type) { return HasZeroValue(*module_, type) ? MakeZero(type) : kNoId; }

Id Builder::MakeZero(Id type) {
  Globals globals = module_->globals();
  if (globals.IsNullable(type)) return globals.Null(type);
  const Instruction definition = module_->Find(type);
  std::vector<Word> parts;
  switch (definition.op()) {
    case spv::Op::OpTypePointer:
      return Add(spv::Op::OpBitcast, type, {globals.Null(globals.Vector(globals.Uint32(), 2))});
    case spv::Op::OpTypeArray:
      parts.assign(module_->Find(definition.id(1)).literal(0), MakeZero(definition.id(0)));
      break;
    default:
      for (size_t member = 0; member < definition.operand_count(); ++member) {
        parts.push_back(MakeZero(definition.id(member)));
      }
      break;
  }
  return Add(spv::Op::OpCompositeConstruct, type, parts);
}

void Builder::RepeatDebugLine(Instruction from) {
  const Instruction before = position_ ? position_.previous() : block_.last();
  const bool is_first = !before.block() || before.block() != (position_ ? position_.block() : block_);
  for (Instruction place : {from.scope(), from.line()}) {
    if (!place) continue;
    const Instruction current = place == from.scope() ? before.scope() : before.line();
    if (!is_first && current && current.words() == place.words()) continue;
    const Id result = place.result_id() == kNoId ? kNoId : module_->FreshId();
    std::vector<Word> operands(place.operands().begin(), place.operands().end());
    AddWithResult(place.op(), place.type_id(), result, operands);
  }
}

}  // namespace assay::spirv_instrument
