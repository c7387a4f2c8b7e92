// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/explicit/explicit_rules.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "absl/log/absl_check.h"
#include "stateless/explicit/dynamic_state.h"
#include "stateless/explicit/explicit_reports.h"
#include "vk/command_info.h"
#include "vk/format_info.h"
#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

using vk::ExplicitTest;
using vk::IsAddress;
using vk::Load;
using vk::MemberInfo;

bool HasDynamicState(const void* pointer, uint64_t state) {
  const auto* dynamic = static_cast<const VkPipelineDynamicStateCreateInfo*>(pointer);
  if (!IsAddress(dynamic) || !IsAddress(dynamic->pDynamicStates)) return false;
  return std::ranges::count(std::span(dynamic->pDynamicStates, dynamic->dynamicStateCount),
                            static_cast<VkDynamicState>(state)) != 0;
}

uint8_t KindOf(uint64_t format) {
  const vk::FormatInfo* info = vk::GetFormatInfo(static_cast<VkFormat>(format));
  if (info == nullptr) return 0;
  constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  switch (info->aspects & kBoth) {
    case 0:
      return vk::kColorFormat;
    case VK_IMAGE_ASPECT_DEPTH_BIT:
      return vk::kDepthFormat;
    case VK_IMAGE_ASPECT_STENCIL_BIT:
      return vk::kStencilFormat;
    default:
      return vk::kDepthStencilFormat;
  }
}

// A mask has a bit for each link that rules ask about. No structure's rules ask about nearly as many.
constexpr size_t kMaxLinks = 64;

bool IsOfList(ExplicitTest test) { return test == ExplicitTest::kOneOf || test == ExplicitTest::kNoneOf; }

}  // namespace

// The context of a manual rule, for one structure.
class ExplicitRules::Context : public RuleContext {
 public:
  Context(const ExplicitRules& rules, const Step* where, const CheckedCall& call)
      : rules_(rules), where_(where), call_(call) {}

  const VkPhysicalDeviceLimits& limits() const override { return rules_.capabilities_.CoreLimits(); }
  bool HasFeature(vk::FeatureId feature) const override { return rules_.capabilities_.HasFeature(feature); }
  bool HasExtension(vk::ExtensionId extension) const override { return rules_.capabilities_.HasExtension(extension); }
  void Report(vk::VuidIndex vuid, std::initializer_list<RulePart> path, std::string text,
              std::string fix) const override {
    if (rules_.leave_out_ && rules_.leave_out_(vuid)) return;
    if (!call_.report.reporter().IsEnabledFor(messages::Severity::kError)) return;
    ReportAt(vuid, where_, path.begin(), path.end(), std::move(text), std::move(fix));
  }

 private:
  void ReportAt(vk::VuidIndex vuid, const Step* where, const RulePart* part, const RulePart* end, std::string text,
                std::string fix) const {
    if (part == end) {
      ReportRule(call_, vuid, where, std::move(text), std::move(fix));
      return;
    }
    const Step step{where, part->member, {}, part->index};
    ReportAt(vuid, &step, part + 1, end, std::move(text), std::move(fix));
  }

  const ExplicitRules& rules_;
  const Step* const where_;
  const CheckedCall& call_;
};

// A context that only records that a rule is violated.
class ExplicitRules::SilentContext : public RuleContext {
 public:
  explicit SilentContext(const DeviceCapabilities& capabilities) : capabilities_(capabilities) {}

  const VkPhysicalDeviceLimits& limits() const override { return capabilities_.CoreLimits(); }
  bool HasFeature(vk::FeatureId feature) const override { return capabilities_.HasFeature(feature); }
  bool HasExtension(vk::ExtensionId extension) const override { return capabilities_.HasExtension(extension); }
  void Report(vk::VuidIndex, std::initializer_list<RulePart>, std::string, std::string) const override {
    broken_ = true;
  }

  bool broken() const { return broken_; }

 private:
  const DeviceCapabilities& capabilities_;
  mutable bool broken_ = false;
};

ExplicitRules::ExplicitRules(const DeviceCapabilities& capabilities, const LeaveOut& leave_out)
    : capabilities_(capabilities),
      leave_out_(leave_out),
      structs_(vk::Structs().size()),
      commands_(vk::kCommandCount),
      chained_(vk::Structs().size()) {}

bool ExplicitRules::Counts(const vk::ExplicitRuleInfo& rule) const {
  const auto has = [&](vk::FeatureId feature) { return capabilities_.HasFeature(feature); };
  return !(leave_out_ && leave_out_(rule.vuid)) && (rule.before == 0 || capabilities_.ApiVersion() < rule.before) &&
         std::ranges::none_of(vk::AbsentFeatures(rule), has) && std::ranges::all_of(vk::PresentFeatures(rule), has);
}

