// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_FAST_PATH_RULES_H_
#define ASSAY_STATELESS_EXPLICIT_FAST_PATH_RULES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "stateless/explicit/explicit_step.h"
#include "vk/vulkan.h"
#include "vk/walk/load_store.h"

// The explicit rules of one structure or command, compiled to find fast that none is violated. Which of the links that
// the rules ask about are in its pNext chain is known, so conditions about the chain are decided. A rule that requires
// one thing of one number is a requirement, which the fast path checks with its own steps. The other rules are grouped
// by their first condition, which mostly does not hold.
namespace assay::stateless {

// The requirement of a rule without conditions on one number of 4 or 8 bytes.
struct FastPathRequirement {
  uint32_t offset = 0;
  uint8_t size = 0;
  // Bits that it must not have along with any of some others; whether it must not be 0; what it must not exceed.
  uint64_t forbidden = 0;
  uint64_t only_with = ~uint64_t{0};
  bool is_not_zero = false;
  uint64_t most = ~uint64_t{0};

  bool Holds(const void* structure) const;
};

class FastPathRules {
 public:
  // One rule: its conditions and then its requirements.
  using Steps = std::span<const ExplicitStep>;
  // Whether a structure of the type is in the chain.
  using HasLink = absl::FunctionRef<bool(VkStructureType)>;
  // values has the lists of steps.
  void Add(Steps conditions, Steps requirements, std::span<const uint64_t> values, HasLink has_link);
  // To be called after the last.
  void Arrange();

  std::span<const FastPathRequirement> requirements() const { return requirements_; }
  bool HasOtherRules() const { return !groups_.empty() || !states_.empty(); }
  // Whether what is not among the requirements holds. full decides steps that are not simple.
  template <class F>
  bool AcceptsOtherRules(const void* structure, const F& full) const {
    if (!states_.empty() && !AcceptsDynamicStates(structure)) return false;
    for (const ConditionGroup& group : groups_) {
      if (group.has_test && !HoldsSimply(group.test, structure)) continue;
      for (uint32_t i = group.first; i < group.end; ++i) {
        if (!AcceptsRule(rules_[i], structure, full)) return false;
      }
    }
    return true;
  }

 private:
  enum class Form : uint8_t {
    kAnyBits,
    kNoBits,
    kNotAll,
    kAtLeast,
    kAtMost,
    kBelow,
    kIs,
    kIsNot,
    kIsOneOf,
    kIsNoneOf,
    kFull
  };
  struct Test {
    Form form = Form::kFull;
    uint8_t size = 0;
    uint32_t offset = 0;
    // kIsOneOf, kIsNoneOf: a bit for each value below 64.
    uint64_t operand = 0;
    ExplicitStep step;
  };
  struct Rule {
    uint32_t first = 0;
    uint32_t requirements = 0;
    uint32_t end = 0;
  };
  // Rules whose first condition is alike.
  struct ConditionGroup {
    Test test;
    bool has_test = false;
    uint32_t first = 0;
    uint32_t end = 0;
  };

  static bool HoldsSimply(const Test& test, const void* structure) {
    const uint64_t value =
        test.size == 4 ? vk::Load<uint32_t>(structure, test.offset) : vk::Load<uint64_t>(structure, test.offset);
    switch (test.form) {
      case Form::kAnyBits:
        return (value & test.operand) != 0;
      case Form::kNoBits:
        return (value & test.operand) == 0;
      case Form::kNotAll:
        return (value & test.operand) != test.operand;
      case Form::kAtLeast:
        return value >= test.operand;
      case Form::kAtMost:
        return value <= test.operand;
      case Form::kBelow:
        return value < test.operand;
      case Form::kIs:
        return value == test.operand;
      case Form::kIsNot:
        return value != test.operand;
      case Form::kIsOneOf:
        return value < 64 && (test.operand >> value & 1) != 0;
      case Form::kIsNoneOf:
        return value >= 64 || (test.operand >> value & 1) == 0;
      case Form::kFull:
        break;
    }
    return false;
  }
  template <class F>
  bool Holds(const Test& test, const void* structure, const F& full) const {
    return test.form == Form::kFull ? full(test.step) : HoldsSimply(test, structure);
  }
  template <class F>
  bool AcceptsRule(const Rule& rule, const void* structure, const F& full) const {
    for (uint32_t i = rule.first; i < rule.requirements; ++i) {
      if (!Holds(tests_[i], structure, full)) return true;
    }
    for (uint32_t i = rule.requirements; i < rule.end; ++i) {
      if (!Holds(tests_[i], structure, full)) return false;
    }
    return rule.requirements != rule.end;
  }

  static Test Simplify(const ExplicitStep& step, std::span<const uint64_t> values, HasLink has_link);
  bool AcceptsDynamicStates(const void* structure) const;
  static bool IsNeedless(const Test& condition, const Test& requirement, std::span<const uint64_t> values);
  bool AddExclusion(const Test& condition, const Test& requirement);
  bool AddRequirement(const Test& test, bool is_condition);

  std::vector<FastPathRequirement> requirements_;
  std::vector<ConditionGroup> groups_;
  std::vector<Rule> rules_;
  std::vector<Test> tests_;
  // Rules that forbid a state in the VkPipelineDynamicStateCreateInfo that a pointer leads to: the states, sorted, and
  // the pointer's offset.
  std::vector<uint32_t> states_;
  uint32_t states_offset_ = 0;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_FAST_PATH_RULES_H_
