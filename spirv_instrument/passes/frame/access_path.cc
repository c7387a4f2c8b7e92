// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/access_path.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/uses.h"

namespace assay::spirv_instrument {
namespace {

// How far a walk goes. Compilers make chains of chains for each level of a type at most.
constexpr int kMaxSteps = 64;
// Constant offsets and indices up to here are added up; a larger one is a term.
constexpr int64_t kMostOffset = 0x7fffffff;

bool IsArray(spv::Op op) { return op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray; }

bool IsAccessChain(spv::Op op) {
  return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain || op == spv::Op::OpPtrAccessChain ||
         op == spv::Op::OpInBoundsPtrAccessChain;
}

bool HasElement(spv::Op op) { return op == spv::Op::OpPtrAccessChain || op == spv::Op::OpInBoundsPtrAccessChain; }

bool IsChoice(spv::Op op) { return op == spv::Op::OpPhi || op == spv::Op::OpSelect; }

DescriptorPath UnknownDescriptor(Outcome why) {
  DescriptorPath path;
  path.why_unknown = why;
  return path;
}

// If it is one.
DescriptorPath DescriptorOf(const AccessPath& path) {
  return path.root == AccessPath::Root::kDescriptor ? path.descriptor : UnknownDescriptor(path.why_unknown);
}

bool IsAddress(Instruction pointer_type) {
  return pointer_type.op() == spv::Op::OpTypePointer &&
         pointer_type.enumerant<spv::StorageClass>(0) == spv::StorageClass::PhysicalStorageBuffer;
}

}  // namespace

// A path that is being made, from its root on.
struct AccessPaths::Walk {
  AccessPath path;
  // How many levels of arrays of descriptors are still to be indexed.
  uint32_t descriptor_levels = 0;
  bool is_known = true;
  Outcome why_unknown = Outcome::kUnknownPointer;

