// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/pointer_flow.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/unified1/spirv.hpp11"

namespace assay::state {
namespace {

using spirv_instrument::Function;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::kNoId;
using spv::Op;

// A usual module takes a few steps for each instruction. Only a module in which most pointers can point to most
// variables takes more.
constexpr size_t kMaxSteps = size_t{1} << 24;

void Merge(const SpirvAccess& from, SpirvAccess& into) {
  into.reads |= from.reads;
  into.writes |= from.writes;
  into.samples |= from.samples;
  into.is_plain |= from.is_plain;
}

}  // namespace

PointerFlow::PointerFlow(ReflectedModule& module, Id entry_function)
    : module_(module), reached_by_(module.module().dense_id_count()), steps_left_(kMaxSteps) {
  if (!module.module().FindFunction(entry_function)) ok_ = false;
  for (Instruction variable : module.global_variables()) AddVariable(variable);
  Call(entry_function);
  while (!pending_.empty()) {
    const Function function = pending_.back();
    pending_.pop_back();
    AddFunction(function);
  }
  Finish();
}

void PointerFlow::Finish() {
  std::sort(flows_.begin(), flows_.end());
  flows_.erase(std::unique(flows_.begin(), flows_.end()), flows_.end());
  std::sort(accesses_.begin(), accesses_.end(), [](const IdAccess& a, const IdAccess& b) { return a.id < b.id; });
  size_t count = 0;
  for (const IdAccess& entry : accesses_) {
    if (count > 0 && accesses_[count - 1].id == entry.id) {
      Merge(entry.access, accesses_[count - 1].access);
    } else {
      accesses_[count++] = entry;
    }
  }
  accesses_.resize(count);
}

SpirvAccess PointerFlow::AccessesOf(Id variable) {
  SpirvAccess accesses;
  std::vector<Id> to_visit;
  const auto reach = [&](Id id) {
    Id& last = reached_by_[id];
    if (last == variable) return;
    last = variable;
    to_visit.push_back(id);
  };
  if (!CheckId(variable)) return accesses;
  reach(variable);
  while (!to_visit.empty()) {
    const Id id = to_visit.back();
    to_visit.pop_back();
    auto entry =
        std::lower_bound(accesses_.begin(), accesses_.end(), id, [](const IdAccess& u, Id i) { return u.id < i; });
    if (entry != accesses_.end() && entry->id == id) Merge(entry->access, accesses);
    auto flow = std::lower_bound(flows_.begin(), flows_.end(), std::pair(id, kNoId));
    for (; flow != flows_.end() && flow->first == id; ++flow) {
      if (steps_left_-- == 0) {
        ok_ = false;
        steps_left_ = 0;
        return accesses;
      }
      reach(flow->second);
    }
  }
  return accesses;
}

std::optional<std::vector<Id>> PointerFlow::StepsFrom(Id variable) const {
  const bool is_accessed =
      std::binary_search(accesses_.begin(), accesses_.end(), IdAccess{.id = variable, .access = {}},
                         [](const IdAccess& a, const IdAccess& b) { return a.id < b.id; });
  if (is_accessed) return std::nullopt;
  std::vector<Id> steps;
  auto flow = std::lower_bound(flows_.begin(), flows_.end(), std::pair(variable, kNoId));
  for (; flow != flows_.end() && flow->first == variable; ++flow) steps.push_back(flow->second);
  return steps;
}

void PointerFlow::Call(Id function_id) {
  const Function function = module_.module().FindFunction(function_id);
  if (function && called_.insert(function_id).second) pending_.push_back(function);
}

void PointerFlow::AddAccess(Id id, SpirvAccess access) {
  if (CheckId(id)) accesses_.push_back({id, access});
}

void PointerFlow::AddPointerAccess(Id pointer, SpirvAccess access) {
  if (CheckId(pointer) && IsMemory(pointer)) accesses_.push_back({pointer, access});
}

void PointerFlow::AddFlow(Id from, Id to) {
  if (CheckId(from) && CheckId(to)) flows_.emplace_back(from, to);
}

// Adds the flow to a result that points into the same memory as an operand.
void PointerFlow::AddAliasFlow(Id from, Id to) {
  AddFlow(from, to);
  switch (module_.StorageClassOf(to)) {
    case spv::StorageClass::Function:
    case spv::StorageClass::Private:
    case spv::StorageClass::Workgroup:
      // A value stored through one pointer can be loaded through the other: a callee may write its caller's variable.
      return AddFlow(to, from);
    default:
      return;
  }
}

// Whether the pointer points into memory of a descriptor. Other memory is the shader's own, or has an address.
bool PointerFlow::IsMemory(Id pointer) const {
  switch (module_.StorageClassOf(pointer)) {
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::Image:
      return true;
    default:
      return false;
  }
}

// Whether values of the type of `id` can be or contain pointers or handles.
bool PointerFlow::MayCarry(Id id) const {
  switch (module_.module().TypeOf(id).op()) {
    case Op::OpTypePointer:
    case Op::OpTypeUntypedPointerKHR:
    case Op::OpTypeImage:
    case Op::OpTypeSampler:
    case Op::OpTypeSampledImage:
    case Op::OpTypeAccelerationStructureKHR:
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
    case Op::OpTypeStruct:
      return true;
    default:
      return false;
  }
}

// Module::Read has checked all ids that there are.
bool PointerFlow::CheckId(Id id) {
  const bool is_there = id != kNoId;
  ok_ &= is_there;
  return is_there;
}

}  // namespace assay::state
