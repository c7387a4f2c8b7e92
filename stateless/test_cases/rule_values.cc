// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/test_cases/rule_values.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "absl/strings/match.h"
#include "vk/enum_info.h"

namespace assay::stateless {
namespace {

using vk::ExplicitOperand;
using vk::ExplicitRuleInfo;
using vk::ExplicitTerm;
using vk::ExplicitTest;
using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

// The format's kind, from its name.
uint64_t KindByName(uint64_t format) {
  const std::string_view name = vk::ToString(static_cast<VkFormat>(format));
  if (format == VK_FORMAT_UNDEFINED) return 0;
  const bool depth =
      absl::StrContains(name, "_D16") || absl::StrContains(name, "_D24") || absl::StrContains(name, "_D32");
  const bool stencil = absl::StrContains(name, "_S8_");
  return depth && stencil ? 8 : depth ? 2 : stencil ? 4 : 1;
}

}  // namespace

RuleValues::RuleValues(const StructInfo& owner, const ExplicitRuleInfo& rule, const TestCapabilities& capabilities)
    : owner_(owner), rule_(rule), capabilities_(capabilities) {
  terms_.assign(vk::Conditions(rule).begin(), vk::Conditions(rule).end());
  terms_.insert(terms_.end(), vk::Requirements(rule).begin(), vk::Requirements(rule).end());
  for (const ExplicitTerm& term : terms_) {
    const bool has_place = term.test != ExplicitTest::kNoLimit;
    subject_of_.push_back(has_place ? AddSubject(term.place) : kNone);
    if (has_place) AddCandidatesOf(term, subjects_[subject_of_.back()]);
    // Changing one half of a sum, or of a comparison, is enough to violate the rule.
    added_.push_back(term.has_plus() ? AddNumber(term.plus) : kNone);
    others_.push_back(term.has_other() ? AddNumber(term.other) : kNone);
  }
}

void RuleValues::ForEach(const std::function<bool(const Combination&)>& visit) const {
  std::vector<uint64_t> values(subjects_.size());
  Walk(0, values, visit);
}

size_t RuleValues::requirement_count() const { return std::max<size_t>(rule_.requirement_count, 1); }

size_t RuleValues::AddSubject(const vk::ExplicitPlace& place) {
  const vk::ExplicitTarget target = vk::TargetOf(owner_, rule_, place);
  const bool is_element = place.path[0] == vk::ExplicitPlace::kNoMember;
  const auto found = std::ranges::find_if(
      subjects_, [&](const Subject& subject) { return subject.offset == target.offset && subject.base == place.base; });
  if (found != subjects_.end()) return static_cast<size_t>(found - subjects_.begin());
  subjects_.push_back({target.member, target.info, target.offset, place.base, is_element, {}});
  return subjects_.size() - 1;
}

void RuleValues::AddCandidatesOf(const ExplicitTerm& term, Subject& subject) {
  if (subject.candidates.empty()) {
    if (subject.member->kind != MemberKind::kHandle) AddCandidates(subject, {0, 1});
    AddValuesOfType(subject);
  }
  constexpr uint64_t kTwoBits = 3;
  if (term.test == ExplicitTest::kSingleBit) AddCandidates(subject, {kTwoBits});
  if (term.test == ExplicitTest::kOnlyBits) AddCandidates(subject, {uint64_t{1} << 31});
  if (term.has_other()) AddCandidates(subject, {2});
  for (const ExplicitOperand& operand : vk::Operands(term)) {
    if (term.test != ExplicitTest::kOnlyBits) AddNear(subject, Number(operand));
  }
}

size_t RuleValues::AddNumber(const vk::ExplicitPlace& place) {
  const size_t subject = AddSubject(place);
  AddCandidates(subjects_[subject], {0, 1, 2});
  return subject;
}

void RuleValues::AddCandidates(Subject& subject, std::initializer_list<uint64_t> values) {
  for (uint64_t value : values) {
    if (std::ranges::find(subject.candidates, value) == subject.candidates.end()) subject.candidates.push_back(value);
  }
}

// The values that the registry lists for the member's type.
void RuleValues::AddValuesOfType(Subject& subject) {
  const MemberInfo& member = *subject.member;
  if (member.kind == MemberKind::kHandle) AddCandidates(subject, {0, 0x1000});
  if ((member.kind != MemberKind::kEnum && member.kind != MemberKind::kFlags) || member.type == vk::kNoType) return;
  for (const vk::EnumValue& value : vk::GetEnumInfo(static_cast<vk::EnumId>(member.type)).values) {
    AddCandidates(subject, {static_cast<uint64_t>(value.value)});
  }
}

void RuleValues::AddNear(Subject& subject, uint64_t operand) {
  const MemberInfo& member = *subject.member;
  if (member.kind == MemberKind::kFlags) {
    for (const uint64_t other : std::vector(subject.candidates)) AddCandidates(subject, {other | operand});
  }
  AddCandidates(subject, {operand});
  if (member.kind == MemberKind::kValue || member.kind == MemberKind::kDeviceAddress)
    AddCandidates(subject, {operand - 1, operand + 1, operand + 2});
}

uint64_t RuleValues::Number(const ExplicitOperand& operand) const {
  return operand.limit == ExplicitOperand::kNoLimit ? static_cast<uint64_t>(operand.value)
                                                    : *capabilities_.Limit(operand.limit);
}

bool RuleValues::Holds(size_t index, const std::vector<uint64_t>& values) const {
  const ExplicitTerm& term = terms_[index];
  if (term.test == ExplicitTest::kNoLimit) return true;
  const uint64_t value = values[subject_of_[index]] + (added_[index] == kNone ? 0 : values[added_[index]]);
  bool one_of = false;
  bool any = false;
  bool all = true;
  uint64_t known = 0;
  uint64_t number = 0;
  const auto add = [&](uint64_t operand) {
    number = operand;
    one_of |= value == number;
    any |= (value & number) != 0;
    all &= (value & number) != 0;
    known |= number;
  };
  for (const ExplicitOperand& operand : vk::Operands(term)) add(Number(operand));
  if (term.has_other()) add(values[others_[index]]);
  const bool is_signed = subjects_[subject_of_[index]].member->type_name.starts_with("int");
  const auto is_less = [&](uint64_t a, uint64_t b) {
    return is_signed ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
  };
  const auto is = [&](ExplicitTest test) { return term.test == test; };
  if (is(ExplicitTest::kOneOf)) return one_of;
  if (is(ExplicitTest::kNoneOf)) return !one_of;
  if (is(ExplicitTest::kAnyBits)) return any;
  if (is(ExplicitTest::kNoBits)) return !any;
  if (is(ExplicitTest::kOnlyBits)) return (value | known) == known;
  if (is(ExplicitTest::kNotAll)) return !all;
  if (is(ExplicitTest::kMultipleOf)) return value / number * number == value;
  if (is(ExplicitTest::kAtLeast)) return !is_less(value, number);
  if (is(ExplicitTest::kAtMost)) return !is_less(number, value);
  if (is(ExplicitTest::kBelow)) return is_less(value, number);
  if (is(ExplicitTest::kPowerOfTwo) || is(ExplicitTest::kSingleBit)) return std::popcount(value) == 1;
  if (is(ExplicitTest::kNoDynamicState) || is(ExplicitTest::kHasNoLink)) return value != number;
  if (is(ExplicitTest::kHasLink)) return value == number;
  if (is(ExplicitTest::kFormatKind)) return (KindByName(value) & number) != 0;
  return false;
}

// False when visit returned false.
bool RuleValues::Walk(size_t subject, std::vector<uint64_t>& values,
                      const std::function<bool(const Combination&)>& visit) const {
  if (subject == subjects_.size()) return visit(Judge(values));
  for (const uint64_t candidate : subjects_[subject].candidates) {
    values[subject] = candidate;
    if (!Walk(subject + 1, values, visit)) return false;
  }
  return true;
}

RuleValues::Combination RuleValues::Judge(const std::vector<uint64_t>& values) const {
  Combination result{values, true, {}};
  for (size_t i = 0; i < terms_.size(); ++i) {
    const bool holds = Holds(i, values);
    if (i < rule_.condition_count) {
      result.applies &= holds;
    } else if (!holds) {
      result.broken.push_back(i - rule_.condition_count);
    }
  }
  if (rule_.requirement_count == 0) result.broken.push_back(0);
  return result;
}

}  // namespace assay::stateless
