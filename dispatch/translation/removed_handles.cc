// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/translation/removed_handles.h"

#include <array>
#include <atomic>
#include <string>

#include "absl/types/span.h"
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

// Removes the handle from the table of those that the driver makes, if it is one.
void RemoveDispatchable(const Slot& slot) {
  if (IsDispatchable(slot.type))
    DispatchableTable::Get().Remove(reinterpret_cast<const void*>(slot.driver_handle), &slot);
}

std::string TakeName(const Slot& slot, uint64_t handle) {
  return slot.instance->reporter.TakeName({slot.type, handle});
}

// A pool may have thousands of children, so they are removed many at a time.
void RemoveChildrenOf(Slot& parent, vk::CommandId id) {
  HandleTable& handles = HandleTable::Get();
  std::array<HandleTable::Child, HandleTable::kMaxTaken> children;
  std::array<std::string, HandleTable::kMaxTaken> names;
  while (const size_t count = handles.TakeChildren(parent, absl::MakeSpan(children))) {
    for (size_t i = 0; i < count; ++i) {
      const auto& [slot, handle] = children[i];
      if (slot->first_child != HandleTable::kNone) RemoveChildrenOf(*slot, id);
      RemoveDispatchable(*slot);
      names[i] = TakeName(*slot, handle);
    }
    handles.Remove(absl::MakeConstSpan(children).first(count), id, absl::MakeSpan(names));
  }
}

// False when another thread has removed the object.
bool RemoveObject(Slot* slot, vk::CommandId id) {
  const uint64_t handle = std::atomic_ref(slot->application_handle).load(std::memory_order_relaxed);
  if (handle == 0) return false;
  if (slot->first_child != HandleTable::kNone) RemoveChildrenOf(*slot, id);
  RemoveDispatchable(*slot);
  return HandleTable::Get().Remove(slot, id, TakeName(*slot, handle), handle);
}

}  // namespace

void RemoveDispatchableHandles(const Instance* instance, const Device* device) {
  for (Slot* slot : HandleTable::Get().SlotsOf(instance, device)) {
    RemoveDispatchable(*slot);
  }
}

void RemoveObjectsOf(const Instance* instance, const Device* device, vk::CommandId destroyed_by) {
  for (Slot* slot : HandleTable::Get().SlotsOf(instance, device)) {
    if (slot->alive) RemoveObject(slot, destroyed_by);
  }
}

void RemoveChildren(VkObjectType type, uint64_t handle, vk::CommandId destroyed_by) {
  Slot* const parent = HandleTable::Get().Find(type, handle);
  if (parent != nullptr) RemoveChildrenOf(*parent, destroyed_by);
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
