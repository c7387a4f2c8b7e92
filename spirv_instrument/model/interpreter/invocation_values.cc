// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Values, composites and arithmetic.

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/model/interpreter/arithmetic.h"
#include "spirv_instrument/model/interpreter/explicit_layout.h"
#include "spirv_instrument/model/interpreter/invocation.h"

namespace assay::spirv_instrument::model {

Value Invocation::ValueOf(Id id) {
  if (const Cells* constant = declarations_.Constant(id)) return {*constant, {}};
  const Instruction definition = module_.Find(id);
  if (definition.op() == spv::Op::OpVariable && !definition.block()) return VariableValue(definition);
  if (definition.op() == spv::Op::OpUndef) return {Cells(declarations_.TypeOf(id).cells, 0), {}};
  if (depth_ == 0 || ToNumber(id) >= frame().values.size()) return {};
  return frame().values[ToNumber(id)];
}

uint64_t Invocation::ScalarOf(Id id) {
  const Value value = ValueOf(id);
  return value.cells.empty() ? 0 : value.cells.front();
}

int64_t Invocation::IndexOf(Id id) { return SignExtend(ScalarOf(id), declarations_.TypeOf(id).width); }

void Invocation::SetResult(Instruction instruction, Value value) {
  const Id id = instruction.result_id();
  if (id != kNoId) frame().values[ToNumber(id)] = std::move(value);
}

void Invocation::SetCells(Instruction instruction, Cells cells) { SetResult(instruction, {std::move(cells), {}}); }

void Invocation::Calculate(Instruction instruction) {
  const Type& result = declarations_.TypeWithId(instruction.type_id());
  // A condition selects among pointers too.
  if (instruction.op() == spv::Op::OpSelect && result.kind == Type::Kind::kPointer) {
    return SetResult(instruction, ValueOf(instruction.id(ScalarOf(instruction.id(0)) != 0 ? 1 : 2)));
  }
  std::vector<Value> values;
  std::vector<Operand> operands;
  values.reserve(instruction.operand_count());
  for (size_t i = 0; i < instruction.operand_count(); ++i) {
    values.push_back(ValueOf(instruction.id(i)));
    operands.push_back({&declarations_.TypeOf(instruction.id(i)), &values.back().cells});
  }
  if (const auto fault = FindUndefined(declarations_, instruction.op(), operands)) {
    const Access undefined = {.instruction = instruction.index(),
                              .begin = values[0].cells.front(),
                              .end = values[1].cells.front(),
                              .faults = {*fault}};
    log_.Note(frame().accesses, undefined);
    return SetCells(instruction, Cells(result.cells, 0));
  }
  absl::StatusOr<Cells> cells = Compute(declarations_, instruction.op(), result, operands);
  if (!cells.ok()) return Fail(cells.status());
  SetCells(instruction, *std::move(cells));
}

void Invocation::CallExtended(Instruction instruction) {
  const std::string_view set = ExtendedSetName(module_, instruction.id(0));
  if (absl::StartsWith(set, "NonSemantic.")) return;
  if (set != "GLSL.std.450") return Unimplemented(instruction);
  std::vector<Value> values;
  std::vector<Operand> operands;
  values.reserve(instruction.operand_count());
  for (size_t i = 2; i < instruction.operand_count(); ++i) {
    values.push_back(ValueOf(instruction.id(i)));
    operands.push_back({&declarations_.TypeOf(instruction.id(i)), &values.back().cells});
  }
  absl::StatusOr<Cells> cells =
      ComputeExtended(declarations_, instruction.literal(1), declarations_.TypeWithId(instruction.type_id()), operands);
  if (!cells.ok()) return Fail(cells.status());
  SetCells(instruction, *std::move(cells));
}

bool Invocation::ExecuteComposite(Instruction instruction) {
  switch (instruction.op()) {
    case spv::Op::OpCopyObject:
    case spv::Op::OpCopyLogical:
      SetResult(instruction, ValueOf(instruction.id(0)));
      return true;
    case spv::Op::OpCompositeConstruct: {
      Cells cells;
      for (size_t i = 0; i < instruction.operand_count(); ++i) {
        const Value part = ValueOf(instruction.id(i));
        cells.insert(cells.end(), part.cells.begin(), part.cells.end());
      }
      SetCells(instruction, std::move(cells));
      return true;
    }
    case spv::Op::OpCompositeExtract:
      Extract(instruction);
      return true;
    case spv::Op::OpCompositeInsert:
      Insert(instruction);
      return true;
    case spv::Op::OpVectorShuffle:
      Shuffle(instruction);
      return true;
    case spv::Op::OpVectorExtractDynamic:
    case spv::Op::OpVectorInsertDynamic:
      AtDynamicComponent(instruction);
      return true;
    default:
      return false;
  }
}

void Invocation::Extract(Instruction instruction) {
  const Value composite = ValueOf(instruction.id(0));
  const Type* type = &declarations_.TypeOf(instruction.id(0));
  uint64_t first = 0;
  for (size_t i = 1; i < instruction.operand_count(); ++i) {
    first += CellsBefore(declarations_, *type, instruction.literal(i));
    type = &declarations_.TypeWithId(PartOf(*type, instruction.literal(i)));
  }
  if (first + type->cells > composite.cells.size()) return Unimplemented(instruction);
  const auto begin = composite.cells.begin() + static_cast<ptrdiff_t>(first);
  SetCells(instruction, Cells(begin, begin + type->cells));
}

void Invocation::Insert(Instruction instruction) {
  const Value part = ValueOf(instruction.id(0));
  Value composite = ValueOf(instruction.id(1));
  const Type* type = &declarations_.TypeOf(instruction.id(1));
  uint64_t first = 0;
  for (size_t i = 2; i < instruction.operand_count(); ++i) {
    first += CellsBefore(declarations_, *type, instruction.literal(i));
    type = &declarations_.TypeWithId(PartOf(*type, instruction.literal(i)));
  }
  if (first + part.cells.size() > composite.cells.size()) return Unimplemented(instruction);
  std::ranges::copy(part.cells, composite.cells.begin() + static_cast<ptrdiff_t>(first));
  SetResult(instruction, std::move(composite));
}

void Invocation::Shuffle(Instruction instruction) {
  constexpr uint32_t kUndefinedComponent = 0xffffffff;
  Cells both = ValueOf(instruction.id(0)).cells;
  const Cells second = ValueOf(instruction.id(1)).cells;
  both.insert(both.end(), second.begin(), second.end());
  Cells cells;
  for (size_t i = 2; i < instruction.operand_count(); ++i) {
    const uint32_t component = instruction.literal(i);
    if (component != kUndefinedComponent && component >= both.size()) return Unimplemented(instruction);
    cells.push_back(component == kUndefinedComponent ? 0 : both[component]);
  }
  SetCells(instruction, std::move(cells));
}

void Invocation::AtDynamicComponent(Instruction instruction) {
  const bool inserts = instruction.op() == spv::Op::OpVectorInsertDynamic;
  Cells cells = ValueOf(instruction.id(0)).cells;
  const uint64_t component = ScalarOf(instruction.id(inserts ? 2 : 1));
  if (component >= cells.size()) return Undefined("component past the vector");
  if (!inserts) return SetCells(instruction, {cells[component]});
  cells[component] = ScalarOf(instruction.id(1));
  SetCells(instruction, std::move(cells));
}

}  // namespace assay::spirv_instrument::model
