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
    subject_of_.push_back(AddSubject(term));
    // Changing one half of a sum is enough to violate the rule.
    added_.push_back(term.plus != ExplicitTerm::kNoMember ? AddMember(term.plus) : kNone);
  }
}

void RuleValues::ForEach(const std::function<bool(const Combination&)>& visit) const {
  std::vector<uint64_t> values(subjects_.size());
  Walk(0, values, visit);
}

size_t RuleValues::requirement_count() const { return std::max<size_t>(rule_.requirement_count, 1); }

size_t RuleValues::AddSubject(const ExplicitTerm& term) {
  const MemberInfo& outer = owner_.members[term.member];
  const bool is_inner = term.inner != ExplicitTerm::kNoMember;
  const MemberInfo& member = is_inner ? vk::Structs()[outer.type].members[term.inner] : outer;
  const uint32_t offset = outer.offset + (is_inner ? member.offset : 0);
  auto found = std::ranges::find(subjects_, offset, &Subject::offset);
  if (found == subjects_.end()) {
    subjects_.push_back({&outer, &member, offset, {}});
    found = subjects_.end() - 1;
    if (member.kind != MemberKind::kHandle) AddCandidates(*found, {0, 1});
    AddValuesOfType(*found);
  }
  constexpr uint64_t kTwoBits = 3;
  if (term.test == ExplicitTest::kSingleBit) AddCandidates(*found, {kTwoBits});
  for (const ExplicitOperand& operand : vk::Operands(term)) AddNear(*found, Number(operand));
  return static_cast<size_t>(found - subjects_.begin());
}

size_t RuleValues::AddMember(uint8_t index) {
  const MemberInfo& member = owner_.members[index];
  const auto found = std::ranges::find(subjects_, member.offset, &Subject::offset);
  if (found != subjects_.end()) return static_cast<size_t>(found - subjects_.begin());
  subjects_.push_back({&member, &member, member.offset, {0, 1, 2}});
  return subjects_.size() - 1;
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

bool RuleValues::Holds(const ExplicitTerm& term, uint64_t value) const {
  bool one_of = false;
  bool any = false;
  bool all = true;
  uint64_t known = 0;
  uint64_t number = 0;
  for (const ExplicitOperand& operand : vk::Operands(term)) {
    number = Number(operand);
    one_of |= value == number;
    any |= (value & number) != 0;
    all &= (value & number) != 0;
    known |= number;
  }
  switch (term.test) {
    case ExplicitTest::kOneOf:
      return one_of;
    case ExplicitTest::kNoneOf:
      return !one_of;
    case ExplicitTest::kAnyBits:
      return any;
    case ExplicitTest::kNoBits:
      return !any;
    case ExplicitTest::kOnlyBits:
      return (value | known) == known;
    case ExplicitTest::kNotAll:
      return !all;
    case ExplicitTest::kMultipleOf:
      return value / number * number == value;
    case ExplicitTest::kAtLeast:
      return value >= number;
    case ExplicitTest::kAtMost:
      return value <= number;
    case ExplicitTest::kBelow:
      return value < number;
    case ExplicitTest::kPowerOfTwo:
    case ExplicitTest::kSingleBit:
      return std::popcount(value) == 1;
    case ExplicitTest::kNoDynamicState:
    case ExplicitTest::kHasNoLink:
      return value != number;
    case ExplicitTest::kHasLink:
      return value == number;
    case ExplicitTest::kFormatKind:
      return (KindByName(value) & number) != 0;
  }
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
    const uint64_t added = added_[i] == kNone ? 0 : values[added_[i]];
    const bool holds = Holds(terms_[i], values[subject_of_[i]] + added);
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
