// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_EXPLICIT_RULES_H_
#define ASSAY_STATELESS_EXPLICIT_EXPLICIT_RULES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "stateless/explicit/device_capabilities.h"
#include "stateless/explicit/explicit_bases.h"
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
// them, and those of manual/manual_rules.h. Rules that the enabled features decide are left out and cost nothing.
//
// The rules of a structure or command are compiled when they are first needed, by any thread: a program uses a small
// part of Vulkan, and a device is made quickly. So are those of a structure with a pNext chain, for each set of links
// that its rules ask about; a program uses few of them.
class ExplicitRules {
 public:
  // capabilities must outlive the rules. leave_out is for tests: rules for which it is true are not checked.
  using LeaveOut = std::function<bool(vk::VuidIndex)>;
  explicit ExplicitRules(const DeviceCapabilities& capabilities, const LeaveOut& leave_out = {});

  // Whether any rule of the command's own parameters may apply. Compiles nothing.
  bool MayHaveAny(vk::CommandId command) const;

  // For the fast path, and structures without a pNext chain: the requirements that the fast path checks itself, and
  // whether all other rules hold. type is the structure's index in Structs().
  std::span<const FastPathRequirement> Requirements(vk::TypeIndex type) const {
    return OfStruct(type).fast_path.requirements();
  }
  bool HasOtherRules(vk::TypeIndex type) const { return OfStruct(type).HasOtherRules(); }
  bool AcceptsOtherRules(vk::TypeIndex type, const void* structure) const {
    return AcceptsOtherRules(OfStruct(type), structure);
  }
  // Whether all rules hold for a structure with a pNext chain of valid addresses.
  bool AcceptsWithChain(vk::TypeIndex type, const void* structure) const;

  // Reports the violations in one structure. where is the path to it.
  void Check(const vk::StructInfo& info, const void* structure, const Step* where, const CheckedCall& call) const {
    const auto type = static_cast<vk::TypeIndex>(&info - vk::Structs().data());
    const Rules& rules = OfStruct(type);
    if (!rules.HasAny()) return;
    const bool is_accepted = HasChain(info, structure) ? AcceptsWithChain(type, structure) : Accepts(rules, structure);
    if (!is_accepted) Check(rules, info, structure, where, call);
  }
  // The same for the parameters of the call's command.
  void CheckCommand(const CheckedCall& call) const;

 private:
  // Of one structure or command.
  struct Rules {
    std::vector<ExplicitStep> steps;
    // The lists of steps.
    std::vector<uint64_t> values;
    std::vector<ExplicitCheck> checks;
    // Checks of rules with hops, and what they start from.
    std::vector<ExplicitCheck> walks;
    const vk::StructInfo* owner = nullptr;
    ManualCheck manual = nullptr;
    // Without a pNext chain.
    FastPathRules fast_path;
    // The types of links that the rules ask about.
    std::vector<VkStructureType> links;

    bool HasAny() const { return !checks.empty() || !walks.empty() || manual != nullptr; }
    bool HasOtherRules() const { return fast_path.HasOtherRules() || !walks.empty() || manual != nullptr; }
  };
  // Of one structure whose chain has certain ones of Rules::links: a bit for each.
  struct ChainedRules {
    uint64_t present = 0;
    FastPathRules fast_path;
    // Of the same structure.
    const ChainedRules* next = nullptr;
  };
  class Context;
  class SilentContext;

  // type is an index into Structs().
  const Rules& OfStruct(size_t type) const {
    const Rules* const rules = structs_[type].load(std::memory_order_acquire);
    return rules != nullptr ? *rules : CompileStruct(type);
  }
  const Rules& OfCommand(vk::CommandId command) const {
    const Rules* const rules = commands_[static_cast<size_t>(command)].load(std::memory_order_acquire);
    return rules != nullptr ? *rules : CompileCommand(command);
  }
  // Whether the device's features leave the rule to be checked.
  bool Counts(const vk::ExplicitRuleInfo& rule) const;
  const Rules& CompileStruct(size_t type) const;
  const Rules& CompileCommand(vk::CommandId command) const;
  Rules Compile(std::string_view owner, const vk::StructInfo& info, std::span<const vk::ExplicitRuleInfo> rules) const;
  // False when the device does not know an operand, or the rule is not about it.
  bool CompileTerm(const vk::StructInfo& info, const vk::ExplicitRuleInfo& rule, const vk::ExplicitTerm& term,
                   Rules& rules) const;
  // Keeps the rules and lets other threads see them, unless another thread did so meanwhile.
  const Rules& Publish(Rules compiled, std::atomic<const Rules*>& place) const;
  static bool HasChain(const vk::StructInfo& info, const void* structure) {
    return info.structure_type != VK_STRUCTURE_TYPE_MAX_ENUM &&
           static_cast<const VkBaseInStructure*>(structure)->pNext != nullptr;
  }
  // Whether all rules hold for a structure without a pNext chain, or parameters.
  bool Accepts(const Rules& rules, const void* structure) const {
    return Accepts(rules, rules.fast_path, structure) && AcceptsManual(rules, structure);
  }
  // Compiles the rules of the structure without a chain, or with one that has the links of present.
  static FastPathRules CompileFastPath(const Rules& rules, uint64_t present);
  const ChainedRules& CompileChained(vk::TypeIndex type, uint64_t present) const;
  static uint64_t PresentLinks(const Rules& rules, const void* structure);
  // Whether what fast_path, which is of the rules, has compiled holds.
  static bool Accepts(const Rules& rules, const FastPathRules& fast_path, const void* structure);
  static bool AcceptsOtherRules(const Rules& rules, const FastPathRules& fast_path, const void* structure);
  bool AcceptsManual(const Rules& rules, const void* structure) const;
  bool AcceptsOtherRules(const Rules& rules, const void* structure) const {
    return AcceptsOtherRules(rules, rules.fast_path, structure) && AcceptsManual(rules, structure);
  }
  // The first requirement that does not hold, of a rule that is violated; null for one without requirements. Nothing if
  // the rule holds.
  static std::optional<const ExplicitStep*> FindBroken(const Rules& rules, const ExplicitCheck& check,
                                                       const ExplicitBases& bases);
  static bool AcceptsWalks(const Rules& rules, const void* structure);
  // Reports the violation, if there is one. False if it is not about the element to which the last hop leads.
  bool CheckRule(const Rules& rules, const ExplicitCheck& check, const ExplicitBases& bases, const Step* where,
                 const CheckedCall& call) const;
  void Check(const Rules& rules, const vk::StructInfo& info, const void* structure, const Step* where,
             const CheckedCall& call) const;
  static bool Holds(const Rules& rules, const ExplicitStep& step, const ExplicitBases& bases);

  const DeviceCapabilities& capabilities_;
  const LeaveOut leave_out_;
  // Null until compiled.
  mutable std::vector<std::atomic<const Rules*>> structs_;
  mutable std::vector<std::atomic<const Rules*>> commands_;
  // The first of each list.
  mutable std::vector<std::atomic<const ChainedRules*>> chained_;
  mutable absl::Mutex mutex_;
  // What has been compiled; nothing moves.
  mutable std::deque<Rules> compiled_ ABSL_GUARDED_BY(mutex_);
  mutable std::deque<ChainedRules> compiled_chained_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_EXPLICIT_RULES_H_
