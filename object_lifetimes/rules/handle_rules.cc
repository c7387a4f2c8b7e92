// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/rules/handle_rules.h"

#include <algorithm>
#include <array>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "object_lifetimes/rules/explicit_handle_rules.h"

namespace assay::object_lifetimes {
namespace {

using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

vk::VuidIndex IdOf(const ExplicitHandleRule& rule, vk::CommandId command) {
  if (!absl::StartsWith(rule.id, "VUID-")) return vk::FindVuidOf(vk::GetCommandInfo(command).name, rule.id);
  vk::VuidIndex index;
  return vk::FindVuid(rule.id, &index) ? index : vk::kNoVuid;
}

// The rule of a member: "VUID-VkBufferViewCreateInfo-buffer-parameter".
vk::VuidIndex FindRule(const StructInfo& info, const MemberInfo& member, std::string_view suffix) {
  return vk::FindVuidOf(info.name, absl::StrCat(member.name, suffix));
}

// "… must have been created, allocated, or retrieved from the same VkDevice", or "… from commandPool".
Ancestor AncestorIn(vk::VuidIndex rule) {
  if (rule == vk::kNoVuid) return Ancestor::kNone;
  constexpr std::pair<std::string_view, Ancestor> kAncestors[] = {{"device", Ancestor::kDevice},
                                                                  {"VkDevice", Ancestor::kDevice},
                                                                  {"instance", Ancestor::kInstance},
                                                                  {"VkInstance", Ancestor::kInstance},
                                                                  {"physicalDevice", Ancestor::kPhysicalDevice},
                                                                  {"VkPhysicalDevice", Ancestor::kPhysicalDevice},
                                                                  {"commandPool", Ancestor::kCommandPool},
                                                                  {"descriptorPool", Ancestor::kDescriptorPool},
                                                                  {"videoSession", Ancestor::kVideoSession}};
  const std::string_view text = vk::GetVuid(rule).text;
  for (const auto& [word, ancestor] : kAncestors) {
    if (absl::EndsWith(text, word) && text[text.size() - word.size() - 1] == ' ') return ancestor;
  }
  return Ancestor::kNone;
}

// "Each of commandBuffer, queryPool, and the elements of pAccelerationStructures must …".
bool Names(vk::VuidIndex common_parent, std::string_view member) {
  if (common_parent == vk::kNoVuid) return false;
  const std::vector<std::string_view> words = absl::StrSplit(vk::GetVuid(common_parent).text, absl::ByAnyChar(" ,"));
  return std::ranges::find(words, member) != words.end();
}

bool IsHandle(const MemberInfo& member) {
  return member.kind == MemberKind::kHandle || member.kind == MemberKind::kTypedHandle;
}

bool IsInput(const MemberInfo& member) { return (member.flags & (vk::kMemberOutput | vk::kMemberBitField)) == 0; }

}  // namespace

class HandleRules::Builder {
 public:
  explicit Builder(HandleRules& rules) : rules_(rules), reaches_(vk::Structs().size(), false) {
    FindReaching();
    // All rules exist before any points to another.
    rules.structs_.resize(reaches_.size());
    for (size_t i = 0; i < reaches_.size(); ++i) rules.structs_[i] = Make(vk::Structs()[i]);
    for (size_t i = 0; i < vk::kCommandCount; ++i) {
      rules.commands_[i] = Make(vk::GetCommandInfo(static_cast<vk::CommandId>(i)));
    }
  }

 private:
  static Step MakeStep(const MemberInfo& member) {
    const bool is_array = member.fixed_count > 1 || (member.indirection != vk::Indirection::kInline &&
                                                     member.length_kind != vk::LengthKind::kOne);
    return {.member = &member, .is_array = is_array};
  }

  vk::VuidIndex Kept(vk::VuidIndex rule) const {
    return rule != vk::kNoVuid && rules_.leave_out_ && rules_.leave_out_(rule) ? vk::kNoVuid : rule;
  }

  Step MakeHandleStep(const StructInfo& info, const MemberInfo& member) const {
    Step step = MakeStep(member);
    if (member.kind == MemberKind::kHandle) step.type = vk::Handles()[member.type].object_type;
    const vk::VuidIndex valid = FindRule(info, member, "-parameter");
    if (valid == vk::kNoVuid) step.explicit_rule = FindExplicitHandleRule(info.name, member.name);
    step.valid = Kept(valid);
    step.parent = Kept(FindRule(info, member, "-parent"));
    step.parent_kind = AncestorIn(step.parent);
    return step;
  }

  bool LeadsToHandle(const MemberInfo& member) const {
    return member.kind == MemberKind::kNext || (member.kind == MemberKind::kStruct && reaches_[member.type]);
  }

  // Structures contain and extend one another in cycles, so rounds repeat until nothing changes.
  void FindReaching() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < reaches_.size(); ++i) {
        if (reaches_[i] || !Reaches(vk::Structs()[i])) continue;
        reaches_[i] = true;
        changed = true;
      }
    }
  }

  bool Reaches(const StructInfo& info) const {
    const auto leads = [this](const MemberInfo& member) {
      return IsInput(member) && (IsHandle(member) || (member.kind == MemberKind::kStruct && reaches_[member.type]));
    };
    return std::ranges::any_of(info.members, leads) ||
           std::ranges::any_of(info.extended_by, [this](vk::TypeIndex type) { return reaches_[type]; });
  }

  StructRules Make(const StructInfo& info) const {
    StructRules rules{.info = &info};
    if ((info.flags & vk::kStructReturnedOnly) != 0) return rules;
    rules.common_parent = Kept(vk::FindVuidOf(info.name, "commonparent"));
    rules.common_kind = AncestorIn(rules.common_parent);
    const bool chain_leads =
        std::ranges::any_of(info.extended_by, [this](vk::TypeIndex type) { return reaches_[type]; });
    for (const MemberInfo& member : info.members) {
      if (!IsInput(member)) continue;
      if (IsHandle(member)) {
        Step step = MakeHandleStep(info, member);
        step.in_common = Names(rules.common_parent, member.name);
        if (step.valid != vk::kNoVuid || step.explicit_rule != nullptr || step.parent != vk::kNoVuid ||
            step.in_common) {
          rules.steps.push_back(step);
        }
      } else if (member.kind == MemberKind::kNext ? chain_leads : LeadsToHandle(member)) {
        Step& step = rules.steps.emplace_back(MakeStep(member));
        if (member.kind == MemberKind::kStruct) step.inner = &rules_.structs_[member.type];
      }
    }
    return rules;
  }

  CommandRules Make(const vk::CommandInfo& command) const {
    CommandRules rules{.parameters = Make(*command.parameters)};
    // The first parameter was looked up before any hook ran.
    std::erase_if(rules.parameters.steps,
                  [&](const Step& step) { return step.member == command.parameters->members.data(); });
    return rules;
  }

  HandleRules& rules_;
  std::vector<bool> reaches_;
};

HandleRules::HandleRules(std::function<bool(vk::VuidIndex)> leave_out) : leave_out_(std::move(leave_out)) {
  Builder builder(*this);
}

const HandleRules& HandleRules::All() {
  static const HandleRules* const all = new HandleRules;
  return *all;
}

vk::VuidIndex HandleRules::ValidRule(const Step& step, vk::CommandId command) const {
  if (step.explicit_rule == nullptr) return step.valid;
  const vk::VuidIndex rule = IdOf(*step.explicit_rule, command);
  return rule != vk::kNoVuid && leave_out_ && leave_out_(rule) ? vk::kNoVuid : rule;
}

}  // namespace assay::object_lifetimes
