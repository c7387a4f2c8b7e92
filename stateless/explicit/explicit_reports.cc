// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/explicit/explicit_reports.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "vk/enum_info.h"
#include "vk/extension_info.h"

namespace assay::stateless {
namespace {

using vk::ExplicitTest;
using vk::MemberInfo;
using vk::MemberKind;

const MemberInfo& MemberOf(const RuleViolation& violation, const vk::ExplicitPlace& place) {
  return *vk::TargetOf(violation.info, violation.rule, place).member;
}

// The members on the way to the number: of an element of an array, none.
std::vector<const MemberInfo*> MembersTo(const RuleViolation& violation, const vk::ExplicitPlace& place) {
  std::vector<const MemberInfo*> members;
  for (const uint8_t step : place.path) {
    if (step == vk::ExplicitPlace::kNoMember) break;
    const vk::StructInfo& info = members.empty() ? vk::StructAt(violation.info, violation.rule, place.base)
                                                 : vk::Structs()[members.back()->type];
    members.push_back(&info.members[step]);
  }
  return members;
}

// "extent.width".
std::string PlaceName(const RuleViolation& violation, const vk::ExplicitPlace& place) {
  const auto name = [](std::string* out, const MemberInfo* member) { out->append(member->name); };
  const std::vector<const MemberInfo*> members = MembersTo(violation, place);
  return members.empty() ? std::string(MemberOf(violation, place).name) : absl::StrJoin(members, ".", name);
}

std::string ValueText(const MemberInfo& member, uint64_t value) {
  if (member.indirection != vk::Indirection::kInline) return value == 0 ? "NULL" : absl::StrCat("0x", absl::Hex(value));
  switch (member.kind) {
    case MemberKind::kBool32:
      return value == VK_FALSE ? "VK_FALSE" : value == VK_TRUE ? "VK_TRUE" : absl::StrCat(value);
    case MemberKind::kEnum:
      if (const auto name = vk::EnumName(static_cast<vk::EnumId>(member.type), static_cast<int64_t>(value));
          !name.empty())
        return std::string(name);
      return absl::StrCat(static_cast<int64_t>(value));
    case MemberKind::kFlags:
      return member.type == vk::kNoType ? absl::StrCat("0x", absl::Hex(value))
                                        : vk::FlagsToString(static_cast<vk::EnumId>(member.type), value);
    case MemberKind::kHandle:
      return value == 0 ? "VK_NULL_HANDLE" : absl::StrCat("0x", absl::Hex(value));
    case MemberKind::kDeviceAddress:
      return value == 0 ? "0" : absl::StrCat("0x", absl::Hex(value));
    default:
      return member.type_name.starts_with("int") ? absl::StrCat(static_cast<int64_t>(value)) : absl::StrCat(value);
  }
}

// "A, B or C".
std::string Alternatives(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names[0];
  return absl::StrCat(absl::StrJoin(names.begin(), names.end() - 1, ", "), " or ", names.back());
}

std::string FormatKinds(uint64_t kinds) {
  std::vector<std::string> names;
  if ((kinds & vk::kColorFormat) != 0) names.emplace_back("a color format");
  if ((kinds & vk::kDepthFormat) != 0) names.emplace_back("a depth format");
  if ((kinds & vk::kStencilFormat) != 0) names.emplace_back("a stencil format");
  if ((kinds & vk::kDepthStencilFormat) != 0) names.emplace_back("a format with both depth and stencil");
  return Alternatives(names);
}

std::string OperandsText(const RuleViolation& violation, const vk::ExplicitTerm& term, uint64_t operand) {
  if (term.test == ExplicitTest::kNoLimit) return std::string(vk::Limits()[vk::Operands(term)[0].limit].name);
  const MemberInfo& member = MemberOf(violation, term.place);
  if (term.has_other()) {
    const std::string value = ValueText(MemberOf(violation, term.other), operand);
    return absl::StrCat(PlaceName(violation, term.other), " (", value, ")");
  }
  if (term.test == ExplicitTest::kFormatKind) return FormatKinds(operand);
  if (term.test == ExplicitTest::kHasLink || term.test == ExplicitTest::kHasNoLink) {
    return std::string(vk::FindStruct(static_cast<VkStructureType>(operand))->name);
  }
  std::vector<std::string> names;
  for (const vk::ExplicitOperand& each : vk::Operands(term)) {
    if (each.limit == vk::ExplicitOperand::kNoLimit) {
      names.push_back(ValueText(member, static_cast<uint64_t>(each.value)));
      continue;
    }
    const vk::LimitInfo& limit = vk::Limits()[each.limit];
    const std::string element = limit.is_array ? absl::StrCat("[", int{limit.index}, "]") : "";
    names.push_back(absl::StrCat(limit.name, element, " (", operand, ")"));
  }
  return Alternatives(names);
}

struct MessageText {
  std::string text;
  std::string fix;
};

std::string Multiples(uint64_t value, uint64_t of) {
  const uint64_t below = value / of * of;
  const uint64_t above = below + of;
  if (above < below) return absl::StrCat("Use ", below, ".");
  return absl::StrCat("Use ", below, " or ", above, ".");
}

// "(3) "; for a sum "plus bindingCount (3) ".
std::string SubjectText(const MemberInfo& member, const RuleViolation& violation) {
  std::string value = absl::StrCat("(", ValueText(member, violation.value), ") ");
  if (!violation.term->has_plus()) return value;
  return absl::StrCat("plus ", PlaceName(violation, violation.term->plus), " ", value);
}

MessageText RequirementText(const MemberInfo& member, const RuleViolation& violation) {
  const std::string value = SubjectText(member, violation);
  const std::string operands = OperandsText(violation, *violation.term, violation.operand);
  switch (violation.term->test) {
    case ExplicitTest::kOneOf:
      return {absl::StrCat(value, "is not ", operands), absl::StrCat("Use ", operands, ".")};
    case ExplicitTest::kNoneOf: {
      if (violation.term->has_other()) return {absl::StrCat(value, "is equal to ", operands), ""};
      const bool is_number = member.kind == MemberKind::kValue && violation.value == 0;
      return {absl::StrCat("is ", ValueText(member, violation.value)),
              is_number ? "Use at least 1." : absl::StrCat("Use another ", member.type_name, ".")};
    }
    case ExplicitTest::kAnyBits:
      return {absl::StrCat(value, "does not include ", operands), absl::StrCat("Add ", operands, ".")};
    case ExplicitTest::kNoBits: {
      const std::string wrong = ValueText(member, violation.value & violation.operand);
      return {absl::StrCat(value, "includes ", wrong), absl::StrCat("Take ", wrong, " out.")};
    }
    case ExplicitTest::kOnlyBits: {
      const std::string wrong = ValueText(member, violation.value & ~violation.operand);
      return {absl::StrCat(value, "includes ", wrong, ", which is not ", operands),
              absl::StrCat("Take ", wrong, " out.")};
    }
    case ExplicitTest::kNotAll:
      return {absl::StrCat(value, "includes all of ", ValueText(member, violation.operand)),
              absl::StrCat("Choose ", operands, ".")};
    case ExplicitTest::kMultipleOf:
      return {absl::StrCat(value, "is not a multiple of ", operands), Multiples(violation.value, violation.operand)};
    case ExplicitTest::kAtLeast:
      return {absl::StrCat(value, "is less than ", operands),
              absl::StrCat("Use at least ", ValueText(member, violation.operand), ".")};
    case ExplicitTest::kAtMost:
      return {absl::StrCat(value, "is greater than ", operands), absl::StrCat("Use at most ", violation.operand, ".")};
    case ExplicitTest::kBelow:
      return {absl::StrCat(value, "is not less than ", operands),
              absl::StrCat("Use less than ", violation.operand, ".")};
    case ExplicitTest::kPowerOfTwo:
      return {absl::StrCat(value, "is not a power of two"), "Use a power of two."};
    case ExplicitTest::kSingleBit:
      return {absl::StrCat(value, "is not a single bit"), "Choose one bit."};
    case ExplicitTest::kHasLink:
      return {absl::StrCat("leads to no ", operands), absl::StrCat("Add a ", operands, " to the chain.")};
    case ExplicitTest::kHasNoLink:
      return {absl::StrCat("leads to a ", operands), absl::StrCat("Take the ", operands, " out of the chain.")};
    case ExplicitTest::kFormatKind:
      return {absl::StrCat(value, "is not ", operands), "Use another VkFormat."};
    case ExplicitTest::kNoDynamicState: {
      const auto state = vk::ToString(static_cast<VkDynamicState>(violation.operand));
      return {absl::StrCat("has ", state, " among its pDynamicStates"), absl::StrCat("Take ", state, " out.")};
    }
    case ExplicitTest::kNoLimit:
      break;
  }
  return {};
}

// A condition that holds, as text: "queryType is VK_QUERY_TYPE_OCCLUSION".
std::string ConditionText(const RuleViolation& violation, const vk::ExplicitTerm& term) {
  uint64_t operand = 0;
  for (const vk::ExplicitOperand& each : vk::Operands(term)) operand |= static_cast<uint64_t>(each.value);
  const std::string operands = OperandsText(violation, term, operand);
  if (term.test == ExplicitTest::kNoLimit) return absl::StrCat(operands, " is 0");
  const std::string name = PlaceName(violation, term.place);
  switch (term.test) {
    case ExplicitTest::kOneOf:
      return absl::StrCat(name, " is ", operands);
    case ExplicitTest::kNoneOf:
      return absl::StrCat(name, " is not ", operands);
    case ExplicitTest::kAnyBits:
      return absl::StrCat(name, " includes ", operands);
    case ExplicitTest::kNoBits:
      return absl::StrCat(name, " does not include ", operands);
    case ExplicitTest::kHasLink:
      return absl::StrCat("the pNext chain has a ", operands);
    case ExplicitTest::kHasNoLink:
      return absl::StrCat("the pNext chain has no ", operands);
    case ExplicitTest::kFormatKind:
      return absl::StrCat(name, " is ", operands);
    default:
      return absl::StrCat(name, " is at least ", operands);
  }
}

// Features of several authors may share a name.
std::string FeatureNames(std::span<const vk::FeatureId> features) {
  std::vector<std::string> names;
  for (const vk::FeatureId feature : features) {
    const std::string_view name = vk::FeatureName(feature);
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  return Alternatives(names);
}

// "A (VkPhysicalDeviceAFeatures or VkPhysicalDeviceVulkan13Features)".
std::string WhereToEnable(vk::FeatureId feature) {
  std::vector<std::string> structs;
  for (const vk::FeatureInfo& info : vk::Features()) {
    if (info.id == feature) structs.emplace_back(info.struct_name);
  }
  return absl::StrCat(vk::FeatureName(feature), " (", Alternatives(structs), ")");
}

std::string EnableFix(std::span<const vk::FeatureId> features) {
  std::vector<std::string> names;
  for (const vk::FeatureId feature : features) names.push_back(WhereToEnable(feature));
  return absl::StrCat("Enable the feature ", Alternatives(names), " with vkCreateDevice.");
}

// ", while A is B, and the feature C is not enabled."
std::string Circumstances(const RuleViolation& violation) {
  std::vector<std::string> parts;
  for (const vk::ExplicitTerm& condition : vk::Conditions(violation.rule)) {
    if (&condition != violation.term) parts.push_back(ConditionText(violation, condition));
  }
  const auto add_feature = [&](std::span<const vk::FeatureId> features, std::string_view what) {
    if (!features.empty()) parts.push_back(absl::StrCat("the feature ", FeatureNames(features), what));
  };
  add_feature(vk::AbsentFeatures(violation.rule), " is not enabled");
  add_feature(vk::PresentFeatures(violation.rule), " is enabled");
  return parts.empty() ? "." : absl::StrCat(", while ", absl::StrJoin(parts, " and "), ".");
}

// For a rule that requires a feature and nothing else.
MessageText FeatureText(const RuleViolation& violation) {
  const auto absent = vk::AbsentFeatures(violation.rule);
  const std::string is_missing = absl::StrCat("the feature ", FeatureNames(absent), ", which is not enabled.");
  if (violation.term == nullptr) {
    return {absl::StrCat(violation.where == nullptr ? "This needs " : "needs ", is_missing), EnableFix(absent)};
  }
  const MemberInfo& member = MemberOf(violation, violation.term->place);
  std::string subject = absl::StrCat("(", ValueText(member, violation.value), ")");
  if (violation.term->test == ExplicitTest::kAnyBits) {
    absl::StrAppend(&subject, " includes ", ValueText(member, violation.value & violation.operand), ", which");
  }
  for (const vk::ExplicitTerm& condition : vk::Conditions(violation.rule)) {
    if (&condition != violation.term) absl::StrAppend(&subject, ", while ", ConditionText(violation, condition), ",");
  }
  return {absl::StrCat(subject, " needs ", is_missing), EnableFix(absent)};
}

MessageText MessageTextOf(const RuleViolation& violation) {
  if (violation.rule.requirement_count == 0) return FeatureText(violation);
  const auto absent = vk::AbsentFeatures(violation.rule);
  const MemberInfo& member = MemberOf(violation, violation.term->place);
  MessageText message = RequirementText(member, violation);
  message.text += Circumstances(violation);
  if (!absent.empty()) message.fix = absl::StrCat(message.fix, " Or: ", EnableFix(absent));
  return message;
}

}  // namespace

void ReportViolation(const CheckedCall& call, const RuleViolation& violation) {
  if (!call.report.reporter().IsEnabledFor(messages::Severity::kError)) return;
  MessageText message = MessageTextOf(violation);
  if (violation.term == nullptr) {
    ReportRule(call, violation.rule.vuid, violation.where, std::move(message.text), std::move(message.fix));
    return;
  }
  std::array<Step, std::tuple_size_v<decltype(vk::ExplicitPlace::path)>> steps;
  const Step* last = violation.where;
  size_t count = 0;
  for (const MemberInfo* const member : MembersTo(violation, violation.term->place)) {
    steps[count] = {last, member->name, {}, Step::kNoIndex};
    last = &steps[count++];
  }
  ReportRule(call, violation.rule.vuid, last, std::move(message.text), std::move(message.fix));
}

}  // namespace assay::stateless
