// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/descriptor_index.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/passes/frame/memory_access.h"
#include "spirv_instrument/passes/operands/image_access.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

enum Literal : size_t { kSet, kBinding, kIndex, kTypes, kFactors };

// Where an instruction names an acceleration structure; -1 if it does not.
int AccelerationStructureOperand(spv::Op op) {
  switch (op) {
    case spv::Op::OpTraceRayKHR:
    case spv::Op::OpTraceNV:
    case spv::Op::OpTraceMotionNV:
    case spv::Op::OpTraceRayMotionNV:
      return 0;
    case spv::Op::OpRayQueryInitializeKHR:
    case spv::Op::OpHitObjectTraceRayNV:
    case spv::Op::OpHitObjectTraceRayMotionNV:
      return 1;
    default:
      return -1;
  }
}

constexpr spv::Op kTraces[] = {
    spv::Op::OpTraceRayKHR,
    spv::Op::OpTraceNV,
    spv::Op::OpTraceMotionNV,
    spv::Op::OpTraceRayMotionNV,
    spv::Op::OpRayQueryInitializeKHR,
    spv::Op::OpHitObjectTraceRayNV,
    spv::Op::OpHitObjectTraceRayMotionNV,
};

class DescriptorIndex : public Pass {
 public:
  explicit DescriptorIndex(const DescriptorIndexConfig& config);

  std::string_view name() const override { return "descriptor_index"; }
  absl::Span<const spv::Op> opcodes() const override { return opcodes_; }
  bool FollowsDescriptors() const override { return true; }
  void Begin(ModuleFacts& facts) override { facts_ = &facts; }
  void Process(Instruction instruction, WantedChecks& wanted) override;
  Id EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) override;
  Id EmitLimitedValue(const WantedCheck& check, Emitter& emitter) override;
  void EmitReport(const WantedCheck& check, Emitter& emitter) override;

 private:
  void ProcessImage(Instruction instruction, WantedChecks& wanted);
  void ProcessMemory(Instruction instruction, WantedChecks& wanted);
  void ProcessArrayLength(Instruction instruction, WantedChecks& wanted);
  void WantBlock(Instruction instruction, Id pointer, WantedChecks& wanted);
  void WantPointer(Instruction instruction, Id pointer, WantedChecks& wanted);
  void Want(Instruction instruction, const DescriptorPath& path, WantedChecks& wanted);
  static Id EmitIndex(const WantedCheck& check, Emitter& emitter);

  void Add(absl::Span<const spv::Op> opcodes) { opcodes_.insert(opcodes_.end(), opcodes.begin(), opcodes.end()); }

  DescriptorIndexConfig config_;
  std::vector<spv::Op> opcodes_;
  ModuleFacts* facts_ = nullptr;
};

DescriptorIndex::DescriptorIndex(const DescriptorIndexConfig& config) : config_(config) {
  if (config.images) Add(ImageAccessOpcodes());
  if (config.images && config.queries) Add(ImageQueryOpcodes());
  // Atomic instructions go to texels too.
  Add(config.buffers ? MemoryAccessOpcodes() : AtomicOpcodes());
  opcodes_.push_back(spv::Op::OpArrayLength);
  if (config.acceleration_structures) Add(kTraces);
}

void DescriptorIndex::Process(Instruction instruction, WantedChecks& wanted) {
  const int structure = AccelerationStructureOperand(instruction.op());
  if (structure >= 0) {
    Want(instruction, facts_->paths().FindDescriptor(instruction.id(structure)), wanted);
  } else if (instruction.op() == spv::Op::OpArrayLength) {
    ProcessArrayLength(instruction, wanted);
  } else if (const Instruction texel = TexelPointerOf(facts_->module(), instruction)) {
    if (config_.images) WantPointer(instruction, texel.id(0), wanted);
  } else if (ImageTypeOf(facts_->module(), instruction.id(0)) && instruction.op() != spv::Op::OpLoad) {
    ProcessImage(instruction, wanted);
  } else if (config_.buffers) {
    ProcessMemory(instruction, wanted);
  }
}

void DescriptorIndex::ProcessImage(Instruction instruction, WantedChecks& wanted) {
  const Id image = instruction.id(0);
  Want(instruction, facts_->paths().FindDescriptor(image), wanted);
  const Instruction combined = facts_->module().Find(image);
  if (combined.op() != spv::Op::OpSampledImage) return;
  Want(instruction, facts_->paths().FindSampler(image), wanted);
}

