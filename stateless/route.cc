// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/route.h"

#include <deque>
#include <utility>

namespace assay::stateless {
namespace {

bool LeadsToStructs(const Op& op) {
  if (op.member->kind != vk::MemberKind::kStruct) return false;
  return op.code == OpCode::kStruct ||
         ((op.code == OpCode::kPointer || op.code == OpCode::kFollowed) && (op.flags & kOpElements) != 0 &&
          (op.member->flags & vk::kMemberOuterLengthOnly) == 0);
}

}  // namespace

Routes::Routes(const Programs& programs) {
  std::deque<Key> todo;
  const auto arrive = [&](const vk::StructInfo& structure, bool chained, bool output, Route route) {
    const Key key{&structure, chained, output};
    if (routes_.emplace(key, std::move(route)).second) todo.push_back(key);
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
      Route next = route;
      if (op.code == OpCode::kNext) {
        for (vk::TypeIndex link : owner.extended_by) {
          next = route;
          next.steps.push_back({&owner, op.member, nullptr, &vk::Structs()[link]});
          arrive(vk::Structs()[link], true, output, next);
        }
      } else if (LeadsToStructs(op)) {
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
    go_on(*structure, chained ? programs.OfChained(*structure) : programs.Of(*structure), route, output);
  }
}

const Route* Routes::To(const vk::StructInfo& structure, bool chained, bool output) const {
  const auto found = routes_.find({&structure, chained, output});
  return found == routes_.end() ? nullptr : &found->second;
}

}  // namespace assay::stateless
