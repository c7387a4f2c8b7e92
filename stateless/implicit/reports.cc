// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/implicit/reports.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "vk/command_info.h"
#include "vk/enum_info.h"
#include "vk/vuid.h"
#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

using messages::Location;

// Calls visit with the location that the steps lead to.
template <class F>
void WithLocation(const Location& command, const Step& step, F&& visit) {
  const auto go_on = [&](const Location& before) {
    if (!step.chained.empty()) {
      visit(before.Next(step.chained, step.member));
    } else if (step.member.empty()) {
      visit(before.At(step.index));
    } else if (step.index != Step::kNoIndex) {
      visit(before.Dot(step.member, step.index));
    } else {
      visit(before.Dot(step.member));
    }
  };
  if (step.previous == nullptr) {
    go_on(command);
  } else {
    WithLocation<std::function<void(const Location&)>>(command, *step.previous, go_on);
  }
}

messages::ObjectRef DispatchedOn(const CheckedCall& call) {
  const vk::CommandInfo& command = vk::GetCommandInfo(call.report.command());
  if (command.dispatch == vk::DispatchLevel::kGlobal) return {};
  return {vk::Handles()[command.parameters->members[0].type].object_type, vk::Load<uint64_t>(call.parameters)};
}

std::string LocationText(const CheckedCall& call, const Step& where) {
  std::string text;
  WithLocation<std::function<void(const Location&)>>(call.report.location(), where,
                                                     [&](const Location& location) { text = location.Text(); });
  return text;
}

messages::Message MessageOf(const CheckedCall& call, vk::VuidInfo rule, const Step& where, std::string text) {
  messages::Message message;
  message.id = std::string(rule.id);
  message.location = LocationText(call, where);
  message.text = std::move(text);
  message.specification = std::string(rule.text);
  const messages::ObjectRef object = DispatchedOn(call);
  if (object.handle != 0) message.objects.push_back(object);
  for (const Step* step = &where; step != nullptr; step = step->previous) {
    if (step->struct_rule != vk::kNoVuid) message.related_ids.emplace_back(vk::GetVuid(step->struct_rule).id);
  }
  return message;
}

bool IsReported(const CheckedCall& call, vk::VuidIndex vuid) {
  return vuid != vk::kNoVuid && call.report.reporter().IsEnabledFor(messages::Severity::kError);
}

void Report(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, std::string text) {
  if (IsReported(call, vuid)) call.report.Deliver(MessageOf(call, vk::GetVuid(vuid), where, std::move(text)));
}

std::string TypeText(int32_t type) {
  const vk::EnumInfo* info = vk::FindEnumInfo("VkStructureType");
  const auto found = std::ranges::lower_bound(info->values, int64_t{type}, {}, &vk::EnumValue::value);
  return found == info->values.end() || found->value != type ? absl::StrCat(type) : std::string(found->name);
}

}  // namespace

void ReportWrongStructureType(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, int32_t value,
                              VkStructureType expected) {
  Report(call, vuid, where, absl::StrCat("(", TypeText(value), ") is not ", TypeText(expected), "."));
}

void ReportNull(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, const vk::MemberInfo& member,
                uint64_t count) {
  const bool counted = member.length_kind != vk::LengthKind::kOne && count != 0;
  Report(call, vuid, where, counted ? absl::StrCat("is NULL, but has to have elements (", count, ").") : "is NULL.");
}

void ReportNoAddress(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, const void* pointer) {
  Report(call, vuid, where,
         absl::StrCat("(0x", absl::Hex(reinterpret_cast<uint64_t>(pointer)),
                      ") is no address at which anything can be; it is not followed."));
}

void ReportNullHandle(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, const vk::MemberInfo& member) {
  Report(call, vuid, where, absl::StrCat("is VK_NULL_HANDLE instead of a ", member.type_name, "."));
}

void ReportWrongValue(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, uint16_t enum_id, int32_t value) {
  const vk::EnumInfo& info = vk::GetEnumInfo(static_cast<vk::EnumId>(enum_id));
  const auto found = std::ranges::find(info.values, int64_t{value}, &vk::EnumValue::value);
  std::string text = found == info.values.end() ? absl::StrCat("(", value, ") is not a value of ", info.name, ".")
                                                : absl::StrCat("(", found->name, ") is a value that ",
                                                               ProvidedBy(found->core_version, found->extensions),
                                                               " brings, which is not enabled.");
  Report(call, vuid, where, std::move(text));
}

