// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_RULE_VALUES_H_
#define ASSAY_STATELESS_TEST_CASES_RULE_VALUES_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "stateless/test_cases/subject.h"
#include "stateless/test_cases/test_capabilities.h"
#include "vk/enum_info.h"
#include "vk/rules/explicit_rule_info.h"
#include "vk/struct_info.h"

namespace assay::stateless {

// Test-only: values of the members that an explicit rule is about, and whether they keep the rule. This is decided
// without the code under test.
class RuleValues {
 public:
  // Values for all members.
  struct Combination {
    std::vector<uint64_t> values;
    // Whether all conditions hold.
    bool applies;
    // The requirements that do not hold, by their index. For a rule without requirements always { 0 }.
    std::vector<size_t> broken;
  };

  // The arguments must outlive this object.
  RuleValues(const vk::StructInfo& owner, const vk::ExplicitRuleInfo& rule, const TestCapabilities& capabilities)
      : owner_(owner), rule_(rule), capabilities_(capabilities) {
    terms_.assign(vk::Conditions(rule).begin(), vk::Conditions(rule).end());
    terms_.insert(terms_.end(), vk::Requirements(rule).begin(), vk::Requirements(rule).end());
    for (const vk::ExplicitTerm& term : terms_) {
      const bool has_place = term.test != vk::ExplicitTest::kNoLimit;
      subject_of_.push_back(has_place ? AddSubject(term.place) : kNone);
      if (has_place) AddCandidatesOf(term, subjects_[subject_of_.back()]);
      // Changing one half of a sum, or of a comparison, is enough to violate the rule.
      added_.push_back(term.has_plus() ? AddNumber(term.plus) : kNone);
      others_.push_back(term.has_other() ? AddNumber(term.other) : kNone);
    }
  }

  // Visits combinations, until one for which visit returns false.
  void ForEach(const std::function<bool(const Combination&)>& visit) const {
    std::vector<uint64_t> values(subjects_.size());
    Walk(0, values, visit);
  }

  // The members.
  const std::vector<Subject>& subjects() const { return subjects_; }
  // The conditions, then the requirements.
  const std::vector<vk::ExplicitTerm>& terms() const { return terms_; }
  // The number of requirements, and 1 for a rule without requirements.
  size_t requirement_count() const { return std::max<size_t>(rule_.requirement_count, 1); }

 private:
  static constexpr size_t kNone = ~size_t{0};

  size_t AddSubject(const vk::ExplicitPlace& place) {
    const vk::ExplicitTarget target = vk::TargetOf(owner_, rule_, place);
    const bool is_element = place.path[0] == vk::ExplicitPlace::kNoMember;
    const auto found = std::ranges::find_if(subjects_, [&](const Subject& subject) {
      return subject.offset == target.offset && subject.base == place.base;
    });
    if (found != subjects_.end()) return static_cast<size_t>(found - subjects_.begin());
    subjects_.push_back({target.member, target.info, target.offset, place.base, is_element, {}});
    return subjects_.size() - 1;
  }

  void AddCandidatesOf(const vk::ExplicitTerm& term, Subject& subject) {
    if (subject.candidates.empty()) {
      if (subject.member->kind != vk::MemberKind::kHandle) AddCandidates(subject, {0, 1});
      AddValuesOfType(subject);
    }
    constexpr uint64_t kTwoBits = 3;
    if (term.test == vk::ExplicitTest::kSingleBit) AddCandidates(subject, {kTwoBits});
    if (term.test == vk::ExplicitTest::kOnlyBits) AddCandidates(subject, {uint64_t{1} << 31});
    if (term.has_other()) AddCandidates(subject, {2});
    for (const vk::ExplicitOperand& operand : vk::Operands(term)) {
      if (term.test != vk::ExplicitTest::kOnlyBits) AddNear(subject, Number(operand));
    }
  }

  size_t AddNumber(const vk::ExplicitPlace& place) {
    const size_t subject = AddSubject(place);
    AddCandidates(subjects_[subject], {0, 1, 2});
    return subject;
  }

  static void AddCandidates(Subject& subject, std::initializer_list<uint64_t> values) {
    for (uint64_t value : values) {
      if (std::ranges::find(subject.candidates, value) == subject.candidates.end()) subject.candidates.push_back(value);
    }
  }

  // The values that the registry lists for the member's type.
  static void AddValuesOfType(Subject& subject) {
    const vk::MemberInfo& member = *subject.member;
    if (member.kind == vk::MemberKind::kHandle) AddCandidates(subject, {0, 0x1000});
    if ((member.kind != vk::MemberKind::kEnum && member.kind != vk::MemberKind::kFlags) || member.type == vk::kNoType)
      return;
    for (const vk::EnumValue& value : vk::GetEnumInfo(static_cast<vk::EnumId>(member.type)).values) {
      AddCandidates(subject, {static_cast<uint64_t>(value.value)});
    }
  }

