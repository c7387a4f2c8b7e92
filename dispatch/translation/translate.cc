// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/translate.h"

#include <cstring>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "dispatch/handles/dispatchable_table.h"
#include "dispatch/hooks/instance.h"
#include "dispatch/translation/ignored_members.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::dispatch {
namespace {

using vk::ElementCount;
using vk::Indirection;
using vk::Load;
using vk::MemberInfo;
using vk::MemberKind;
using vk::Store;
using vk::StructInfo;

bool IsNonDispatchableHandle(const MemberInfo& member) {
  return member.kind == MemberKind::kHandle && !vk::Handles()[member.type].dispatchable;
}

// VkPhysicalDeviceGroupProperties, through which dispatchable handles are returned.
bool HoldsDispatchable(const StructInfo& info) {
  for (const MemberInfo& member : info.members) {
    if (member.kind == MemberKind::kHandle) return true;
  }
  return false;
}

// What is in the pNext chain of a VkPipelineCreateInfoKHR, the create info of a pipeline, is there by the
// specification's text and not by the registry's structextends, so that the registry takes it for a structure that
// reaches no handle.
bool HoldsPipelineCreateInfo(const StructInfo& info) {
  return info.structure_type == VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR;
}

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

// The members of a structure that translation must look at, so that it does not look at the rest. Made once for every
// structure.
class HandleMembers {
 public:
  HandleMembers() {
    const auto structs = vk::Structs();
    members_.resize(structs.size());
    for (size_t i = 0; i < structs.size(); ++i) members_[i] = Of(structs[i]);
    commands_.resize(vk::kCommandCount);
    destroyed_.resize(vk::kCommandCount);
    created_.resize(vk::kCommandCount);
    for (size_t i = 0; i < vk::kCommandCount; ++i) {
      const StructInfo& parameters = *vk::GetCommandInfo(static_cast<vk::CommandId>(i)).parameters;
      commands_[i] = Of(parameters);
      for (const MemberInfo& member : parameters.members.subspan(1)) {
        if (member.kind == MemberKind::kHandle) destroyed_[i] = &member;
      }
      created_[i] = CreatedBy(vk::GetCommandInfo(static_cast<vk::CommandId>(i)), commands_[i]);
    }
  }

  static const HandleMembers& Get() {
    static const HandleMembers* const all = new HandleMembers;
    return *all;
  }

  const std::vector<const MemberInfo*>& OfStruct(const StructInfo& info) const {
    return members_[static_cast<size_t>(&info - vk::Structs().data())];
  }
  const std::vector<const MemberInfo*>& OfCommand(vk::CommandId id) const { return commands_[static_cast<size_t>(id)]; }
  // What a command that destroys destroys, the last handle among its parameters: vkFreeDescriptorSets(device,
  // descriptorPool, count, pDescriptorSets). Null when there is only what it is dispatched on.
  const MemberInfo* Destroyed(vk::CommandId id) const { return destroyed_[static_cast<size_t>(id)]; }
  // What a command returns that makes one new object without a parent, and nothing else: vkCreateBuffer's pBuffer. Null
  // for others.
  const MemberInfo* Created(vk::CommandId id) const { return created_[static_cast<size_t>(id)]; }

 private:
  static const MemberInfo* CreatedBy(const vk::CommandInfo& command, const std::vector<const MemberInfo*>& members) {
    if (command.lifetime != vk::LifetimeEffect::kCreate || command.dispatch != vk::DispatchLevel::kDevice)
      return nullptr;
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

  static std::vector<const MemberInfo*> Of(const StructInfo& info) {
    std::vector<const MemberInfo*> result;
    for (const MemberInfo& member : info.members) {
      if (ReachesHandle(member)) result.push_back(&member);
    }
    return result;
  }

  std::vector<std::vector<const MemberInfo*>> members_;
  std::vector<std::vector<const MemberInfo*>> commands_;
  std::vector<const MemberInfo*> destroyed_;
  std::vector<const MemberInfo*> created_;
};

class HandleTranslator {
 public:
  explicit HandleTranslator(ScratchArena& arena) : arena_(arena) {}

