// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/explicit/fast_path_rules.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

using vk::ExplicitTest;
using vk::Load;

uint64_t AllBits(uint8_t size) { return size == 4 ? ~uint32_t{0} : ~uint64_t{0}; }

}  // namespace

bool QuickClaim::Holds(const void* structure) const {
  const uint64_t value = size == 4 ? Load<uint32_t>(structure, offset) : Load<uint64_t>(structure, offset);
  return ((value & forbidden) == 0 || (value & only_with) == 0) && !(is_not_zero && value == 0) && value <= most;
}

QuickRules::Test QuickRules::Simplify(const ExplicitStep& step, std::span<const uint64_t> values) {
  Test test{.size = step.size, .offset = step.offset, .operand = step.operand, .step = step};
  if (step.plus_size != 0 || (step.size != 4 && step.size != 8)) return test;
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
      if (!is_listable) return test;
      test.form = step.test == ExplicitTest::kOneOf ? Form::kIsOneOf : Form::kIsNoneOf;
      test.operand = as_bits();
      return test;
    default:
      return test;
  }
}

// "If size is not VK_WHOLE_SIZE, it must be greater than 0": so must VK_WHOLE_SIZE, which it is.
bool QuickRules::IsNeedless(const Test& condition, const Test& claim, std::span<const uint64_t> values) {
  const ExplicitStep& step = condition.step;
  if (step.test != ExplicitTest::kNoneOf || claim.form != Form::kAtLeast) return false;
  const bool same = step.offset == claim.offset && step.size == claim.size && step.plus_size == 0;
  return same && std::ranges::all_of(values.subspan(step.first_value, step.value_count),
                                     [&](uint64_t value) { return value >= claim.operand; });
}

// With some bits of a number of 32 bits, none of some others.
bool QuickRules::AddExclusion(const Test& condition, const Test& claim) {
  if (condition.form != Form::kAnyBits || claim.form != Form::kNoBits || condition.offset != claim.offset ||
      condition.size != claim.size || claim.size != sizeof(uint32_t)) {
    return false;
  }
  claims_.push_back(
      {.offset = claim.offset, .size = claim.size, .forbidden = claim.operand, .only_with = condition.operand});
  return true;
}

bool QuickRules::AddClaim(const Test& test, bool is_condition) {
  QuickClaim claim{.offset = test.offset, .size = test.size};
  if (test.form == (is_condition ? Form::kAnyBits : Form::kNoBits)) {
    claim.forbidden = test.operand;
  } else if (is_condition) {
    return false;
  } else if ((test.form == Form::kAtLeast || test.form == Form::kIsNoneOf) && test.operand == 1) {
    claim.is_not_zero = true;
  } else if (test.form == Form::kAtMost) {
    claim.most = test.operand;
  } else {
    return false;
  }
  claims_.push_back(claim);
  return true;
}

void QuickRules::Add(Steps conditions, Steps claims, std::span<const uint64_t> values) {
  std::vector<Test> claimed;
  for (const ExplicitStep& step : claims) {
    if (step.test != ExplicitTest::kHasNoLink) claimed.push_back(Simplify(step, values));
  }
  if (claimed.empty() && !claims.empty()) return;
  std::vector<Test> required;
  for (const ExplicitStep& step : conditions) {
    if (step.test == ExplicitTest::kHasLink) return;
    if (step.test == ExplicitTest::kHasNoLink) continue;
    const Test test = Simplify(step, values);
    const auto makes_needless = [&](const Test& claim) { return IsNeedless(test, claim, values); };
    if (claimed.empty() || !std::ranges::all_of(claimed, makes_needless)) required.push_back(test);
  }
  if (required.size() == 1 && claimed.size() == 1 && AddExclusion(required[0], claimed[0])) return;
  if (required.size() + claimed.size() == 1) {
    const bool is_condition = claimed.empty();
    if (AddClaim(is_condition ? required[0] : claimed[0], is_condition)) return;
  }
  const auto first = static_cast<uint32_t>(tests_.size());
  const auto claims_at = static_cast<uint32_t>(first + required.size());
  const auto end = static_cast<uint32_t>(claims_at + claimed.size());
  rules_.push_back({first, claims_at, end});
  tests_.insert(tests_.end(), required.begin(), required.end());
  tests_.insert(tests_.end(), claimed.begin(), claimed.end());
}

void QuickRules::Arrange() {
  std::vector<Rule> pending = std::move(rules_);
  rules_.clear();
  const auto is_gate = [&](const Rule& rule) {
    if (rule.first == rule.claims) return false;
    const Form form = tests_[rule.first].form;
    return form == Form::kAnyBits || form == Form::kIsOneOf;
  };
  while (!pending.empty()) {
    Gate gate{.first = static_cast<uint32_t>(rules_.size())};
    const Rule front = pending.front();
    gate.has_test = is_gate(front);
    if (gate.has_test) gate.test = tests_[front.first];
    std::erase_if(pending, [&](const Rule& rule) {
      if (is_gate(rule) != gate.has_test) return false;
      if (gate.has_test) {
        const Test& test = tests_[rule.first];
        if (test.offset != gate.test.offset || test.size != gate.test.size || test.form != gate.test.form) return false;
        gate.test.operand |= test.operand;
      }
      rules_.push_back(rule);
      return true;
    });
    gate.end = static_cast<uint32_t>(rules_.size());
    gates_.push_back(gate);
  }
}

}  // namespace assay::stateless