bool ExplicitRules::MayHaveAny(vk::CommandId command) const {
  return FindManualCheck(vk::GetCommandInfo(command).name) != nullptr ||
         std::ranges::any_of(vk::ExplicitRulesOf(command),
                             [&](const vk::ExplicitRuleInfo& rule) { return Counts(rule); });
}

const ExplicitRules::Rules& ExplicitRules::CompileStruct(size_t type) const {
  const vk::StructInfo& info = vk::Structs()[type];
  return Publish(Compile(info.name, info, vk::ExplicitRulesOf(info)), structs_[type]);
}

const ExplicitRules::Rules& ExplicitRules::CompileCommand(vk::CommandId id) const {
  const vk::CommandInfo& info = vk::GetCommandInfo(id);
  return Publish(Compile(info.name, *info.parameters, vk::ExplicitRulesOf(id)), commands_[static_cast<size_t>(id)]);
}

const ExplicitRules::Rules& ExplicitRules::Publish(Rules compiled, std::atomic<const Rules*>& place) const {
  absl::MutexLock lock(&mutex_);
  if (const Rules* const others = place.load(std::memory_order_relaxed)) return *others;
  const Rules& rules = compiled_.emplace_back(std::move(compiled));
  place.store(&rules, std::memory_order_release);
  return rules;
}

ExplicitRules::Rules ExplicitRules::Compile(std::string_view owner, const vk::StructInfo& info,
                                            std::span<const vk::ExplicitRuleInfo> rules) const {
  Rules compiled;
  compiled.manual = FindManualCheck(owner);
  compiled.owner = &info;
  for (const vk::ExplicitRuleInfo& rule : rules) {
    if (!Counts(rule)) continue;
    const size_t first = compiled.steps.size();
    const auto compile = [&](const vk::ExplicitTerm& term) { return CompileTerm(info, rule, term, compiled); };
    if (std::ranges::all_of(vk::Conditions(rule), compile) && std::ranges::all_of(vk::Requirements(rule), compile)) {
      (rule.hop_count == 0 ? compiled.checks : compiled.walks).push_back({&rule, static_cast<uint32_t>(first)});
    } else {
      compiled.steps.resize(first);
    }
  }
  for (const ExplicitStep& step : compiled.steps) {
    const bool is_about_link = step.test == ExplicitTest::kHasLink || step.test == ExplicitTest::kHasNoLink;
    for (const VkStructureType type :
         {is_about_link ? static_cast<VkStructureType>(step.operand) : VK_STRUCTURE_TYPE_MAX_ENUM, step.replaced_by}) {
      if (type != VK_STRUCTURE_TYPE_MAX_ENUM && std::ranges::count(compiled.links, type) == 0)
        compiled.links.push_back(type);
    }
  }
  ABSL_CHECK_LE(compiled.links.size(), kMaxLinks);
  compiled.fast_path = CompileFastPath(compiled, 0);
  return compiled;
}

FastPathRules ExplicitRules::CompileFastPath(const Rules& rules, uint64_t present) {
  const auto has_link = [&](VkStructureType type) {
    const auto at = std::ranges::find(rules.links, type) - rules.links.begin();
    return (present >> at & 1) != 0;
  };
  FastPathRules compiled;
  for (const ExplicitCheck& check : rules.checks) {
    const std::span<const ExplicitStep> steps = std::span(rules.steps).subspan(check.first_step);
    compiled.Add(steps.first(check.rule->condition_count),
                 steps.subspan(check.rule->condition_count, check.rule->requirement_count), rules.values, has_link);
  }
  compiled.Arrange();
  return compiled;
}

const ExplicitRules::ChainedRules& ExplicitRules::CompileChained(vk::TypeIndex type, uint64_t present) const {
  FastPathRules fast_path = CompileFastPath(OfStruct(type), present);
  absl::MutexLock lock(&mutex_);
  const ChainedRules* const first = chained_[type].load(std::memory_order_relaxed);
  for (const ChainedRules* rules = first; rules != nullptr; rules = rules->next) {
    if (rules->present == present) return *rules;
  }
  const ChainedRules& rules = compiled_chained_.emplace_back(present, std::move(fast_path), first);
  chained_[type].store(&rules, std::memory_order_release);
  return rules;
}

