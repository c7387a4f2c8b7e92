// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/pointer_flow.h"

#include <algorithm>

namespace assay::state {
namespace {

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

PointerFlow::PointerFlow(const SpirvModule& module, uint32_t entry_function)
    : module_(module), reached_by_(module.bound()), steps_left_(kMaxSteps) {
  if (module.FindFunction(entry_function) == nullptr) ok_ = false;
  for (const SpirvInstruction& variable : module.variables()) AddVariable(variable);
  Call(entry_function);
  while (!pending_.empty()) {
    const SpirvFunction& function = *pending_.back();
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

SpirvAccess PointerFlow::AccessesOf(uint32_t variable) {
  SpirvAccess accesses;
  std::vector<uint32_t> to_visit;
  const auto reach = [&](uint32_t id) {
    if (reached_by_[id] == variable) return;
    reached_by_[id] = variable;
    to_visit.push_back(id);
  };
  if (!CheckId(variable)) return accesses;
  reach(variable);
  while (!to_visit.empty()) {
    const uint32_t id = to_visit.back();
    to_visit.pop_back();
    auto entry = std::lower_bound(accesses_.begin(), accesses_.end(), id,
                                  [](const IdAccess& u, uint32_t i) { return u.id < i; });
    if (entry != accesses_.end() && entry->id == id) Merge(entry->access, accesses);
    auto flow = std::lower_bound(flows_.begin(), flows_.end(), std::pair<uint32_t, uint32_t>(id, 0));
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

std::optional<std::vector<uint32_t>> PointerFlow::StepsFrom(uint32_t variable) const {
  const bool is_accessed =
      std::binary_search(accesses_.begin(), accesses_.end(), IdAccess{.id = variable, .access = {}},
                         [](const IdAccess& a, const IdAccess& b) { return a.id < b.id; });
  if (is_accessed) return std::nullopt;
  std::vector<uint32_t> steps;
  auto flow = std::lower_bound(flows_.begin(), flows_.end(), std::pair<uint32_t, uint32_t>(variable, 0));
  for (; flow != flows_.end() && flow->first == variable; ++flow) steps.push_back(flow->second);
  return steps;
}

void PointerFlow::Call(uint32_t function_id) {
  const SpirvFunction* function = module_.FindFunction(function_id);
  if (function != nullptr && called_.insert(function_id).second) pending_.push_back(function);
}

void PointerFlow::AddAccess(uint32_t id, SpirvAccess access) {
  if (CheckId(id)) accesses_.push_back({id, access});
}

void PointerFlow::AddPointerAccess(uint32_t pointer, SpirvAccess access) {
  if (CheckId(pointer) && IsMemory(pointer)) accesses_.push_back({pointer, access});
}

void PointerFlow::AddFlow(uint32_t from, uint32_t to) {
  if (CheckId(from) && CheckId(to)) flows_.emplace_back(from, to);
}

// Adds the flow to a result that points into the same memory as an operand.
void PointerFlow::AddAliasFlow(uint32_t from, uint32_t to) {
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
bool PointerFlow::IsMemory(uint32_t pointer) const {
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
bool PointerFlow::MayCarry(uint32_t id) const {
  switch (module_.TypeOf(id).op()) {
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

bool PointerFlow::CheckId(uint32_t id) {
  const bool valid = id != 0 && id < module_.bound();
  ok_ &= valid;
  return valid;
}

}  // namespace assay::state
