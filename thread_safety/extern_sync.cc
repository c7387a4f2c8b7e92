// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "thread_safety/extern_sync.h"

#include <array>
#include <string_view>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::thread_safety {
namespace {

using vk::CommandInfo;
using vk::MemberInfo;
using vk::MemberKind;

const MemberInfo* FindMember(const vk::StructInfo& info, std::string_view name) {
  for (const MemberInfo& member : info.members) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

bool IsHandle(const MemberInfo& member) {
  return (member.kind == MemberKind::kHandle || member.kind == MemberKind::kTypedHandle) &&
         (member.flags & vk::kMemberOutput) == 0;
}

bool IsDispatchable(const MemberInfo& member) {
  return member.kind == MemberKind::kHandle && vk::Handles()[member.type].dispatchable;
}

void AddMember(const MemberInfo& parameter, std::string_view name, bool unless_concurrent, ExternSync* extern_sync) {
  const vk::StructInfo& structure = vk::Structs()[parameter.type];
  const MemberInfo* member = FindMember(structure, name);
  if (member == nullptr || !IsHandle(*member)) return;
  for (const HandlePath& path : extern_sync->marked_handles) {
    if (path.parameter == &parameter && path.member == member) return;
  }
  extern_sync->marked_handles.push_back({&parameter, member, &structure, true, unless_concurrent});
}

// Expressions are such as "pPresentInfo->pWaitSemaphores[]" and "pCreateInfos[].surface".
void AddExpression(const CommandInfo& command, std::string_view expression, ExternSync* extern_sync) {
  const std::vector<std::string_view> steps = absl::StrSplit(expression, absl::ByAnyChar("->.[]"), absl::SkipEmpty());
  if (steps.size() != 2) return;
  const MemberInfo* parameter = FindMember(*command.parameters, steps[0]);
  if (parameter != nullptr && parameter->kind == MemberKind::kStruct)
    AddMember(*parameter, steps[1], false, extern_sync);
}

// A recorded command marks its pool alone. The pool's mark covers all its command buffers.
bool IsRecorded(const CommandInfo& command) { return command.dispatch == vk::DispatchLevel::kCommandBuffer; }

// "As an exception to the normal rules for objects which are externally synchronized, the swapchain passed to
// vkWaitForPresentKHR may be simultaneously used by other threads in calls to functions other than
// vkDestroySwapchainKHR" (the specification's description of the command). The registry marks the parameter like any
// other, and no id has the exception. The command is there for a thread that waits while others acquire and present.
bool IsExcepted(const CommandInfo& command, const MemberInfo& parameter) {
  return command.id == vk::CommandId::kWaitForPresentKHR && parameter.name == "swapchain";
}

void AddParameters(const CommandInfo& command, ExternSync* extern_sync) {
  for (const MemberInfo& parameter : command.parameters->members) {
    if (IsExcepted(command, parameter)) continue;
    const bool synchronized = (parameter.flags & vk::kMemberExternSync) != 0;
    if (IsHandle(parameter)) {
      const bool is_target = IsRecorded(command) && &parameter == command.parameters->members.data();
      if (synchronized && !is_target) {
        extern_sync->marked_handles.push_back({&parameter, nullptr, command.parameters, true, false});
      } else if (!IsDispatchable(parameter) && parameter.kind == MemberKind::kHandle) {
        if (!IsRecorded(command)) {
          extern_sync->marked_handles.push_back({&parameter, nullptr, command.parameters, false, false});
        } else if (parameter.indirection == vk::Indirection::kInline) {
          extern_sync->checked_offsets.push_back(parameter.offset);
        }
      }
    } else if (parameter.kind == MemberKind::kStruct && parameter.indirection == vk::Indirection::kPointer &&
               (parameter.flags & vk::kMemberOutput) == 0) {
      for (const MemberInfo& member : vk::Structs()[parameter.type].members) {
        if ((member.flags & vk::kMemberExternSync) != 0) AddMember(parameter, member.name, false, extern_sync);
      }
    }
  }
}

// Updates of a descriptor set must not be concurrent unless its layout allows it. The specification's text says so; the
// registry cannot.
void AddDescriptorUpdates(const CommandInfo& command, ExternSync* extern_sync) {
  if (command.id == vk::CommandId::kUpdateDescriptorSets) {
    AddMember(*FindMember(*command.parameters, "pDescriptorWrites"), "dstSet", true, extern_sync);
    AddMember(*FindMember(*command.parameters, "pDescriptorCopies"), "dstSet", true, extern_sync);
  }
  if (command.id != vk::CommandId::kUpdateDescriptorSetWithTemplate) return;
  for (HandlePath& path : extern_sync->marked_handles) {
    if (path.parameter->name == "descriptorSet") path.writes = path.unless_concurrent = true;
  }
}

// The registry has three sentences. The one about a command buffer's pool needs nothing here.
void AddImplicit(const CommandInfo& command, ExternSync* extern_sync) {
  for (std::string_view words : command.implicit_extern_sync) {
    if (absl::StartsWith(words, "all sname:VkQueue objects")) extern_sync->all_queues = true;
    if (absl::StartsWith(words, "any sname:VkDescriptorSet objects allocated from pname:")) {
      const std::string_view name = words.substr(words.rfind(':') + 1);
      if (const MemberInfo* pool = FindMember(*command.parameters, name)) extern_sync->sets_of_pool = pool->offset;
    }
  }
}

// A command destroys the objects of its last parameter that is a handle.
void MarkDestroyed(const CommandInfo& command, ExternSync* extern_sync) {
  if (command.lifetime != vk::LifetimeEffect::kDestroy) return;
  const MemberInfo* last = nullptr;
  for (const MemberInfo& parameter : command.parameters->members) {
    if (parameter.kind == MemberKind::kHandle) last = &parameter;
  }
  for (HandlePath& path : extern_sync->marked_handles)
    path.destroyed = path.parameter == last && path.member == nullptr;
}

ExternSync Make(const CommandInfo& command) {
  ExternSync extern_sync;
  AddParameters(command, &extern_sync);
  for (std::string_view expression : command.extern_sync_members) AddExpression(command, expression, &extern_sync);
  AddDescriptorUpdates(command, &extern_sync);
  AddImplicit(command, &extern_sync);
  MarkDestroyed(command, &extern_sync);
  for (HandlePath& path : extern_sync.marked_handles) {
    const MemberInfo& handle = path.handle();
    if (handle.kind == MemberKind::kHandle && !IsDispatchable(handle)) {
      path.type = vk::Handles()[handle.type].object_type;
    }
  }
  extern_sync.empty = extern_sync.marked_handles.empty() && extern_sync.checked_offsets.empty() &&
                      !extern_sync.all_queues && extern_sync.sets_of_pool == 0;
  return extern_sync;
}

}  // namespace

const ExternSyncTable& GetExternSyncTable() {
  static const ExternSyncTable* const table = [] {
    auto* all = new ExternSyncTable;
    for (size_t i = 0; i < vk::kCommandCount; ++i) (*all)[i] = Make(vk::GetCommandInfo(static_cast<vk::CommandId>(i)));
    return all;
  }();
  return *table;
}

}  // namespace assay::thread_safety