bool ExplicitRules::CompileTerm(const vk::StructInfo& info, const vk::ExplicitRuleInfo& rule,
                                const vk::ExplicitTerm& term, Rules& rules) const {
  ExplicitStep step;
  if (term.test != ExplicitTest::kNoLimit) {
    const vk::ExplicitTarget target = vk::TargetOf(info, rule, term.place);
    static_cast<ExplicitNumber&>(step) = NumberAt(term.place, target);
    if (target.outer == target.member) step.replaced_by = ReplacedBy(*target.info, *target.member);
  }
  step.test = term.test;
  if (term.has_plus()) step.plus = NumberAt(term.plus, vk::TargetOf(info, rule, term.plus));
  if (term.has_other()) step.other = NumberAt(term.other, vk::TargetOf(info, rule, term.other));
  step.first_value = static_cast<uint32_t>(rules.values.size());
  for (const vk::ExplicitOperand& operand : vk::Operands(term)) {
    const bool is_limit = operand.limit != vk::ExplicitOperand::kNoLimit;
    const std::optional<uint64_t> value =
        is_limit ? capabilities_.Limit(operand.limit) : static_cast<uint64_t>(operand.value);
    // A device cannot require a multiple of 0.
    if (!value.has_value() || (term.test == ExplicitTest::kMultipleOf && *value == 0)) return false;
    if (term.test == ExplicitTest::kNoLimit && *value != 0) return false;
    step.operand |= *value;
    if (IsOfList(term.test)) rules.values.push_back(*value);
  }
  step.value_count = static_cast<uint32_t>(rules.values.size()) - step.first_value;
  rules.steps.push_back(step);
  return true;
}

void ExplicitRules::CheckCommand(const CheckedCall& call) const {
  const vk::CommandId command = call.report.command();
  const Rules& rules = OfCommand(command);
  if (Accepts(rules, call.parameters)) [[likely]]
    return;
  Check(rules, *vk::GetCommandInfo(command).parameters, call.parameters, nullptr, call);
}

bool ExplicitRules::Accepts(const Rules& rules, const FastPathRules& fast_path, const void* structure) {
  const auto holds = [&](const FastPathRequirement& requirement) { return requirement.Holds(structure); };
  return std::ranges::all_of(fast_path.requirements(), holds) && AcceptsOtherRules(rules, fast_path, structure);
}

bool ExplicitRules::AcceptsOtherRules(const Rules& rules, const FastPathRules& fast_path, const void* structure) {
  const auto holds = [&](const ExplicitStep& step) { return Holds(rules, step, {.at = {structure}}); };
  return fast_path.AcceptsOtherRules(structure, holds) && AcceptsWalks(rules, structure);
}

bool ExplicitRules::AcceptsWalks(const Rules& rules, const void* structure) {
  return std::ranges::all_of(rules.walks, [&](const ExplicitCheck& check) {
    ExplicitBases start{.at = {structure}};
    return FollowHops(*rules.owner, *check.rule, 0, start,
                      [&](const ExplicitBases& bases) { return !FindBroken(rules, check, bases).has_value(); });
  });
}

bool ExplicitRules::AcceptsManual(const Rules& rules, const void* structure) const {
  if (rules.manual == nullptr) return true;
  const SilentContext context(capabilities_);
  rules.manual(structure, context);
  return !context.broken();
}

uint64_t ExplicitRules::PresentLinks(const Rules& rules, const void* structure) {
  uint64_t present = 0;
  if (rules.links.empty()) return present;
  for (auto* link = static_cast<const VkBaseInStructure*>(structure)->pNext; link != nullptr; link = link->pNext) {
    for (size_t i = 0; i < rules.links.size(); ++i) {
      if (rules.links[i] == link->sType) present |= uint64_t{1} << i;
    }
  }
  return present;
}

bool ExplicitRules::AcceptsWithChain(vk::TypeIndex type, const void* structure) const {
  const Rules& rules = OfStruct(type);
  const uint64_t present = PresentLinks(rules, structure);
  if (present == 0) return Accepts(rules, structure);
  const ChainedRules* chained = chained_[type].load(std::memory_order_acquire);
  while (chained != nullptr && chained->present != present) chained = chained->next;
  if (chained == nullptr) chained = &CompileChained(type, present);
  return Accepts(rules, chained->fast_path, structure) && AcceptsManual(rules, structure);
}

std::optional<const ExplicitStep*> ExplicitRules::FindBroken(const Rules& rules, const ExplicitCheck& check,
                                                             const ExplicitBases& bases) {
  const ExplicitStep* const steps = rules.steps.data() + check.first_step;
  const ExplicitStep* const requirements = steps + check.rule->condition_count;
  const ExplicitStep* const end = requirements + check.rule->requirement_count;
  const auto holds = [&](const ExplicitStep& step) { return Holds(rules, step, bases); };
  if (!std::all_of(steps, requirements, holds)) return std::nullopt;
  if (requirements == end) return nullptr;
  const ExplicitStep* const broken = std::find_if_not(requirements, end, holds);
  return broken != end ? std::optional(broken) : std::nullopt;
}

