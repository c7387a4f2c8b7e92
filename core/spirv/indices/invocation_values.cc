// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/indices/invocation_values.h"

#include <algorithm>
#include <utility>

#include "spirv_instrument/ir/uses.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Op;
using spv::StorageClass;
using Value = std::optional<InvocationValue>;
using Components = InvocationValues::Components;

namespace {

// All of it is known to be the same in all invocations of a workgroup, and no more.
constexpr InvocationValue kUniform = {};

InvocationValue Constant(uint32_t value) { return {value, {}, spv::BuiltIn::Max}; }

bool IsUniform(const InvocationValue& value) { return value.factors == std::array<uint32_t, 3>{}; }

// a + b * scale
InvocationValue Sum(const InvocationValue& a, const InvocationValue& b, uint32_t scale) {
  InvocationValue sum = {std::nullopt, a.factors, IsUniform(a) ? b.source : a.source};
  if (a.base && b.base) sum.base = *a.base + *b.base * scale;
  for (size_t i = 0; i < sum.factors.size(); ++i) sum.factors[i] += b.factors[i] * scale;
  return sum;
}

Value Product(const InvocationValue& a, const InvocationValue& b) {
  const bool is_first = IsUniform(a) && a.base;
  const bool is_second = IsUniform(b) && b.base;
  if (is_first) return Sum(Constant(0), b, *a.base);
  if (is_second) return Sum(Constant(0), a, *b.base);
  return IsUniform(a) && IsUniform(b) ? Value(kUniform) : std::nullopt;
}

Value Shifted(const InvocationValue& value, const InvocationValue& shift) {
  if (!IsUniform(shift) || !shift.base || *shift.base >= 32) return std::nullopt;
  return Sum(Constant(0), value, uint32_t{1} << *shift.base);
}

Value Result(Op op, const InvocationValue& a, const InvocationValue& b) {
  switch (op) {
    case Op::OpIAdd:
      return Sum(a, b, 1);
    case Op::OpISub:
      return Sum(a, b, ~uint32_t{0});
    case Op::OpIMul:
      return Product(a, b);
    default:
      return Shifted(a, b);
  }
}

bool IsPrivate(StorageClass storage) { return storage == StorageClass::Function || storage == StorageClass::Private; }

}  // namespace

ValueSpread SpreadOf(const InvocationValue& value, const WorkgroupSize& size) {
  std::vector<int32_t> values;
  values.reserve(size_t{size[0]} * size[1] * size[2]);
  for (uint32_t z = 0; z < size[2]; ++z) {
    for (uint32_t y = 0; y < size[1]; ++y) {
      for (uint32_t x = 0; x < size[0]; ++x) {
        values.push_back(static_cast<int32_t>(x * value.factors[0] + y * value.factors[1] + z * value.factors[2]));
      }
    }
  }
  if (values.empty()) return {};
  std::ranges::sort(values);
  ValueSpread spread = {.lowest = values.front(), .highest = values.back()};
  for (auto first = values.begin(); first != values.end();) {
    const auto end = std::upper_bound(first, values.end(), *first);
    ++spread.distinct;
    spread.most_equal = std::max(spread.most_equal, static_cast<uint32_t>(end - first));
    first = end;
  }
  return spread;
}

size_t InvocationValues::ComponentCount(Id type) const {
  const Instruction definition = reader_.Find(type);
  if (definition.op() == Op::OpTypeInt) return definition.literal(0) >= 32 ? 1 : 0;
  if (definition.op() != Op::OpTypeVector || ComponentCount(definition.id(0)) != 1) return 0;
  return definition.literal(1);
}

Components InvocationValues::ConstantOf(Instruction constant) const {
  const size_t count = ComponentCount(constant.type_id());
  Components result(count);
  switch (constant.op()) {
    case Op::OpConstant:
      if (count == 1) result[0] = Constant(constant.literal(0));
      break;
    case Op::OpConstantNull:
      std::ranges::fill(result, Constant(0));
      break;
    case Op::OpConstantComposite:
      for (size_t i = 0; i < count; ++i) result[i] = ConstantOf(reader_.Find(constant.id(i)))[0];
      break;
    default:
      if (spirv_instrument::IsSpecializationConstant(constant.op())) std::ranges::fill(result, kUniform);
      break;
  }
  return result;
}

Components InvocationValues::Of(Id id) const {
  const auto found = values_.find(id);
  return found != values_.end() ? found->second : ConstantOf(reader_.Find(id));
}

Components InvocationValues::BuiltIn(spv::BuiltIn builtin) const {
  switch (builtin) {
    case spv::BuiltIn::LocalInvocationIndex:
      return {InvocationValue{0, {1, size_[0], size_[0] * size_[1]}, builtin}};
    case spv::BuiltIn::LocalInvocationId:
    case spv::BuiltIn::GlobalInvocationId: {
      Components result(3, InvocationValue{std::nullopt, {}, builtin});
      for (size_t i = 0; i < result.size(); ++i) {
        result[i]->factors[i] = 1;
        if (builtin == spv::BuiltIn::LocalInvocationId) result[i]->base = 0;
      }
      return result;
    }
    case spv::BuiltIn::WorkgroupId:
    case spv::BuiltIn::NumWorkgroups:
      return Components(3, kUniform);
    default:
      return {};
  }
}

