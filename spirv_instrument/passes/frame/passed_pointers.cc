// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/passed_pointers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/uses.h"
#include "spirv_instrument/passes/frame/type_layout.h"

namespace assay::spirv_instrument {
namespace {

// How far a walk from an argument to its variable goes.
constexpr int kMaxSteps = 64;
// Indices of a chain: types nest no deeper, but in modules that were made to be slow.
constexpr size_t kMostIndices = 64;
// SPIR-V, "Universal Limits": arguments of a call.
constexpr size_t kMostArguments = 255;

bool IsOfDescriptors(spv::StorageClass storage) {
  return storage == spv::StorageClass::UniformConstant || storage == spv::StorageClass::Uniform ||
         storage == spv::StorageClass::StorageBuffer;
}

bool MayBeDescriptor(Instruction type) {
  switch (type.op()) {
    case spv::Op::OpTypeImage:
    case spv::Op::OpTypeSampler:
    case spv::Op::OpTypeSampledImage:
    case spv::Op::OpTypeAccelerationStructureKHR:
      return true;
    case spv::Op::OpTypePointer:
      return IsOfDescriptors(type.enumerant<spv::StorageClass>(0));
    default:
      return false;
  }
}

// Whether an integer of so many bits, with sign, has the value.
bool Fits(int64_t value, uint32_t width) {
  if (width == 0 || width >= 64) return width >= 64;
  const int64_t limit = int64_t{1} << (width - 1);
  return value >= -limit && value < limit;
}

// A parameter that a function gets, and what each of its calls passes.
struct AddedParameter {
  Id type;
  std::vector<Id> values;
};

class IndexPasser {
 public:
  explicit IndexPasser(Module& module) : module_(module), layouts_(module) {}

  PassedPointers Do();

 private:
  struct Node {
    Function function;
    // The calls of the function, and those that it makes.
    std::vector<Instruction> calls;
    std::vector<Instruction> made;
    // Calls by functions that come first.
    uint32_t waits_for = 0;
    // Whether an entry point reaches it.
    bool is_live = false;
    // Whether an instruction other than OpFunctionCall calls it, so that its parameters have to stay.
    bool is_fixed = false;
  };

  void FindCalls();
  void FindLive();
  Node& NodeOf(Instruction call) { return nodes_[module_.FindFunction(call.id(0)).index()]; }
  bool IsLive(Instruction call) { return nodes_[call.function().index()].is_live; }
  void PassTo(const Node& node);
  std::optional<PassedPointer> Trace(Id argument) const;
  // The variable and indices that all calls of a function have for a parameter; `added` gets what they differ in.
  std::optional<PassedPointer> Join(const Node& node, size_t parameter, std::vector<AddedParameter>& added);
  // The part of a type that an index selects; kNoId if calls select different ones, or there is none.
  Id PartOf(Id type, absl::Span<const Id> indices) const;
  std::optional<AddedParameter> Added(absl::Span<const Id> indices);
  void AddParameters(const Node& node, absl::Span<const AddedParameter> added);

