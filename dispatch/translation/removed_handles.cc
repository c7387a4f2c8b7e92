// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/removed_handles.h"

#include <atomic>

#include "dispatch/handles/dispatchable_table.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/translation/handle_members.h"
#include "vk/struct_info.h"
#include "vk/walk/element_count.h"
#include "vk/walk/load_store.h"

namespace assay::dispatch {
namespace {

using vk::ElementCount;
using vk::Indirection;
using vk::Load;
using vk::MemberInfo;

bool IsDispatchable(VkObjectType type) {
  const vk::HandleInfo* info = vk::FindHandle(type);
  return info != nullptr && info->dispatchable;
}

// False when another thread has removed the object.
bool RemoveObject(Slot* slot, vk::CommandId id) {
  HandleTable& handles = HandleTable::Get();
  const uint64_t handle = std::atomic_ref(slot->application_handle).load(std::memory_order_relaxed);
  if (handle == 0) return false;
  while (slot->first_child != HandleTable::kNone) RemoveObject(handles.AtIndex(slot->first_child), id);
  if (IsDispatchable(slot->type)) {
    DispatchableTable::Get().Remove(reinterpret_cast<const void*>(slot->driver_handle), slot);
  }
  return handles.Remove(slot, id, slot->instance->reporter.TakeName({slot->type, handle}), handle);
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

void RemoveChildren(VkObjectType type, uint64_t handle, vk::CommandId destroyed_by) {
  HandleTable& handles = HandleTable::Get();
  Slot* const parent = handles.Find(type, handle);
  if (parent == nullptr) return;
  while (parent->first_child != HandleTable::kNone) RemoveObject(handles.AtIndex(parent->first_child), destroyed_by);
}

uint64_t RemoveAndUnwrap(vk::CommandId command, uint64_t handle) {
  Slot* const slot = HandleTable::Get().FindWrapped(handle);
  if (slot == nullptr) return HandleTable::Get().ToDriver(handle);
  const uint64_t driver_handle = slot->driver_handle;
  if (slot->type != TypeOf(*HandleMembers::Get().Destroyed(command))) return driver_handle;
  return RemoveObject(slot, command) ? driver_handle : 0;
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