void ReportWrongBits(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, uint16_t enum_id, uint64_t value,
                     uint64_t wrong) {
  const auto id = static_cast<vk::EnumId>(enum_id);
  const vk::EnumInfo& info = vk::GetEnumInfo(id);
  std::string text = absl::StrCat("(", vk::FlagsToString(id, value), ") has bits that are not to be used:");
  for (uint64_t bits = wrong; bits != 0; bits &= bits - 1) {
    const uint64_t bit = bits & ~(bits - 1);
    const auto found = std::ranges::find(info.values, static_cast<int64_t>(bit), &vk::EnumValue::value);
    if (found == info.values.end()) {
      absl::StrAppend(&text, " 0x", absl::Hex(bit), " is none of ", info.name);
    } else {
      absl::StrAppend(&text, " ", found->name, " needs ", ProvidedBy(found->core_version, found->extensions));
    }
    text += (bits & (bits - 1)) != 0 ? "," : ".";
  }
  Report(call, vuid, where, std::move(text));
}

void ReportNotOneBit(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, uint16_t enum_id, uint64_t value) {
  const auto id = static_cast<vk::EnumId>(enum_id);
  Report(call, vuid, where,
         absl::StrCat("(", vk::FlagsToString(id, value), ") is not a single bit of ", vk::GetEnumInfo(id).name, "."));
}

void ReportZero(const CheckedCall& call, vk::VuidIndex vuid, const Step& where) { Report(call, vuid, where, "is 0."); }

void ReportNotZero(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, uint64_t value) {
  Report(call, vuid, where, absl::StrCat("(0x", absl::Hex(value), ") is not 0."));
}

void ReportNotUtf8(const CheckedCall& call, vk::VuidIndex vuid, const Step& where) {
  Report(call, vuid, where, "has bytes that are not UTF-8.");
}

void ReportWrongBool(const CheckedCall& call, const Op& op, const Step& where, uint32_t value) {
  constexpr vk::VuidInfo kRule = {
      "UNASSIGNED-GeneralParameterError-UnrecognizedBool32",
      "Applications must not pass any other values than VK_TRUE or VK_FALSE into a Vulkan implementation where a "
      "VkBool32 is expected",
      {}};
  std::string text = absl::StrCat("(", value, ") is neither VK_TRUE nor VK_FALSE.");
  if (op.member->indirection != vk::Indirection::kInline) return Report(call, op.vuid, where, std::move(text));
  if (!call.report.reporter().IsEnabledFor(messages::Severity::kError)) return;
  call.report.Deliver(MessageOf(call, kRule, where, std::move(text)));
}

void ReportWrongLink(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, const vk::StructInfo& head,
                     int32_t type, const vk::StructInfo* link, std::span<const SuggestedStruct> suggested) {
  if (!IsReported(call, vuid)) return;
  std::string text;
  if (type == 0) {
    text = absl::StrCat("leads to a structure with an sType of 0 (", TypeText(type), "), which cannot extend ",
                        head.name, "; it was probably never set.");
  } else if (link == nullptr) {
    text = absl::StrCat("leads to a structure with an sType (", TypeText(type), ") that is no structure's.");
  } else {
    text = absl::StrCat("leads to a ", link->name, ", which cannot extend ", head.name, ".");
  }
  messages::Message message = MessageOf(call, vk::GetVuid(vuid), where, std::move(text));
  for (const SuggestedStruct& other : suggested) {
    absl::StrAppend(&message.fix, message.fix.empty() ? "" : " ", "If a ", other.structure->name,
                    " is meant, set its sType to ", TypeText(other.structure->structure_type), ".");
    if (other.rule != vk::kNoVuid) message.related_ids.emplace_back(vk::GetVuid(other.rule).id);
  }
  call.report.Deliver(std::move(message));
}

void ReportLinkNotEnabled(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, const vk::StructInfo& link) {
  Report(call, vuid, where,
         absl::StrCat("leads to a ", link.name, ", which ", ProvidedBy(link.core_version, link.extensions),
                      " brings, which is not enabled."));
}

void ReportTwice(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, int32_t type) {
  Report(call, vuid, where, absl::StrCat("has two structures with the same sType (", TypeText(type), ")."));
}

void ReportCommandNotEnabled(messages::Report& report, const void* parameters) {
  if (!report.reporter().IsEnabledFor(messages::Severity::kError)) return;
  const vk::CommandInfo& command = vk::GetCommandInfo(report.command());
  const messages::ObjectRef object = DispatchedOn({report, parameters});
  messages::Message message;
  message.id = "UNASSIGNED-GeneralParameterError-ExtensionNotEnabled";
  message.text = absl::StrCat("is called, but ", ProvidedBy(command), ", which brings it, is not enabled.");
  if (object.handle != 0) message.objects.push_back(object);
  report.Deliver(std::move(message));
}

void ReportRule(const CheckedCall& call, vk::VuidIndex vuid, const Step* where, std::string text, std::string fix) {
  const vk::VuidInfo rule = vk::GetVuid(vuid);
  messages::Message message;
  message.id = std::string(rule.id);
  if (where != nullptr) message.location = LocationText(call, *where);
  message.text = std::move(text);
  message.specification = std::string(rule.text);
  message.fix = std::move(fix);
  const messages::ObjectRef object = DispatchedOn(call);
  if (object.handle != 0) message.objects.push_back(object);
  call.report.Deliver(std::move(message));
}

}  // namespace assay::stateless