  Module& module_;
  TypeLayouts layouts_;
  // By Function::index().
  std::vector<Node> nodes_;
  PassedPointers passed_;
  // The ids of what AddParameters() will add, by the number of the parameter.
  std::vector<Id> ids_;
};

PassedPointers IndexPasser::Do() {
  FindCalls();
  FindLive();
  std::vector<Node*> ready;
  for (Node& node : nodes_) {
    if (node.is_live && node.waits_for == 0) ready.push_back(&node);
  }
  // Functions that call themselves are never ready, and stay as they are.
  while (!ready.empty()) {
    const Node& node = *ready.back();
    ready.pop_back();
    if (!node.is_fixed && !node.calls.empty()) PassTo(node);
    for (Instruction call : node.made) {
      Node& callee = NodeOf(call);
      if (--callee.waits_for == 0) ready.push_back(&callee);
    }
  }
  return std::move(passed_);
}

void IndexPasser::FindCalls() {
  nodes_.resize(module_.function_index_count() + 1);
  for (Function function : module_.functions()) {
    Node& node = nodes_[function.index()];
    node.function = function;
    for (Instruction instruction : function.instructions()) {
      if (instruction.op() == spv::Op::OpFunctionCall) {
        if (!module_.FindFunction(instruction.id(0))) continue;
        NodeOf(instruction).calls.push_back(instruction);
        node.made.push_back(instruction);
      } else if (CallsForElements(instruction.op())) {
        ForEachId(module_, instruction, [&](uint32_t, Id id) {
          if (const Function callee = module_.FindFunction(id)) nodes_[callee.index()].is_fixed = true;
        });
      }
    }
  }
}

void IndexPasser::FindLive() {
  std::vector<Node*> pending;
  const auto reach = [&](Node& node) {
    if (!node.is_live) pending.push_back(&node);
    node.is_live = true;
  };
  for (const EntryPoint& entry_point : EntryPoints(module_)) {
    const Function function = module_.FindFunction(entry_point.function());
    if (function) reach(nodes_[function.index()]);
  }
  for (Node& node : nodes_) {
    if (node.is_fixed) reach(node);
  }
  while (!pending.empty()) {
    const Node& node = *pending.back();
    pending.pop_back();
    for (Instruction call : node.made) {
      ++NodeOf(call).waits_for;
      reach(NodeOf(call));
    }
  }
}

void IndexPasser::PassTo(const Node& node) {
  const std::vector<Instruction> parameters = node.function.parameters();
  std::vector<AddedParameter> added;
  ids_.clear();
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!MayBeDescriptor(module_.Find(parameters[i].type_id()))) continue;
    const size_t before = added.size();
    std::optional<PassedPointer> pointer = Join(node, i, added);
    if (pointer && parameters.size() + added.size() <= kMostArguments) {
      passed_.Add(parameters[i].result_id(), *std::move(pointer));
    } else {
      added.resize(before);
      ids_.resize(before);
    }
  }
  if (!added.empty()) AddParameters(node, added);
}

