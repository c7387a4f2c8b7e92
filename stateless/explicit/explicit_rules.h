// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_EXPLICIT_RULES_H_
#define ASSAY_STATELESS_EXPLICIT_EXPLICIT_RULES_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "stateless/explicit/device_capabilities.h"
#include "stateless/explicit/explicit_step.h"
#include "stateless/explicit/fast_path_rules.h"
#include "stateless/implicit/path.h"
#include "stateless/implicit/reports.h"
#include "stateless/manual/manual_rules.h"
#include "vk/command_id.h"
#include "vk/rules/explicit_rule_info.h"
#include "vk/struct_info.h"

namespace assay::stateless {

// A rule that applies on this device. Its steps are the conditions, then the requirements.
struct ExplicitCheck {
  const vk::ExplicitRuleInfo* rule;
  uint32_t first_step;
};

// The explicit rules that apply on one device: those of vk/rules/explicit_rule_info.h, with the device's numbers in
// them, and those of written/manual_rules.h. Rules that the enabled features decide are left out and cost nothing.
class ExplicitRules {
 public:
  // capabilities must outlive the rules. leave_out is for tests: rules for which it is true are not checked.
  using LeaveOut = std::function<bool(vk::VuidIndex)>;
  explicit ExplicitRules(const DeviceCapabilities& capabilities, const LeaveOut& leave_out = {});

  bool HasAny(vk::CommandId command) const { return commands_[static_cast<size_t>(command)].HasAny(); }

  // For the fast path, and structures without a pNext chain: the requirements that the fast path checks itself, and
  // whether all other rules hold. type is the structure's index in Structs().
  std::span<const FastPathRequirement> Requirements(vk::TypeIndex type) const {
    return structs_[type].fast_path.requirements();
  }
  bool HasOtherRules(vk::TypeIndex type) const { return structs_[type].HasOtherRules(); }
  bool AcceptsOtherRules(vk::TypeIndex type, const void* structure) const {
    return AcceptsOtherRules(structs_[type], structure);
  }

  // Reports the violations in one structure. where is the path to it.
  void Check(const vk::StructInfo& info, const void* structure, const Step* where, const CheckedCall& call) const {
    const Rules& rules = structs_[static_cast<size_t>(&info - vk::Structs().data())];
    if (rules.HasAny()) Check(rules, info, structure, where, call);
  }
  // The same for the parameters of the call's command.
  void CheckCommand(const CheckedCall& call) const;

 private:
  // Of one structure or command.
  struct Rules {
    // Of checks_.
    uint32_t first = 0;
    uint32_t count = 0;
    ManualCheck manual = nullptr;
    FastPathRules fast_path;

    bool HasAny() const { return count != 0 || manual != nullptr; }
    bool HasOtherRules() const { return fast_path.HasOtherRules() || manual != nullptr; }
  };
  class Context;
  class SilentContext;

  Rules Compile(std::string_view owner, const vk::StructInfo& info, std::span<const vk::ExplicitRuleInfo> rules);
  // False when the device does not know an operand.
  bool CompileTerm(const vk::StructInfo& info, const vk::ExplicitTerm& term);
  bool AcceptsOtherRules(const Rules& rules, const void* structure) const;
  void Check(const Rules& rules, const vk::StructInfo& info, const void* structure, const Step* where,
             const CheckedCall& call) const;
  bool Holds(const ExplicitStep& step, const void* structure) const;

  const DeviceCapabilities& capabilities_;
  const LeaveOut leave_out_;
  std::vector<ExplicitStep> steps_;
  std::vector<uint64_t> values_;
  std::vector<ExplicitCheck> checks_;
  std::vector<Rules> structs_;
  std::vector<Rules> commands_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_EXPLICIT_RULES_H_
