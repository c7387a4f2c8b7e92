// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/buffer_bounds.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/passes/frame/memory_access.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

// The literals of a check, before the factors of all ids and the lengths of the arrays that terms of the offset are of.
enum Literal : size_t {
  kSet,
  kBinding,
  kDescriptorIndex,
  // How many of the ids are terms of the descriptor index. Those of the offset follow.
  kDescriptorTerms,
  // If the first term of the offset indexes the runtime array of a block: the variable, the member, and where in the
  // block its first element ends. All 0 otherwise.
  kBlock,
  kArrayMember,
  kElementEnd,
  // Bit i: the i-th term of the offset may be negative (PathTerm::is_signed).
  kSignedTerms,
  kFactors,
};

// As many as kSignedTerms has bits.
constexpr size_t kMostTerms = 32;

// The variant is the operand that is the pointer.
class BufferBounds : public Pass {
 public:
  explicit BufferBounds(const BufferBoundsConfig& config) : config_(config) {}

  std::string_view name() const override { return "buffer_bounds"; }
  absl::Span<const spv::Op> opcodes() const override { return MemoryAccessOpcodes(); }
  bool FollowsDescriptors() const override { return true; }
  void Begin(ModuleFacts& facts) override { facts_ = &facts; }
  void Process(Instruction instruction, WantedChecks& wanted) override;
  Id EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) override;
  Id EmitFastCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) override;
  Id EmitLimitedValue(const WantedCheck& check, Emitter& emitter) override;
  Id EmitReportingCondition(const WantedCheck& check, Emitter& emitter) override;
  void EmitReport(const WantedCheck& check, Emitter& emitter) override;

 private:
  using Literals = absl::InlinedVector<uint32_t, 16>;

  bool IsWanted(Id pointer) const;
  void Want(Instruction instruction, const MemoryAccess& access, WantedChecks& wanted);
  void FindRuntimeArray(const AccessPath& path, Literals& literals) const;
  // What the host can decide, if the fast condition (where there are terms) decides the rest.
  std::optional<HostCondition> HostConditionOf(const AccessPath& path, const Literals& literals, uint32_t end) const;
  static std::optional<HostLimit> LimitOf(const AccessPath& path, const Literals& literals, uint32_t end);
  // Where the access ends.
  static Id EmitEnd(absl::Span<const Id> terms, absl::Span<const uint32_t> factors, uint32_t signed_terms,
                    AccessSpan span, Emitter& emitter);
  Id EmitCall(std::string_view function, Id first, const WantedCheck& check, AccessSpan span, Emitter& emitter);

  BufferBoundsConfig config_;
  ModuleFacts* facts_ = nullptr;
};

bool BufferBounds::IsWanted(Id pointer) const {
  const Instruction type = facts_->module().TypeOf(pointer);
  if (type.op() != spv::Op::OpTypePointer) return false;
  const auto storage = type.enumerant<spv::StorageClass>(0);
  return (storage == spv::StorageClass::Uniform && config_.uniform) ||
         (storage == spv::StorageClass::StorageBuffer && config_.storage);
}

void BufferBounds::Process(Instruction instruction, WantedChecks& wanted) {
  for (const MemoryAccess& access : MemoryAccessesOf(instruction)) {
    if (IsWanted(access.pointer)) Want(instruction, access, wanted);
  }
}

void BufferBounds::Want(Instruction instruction, const MemoryAccess& access, WantedChecks& wanted) {
  const AccessPath path = facts_->paths().Find(access.pointer);
  if (path.root != AccessPath::Root::kBuffer || path.descriptor.set >= kMaxSets) {
    return wanted.CountUnchecked(*this, path.why_unknown);
  }
  const std::optional<uint32_t> extent = facts_->paths().ExtentOf(path);
  if (!extent || *extent > 0xffffffff - path.offset) return wanted.CountUnchecked(*this, Outcome::kUnknownLayout);

  const DescriptorPath& descriptor = path.descriptor;
  absl::InlinedVector<Id, 4> ids;
  Literals literals(kFactors);
  literals[kSet] = descriptor.set;
  literals[kBinding] = descriptor.binding;
  literals[kDescriptorIndex] = descriptor.index;
  literals[kDescriptorTerms] = static_cast<uint32_t>(descriptor.terms.size());
  FindRuntimeArray(path, literals);
  for (const PathTerm& term : descriptor.terms) {
    ids.push_back(term.index);
    literals.push_back(term.stride);
  }
  for (const PathTerm& term : path.terms) {
    ids.push_back(term.index);
    literals.push_back(term.stride);
  }
  for (const PathTerm& term : path.terms) literals.push_back(term.length);
  for (size_t i = 0; i < path.terms.size(); ++i) {
    if (!path.terms[i].is_signed) continue;
    if (i >= kMostTerms) return wanted.CountUnchecked(*this, Outcome::kUnknownPointer);
    literals[kSignedTerms] |= 1u << i;
  }
  wanted.Add(*this, instruction,
             {.variant = access.operand,
              .ids = ids,
              .literals = literals,
              .span = {path.offset, path.offset + *extent},
              .host = HostConditionOf(path, literals, path.offset + *extent),
              .has_fast_condition = !path.terms.empty(),
              .limit = LimitOf(path, literals, path.offset + *extent)});
}

