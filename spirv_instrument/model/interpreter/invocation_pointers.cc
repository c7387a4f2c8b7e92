// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Variables, and pointers into them.

#include <algorithm>

#include "spirv_instrument/model/interpreter/explicit_layout.h"
#include "spirv_instrument/model/interpreter/invocation.h"

namespace assay::spirv_instrument::model {
namespace {

// a + b * c, as far as that is below kFar.
uint64_t AddProduct(uint64_t a, uint64_t b, uint64_t c) {
  const unsigned __int128 sum = static_cast<unsigned __int128>(b) * c + a;
  return sum > kFar ? kFar : static_cast<uint64_t>(sum);
}

bool IsArray(const Type& type) { return type.kind == Type::Kind::kArray || type.kind == Type::Kind::kRuntimeArray; }

bool IsBlockStorage(spv::StorageClass storage) {
  return storage == spv::StorageClass::Uniform || storage == spv::StorageClass::StorageBuffer ||
         storage == spv::StorageClass::PushConstant;
}

}  // namespace

Cells Invocation::BuiltIn(Instruction variable) {
  const Type& type = declarations_.TypeWithId(declarations_.TypeOf(variable.result_id()).element);
  std::array<uint32_t, 3> global = {};
  for (size_t i = 0; i < 3; ++i) global[i] = ids_.workgroup[i] * ids_.local_size[i] + ids_.local[i];
  const auto cells = [](const std::array<uint32_t, 3>& ids) { return Cells(ids.begin(), ids.end()); };
  switch (static_cast<spv::BuiltIn>(declarations_.DecorationOf(variable.result_id(), spv::Decoration::BuiltIn))) {
    case spv::BuiltIn::GlobalInvocationId:
      return cells(global);
    case spv::BuiltIn::LocalInvocationId:
      return cells(ids_.local);
    case spv::BuiltIn::WorkgroupId:
      return cells(ids_.workgroup);
    case spv::BuiltIn::NumWorkgroups:
      return cells(ids_.workgroup_count);
    case spv::BuiltIn::LocalInvocationIndex:
      return {(uint64_t{ids_.local[2]} * ids_.local_size[1] + ids_.local[1]) * ids_.local_size[0] + ids_.local[0]};
    default:
      Unimplemented(variable);
      return Cells(type.cells, 0);
  }
}

Value Invocation::VariableValue(Instruction variable) {
  const Id id = variable.result_id();
  const Type& type = declarations_.TypeOf(id);
  Pointer pointer = {.storage = variable.enumerant<spv::StorageClass>(0)};
  if (pointer.storage == spv::StorageClass::PushConstant) {
    pointer.space = Pointer::Space::kBuffer;
    pointer.binding = kPushConstants;
    return {{}, pointer};
  }
  if (IsBlockStorage(pointer.storage) || pointer.storage == spv::StorageClass::UniformConstant) {
    const bool is_block = IsBlockStorage(pointer.storage) && !IsArray(declarations_.TypeWithId(type.element));
    pointer.space = is_block ? Pointer::Space::kBuffer : Pointer::Space::kDescriptor;
    pointer.set = declarations_.DecorationOf(id, spv::Decoration::DescriptorSet);
    pointer.binding = declarations_.DecorationOf(id, spv::Decoration::Binding);
    return {{}, pointer};
  }
  pointer.space = Pointer::Space::kVariable;
  pointer.variable = ToNumber(id);
  Variables& variables = pointer.storage == spv::StorageClass::Workgroup ? workgroup_ : private_;
  if (variables.contains(id)) return {{}, pointer};
  Cells cells(declarations_.TypeWithId(type.element).cells, 0);
  if (pointer.storage == spv::StorageClass::Input) {
    cells = BuiltIn(variable);
  } else if (const Cells* initial = declarations_.Constant(variable.id(1))) {
    cells = *initial;
  }
  variables[id] = std::move(cells);
  return {{}, pointer};
}

Cells* Invocation::CellsOf(const Pointer& pointer) {
  if (pointer.storage == spv::StorageClass::Function) {
    return pointer.variable < function_variables_.size() ? &function_variables_[pointer.variable] : nullptr;
  }
  Variables& variables = pointer.storage == spv::StorageClass::Workgroup ? workgroup_ : private_;
  const auto found = variables.find(Id{pointer.variable});
  return found == variables.end() ? nullptr : &found->second;
}

Pointer Invocation::PointerOf(Id id) {
  const Value value = ValueOf(id);
  if (!declarations_.TypeOf(id).IsAddress()) return value.pointer;
  // One that was loaded or converted has no pointer of its own.
  Pointer pointer = value.pointer;
  pointer.space = Pointer::Space::kAddress;
  pointer.offset = value.cells.empty() ? 0 : value.cells.front();
  return pointer;
}

// Arrays of descriptors count as one: SPIR-V and Vulkan, "DescriptorSet and Binding Assignment".
void Invocation::WalkDescriptors(Pointer& pointer, Id& type_id, Id index_id) {
  const Type& type = declarations_.TypeWithId(type_id);
  const int64_t index = IndexOf(index_id);
  const uint64_t of_level = index < 0 ? kFar : static_cast<uint64_t>(index);
  pointer.index = type.kind == Type::Kind::kArray ? AddProduct(of_level, pointer.index, type.count) : of_level;
  pointer.index = std::min(pointer.index, kFar);
  type_id = type.element;
  const bool is_last = !IsArray(declarations_.TypeWithId(type_id));
  if (is_last && IsBlockStorage(pointer.storage)) pointer.space = Pointer::Space::kBuffer;
}

void Invocation::WalkCells(Pointer& pointer, Id& type_id, Id index_id) {
  const Type& type = declarations_.TypeWithId(type_id);
  const uint64_t index = static_cast<uint64_t>(IndexOf(index_id));
  const uint64_t parts = type.kind == Type::Kind::kStruct ? type.members.size() : type.count;
  if (index >= parts) return Undefined("index past a variable");
  pointer.cell += static_cast<uint32_t>(CellsBefore(declarations_, type, index));
  type_id = PartOf(type, index);
}

void Invocation::Walk(Pointer& pointer, Id& type_id, Id index_id) {
  if (pointer.space == Pointer::Space::kDescriptor) return WalkDescriptors(pointer, type_id, index_id);
  if (pointer.space == Pointer::Space::kVariable) return WalkCells(pointer, type_id, index_id);
  const int64_t index = IndexOf(index_id);
  Place place = {type_id, pointer.matrix};
  uint64_t first = 0;
  const uint64_t apart = EnterPart(declarations_, static_cast<uint64_t>(index), place, first);
  type_id = place.type;
  pointer.matrix = place.matrix;
  if (pointer.space == Pointer::Space::kAddress) {
    pointer.offset += first + static_cast<uint64_t>(index) * apart;
    return;
  }
  const uint64_t begin = AddProduct(pointer.offset, first, 1);
  const bool is_far = index < 0 && apart != 0;
  pointer.offset = is_far ? kFar : AddProduct(begin, static_cast<uint64_t>(index), apart);
}

void Invocation::AccessChain(Instruction instruction) {
  const bool has_element =
      instruction.op() == spv::Op::OpPtrAccessChain || instruction.op() == spv::Op::OpInBoundsPtrAccessChain;
  Pointer pointer = PointerOf(instruction.id(0));
  const Type& base = declarations_.TypeOf(instruction.id(0));
  if (has_element) {
    const int64_t index = IndexOf(instruction.id(1));
    if (pointer.space != Pointer::Space::kAddress) return Unimplemented(instruction);
    pointer.offset += static_cast<uint64_t>(index) * base.stride;
  }
  Id type = base.element;
  for (size_t i = has_element ? 2 : 1; i < instruction.operand_count() && status_.ok(); ++i) {
    Walk(pointer, type, instruction.id(i));
  }
  Value value = {{}, pointer};
  if (pointer.space == Pointer::Space::kAddress) value.cells = {pointer.offset};
  SetResult(instruction, std::move(value));
}

}  // namespace assay::spirv_instrument::model
