// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/explicit/fast_path_rules.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

using vk::ExplicitTest;
using vk::Load;

uint64_t AllBits(uint8_t size) { return size == 4 ? ~uint32_t{0} : ~uint64_t{0}; }

// Whether a step about a link alone holds; nothing for any other step.
std::optional<bool> Decide(const ExplicitStep& step, FastPathRules::HasLink has_link) {
  const auto type = static_cast<VkStructureType>(step.operand);
  if (step.test == ExplicitTest::kHasLink) return has_link(type);
  if (step.test == ExplicitTest::kHasNoLink) return !has_link(type);
  return std::nullopt;
}

}  // namespace

bool FastPathRequirement::Holds(const void* structure) const {
  const uint64_t value = size == 4 ? Load<uint32_t>(structure, offset) : Load<uint64_t>(structure, offset);
  return ((value & forbidden) == 0 || (value & only_with) == 0) && !(is_not_zero && value == 0) && value <= most;
}

FastPathRules::Test FastPathRules::Simplify(const ExplicitStep& step, std::span<const uint64_t> values,
                                            HasLink has_link) {
  Test test{.size = step.size, .offset = step.offset, .operand = step.operand, .step = step};
  if (step.plus.size != 0 || step.other.size != 0 || (step.size != 4 && step.size != 8)) return test;
  if (step.replaced_by != VK_STRUCTURE_TYPE_MAX_ENUM && has_link(step.replaced_by)) return test;
  const std::span<const uint64_t> list = values.subspan(step.first_value, step.value_count);
  const bool is_listable = std::ranges::all_of(list, [](uint64_t value) { return value < 64; });
  const auto as_bits = [&] {
    uint64_t bits = 0;
    for (const uint64_t value : list) bits |= uint64_t{1} << value;
    return bits;
  };
  switch (step.test) {
    case ExplicitTest::kAnyBits:
      test.form = Form::kAnyBits;
      return test;
    case ExplicitTest::kNoBits:
      test.form = Form::kNoBits;
      return test;
    case ExplicitTest::kOnlyBits:
      test.form = Form::kNoBits;
      test.operand = ~step.operand & AllBits(step.size);
      return test;
    case ExplicitTest::kNotAll:
      test.form = Form::kNotAll;
      return test;
    case ExplicitTest::kMultipleOf:
      if (!std::has_single_bit(step.operand)) return test;
      test.form = Form::kNoBits;
      test.operand = step.operand - 1;
      return test;
    case ExplicitTest::kAtLeast:
    case ExplicitTest::kAtMost:
    case ExplicitTest::kBelow:
      if (step.is_signed) return test;
      test.form = step.test == ExplicitTest::kAtLeast  ? Form::kAtLeast
                  : step.test == ExplicitTest::kAtMost ? Form::kAtMost
                                                       : Form::kBelow;
      return test;
    case ExplicitTest::kOneOf:
    case ExplicitTest::kNoneOf:
      if (list.size() == 1 && list[0] >= 64 && !step.is_signed) {
        test.form = step.test == ExplicitTest::kOneOf ? Form::kIs : Form::kIsNot;
        return test;
      }
      if (!is_listable) return test;
      test.form = step.test == ExplicitTest::kOneOf ? Form::kIsOneOf : Form::kIsNoneOf;
      test.operand = as_bits();
      return test;
    default:
      return test;
  }
}

bool FastPathRules::AcceptsDynamicStates(const void* structure) const {
  const auto* const dynamic = Load<const VkPipelineDynamicStateCreateInfo*>(structure, states_offset_);
  if (!vk::IsAddress(dynamic) || !vk::IsAddress(dynamic->pDynamicStates)) return true;
  const std::span states(dynamic->pDynamicStates, dynamic->dynamicStateCount);
  return std::ranges::none_of(states, [&](VkDynamicState state) {
    const auto value = static_cast<uint32_t>(state);
    return value >= states_.front() && std::ranges::binary_search(states_, value);
  });
}

// In "If size is not VK_WHOLE_SIZE, it must be greater than 0" the condition is needless: VK_WHOLE_SIZE is greater too.
bool FastPathRules::IsNeedless(const Test& condition, const Test& requirement, std::span<const uint64_t> values) {
  const ExplicitStep& step = condition.step;
  if (step.test != ExplicitTest::kNoneOf || requirement.form != Form::kAtLeast) return false;
  const bool same = step.offset == requirement.offset && step.size == requirement.size && step.plus.size == 0;
  return same && std::ranges::all_of(values.subspan(step.first_value, step.value_count),
                                     [&](uint64_t value) { return value >= requirement.operand; });
}