std::optional<PassedPointer> IndexPasser::Trace(Id argument) const {
  PassedPointer result;
  const auto prepend = [&result](absl::Span<const Id> indices) {
    result.indices.insert(result.indices.begin(), indices.begin(), indices.end());
  };
  Instruction at = module_.Find(argument);
  for (int step = 0; step < kMaxSteps && at; ++step, at = module_.Find(at.id(0))) {
    if (result.indices.size() > kMostIndices) return std::nullopt;
    switch (at.op()) {
      case spv::Op::OpVariable:
        if (at.block() || !IsOfDescriptors(at.enumerant<spv::StorageClass>(0))) return std::nullopt;
        result.variable = at.result_id();
        return result;
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain: {
        if (at.operand_count() > kMostIndices) return std::nullopt;
        std::vector<Id> indices;
        for (size_t i = 1; i < at.operand_count(); ++i) indices.push_back(at.id(i));
        prepend(indices);
        break;
      }
      case spv::Op::OpCopyObject:
        break;
      case spv::Op::OpLoad:
        // A pointer that was loaded may be any.
        if (module_.TypeOf(at.result_id()).op() == spv::Op::OpTypePointer) return std::nullopt;
        break;
      case spv::Op::OpFunctionParameter: {
        const PassedPointer* passed = passed_.Find(at.result_id());
        if (passed == nullptr) return std::nullopt;
        prepend(passed->indices);
        result.variable = passed->variable;
        return result;
      }
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<PassedPointer> IndexPasser::Join(const Node& node, size_t parameter, std::vector<AddedParameter>& added) {
  std::vector<PassedPointer> passed;
  for (Instruction call : node.calls) {
    // The function comes first among the operands.
    std::optional<PassedPointer> pointer = Trace(call.id(parameter + 1));
    // What is never executed may pass anything.
    if (!IsLive(call)) pointer = PassedPointer();
    if (!pointer) return std::nullopt;
    passed.push_back(*std::move(pointer));
  }
  const auto first = std::find_if(passed.begin(), passed.end(),
                                  [](const PassedPointer& pointer) { return pointer.variable != kNoId; });
  if (first == passed.end()) return std::nullopt;
  PassedPointer result = *first;
  for (PassedPointer& pointer : passed) {
    if (pointer.variable == kNoId) pointer.indices.resize(result.indices.size(), kNoId);
    const bool is_same = pointer.variable == kNoId || pointer.variable == result.variable;
    if (!is_same || pointer.indices.size() != result.indices.size()) return std::nullopt;
  }
  Id type = module_.TypeOf(result.variable).id(1);
  for (size_t i = 0; i < result.indices.size(); ++i) {
    std::vector<Id> indices;
    for (const PassedPointer& pointer : passed) indices.push_back(pointer.indices[i]);
    const bool is_structure = module_.Find(type).op() == spv::Op::OpTypeStruct;
    type = PartOf(type, indices);
    if (type == kNoId) return std::nullopt;
    const bool is_same = std::all_of(indices.begin(), indices.end(),
                                     [&](Id index) { return index == kNoId || index == result.indices[i]; });
    if (is_structure || (is_same && IsConstant(module_.Find(result.indices[i]).op()))) continue;
    std::optional<AddedParameter> parameter_of_index = Added(indices);
    if (!parameter_of_index) return std::nullopt;
    added.push_back(*std::move(parameter_of_index));
    ids_.push_back(module_.FreshId());
    result.indices[i] = ids_.back();
  }
  return result;
}

Id IndexPasser::PartOf(Id type, absl::Span<const Id> indices) const {
  const Instruction definition = module_.Find(type);
  switch (definition.op()) {
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeVector:
      return definition.id(0);
    case spv::Op::OpTypeStruct: {
      std::optional<int64_t> member;
      for (Id index : indices) {
        if (index == kNoId) continue;
        const std::optional<int64_t> value = layouts_.ConstantValue(index);
        if (!value || (member && *member != *value)) return kNoId;
        member = value;
      }
      if (!member || *member < 0 || static_cast<uint64_t>(*member) >= definition.operand_count()) return kNoId;
      return definition.id(static_cast<size_t>(*member));
    }
    default:
      return kNoId;
  }
}

// What is not constant decides the type.
std::optional<AddedParameter> IndexPasser::Added(absl::Span<const Id> indices) {
  Instruction decides;
  for (Id index : indices) {
    const Instruction definition = module_.Find(index);
    if (definition && (!decides || !IsConstant(definition.op()))) decides = definition;
  }
  AddedParameter added{.type = decides.type_id(), .values = {}};
  if (module_.Find(added.type).op() != spv::Op::OpTypeInt) return std::nullopt;
  for (Id index : indices) {
    Id value = index;
    if (index == kNoId) {
      value = module_.globals().Null(added.type);
    } else if (module_.Find(index).type_id() != added.type) {
      const std::optional<int64_t> constant = layouts_.ConstantIndex(index);
      if (!constant || !Fits(*constant, module_.Find(added.type).literal(0))) return std::nullopt;
      value = module_.globals().Integer(added.type, static_cast<uint64_t>(*constant));
    }
    added.values.push_back(value);
  }
  return added;
}

void IndexPasser::AddParameters(const Node& node, absl::Span<const AddedParameter> added) {
  for (size_t i = 0; i < added.size(); ++i) module_.AddParameter(node.function, added[i].type, ids_[i]);
  for (size_t i = 0; i < node.calls.size(); ++i) {
    std::vector<Word> values;
    for (const AddedParameter& parameter : added) values.push_back(parameter.values[i]);
    module_.AppendOperands(node.calls[i], values);
  }
  std::vector<Id> types;
  for (Instruction parameter : node.function.parameters()) types.push_back(parameter.type_id());
  module_.SetOperand(node.function.definition(), 1, module_.globals().FunctionType(node.function.return_type(), types));
}

}  // namespace

bool CallsForElements(spv::Op op) {
  return op == spv::Op::OpCooperativeMatrixPerElementOpNV || op == spv::Op::OpCooperativeMatrixReduceNV ||
         op == spv::Op::OpCooperativeMatrixLoadTensorNV;
}

PassedPointers PassIndices(Module& module) {
  for (Function function : module.functions()) {
    for (Instruction parameter : function.parameters()) {
      if (MayBeDescriptor(module.Find(parameter.type_id()))) return IndexPasser(module).Do();
    }
  }
  return {};
}

}  // namespace assay::spirv_instrument