  void TranslateCopy(const StructInfo& info, const std::vector<const MemberInfo*>& members, void* copy) {
    for (const MemberInfo* member : members) TranslateMember(info, *member, copy);
  }

 private:
  void TranslateMember(const StructInfo& info, const MemberInfo& member, void* copy) {
    if ((member.flags & vk::kMemberOutput) != 0) return;
    if (member.kind == MemberKind::kNext) {
      if (Load<const void*>(copy, member.offset) != nullptr) TranslateChain(member.offset, copy);
      return;
    }
    void* const field = static_cast<char*>(copy) + member.offset;
    switch (member.indirection) {
      case Indirection::kInline:
        TranslateElements(info, member, copy, field, member.fixed_count);
        return;
      case Indirection::kPointer: {
        const void* source = Load<const void*>(field);
        if (source == nullptr || IsIgnored(info, member, copy)) return;
        const uint64_t count = ElementCount(info, member, copy);
        if (count == 0 || !AnyReachesHandle(member, source, count)) return;
        void* elements = arena_.Copy(source, count * member.element_size);
        TranslateElements(info, member, copy, elements, count);
        Store(field, 0, elements);
        return;
      }
      case Indirection::kPointerToPointer: {
        const void* source = Load<const void*>(field);
        if (source == nullptr || member.kind != MemberKind::kStruct) return;
        const uint64_t count = ElementCount(info, member, copy);
        auto* pointers = static_cast<void**>(arena_.Copy(source, count * sizeof(void*)));
        for (uint64_t i = 0; i < count; ++i) {
          pointers[i] = arena_.Copy(pointers[i], member.element_size);
          TranslateElements(info, member, copy, pointers[i], 1);
        }
        Store(field, 0, pointers);
        return;
      }
    }
  }

  // False for structures from which only their pNext chains could lead to a handle and that have none.
  static bool AnyReachesHandle(const MemberInfo& member, const void* elements, uint64_t count) {
    if (member.kind != MemberKind::kStruct) return true;
    const StructInfo& info = vk::Structs()[member.type];
    if ((info.flags & vk::kStructReachesHandleDirectly) != 0 || info.structure_type == VK_STRUCTURE_TYPE_MAX_ENUM)
      return true;
    for (uint64_t i = 0; i < count; ++i) {
      const size_t at = i * member.element_size + offsetof(VkBaseInStructure, pNext);
      if (Load<const void*>(elements, at) != nullptr) return true;
    }
    return false;
  }

  void TranslateElements(const StructInfo& parent, const MemberInfo& member, void* parent_copy, void* elements,
                         uint64_t count) {
    char* element = static_cast<char*>(elements);
    if (member.kind != MemberKind::kStruct) {
      const HandleTable& handles = HandleTable::Get();
      // A typed handle of a dispatchable object does not look wrapped and passes unchanged.
      for (uint64_t i = 0; i < count; ++i, element += member.element_size) {
        Store(element, 0, handles.ToDriver(Load<uint64_t>(element)));
      }
      return;
    }
    const StructInfo& info = vk::Structs()[member.type];
    if ((info.flags & vk::kStructUnion) != 0) {
      for (uint64_t i = 0; i < count; ++i, element += member.element_size) {
        TranslateUnion(parent, member, parent_copy, info, element);
      }
      return;
    }
    const std::vector<const MemberInfo*>& members = HandleMembers::Get().OfStruct(info);
    for (uint64_t i = 0; i < count; ++i, element += member.element_size) TranslateCopy(info, members, element);
  }

  void TranslateUnion(const StructInfo& parent, const MemberInfo& member, const void* parent_copy,
                      const StructInfo& info, void* element) {
    if (member.selector < 0) return;
    const MemberInfo& selector = parent.members[static_cast<size_t>(member.selector)];
    const auto selected = static_cast<int64_t>(Load<int32_t>(parent_copy, selector.offset));
    for (const MemberInfo& alternative : info.members) {
      for (int64_t selection : vk::Selections(alternative)) {
        if (selection != selected || !ReachesHandle(alternative)) continue;
        TranslateMember(info, alternative, element);
        return;
      }
    }
  }