// A rule about 32 bits: some bits exclude some other bits.
bool FastPathRules::AddExclusion(const Test& condition, const Test& requirement) {
  if (condition.form != Form::kAnyBits || requirement.form != Form::kNoBits || condition.offset != requirement.offset ||
      condition.size != requirement.size || requirement.size != sizeof(uint32_t)) {
    return false;
  }
  requirements_.push_back({.offset = requirement.offset,
                           .size = requirement.size,
                           .forbidden = requirement.operand,
                           .only_with = condition.operand});
  return true;
}

bool FastPathRules::AddRequirement(const Test& test, bool is_condition) {
  FastPathRequirement requirement{.offset = test.offset, .size = test.size};
  if (test.form == (is_condition ? Form::kAnyBits : Form::kNoBits)) {
    requirement.forbidden = test.operand;
  } else if (!is_condition && (test.form == Form::kAtLeast || test.form == Form::kIsNoneOf) && test.operand == 1) {
    requirement.is_not_zero = true;
  } else if (!is_condition && test.form == Form::kAtMost) {
    requirement.most = test.operand;
  } else if (!is_condition && test.form == Form::kBelow && test.operand != 0) {
    requirement.most = test.operand - 1;
  } else if (!is_condition && test.form == Form::kNotAll && std::popcount(test.operand) == 2 && test.size == 4) {
    requirement.only_with = test.operand & (test.operand - 1);
    requirement.forbidden = test.operand & ~requirement.only_with;
  } else {
    return false;
  }
  requirements_.push_back(requirement);
  return true;
}

void FastPathRules::Add(Steps conditions, Steps requirements, std::span<const uint64_t> values, HasLink has_link) {
  if (conditions.empty() && requirements.size() == 1 && requirements[0].test == ExplicitTest::kNoDynamicState &&
      (states_.empty() || states_offset_ == requirements[0].offset)) {
    states_.push_back(static_cast<uint32_t>(requirements[0].operand));
    states_offset_ = requirements[0].offset;
    return;
  }
  std::vector<Test> requirement_tests;
  for (const ExplicitStep& step : requirements) {
    if (Decide(step, has_link) != true) requirement_tests.push_back(Simplify(step, values, has_link));
  }
  if (requirement_tests.empty() && !requirements.empty()) return;
  std::vector<Test> condition_tests;
  for (const ExplicitStep& step : conditions) {
    const std::optional<bool> holds = Decide(step, has_link);
    if (holds == false) return;
    if (holds == true) continue;
    const Test test = Simplify(step, values, has_link);
    const auto makes_needless = [&](const Test& requirement) { return IsNeedless(test, requirement, values); };
    if (requirement_tests.empty() || !std::ranges::all_of(requirement_tests, makes_needless))
      condition_tests.push_back(test);
  }
  if (condition_tests.size() == 1 && requirement_tests.size() == 1 &&
      AddExclusion(condition_tests[0], requirement_tests[0]))
    return;
  if (condition_tests.size() == 1 && requirement_tests.empty() && AddRequirement(condition_tests[0], true)) return;
  if (condition_tests.empty() && !requirement_tests.empty()) {
    std::erase_if(requirement_tests, [&](const Test& test) { return AddRequirement(test, false); });
    if (requirement_tests.empty()) return;
  }
  const auto first = static_cast<uint32_t>(tests_.size());
  const auto requirements_at = static_cast<uint32_t>(first + condition_tests.size());
  const auto end = static_cast<uint32_t>(requirements_at + requirement_tests.size());
  rules_.push_back({first, requirements_at, end});
  tests_.insert(tests_.end(), condition_tests.begin(), condition_tests.end());
  tests_.insert(tests_.end(), requirement_tests.begin(), requirement_tests.end());
}

void FastPathRules::Arrange() {
  std::ranges::sort(states_);
  std::vector<Rule> pending = std::move(rules_);
  rules_.clear();
  const auto can_group = [&](const Rule& rule) {
    if (rule.first == rule.requirements) return false;
    const Form form = tests_[rule.first].form;
    return form == Form::kAnyBits || form == Form::kIsOneOf;
  };
  while (!pending.empty()) {
    ConditionGroup group{.first = static_cast<uint32_t>(rules_.size())};
    const Rule front = pending.front();
    group.has_test = can_group(front);
    if (group.has_test) group.test = tests_[front.first];
    std::erase_if(pending, [&](const Rule& rule) {
      if (can_group(rule) != group.has_test) return false;
      if (group.has_test) {
        const Test& test = tests_[rule.first];
        if (test.offset != group.test.offset || test.size != group.test.size || test.form != group.test.form)
          return false;
        group.test.operand |= test.operand;
      }
      rules_.push_back(rule);
      return true;
    });
    group.end = static_cast<uint32_t>(rules_.size());
    groups_.push_back(group);
  }
}

}  // namespace assay::stateless
