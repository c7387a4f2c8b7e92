// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/device_address.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/passes/frame/memory_access.h"

namespace assay::spirv_instrument {
namespace {

// What a check asks. Its literals are a constant that is added to the pointer, and the stride of each term.
enum Variant : uint32_t {
  // Span: bytes from the pointer and terms.
  kRange,
  // Span: how many low bits of the address have to be 0.
  kAlignment,
  // The same for the second pointer of the instruction.
  kRangeOfSecond,
  kAlignmentOfSecond,
  kVariantsOfAPointer = 2,
};

bool IsAlignment(uint32_t variant) { return variant % kVariantsOfAPointer == kAlignment; }

class DeviceAddress : public Pass {
 public:
  explicit DeviceAddress(const DeviceAddressConfig& config) : config_(config) {}

  std::string_view name() const override { return "device_address"; }
  absl::Span<const spv::Op> opcodes() const override { return MemoryAccessOpcodes(); }
  void Begin(ModuleFacts& facts) override { facts_ = &facts; }
  void Process(Instruction instruction, WantedChecks& wanted) override;
  Id EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) override;
  void EmitReport(const WantedCheck& check, Emitter& emitter) override;

 private:
  void Want(Instruction instruction, const MemoryAccess& access, WantedChecks& wanted);
  void WantAlignment(Instruction instruction, uint32_t operand, uint32_t alignment, const AccessPath& path,
                     WantedChecks& wanted);

  DeviceAddressConfig config_;
  ModuleFacts* facts_ = nullptr;
};

bool IsAddress(const Module& module, Id pointer) {
  const Instruction type = module.TypeOf(pointer);
  return type.op() == spv::Op::OpTypePointer &&
         type.enumerant<spv::StorageClass>(0) == spv::StorageClass::PhysicalStorageBuffer;
}

void DeviceAddress::Process(Instruction instruction, WantedChecks& wanted) {
  for (const MemoryAccess& access : MemoryAccessesOf(instruction)) {
    if (IsAddress(facts_->module(), access.pointer)) Want(instruction, access, wanted);
  }
}

void DeviceAddress::Want(Instruction instruction, const MemoryAccess& access, WantedChecks& wanted) {
  const AccessPath path = facts_->paths().Find(access.pointer);
  if (path.root != AccessPath::Root::kAddress) return wanted.CountUnchecked(*this, Outcome::kUnknownPointer);
  const std::optional<uint32_t> extent = facts_->paths().ExtentOf(path);
  if (!extent || *extent > 0xffffffff - path.offset) return wanted.CountUnchecked(*this, Outcome::kUnknownLayout);

  absl::InlinedVector<Id, 4> ids = {path.base};
  absl::InlinedVector<uint32_t, 4> literals = {0};
  for (const PathTerm& term : path.terms) {
    ids.push_back(term.index);
    literals.push_back(term.stride);
  }
  wanted.Add(*this, instruction,
             {.variant = kRange + access.operand * kVariantsOfAPointer,
              .ids = ids,
              .literals = literals,
              .span = {path.offset, path.offset + *extent}});
  uint32_t alignment = IsAtomic(instruction.op()) ? *extent : access.alignment;
  // glslang says that a column of a row-major matrix is aligned as its first row is. It is gathered, component by
  // component.
  if (path.component_stride != 0 && *extent != 0) {
    alignment = std::min(alignment, (*extent - 1) % path.component_stride + 1);
  }
  if (config_.alignment) WantAlignment(instruction, access.operand, alignment, path, wanted);
}

void DeviceAddress::WantAlignment(Instruction instruction, uint32_t operand, uint32_t alignment, const AccessPath& path,
                                  WantedChecks& wanted) {
  if (alignment <= 1 || !std::has_single_bit(alignment)) return;
  // What is a multiple of the alignment does not matter, so that members of one structure have the same condition.
  absl::InlinedVector<Id, 4> ids = {path.base};
  absl::InlinedVector<uint32_t, 4> literals = {path.offset % alignment};
  for (const PathTerm& term : path.terms) {
    if (term.stride % alignment == 0) continue;
    ids.push_back(term.index);
    literals.push_back(term.stride);
  }
  wanted.Add(*this, instruction,
             {.variant = kAlignment + operand * kVariantsOfAPointer,
              .ids = ids,
              .literals = literals,
              .span = {0, static_cast<uint32_t>(std::countr_zero(alignment))},
              .is_cheap = true});
}

// The pointer, and all that is added to it but for the span.
Id EmitAddress(absl::Span<const Id> ids, absl::Span<const uint32_t> literals, uint32_t offset, Emitter& emitter) {
  Id address = emitter.AddressOf(ids[0]);
  for (size_t i = 1; i < ids.size(); ++i) {
    address = emitter.Call("AddElements", {address, emitter.AsWordPair(ids[i]), emitter.Uint(literals[i])});
  }
  if (offset + literals[0] != 0) address = emitter.Call("AddBytes", {address, emitter.Uint(offset + literals[0])});
  return address;
}

Id DeviceAddress::EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) {
  const uint32_t offset = IsAlignment(check.variant) ? 0 : span.begin;
  const Id address = EmitAddress(emitter.Ids(check), emitter.Literals(check), offset, emitter);
  if (IsAlignment(check.variant)) {
    return emitter.Call("AddressIsAligned", {address, emitter.Uint((1u << span.end) - 1)});
  }
  return emitter.Call("AddressIsGood", {address, emitter.Uint(span.end - span.begin)});
}

// At the access the pointer itself is there.
void DeviceAddress::EmitReport(const WantedCheck& check, Emitter& emitter) {
  const Id pointer = check.access.id(check.variant / kVariantsOfAPointer);
  const Id address = emitter.AddressOf(pointer);
  const AccessPath path = facts_->paths().Find(pointer);
  const Id size = emitter.Uint(facts_->paths().ExtentOf(path).value_or(0));
  if (IsAlignment(check.variant)) {
    const Id mask = emitter.Uint((1u << check.span.end) - 1);
    emitter.Call("ReportAlignment", {emitter.InstructionOf(check), address, size, mask});
  } else {
    emitter.Call("ReportAddress", {emitter.InstructionOf(check), address, size});
  }
}

}  // namespace

std::unique_ptr<Pass> MakeDeviceAddress(const DeviceAddressConfig& config) {
  return std::make_unique<DeviceAddress>(config);
}

}  // namespace assay::spirv_instrument
