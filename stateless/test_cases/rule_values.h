// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_RULE_VALUES_H_
#define ASSAY_STATELESS_TEST_CASES_RULE_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include "stateless/test_cases/subject.h"
#include "stateless/test_cases/test_capabilities.h"
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
  RuleValues(const vk::StructInfo& owner, const vk::ExplicitRuleInfo& rule, const TestCapabilities& capabilities);

  // Visits combinations, until one for which visit returns false.
  void ForEach(const std::function<bool(const Combination&)>& visit) const;

  // The members.
  const std::vector<Subject>& subjects() const { return subjects_; }
  // The conditions, then the requirements.
  const std::vector<vk::ExplicitTerm>& terms() const { return terms_; }
  // The number of requirements, and 1 for a rule without requirements.
  size_t requirement_count() const;

 private:
  static constexpr size_t kNone = ~size_t{0};

  size_t AddSubject(const vk::ExplicitPlace& place);
  void AddCandidatesOf(const vk::ExplicitTerm& term, Subject& subject);
  size_t AddNumber(const vk::ExplicitPlace& place);
  static void AddCandidates(Subject& subject, std::initializer_list<uint64_t> values);
  static void AddValuesOfType(Subject& subject);
  static void AddNear(Subject& subject, uint64_t operand);
  uint64_t Number(const vk::ExplicitOperand& operand) const;
  bool Holds(size_t term, const std::vector<uint64_t>& values) const;
  bool Walk(size_t subject, std::vector<uint64_t>& values, const std::function<bool(const Combination&)>& visit) const;
  Combination Judge(const std::vector<uint64_t>& values) const;

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