  // Copies the part of the chain up to the last link that reaches a handle by itself; the rest stays the application's.
  // A link that the registry has not cannot be copied: it is left out when handles follow it, else kept.
  void TranslateChain(size_t offset, void* copy) {
    const auto* head = Load<const VkBaseInStructure*>(copy, offset);
    const VkBaseInStructure* last = nullptr;
    for (const auto* link = head; link != nullptr; link = link->pNext) {
      const StructInfo* info = vk::FindStruct(link->sType);
      if (info != nullptr && (info->flags & vk::kStructReachesHandleDirectly) != 0) last = link;
    }
    if (last == nullptr) return;
    void* previous = copy;
    size_t previous_offset = offset;
    for (const auto* link = head;; link = link->pNext) {
      if (const StructInfo* info = vk::FindStruct(link->sType)) {
        void* link_copy = arena_.Copy(link, info->size);
        Store(previous, previous_offset, link_copy);
        for (const MemberInfo* member : HandleMembers::Get().OfStruct(*info)) {
          if (member->kind != MemberKind::kNext) TranslateMember(*info, *member, link_copy);
        }
        previous = link_copy;
        previous_offset = offsetof(VkBaseInStructure, pNext);
      }
      if (link == last) break;
    }
    Store(previous, previous_offset, last->pNext);
  }

  ScratchArena& arena_;
};

VkObjectType TypeOf(const MemberInfo& member) { return vk::Handles()[member.type].object_type; }

bool IsInterned(VkObjectType type) {
  return type == VK_OBJECT_TYPE_DISPLAY_KHR || type == VK_OBJECT_TYPE_DISPLAY_MODE_KHR;
}

// The slot that new objects of a command become children of: the pool that they are allocated from.
Slot* ParentOf(const vk::CommandInfo& command, const void* call) {
  switch (command.id) {
    case vk::CommandId::kAllocateDescriptorSets: {
      const auto& allocate = *static_cast<const vk::AllocateDescriptorSets*>(call);
      return HandleTable::Get().Find(VK_OBJECT_TYPE_DESCRIPTOR_POOL,
                                     reinterpret_cast<uint64_t>(allocate.pAllocateInfo->descriptorPool));
    }
    case vk::CommandId::kGetSwapchainImagesKHR: {
      const auto& get = *static_cast<const vk::GetSwapchainImagesKHR*>(call);
      return HandleTable::Get().Find(VK_OBJECT_TYPE_SWAPCHAIN_KHR, reinterpret_cast<uint64_t>(get.swapchain));
    }
    case vk::CommandId::kAllocateCommandBuffers: {
      const auto& allocate = *static_cast<const vk::AllocateCommandBuffers*>(call);
      return HandleTable::Get().Find(VK_OBJECT_TYPE_COMMAND_POOL,
                                     reinterpret_cast<uint64_t>(allocate.pAllocateInfo->commandPool));
    }
    default:
      return nullptr;
  }
}

Slot* FindChild(Slot* parent, uint64_t driver_handle) {
  HandleTable& handles = HandleTable::Get();
  for (uint32_t i = parent->first_child; i != HandleTable::kNone; i = handles.AtIndex(i)->next_sibling) {
    if (handles.AtIndex(i)->driver_handle == driver_handle) return handles.AtIndex(i);
  }
  return nullptr;
}

struct ReturnedHandleRegistrar {
  const vk::CommandInfo& command;
  Instance* instance;
  Device* device;
  Slot* parent;
  // The one that the command is dispatched on, or null.
  Slot* physical_device;

  void Register(VkObjectType type, void* where) const {
    const auto driver_handle = Load<uint64_t>(where);
    if (driver_handle == 0) return;
    const HandleKind handle_kind = instance->wraps_handles() ? HandleKind::kWrapped : HandleKind::kUnwrapped;
    Slot* slot = nullptr;
    if (IsInterned(type)) {
      slot = instance->Intern(type, driver_handle, physical_device);
    } else if (command.lifetime == vk::LifetimeEffect::kRetrieve && parent != nullptr) {
      // Retrieved again and again: the same object each time. Without a parent it is a new one, which a command
      // releases (vkAcquirePerformanceConfigurationINTEL).
      slot = FindChild(parent, driver_handle);
    }
    if (slot == nullptr) slot = HandleTable::Get().Add(type, driver_handle, instance, device, handle_kind, parent);
    if (slot != nullptr) Store(where, 0, slot->application_handle);
  }

