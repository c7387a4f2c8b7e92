// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/lifetime/in_use_rules.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace assay::core {
namespace {

constexpr std::string_view kPrefix = "VUID-";

// Sentences with "pending" and "completed" that are about the whole parameter, without a condition.
bool ForbidsUse(std::string_view text, std::string_view parameter) {
  if (absl::StartsWith(text, "All ")) {
    return absl::EndsWith(text, " must have completed execution") ||
           absl::EndsWith(text, " must not be in the pending state");
  }
  if (absl::StartsWith(text, parameter)) {
    return absl::EndsWith(text, " must not be in the pending state") ||
           absl::EndsWith(text, " must not be in the recording or pending state");
  }
  return absl::StartsWith(text, "Each element of ") &&
         absl::StrContains(text, " must not be currently associated with any queue command");
}

}  // namespace

InUseRules::InUseRules(const std::function<bool(vk::VuidIndex)>& leave_out) {
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    for (const vk::VuidIndex index : vk::VuidsOf(command.name)) {
      const vk::VuidInfo rule = vk::GetVuid(index);
      // "buffer" of "VUID-vkDestroyBuffer-buffer-00922".
      const std::string_view rest = rule.id.substr(kPrefix.size() + command.name.size() + 1);
      const std::string_view parameter = rest.substr(0, rest.find('-'));
      if (!ForbidsUse(rule.text, parameter) || (leave_out && leave_out(index))) continue;
      Add(command, parameter, index);
    }
  }
}

void InUseRules::Add(const vk::CommandInfo& command, std::string_view parameter, vk::VuidIndex vuid) {
  const auto& members = command.parameters->members;
  const auto member = std::ranges::find(members, parameter, &vk::MemberInfo::name);
  if (member == members.end() || member->kind != vk::MemberKind::kHandle) return;
  rules_[static_cast<size_t>(command.id)] = {vuid, &*member};
  if (command.lifetime == vk::LifetimeEffect::kDestroy) types_.push_back(vk::Handles()[member->type].object_type);
}

const InUseRules& InUseRules::All() {
  static const InUseRules* const all = new InUseRules;
  return *all;
}

bool InUseRules::HasType(VkObjectType type) const { return std::ranges::find(types_, type) != types_.end(); }

}  // namespace assay::core