void BufferBounds::FindRuntimeArray(const AccessPath& path, Literals& literals) const {
  if (path.terms.empty() || !path.terms[0].is_of_runtime_array) return;
  Module& module = facts_->module();
  const Instruction block = module.Find(module.TypeOf(path.base).id(1));
  // OpArrayLength asks a block; of an array of blocks the tables know the size as well.
  if (block.op() != spv::Op::OpTypeStruct || block.operand_count() == 0) return;
  const auto member = static_cast<uint32_t>(block.operand_count() - 1);
  const std::optional<uint32_t> offset = facts_->layouts().OffsetOfMember(block.result_id(), member);
  if (!offset || *offset > 0xffffffff - path.terms[0].stride) return;
  literals[kBlock] = ToNumber(path.base);
  literals[kArrayMember] = member;
  literals[kElementEnd] = *offset + path.terms[0].stride;
}

std::optional<HostCondition> BufferBounds::HostConditionOf(const AccessPath& path, const Literals& literals,
                                                           uint32_t end) const {
  // An index past the array is the shader's to find.
  const DescriptorPath& descriptor = path.descriptor;
  if (!descriptor.terms.empty()) return std::nullopt;
  HostCondition condition{.set = descriptor.set, .binding = descriptor.binding, .index = descriptor.index};
  uint64_t bytes = end;
  const bool has_runtime_array = literals[kBlock] != 0;
  for (size_t i = 0; i < path.terms.size(); ++i) {
    const PathTerm& term = path.terms[i];
    if (i == 0 && has_runtime_array) continue;
    if (term.length == 0) return std::nullopt;
    bytes += uint64_t{term.length - 1} * term.stride;
    if (bytes > 0xffffffff) return std::nullopt;
  }
  condition.kind = has_runtime_array ? HostCondition::Kind::kDescriptorIsValid : HostCondition::Kind::kBufferHolds;
  condition.bytes = has_runtime_array ? 0 : static_cast<uint32_t>(bytes);
  return condition;
}

// An index is compared as it is, several as the bytes that they add up to.
std::optional<HostLimit> BufferBounds::LimitOf(const AccessPath& path, const Literals& literals, uint32_t end) {
  if (!path.descriptor.terms.empty() || path.terms.empty() || literals[kSignedTerms] != 0) return std::nullopt;
  const uint32_t stride = path.terms.size() == 1 ? path.terms[0].stride : 1;
  if (stride == 0) return std::nullopt;
  return HostLimit{.kind = HostLimit::Kind::kBuffer,
                   .set = path.descriptor.set,
                   .binding = path.descriptor.binding,
                   .index = path.descriptor.index,
                   .end = end,
                   .stride = stride};
}

// What may go back comes last, where it is known what it goes back from.
Id BufferBounds::EmitEnd(absl::Span<const Id> terms, absl::Span<const uint32_t> factors, uint32_t signed_terms,
                         AccessSpan span, Emitter& emitter) {
  if (signed_terms == 0) return emitter.SaturatedSum(span.end, terms, factors);
  absl::InlinedVector<Id, 4> unsigned_ids;
  absl::InlinedVector<uint32_t, 4> unsigned_factors;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (i < kMostTerms && (signed_terms & (1u << i)) != 0) continue;
    unsigned_ids.push_back(terms[i]);
    unsigned_factors.push_back(factors[i]);
  }
  Id end = emitter.SaturatedSum(span.end, unsigned_ids, unsigned_factors);
  for (size_t i = 0; i < terms.size() && i < kMostTerms; ++i) {
    if ((signed_terms & (1u << i)) == 0) continue;
    end = emitter.Call("AddElement", {end, emitter.Uint(span.end - span.begin), emitter.AsSignedWord(terms[i]),
                                      emitter.Uint(factors[i])});
  }
  return end;
}

