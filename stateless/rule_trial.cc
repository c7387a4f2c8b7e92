// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/rule_trial.h"

#include <algorithm>
#include <functional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "messages/messages.h"
#include "stateless/break_member.h"
#include "stateless/interpreter.h"

namespace assay::stateless {
namespace {

using vk::Indirection;
using vk::MemberInfo;
using vk::MemberKind;
using vk::RuleInfo;
using vk::RuleKind;
using vk::StructInfo;

// Routes are those of the whole, so that a rule that is left out does not take its test away.
const Routes& AllRoutes() {
  static const Routes* const routes = new Routes(Programs::All());
  return *routes;
}

VKAPI_ATTR VkBool32 VKAPI_CALL Collect(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                       const VkDebugUtilsMessengerCallbackDataEXT* data, void* ids) {
  static_cast<std::vector<std::string>*>(ids)->push_back(data->pMessageIdName);
  return VK_FALSE;
}

std::string Id(vk::VuidIndex vuid) { return std::string(vk::GetVuid(vuid).id); }

// Whether the rule is about something that only another package can know.
bool IsOfHandles(const vk::CommandInfo* command, const MemberInfo& member, const RuleInfo& rule) {
  if (rule.kind != RuleKind::kParameter || member.kind != MemberKind::kHandle ||
      member.indirection != Indirection::kInline) {
    return false;
  }
  const bool dispatched_on = command != nullptr && command->dispatch != vk::DispatchLevel::kGlobal && rule.member == 0;
  return dispatched_on || (rule.flags & vk::kRuleOptional) != 0;
}

const MemberInfo& Subject(const StructInfo& owner, const RuleInfo& rule) {
  const MemberInfo& member = owner.members[rule.member];
  return rule.alternative == RuleInfo::kNoAlternative ? member : vk::Structs()[member.type].members[rule.alternative];
}

// vkAllocateDescriptorSets has an id for the same length as the structure that it is in.
bool IsOneFactWithTwoIds(const std::vector<std::string>& ids, const RuleInfo& rule) {
  if (ids.size() != 2 || rule.kind != RuleKind::kLength || std::ranges::count(ids, Id(rule.vuid)) != 1) return false;
  return std::ranges::all_of(ids, [](const std::string& id) { return id.ends_with("-arraylength"); });
}

// Whether what the rule is about exists only on other platforms.
bool IsOfOtherPlatforms(const StructInfo& owner, const RuleInfo& rule) {
  return rule.kind == RuleKind::kUnique && owner.extended_by.empty();
}

std::string Describe(const Route& route) {
  std::string text(route.command->name);
  for (const RouteStep& step : route.steps) {
    absl::StrAppend(&text, ".", step.member->name);
    if (step.alternative != nullptr) absl::StrAppend(&text, ".", step.alternative->name);
    if (step.chained != nullptr) absl::StrAppend(&text, "<", step.chained->name, ">");
  }
  return text;
}

}  // namespace

RuleTrial::RuleTrial(const Programs& programs) : programs_(programs), quick_(programs_, enabled_, nullptr) {}

std::vector<std::string> RuleTrial::Check(const FabricatedCall& call) const {
  std::vector<std::string> ids;
  if (IsQuick(call)) return ids;
  messages::Reporter reporter;
  reporter.AddMessenger(VkDebugUtilsMessengerEXT(1), {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                                                      .pfnUserCallback = &Collect,
                                                      .pUserData = &ids});
  messages::Report report(reporter, call.command().id);
  Interpreter(programs_, enabled_, call.parameters(), report).RunCommand();
  return ids;
}

const Route* RuleTrial::RouteTo(const StructInfo& owner, const RuleInfo& rule) const {
  const bool of_head =
      rule.kind == RuleKind::kStructureType || rule.kind == RuleKind::kNext || rule.kind == RuleKind::kUnique;
  const bool of_output = of_head || Subject(owner, rule).indirection != Indirection::kInline;
  for (bool output : {false, true}) {
    if (output && !of_output) continue;
    for (bool chained : {false, true}) {
      if (chained && of_head) continue;
      if (const Route* route = AllRoutes().To(owner, chained, output)) return route;
    }
  }
  return nullptr;
}

Outcome RuleTrial::TryOn(const Route& route, const RuleInfo& rule) const {
  const FabricatedCall call(route);
  std::vector<std::string> ids = Check(call);
  if (!ids.empty()) {
    return {rule.vuid, Verdict::kFailed, absl::StrCat(Describe(route), " is not correct: ", absl::StrJoin(ids, ", "))};
  }
  for (Breakage breakage : {Breakage::kPlain, Breakage::kNowhere, Breakage::kElement}) {
    FabricatedCall broken(route);
    if (!BreakMember(broken, rule, breakage)) continue;
    ids = Check(broken);
    if (ids == std::vector<std::string>{Id(rule.vuid)} || IsOneFactWithTwoIds(ids, rule)) continue;
    return {
        rule.vuid, Verdict::kFailed,
        absl::StrCat(Describe(route), " broken (", static_cast<int>(breakage), ") gives: ", absl::StrJoin(ids, ", "))};
  }
  return {rule.vuid, Verdict::kPassed, {}};
}

// A chained structure with another sType is something that the chain may not hold.
Outcome RuleTrial::TryChained(const Route& route, const RuleInfo& rule) const {
  FabricatedCall call(route);
  std::vector<std::string> ids = Check(call);
  BreakMember(call, rule);
  const std::vector<std::string> broken = Check(call);
  const std::string head = absl::StrCat("VUID-", route.steps.back().owner->name, "-pNext-pNext");
  if (ids.empty() && broken == std::vector<std::string>{head}) return {rule.vuid, Verdict::kPassedByAnother, head};
  return {
      rule.vuid, Verdict::kFailed,
      absl::StrCat(Describe(route), " gives ", absl::StrJoin(ids, ", "), "; broken: ", absl::StrJoin(broken, ", "))};
}

Outcome RuleTrial::Try(const StructInfo& owner, const vk::CommandInfo* command, const RuleInfo& rule) const {
  const MemberInfo& subject = Subject(owner, rule);
  if (IsOfOtherPlatforms(owner, rule))
    return {rule.vuid, Verdict::kUnreachable, "nothing of this platform extends the structure"};
  if (IsOfHandles(command, subject, rule)) return {rule.vuid, Verdict::kOfHandles, {}};
  const bool in_line = subject.indirection == Indirection::kInline;
  if (command != nullptr) {
    if (subject.kind == MemberKind::kStruct && in_line)
      return {rule.vuid, Verdict::kPassedByAnother, "its members' rules"};
    return TryOn({command, {}}, rule);
  }
  const Route* route = RouteTo(owner, rule);
  if (route == nullptr && rule.kind == RuleKind::kStructureType) {
    for (bool output : {false, true}) {
      if (const Route* chained = AllRoutes().To(owner, true, output)) return TryChained(*chained, rule);
    }
  }
  if (route == nullptr) return {rule.vuid, Verdict::kUnreachable, {}};
  if (rule.kind == RuleKind::kParameter && subject.kind == MemberKind::kStruct && in_line) {
    return {rule.vuid, Verdict::kPassedByAnother, "its members' rules"};
  }
  return TryOn(*route, rule);
}

void RuleTrial::ForEachRule(
    const std::function<void(const StructInfo& owner, const vk::CommandInfo* command, const RuleInfo& rule)>& use) {
  for (const StructInfo& structure : vk::Structs()) {
    for (const RuleInfo& rule : vk::RulesOf(structure)) use(structure, nullptr, rule);
  }
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    for (const RuleInfo& rule : vk::RulesOf(command.id)) use(*command.parameters, &command, rule);
  }
}

}  // namespace assay::stateless
