// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/returned_handles.h"

#include <cstring>

#include "absl/synchronization/mutex.h"
#include "dispatch/handles/dispatchable_table.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/translation/handle_members.h"
#include "vk/commands.h"
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

// Whether the driver owns the object and several commands may return it.
bool IsInterned(VkObjectType type) {
  return type == VK_OBJECT_TYPE_DISPLAY_KHR || type == VK_OBJECT_TYPE_DISPLAY_MODE_KHR;
}

// The slot that becomes the parent of the objects that a command returns: a pool or a swapchain. Null for most
// commands.
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

// Registers what one call returned.
struct ReturnedHandleRegistrar {
  const vk::CommandInfo& command;
  Instance* instance;
  Device* device;
  Slot* parent;
  // The physical device that the command is dispatched on, or null.
  Slot* physical_device;

  void Register(VkObjectType type, void* where) const {
    const auto driver_handle = Load<uint64_t>(where);
    if (driver_handle == 0) return;
    const HandleKind handle_kind = instance->wraps_handles() ? HandleKind::kWrapped : HandleKind::kUnwrapped;
    Slot* slot = nullptr;
    if (IsInterned(type)) {
      slot = instance->Intern(type, driver_handle, physical_device);
    } else if (command.lifetime == vk::LifetimeEffect::kRetrieve && parent != nullptr) {
      // A retrieved child is the same object each time. A retrieved object without a parent is a new one, which another
      // command releases (vkAcquirePerformanceConfigurationINTEL).
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

// Writes VK_NULL_HANDLE to every non-dispatchable handle that the member reaches.
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

}  // namespace

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
  // Two threads may retrieve the same object for the first time. They must get one slot.
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
    // The parameters stay as they are: only the memory behind output pointers is written.
    if ((member->flags & vk::kMemberOutput) != 0) ClearMember(*command.parameters, *member, const_cast<void*>(call));
  }
}

}  // namespace assay::dispatch