Components InvocationValues::Load(Id pointer, size_t count) const {
  if (const auto stored = stored_.find(pointer); stored != stored_.end()) return stored->second;
  const auto found = places_.find(pointer);
  const Place place = found != places_.end() ? found->second : Place{pointer, std::nullopt};
  const StorageClass storage = reader_.StorageOf(place.variable);
  // A place in push constants has the same indices in all invocations.
  if (storage == StorageClass::PushConstant && found != places_.end()) return Components(count, kUniform);
  const std::optional<spv::BuiltIn> builtin = reader_.BuiltInOf(place.variable);
  if (storage != StorageClass::Input || !builtin) return Components(count);
  const Components all = BuiltIn(*builtin);
  if (!place.component) return all.size() == count ? all : Components(count);
  return *place.component < all.size() ? Components{all[*place.component]} : Components(count);
}

Components InvocationValues::Evaluate(Instruction instruction, size_t count) const {
  Components result(count);
  switch (const Op op = instruction.op()) {
    case Op::OpLoad: {
      Components loaded = Load(instruction.id(0), count);
      return loaded.size() == count ? loaded : result;
    }
    // Both kinds of extension, and truncation to at least 32 bits, keep the low 32 bits.
    case Op::OpCopyObject:
    case Op::OpBitcast:
    case Op::OpUConvert:
    case Op::OpSConvert: {
      Components same = Of(instruction.id(0));
      return same.size() == count ? same : result;
    }
    case Op::OpIAdd:
    case Op::OpISub:
    case Op::OpIMul:
    case Op::OpShiftLeftLogical: {
      const Components a = Of(instruction.id(0));
      const Components b = Of(instruction.id(1));
      if (a.size() != count || b.size() != count) return result;
      for (size_t i = 0; i < count; ++i) {
        if (a[i] && b[i]) result[i] = Result(op, *a[i], *b[i]);
      }
      return result;
    }
    case Op::OpCompositeExtract: {
      const Components all = Of(instruction.id(0));
      const uint32_t component = instruction.literal(1);
      if (instruction.operand_count() == 2 && count == 1 && component < all.size()) result[0] = all[component];
      return result;
    }
    case Op::OpCompositeConstruct: {
      Components all;
      for (size_t i = 0; i < instruction.operand_count(); ++i) {
        const Components part = Of(instruction.id(i));
        all.insert(all.end(), part.begin(), part.end());
      }
      return all.size() == count ? all : result;
    }
    default:
      return result;
  }
}

void InvocationValues::FollowPointers(Instruction instruction) {
  const bool is_chain = instruction.op() == Op::OpAccessChain || instruction.op() == Op::OpInBoundsAccessChain;
  if (is_chain) {
    const Id variable = instruction.id(0);
    const StorageClass storage = reader_.StorageOf(variable);
    const bool is_variable = reader_.Find(variable).op() == Op::OpVariable;
    const bool is_one = instruction.operand_count() == 2;
    if (is_variable && (storage == StorageClass::PushConstant || (storage == StorageClass::Input && is_one))) {
      bool is_constant = instruction.operand_count() > 1;
      for (size_t i = 1; i < instruction.operand_count(); ++i) {
        is_constant &= reader_.ConstantOf(instruction.id(i)).has_value();
      }
      if (is_constant) places_[instruction.result_id()] = {variable, reader_.ConstantOf(instruction.id(1))};
    }
  }
  const bool is_load = instruction.op() == Op::OpLoad;
  const bool is_store = instruction.op() == Op::OpStore;
  if (is_load) return;
  // What else names a variable may write to it, and a pointer into it may be used later.
  spirv_instrument::ForEachId(reader_.module(), instruction, [&](uint32_t, Id id) {
    const Instruction named = reader_.Find(id);
    if (named.op() != Op::OpVariable || !IsPrivate(named.enumerant<StorageClass>(0))) return;
    if (!is_store || id != instruction.id(0)) stored_[id] = {};
  });
  if (!is_store) return;
  const Instruction target = reader_.Find(instruction.id(0));
  if (target.op() != Op::OpVariable || !IsPrivate(target.enumerant<StorageClass>(0))) return;
  const auto [stored, is_new] = stored_.try_emplace(target.result_id());
  // An empty one was named otherwise.
  if (is_new || !stored->second.empty()) stored->second = Of(instruction.id(1));
}

void InvocationValues::Follow(Instruction instruction) {
  FollowPointers(instruction);
  const size_t count = ComponentCount(instruction.type_id());
  if (count != 0) values_[instruction.result_id()] = Evaluate(instruction, count);
}

}  // namespace assay::core
