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
#include "vk/walk/load_store.h"
#include "vk/enum_info.h"
#include "vk/vuid.h"

namespace assay::stateless {
namespace {

using messages::Location;

// Calls use with the location that the steps lead to.
template <class F>
void WithLocation(const Location& command, const Step& step, F&& use) {
  const auto go_on = [&](const Location& before) {
    if (!step.chained.empty()) {
      use(before.Next(step.chained, step.member));
    } else if (step.member.empty()) {
      use(before.At(step.index));
    } else if (step.index != Step::kNoIndex) {
      use(before.Dot(step.member, step.index));
    } else {
      use(before.Dot(step.member));
    }
  };
  if (step.previous == nullptr) {
    go_on(command);
  } else {
    WithLocation<std::function<void(const Location&)>>(command, *step.previous, go_on);
  }
}

messages::ObjectRef DispatchedOn(const Speaker& speaker) {
  const vk::CommandInfo& command = vk::GetCommandInfo(speaker.report.command());
  if (command.dispatch == vk::DispatchLevel::kGlobal) return {};
  return {vk::Handles()[command.parameters->members[0].type].object_type, vk::Load<uint64_t>(speaker.parameters)};
}

std::string LocationText(const Speaker& speaker, const Step& where) {
  std::string text;
  WithLocation<std::function<void(const Location&)>>(speaker.report.location(), where,
                                                     [&](const Location& location) { text = location.Text(); });
  return text;
}

messages::Message MessageOf(const Speaker& speaker, vk::VuidInfo rule, const Step& where, std::string text) {
  messages::Message message;
  message.id = std::string(rule.id);
  message.location = LocationText(speaker, where);
  message.text = std::move(text);
  message.specification = std::string(rule.text);
  const messages::ObjectRef object = DispatchedOn(speaker);
  if (object.handle != 0) message.objects.push_back(object);
  for (const Step* step = &where; step != nullptr; step = step->previous) {
    if (step->whole_rule != kNoVuid) message.related_ids.emplace_back(vk::GetVuid(step->whole_rule).id);
  }
  return message;
}

bool IsSaid(const Speaker& speaker, vk::VuidIndex vuid) {
  return vuid != kNoVuid && speaker.report.reporter().Wants(messages::Severity::kError);
}

void Say(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, std::string text) {
  if (IsSaid(speaker, vuid)) speaker.report.Deliver(MessageOf(speaker, vk::GetVuid(vuid), where, std::move(text)));
}

std::string TypeText(int32_t type) {
  const vk::EnumInfo* info = vk::FindEnumInfo("VkStructureType");
  const auto found = std::ranges::lower_bound(info->values, int64_t{type}, {}, &vk::EnumValue::value);
  return found == info->values.end() || found->value != type ? absl::StrCat(type) : std::string(found->name);
}

}  // namespace

void SayWrongStructureType(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, int32_t value,
                           VkStructureType expected) {
  Say(speaker, vuid, where, absl::StrCat("(", TypeText(value), ") is not ", TypeText(expected), "."));
}

void SayNull(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, const vk::MemberInfo& member,
             uint64_t count) {
  const bool counted = member.length_kind != vk::LengthKind::kOne && count != 0;
  Say(speaker, vuid, where, counted ? absl::StrCat("is NULL, but has to have elements (", count, ").") : "is NULL.");
}

void SayNoAddress(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, const void* pointer) {
  Say(speaker, vuid, where,
      absl::StrCat("(0x", absl::Hex(reinterpret_cast<uint64_t>(pointer)),
                   ") is no address at which anything can be; it is not followed."));
}

void SayNullHandle(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, const vk::MemberInfo& member) {
  Say(speaker, vuid, where, absl::StrCat("is VK_NULL_HANDLE instead of a ", member.type_name, "."));
}

void SayWrongValue(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, uint16_t enum_id, int32_t value) {
  const vk::EnumInfo& info = vk::GetEnumInfo(static_cast<vk::EnumId>(enum_id));
  const auto found = std::ranges::find(info.values, int64_t{value}, &vk::EnumValue::value);
  std::string text = found == info.values.end() ? absl::StrCat("(", value, ") is not a value of ", info.name, ".")
                                                : absl::StrCat("(", found->name, ") is a value that ",
                                                               BroughtBy(found->core_version, found->extensions),
                                                               " brings, which is not enabled.");
  Say(speaker, vuid, where, std::move(text));
}

void SayWrongBits(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, uint16_t enum_id, uint64_t value,
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
      absl::StrAppend(&text, " ", found->name, " needs ", BroughtBy(found->core_version, found->extensions));
    }
    text += (bits & (bits - 1)) != 0 ? "," : ".";
  }
  Say(speaker, vuid, where, std::move(text));
}

