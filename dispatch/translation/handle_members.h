// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_HANDLE_MEMBERS_H_
#define ASSAY_DISPATCH_TRANSLATION_HANDLE_MEMBERS_H_

#include <cstddef>
#include <vector>

#include "vk/command_info.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

// Where handles are in parameters, from the registry's description.
namespace assay::dispatch {

inline bool IsNonDispatchableHandle(const vk::MemberInfo& member) {
  return member.kind == vk::MemberKind::kHandle && !vk::Handles()[member.type].dispatchable;
}

// The object type of a member that is a handle.
inline VkObjectType TypeOf(const vk::MemberInfo& member) { return vk::Handles()[member.type].object_type; }

// Whether translation must look at the member: it is a handle that translation changes, or leads to one.
bool ReachesHandle(const vk::MemberInfo& member);

// For every structure and command, the members that reach a handle. Translation looks at these alone.
class HandleMembers {
 public:
  HandleMembers();

  // The lists of the process. They are made at the first call.
  static const HandleMembers& Get() {
    static const HandleMembers* const all = new HandleMembers;
    return *all;
  }

  const std::vector<const vk::MemberInfo*>& OfStruct(const vk::StructInfo& info) const {
    return members_[static_cast<size_t>(&info - vk::Structs().data())];
  }
  // Whether anything but the structure's own pNext chain can lead to a handle: a member, a structure in it, or the
  // chain of such a structure.
  bool ReachesHandleWithoutChain(const vk::StructInfo& info) const {
    const std::vector<const vk::MemberInfo*>& members = OfStruct(info);
    return members.size() > 1 || (!members.empty() && members[0]->kind != vk::MemberKind::kNext);
  }
  const std::vector<const vk::MemberInfo*>& OfCommand(vk::CommandId id) const {
    return commands_[static_cast<size_t>(id)];
  }
  // The parameter that names the objects that a vkDestroy* or vkFree* command destroys. It is the last handle among the
  // parameters: vkFreeDescriptorSets(device, descriptorPool, count, pDescriptorSets). Null when the first parameter is
  // the only handle.
  const vk::MemberInfo* Destroyed(vk::CommandId id) const { return destroyed_[static_cast<size_t>(id)]; }
  // The output parameter of a command that creates one object without a parent and returns nothing else:
  // vkCreateBuffer's pBuffer. Null for other commands.
  const vk::MemberInfo* Created(vk::CommandId id) const { return created_[static_cast<size_t>(id)]; }

 private:
  std::vector<std::vector<const vk::MemberInfo*>> members_;
  std::vector<std::vector<const vk::MemberInfo*>> commands_;
  std::vector<const vk::MemberInfo*> destroyed_;
  std::vector<const vk::MemberInfo*> created_;
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_HANDLE_MEMBERS_H_
