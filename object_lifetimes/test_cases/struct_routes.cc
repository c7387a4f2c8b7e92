// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "object_lifetimes/test_cases/struct_routes.h"

#include <deque>

#include "object_lifetimes/rules/handle_rules.h"

namespace assay::object_lifetimes {
namespace {

using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

// Extends a route from a structure to the structures that it leads to.
void Extend(const StructInfo& owner, const StructRules& rules, const StructRoute& route,
            std::map<const StructInfo*, StructRoute>* routes, std::deque<const StructInfo*>* pending) {
  const auto add = [&](const StructInfo& next, const RouteStep& step) {
    if ((next.flags & vk::kStructReturnedOnly) != 0 || routes->contains(&next)) return;
    StructRoute& longer = (*routes)[&next];
    longer = route;
    longer.steps.push_back(step);
    pending->push_back(&next);
  };
  for (const Step& step : rules.steps) {
    const MemberInfo& member = *step.member;
    if (member.kind == MemberKind::kStruct && member.length_kind != vk::LengthKind::kUnknown) {
      add(vk::Structs()[member.type], {&owner, &member});
    } else if (member.kind == MemberKind::kNext) {
      for (vk::TypeIndex type : owner.extended_by) add(vk::Structs()[type], {&owner, &member, &vk::Structs()[type]});
    }
  }
}

}  // namespace

std::map<const StructInfo*, StructRoute> FindRoutes() {
  std::map<const StructInfo*, StructRoute> routes;
  std::deque<const StructInfo*> pending;
  const auto extend = [&](vk::CommandId id) {
    const vk::CommandInfo& command = vk::GetCommandInfo(id);
    if (command.dispatch == vk::DispatchLevel::kGlobal) return;
    Extend(*command.parameters, HandleRules::All().Of(command.id).parameters, {&command, {}}, &routes, &pending);
  };
  // vkCmdPushDescriptorSet ignores dstSet.
  extend(vk::CommandId::kUpdateDescriptorSets);
  for (size_t i = 0; i < vk::kCommandCount; ++i) extend(static_cast<vk::CommandId>(i));
  while (!pending.empty()) {
    const StructInfo* info = pending.front();
    pending.pop_front();
    const StructRoute route = routes[info];
    Extend(*info, HandleRules::All().Of(*info), route, &routes, &pending);
  }
  return routes;
}

}  // namespace assay::object_lifetimes