  static void AddNear(Subject& subject, uint64_t operand) {
    const vk::MemberInfo& member = *subject.member;
    if (member.kind == vk::MemberKind::kFlags) {
      for (const uint64_t other : std::vector(subject.candidates)) AddCandidates(subject, {other | operand});
    }
    AddCandidates(subject, {operand});
    if (member.kind == vk::MemberKind::kValue || member.kind == vk::MemberKind::kDeviceAddress)
      AddCandidates(subject, {operand - 1, operand + 1, operand + 2});
  }

  uint64_t Number(const vk::ExplicitOperand& operand) const {
    return operand.limit == vk::ExplicitOperand::kNoLimit ? static_cast<uint64_t>(operand.value)
                                                          : *capabilities_.Limit(operand.limit);
  }

  // The format's kind, from its name.
  static uint64_t KindByName(uint64_t format) {
    const std::string_view name = vk::ToString(static_cast<VkFormat>(format));
    if (format == VK_FORMAT_UNDEFINED) return 0;
    const bool depth =
        absl::StrContains(name, "_D16") || absl::StrContains(name, "_D24") || absl::StrContains(name, "_D32");
    const bool stencil = absl::StrContains(name, "_S8_");
    return depth && stencil ? 8 : depth ? 2 : stencil ? 4 : 1;
  }

  bool Holds(size_t index, const std::vector<uint64_t>& values) const {
    const vk::ExplicitTerm& term = terms_[index];
    if (term.test == vk::ExplicitTest::kNoLimit) return true;
    const uint64_t value = values[subject_of_[index]] + (added_[index] == kNone ? 0 : values[added_[index]]);
    bool one_of = false, any = false, all = true;
    uint64_t known = 0, number = 0;
    const auto add = [&](uint64_t operand) {
      number = operand;
      one_of |= value == number;
      any |= (value & number) != 0;
      all &= (value & number) != 0;
      known |= number;
    };
    for (const vk::ExplicitOperand& operand : vk::Operands(term)) add(Number(operand));
    if (term.has_other()) add(values[others_[index]]);
    const bool is_signed = subjects_[subject_of_[index]].member->type_name.starts_with("int");
    const auto is_less = [&](uint64_t a, uint64_t b) {
      return is_signed ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
    };
    const auto is = [&](vk::ExplicitTest test) { return term.test == test; };
    if (is(vk::ExplicitTest::kOneOf)) return one_of;
    if (is(vk::ExplicitTest::kNoneOf)) return !one_of;
    if (is(vk::ExplicitTest::kAnyBits)) return any;
    if (is(vk::ExplicitTest::kNoBits)) return !any;
    if (is(vk::ExplicitTest::kOnlyBits)) return (value | known) == known;
    if (is(vk::ExplicitTest::kNotAll)) return !all;
    if (is(vk::ExplicitTest::kMultipleOf)) return value / number * number == value;
    if (is(vk::ExplicitTest::kAtLeast)) return !is_less(value, number);
    if (is(vk::ExplicitTest::kAtMost)) return !is_less(number, value);
    if (is(vk::ExplicitTest::kBelow)) return is_less(value, number);
    if (is(vk::ExplicitTest::kPowerOfTwo) || is(vk::ExplicitTest::kSingleBit)) return std::popcount(value) == 1;
    if (is(vk::ExplicitTest::kNoDynamicState) || is(vk::ExplicitTest::kHasNoLink)) return value != number;
    if (is(vk::ExplicitTest::kHasLink)) return value == number;
    if (is(vk::ExplicitTest::kFormatKind)) return (KindByName(value) & number) != 0;
    return false;
  }

  // False when visit returned false.
  bool Walk(size_t subject, std::vector<uint64_t>& values, const std::function<bool(const Combination&)>& visit) const {
    if (subject == subjects_.size()) return visit(Judge(values));
    for (const uint64_t candidate : subjects_[subject].candidates) {
      values[subject] = candidate;
      if (!Walk(subject + 1, values, visit)) return false;
    }
    return true;
  }

  Combination Judge(const std::vector<uint64_t>& values) const {
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

  const vk::StructInfo& owner_;
  const vk::ExplicitRuleInfo& rule_;
  const TestCapabilities& capabilities_;
  std::vector<vk::ExplicitTerm> terms_;
  // For each term: its subject, the subject that is added, and that which is the operand.
  std::vector<size_t> subject_of_;
  std::vector<size_t> added_;
  std::vector<size_t> others_;
  std::vector<Subject> subjects_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_RULE_VALUES_H_