void SayNotOneBit(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, uint16_t enum_id, uint64_t value) {
  const auto id = static_cast<vk::EnumId>(enum_id);
  Say(speaker, vuid, where,
      absl::StrCat("(", vk::FlagsToString(id, value), ") is not a single bit of ", vk::GetEnumInfo(id).name, "."));
}

void SayZero(const Speaker& speaker, vk::VuidIndex vuid, const Step& where) { Say(speaker, vuid, where, "is 0."); }

void SayNotZero(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, uint64_t value) {
  Say(speaker, vuid, where, absl::StrCat("(0x", absl::Hex(value), ") is not 0."));
}

void SayNotUtf8(const Speaker& speaker, vk::VuidIndex vuid, const Step& where) {
  Say(speaker, vuid, where, "has bytes that are not UTF-8.");
}

void SayWrongBool(const Speaker& speaker, const Op& op, const Step& where, uint32_t value) {
  constexpr vk::VuidInfo kRule = {
      "ASSAY-not-a-bool",
      "Applications must not pass any other values than VK_TRUE or VK_FALSE into a Vulkan implementation where a "
      "VkBool32 is expected",
      {}};
  std::string text = absl::StrCat("(", value, ") is neither VK_TRUE nor VK_FALSE.");
  if (op.member->indirection != vk::Indirection::kInline) return Say(speaker, op.vuid, where, std::move(text));
  if (!speaker.report.reporter().Wants(messages::Severity::kError)) return;
  speaker.report.Deliver(MessageOf(speaker, kRule, where, std::move(text)));
}

void SayWrongLink(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, const vk::StructInfo& head,
                  int32_t type, const vk::StructInfo* link, std::span<const MeantStruct> meant) {
  if (!IsSaid(speaker, vuid)) return;
  std::string text;
  if (type == 0) {
    text = absl::StrCat("leads to a structure with an sType of 0 (", TypeText(type), "), which cannot extend ",
                        head.name, "; it was probably never set.");
  } else if (link == nullptr) {
    text = absl::StrCat("leads to a structure with an sType (", TypeText(type), ") that is no structure's.");
  } else {
    text = absl::StrCat("leads to a ", link->name, ", which cannot extend ", head.name, ".");
  }
  messages::Message message = MessageOf(speaker, vk::GetVuid(vuid), where, std::move(text));
  for (const MeantStruct& other : meant) {
    absl::StrAppend(&message.fix, message.fix.empty() ? "" : " ", "If a ", other.structure->name,
                    " is meant, set its sType to ", TypeText(other.structure->structure_type), ".");
    if (other.rule != kNoVuid) message.related_ids.emplace_back(vk::GetVuid(other.rule).id);
  }
  speaker.report.Deliver(std::move(message));
}

void SayLinkNotEnabled(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, const vk::StructInfo& link) {
  Say(speaker, vuid, where,
      absl::StrCat("leads to a ", link.name, ", which ", BroughtBy(link.core_version, link.extensions),
                   " brings, which is not enabled."));
}

void SayTwice(const Speaker& speaker, vk::VuidIndex vuid, const Step& where, int32_t type) {
  Say(speaker, vuid, where, absl::StrCat("has two structures with the same sType (", TypeText(type), ")."));
}

void SayCommandNotEnabled(messages::Report& report, const void* parameters) {
  if (!report.reporter().Wants(messages::Severity::kError)) return;
  const vk::CommandInfo& command = vk::GetCommandInfo(report.command());
  const messages::ObjectRef object = DispatchedOn({report, parameters});
  messages::Message message;
  message.id = "ASSAY-extension-not-enabled";
  message.text = absl::StrCat("is called, but ", BroughtBy(command), ", which brings it, is not enabled.");
  if (object.handle != 0) message.objects.push_back(object);
  report.Deliver(std::move(message));
}

void SayRule(const Speaker& speaker, vk::VuidIndex vuid, const Step* where, std::string text, std::string fix) {
  const vk::VuidInfo rule = vk::GetVuid(vuid);
  messages::Message message;
  message.id = std::string(rule.id);
  if (where != nullptr) message.location = LocationText(speaker, *where);
  message.text = std::move(text);
  message.specification = std::string(rule.text);
  message.fix = std::move(fix);
  const messages::ObjectRef object = DispatchedOn(speaker);
  if (object.handle != 0) message.objects.push_back(object);
  speaker.report.Deliver(std::move(message));
}

}  // namespace assay::stateless
