// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/handle_members.h"

namespace assay::dispatch {
namespace {

using vk::Indirection;
using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

// VkPhysicalDeviceGroupProperties does: it returns dispatchable handles.
bool HoldsDispatchable(const StructInfo& info) {
  for (const MemberInfo& member : info.members) {
    if (member.kind == MemberKind::kHandle) return true;
  }
  return false;
}

// The pNext chain of a VkPipelineCreateInfoKHR has the create info of a pipeline. The specification's text says so, but
// the registry's structextends do not. By the registry alone the structure reaches no handle.
bool HoldsPipelineCreateInfo(const StructInfo& info) {
  return info.structure_type == VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR;
}

const MemberInfo* FindCreated(const vk::CommandInfo& command, const std::vector<const MemberInfo*>& members) {
  if (command.lifetime != vk::LifetimeEffect::kCreate || command.dispatch != vk::DispatchLevel::kDevice) return nullptr;
  const MemberInfo* created = nullptr;
  for (const MemberInfo* member : members) {
    if ((member->flags & vk::kMemberOutput) == 0 || member->kind == MemberKind::kNext) continue;
    if (created != nullptr || !IsNonDispatchableHandle(*member) || member->indirection != Indirection::kPointer ||
        member->length_kind != vk::LengthKind::kOne) {
      return nullptr;
    }
    created = member;
  }
  return created;
}

std::vector<const MemberInfo*> MembersThatReachHandles(const StructInfo& info) {
  std::vector<const MemberInfo*> result;
  for (const MemberInfo& member : info.members) {
    if (ReachesHandle(member)) result.push_back(&member);
  }
  return result;
}

}  // namespace

bool ReachesHandle(const MemberInfo& member) {
  switch (member.kind) {
    case MemberKind::kHandle:
      return IsNonDispatchableHandle(member) || (member.flags & vk::kMemberOutput) != 0;
    case MemberKind::kTypedHandle:
    case MemberKind::kNext:
      return true;
    case MemberKind::kStruct:
      return (vk::Structs()[member.type].flags & vk::kStructReachesHandle) != 0 ||
             HoldsPipelineCreateInfo(vk::Structs()[member.type]) ||
             ((member.flags & vk::kMemberOutput) != 0 && HoldsDispatchable(vk::Structs()[member.type]));
    default:
      return false;
  }
}

HandleMembers::HandleMembers() {
  const auto structs = vk::Structs();
  members_.resize(structs.size());
  for (size_t i = 0; i < structs.size(); ++i) members_[i] = MembersThatReachHandles(structs[i]);
  commands_.resize(vk::kCommandCount);
  destroyed_.resize(vk::kCommandCount);
  created_.resize(vk::kCommandCount);
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const StructInfo& parameters = *vk::GetCommandInfo(static_cast<vk::CommandId>(i)).parameters;
    commands_[i] = MembersThatReachHandles(parameters);
    for (const MemberInfo& member : parameters.members.subspan(1)) {
      if (member.kind == MemberKind::kHandle) destroyed_[i] = &member;
    }
    created_[i] = FindCreated(vk::GetCommandInfo(static_cast<vk::CommandId>(i)), commands_[i]);
  }
}

}  // namespace assay::dispatch