Id BufferBounds::EmitCall(std::string_view function, Id first, const WantedCheck& check, AccessSpan span,
                          Emitter& emitter) {
  const absl::Span<const Id> ids = emitter.Ids(check);
  const absl::Span<const uint32_t> literals = emitter.Literals(check);
  const size_t descriptor_terms = literals[kDescriptorTerms];
  const absl::Span<const uint32_t> factors = literals.subspan(kFactors, ids.size());
  const Id index =
      emitter.SaturatedSum(literals[kDescriptorIndex], ids.first(descriptor_terms), factors.first(descriptor_terms));
  const Id end =
      EmitEnd(ids.subspan(descriptor_terms), factors.subspan(descriptor_terms), literals[kSignedTerms], span, emitter);
  const Id set = emitter.Uint(literals[kSet]);
  const Id binding = emitter.Uint(literals[kBinding]);
  if (first == kNoId) return emitter.Call(function, {set, binding, index, end});
  return emitter.Call(function, {first, set, binding, index, end});
}

Id BufferBounds::EmitCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) {
  return EmitCall(check.is_left_to_host ? "KnownBufferHolds" : "BufferHolds", kNoId, check, span, emitter);
}

// Each index is below the length of its array.
Id BufferBounds::EmitFastCondition(const WantedCheck& check, AccessSpan span, Emitter& emitter) {
  const absl::Span<const uint32_t> literals = emitter.Literals(check);
  const absl::Span<const Id> terms = emitter.Ids(check).subspan(literals[kDescriptorTerms]);
  const absl::Span<const uint32_t> factors = literals.subspan(kFactors, terms.size());
  const absl::Span<const uint32_t> lengths = literals.subspan(kFactors + terms.size(), terms.size());
  Builder& builder = emitter.builder();
  const Id bool_type = emitter.globals().Bool();
  // Whatever the other indices are, the access has to end in the element.
  uint64_t end = span.end;
  for (size_t i = 1; i < terms.size(); ++i) end += uint64_t{lengths[i] - 1} * factors[i];
  if (literals[kBlock] != 0 && end > literals[kElementEnd]) return kNoId;

  Id condition = kNoId;
  for (size_t i = 0; i < terms.size(); ++i) {
    Id length = emitter.Uint(lengths[i]);
    if (i == 0 && literals[kBlock] != 0) {
      length =
          builder.Add(spv::Op::OpArrayLength, emitter.globals().Uint32(), {literals[kBlock], literals[kArrayMember]});
    }
    const Id is_below = builder.Binary(spv::Op::OpULessThan, bool_type, emitter.AsSignedWord(terms[i]), length);
    condition = i == 0 ? is_below : builder.Binary(spv::Op::OpLogicalAnd, bool_type, condition, is_below);
  }
  return condition;
}

Id BufferBounds::EmitLimitedValue(const WantedCheck& check, Emitter& emitter) {
  const absl::Span<const Id> terms = emitter.Ids(check);
  if (terms.size() == 1) return emitter.AsSignedWord(terms[0]);
  return emitter.SaturatedSum(0, terms, emitter.Literals(check).subspan(kFactors, terms.size()));
}

Id BufferBounds::EmitReportingCondition(const WantedCheck& check, Emitter& emitter) {
  if (!check.is_left_to_host) return kNoId;
  return EmitCall("CheckKnownBuffer", emitter.InstructionOf(check), check, check.span, emitter);
}

void BufferBounds::EmitReport(const WantedCheck& check, Emitter& emitter) {
  const std::string_view function = check.is_left_to_host ? "ReportKnownBuffer" : "ReportBuffer";
  EmitCall(function, emitter.InstructionOf(check), check, check.span, emitter);
}

}  // namespace

std::unique_ptr<Pass> MakeBufferBounds(const BufferBoundsConfig& config) {
  return std::make_unique<BufferBounds>(config);
}

}  // namespace assay::spirv_instrument
