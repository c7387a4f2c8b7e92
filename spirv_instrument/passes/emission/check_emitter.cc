// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/emission/check_emitter.h"

#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/control_flow/split.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/link/requirements.h"
#include "spirv_instrument/passes/emission/harmless_index.h"
#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {
namespace {

// Splits the block before an instruction so that the first part can end with a selection.
Split SplitForSelection(Module& module, Instruction point) {
  const Split split = SplitBefore(module, point);
  // The header of a loop has a merge instruction already.
  return split.head.merge() ? SplitBefore(module, point) : split;
}

}  // namespace

void CheckEmitter::EmitAccess(size_t first, size_t end, Linker::Variant variant) {
  variant_ = variant;
  conditions_.resize(checks_.size());
  EmitInserted(first, end);
  const Instruction access = checks_[first].access;
  absl::InlinedVector<size_t, 4> reported;
  absl::InlinedVector<size_t, 4> guards;
  for (size_t i = first; i < end; ++i) {
    if (!checks_[i].IsInShader() || !checks_[i].HasCondition()) continue;
    const bool is_guard = checks_[i].form == Form::kGuard && !is_report_only_ && CanGuard(access);
    (is_guard ? guards : reported).push_back(i);
  }
  if (!reported.empty()) EmitReported(reported);
  if (!guards.empty()) EmitGuarded(guards);
}

void CheckEmitter::EmitReported(absl::Span<const size_t> checks) {
  const Instruction access = checks_[checks[0]].access;
  const Id condition = EmitJoined(checks);
  bool has_reports = false;
  for (size_t index : checks) has_reports = has_reports || HasToReport(index);
  if (has_reports) EmitReports(ReportBefore(access, condition), checks);
}

void CheckEmitter::EmitGuarded(absl::Span<const size_t> checks) {
  const Instruction access = checks_[checks[0]].access;
  const Id condition = EmitJoined(checks);
  RequireZero(access);
  MakeIndexHarmless(module_, access, condition);
  EmitReports(GuardInstruction(module_, access, condition), checks);
}

// Terminators cannot be split from what is before them, but something can be put there that can.
Guard CheckEmitter::ReportBefore(Instruction access, Id condition) {
  if (!IsTerminator(access.op())) return ReportUnless(module_, access, condition);
  Builder builder = Builder::AtEnd(module_, access.block());
  const Instruction place = builder.AddWithResult(spv::Op::OpNop, kNoId, kNoId, {});
  const Guard guard = ReportUnless(module_, place, condition);
  module_.Remove(place);
  return guard;
}

void CheckEmitter::EmitInserted(size_t first, size_t end) {
  for (size_t i = first; i < end; ++i) {
    const WantedCheck& check = checks_[i];
    if (!check.IsInShader() || check.HasCondition()) continue;
    Builder builder = IsTerminator(check.access.op()) ? Builder::AtEnd(module_, check.access.block())
                                                      : Builder::Before(module_, check.access);
    emitter_.SetPlace(builder, variant_);
    check.pass->EmitReport(check, emitter_);
    if (check.form == Form::kReplace) module_.RemoveWithAnnotations(check.access);
  }
}

Id CheckEmitter::EmitJoined(absl::Span<const size_t> checks) {
  absl::InlinedVector<Id, 4> conditions;
  for (size_t index : checks) {
    const Id condition = EmitCondition(index);
    bool is_known = false;
    for (Id other : conditions) is_known = is_known || other == condition;
    if (!is_known) conditions.push_back(condition);
  }
  Builder builder = BuilderBefore(checks_[checks[0]].access);
  Id joined = conditions[0];
  for (size_t i = 1; i < conditions.size(); ++i) {
    joined = builder.Binary(spv::Op::OpLogicalAnd, module_.globals().Bool(), joined, conditions[i]);
  }
  return joined;
}

Builder CheckEmitter::BuilderBefore(Instruction access) {
  return IsTerminator(access.op()) ? Builder::AtEnd(module_, access.block()) : Builder::Before(module_, access);
}

Id CheckEmitter::EmitCondition(size_t index) {
  const WantedCheck& check = checks_[index];
  Condition& condition = conditions_[index];
  if (check.same_as != WantedCheck::kNone) {
    // Where that one reports, this one does not.
    condition = conditions_[check.same_as];
  } else if (check.position) {
    Builder builder = Builder::AtEnd(module_, check.position);
    condition.own = condition.wide = EmitOwn(index, check.span, builder);
  } else if (const Id fast = EmitFast(index); fast != kNoId) {
    condition.own = EmitUnless(fast, index);
    condition.wide = check.good_if == index ? fast : condition.own;
  } else {
    Builder builder = BuilderBefore(check.access);
    condition.own = condition.wide = EmitOwn(index, check.span, builder);
  }
  return condition.own;
}