  void Fail(Outcome why) {
    is_known = false;
    why_unknown = why;
  }
};

AccessPaths::AccessPaths(Module& module, TypeLayouts& layouts, const PassedPointers* passed)
    : module_(module), layouts_(layouts), passed_(passed), arguments_(module.dense_id_count()) {
  // Whether an argument was seen: a parameter that calls differ in has none in arguments_ either.
  IdTable<uint8_t> was_seen(module.dense_id_count());
  for (Function function : module.functions()) {
    for (Instruction call : function.instructions()) {
      if (CallsForElements(call.op())) {
        ForEachId(module, call, [&](uint32_t, Id id) {
          for (Instruction parameter : module.FindFunction(id).parameters()) {
            arguments_[parameter.result_id()] = kNoId;
            was_seen[parameter.result_id()] = 1;
          }
        });
      }
      if (call.op() != spv::Op::OpFunctionCall) continue;
      size_t operand = 1;
      for (Instruction parameter : module.FindFunction(call.id(0)).parameters()) {
        const Id argument = call.id(operand++);
        const Id id = parameter.result_id();
        if (was_seen.Get(id) == 0) {
          arguments_[id] = argument;
        } else if (arguments_.Get(id) != argument) {
          arguments_[id] = kNoId;
        }
        was_seen[id] = 1;
      }
    }
  }
}

Id AccessPaths::ArgumentOf(Id parameter) const { return arguments_.Get(parameter); }

AccessPath AccessPaths::Find(Id pointer) const { return FindFrom(pointer, false); }

AccessPath AccessPaths::FindFrom(Id pointer, bool is_elsewhere) const {
  Links links;
  Instruction at = module_.Find(pointer);
  Outcome why_unknown = Outcome::kUnknownPointer;
  for (int step = 0; step < kMaxSteps && at; ++step) {
    Id next = kNoId;
    if (IsAccessChain(at.op())) {
      links.push_back({at, nullptr, is_elsewhere});
      next = at.id(0);
    } else if (at.op() == spv::Op::OpCopyObject) {
      next = at.id(0);
    } else if (at.op() == spv::Op::OpFunctionParameter && !IsAddress(module_.Find(at.type_id()))) {
      if (const PassedPointer* passed = PassedFor(at.result_id())) {
        links.push_back({{}, passed, is_elsewhere});
        next = passed->variable;
      } else {
        next = ArgumentOf(at.result_id());
        is_elsewhere = true;
        why_unknown = Outcome::kDifferentArguments;
      }
    } else {
      break;
    }
    at = module_.Find(next);
  }
  AccessPath path = Follow(at, links);
  if (path.root != AccessPath::Root::kUnknown) return path;
  if (IsChoice(at.op())) why_unknown = Outcome::kChoiceOfPointers;
  if (!at || IsChoice(at.op())) path.why_unknown = why_unknown;
  return path;
}

AccessPath AccessPaths::Follow(Instruction root, const Links& links) const {
  Walk walk;
  if (root.op() == spv::Op::OpVariable) {
    StartAtVariable(root, walk);
  } else if (IsAddress(module_.Find(root.type_id())) && !IsAccessChain(root.op())) {
    StartAtAddress(root, walk);
  } else {
    return {};
  }
  for (auto link = links.rbegin(); link != links.rend(); ++link) ApplyLink(*link, walk);
  // An array of descriptors that was not indexed is not one of them.
  if (walk.descriptor_levels > 0 && walk.path.root == AccessPath::Root::kBuffer) walk.is_known = false;
  if (walk.is_known) return walk.path;
  return {.why_unknown = walk.why_unknown};
}

void AccessPaths::StartAtVariable(Instruction variable, Walk& walk) const {
  AccessPath& path = walk.path;
  path.base = variable.result_id();
  path.storage = variable.enumerant<spv::StorageClass>(0);
  path.type = module_.Find(variable.type_id()).id(1);
  path.root = AccessPath::Root::kOther;
  const bool is_buffer = path.storage == spv::StorageClass::Uniform || path.storage == spv::StorageClass::StorageBuffer;
  if (!is_buffer && path.storage != spv::StorageClass::UniformConstant) return;

  const Decorations& decorations = module_.decorations();
  const std::optional<Decoration> set = decorations.Find(path.base, spv::Decoration::DescriptorSet);
  const std::optional<Decoration> binding = decorations.Find(path.base, spv::Decoration::Binding);
  if (!set || !binding) return;
  path.root = is_buffer ? AccessPath::Root::kBuffer : AccessPath::Root::kDescriptor;
  path.descriptor.variable = path.base;
  path.descriptor.set = set->parameter(0);
  path.descriptor.binding = binding->parameter(0);
  uint64_t length = 1;
  Instruction type = module_.Find(path.type);
  for (; IsArray(type.op()) && walk.descriptor_levels < kMaxSteps; type = module_.Find(type.id(0))) {
    ++walk.descriptor_levels;
    length *= layouts_.ArrayLength(type.result_id()).value_or(0);
    if (length > 0xffffffff) length = 0;
  }
  path.descriptor.length = static_cast<uint32_t>(length);
}

void AccessPaths::StartAtAddress(Instruction pointer, Walk& walk) const {
  walk.path.root = AccessPath::Root::kAddress;
  walk.path.base = pointer.result_id();
  walk.path.storage = spv::StorageClass::PhysicalStorageBuffer;
  walk.path.type = module_.Find(pointer.type_id()).id(1);
}

void AccessPaths::ApplyLink(const Link& link, Walk& walk) const {
  const auto apply = [&](Id index) {
    if (link.is_elsewhere && !IsConstant(module_.Find(index).op())) walk.Fail(Outcome::kDifferentArguments);
    if (walk.is_known) ApplyIndex(index, walk);
  };
  if (link.passed != nullptr) {
    for (Id index : link.passed->indices) apply(index);
    return;
  }
  size_t operand = 1;
  if (HasElement(link.chain.op())) {
    if (link.is_elsewhere && !IsConstant(module_.Find(link.chain.id(1)).op())) walk.Fail(Outcome::kDifferentArguments);
    ApplyElement(link.chain, walk);
    ++operand;
  }
  for (; operand < link.chain.operand_count(); ++operand) apply(link.chain.id(operand));
}

// SPIR-V, "OpPtrAccessChain": the base is an element of an array, whose stride its pointer type has.
void AccessPaths::ApplyElement(Instruction chain, Walk& walk) const {
  const Id element = chain.id(1);
  AccessPath& path = walk.path;
  const std::optional<int64_t> value = layouts_.ConstantIndex(element);
  if (value == 0) return;
  if (walk.descriptor_levels > 0) return walk.Fail(Outcome::kUnknownPointer);
  const std::optional<uint32_t> stride = layouts_.ArrayStride(module_.Find(chain.id(0)).type_id());
  if (!stride) {
    path.has_layout = false;
    return;
  }
  if (path.root == AccessPath::Root::kAddress) return AddTerm({.index = element, .stride = *stride}, path);
  if (value && *value >= -kMostOffset && *value <= kMostOffset) {
    const int64_t offset = int64_t{path.offset} + *value * int64_t{*stride};
    if (offset >= 0 && offset <= kMostOffset) {
      path.offset = static_cast<uint32_t>(offset);
      return;
    }
  }
  if (path.root != AccessPath::Root::kBuffer || module_.TypeOf(element).literal(0) > 32) {
    return walk.Fail(Outcome::kUnknownPointer);
  }
  path.terms.push_back({.index = element, .stride = *stride, .is_signed = true});
}

void AccessPaths::ApplyIndex(Id index, Walk& walk) const {
  AccessPath& path = walk.path;
  if (walk.descriptor_levels > 0) return ApplyDescriptorIndex(index, walk);
  const Instruction type = module_.Find(path.type);
  switch (type.op()) {
    case spv::Op::OpTypeStruct: {
      const std::optional<int64_t> member = layouts_.ConstantValue(index);
      if (!member || *member < 0 || static_cast<uint64_t>(*member) >= type.operand_count()) {
        walk.is_known = false;
        return;
      }
      const auto number = static_cast<uint32_t>(*member);
      const uint64_t offset = uint64_t{path.offset} + layouts_.OffsetOfMember(path.type, number).value_or(0);
      if (!layouts_.OffsetOfMember(path.type, number) || offset > 0xffffffff) path.has_layout = false;
      path.offset = static_cast<uint32_t>(offset);
      path.matrix = layouts_.LayoutOfMember(path.type, number);
      path.type = type.id(number);
      return;
    }
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray: {
      const std::optional<uint32_t> stride = layouts_.ArrayStride(path.type);
      if (!stride) path.has_layout = false;
      AddTerm({.index = index,
               .stride = stride.value_or(0),
               .length = layouts_.ArrayLength(path.type).value_or(0),
               .is_of_runtime_array = type.op() == spv::Op::OpTypeRuntimeArray},
              path);
      path.type = type.id(0);
      return;
    }
    case spv::Op::OpTypeMatrix: {
      const Id column = type.id(0);
      const uint32_t component = layouts_.SizeOfScalar(module_.Find(column).id(0)).value_or(0);
      if (path.matrix.stride == 0) path.has_layout = false;
      const uint32_t stride = path.matrix.is_row_major ? component : path.matrix.stride;
      AddTerm({.index = index, .stride = stride, .length = type.literal(1)}, path);
      path.component_stride = path.matrix.is_row_major ? path.matrix.stride : 0;
      path.type = column;
      return;
    }
    case spv::Op::OpTypeVector: {
      const uint32_t component = layouts_.SizeOfScalar(type.id(0)).value_or(0);
      const uint32_t stride = path.component_stride != 0 ? path.component_stride : component;
      AddTerm({.index = index, .stride = stride, .length = type.literal(1)}, path);
      path.component_stride = 0;
      path.type = type.id(0);
      return;
    }
    default:
      // Other composites, such as cooperative matrices, are no part of memory.
      walk.is_known = false;
  }
}

void AccessPaths::ApplyDescriptorIndex(Id index, Walk& walk) const {
  DescriptorPath& descriptor = walk.path.descriptor;
  --walk.descriptor_levels;
  walk.path.type = module_.Find(walk.path.type).id(0);
  // How many descriptors an element of this level has.
  uint64_t stride = 1;
  Instruction type = module_.Find(walk.path.type);
  for (uint32_t level = 0; level < walk.descriptor_levels; ++level, type = module_.Find(type.id(0))) {
    stride *= layouts_.ArrayLength(type.result_id()).value_or(0);
    if (stride == 0 || stride > 0xffffffff) walk.is_known = false;
    if (!walk.is_known) return;
  }
  const std::optional<int64_t> value = layouts_.ConstantIndex(index);
  if (value && *value >= 0 && *value <= kMostOffset && *value * stride <= 0xffffffff - descriptor.index) {
    descriptor.index += static_cast<uint32_t>(*value * stride);
    return;
  }
  descriptor.terms.push_back({.index = index, .stride = static_cast<uint32_t>(stride)});
}

// A constant that is negative or too large is a term like another: the shader finds that it is wrong.
void AccessPaths::AddTerm(const PathTerm& term, AccessPath& path) const {
  const std::optional<int64_t> value = layouts_.ConstantIndex(term.index);
  if (value && *value >= 0 && *value <= kMostOffset && *value * term.stride <= kMostOffset - int64_t{path.offset}) {
    path.offset += static_cast<uint32_t>(*value * term.stride);
    return;
  }
  path.terms.push_back(term);
}

std::optional<uint32_t> AccessPaths::ExtentOf(const AccessPath& path) const {
  if (!path.has_layout) return std::nullopt;
  const Instruction type = module_.Find(path.type);
  if (type.op() != spv::Op::OpTypeVector || path.component_stride == 0) {
    return layouts_.ExtentOf(path.type, path.matrix);
  }
  const std::optional<uint32_t> component = layouts_.SizeOfScalar(type.id(0));
  const uint64_t extent = uint64_t{type.literal(1) - 1} * path.component_stride + component.value_or(0);
  if (!component || extent > 0xffffffff) return std::nullopt;
  return static_cast<uint32_t>(extent);
}

DescriptorPath AccessPaths::FindDescriptor(Id value) const {
  bool is_elsewhere = false;
  Instruction at = module_.Find(value);
  for (int step = 0; step < kMaxSteps && at; ++step) {
    switch (at.op()) {
      case spv::Op::OpLoad:
        return DescriptorOf(FindFrom(at.id(0), is_elsewhere));
      case spv::Op::OpImage:
      case spv::Op::OpSampledImage:
      case spv::Op::OpCopyObject:
        at = module_.Find(at.id(0));
        break;
      case spv::Op::OpFunctionParameter:
        if (const PassedPointer* passed = PassedFor(at.result_id())) {
          return DescriptorOf(Follow(module_.Find(passed->variable), {{{}, passed, is_elsewhere}}));
        }
        at = module_.Find(ArgumentOf(at.result_id()));
        if (!at) return UnknownDescriptor(Outcome::kDifferentArguments);
        is_elsewhere = true;
        break;
      default:
        return UnknownDescriptor(IsChoice(at.op()) ? Outcome::kChoiceOfPointers : Outcome::kUnknownPointer);
    }
  }
  return {};
}

DescriptorPath AccessPaths::FindSampler(Id sampled_image) const {
  const Instruction at = module_.Find(sampled_image);
  return at.op() == spv::Op::OpSampledImage ? FindDescriptor(at.id(1)) : DescriptorPath();
}

}  // namespace assay::spirv_instrument