  void RegisterDispatchable(VkObjectType type, void* where) const {
    auto* const handle = Load<void*>(where);
    if (handle == nullptr) return;
    DispatchableTable& dispatchables = DispatchableTable::Get();
    if (command.lifetime == vk::LifetimeEffect::kRetrieve && dispatchables.Find(handle) != nullptr) return;
    Slot* slot = HandleTable::Get().Add(type, reinterpret_cast<uint64_t>(handle), instance, device,
                                        HandleKind::kDispatchable, parent);
    if (slot != nullptr) dispatchables.Add(handle, slot);
  }

  void RegisterMembers(const StructInfo& info, void* base) const {
    for (const MemberInfo& member : info.members) RegisterMember(info, member, base);
  }

  void RegisterMember(const StructInfo& info, const MemberInfo& member, void* base) const {
    char* elements = static_cast<char*>(base) + member.offset;
    if (member.indirection == Indirection::kPointer) {
      elements = Load<char*>(elements);
      if (elements == nullptr) return;
    }
    const uint64_t count = ElementCount(info, member, base);
    for (uint64_t i = 0; i < count; ++i) {
      char* const element = elements + i * member.element_size;
      if (member.kind == MemberKind::kStruct) {
        if (vk::Structs()[member.type].flags & vk::kStructUnion) continue;
        RegisterMembers(vk::Structs()[member.type], element);
      } else if (IsNonDispatchableHandle(member)) {
        Register(TypeOf(member), element);
      } else if (member.kind == MemberKind::kHandle) {
        RegisterDispatchable(TypeOf(member), element);
      }
    }
  }
};

// VK_NULL_HANDLE for every handle that a structure returns.
void ClearMember(const StructInfo& info, const MemberInfo& member, void* base) {
  char* elements = static_cast<char*>(base) + member.offset;
  if (member.indirection == Indirection::kPointer) {
    elements = Load<char*>(elements);
    if (elements == nullptr) return;
  }
  const uint64_t count = ElementCount(info, member, base);
  if (IsNonDispatchableHandle(member)) {
    std::memset(elements, 0, count * member.element_size);
  } else if (member.kind == MemberKind::kStruct && (vk::Structs()[member.type].flags & vk::kStructUnion) == 0) {
    const StructInfo& element_info = vk::Structs()[member.type];
    for (uint64_t i = 0; i < count; ++i) {
      for (const MemberInfo& inner : element_info.members)
        ClearMember(element_info, inner, elements + i * member.element_size);
    }
  }
}

bool IsDispatchable(VkObjectType type) {
  const vk::HandleInfo* info = vk::FindHandle(type);
  return info != nullptr && info->dispatchable;
}

void RemoveObject(Slot* slot, vk::CommandId id) {
  HandleTable& handles = HandleTable::Get();
  while (slot->first_child != HandleTable::kNone) RemoveObject(handles.AtIndex(slot->first_child), id);
  if (IsDispatchable(slot->type)) {
    DispatchableTable::Get().Remove(reinterpret_cast<const void*>(slot->driver_handle), slot);
  }
  handles.Remove(slot, id, slot->instance->reporter.TakeName({slot->type, slot->application_handle}));
}

}  // namespace

void RemoveDispatchableHandles(const Instance* instance, const Device* device) {
  for (Slot* slot : HandleTable::Get().SlotsOf(instance, device)) {
    if (!IsDispatchable(slot->type)) continue;
    DispatchableTable::Get().Remove(reinterpret_cast<const void*>(slot->driver_handle), slot);
  }
}

void RemoveObjectsOf(const Instance* instance, const Device* device, vk::CommandId destroyed_by) {
  for (Slot* slot : HandleTable::Get().SlotsOf(instance, device)) {
    if (slot->alive) RemoveObject(slot, destroyed_by);
  }
}

void TranslateToDriver(const vk::CommandInfo& command, void* call, ScratchArena& arena) {
  HandleTranslator(arena).TranslateCopy(*command.parameters, HandleMembers::Get().OfCommand(command.id), call);
}

void TranslateFromDriver(const vk::CommandInfo& command, void* call, Instance* instance, Device* device) {
  if (const MemberInfo* const created = HandleMembers::Get().Created(command.id)) {
    auto* const where = Load<uint64_t*>(call, created->offset);
    if (where == nullptr || *where == 0) return;
    const HandleKind handle_kind = instance->wraps_handles() ? HandleKind::kWrapped : HandleKind::kUnwrapped;
    const Slot* slot =
        HandleTable::Get().Add(vk::Handles()[created->type].object_type, *where, instance, device, handle_kind);
    if (slot != nullptr) *where = slot->application_handle;
    return;
  }
  // Two threads that retrieve the same object for the first time must be given one slot.
  static absl::Mutex retrieving(absl::kConstInit);
  absl::MutexLockMaybe lock(command.lifetime == vk::LifetimeEffect::kRetrieve ? &retrieving : nullptr);
  Slot* const physical_device = command.dispatch == vk::DispatchLevel::kPhysicalDevice
                                    ? DispatchableTable::Get().Find(Load<const void*>(call))
                                    : nullptr;
  const ReturnedHandleRegistrar registrar{command, instance, device, ParentOf(command, call), physical_device};
  for (const MemberInfo* member : HandleMembers::Get().OfCommand(command.id)) {
    if ((member->flags & vk::kMemberOutput) != 0 && member->kind != MemberKind::kNext) {
      registrar.RegisterMember(*command.parameters, *member, call);
    }
  }
}

void ClearReturned(const vk::CommandInfo& command, const void* call) {
  for (const MemberInfo* member : HandleMembers::Get().OfCommand(command.id)) {
    // Only what output pointers point to is written, so the parameters themselves stay as they are.
    if ((member->flags & vk::kMemberOutput) != 0) ClearMember(*command.parameters, *member, const_cast<void*>(call));
  }
}

void RemoveChildren(VkObjectType type, uint64_t handle, vk::CommandId destroyed_by) {
  HandleTable& handles = HandleTable::Get();
  Slot* const parent = handles.Find(type, handle);
  if (parent == nullptr) return;
  while (parent->first_child != HandleTable::kNone) RemoveObject(handles.AtIndex(parent->first_child), destroyed_by);
}

uint64_t RemoveAndUnwrap(vk::CommandId command, uint64_t handle) {
  Slot* const slot = HandleTable::Get().FindWrapped(handle);
  if (slot == nullptr) return handle;
  const uint64_t driver_handle = slot->driver_handle;
  if (slot->type == TypeOf(*HandleMembers::Get().Destroyed(command))) RemoveObject(slot, command);
  return driver_handle;
}

void RemoveDestroyed(const vk::CommandInfo& command, const void* call) {
  HandleTable& handles = HandleTable::Get();
  const MemberInfo* const destroyed = HandleMembers::Get().Destroyed(command.id);
  if (destroyed == nullptr) return;
  const char* elements = static_cast<const char*>(call) + destroyed->offset;
  uint64_t count = destroyed->fixed_count;
  if (destroyed->indirection == Indirection::kPointer) {
    elements = Load<const char*>(elements);
    count = elements != nullptr ? ElementCount(*command.parameters, *destroyed, call) : 0;
  }
  for (uint64_t i = 0; i < count; ++i) {
    const auto handle = Load<uint64_t>(elements, i * destroyed->element_size);
    Slot* slot = IsNonDispatchableHandle(*destroyed)
                     ? handles.Find(TypeOf(*destroyed), handle)
                     : DispatchableTable::Get().Find(reinterpret_cast<const void*>(handle));
    if (slot != nullptr) RemoveObject(slot, command.id);
  }
}

}  // namespace assay::dispatch
