// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/test_cases/route.h"

#include <deque>
#include <utility>

namespace assay::stateless {
namespace {

bool LeadsToStructs(const Op& op) {
  if (op.member->kind != vk::MemberKind::kStruct) return false;
  return op.code == OpCode::kStruct ||
         ((op.code == OpCode::kPointer || op.code == OpCode::kConditionalPointer) && (op.flags & kOpElements) != 0 &&
          (op.member->flags & vk::kMemberOuterLengthOnly) == 0);
}

}  // namespace

const vk::StructInfo& StructOf(const RouteStep& step) {
  if (step.chained != nullptr) return *step.chained;
  return vk::Structs()[(step.alternative != nullptr ? step.alternative : step.member)->type];
}

const vk::StructInfo& Route::Head() const {
  size_t step = steps.size() - 1;
  while (step > 0 && steps[step - 1].chained != nullptr) --step;
  return *steps[step].owner;
}

Routes::Routes(const Programs& programs) {
  std::deque<Key> todo;
  const auto arrive = [&](const vk::StructInfo& structure, bool chained, bool output, Route route) {
    const Key key{&structure, chained, output};
    if (routes_.emplace(key, std::move(route)).second) todo.push_back(key);
  };
  // A structure in a chain may itself be extended, in the same chain.
  const auto extend = [&](const vk::StructInfo& owner, const Route& route, bool output) {
    for (vk::TypeIndex link : owner.extended_by) {
      Route next = route;
      next.steps.push_back({&owner, &owner.members[1], nullptr, &vk::Structs()[link]});
      arrive(vk::Structs()[link], true, output, std::move(next));
    }
  };
  const auto go_on = [&](const vk::StructInfo& owner, std::span<const Op> ops, const Route& route, bool output) {
    const vk::MemberInfo* selected = nullptr;
    const vk::MemberInfo* holder = nullptr;
    for (const Op& op : ops) {
      if (op.code == OpCode::kSelected) {
        selected = op.member;
        for (const vk::MemberInfo& member : owner.members) {
          if (member.offset == op.offset) holder = &member;
        }
        continue;
      }
      if (op.code == OpCode::kNext) {
        extend(owner, route, output);
      } else if (LeadsToStructs(op)) {
        Route next = route;
        const bool in_union = selected != nullptr;
        next.steps.push_back({&owner, in_union ? holder : op.member, in_union ? selected : nullptr, nullptr});
        arrive(vk::Structs()[op.type], false, output || (op.flags & kOpOutput) != 0, std::move(next));
      }
      selected = nullptr;
    }
  };
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    go_on(*command.parameters, programs.Of(command.id), {&command, {}}, false);
  }
  while (!todo.empty()) {
    const auto [structure, chained, output] = todo.front();
    todo.pop_front();
    const Route route = routes_.at({structure, chained, output});
    if (chained) extend(*structure, route, output);
    go_on(*structure, chained ? programs.OfChained(*structure) : programs.Of(*structure), route, output);
  }
}

const Route* Routes::To(const vk::StructInfo& structure, bool chained, bool output) const {
  const auto found = routes_.find({&structure, chained, output});
  return found == routes_.end() ? nullptr : &found->second;
}

const Routes& AllRoutes() {
  static const Routes* const routes = new Routes(Programs::All());
  return *routes;
}

}  // namespace assay::stateless