void DescriptorIndex::ProcessMemory(Instruction instruction, WantedChecks& wanted) {
  for (const MemoryAccess& access : MemoryAccessesOf(instruction)) {
    WantBlock(instruction, access.pointer, wanted);
  }
}

void DescriptorIndex::ProcessArrayLength(Instruction instruction, WantedChecks& wanted) {
  // The length of a buffer with device address is not known to anyone.
  WantBlock(instruction, instruction.id(0), wanted);
}

void DescriptorIndex::WantBlock(Instruction instruction, Id pointer, WantedChecks& wanted) {
  const AccessPath path = facts_->paths().Find(pointer);
  if (path.root == AccessPath::Root::kBuffer) return Want(instruction, path.descriptor, wanted);
  const Instruction type = facts_->module().TypeOf(pointer);
  if (path.root != AccessPath::Root::kUnknown || type.op() != spv::Op::OpTypePointer) return;
  const auto storage = type.enumerant<spv::StorageClass>(0);
  if (storage == spv::StorageClass::Uniform || storage == spv::StorageClass::StorageBuffer) {
    wanted.CountUnchecked(*this, path.why_unknown);
  }
}

void DescriptorIndex::WantPointer(Instruction instruction, Id pointer, WantedChecks& wanted) {
  const AccessPath path = facts_->paths().Find(pointer);
  DescriptorPath descriptor;
  descriptor.why_unknown = path.why_unknown;
  Want(instruction, path.root == AccessPath::Root::kDescriptor ? path.descriptor : descriptor, wanted);
}

void DescriptorIndex::Want(Instruction instruction, const DescriptorPath& path, WantedChecks& wanted) {
  const uint32_t types = path ? DescriptorTypesOf(facts_->module(), path.variable) : 0;
  if (types == 0 || path.set >= kMaxSets) return wanted.CountUnchecked(*this, path.why_unknown);
  absl::InlinedVector<Id, 2> ids;
  absl::InlinedVector<uint32_t, 8> literals(kFactors);
  literals[kSet] = path.set;
  literals[kBinding] = path.binding;
  literals[kIndex] = path.index;
  literals[kTypes] = types | (1u << kUnknownDescriptorType);
  for (const PathTerm& term : path.terms) {
    ids.push_back(term.index);
    literals.push_back(term.stride);
  }
  CheckRequest request{.ids = ids, .literals = literals, .span = {0, 1}};
  if (path.terms.empty()) {
    request.host = HostCondition{.kind = HostCondition::Kind::kDescriptorIsValid,
                                 .set = path.set,
                                 .binding = path.binding,
                                 .index = path.index,
                                 .types = types};
  } else if (path.terms.size() == 1 && path.terms[0].stride == 1 && path.length != 0 &&
             path.length <= kMaxLimitedDescriptors) {
    request.limit = HostLimit{.kind = HostLimit::Kind::kDescriptors,
                              .set = path.set,
                              .binding = path.binding,
                              .index = path.index,
                              .types = types};
  }
  wanted.Add(*this, instruction, request);
}

Id DescriptorIndex::EmitIndex(const WantedCheck& check, Emitter& emitter) {
  const absl::Span<const uint32_t> literals = emitter.Literals(check);
  return emitter.SaturatedSum(literals[kIndex], emitter.Ids(check), literals.subspan(kFactors));
}

Id DescriptorIndex::EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) {
  static_cast<void>(span);
  const absl::Span<const uint32_t> literals = emitter.Literals(check);
  return emitter.Call("DescriptorIsGood", {emitter.Uint(literals[kSet]), emitter.Uint(literals[kBinding]),
                                           EmitIndex(check, emitter), emitter.Uint(literals[kTypes])});
}

Id DescriptorIndex::EmitLimitedValue(const WantedCheck& check, Emitter& emitter) {
  return emitter.AsSignedWord(emitter.Ids(check)[0]);
}

void DescriptorIndex::EmitReport(const WantedCheck& check, Emitter& emitter) {
  const absl::Span<const uint32_t> literals = emitter.Literals(check);
  emitter.Call("ReportDescriptor",
               {emitter.InstructionOf(check), emitter.Uint(literals[kSet]), emitter.Uint(literals[kBinding]),
                EmitIndex(check, emitter), emitter.Uint(literals[kTypes])});
}

}  // namespace

std::unique_ptr<Pass> MakeDescriptorIndex(const DescriptorIndexConfig& config) {
  return std::make_unique<DescriptorIndex>(config);
}

}  // namespace assay::spirv_instrument