Id CheckEmitter::EmitFast(size_t index) {
  const WantedCheck& check = checks_[index];
  if (check.good_if != WantedCheck::kNone && check.good_if != index) return conditions_[check.good_if].wide;
  Builder builder = BuilderBefore(check.access);
  if (check.good_if == index) return EmitOwn(index, check.widened, builder);
  if (limits_ != nullptr || !check.is_left_to_host || !check.has_fast_condition) return kNoId;
  emitter_.SetPlace(builder, variant_);
  return check.pass->EmitFastCondition(check, check.span, emitter_);
}

Id CheckEmitter::EmitOwn(size_t index, AccessSpan span, Builder& builder) {
  const WantedCheck& check = checks_[index];
  emitter_.SetPlace(builder, variant_);
  if (limits_ != nullptr) return limits_->EmitCondition(check, span, emitter_);
  return check.pass->EmitCondition(check, span, emitter_);
}

Id CheckEmitter::EmitUnless(Id fast, size_t index) {
  const WantedCheck& check = checks_[index];
  const Split split = SplitForSelection(module_, check.access);
  const Block slow = module_.AddBlockAfter(split.head, module_.FreshId());
  module_.Remove(split.head.terminator());
  Builder head = Builder::AtEnd(module_, split.head);
  head.AddVoid(spv::Op::OpSelectionMerge, {split.tail.id(), spv::SelectionControlMask::MaskNone});
  head.AddVoid(spv::Op::OpBranchConditional, {fast, split.tail.id(), slow.id()});
  Builder builder = Builder::AtEnd(module_, slow);
  const Id own = EmitSlow(index, builder);
  builder.Branch(split.tail.id());
  const Id result = module_.FreshId();
  // `fast` is true there, and a constant says so. An OpPhi comes first in its block.
  module_.InsertAfter(split.tail.label(), spv::Op::OpPhi, module_.globals().Bool(), result,
                      {module_.globals().BoolConstant(true), split.head.id(), own, slow.id()});
  return result;
}

Id CheckEmitter::EmitSlow(size_t index, Builder& builder) {
  const WantedCheck& check = checks_[index];
  if (limits_ == nullptr && check.good_if == WantedCheck::kNone && !check.is_reported) {
    emitter_.SetPlace(builder, variant_);
    const Id condition = check.pass->EmitReportingCondition(check, emitter_);
    conditions_[index].reports = condition != kNoId;
    if (condition != kNoId) return condition;
  }
  return EmitOwn(index, check.span, builder);
}

void CheckEmitter::EmitReports(const Guard& guard, absl::Span<const size_t> checks) {
  Builder builder = Builder::AtEnd(module_, guard.otherwise);
  for (size_t index : checks) {
    if (!HasToReport(index)) continue;
    emitter_.SetPlace(builder, variant_);
    if (limits_ != nullptr) {
      // Of an access with several checks, another one may have failed.
      limits_->EmitNote(checks_[index], checks.size() > 1 ? conditions_[index].own : kNoId, emitter_);
    } else {
      checks_[index].pass->EmitReport(checks_[index], emitter_);
    }
  }
}

// Zero is a cast where the result has pointers into PhysicalStorageBuffer: Builder::ZeroValue.
void CheckEmitter::RequireZero(Instruction access) {
  if (access.type_id() == kNoId || module_.globals().IsNullable(access.type_id())) return;
  if (HasCapability(module_, spv::Capability::PhysicalStorageBufferAddresses)) RequireAddressCasts(module_);
}

bool CheckEmitter::CanGuard(Instruction access) {
  if (IsTerminator(access.op())) return false;
  const Id type = access.type_id();
  if (type == kNoId) return true;
  const auto [place, is_new] = can_guard_.try_emplace(ToNumber(type), false);
  if (is_new) {
    const Instruction definition = module_.Find(type);
    // Modules may have no OpPhi of logical pointers.
    const bool is_logical = definition.op() == spv::Op::OpTypePointer &&
                            definition.enumerant<spv::StorageClass>(0) != spv::StorageClass::PhysicalStorageBuffer;
    place->second = !is_logical && spirv_instrument::CanGuard(module_, access);
  }
  return place->second;
}

}  // namespace assay::spirv_instrument
