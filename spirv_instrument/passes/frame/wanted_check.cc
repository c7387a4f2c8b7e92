// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/wanted_check.h"

#include <cstddef>
#include <cstdint>

#include "absl/hash/hash.h"
#include "absl/types/span.h"

namespace assay::spirv_instrument {

void WantedChecks::Add(Pass& pass, Instruction access, const CheckRequest& request) {
  WantedCheck check{.access = access, .pass = &pass, .form = request.form, .variant = request.variant};
  check.span = request.span;
  check.widened = request.span;
  check.is_cheap = request.is_cheap;
  check.first_id = static_cast<uint32_t>(ids_.size());
  check.id_count = static_cast<uint32_t>(request.ids.size());
  check.first_literal = static_cast<uint32_t>(literals_.size());
  check.literal_count = static_cast<uint32_t>(request.literals.size());
  check.has_fast_condition = request.has_fast_condition;
  ids_.insert(ids_.end(), request.ids.begin(), request.ids.end());
  literals_.insert(literals_.end(), request.literals.begin(), request.literals.end());
  if (request.host) {
    check.host_condition = static_cast<uint32_t>(host_conditions_.size());
    host_conditions_.push_back(*request.host);
  }
  if (request.limit) {
    check.host_limit = static_cast<uint32_t>(host_limits_.size());
    host_limits_.push_back(*request.limit);
  }
  checks_.push_back(check);
}

absl::Span<const Id> WantedChecks::Ids(const WantedCheck& check) const {
  return absl::MakeConstSpan(ids_).subspan(check.first_id, check.id_count);
}

absl::Span<Id> WantedChecks::MutableIds(const WantedCheck& check) {
  return absl::MakeSpan(ids_).subspan(check.first_id, check.id_count);
}

absl::Span<const uint32_t> WantedChecks::Literals(const WantedCheck& check) const {
  return absl::MakeConstSpan(literals_).subspan(check.first_literal, check.literal_count);
}

HostCondition* WantedChecks::Host(const WantedCheck& check) {
  return check.host_condition == WantedCheck::kNone ? nullptr : &host_conditions_[check.host_condition];
}

const HostCondition* WantedChecks::Host(const WantedCheck& check) const {
  return check.host_condition == WantedCheck::kNone ? nullptr : &host_conditions_[check.host_condition];
}

bool WantedChecks::LimitHasCondition(const WantedCheck& check) const {
  const HostCondition* const condition = Host(check);
  return condition == nullptr || condition->kind == HostCondition::Kind::kDescriptorIsValid;
}

HostLimit WantedChecks::LimitOf(const WantedCheck& check, AccessSpan span) const {
  HostLimit limit = host_limits_[check.host_limit];
  if (limit.kind == HostLimit::Kind::kBuffer) limit.end = span.end;
  return limit;
}

bool WantedChecks::IsSameThing(const WantedCheck& a, const WantedCheck& b) const {
  return a.pass == b.pass && a.variant == b.variant && Ids(a) == Ids(b) && Literals(a) == Literals(b);
}

size_t WantedChecks::HashOfThing(const WantedCheck& check) const {
  size_t hash = absl::HashOf(check.variant, Literals(check));
  for (Id id : Ids(check)) hash = absl::HashOf(hash, ToNumber(id));
  return hash;
}

}  // namespace assay::spirv_instrument
