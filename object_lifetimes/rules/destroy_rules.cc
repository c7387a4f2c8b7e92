// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/rules/destroy_rules.h"

#include <array>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"

namespace assay::object_lifetimes {
namespace {

class AllDestroyRules {
 public:
  AllDestroyRules() {
    for (size_t i = 0; i < vk::kCommandCount; ++i) {
      const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
      if (command.lifetime != vk::LifetimeEffect::kDestroy) continue;
      DestroyRules& rules = rules_[i];
      FindParameters(command, &rules);
      for (const vk::VuidIndex index : vk::VuidsOf(command.name)) {
        const std::string_view text = vk::GetVuid(index).text;
        if (absl::StartsWith(text, "If VkAllocationCallbacks were provided when")) rules.with_allocator = index;
        if (absl::StartsWith(text, "If no VkAllocationCallbacks were provided when")) rules.without_allocator = index;
        if (absl::StartsWith(text, "All child objects created")) rules.children = index;
      }
    }
  }

  static const AllDestroyRules& Get() {
    static const AllDestroyRules* const rules = new AllDestroyRules;
    return *rules;
  }

  const DestroyRules& Of(vk::CommandId command) const { return rules_[static_cast<size_t>(command)]; }
  bool Destroys(VkObjectType type) const { return types_.contains(type); }

 private:
  // The command destroys the last parameter that is a handle.
  void FindParameters(const vk::CommandInfo& command, DestroyRules* rules) {
    for (const vk::MemberInfo& member : command.parameters->members) {
      if (member.kind == vk::MemberKind::kHandle) rules->object = &member;
      if (member.type_name == "VkAllocationCallbacks") rules->allocator = &member;
    }
    if (rules->object != nullptr) types_.insert(vk::Handles()[rules->object->type].object_type);
  }

  std::array<DestroyRules, vk::kCommandCount> rules_;
  absl::flat_hash_set<VkObjectType> types_;
};

}  // namespace

const DestroyRules& DestroyRulesOf(vk::CommandId command) { return AllDestroyRules::Get().Of(command); }

bool IsDestroyedByApplication(VkObjectType type) { return AllDestroyRules::Get().Destroys(type); }

}  // namespace assay::object_lifetimes