void ExplicitRules::Check(const Rules& rules, const vk::StructInfo& info, const void* structure, const Step* where,
                          const CheckedCall& call) const {
  for (const ExplicitCheck& check : rules.checks) {
    if (!IsReplacedByDynamicState(*check.rule, info, where, call))
      CheckRule(rules, check, {.at = {structure}}, where, call);
  }
  for (const ExplicitCheck& check : rules.walks) {
    ExplicitBases start{.at = {structure}};
    FollowHops(*rules.owner, *check.rule, 0, start,
               [&](const ExplicitBases& bases) { return CheckRule(rules, check, bases, where, call); });
  }
  if (rules.manual != nullptr) rules.manual(structure, Context(*this, where, call));
}

bool ExplicitRules::CheckRule(const Rules& rules, const ExplicitCheck& check, const ExplicitBases& bases,
                              const Step* where, const CheckedCall& call) const {
  const vk::ExplicitRuleInfo& rule = *check.rule;
  const std::optional<const ExplicitStep*> broken = FindBroken(rules, check, bases);
  if (!broken.has_value()) return true;
  RuleViolation violation{rule, *rules.owner, where, nullptr, 0, 0};
  const ExplicitStep* const steps = rules.steps.data() + check.first_step;
  const ExplicitStep* const condition = rule.condition_count != 0 ? steps : nullptr;
  const ExplicitStep* const about = *broken != nullptr ? *broken : condition;
  if (about != nullptr) {
    violation.term = &vk::Conditions(rule).data()[about - steps];
    violation.value = LoadNumber(*about, bases);
    violation.operand = OperandOf(*about, bases);
  }
  const uint8_t base = about != nullptr ? about->base : 0;
  WithPathTo(base, *rules.owner, rule, bases, where, [&](const Step* path) {
    violation.where = path;
    ReportViolation(call, violation);
  });
  return base == rule.hop_count;
}

bool ExplicitRules::Holds(const Rules& rules, const ExplicitStep& step, const ExplicitBases& bases) {
  const void* const structure = bases.at[step.base];
  const uint64_t value = LoadNumber(step, bases);
  const uint64_t operand = OperandOf(step, bases);
  const auto is_listed = [&] {
    if (step.other.size != 0) return value == operand;
    const auto* const first = rules.values.data() + step.first_value;
    return std::find(first, first + step.value_count, value) != first + step.value_count;
  };
  switch (step.test) {
    case ExplicitTest::kOneOf:
      return is_listed();
    case ExplicitTest::kNoneOf:
      return !is_listed();
    case ExplicitTest::kAnyBits:
      return (value & operand) != 0;
    case ExplicitTest::kNoBits:
      return (value & operand) == 0;
    case ExplicitTest::kOnlyBits:
      return (value & ~operand) == 0;
    case ExplicitTest::kNotAll:
      return (value & operand) != operand;
    case ExplicitTest::kMultipleOf:
      return step.is_signed ? static_cast<int64_t>(value) % static_cast<int64_t>(operand) == 0 : value % operand == 0;
    case ExplicitTest::kAtLeast:
      return step.is_signed ? static_cast<int64_t>(value) >= static_cast<int64_t>(operand) : value >= operand;
    case ExplicitTest::kAtMost:
      return step.is_signed ? static_cast<int64_t>(value) <= static_cast<int64_t>(operand) : value <= operand;
    case ExplicitTest::kBelow:
      return step.is_signed ? static_cast<int64_t>(value) < static_cast<int64_t>(operand) : value < operand;
    case ExplicitTest::kPowerOfTwo:
    case ExplicitTest::kSingleBit:
      return std::has_single_bit(value);
    case ExplicitTest::kHasLink:
      return FindLink(structure, static_cast<VkStructureType>(operand)) != nullptr;
    case ExplicitTest::kHasNoLink:
      return FindLink(structure, static_cast<VkStructureType>(operand)) == nullptr;
    case ExplicitTest::kFormatKind:
      return (KindOf(value) & operand) != 0;
    case ExplicitTest::kNoDynamicState:
      return !HasDynamicState(reinterpret_cast<const void*>(value), operand);
    case ExplicitTest::kNoLimit:
      return true;
  }
  return true;
}

}  // namespace assay::stateless
